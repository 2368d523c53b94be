"""Which part of a question led to a thing: for evidence."""

from __future__ import annotations

import numpy as np

from retriever.types import Ids, Question
from weft.text.normalise import words_of


def mention_of(question: Question, entities: Ids) -> str | None:
    """Return the part of the question that names one of the entities, the likeliest first, or None."""
    named = [
        (float(mention.weights[np.isin(mention.entities, entities)].max()), -mention.start, mention)
        for mention in question.mentions
        if np.isin(mention.entities, entities).any()
    ]
    if not named:
        return None
    _, _, mention = max(named, key=lambda each: each[:2])
    return question.text[mention.start : mention.end]


def named_by(question: Question, entity: int) -> str | None:
    """Return the part of the question that names an entity, or None."""
    return mention_of(question, np.array([entity]))


def mention_with(question: Question, words: set[str]) -> str | None:
    """Return the first mention in the question that holds one of the words, or None."""
    for mention in question.mentions:
        part = question.text[mention.start : mention.end]
        if words.intersection(words_of(part)):
            return part
    return None
