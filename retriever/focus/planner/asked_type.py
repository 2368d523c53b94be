"""Which type of node a question asks for: what its first words that mean a type mean, by labels and by nodes' texts.

A word that stands in the documents of one type's nodes and hardly in those of
others means that type: "medication" a drug. No list of words is needed, and no question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.focus.planner.steps import Schema, schema_of
from retriever.focus.planner.wording import ASKING
from retriever.session import Session
from weft.documents import EMBEDDED_TOKENS, Documents
from weft.text.normalise import STOP_WORDS, words_of
from weft.text.stems import stem

SAMPLE = 200
"""Nodes of a type whose documents are read, evenly over the graph."""

RARE = 0.01
"""A word in so small a share of documents, summed over types, counts half."""

LABEL = 0.5
"""What a type's own word counts beside the words of its nodes."""

TAKEN = 0.5
"""What a word that surely means a type leaves to the words behind it: what is asked for stands first."""

MOST_WORDS = 12
"""So many words, stop words apart, are read of a question."""


THEMSELVES = frozenset(ASKING) - {"which", "what"}
"""Question words that are what is asked for, so that no noun behind them is."""


class WordsOfTypes(NamedTuple):
    """For each stem the share (t,) of each type's documents that have it."""

    shares: Mapping[str, NDArray[np.float64]]
    n_types: int

    def of(self, word: str) -> NDArray[np.float64]:
        """Return how surely a word means each type (t,), together at most 1."""
        share = self.shares.get(stem(word))
        return np.zeros(self.n_types) if share is None else share / (share.sum() + RARE)


def asked_types(session: Session, words: Sequence[str], like: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how much speaks for each type (t,) as what is asked for; `like` (w, t) tells how words are like labels."""
    texts = session.part("words of types", _words_of_types)
    total, left = np.zeros(texts.n_types), 1.0
    for place in _content(words) if texts.n_types > 1 else ():
        means = LABEL * like[place] + texts.of(words[place])
        total += left * means
        left *= 1 - TAKEN * min(1.0, float(means.max()))
    return total


def _content(words: Sequence[str]) -> list[int]:
    """Return the places of the words that may say a type; who, when and where ask for none that follows."""
    end = next((place for place, word in enumerate(words) if word in THEMSELVES), len(words))
    return [place for place in range(end) if words[place] not in STOP_WORDS][:MOST_WORDS]


def _words_of_types(session: Session) -> WordsOfTypes:
    schema = schema_of(session)
    n_types = len(schema.types)
    shares: dict[str, NDArray[np.float64]] = {}
    for kind in range(n_types if n_types > 1 else 0):
        stems = _stems(session, schema, kind)
        for own in stems:
            for each in own:
                shares.setdefault(each, np.zeros(n_types))[kind] += 1 / len(stems)
    return WordsOfTypes(shares, n_types)


def _stems(session: Session, schema: Schema, kind: int) -> list[set[str]]:
    """Return the stems in the documents of a type's nodes, at most `SAMPLE`."""
    ids = session.adjacency.entity_ids[np.flatnonzero(schema.type_of == kind)]
    at = np.unique(np.linspace(0, len(ids) - 1, min(SAMPLE, len(ids))).astype(np.int64))
    documents = Documents(session.skb.connection, relations=False, budget=EMBEDDED_TOKENS)
    return [{stem(word) for word in words_of(each.text)} for each in documents.of(ids[at].tolist())]
