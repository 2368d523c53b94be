"""Expansions: what is added to questions, by which model calls, and from what of the graph."""
