"""Personalised PageRank from what the question names and hits: `signal`, by `push`."""
