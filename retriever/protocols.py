"""What the parts of a method do: signals, rankers, expansions, rerankers. What a question needs is its session's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from retriever.session import Session
from retriever.types import Attribution, Evidence, Ids, Query, Ranking, Scores


class Signal(Protocol):
    """One way to score the units of an SKB for a question."""

    name: str

    def propose(self, session: Session, query: Query, k: int) -> Ids:
        """Return the ids that score highest, best first, ties by uri, at most k where the signal ranks single units.

        None is outside `query.allowed`, where that is given.
        """

    def score(self, session: Session, query: Query, ids: Ids) -> Scores:
        """Return the true score (n,) of each id, whether it was proposed or not."""

    def evidence(self, session: Session, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return what makes the score, the strongest first."""


class Ranker(Protocol):
    """Ranks the units of an SKB for a question."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know of every ranking by it."""

    def n_learned(self, path: Path, questions: Sequence[str]) -> int:
        """Return how many questions of a file it was trained on; figures on these mean nothing."""

    def rank(self, session: Session, query: Query, k: int) -> Ranking:
        """Return at most k hits, best first, ties by uri; the order does not depend on k."""

    def signals(self, session: Session, query: Query, found: Ranking) -> Mapping[str, Scores]:
        """Return each hit's raw score (n,) under every signal that it ranks by, by the signal's name."""

    def reasons(self, session: Session, query: Query, found: Ranking) -> list[tuple[Attribution, ...]]:
        """Return for each hit what adds to its score, those that add most first, then what takes away.

        The hits are some of its own, in any order.
        """


class Untrained:
    """What is the same for all rankers that have nothing to warn of and learn nothing."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Nothing to warn of."""
        return ()

    def n_learned(self, path: Path, questions: Sequence[str]) -> int:
        """Return 0."""
        return 0


class Expansion(Protocol):
    """Adds to a query what may help to find its answer; it is made for the ranker behind it."""

    def expand(self, session: Session, query: Query) -> Query:
        """Return the query with other `searched` words or more `vectors`, and nothing else changed."""


class Reranker(Protocol):
    """Puts the first `depth` hits of a ranking into another order."""

    depth: int

    def rerank(self, session: Session, query: Query, found: Ranking) -> Ranking:
        """Return the same hits, at most `depth`, reordered."""
