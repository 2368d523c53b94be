"""Documents of one title and one content: the first is the page, the others are on record as its duplicates.

This is for documents whose titles do not name pages by nature; where they do,
`builder.source_layer.writer` knows a duplicate by its title alone.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable
from typing import NamedTuple

SAME = "the same title and content as "
"""How the reason of such a duplicate begins; its page's source and place follow."""

Order = Callable[[str, str], tuple[int, str]]
NAME = "replace(source, ':', '::') || ': ' || place"
"""How a reason names a document, in SQL as `name_of` in Python: colons of the source are doubled, one ends it."""


class Duplicate(NamedTuple):
    """A duplicate by content; `page` names the source and place of the page that has it."""

    id: int
    source: str
    place: str
    content_hash: str | None
    page: str


class Orphan(NamedTuple):
    """A duplicate without a page before it; `has_page` tells that a later document is the page."""

    id: int
    source: str
    has_page: bool


def name_of(source: str, place: str) -> str:
    """Return what a document is called in a reason, which no other document is.

    >>> name_of("a: b", "c"), name_of("a", "b: c")
    ('a:: b: c', 'a: b: c')
    """
    return f"{source.replace(':', '::')}: {place}"


def equal_pages(connection: sqlite3.Connection, order: Order) -> list[tuple[int, str]]:
    """Return (item, name of the page to keep) of every page that has the title and content of an earlier one."""
    rows = connection.execute(
        # All pages of every group that shares title and hash; the order that chooses the first is not known to SQL.
        "SELECT title, content_hash, source, place, source_item.id FROM page"
        " JOIN source_item ON source_item.id = page.source_id"
        " WHERE NOT named_by_title AND (title, content_hash) IN"
        " (SELECT title, content_hash FROM page JOIN source_item ON source_item.id = page.source_id"
        "  WHERE NOT named_by_title AND content_hash IS NOT NULL GROUP BY 1, 2 HAVING count(*) > 1)"
    )
    groups: dict[tuple[str, str], list[tuple[tuple[int, str], int, str]]] = {}
    for title, content_hash, source, place, item in rows:
        groups.setdefault((title, content_hash), []).append((order(source, place), item, name_of(source, place)))
    for group in groups.values():
        group.sort()
    return sorted((item, group[0][2]) for group in groups.values() for _, item, _ in group[1:])


def duplicates_of(connection: sqlite3.Connection, name: str | None = None) -> list[Duplicate]:
    """Return the duplicates by content on record, or those of the page that `name` (source and place) names."""
    rows = connection.execute(
        "SELECT id, source, place, content_hash, substr(reason, ?) FROM source_item"
        " WHERE state = 'duplicate' AND substr(reason, 1, ?) = ? AND (? IS NULL OR substr(reason, ?) = ?) ORDER BY id",
        (len(SAME) + 1, len(SAME), SAME, name, len(SAME) + 1, name),
    )
    return [Duplicate(*row) for row in rows]


def follow_pages(connection: sqlite3.Connection) -> bool:
    """Where the page of a duplicate became a duplicate itself, record that one's page; tell whether any did."""
    known = {name_of(each.source, each.place): each for each in duplicates_of(connection)}
    moved = []
    for name, each in known.items():
        # `met` ends a cycle of duplicates that name each other.
        page, met = each.page, {name}
        while page in known and page not in met and known[page].content_hash == each.content_hash:
            met.add(page)
            page = known[page].page
        if page != each.page and page not in met:
            moved.append((SAME + page, each.id))
    connection.executemany("UPDATE source_item SET reason = ? WHERE id = ?", moved)
    return bool(moved)


def orphans_by_content(connection: sqlite3.Connection, order: Order) -> list[Orphan]:
    """Return the duplicates whose page is gone, has changed, or does not come before them."""
    found = duplicates_of(connection)
    pages = _pages_named(connection, {each.page for each in found})
    gone = []
    for each in found:
        page = pages.get(each.page)
        if page is None or page[0] != each.content_hash:
            gone.append(Orphan(each.id, each.source, False))
        elif order(*page[1:]) > order(each.source, each.place):
            gone.append(Orphan(each.id, each.source, True))
    return gone


def _pages_named(connection: sqlite3.Connection, names: Iterable[str]) -> dict[str, tuple[str | None, str, str]]:
    """Return (content hash, source, place) of the items with these names that are pages. One pass over the items."""
    rows = connection.execute(
        f"SELECT {NAME}, content_hash, source, place FROM source_item"
        f" WHERE state = 'ok' AND {NAME} IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(names)),),
    )
    return {name: (content_hash, source, place) for name, content_hash, source, place in rows} if names else {}
