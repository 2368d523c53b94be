"""Pools of some proposers alone, widened or not, and how a fusion ranks them."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from retriever.candidates.link_expansion import Hops, LinkExpansion
from retriever.candidates.pool import MOST, Pool, pool_of
from retriever.features.matrix import FIRST, PROPOSERS, SIGNALS, Candidates, FeatureMatrix, standardised
from retriever.features.second_pass import BEST
from retriever.fusion.two_stage import TwoStage
from retriever.index.ties import in_order
from retriever.index.vectors import begin
from retriever.learning.log_odds import probability
from retriever.session import Session
from retriever.signals.seeds import text_hits
from retriever.types import Ids, Query, Scores

FEATURES = FeatureMatrix()
THREE = ("bm25", "vector", "graph")
LINKS = ("named", "linked", "from_hits", "second_hop")
"""Proposers by links; `cites_named` comes with `named`."""

FOLLOWED_PAGES, FOLLOWED_CHUNKS = 20, 4
"""So many pages that the best hits link to widen a pool, and so many chunks of each: as it was before its removal."""


class Choice(NamedTuple):
    """Which signals propose, which links do, and whether the first pass's best hits bring more."""

    signals: tuple[str, ...]
    links: tuple[str, ...] = ()
    widened: bool = False


CHOICES = {
    "all": Choice(SIGNALS, LINKS),
    "all, widened": Choice(SIGNALS, LINKS, widened=True),
    "no entity, path, second hop": Choice((*THREE, "page", "section"), ("named", "linked", "from_hits")),
    "three and signals": Choice(SIGNALS),
    "three and links": Choice(THREE, LINKS),
    "three, linked and hits": Choice(THREE, ("linked", "from_hits")),
    "three": Choice(THREE),
    "three, widened": Choice(THREE, widened=True),
}


def proposed(session: Session, query: Query, choice: Choice, most: int = MOST) -> tuple[Pool, Hops]:
    """Return the pool of a choice, a column for every proposer, and where the question leads."""
    own = query.vectors
    begin(session, {"chunk": own, "label": own, "section": own})
    hops = LinkExpansion(session).hops(query.question, *text_hits(session, query))
    signals = [signal for signal in FEATURES.signals if signal.name in choice.signals]
    pool = pool_of(session, query, signals, _followed(session, hops, choice.links), most)
    columns = np.zeros((len(pool.ids), len(PROPOSERS)), bool)
    columns[:, [PROPOSERS.index(name) for name in pool.proposers]] = pool.proposed
    return Pool(pool.ids, columns, PROPOSERS), hops


def _followed(session: Session, hops: Hops, links: Collection[str]) -> Hops:
    """Return the hops that some proposers follow."""
    named, linked, from_hits, second_hop = (name in links for name in LINKS)
    none = LinkExpansion(session).nowhere()
    return hops._replace(
        named=hops.named if named else {}, first=hops.first if linked else none.first,
        hits=hops.hits if from_hits else none.hits, second=hops.second if second_hop else none.second,
    )  # fmt: skip


def widened(session: Session, candidates: Candidates, log_odds: Scores) -> Candidates:
    """Return the candidates and what the best hits' links lead to, with the features of all."""
    query, pool, hops = candidates[:3]
    best = np.lexsort((pool.ids, -log_odds))[:BEST]
    onward = LinkExpansion(session).onward_from(query.question, pool.ids[best], probability(log_odds[best]))
    ranked = sorted(onward.items(), key=lambda item: (-item[1].weight * (0.1 + item[1].link.coverage), item[0]))
    chunks = [session.chunks_of_entity(entity)[:FOLLOWED_CHUNKS] for entity, _ in ranked[:FOLLOWED_PAGES]]
    new = np.setdiff1d(np.concatenate([np.empty(0, np.int64), *chunks]), pool.ids)
    if not len(new):
        return candidates
    columns = np.zeros((len(new), len(PROPOSERS)), bool)
    columns[:, PROPOSERS.index("from_hits")] = True
    ids, columns = np.append(pool.ids, new), np.vstack([pool.proposed, columns])
    order = np.argsort(ids)
    return FEATURES.of(session, query, Pool(ids[order], columns[order], PROPOSERS), hops)


def ranked(session: Session, candidates: Candidates, model: TwoStage, choice: Choice) -> Ids:
    """Return all candidates in the order of a fusion's second pass, as `hybrid` ranks them, widened where chosen."""
    if choice.widened:
        candidates = widened(session, candidates, model.first.score(standardised(candidates)))
    second = FEATURES.second(session, candidates, model.first.score(standardised(candidates)))
    scores, ids = model.score(standardised(candidates, second)), candidates.pool.ids
    return ids[in_order(session, "chunk", ids, scores, candidates.raw[:, FIRST.index("vector")])]
