"""Which entity each link and mention means in its chunk."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from builder.search_arrays.csr import Edges
from builder.search_arrays.row_batches import BATCH, column, indices
from weft.arrays.blobs import starts_of
from weft.text.names import UNSAFE, name_key, uri_part

Places = NDArray[np.int64]

KEYS = 900
"""Names asked for at once."""

URIS = "SELECT uri FROM entity ORDER BY id"
MEANINGS = "SELECT name_key, entity_id FROM alias WHERE name_key IN ({}) ORDER BY weight DESC, entity_id"


class LinkTargets:
    """Finds what links mean, among the entities that their chunks cite; memory holds 16 bytes an entity.

    Uris are compared by their hashes of 64 bits: two entities that one chunk
    cites would need to share one to be taken for each other.
    """

    def __init__(self, connection: sqlite3.Connection, cites: Edges) -> None:
        """Take the citations of all chunks, by places of chunks and entities in the order of their ids."""
        self._connection = connection
        self._ids = column(connection, "SELECT id FROM entity ORDER BY id")
        self._cites = cites
        self._starts = starts_of(cites.sizes)
        hashes = _uri_hashes(connection, len(self._ids))
        self._order = np.argsort(hashes)
        self._hashes = hashes[self._order]

    def entities(self, chunks: Places, targets: Sequence[str]) -> Places:
        """Return the place of the entity that each target (l,) means in its chunk, -1 where there is none.

        That is the entity which the chunk cites under this uri, else the
        likeliest of those of this name that it cites. Chunks are ascending places.
        """
        if not len(chunks) or not len(self._ids):
            return np.full(len(chunks), -1)
        pairs = self._pairs(int(chunks[0]), int(chunks[-1]))
        found = self._by_uri(targets)
        found[~_among(pairs, chunks << 32 | found)] = -1
        unknown = np.flatnonzero(found < 0).tolist()
        meanings = self._meanings({targets[index] for index in unknown})
        named = [index for index in unknown if targets[index] in meanings]
        cited = set(pairs.tolist()) if named else set()
        for index in named:
            chunk = int(chunks[index]) << 32
            found[index] = next((each for each in meanings[targets[index]] if chunk | each in cited), -1)
        return found

    def _pairs(self, first: int, last: int) -> Places:
        """Return the citations of some chunks as one number each, ascending."""
        chunks = np.repeat(np.arange(first, last + 1), self._cites.sizes[first : last + 1])
        return chunks << 32 | self._cites.columns[self._starts[first] : self._starts[last + 1]]

    def _by_uri(self, targets: Sequence[str]) -> Places:
        """Return the place of the entity whose uri each target gives; any place where there is none."""
        # A look at all at once, since hardly any has what must be encoded.
        uris = map(uri_part, targets) if UNSAFE.search(" ".join(targets)) else targets
        wanted = np.fromiter(map(hash, uris), np.int64, len(targets))
        at = np.searchsorted(self._hashes[:-1], wanted)
        return np.where(self._hashes[at] == wanted, self._order[at], 0)

    def _meanings(self, targets: Iterable[str]) -> dict[str, list[int]]:
        """Return the places of the entities of these names, the likeliest first, where there are any."""
        keys = {target: name_key(target) for target in targets}
        wanted = sorted(set(keys.values()))
        by_key: dict[str, list[int]] = {}
        for start in range(0, len(wanted), KEYS):
            some = wanted[start : start + KEYS]
            rows = self._connection.execute(MEANINGS.format(",".join("?" * len(some))), some).fetchall()
            places = indices(self._ids, np.array([entity for _, entity in rows], np.int64)).tolist()
            for (key, _), place in zip(rows, places, strict=True):
                by_key.setdefault(key, []).append(place)
        return {target: by_key[key] for target, key in keys.items() if key in by_key}


def _uri_hashes(connection: sqlite3.Connection, n: int) -> Places:
    hashes = np.empty(n, np.int64)
    cursor = connection.execute(URIS)
    for start in range(0, n, BATCH):
        rows = cursor.fetchmany(BATCH)
        hashes[start : start + len(rows)] = np.fromiter(map(hash, chain.from_iterable(rows)), np.int64, len(rows))
    return hashes


def _among(ascending: Places, wanted: Places) -> NDArray[np.bool_]:
    """Tell which of some numbers are among others."""
    if not len(ascending):
        return np.zeros(len(wanted), bool)
    found: NDArray[np.bool_] = ascending[np.searchsorted(ascending[:-1], wanted)] == wanted
    return found
