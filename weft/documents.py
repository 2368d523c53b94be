"""Node documents: any entity as a text, to embed, to search and to show to a language model.

A document has the entity's name with its types, a line for each attribute, its
text (all of a graph node's; of a page its opening without the infobox, whose
rows are attributes) and, where asked for, a line for each relation with the
names of the neighbours:

    Quillon Bridge (Bridge)
    Length: 212 m
    The Quillon Bridge joins the two halves of Tamsiderre.
    crosses: Veldra (river)
    is damaged of: Flood of 1229

Within a budget of tokens the relations get at least half of what the name
leaves, and so does what is the entity's own; of that, the attributes at least
half, and so does the text. What one does not need the other takes. Attributes
and text are cut at their end; of the neighbours the first stay, by the scores
that the caller gives, else one of each relation in turn, by uri.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple

from weft.arrays.neighbours import NeighbourReader, Neighbours, Scores, first_of_each
from weft.text.truncation import Count, count_words, cut_text, shared

DOCUMENTS = 2
"""A new number makes an update render, index and embed every document again."""

EMBEDDED_TOKENS = 256
"""The most words of a document that are embedded; the full-text index has no bound."""

BATCH = 1000
"""Documents rendered at a time."""

LISTED = "IN (SELECT value FROM json_each(?))"
HEADS = f"SELECT id, name, type, page_id FROM entity WHERE id {LISTED}"
TYPES = f"SELECT DISTINCT entity_id, type FROM entity_type WHERE entity_id {LISTED} ORDER BY 1, 2"
ATTRIBUTES = f"SELECT DISTINCT entity_id, key, value FROM attribute WHERE entity_id {LISTED} ORDER BY 1, 2, 3"
# The opening of a page: what stands in the section (none: the lead) of its first passage that is no infobox.
PASSAGES = (
    f"SELECT page_id, text FROM chunk WHERE page_id {LISTED} AND kind <> 'infobox' AND section_id IS"
    " (SELECT section_id FROM chunk AS first WHERE first.page_id = chunk.page_id AND kind <> 'infobox'"
    " ORDER BY position LIMIT 1) ORDER BY page_id, position"
)


class Document(NamedTuple):
    """An entity as a text; `is_cut`: its name, attributes or text are shortened."""

    entity_id: int
    text: str
    is_cut: bool
    neighbours_left_out: int


class _Line(NamedTuple):
    """A line, its tokens, and how many characters at its beginning say nothing without more: an attribute's key."""

    text: str
    tokens: int
    key: int = 0


class _Own(NamedTuple):
    """What a document holds without its relations; `passages` may end where no budget reaches."""

    head: str
    attributes: list[_Line]
    passages: list[_Line]


class _Related(NamedTuple):
    """Lines of relations, how many neighbours stand in them, and their tokens."""

    lines: list[str]
    taken: int
    tokens: int


Pairs = Sequence[tuple[int, int]]
"""Neighbours of one entity: the number of the predicate, and the neighbour."""


def document(connection: sqlite3.Connection, entity: int, *, relations: bool, budget: int | None = None) -> Document:
    """Return the document of one entity; KeyError for an id that is none."""
    return next(Documents(connection, relations=relations, budget=budget).of([entity]))


class Documents:
    """Renders the documents of an SKB's entities.

    `budget` is the most tokens of one document, None: no bound; `count` tells the
    tokens of a text. No name is read of the neighbours that no budget reaches.
    With `whole_text` relations get only what the rest leaves of a budget.
    """

    def __init__(
        self, connection: sqlite3.Connection, *, relations: bool, budget: int | None = None,
        count: Count = count_words, whole_text: bool = False,
    ) -> None:  # fmt: skip
        self.connection = connection
        self.budget = budget
        self.count = count
        self.whole_text = whole_text
        self._reader = NeighbourReader(connection) if relations else None

    def of(self, ids: Iterable[int], scores: Scores | None = None) -> Iterator[Document]:
        """Yield the documents of entities in the order of `ids`; KeyError for an id that is none.

        `scores` are asked for neighbours by their ids: the higher ones come first,
        equal ones by uri. A few queries for each `BATCH` of entities.
        """
        stream = iter(ids)
        while batch := list(islice(stream, BATCH)):
            own = self._own(batch)
            if self._reader is None:
                yield from (self._composed(each, own[each], (), {}, 0) for each in batch)
                continue
            every = self._reader.of(batch, scores)
            # A neighbour costs a token at least.
            known = every if self.budget is None else first_of_each(every, self.budget)
            names = self._names(known)
            for each, (start, end), (begin, stop) in zip(batch, known.bounds(batch), every.bounds(batch), strict=True):
                pairs = zip(known.predicates[start:end].tolist(), known.others[start:end].tolist(), strict=True)
                yield self._composed(each, own[each], list(pairs), names, stop - begin)

    def _own(self, batch: Sequence[int]) -> dict[int, _Own]:
        listed = (json.dumps(batch),)
        heads = self.connection.execute(HEADS, listed).fetchall()
        types: dict[int, list[str]] = {}
        for entity, name in self.connection.execute(TYPES, listed):
            types.setdefault(entity, []).append(name)
        attributes: dict[int, list[_Line]] = {}
        for (entity, key), rows in groupby(self.connection.execute(ATTRIBUTES, listed), key=itemgetter(0, 1)):
            line = f"{key}: {'; '.join(value for _, _, value in rows)}"
            attributes.setdefault(entity, []).append(_Line(line, self.count(line), len(key) + 1))
        passages = self._passages([page for *_, page in heads if page is not None])
        return {
            entity: _Own(_head(name, kind, types.get(entity, ())), attributes.get(entity, []), passages.get(page, []))
            for entity, name, kind, page in heads
        }

    def _passages(self, pages: Sequence[int]) -> dict[int | None, list[_Line]]:
        """Return the passages of each page that a budget may reach, so that memory does not grow with a page."""
        found: dict[int | None, list[_Line]] = {}
        for page, rows in groupby(self.connection.execute(PASSAGES, (json.dumps(pages),)), key=itemgetter(0)):
            lines: list[_Line] = []
            used = 0
            for _, text in rows:
                if self.budget is None or used <= self.budget:
                    lines.append(_Line(text, self.count(text)))
                    used += lines[-1].tokens
            found[page] = lines
        return found

    def _names(self, neighbours: Neighbours) -> dict[int, _Line]:
        rows = self.connection.execute(
            f"SELECT id, name FROM entity WHERE id {LISTED}", (json.dumps(sorted(set(neighbours.others.tolist()))),)
        )
        return {identity: _Line(name, max(1, self.count(f"{name}; "))) for identity, name in rows}

    def _composed(self, entity: int, own: _Own, pairs: Pairs, names: dict[int, _Line], n_neighbours: int) -> Document:
        head = own.head if self.budget is None else cut_text(own.head, self.budget, self.count)
        room = None if self.budget is None else self.budget - self.count(head)
        related = self._related(pairs, names, room)
        wanted = tuple(sum(line.tokens for line in lines) for lines in (own.attributes, own.passages))
        rooms = wanted
        if room is not None:
            room_own, room_related = shared(room, sum(wanted), related.tokens)
            if self.whole_text:
                room_own = min(room, sum(wanted))
                room_related = min(room - room_own, related.tokens)
            rooms = shared(room_own, *wanted)
            if room_related < related.tokens:
                related = self._related(pairs, names, room_related)
        attributes, passages = self._fitting(own.attributes, rooms[0]), self._fitting(own.passages, rooms[1])
        text = "\n".join([head, *attributes, *passages, *related.lines])
        return Document(entity, text, head != own.head or rooms != wanted, n_neighbours - related.taken)

    def _fitting(self, lines: Sequence[_Line], room: int) -> Iterator[str]:
        """Yield the lines that fit into a room, the last one cut to what is left of it."""
        for line in lines:
            if line.tokens > room:
                if len(beginning := cut_text(line.text, room, self.count)) > line.key:
                    yield beginning
                return
            yield line.text
            room -= line.tokens

    def _related(self, pairs: Pairs, names: dict[int, _Line], room: int | None) -> _Related:
        """Return the lines of the first neighbours that fit into a room; equal names of one line stand once."""
        lines: dict[str, dict[str, None]] = {}
        taken = used = 0
        for kind, other in pairs:
            assert self._reader is not None
            predicate, (name, cost, _) = self._reader.predicates[kind], names[other]
            if predicate not in lines:
                cost += self.count(f"{predicate}: ")
            elif name in lines[predicate]:
                cost = 0
            if room is not None and used + cost > room:
                break
            lines.setdefault(predicate, {})[name] = None
            taken, used = taken + 1, used + cost
        return _Related([f"{each}: {'; '.join(lines[each])}" for each in sorted(lines)], taken, used)


def _head(name: str, kind: str | None, types: Sequence[str]) -> str:
    """Return an entity's name with its types in parentheses, but for one that the name ends with."""
    every = dict.fromkeys([*filter(None, [kind]), *types])
    told = [each for each in every if not name.lower().endswith(f"({each.lower()})")]
    return f"{name} ({', '.join(told)})" if told else name
