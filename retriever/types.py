"""The types that every ranking goes through: tables of arrays, never lists of objects."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.encodings import NO_VECTORS, Vectors

Unit = Literal["chunk", "entity"]
Ids = NDArray[np.int64]
Scores = NDArray[np.float32]
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


class Question(NamedTuple):
    """What was asked, which no step changes.

    `answer_type` is what the question word asks for (person, place, time,
    number, ...), None where it does not say; it is no node's type. `asked` are the
    stems of the content words outside the mentions that are surely names, in
    their order. `vectors` (1,) is the embedding of the text, `vectors_asked` (1,)
    that of the text without these mentions; both are empty where nothing compares vectors.
    """

    text: str
    mentions: tuple[QueryMention, ...] = ()
    answer_type: str | None = None
    asked: tuple[str, ...] = ()
    vectors: Vectors = NO_VECTORS
    vectors_asked: Vectors = NO_VECTORS

    @property
    def key(self) -> Hashable:
        """All that it says, as a key."""
        mentions = tuple((*each[:3], each.entities.tobytes(), each.weights.tobytes()) for each in self.mentions)
        vectors = *self.vectors.row_keys(), *self.vectors_asked.row_keys()
        return self.text, mentions, self.answer_type, self.asked, vectors


class Query(NamedTuple):
    """What is looked for to answer a question.

    `searched` is the text whose words are searched for, `vectors` (m,) are
    unit rows of the embedder, first the question's own or what an expansion made of
    it: an expansion writes these two and nothing else. `allowed` holds the sorted ids that may be ranked, None
    for all; it is never written to.
    """

    question: Question
    searched: str
    vectors: Vectors
    unit: Unit
    allowed: Ids | None = None

    @property
    def plain(self) -> Query:
        """The query without what an expansion added."""
        return self._replace(searched=self.question.text, vectors=self.question.vectors)

    @property
    def key(self) -> Hashable:
        """All that it says, as a key that holds while it exists: `allowed` by its identity."""
        return self.question.key, self.searched, tuple(self.vectors.row_keys()), self.unit, id(self.allowed)


class Evidence(NamedTuple):
    """Why a signal scores a hit as it does: a `kind` (page, section, entity, path, relation, words, ...).

    `uri` names the thing, `text` says in a few words what it is, and `mention`
    is the part of the question that led to it, where one did. `steps` are the uris
    of a path and, between them, the types of relation as they are read; empty
    where there is no path.
    """

    signal: str
    kind: str
    uri: str
    text: str
    score: float
    mention: str | None = None
    steps: tuple[str, ...] = ()


class Attribution(NamedTuple):
    """What a signal or group of features adds to a score (below 0: takes away), and the evidence behind it."""

    name: str
    contribution: float
    evidence: tuple[Evidence, ...]


class Citation(NamedTuple):
    """A source of an answer: the uri of a chunk or entity, and the characters of its text that say it.

    `text` is that of an entity: the triples that hold, subject, relation and
    object, or its label; None for a chunk, which is looked up.
    """

    uri: str
    span: tuple[int, int]
    text: str | None = None


class Answer(NamedTuple):
    """An answer with its sources; None as `text` where there is none. `kind`: extracted, generated or nodes."""

    text: str | None
    kind: str
    citations: tuple[Citation, ...] = ()


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
        return self.taken(slice(k))

    def taken(self, rows: slice | NDArray[np.int64]) -> Ranking:
        """Return some of the hits, in the order given."""
        return self._replace(
            ids=self.ids[rows], scores=self.scores[rows], features=self.features[rows], groups=self.groups[rows]
        )


class Step(NamedTuple):
    """One thing that was done for a question; `stand_in` names what did it where a language model could have.

    `seconds` are its own, those of the steps within it left out, so that the steps of a question add up.
    `calls` counts what a chat model was asked, `cached` how many of these a cache answered.
    """

    name: str
    seconds: float
    calls: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
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


def ranking(unit: Unit, ids: Ids, scores: Scores, column: str) -> Ranking:
    """Make the ranking of a single signal, in the order given."""
    scores = scores.astype(np.float32)
    return Ranking(unit, ids, scores, scores[:, None], (column,), np.zeros(len(ids), np.int32))
