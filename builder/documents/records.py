"""The content of a source: the records that readers yield and the SKB writer stores.

A document is flat: sections and chunks are tuples in reading order that refer
to each other by position, so a record crosses process borders as plain tuples.
"""

from __future__ import annotations

from typing import NamedTuple


class Link(NamedTuple):
    """A marked link: characters `start` to `end` (exclusive) of its chunk's text are `anchor`.

    `target` is a title as `weft.text.names.link_target` gives it (not resolved
    through redirects), `fragment` the part after `#`, or an empty string.
    """

    start: int
    end: int
    target: str
    fragment: str
    anchor: str


class Section(NamedTuple):
    """A heading's part of a page; `parent` is an index into the document's sections, -1 for the page."""

    title: str
    level: int
    parent: int


class Chunk(NamedTuple):
    """One passage; `section` is an index into the document's sections, -1 for the lead.

    `kind` is one of paragraph, list, table, infobox, definition, code, caption.
    `part` is 0 for a whole, 1, 2, ... for the consecutive parts of one table or
    list that was cut between rows, or of any text above `chunking.LONGEST`.
    """

    section: int
    kind: str
    part: int
    text: str
    links: tuple[Link, ...] = ()
    marks_links: bool | None = None
    """Whether its links are marked; None: as in the whole document."""


class Statement(NamedTuple):
    """What a document states beside its text: `kind` is infobox, redirect, category, wikidata or front matter.

    For a redirect `key` is the redirect's title and `value` the title it leads
    to; for an infobox row they are the row's label and its value, as for a field of front matter.
    """

    kind: str
    key: str
    value: str


class Document(NamedTuple):
    """A page with everything that its document states."""

    title: str
    sections: tuple[Section, ...]
    chunks: tuple[Chunk, ...]
    statements: tuple[Statement, ...] = ()
    url: str | None = None
    language: str | None = None
    modified: str | None = None
    note: str | None = None
    marks_links: bool = True
    node_uri: str | None = None
    """A graph node's own uri; None for a page, whose uri is its title."""
    named_by_title: bool = True
    """Whether titles name pages in its format (as in a wiki), so that two documents of one title are one page.

    Where it is False, documents that share only their title are different pages.
    """


class Redirect(NamedTuple):
    """An input that is no page but another name for one."""

    title: str
    target: str


class Reject(NamedTuple):
    """An input that could not be read; `reason` is one line that names the wrong value."""

    place: str
    reason: str
