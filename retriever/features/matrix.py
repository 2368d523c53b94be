"""Features: a row for every candidate, complete, whoever proposed it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.candidates.link_expansion import Hops, LinkExpansion
from retriever.candidates.pool import LINKED, Pool, pool_of, seen_by
from retriever.features.columns import COLUMNS as NON_SIGNAL
from retriever.features.columns import RAW, FeatureColumns, rank_within
from retriever.features.lexical import LexicalFeatures
from retriever.index.vectors import begin
from retriever.learning.log_odds import probability
from retriever.learning.standardise import within_questions
from retriever.protocols import Signal
from retriever.registry import ENTRIES, fused
from retriever.session import Session
from retriever.signals.seeds import text_hits
from retriever.types import Query, Scores

SIGNALS = tuple(fused())
RANKED = tuple(name for name, how in fused().items() if how.ranked)
PROPOSERS = (*SIGNALS, *LINKED)
INPUTS = (*SIGNALS, *(f"rank_{name}" for name in RANKED), *NON_SIGNAL, "distance")
"""Columns that are known before anything is ranked and that a fusion reads."""

FIRST = (*INPUTS, *(f"proposed_{name}" for name in PROPOSERS))
"""The same, and who proposed a candidate: kept for explanations; a fusion that reads it serves other corpora worse."""

SECOND = (
    "first", "rank_first", "in_page_first", "linked_from_best", "bridge_from_best", "share_from_best", "cites_best",
    "completes", "page_of_best",
)  # fmt: skip
"""Columns that follow from a first ranking: what its best hits lead to, and what they leave open."""

COLUMNS = INPUTS + SECOND
BINARY = RAW | set(FIRST + SECOND) - set(SIGNALS) - set(NON_SIGNAL) - {"first"} | {"path"}
"""Columns that are not standardised: shares, yes or no, reciprocal ranks."""

EMBEDDED = frozenset(FIRST) & frozenset(
    [f"{kind}{name}" for kind in ("", "rank_", "proposed_") for name, how in fused().items() if how.embedded]
    + ["vector_asked", "vector_asked_in_page", "vector_in_page"]
)
"""Columns that depend on the embedder."""

BEST = 5
"""So many hits of the first pass count as its best, whose links the second pass knows."""


class Candidates(NamedTuple):
    """A question's candidates with their raw features (n, len(FIRST))."""

    query: Query
    pool: Pool
    hops: Hops
    raw: NDArray[np.float32]


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
            begin(session, {"chunk": np.concatenate([own, query.vectors]), "label": own, "section": own})
        hops = LinkExpansion(session).hops(query.question, *text_hits(session, query.plain))
        return self.of(session, query, pool_of(session, query, self.signals, hops), hops)

    def of(self, session: Session, query: Query, pool: Pool, hops: Hops) -> Candidates:
        """Return the features of all candidates of a pool."""
        scores = {signal.name: signal.score(session, seen_by(signal, query), pool.ids) for signal in self.signals}
        scores["graph"] = np.log(scores["graph"] + np.float32(1e-6))
        computed = FeatureColumns(session).of(query.question, pool.ids, hops)
        ranks = [1 / (1 + ranks_of(scores[name])) for name in RANKED]
        columns: list[NDArray[Any]] = [scores[name] for name in SIGNALS]
        columns += [*ranks, computed, _distance(computed), pool.proposed]
        return Candidates(query, pool, hops, np.column_stack(columns).astype(np.float32))

    def second(self, session: Session, candidates: Candidates, log_odds: Scores) -> NDArray[np.float32]:
        """Return the columns (n, len(SECOND)) that follow from a first ranking by log-odds.

        The best hits' links are followed as those of the question's names were,
        and a candidate completes a hit as far as it says what the hit leaves open.
        """
        ids, question = candidates.pool.ids, candidates.query.question
        chance = probability(log_odds)
        best = np.lexsort((ids, -chance))[:BEST]
        links = LinkExpansion(session)
        hops = links.onward_from(question, ids[best], chance[best])
        followed = links.followed(ids, hops, links.owners(ids[best], chance[best]))
        chunk_table = session.chunk_table
        pages = chunk_table.pages[chunk_table.indices(ids)]
        of_best = pages == pages[best[0]] if len(best) else np.zeros(0, bool)
        of_best[best[:1]] = False
        completes = LexicalFeatures(session, question, ids).completing(best[:3], chance)
        columns = (log_odds, 1 / (1 + ranks_of(chance)), rank_within(pages, chance), *followed, completes, of_best)
        return np.column_stack(columns).astype(np.float32)


def ranks_of(scores: NDArray[np.floating]) -> NDArray[np.int64]:
    """Return each row's rank from 0, equal scores by index."""
    ranks = np.empty(len(scores), np.int64)
    ranks[np.argsort(-scores, kind="stable")] = np.arange(len(scores))
    return ranks


def _distance(computed: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return 1 for a page that is named, 1/2 one link away, 1/3 two, 1/4 beyond."""
    column = NON_SIGNAL.index
    steps = np.full(len(computed), 0.25, np.float32)
    steps[computed[:, column("second_hop")] > 0] = 1 / 3
    steps[(computed[:, column("linked")] > 0) | (computed[:, column("cites_named")] > 0)] = 0.5
    steps[computed[:, column("named")] > 0] = 1.0
    return steps


def standardised(candidates: Candidates, second: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
    """Return the features (n, len(INPUTS)), or with SECOND, as a fusion reads them: standardised in the question."""
    raw = candidates.raw[:, : len(INPUTS)]
    raw = raw if second is None else np.hstack([raw, second])
    return within_questions(raw, COLUMNS[: raw.shape[1]], BINARY)
