"""The chunk table: each chunk's page, section, position and size, as arrays."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Rows read at a time, so that few Python objects live at once.
BATCH = 65_536


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
    kinds: NDArray[np.int16]
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
    """Read the table of all chunks; 34 bytes a chunk."""
    kind_names = tuple(kind for (kind,) in connection.execute("SELECT DISTINCT kind FROM chunk ORDER BY kind"))
    number = {kind: index for index, kind in enumerate(kind_names)}
    rows = connection.execute(
        "SELECT id, page_id, ifnull(section_id, 0), position, kind, length(text) FROM chunk ORDER BY id"
    )
    batches = [np.empty((0, 6), np.int64)]
    while batch := rows.fetchmany(BATCH):
        batches.append(np.array([(*row[:4], number[row[4]], row[5]) for row in batch], np.int64))
    table = np.concatenate(batches)
    pages = np.array(
        connection.execute("SELECT page_id, id FROM entity WHERE page_id IS NOT NULL ORDER BY page_id").fetchall(),
        np.int64,
    ).reshape(-1, 2)
    return ChunkTable(
        table[:, 0].copy(),
        table[:, 1].copy(),
        table[:, 2].copy(),
        table[:, 3].astype(np.int32),
        table[:, 4].astype(np.int16),
        table[:, 5].astype(np.int32),
        kind_names,
        pages[:, 0].copy(),
        pages[:, 1].copy(),
        np.argsort(pages[:, 1], kind="stable"),
    )
