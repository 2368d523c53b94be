"""From entities to chunks and back: the only place where one unit becomes the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retriever.index.csr import slices
from retriever.index.ties import in_order
from retriever.session import Session
from retriever.types import Ids, Ranking, Scores, Unit
from weft.arrays.blobs import ranges

Owners = NDArray[np.int64]


def citing(session: Session, entities: Ids) -> tuple[NDArray[np.int64], Owners]:
    """Return the indices (m,) into the chunk table of the chunks that cite entities, and which of these each cites."""
    graph = session.adjacency
    where, owners = slices(graph.cited_in, np.searchsorted(graph.entity_ids, entities))
    return graph.cited_in.indices[where].astype(np.int64), owners


def on_own_pages(session: Session, entities: Ids) -> tuple[Ids, Owners]:
    """Return the chunks (m,) of entities' own pages, entity by entity in reading order, and whose each is."""
    chunk_table = session.chunk_table
    order, starts = session.chunks_by_page
    pages = chunk_table.pages_of(entities)
    have = np.flatnonzero(pages)
    indices = np.searchsorted(chunk_table.page_ids, pages[have])
    counts = starts[indices + 1] - starts[indices]
    return chunk_table.chunk_ids[order[ranges(starts[indices], counts)]], np.repeat(have, counts)


def cited(session: Session, chunks: Ids) -> tuple[Ids, Owners]:
    """Return the entities (m,) that chunks cite, and which of these cites each."""
    graph = session.adjacency
    where, owners = slices(graph.cites, np.searchsorted(graph.chunk_ids, chunks))
    return graph.entity_ids[graph.cites.indices[where]], owners


def highest_of(owners: Owners, scores: Scores, n: int) -> Scores:
    """Return the highest score (n,) of what each owner has, 0 where it has nothing."""
    found = np.full(n, -np.inf, np.float32)
    np.maximum.at(found, owners, scores)
    return np.where(np.isneginf(found), 0, found).astype(np.float32)


def lift(session: Session, found: Ranking, unit: Unit, allowed: Ids | None = None) -> Ranking:
    """Return a ranking of the other unit: each takes the place of the first hit that it belongs to, ties by uri.

    A chunk and an entity belong to each other where the chunk cites the entity
    or stands on its page. Only `allowed` ones (sorted) are ranked, where that is
    given. O(n log n) in what belongs to the hits.
    """
    if found.unit == unit:
        return found if allowed is None else found.taken(np.flatnonzero(np.isin(found.ids, allowed)))
    ids, owners = _of_entities(session, found.ids) if unit == "chunk" else _of_chunks(session, found.ids)
    distinct, back = np.unique(ids, return_inverse=True)
    first = np.full(len(distinct), len(found.ids), np.int64)
    np.minimum.at(first, back, owners)
    if allowed is not None:
        kept = np.isin(distinct, allowed)
        distinct, first = distinct[kept], first[kept]
    order = in_order(session, unit, distinct, -first.astype(np.float32))
    return found.taken(first[order])._replace(unit=unit, ids=distinct[order])


def _of_entities(session: Session, entities: Ids) -> tuple[Ids, Owners]:
    chunk_table = session.chunk_table
    indices, owners = citing(session, entities)
    chunks, own = on_own_pages(session, entities)
    return np.append(chunk_table.chunk_ids[indices], chunks), np.append(owners, own)


def _of_chunks(session: Session, chunks: Ids) -> tuple[Ids, Owners]:
    chunk_table = session.chunk_table
    entities, owners = cited(session, chunks)
    own = chunk_table.entities_of(chunk_table.pages[chunk_table.indices(chunks)])
    return np.concatenate([entities, own]), np.concatenate([owners, np.arange(len(chunks))])
