"""The types that every ranking goes through: tables of arrays, never lists of objects."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Unit = Literal["chunk", "entity"]
Ids = NDArray[np.int64]
Scores = NDArray[np.float32]
NO_VECTORS: NDArray[np.float32] = np.empty((0, 0), np.float32)
NO_DETAIL: Mapping[str, Any] = MappingProxyType({})


class QueryMention(NamedTuple):
    """Characters `start` to `end` of a question name one of `entities` (n,), each as likely as its weight says.

    `weights` (n,) are between 0 and 1, the likeliest first; `how` tells how the
    name was found: name, alias, redirect, short, fuzzy, ...
    """

    start: int
    end: int
    name: str
    entities: Ids
    weights: Scores
    how: str


class Query(NamedTuple):
    """A question as every method sees it.

    `vectors` (m, d) are unit rows of the embedder, the question's own first;
    an expansion may add more. `answer_type` is what the question word asks for
    (person, place, time, number, ...), None where it does not say. `asked` are
    the stems of the content words outside the mentions, in their order, and
    `vectors_asked` (1, d) the embedding of the question without its mentions.
    `allowed` holds the sorted ids that may be ranked, None for all.
    """

    text: str
    mentions: tuple[QueryMention, ...]
    vectors: NDArray[np.float32]
    answer_type: str | None
    unit: Unit
    asked: tuple[str, ...] = ()
    allowed: Ids | None = None
    vectors_asked: NDArray[np.float32] = NO_VECTORS


class Evidence(NamedTuple):
    """Why a signal scores a hit as it does: a `kind` (page, section, entity, path, relation, words, ...).

    `uri` names the thing, `text` says in a few words what it is, and `mention`
    is the part of the question that led to it, where one did.
    """

    signal: str
    kind: str
    uri: str
    text: str
    score: float
    mention: str | None = None


class Ranking(NamedTuple):
    """Hits from best to worst: `ids` (n,) of `unit`, `scores` (n,), `features` (n, s) named by `columns`.

    `groups` (n,) tells which hits were found together; hits of an earlier group
    come before those of a later one.
    """

    unit: Unit
    ids: Ids
    scores: Scores
    features: NDArray[np.float32]
    columns: tuple[str, ...]
    groups: NDArray[np.int32]

    def head(self, k: int) -> Ranking:
        """Return the first k hits."""
        return self._replace(
            ids=self.ids[:k], scores=self.scores[:k], features=self.features[:k], groups=self.groups[:k]
        )


class Step(NamedTuple):
    """One thing that was done for a question; `stand_in` names what did it where a language model could have.

    `seconds` are its own, those of the steps within it left out, so that the steps of a question add up.
    """

    name: str
    seconds: float
    tokens: int = 0
    stand_in: str | None = None
    warnings: tuple[str, ...] = ()
    detail: Mapping[str, Any] = NO_DETAIL


class Trace:
    """A flat list of the steps that answered one question; `clock` returns seconds."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.steps: list[Step] = []
        self.clock = clock

    def timer(self) -> Timer:
        """Start the time of a step."""
        return Timer(self)

    def add(self, step: Step) -> None:
        """Append a step."""
        self.steps.append(step)


class Timer:
    """The time since it was made, without that of the steps added to the trace since then."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._before = len(trace.steps)
        self._start = trace.clock()

    def seconds(self) -> float:
        """Return the seconds so far, never below 0."""
        within = sum(step.seconds for step in self._trace.steps[self._before :])
        return max(0.0, self._trace.clock() - self._start - within)


class Signal(Protocol):
    """One way to score the units of an SKB for a question."""

    name: str

    def propose(self, query: Query, k: int) -> Ids:
        """Return the ids that score highest, best first, ties by uri, at most k where the signal ranks single units.

        None is outside `query.allowed`, where that is given.
        """

    def score(self, query: Query, ids: Ids) -> Scores:
        """Return the true score (n,) of each id, whether it was proposed or not."""

    def evidence(self, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return what makes the score, the strongest first."""


class Ranker(Protocol):
    """Ranks the units of one SKB for a question."""

    def __call__(self, query: Query, k: int) -> Ranking:
        """Return at most k hits, best first, ties by uri."""


class Reranker(Protocol):
    """Puts a ranking into another order."""

    def __call__(self, query: Query, found: Ranking) -> Ranking:
        """Return the same hits, reordered."""


class Expansion(Protocol):
    """Adds to a query what may help to find its answer."""

    def __call__(self, query: Query) -> Query:
        """Return the query with more text, vectors or mentions."""


def ranking(unit: Unit, ids: Ids, scores: Scores, column: str) -> Ranking:
    """Make the ranking of a single signal, in the order given."""
    scores = scores.astype(np.float32)
    return Ranking(unit, ids, scores, scores[:, None], (column,), np.zeros(len(ids), np.int32))
