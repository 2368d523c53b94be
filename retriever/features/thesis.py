"""The five features of a chunk that the thesis fuses, and what stands for a score that no retriever returned.

Candidates are all chunks that any of the five signals returns. The thesis
(section 3.4) puts 0.75 where a signal did not return a chunk, on the scale
(1 + cos) / 2; true scores are known here and are the other choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from retriever.learning.standardise import Scale, over_all, rescale, within_questions
from retriever.learning.table import Features
from retriever.protocols import Signal
from retriever.session import Session
from retriever.signals.entity import EntitySignal
from retriever.signals.page import PageSignal
from retriever.signals.path.signal import PathSignal
from retriever.signals.section import SectionSignal
from retriever.signals.vector import VectorSignal
from retriever.types import Ids, Query

Standardise = Literal["local", "global"]
COLUMNS = ("vector", "page", "section", "entity", "path")
BINARY = ("path",)
"""Columns that are never standardised."""

VECTORS = 10
"""Chunks by vector among the candidates."""

MISSING = 0.75
"""The thesis's score of a chunk that a signal did not return: below all that it saw returned."""


class ThesisCandidates(NamedTuple):
    """Chunks (n,), sorted, and their features (n, 5) as named by `COLUMNS`, not standardised."""

    ids: Ids
    features: Features


class ThesisFeatures:
    """Makes the candidates of a question and their features; `missing` None gives true scores everywhere."""

    def __init__(self, missing: float | None = MISSING) -> None:
        makers = (VectorSignal, PageSignal, SectionSignal, EntitySignal, PathSignal)
        self.signals: tuple[Signal, ...] = tuple(make("chunk") for make in makers)
        self.missing = missing

    def of(self, session: Session, query: Query) -> ThesisCandidates:
        """Return the candidates; none for a question without any known word."""
        proposed = [np.sort(signal.propose(session, query, VECTORS)) for signal in self.signals]
        ids = np.unique(np.concatenate(proposed))
        columns = [self._column(session, query, *each, ids) for each in zip(self.signals, proposed, strict=True)]
        return ThesisCandidates(ids, np.column_stack(columns).astype(np.float32))

    def _column(self, session: Session, query: Query, signal: Signal, proposed: Ids, ids: Ids) -> Features:
        scores = signal.score(session, query, ids)
        if signal.name in BINARY:
            return scores
        scaled: Features = ((1 + scores) / 2).astype(np.float32)
        if self.missing is None:
            return scaled
        return np.where(np.isin(ids, proposed), scaled, np.float32(self.missing))


def standardised(features: Features, scale: Scale | None) -> Features:
    """Standardise one question's features (n, 5), the imputed ones counting.

    By themselves without a scale (thesis: local), else by that of a training set (global).
    """
    return within_questions(features, COLUMNS, BINARY) if scale is None else rescale(features, scale)


def scale_of(questions: Sequence[Features]) -> Scale:
    """Return the scale of a training set's features, a table a question."""
    return over_all(np.concatenate(questions), COLUMNS, BINARY)
