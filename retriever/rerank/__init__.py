"""Rerankers: the first hits of a ranking in another order."""
