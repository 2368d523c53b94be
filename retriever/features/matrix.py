"""Features: a row for every candidate, complete, whoever proposed it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.candidates.link_expansion import Hops, LinkExpansion
from retriever.candidates.pool import BESIDE, Pool, pool_of, seen_by
from retriever.features.columns import DECLARED, FIRST_PASS, SECOND_PASS, computed
from retriever.features.first_pass import FirstPass
from retriever.features.joint import JointCoverage
from retriever.features.ranks import ranks_of
from retriever.features.second_pass import SecondPass
from retriever.index.vectors import begin
from retriever.learning.standardise import within_questions
from retriever.protocols import Signal
from retriever.registry import ENTRIES, fused
from retriever.session import Session
from retriever.signals.seeds import text_hits
from retriever.types import Query, Scores

SIGNALS = tuple(fused())
RANKED = tuple(name for name, how in fused().items() if how.ranked)
PROPOSERS = (*SIGNALS, *BESIDE)
INPUTS = (*SIGNALS, *(f"rank_{name}" for name in RANKED), *(column.name for column in FIRST_PASS))
"""Columns that are known before anything is ranked and that a fusion reads."""

FIRST = (*INPUTS, *(f"proposed_{name}" for name in PROPOSERS))
"""The same, and who proposed a candidate: kept for explanations; a fusion that reads it serves other corpora worse."""

SECOND = tuple(column.name for column in SECOND_PASS)
"""Columns that follow from a first ranking: what its best hits lead to, and what they leave open."""

COLUMNS = INPUTS + SECOND
STANDARDISED = {column.name for column in DECLARED if column.standardised} | set(SIGNALS) - {"path"}
BINARY = set(FIRST + SECOND) - STANDARDISED
"""Columns that are not standardised: shares, yes or no, reciprocal ranks."""

RISING = frozenset(SIGNALS) | {f"rank_{name}" for name in RANKED} | {each.name for each in DECLARED if each.rising}
"""Columns of which more never makes a fusion rank a candidate lower: signals, the first pass, and ranks by any of them.

Others may count against one: a page that the question names is seldom the one that a second hop leads to.
"""

EMBEDDED = frozenset(FIRST) & frozenset(
    [f"{kind}{name}" for kind in ("", "rank_", "proposed_") for name, how in fused().items() if how.embedded]
    + [column.name for column in FIRST_PASS if column.embedded]
)
"""Columns that depend on the embedder."""


class Candidates(NamedTuple):
    """A question's candidates with their raw features (n, len(FIRST)), and what they say together."""

    query: Query
    pool: Pool
    hops: Hops
    raw: NDArray[np.float32]
    joint: JointCoverage


def signals_of() -> tuple[Signal, ...]:
    """Return the signals that are fused, over chunks."""
    return tuple(ENTRIES[name].made("chunk") for name in SIGNALS)


class FeatureMatrix:
    """Computes the features of a question's candidates among the chunks."""

    def __init__(self) -> None:
        self.signals = signals_of()

    def propose(self, session: Session, query: Query) -> Candidates:
        """Return what is proposed before anything is ranked, with its features."""
        if query.allowed is None:
            own = query.question.vectors
            begin(session, {"chunk": own.joined(query.vectors), "label": own, "section": own})
        hops = LinkExpansion(session).hops(query.question, *text_hits(session, query.plain))
        return self.of(session, query, pool_of(session, query, self.signals, hops), hops)

    def of(self, session: Session, query: Query, pool: Pool, hops: Hops) -> Candidates:
        """Return the features of all candidates of a pool."""
        scores = {signal.name: signal.score(session, seen_by(signal, query), pool.ids) for signal in self.signals}
        scores["graph"] = np.log(scores["graph"] + np.float32(1e-6))
        columns: list[NDArray[Any]] = [scores[name] for name in SIGNALS]
        columns += [1 / (1 + ranks_of(scores[name])) for name in RANKED]
        first = FirstPass(session, query.question, pool.ids, hops)
        columns += [computed(FIRST_PASS, first), pool.proposed]
        return Candidates(query, pool, hops, np.column_stack(columns).astype(np.float32), first.joint)

    def second(self, session: Session, candidates: Candidates, log_odds: Scores) -> NDArray[np.float32]:
        """Return the columns (n, len(SECOND)) that follow from a first ranking by log-odds."""
        question, ids = candidates.query.question, candidates.pool.ids
        return computed(SECOND_PASS, SecondPass(session, question, ids, log_odds, candidates.joint))


def standardised(candidates: Candidates, second: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
    """Return the features (n, len(INPUTS)), or with SECOND, as a fusion reads them: standardised in the question."""
    raw = candidates.raw[:, : len(INPUTS)]
    raw = raw if second is None else np.hstack([raw, second])
    return within_questions(raw, COLUMNS[: raw.shape[1]], BINARY)
