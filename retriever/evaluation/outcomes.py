"""Outcomes: everything that each method returned for each judged question."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.datasets.gold import GoldResolver, GoldSet
from retriever.datasets.question_files import Question
from retriever.datasets.trec import UNKNOWN, Run, item_name, run_ranking
from retriever.evaluation.measures import judge
from retriever.types import Ranking, Unit
from weft.skb import Skb

DEPTH = 100
"""Rankings are cut here, or at the largest k asked for, for MRR, MAP and exported runs."""

POOL = 400
"""So many hits are asked for, or the largest k: a method returns its whole pool, which is the ceiling of recall."""

Rank = Callable[[str, int], Ranking]
"""Ranks units for a question's text: at most k hits, best first."""


class Case(NamedTuple):
    """A judged question with what finds each of its gold items."""

    question: Question
    gold: GoldSet


class Outcome(NamedTuple):
    """What one method returned for one question, best first.

    `taken` tells for each hit the gold item that it takes, or -1; `names` are
    the hits' uris. `features` (n, s) are named by `columns`. `seconds` is None for
    a ranking that was read.
    """

    ids: NDArray[np.int64]
    names: tuple[str, ...]
    taken: tuple[int, ...]
    features: NDArray[np.float32]
    columns: tuple[str, ...]
    seconds: float | None

    @property
    def n_unknown(self) -> int:
        """The number of hits of a run that name nothing in the SKB."""
        return int((self.ids <= UNKNOWN).sum())

    def rank(self, item: int) -> int | None:
        """Return the rank of the hit that takes a gold item, None where nothing does."""
        return self.taken.index(item) + 1 if item in self.taken else None

    def proposers(self, rank: int) -> tuple[str, ...]:
        """Return the signals that proposed the hit at a rank, by the columns `proposed_SIGNAL`."""
        row = self.features[rank - 1]
        marks = ((name, row[index]) for index, name in enumerate(self.columns) if name.startswith("proposed_"))
        return tuple(name.removeprefix("proposed_") for name, mark in marks if mark > 0)

    def pool_rank(self, rank: int) -> int:
        """Return the best rank in the pool that the scores of a proposer give the hit at a rank.

        A signal's scores are the column of its own name. Where the method tells
        no proposers or no scores of theirs, the pool is in the order of the ranking.
        """
        columns = [self.columns.index(name) for name in self.proposers(rank) if name in self.columns]
        scores = self.features[:, columns]
        return int(1 + (scores > scores[rank - 1]).sum(0).min()) if columns else rank


class Assessment(NamedTuple):
    """The outcomes of methods, by name, on the questions of a file that have gold."""

    unit: Unit
    ks: tuple[int, ...]
    questions: tuple[Question, ...]
    cases: tuple[Case, ...]
    outcomes: dict[str, tuple[Outcome, ...]]

    @property
    def depth(self) -> int:
        """The rank where rankings are cut."""
        return max(DEPTH, *self.ks)


def assess(
    skb: Skb,
    questions: Sequence[Question],
    methods: Mapping[str, Rank],
    ks: Sequence[int],
    unit: Unit,
    runs: Mapping[str, Run] | None = None,
    advance: Callable[[int], None] = lambda n: None,
) -> Assessment:
    """Ask every method every question that has gold, and judge what it and the given runs return."""
    resolver = GoldResolver(skb, unit)
    cases = tuple(Case(question, resolver.gold_set(question)) for question in questions if question.gold)
    outcomes: dict[str, tuple[Outcome, ...]] = {}
    for name, rank in methods.items():
        found = []
        for case in cases:
            found.append(_ask(skb, rank, case, max(POOL, *ks)))
            advance(1)
        outcomes[name] = tuple(found)
    for name, run in (runs or {}).items():
        outcomes[name] = tuple(_read(skb, run, case, unit) for case in cases)
    return Assessment(unit, tuple(ks), tuple(questions), cases, outcomes)


def _ask(skb: Skb, rank: Rank, case: Case, k: int) -> Outcome:
    start = time.perf_counter()
    found = rank(case.question.question, k)
    seconds = time.perf_counter() - start
    hits = found.ids.tolist()
    taken = judge(hits, case.gold).taken
    return Outcome(found.ids, tuple(skb.uris(found.unit, hits)), taken, found.features, found.columns, seconds)


def _read(skb: Skb, run: Run, case: Case, unit: Unit) -> Outcome:
    """Judge an outsider's ranking, in which `gold:N` stands for whatever takes the Nth gold item."""
    names = run.rankings.get(case.question.id, ())
    own = {item_name(item): -1 - item for item in range(len(case.gold.items))}
    ids = run_ranking(skb, unit, names, own)
    gold = GoldSet(tuple(found | {-1 - item} for item, found in enumerate(case.gold.items)))
    taken = judge(ids, gold).taken
    none = np.empty((len(ids), 0), np.float32)
    return Outcome(np.array(ids, np.int64), names, taken, none, (), None)
