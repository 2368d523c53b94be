"""Candidates: what every signal proposes, where names and best hits lead, and what says identifiers as written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.candidates import verbatim
from retriever.candidates.link_expansion import Hops
from retriever.index.csr import distinct
from retriever.index.lift import citing, on_own_pages
from retriever.index.vectors import scores_of, similarity
from retriever.protocols import Signal
from retriever.registry import fused
from retriever.session import Session
from retriever.types import Ids, Query

MOST = 400
"""The most candidates of a question, which bounds its time; usual are 140 to 260 (docs/ablations.md)."""
DEEP, WIDE = 80, 40
"""How many single units, and how many of a container's, one proposer may bring: chosen by eye."""

FOLLOWED = (("named", 10, WIDE), ("linked", 40, 8), ("from_hits", 30, 4), ("second_hop", 15, 4))
"""Proposers beyond the signals: how many pages each brings, and how many chunks of a page; chosen by eye likewise."""


BESIDE = (*(name for name, _, _ in FOLLOWED), "cites_named", "verbatim")
"""The names of these, and of the last ones: chunks that cite what is named, and that say identifiers as written."""


class Pool(NamedTuple):
    """Candidates: sorted `ids` (n,), and which proposers brought each, (n, p) named by `proposers`."""

    ids: Ids
    proposed: NDArray[np.bool_]
    proposers: tuple[str, ...]


def pool_of(session: Session, query: Query, signals: Sequence[Signal], hops: Hops, most: int = MOST) -> Pool:
    """Return at most `most` candidates: each proposer's first, each one's second, and so on."""
    lists = [(signal.name, _proposed(session, query, signal)) for signal in signals]
    lists += [(name, _of_pages(session, query.plain, hops, name, n, each)) for name, n, each in FOLLOWED]
    lists += [("cites_named", _citing(session, query.plain, hops)), ("verbatim", verbatim.proposed(session, query))]
    if query.allowed is not None:
        lists = [(name, ids[np.isin(ids, query.allowed)]) for name, ids in lists]
    return _dealt([ids for _, ids in lists], tuple(name for name, _ in lists), most)


def seen_by(signal: Signal, query: Query) -> Query:
    """Return the query as one of several signals sees it: an expansion reaches some of them alone."""
    return query if fused()[signal.name].expanded else query.plain


def _proposed(session: Session, query: Query, signal: Signal) -> Ids:
    ids = signal.propose(session, seen_by(signal, query), DEEP)
    return ids[:WIDE] if fused()[signal.name].wide else ids[:DEEP]


def _dealt(lists: Sequence[Ids], proposers: tuple[str, ...], most: int) -> Pool:
    """Return the first `most` ids, taken in turns from the lists."""
    sizes = [len(ids) for ids in lists]
    ids, columns = np.concatenate([np.empty(0, np.int64), *lists]), np.repeat(np.arange(len(lists)), sizes)
    turns = np.concatenate([np.empty(0, np.int64), *map(np.arange, sizes)])
    order = np.lexsort((columns, turns))
    dealt, first = np.unique(ids[order], return_index=True)
    if len(dealt) > most:
        dealt = dealt[np.sort(np.argsort(first)[:most])]
    rows = np.minimum(np.searchsorted(dealt, ids), max(0, len(dealt) - 1))
    proposed = np.zeros((len(dealt), len(lists)), bool)
    kept = dealt[rows] == ids if len(dealt) else np.zeros(0, bool)
    proposed[rows[kept], columns[kept]] = True
    return Pool(dealt, proposed, proposers)


def _of_pages(session: Session, query: Query, hops: Hops, name: str, n: int, each: int) -> Ids:
    if name == "named":
        entities = sorted(hops.named, key=lambda entity: (-hops.named[entity], entity))
    else:
        entities = {"linked": hops.first, "from_hits": hops.hits, "second_hop": hops.second}[name].best_first().tolist()
    chunks, pages = on_own_pages(session, np.array(entities[:n], np.int64))
    scores = scores_of(similarity(session, "chunk"), query.vectors, chunks)
    # Pages stay in their order, each as long as it was.
    order = np.lexsort((chunks, -scores, pages))
    return chunks[order[np.arange(len(pages)) - np.searchsorted(pages, pages) < each]]


def _citing(session: Session, query: Query, hops: Hops) -> Ids:
    named = sorted(hops.named, key=lambda entity: (-hops.named[entity], entity))[:10]
    indices, _ = citing(session, np.array(named, np.int64))
    return _nearest(session, query, session.chunk_table.chunk_ids[distinct(indices)], WIDE)


def _nearest(session: Session, query: Query, chunks: Ids, n: int) -> Ids:
    """Return the n chunks most similar to the question, in that order; all in their order where n would not cut."""
    if len(chunks) <= 1:
        return chunks
    scores = scores_of(similarity(session, "chunk"), query.vectors, chunks)
    return chunks[np.lexsort((chunks, -scores))[:n]]
