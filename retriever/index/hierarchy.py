"""What the signals that find chunks by their containers share: which container holds which chunks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.context import Context
from retriever.index.ties import in_order
from retriever.index.vectors import similarity
from retriever.types import Ids, Query, Scores


class Held(NamedTuple):
    """Chunks (n,) by their containers: those of `containers[i]` are `chunks[starts[i]:starts[i + 1]]`, sorted."""

    containers: Ids
    starts: NDArray[np.int64]
    chunks: Ids

    def of(self, containers: Ids) -> Ids:
        """Return the chunks of these containers, sorted; each must be one that holds some."""
        indices = np.searchsorted(self.containers, containers)
        found = [self.chunks[self.starts[index] : self.starts[index + 1]] for index in indices]
        return np.sort(np.concatenate([self.chunks[:0], *found]))


def held(containers: Ids, chunks: Ids) -> Held:
    """Return which container holds which of sorted chunks; O(n log n)."""
    order = np.argsort(containers, kind="stable")
    distinct, starts = np.unique(containers[order], return_index=True)
    return Held(distinct, np.append(starts, len(order)), chunks[order])


def held_by_pages(context: Context, allowed: Ids | None) -> Held:
    """Return the chunks of pages that may be ranked."""
    if allowed is None:
        return context.part("held by pages", lambda own: held(own.chunk_table.pages, own.chunk_table.chunk_ids))
    chunk_table = context.chunk_table
    indices = allowed_indices(context, allowed)
    return held(chunk_table.pages[indices], chunk_table.chunk_ids[indices])


def held_by_sections(context: Context, allowed: Ids | None) -> Held:
    """Return the chunks that stand directly in sections and, under its negative id, in a page's lead."""
    if allowed is None:
        return context.part("held by sections", lambda own: held(parents(own), own.chunk_table.chunk_ids))
    indices = allowed_indices(context, allowed)
    return held(parents(context)[indices], context.chunk_table.chunk_ids[indices])


def parents(context: Context) -> Ids:
    """Return what each chunk stands in directly: the id of its section, in a lead the negative id of its page."""
    chunk_table = context.chunk_table
    return np.where(chunk_table.sections == 0, -chunk_table.pages, chunk_table.sections)


def by_container(context: Context, query: Query, chunks: Ids, scores: Scores) -> Ids:
    """Return chunks by the score of their container, then by their own similarity, then by uri."""
    own = similarity(context, "chunk").of(query, chunks)
    return chunks[in_order(context, "chunk", chunks, scores, own)]


def allowed_indices(context: Context, allowed: Ids) -> NDArray[np.int64]:
    """Return the indices (m,) into the chunk table of those chunks that may be ranked, sorted."""
    return np.flatnonzero(np.isin(context.chunk_table.chunk_ids, allowed))
