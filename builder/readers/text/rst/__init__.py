"""reStructuredText: `document` makes documents, and `lines` their lines, of docutils' trees; `parsing` sets it up."""
