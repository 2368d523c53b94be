"""reStructuredText: `document` makes documents of the trees that docutils makes, set up in `parsing`."""
