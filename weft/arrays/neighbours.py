"""The neighbours of many entities at once, in an order in which the first of them may stand for all.

Names and uris are not read here but for the order, so an entity of 100,000
neighbours costs no more than their numbers.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weft.text.names import backward_words, relation_words

Ids = NDArray[np.int64]
Scores = Callable[[Ids], NDArray[np.float32]]
"""A score for each entity of some ids; the higher ones come first."""

FEW = 2000
"""So many entities are put in the order of their uris by reading these; for more, all uris are read once."""

RELATIONS = (
    "SELECT subject_id, 2 * type_id, object_id FROM relation WHERE subject_id IN (SELECT value FROM json_each(:ids))"
    " UNION ALL SELECT object_id, 2 * type_id + 1, subject_id FROM relation"
    " WHERE object_id IN (SELECT value FROM json_each(:ids))"
)


class Neighbours(NamedTuple):
    """Columns (n,): an entity, a number of `predicates`, and the entity's neighbour; sorted by the first."""

    owners: Ids
    predicates: Ids
    others: Ids

    def take(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> Neighbours:
        """Return some rows."""
        return Neighbours(*(column[rows] for column in self))

    def bounds(self, entities: Sequence[int]) -> list[tuple[int, int]]:
        """Return where each entity's rows begin and end."""
        begins, ends = (np.searchsorted(self.owners, entities, side).tolist() for side in ("left", "right"))
        return list(zip(begins, ends, strict=True))


class NeighbourReader:
    """Reads neighbours from an SKB; keeps the words of its relations, and where its uris were read their order."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.predicates: dict[int, str] = {}
        for identity, name in connection.execute("SELECT id, name FROM relation_type ORDER BY name"):
            self.predicates |= {2 * identity: relation_words(name), 2 * identity + 1: backward_words(name)}
        # A stable sort: those of the same words stay by name.
        by_words = sorted(self.predicates, key=self.predicates.__getitem__)
        self._rank_of = {predicate: rank for rank, predicate in enumerate(by_words)}
        self._uri_ranks: Ids | None = None

    def of(self, entities: Sequence[int], scores: Scores | None = None) -> Neighbours:
        """Return all neighbours of some entities, those of one by score, then uri; without scores in turns.

        In turns: the first neighbour by uri of every predicate, then the second of
        each, the predicates in the order of their words. One query.
        """
        flat = chain.from_iterable(self.connection.execute(RELATIONS, {"ids": json.dumps(list(entities))}))
        found = _once(Neighbours(*np.fromiter(flat, np.int64).reshape(-1, 3).T))
        distinct, back = np.unique(found.others, return_inverse=True)
        uri_ranks = self.uri_ranks(distinct)[back]
        names = np.fromiter(map(self._rank_of.__getitem__, found.predicates.tolist()), np.int64, len(found.owners))
        if scores is not None:
            return found.take(np.lexsort((names, uri_ranks, -scores(distinct)[back], found.owners)))
        order = np.lexsort((uri_ranks, names, found.owners))
        found, names = found.take(order), names[order]
        return found.take(np.lexsort((names, _turns(found.owners, names), found.owners)))

    def uri_ranks(self, ids: Ids) -> Ids:
        """Return numbers (n,) that stand in the order of the uris of n entities, whose ids are sorted."""
        if len(ids) > FEW and self._uri_ranks is None:
            by_uri = _column(self.connection.execute("SELECT id FROM entity ORDER BY uri"))
            self._uri_ranks = np.zeros(int(by_uri.max()) + 1, np.int64)
            self._uri_ranks[by_uri] = np.arange(len(by_uri))
        if self._uri_ranks is not None:
            return self._uri_ranks[ids]
        query = "SELECT id FROM entity WHERE id IN (SELECT value FROM json_each(?)) ORDER BY uri"
        return np.argsort(_column(self.connection.execute(query, (json.dumps(ids.tolist()),))))


def first_of_each(found: Neighbours, n: int) -> Neighbours:
    """Return the first n neighbours of every entity."""
    return found.take(np.arange(len(found.owners)) - np.searchsorted(found.owners, found.owners) < n)


def _once(found: Neighbours) -> Neighbours:
    """Return each neighbour and type once: backwards only where the file does not hold the relation forwards too."""
    types = found.predicates // 2
    found = found.take(np.lexsort((found.predicates, found.others, types, found.owners)))
    types = found.predicates // 2
    is_new = np.ones(len(types), np.bool_)
    is_new[1:] = (np.diff(found.owners) != 0) | (np.diff(types) != 0) | (np.diff(found.others) != 0)
    return found.take(is_new)


def _turns(owners: Ids, names: Ids) -> Ids:
    """Return the index (n,) of each row among those of its owner and name, which stand together."""
    begins = np.ones(len(owners), np.bool_)
    begins[1:] = (np.diff(owners) != 0) | (np.diff(names) != 0)
    index = np.arange(len(owners))
    turns: Ids = index - np.maximum.accumulate(np.where(begins, index, 0))
    return turns


def _column(rows: Iterable[tuple[int]]) -> Ids:
    return np.fromiter((value for (value,) in rows), np.int64)
