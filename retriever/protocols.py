"""What rows of vectors, signals, rankers, expansions and rerankers do. What a question needs is its session's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from retriever.encodings import Vectors
from retriever.session import Session
from retriever.types import Attribution, Evidence, Ids, Query, Ranking, Scores


class Pass(NamedTuple):
    """One vector's cosine with every row (n,), at most `error` from the true one when all of `running` are done."""

    scores: Scores
    running: Sequence[Future[None]]
    error: float = 0.0


class Rows(Protocol):
    """The rows (n,) of a vector space, as they are compared with vectors of the same embedder.

    `one_by_one` tells whether few rows are compared sooner than all, `least` from
    which cosine on a row may be near a vector at all.
    """

    one_by_one: bool
    least: float

    @property
    def matrix(self) -> NDArray[np.float32] | None:
        """The rows as one dense matrix (n, d), None where they are sparse."""

    def __len__(self) -> int:
        """Return the number of rows."""

    def compare(self, vectors: Vectors) -> list[Pass]:
        """Begin to compare each row with vectors, one at least; equal rows get the same bits wherever they stand.

        Passes may be estimates, if `some` is exact.
        """

    def some(self, indices: NDArray[np.int64], vectors: Vectors) -> NDArray[np.float32]:
        """Return the cosines (m, n) of vectors, one at least, with the rows at some indices."""

    def taken(self, indices: NDArray[np.int64]) -> Rows:
        """Return some of the rows."""

    def at(self, indices: NDArray[np.int64]) -> Vectors:
        """Return some of the rows as vectors."""


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

    def learned(self, path: Path, questions: Sequence[str]) -> dict[str, int]:
        """Return how many questions of a file each of its trained parts learned from, by what the part is called.

        Figures on these mean nothing.
        """

    def rank(self, session: Session, query: Query, k: int) -> Ranking:
        """Return at most k hits, best first, ties by uri; the order does not depend on k."""

    def doubt(self, session: Session, query: Query) -> str | None:
        """Return what to tell the user where probably no candidate answers, else None."""

    def signals(self, session: Session, query: Query, found: Ranking) -> Mapping[str, Scores]:
        """Return each hit's raw score (n,) under every signal that it ranks by, by the signal's name."""

    def reasons(self, session: Session, query: Query, found: Ranking) -> list[tuple[Attribution, ...]]:
        """Return for each hit what adds to its score, those that add most first, then what takes away.

        The hits are some of its own, in any order.
        """


class Undoubting:
    """What is the same for all rankers that never know whether anything answers."""

    def doubt(self, session: Session, query: Query) -> str | None:
        """Return nothing."""
        return None


class Untrained(Undoubting):
    """What is the same for all rankers that have nothing to warn of and learn nothing."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Nothing to warn of."""
        return ()

    def learned(self, path: Path, questions: Sequence[str]) -> dict[str, int]:
        """Return nothing."""
        return {}


class Expansion(Protocol):
    """Adds to a query what may help to find its answer; it is made for the ranker behind it."""

    def expand(self, session: Session, query: Query) -> Query:
        """Return the query with other `searched` words or more `vectors`, and nothing else changed."""


class Reranker(Protocol):
    """Puts the first `depth` hits of a ranking into another order."""

    depth: int

    def rerank(self, session: Session, query: Query, found: Ranking) -> Ranking:
        """Return the same hits, at most `depth`, reordered."""
