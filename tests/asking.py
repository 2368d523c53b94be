"""Queries as tests write them, without a reader, and the methods with what they rank."""

from __future__ import annotations

from retriever.registry import ENTRIES, RANKING, offered
from retriever.searcher import asks_model
from retriever.types import Ids, Query, Question, Unit, Vectors

RANKERS = offered(*RANKING)
CHUNK_RANKERS = [each for each in RANKERS if "chunk" in ENTRIES[each].units]
METHODS = [(each, "chunk") for each in CHUNK_RANKERS] + [(each, "entity") for each in RANKERS]
"""Every method with each unit that it ranks."""


def without_model(method: str) -> str:
    """Return the line that a command writes where a method would ask a language model, and none is named."""
    line = f"{method}: no language model is named (--llm or WEFT_LLM), so the method does without\n"
    return line if asks_model(method) else ""


def query_with(text: str, vectors: Vectors, unit: Unit = "chunk", allowed: Ids | None = None) -> Query:
    """Return a query for a question that names nothing; vectors beyond the first are an expansion's."""
    return Query(Question(text, vectors=vectors[:1]), text, vectors, unit, allowed)
