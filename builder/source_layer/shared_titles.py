"""Pages that share their title: which one is called by it, and what the others are called.

Where titles do not name pages by nature (Markdown, text, HTML of no wiki), the
first page of a title has the uri of its title and each other one
`Title (path)`. This follows from the source layer as a whole, so that neither
the order of reading nor an update shows.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count, groupby
from operator import attrgetter
from typing import NamedTuple

from builder.source_layer.equal_contents import NAME, SAME, Order, duplicates_of
from builder.source_layer.rows import ASIDE
from weft.text.names import uri_part, uri_text

DUPLICATES = f"""
WITH kept AS MATERIALIZED (SELECT {NAME} AS name, title, uri FROM page
                           JOIN source_item ON source_item.id = page.source_id WHERE NOT named_by_title)
SELECT source, place, title, uri FROM source_item JOIN kept ON kept.name = substr(reason, length(?1) + 1)
WHERE state = 'duplicate' AND substr(reason, 1, length(?1)) = ?1
"""
# The files that were numbered by their place though no page before them has their title.
REJECTED_BEFORE = """
INSERT OR IGNORE INTO temp.own_target
SELECT source, title || ' (' || place || ')' AS raw, uri FROM page JOIN source_item ON source_item.id = source_id
WHERE NOT named_by_title AND uri <> uri_part(title || ' (' || place || ')')
      AND title || ' (' || place || ')' IN (SELECT target FROM link WHERE target LIKE '%)')
      AND NOT EXISTS (SELECT 1 FROM page AS named WHERE named.uri = uri_part(title || ' (' || place || ')'))
"""
# Each without and with targets that mean another page within their source: the joins for those cost time.
LINK_VIEWS = {
    "linked": (
        "SELECT chunk_id, anchor, uri FROM link JOIN target ON target.raw = link.target",
        "SELECT chunk_id, anchor, ifnull(own.uri, target.uri) AS uri FROM link JOIN chunk ON chunk.id = chunk_id"
        " JOIN page ON page.id = page_id JOIN source_item ON source_item.id = source_id LEFT JOIN own_target AS own"
        " ON own.source = source_item.source AND own.raw = link.target LEFT JOIN target ON target.raw = link.target",
    ),
    "plain_target": (
        "SELECT target AS raw FROM link",
        "SELECT target AS raw FROM link WHERE target NOT IN (SELECT raw FROM own_target) UNION"
        " SELECT target FROM link JOIN chunk ON chunk.id = chunk_id JOIN page ON page.id = page_id"
        " JOIN source_item ON source_item.id = source_id WHERE target IN (SELECT raw FROM own_target)"
        " AND (source, target) NOT IN (SELECT source, raw FROM own_target)",
    ),
}


class SharedPage(NamedTuple):
    """A page whose title another page has or had."""

    title: str
    is_shared: bool
    order: tuple[int, str]
    id: int
    uri: str
    source: str
    place: str


def settle_shared_titles(
    connection: sqlite3.Connection, order: Order, graphs: frozenset[str], make_way: Callable[[str], object]
) -> bool:
    """Give every page that shares its title its uri; return whether any uri changed.

    `order` tells which page is first, `make_way` frees a uri that a node of one
    of the `graphs` has. Linear in the pages, with a sort of those that share titles.
    """
    pages = [page for page in _shared_pages(connection, order) if page.source not in graphs]
    moves = [(page, new) for page, new in _uris(connection, pages) if page.uri != new]
    for page, _ in moves:
        move_page(connection, page.id, page.uri, f"{ASIDE}{page.id}")
    for page, new in moves:
        make_way(new)
        move_page(connection, page.id, f"{ASIDE}{page.id}", new)
    if moves:
        # The derived layer goes by uris, and no document need have changed for this.
        connection.execute("DELETE FROM meta WHERE key = 'stage graph'")
    return bool(moves)


def move_page(connection: sqlite3.Connection, page: int, old: str, new: str) -> None:
    """Write another uri on a page, its sections and chunks, and on the redirects that it says lead to it."""
    connection.execute("UPDATE page SET uri = ? WHERE id = ?", (new, page))
    for table in ("section", "chunk"):
        connection.execute(
            f"UPDATE {table} SET uri = ? || substr(uri, ?) WHERE page_id = ?", (new, len(old) + 1, page)
        )
    connection.execute(
        "UPDATE statement SET value = ? WHERE kind = 'redirect' AND value = ?"
        " AND source_id = (SELECT source_id FROM page WHERE id = ?)",
        (uri_text(new), uri_text(old), page),
    )


def _shared_pages(connection: sqlite3.Connection, order: Order) -> list[SharedPage]:
    """Return the pages of every title that several pages have, or whose page is not called by it, in order."""
    connection.create_function("uri_part", 1, uri_part, deterministic=True)
    rows = connection.execute(
        "SELECT title, NOT named_by_title, page.id, uri, source, place FROM page"
        " JOIN source_item ON source_item.id = page.source_id WHERE title IN (SELECT title FROM page"
        "  WHERE NOT named_by_title AND uri <> uri_part(title))"
    )
    found = (SharedPage(title, bool(shared), order(source, place), page, uri, source, place)
             for title, shared, page, uri, source, place in rows
             if shared or uri == uri_part(title))  # fmt: skip
    return sorted(found)


def _uris(connection: sqlite3.Connection, pages: list[SharedPage]) -> Iterator[tuple[SharedPage, str]]:
    """Yield each page with its uri: the first of a title has it, then the others get what no page has."""
    own = {page.id for page in pages}
    taken = set()
    others: list[tuple[SharedPage, bool]] = []
    for title, group in groupby(pages, attrgetter("title")):
        first, *rest = group
        taken.add(uri_part(title))
        yield first, uri_part(title)
        at_place = Counter(page.place for page in (first, *rest))
        others.extend((page, at_place[page.place] == 1) for page in rest)
    for page, is_alone in others:
        for name in _names(page, is_alone):
            uri = uri_part(name)
            query = "SELECT id FROM page WHERE uri = ? AND uri = uri_part(title)"
            holder = connection.execute(query, (uri,)).fetchone()
            if uri not in taken and (holder is None or holder[0] in own):
                break
        taken.add(uri)
        yield page, uri


def _names(page: SharedPage, is_alone: bool) -> Iterator[str]:
    """Yield what a page can be called, best first: by its place, by its source too, then numbered."""
    path = path_of(page.source, page.place)
    if is_alone:
        yield f"{page.title} ({page.place})"
    yield f"{page.title} ({path})"
    for number in count(2):
        yield f"{page.title} ({path}) ({number})"


def path_of(source: str, place: str) -> str:
    """Return the path of a document that tells it from those of other sources; a file's label ends with its place."""
    return source if source == place or source.endswith(f"/{place}") else f"{source}/{place}"


def lay_out_own_targets(connection: sqlite3.Connection) -> None:
    """Fill `own_target` (source, raw, uri) with where links of a source lead other than their target says.

    Readers know the files of one source alone: there a link's target is the
    title of a file, or `Title (place)` where an earlier file of the source has
    that title. In the whole the page can be called otherwise, also where the
    earlier file became no page. Make the views `linked` (chunk_id, anchor, uri)
    of all links with what they lead to, and `plain_target` (raw) of the targets
    that mean what they say.
    """
    execute = connection.execute
    for table, columns in (("shared_title", "title TEXT PRIMARY KEY"),
                           ("own_target", "source TEXT, raw TEXT, uri TEXT, PRIMARY KEY (source, raw)")):  # fmt: skip
        execute(f"CREATE TEMP TABLE IF NOT EXISTS {table} ({columns}) WITHOUT ROWID")
        execute(f"DELETE FROM temp.{table}")
    for (_, title), group in groupby(_documents_of_shared_titles(connection), lambda row: row[:2]):
        for number, (source, _, is_free, place, uri) in enumerate(group):
            raw = f"{title} ({place})" if number else title
            if is_free and uri != uri_part(raw):
                execute("INSERT OR IGNORE INTO temp.own_target VALUES (?, ?, ?)", (source, raw, uri))
    execute(REJECTED_BEFORE)
    has_own = execute("SELECT 1 FROM temp.own_target LIMIT 1").fetchone() is not None
    for view, queries in LINK_VIEWS.items():
        execute(f"DROP VIEW IF EXISTS temp.{view}")
        execute(f"CREATE TEMP VIEW {view} AS {queries[has_own]}")


def _documents_of_shared_titles(connection: sqlite3.Connection) -> list[tuple[str, str, int, str, str]]:
    """Return (source, title, whether documents can share it, place, page's uri), also of duplicates by content."""
    execute = connection.execute
    execute("INSERT INTO temp.shared_title SELECT DISTINCT title FROM page"
            " WHERE NOT named_by_title AND uri <> uri_part(title)")  # fmt: skip
    duplicates = duplicates_of(connection)
    if duplicates:
        execute(f"INSERT OR IGNORE INTO temp.shared_title SELECT title FROM ({DUPLICATES})", (SAME,))
    rows = execute(
        "SELECT source, title, NOT named_by_title, place, uri FROM page"
        " JOIN source_item ON source_item.id = page.source_id WHERE title IN (SELECT title FROM temp.shared_title)"
        " AND (NOT named_by_title OR uri = uri_part(title))"
    ).fetchall()
    if duplicates:
        rows += execute(f"SELECT source, title, 1, place, uri FROM ({DUPLICATES})", (SAME,)).fetchall()
    return sorted(rows)
