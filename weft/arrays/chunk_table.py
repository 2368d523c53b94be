"""The chunk table: each chunk's page, section, position and size, as arrays."""

from __future__ import annotations

import sqlite3
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weft.arrays.blobs import read_array


class ChunkTable(NamedTuple):
    """Arrays (n,) beside the sorted `chunk_ids`; `section_ids` is 0 in a lead.

    `kinds` are indices into `kind_names`; `lengths` are characters.
    `page_entities` are the entities of pages, beside the sorted `page_ids`;
    `by_entity` puts them into the order of the entities.
    """

    chunk_ids: NDArray[np.int64]
    pages: NDArray[np.int64]
    sections: NDArray[np.int64]
    positions: NDArray[np.int32]
    kinds: NDArray[np.int32]
    lengths: NDArray[np.int32]
    kind_names: tuple[str, ...]
    page_ids: NDArray[np.int64]
    page_entities: NDArray[np.int64]
    by_entity: NDArray[np.int64]

    def indices(self, chunks: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the indices (m,) of chunks (m,) into the arrays; every id must be a chunk's. O(m log n)."""
        return np.searchsorted(self.chunk_ids, chunks)

    def entities_of(self, pages: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the entity of each page."""
        return self.page_entities[np.searchsorted(self.page_ids, pages)]

    def pages_of(self, entities: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the page of each entity, 0 for one that has none."""
        if not len(self.page_entities):
            return np.zeros(len(entities), np.int64)
        indices = np.searchsorted(self.page_entities, entities, sorter=self.by_entity)
        pages = self.by_entity[np.minimum(indices, len(self.by_entity) - 1)]
        return np.where(self.page_entities[pages] == entities, self.page_ids[pages], 0)


def load_chunk_table(connection: sqlite3.Connection) -> ChunkTable:
    """Read the table of all chunks; 48 bytes a chunk."""
    read = partial(read_array, connection)
    page_ids, section_ids = read("page.id"), np.append(read("section.id"), 0)
    page_entities = read("entity.id")[read("page.entity")]
    return ChunkTable(
        read("chunk.id"),
        page_ids[read("chunk.page")],
        section_ids[read("chunk.section")],
        read("chunk.position"),
        read("chunk.kind"),
        read("chunk.length"),
        tuple(read("kind.text").tobytes().decode().split()),
        page_ids,
        page_entities,
        np.argsort(page_entities, kind="stable"),
    )
