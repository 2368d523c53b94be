"""How like a question every entity is: by its document, its page's passages or its name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retriever.encodings import Vectors
from retriever.index.vectors import Similarity, highest, known, similarity, space_of
from retriever.session import Session
from retriever.types import Scores

FILTERS = ("document", "name")
DOCS = ("lead", "chunks")


def likeness(session: Session, vectors: Vectors, by: str, docs: str) -> Scores:
    """Return the highest cosine (n,) of vectors with every entity of the graph, in the order of their ids.

    By the `name` it is that of the label. By the `document` it is that of the
    entity's document where these were embedded; else of the likest chunk of its
    page's lead and infobox, or with docs=chunks of the whole page, and of the
    label for what has no page. Each space is compared once a session.
    """
    if by == "name":
        return _of_space(session, "label", vectors)
    if docs == "lead" and len(space_of(session, "document").ids):
        return _of_space(session, "document", vectors)
    scores = _of_space(session, "label", vectors)
    places, of_pages = _of_pages(session, vectors, docs)
    scores[places] = of_pages
    return scores


def _of_space(session: Session, name: str, vectors: Vectors) -> Scores:
    space = similarity(session, name)
    scores = np.zeros(len(session.adjacency.entity_ids), np.float32)
    scores[np.searchsorted(session.adjacency.entity_ids, space.ids)] = _highest(space, vectors)
    return scores


def _highest(space: Similarity, vectors: Vectors) -> Scores:
    own = known(vectors)
    return highest(space.scores(own)) if len(own) else np.zeros(len(space.ids), np.float32)


def _of_pages(session: Session, vectors: Vectors, docs: str) -> tuple[NDArray[np.int64], Scores]:
    """Return the places of the entities of pages that have chunks, and the likeness of their likest chunk."""
    chunk_table = session.chunk_table
    order, starts = session.chunks_by_page
    of_chunks = np.zeros(len(chunk_table.chunk_ids), np.float32)
    space = similarity(session, "chunk")
    of_chunks[chunk_table.indices(space.ids)] = _highest(space, vectors)
    if docs == "lead":
        of_chunks = np.where(session.part("leads", leads), of_chunks, np.float32(-1))
    have = np.flatnonzero(np.diff(starts))
    scores = np.maximum.reduceat(of_chunks[order], starts[have]) if len(have) else np.empty(0, np.float32)
    places = np.searchsorted(session.adjacency.entity_ids, chunk_table.page_entities[have])
    return places, np.maximum(scores, 0)


def leads(session: Session) -> NDArray[np.bool_]:
    """Tell which chunks are the infobox of their page, or stand where its first other passage does."""
    chunk_table = session.chunk_table
    order, _ = session.chunks_by_page
    names = chunk_table.kind_names
    infobox = chunk_table.kinds == (names.index("infobox") if "infobox" in names else -1)
    texts = order[~infobox[order]]
    pages, first = np.unique(chunk_table.pages[texts], return_index=True)
    opening = np.zeros(len(chunk_table.page_ids), np.int64)
    opening[np.searchsorted(chunk_table.page_ids, pages)] = chunk_table.sections[texts[first]]
    own: NDArray[np.int64] = opening[np.searchsorted(chunk_table.page_ids, chunk_table.pages)]
    return np.asarray(infobox | (chunk_table.sections == own), np.bool_)
