"""What a document becomes in the tables: its sections, chunks and statements with their uris, before there are ids.

Rows refer to each other by position within their page, so the same rows go
into an SKB at once or through a cluster's files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from builder.documents.records import Document, Link, Section, Statement
from weft.text.names import title_of, uri_part, uri_text

PATH_SEPARATOR = " > "
"""Joins page title and headings in a section's path_text."""

PENDING_URI = "\x01"
"""Prefix of a temporary uri; a control character, which no title, heading or node's uri in the SKB begins with."""


class SectionRow(NamedTuple):
    """A section; `parent` is an index into the page's sections, -1 for the page; `position` counts from 1."""

    uri: str
    parent: int
    title: str
    level: int
    position: int
    path_text: str


class ChunkRow(NamedTuple):
    """A chunk; `section` is an index into the page's sections, -1 for the lead; `position` counts from 1."""

    uri: str
    section: int
    position: int
    kind: str
    part: int
    marks_links: bool
    text: str
    links: tuple[Link, ...]


def section_rows(page_uri: str, document: Document) -> list[SectionRow]:
    """Return a page's sections in reading order."""
    rows: list[SectionRow] = []
    uris = section_uris(page_uri, document.sections)
    for position, (section, own) in enumerate(zip(document.sections, uris, strict=True), 1):
        above = document.title if section.parent < 0 else rows[section.parent].path_text
        path = above + PATH_SEPARATOR + section.title
        rows.append(SectionRow(own, section.parent, section.title, section.level, position, path))
    return rows


def chunk_rows(page_uri: str, sections: Sequence[SectionRow], document: Document) -> Iterator[ChunkRow]:
    """Yield a page's chunks in reading order; each is numbered among its parent's own chunks."""
    ordinals: dict[int, int] = {}
    for position, chunk in enumerate(document.chunks, 1):
        ordinals[chunk.section] = ordinal = ordinals.get(chunk.section, 0) + 1
        parent = page_uri if chunk.section < 0 else sections[chunk.section].uri
        marks_links = document.marks_links if chunk.marks_links is None else chunk.marks_links
        own = f"{parent}##{ordinal}"
        yield ChunkRow(
            own, chunk.section, position, chunk.kind, chunk.part, marks_links, chunk.text, chunk.links
        )


def statement_rows(page_uri: str, document: Document) -> Iterator[Statement]:
    """Yield a page's statements as they are stored: redirects to its title lead to the name in its uri."""
    for each in document.statements:
        leads_here = each.kind == "redirect" and each.value == document.title
        value = uri_text(page_uri) if leads_here else each.value
        yield Statement(each.kind, statement_key(each), value)


def statement_key(statement: Statement) -> str:
    """Return a statement's key as it is stored: a redirect's as a title."""
    return title_of(statement.key) if statement.kind == "redirect" else statement.key


def section_uris(page_uri: str, sections: Sequence[Section]) -> list[str]:
    """Return the uri of each section; a second equal heading under one parent becomes `Heading (2)`."""
    uris: list[str] = []
    # The last number used for each uri; so n equal headings cost n steps, not n squared.
    numbers: dict[str, int] = {}
    for section in sections:
        parent = page_uri if section.parent < 0 else uris[section.parent]
        own = base = f"{parent}#{uri_part(section.title)}"
        number = numbers.get(base, 0)
        while own in numbers:
            number += 1
            own = f"{base} ({number})"
        numbers[base] = max(number, 1)
        numbers.setdefault(own, 1)
        uris.append(own)
    return uris
