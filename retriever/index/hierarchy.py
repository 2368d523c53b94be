"""What the signals that find chunks by their containers share: which container holds which chunks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.index.csr import are_in
from retriever.index.ties import in_order
from retriever.index.vectors import scores_of, similarity
from retriever.session import Session
from retriever.types import Ids, Query, Scores


class Held(NamedTuple):
    """Chunks (n,) by their containers: those of `containers[i]` are `chunks[starts[i]:starts[i + 1]]`, sorted."""

    containers: Ids
    starts: NDArray[np.int64]
    chunks: Ids

    def of(self, containers: Ids) -> Ids:
        """Return the chunks of these containers, sorted; none of one that is not known."""
        indices = np.searchsorted(self.containers, containers[are_in(containers, self.containers)])
        found = [self.chunks[self.starts[index] : self.starts[index + 1]] for index in indices]
        return np.sort(np.concatenate([self.chunks[:0], *found]))


def held(containers: Ids, chunks: Ids) -> Held:
    """Return which container holds which of sorted chunks; O(n log n)."""
    order = np.argsort(containers, kind="stable")
    distinct, starts = np.unique(containers[order], return_index=True)
    return Held(distinct, np.append(starts, len(order)), chunks[order])


def held_by_pages(session: Session, allowed: Ids | None) -> Held:
    """Return the chunks of pages that may be ranked."""
    chunk_table = session.chunk_table
    if allowed is None:
        return session.part("held by pages", lambda own: held(chunk_table.pages, chunk_table.chunk_ids))
    indices = allowed_indices(session, allowed)
    return session.of_allowed(
        "held by pages", allowed, lambda: held(chunk_table.pages[indices], chunk_table.chunk_ids[indices])
    )


def held_by_sections(session: Session, allowed: Ids | None) -> Held:
    """Return the chunks that stand directly in sections and, under its negative id, in a page's lead."""
    chunk_ids = session.chunk_table.chunk_ids
    if allowed is None:
        return session.part("held by sections", lambda own: held(parents(own), chunk_ids))
    indices = allowed_indices(session, allowed)
    return session.of_allowed(
        "held by sections", allowed, lambda: held(parents(session)[indices], chunk_ids[indices])
    )


def parents(session: Session) -> Ids:
    """Return what each chunk stands in directly: the id of its section, in a lead the negative id of its page."""
    chunk_table = session.chunk_table
    return np.where(chunk_table.sections == 0, -chunk_table.pages, chunk_table.sections)


def by_container(session: Session, query: Query, chunks: Ids, scores: Scores) -> Ids:
    """Return chunks by the score of their container, then by their own similarity, then by uri."""
    own = scores_of(similarity(session, "chunk"), query.vectors, chunks)
    return chunks[in_order(session, "chunk", chunks, scores, own)]


def allowed_indices(session: Session, allowed: Ids) -> NDArray[np.int64]:
    """Return the indices (m,) into the chunk table of those chunks that may be ranked, sorted."""
    return session.of_allowed(
        "allowed chunks", allowed, lambda: np.flatnonzero(np.isin(session.chunk_table.chunk_ids, allowed))
    )
