"""Queries as tests write them, without a reader."""

from __future__ import annotations

from retriever.types import Ids, Query, Question, Unit, Vectors


def query_with(text: str, vectors: Vectors, unit: Unit = "chunk", allowed: Ids | None = None) -> Query:
    """Return a query for a question that names nothing; vectors beyond the first are an expansion's."""
    return Query(Question(text, vectors=vectors[:1]), text, vectors, unit, allowed)
