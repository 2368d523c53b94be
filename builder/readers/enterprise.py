"""Wikimedia Enterprise HTML dumps: tar archives, or plain files, of articles as JSON Lines.

A dump can hold one article several times; its newest version is the page. A
first pass notes the line number of the newest version of each title, a second one
yields those lines, so that memory holds one line, whatever the dump's size.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, NamedTuple

from builder.documents.records import Document, Reject, Statement
from builder.readers.html.page import BadPage, parse_page
from builder.readers.ignored import Ignored
from builder.readers.json_lines import Line, lines_of
from builder.readers.registry import ReadOptions
from builder.readers.source import Cut, Item, Source, too_large
from weft.text.json_text import parsed_json
from weft.text.names import title_of
from weft.text.normalise import encodable

EXTRACTION = b"4"
LINE_TO_PAGE = 4
"""A line holds its page's HTML escaped, its wikitext and more: its limit is so many times a page's."""
LINE_AT_LEAST = 8_000_000
ARTICLES = 0


class Version(NamedTuple):
    """What decides between two versions of an article; the greater one is the page."""

    modified: float
    revision: int
    digest: bytes


def items(source: Source, options: ReadOptions) -> Iterator[Item | Reject | Cut | Ignored]:
    """Yield what cannot be read, then the newest version of each article in the dump's order."""
    max_line = max(LINE_AT_LEAST, LINE_TO_PAGE * options.max_page_bytes)
    with closing(sqlite3.connect("")) as shelf:
        shelf.execute(
            "CREATE TABLE article (title TEXT PRIMARY KEY, modified REAL, revision INTEGER, digest BLOB,"
            " number INTEGER) WITHOUT ROWID"
        )
        for number, entry in enumerate(lines_of(source.path, max_line, source.files)):
            if isinstance(entry, Line):
                problem = _note(shelf, number, entry, options.max_page_bytes)
                yield from (problem,) if problem else ()
            else:
                yield entry
        yield from _newest(shelf, lines_of(source.path, max_line, source.files))


def parse(place: str, payload: tuple[object, ...]) -> Document | Reject:
    """Make a page of an article's line; what the record states overrides the HTML."""
    (line,) = payload
    assert isinstance(line, bytes)
    record = parsed_json(line.decode("utf-8", "replace"))
    try:
        page = parse_page(record["article_body"]["html"], name=place, title=place, wiki=True)
    except BadPage as error:
        return Reject(place, str(error))
    statements = tuple(_statements(record, place))
    kinds = {statement.kind for statement in statements}
    return page._replace(
        title=place,
        statements=statements + tuple(each for each in page.statements if each.kind not in kinds),
        url=_string(record, "url") or page.url,
        language=_string(record, "in_language", "identifier") or page.language,
        modified=_string(record, "date_modified") or page.modified,
    )


def _note(shelf: sqlite3.Connection, number: int, line: Line, max_page: int) -> Reject | None:
    """Shelve an article's version when it is the newest so far; return what is wrong with its line."""
    try:
        record = parsed_json(line.data.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        return Reject(line.place, f"not JSON: {error}")
    if isinstance(record, dict) and _namespace(record) != ARTICLES:
        return None
    reason = _fault(record, max_page)
    if reason:
        return Reject(line.place, reason)
    shelf.execute(
        # Row values compare from left to right: date, revision, digest; so equal versions have one winner too.
        "INSERT INTO article VALUES (?, ?, ?, ?, ?) ON CONFLICT (title) DO UPDATE SET"
        " modified = excluded.modified, revision = excluded.revision,"
        " digest = excluded.digest, number = excluded.number"
        " WHERE (excluded.modified, excluded.revision, excluded.digest) > (modified, revision, digest)",
        (title_of(_string(record, "name") or ""), *_version(record, line.data), number),
    )
    return None


def _newest(shelf: sqlite3.Connection, entries: Iterator[Line | Reject | Cut | Ignored]) -> Iterator[Item]:
    wanted = shelf.execute("SELECT number, title FROM article ORDER BY number")
    following = wanted.fetchone()
    for number, entry in enumerate(entries):
        if following is None:
            return
        if number != following[0] or not isinstance(entry, Line):
            continue
        yield Item(
            following[1],
            blake2b(entry.data, digest_size=16, key=EXTRACTION).hexdigest(),
            (entry.data,),
        )
        following = wanted.fetchone()


def _fault(record: Any, max_page: int) -> str | None:
    if not isinstance(record, dict):
        return "not an object"
    if not title_of(_string(record, "name") or ""):
        return "name is missing or no string"
    html = _string(record, "article_body", "html")
    if not html:
        return "article_body.html is missing or empty"
    size = len(html) if html.isascii() else len(html.encode("utf-8", "replace"))
    if size > max_page:
        return f"{record['name']}: {too_large(size, max_page)}"
    return None


def _version(record: dict[str, Any], line: bytes) -> Version:
    """Return an article's version; lines that agree in date and revision are told apart by their bytes."""
    try:
        modified = datetime.fromisoformat(_string(record, "date_modified") or "")
        seconds = (modified if modified.tzinfo else modified.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        seconds = float("-inf")
    revision = record["version"].get("identifier") if isinstance(record.get("version"), dict) else None
    return Version(
        seconds,
        revision if isinstance(revision, int) and abs(revision) < 2**63 else -1,
        blake2b(line, digest_size=16).digest(),
    )


def _namespace(record: dict[str, Any]) -> Any:
    namespace = record.get("namespace")
    return namespace.get("identifier", ARTICLES) if isinstance(namespace, dict) else ARTICLES


def _statements(record: dict[str, Any], title: str) -> Iterator[Statement]:
    for name in _names(record, "redirects"):
        redirect = title_of(name)
        if redirect and redirect != title:
            yield Statement("redirect", redirect, title)
    for name in _names(record, "categories"):
        category = title_of(name.partition(":")[2] or name)
        if category:
            yield Statement("category", "", category)
    item = _string(record, "main_entity", "identifier")
    if item:
        yield Statement("wikidata", "", item)


def _names(record: dict[str, Any], key: str) -> list[str]:
    """Return the names in a list of objects, in its order, each once."""
    given = record.get(key)
    objects = [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []
    names = [_string(each, "name") for each in objects]
    return [*dict.fromkeys(name for name in names if name)]


def _string(record: dict[str, Any], *path: str) -> str | None:
    """Return the string at a path of keys, or None; lone surrogates, which no file can hold, replaced."""
    value: Any = record
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return encodable(value) if isinstance(value, str) else None
