"""From what a path selection chose to chunks (thesis, section 3.3: Chunk Selection)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retriever.index.csr import distinct
from retriever.index.hierarchy import held_by_sections
from retriever.index.lift import citing
from retriever.index.ties import first
from retriever.index.vectors import scores_of, similarity
from retriever.session import Session
from retriever.signals.path.catalogue import Choice
from retriever.types import Ids, Query


def chunks_of(session: Session, query: Query, choice: Choice, single: bool = False) -> Ids:
    """Return the chunks of a choice that may be ranked, sorted.

    Of a section or page, those that stand directly in it. With `single` a path
    gives only its most similar chunk where all of its entities are met.
    """
    if choice.kind == "path":
        return _chunks_of_path(session, query, choice, single)
    container = choice.container if choice.kind == "section" else -choice.container
    chunks = held_by_sections(session, None).of(np.array([container]))
    return chunks if query.allowed is None else np.intersect1d(chunks, query.allowed, assume_unique=True)


def _chunks_of_path(session: Session, query: Query, path: Choice, single: bool) -> Ids:
    """Return the chunks that meet most of a path's entities.

    They cite all of them; where none does, they stand on the page of one and
    cite all others; else they cite two of more than two; else one.
    """
    ids, n = session.chunk_table.chunk_ids, len(path.entities)
    indices, owners = _citing(session, query, path.entities)
    chunks, times = np.unique(indices, return_counts=True)
    matched = chunks[times == n]
    if not len(matched):
        matched = _on_own_page(session, path.entities, indices, owners)
    if len(matched):
        return _most_similar(session, query, ids[matched]) if single else ids[matched]
    twice = chunks[times >= 2] if n > 2 else chunks[:0]
    return ids[twice] if len(twice) else ids[chunks]


def _citing(
    session: Session, query: Query, entities: tuple[int, ...]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the indices of chunks that cite entities, once for each that they cite, and its number."""
    indices, owners = citing(session, np.array(entities, np.int64))
    if query.allowed is None or query.unit == "entity":
        return indices, owners
    kept = np.isin(session.chunk_table.chunk_ids[indices], query.allowed)
    return indices[kept], owners[kept]


def _on_own_page(
    session: Session, entities: tuple[int, ...], indices: NDArray[np.int64], owners: NDArray[np.int64]
) -> NDArray[np.int64]:
    found = [np.empty(0, np.int64)]
    for number, page in enumerate(session.chunk_table.pages_of(np.array(entities)).tolist()):
        if page:
            chunks, times = np.unique(indices[owners != number], return_counts=True)
            found.append(chunks[(times == len(entities) - 1) & (session.chunk_table.pages[chunks] == page)])
    return distinct(np.concatenate(found))


def _most_similar(session: Session, query: Query, chunks: Ids) -> Ids:
    return first(session, "chunk", (chunks, scores_of(similarity(session, "chunk"), query.vectors, chunks)), 1)[0]
