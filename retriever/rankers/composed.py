"""A method's parts put together: an expansion, a ranker, a reranker, as one ranker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from retriever.methods import Method, Part, take_options
from retriever.protocols import Expansion, Ranker, Reranker, Signal
from retriever.rankers.single_signal import SignalRanker
from retriever.registry import ENTRIES
from retriever.session import Session
from retriever.types import Attribution, Query, Ranking, Scores, Step, Unit
from weft.errors import WeftError


class Composed:
    """Expands a question, ranks by what it became, and puts the first hits into another order.

    Signals and reasons are the ranker's.
    """

    def __init__(self, ranker: Ranker, expansion: Expansion | None = None, reranker: Reranker | None = None) -> None:
        self.ranker = ranker
        self.expansion = expansion
        self.reranker = reranker

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know of the ranker."""
        return self.ranker.warnings

    def learned(self, path: Path, questions: Sequence[str]) -> dict[str, int]:
        """Return how many questions each part of the ranker was trained on."""
        return self.ranker.learned(path, questions)

    def rank(self, session: Session, query: Query, k: int) -> Ranking:
        """Return at most k hits; the reranker sees its `depth` whatever k, so that the order does not depend on it."""
        query = self.expanded(session, query)
        if self.reranker is None:
            return self.ranker.rank(session, query, k)
        found = self.ranker.rank(session, query, max(k, self.reranker.depth))
        head, rest = found.head(self.reranker.depth), found.taken(slice(self.reranker.depth, None))
        timer = session.trace.timer()
        head = self.reranker.rerank(session, query, head)
        session.trace.add(Step("rerank", timer.seconds(), detail={"hits": len(head.ids)}))
        return joined(head, rest).head(k)

    def doubt(self, session: Session, query: Query) -> str | None:
        """Return what the ranker doubts."""
        return self.ranker.doubt(session, self.expanded(session, query))

    def expanded(self, session: Session, query: Query) -> Query:
        """Return what is looked for; an expansion changes the words and the vectors alone, once a session."""
        if self.expansion is None:
            return query
        return session.memo.of("expansion", (id(self), query.key), lambda: self._expand(session, query), (self, query))

    def _expand(self, session: Session, query: Query) -> Query:
        if self.expansion is None:
            return query
        timer = session.trace.timer()
        found = self.expansion.expand(session, query)
        detail = {"searched": found.searched, "vectors": len(found.vectors)}
        session.trace.add(Step("expansion", timer.seconds(), detail=detail))
        return query._replace(searched=found.searched, vectors=found.vectors)

    def signals(self, session: Session, query: Query, found: Ranking) -> Mapping[str, Scores]:
        """Return the ranker's raw scores."""
        return self.ranker.signals(session, self.expanded(session, query), found)

    def reasons(self, session: Session, query: Query, found: Ranking) -> list[tuple[Attribution, ...]]:
        """Return the ranker's reasons."""
        return self.ranker.reasons(session, self.expanded(session, query), found)


def joined(head: Ranking, rest: Ranking) -> Ranking:
    """Return one ranking behind another, both by the same method."""
    return head._replace(
        ids=np.concatenate([head.ids, rest.ids]),
        scores=np.concatenate([head.scores, rest.scores]),
        features=np.concatenate([head.features, rest.features]),
        groups=np.concatenate([head.groups, rest.groups]),
    )


def signal_of(part: Part, unit: Unit) -> Signal:
    """Return the signal that a part of a method names; raise WeftError for an option that it does not have."""
    entry = ENTRIES[part.name]
    signal: Signal = entry.made(unit, **take_options(part, entry.options))
    return signal


def ranker_of(session: Session, part: Part, unit: Unit) -> Ranker:
    """Return the ranker that a part of a method names; raise WeftError for an option that it does not have."""
    entry = ENTRIES[part.name]
    if unit not in entry.units:
        raise WeftError(f"{part}: ranks entities; give --unit entity, or rank chunks by vector")
    if entry.kind == "signal":
        return SignalRanker(signal_of(part, unit), unit)
    ranker: Ranker = entry.made(session, unit, **take_options(part, entry.options))
    return ranker


def composed(session: Session, method: Method, unit: Unit) -> Ranker:
    """Return what ranks by a method; raise WeftError for an option that a part of it does not have."""
    ranker = ranker_of(session, method.ranker, unit)
    if method.expansion is None and method.reranker is None:
        return ranker
    expansion = None if method.expansion is None else _made(method.expansion, session, unit, ranker)
    reranker = None if method.reranker is None else _made(method.reranker, session, unit)
    return Composed(ranker, expansion, reranker)


def _made(part: Part, *given: object) -> Any:
    entry = ENTRIES[part.name]
    return entry.made(*given, **take_options(part, entry.options))
