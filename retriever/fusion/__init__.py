"""Learned fusion: from the feature table of a question's candidates to one score each."""
