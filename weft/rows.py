"""The rows of an SKB, as the reader gives them."""

from __future__ import annotations

from typing import NamedTuple


class Page(NamedTuple):
    """A document."""

    id: int
    uri: str
    title: str
    source_id: int
    url: str | None
    language: str | None
    modified: str | None


class Section(NamedTuple):
    """A heading's part of a page; `path_text` is the page's title and the headings down to this one."""

    id: int
    uri: str
    page_id: int
    parent_id: int | None
    title: str
    level: int
    position: int
    path_text: str


class Chunk(NamedTuple):
    """A passage; `section_id` is None in the lead, `part` 0 unless it is a part of one cut table or list."""

    id: int
    uri: str
    page_id: int
    section_id: int | None
    position: int
    kind: str
    part: int
    text: str


class Entity(NamedTuple):
    """Anything that has a name; `page_id` is None for what has no page of its own.

    `graph_id` is the source item of the imported graph that it is a node of.
    """

    id: int
    uri: str
    name: str
    type: str | None
    label: str
    page_id: int | None
    graph_id: int | None


class Attribute(NamedTuple):
    """A literal of an entity, as given, and as a number or an ISO date where it is one."""

    key: str
    value: str
    number: float | None
    date: str | None


class Citation(NamedTuple):
    """A chunk mentions an entity so many `times`."""

    chunk_id: int
    entity_id: int
    times: int


class Neighbour(NamedTuple):
    """An entity at the other end of a relation; read against its direction a type is `is_X_of`."""

    type: str
    entity: Entity
