"""Pages that share their title: which one has the uri of the title, and which uris the others have.

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

from builder.source_layer.equal_contents import Order
from builder.source_layer.rows import PENDING_URI
from weft.text.names import uri_part, uri_text


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
    connection: sqlite3.Connection, order: Order, graphs: frozenset[str], free_uri: Callable[[str], object]
) -> bool:
    """Give every page that shares its title its uri; return whether any uri changed.

    `order` tells which page is first, `free_uri` frees a uri that a node of one
    of the `graphs` has. Linear in the pages, with a sort of those that share titles.
    """
    pages = [page for page in _shared_pages(connection, order) if page.source not in graphs]
    moves = [(page, new) for page, new in _uris(connection, pages) if page.uri != new]
    for page, _ in moves:
        move_page(connection, page.id, page.uri, f"{PENDING_URI}{page.id}")
    for page, new in moves:
        free_uri(new)
        move_page(connection, page.id, f"{PENDING_URI}{page.id}", new)
    if moves:
        # The derived layer joins by uris, and these can change while no document does.
        connection.execute("DELETE FROM meta WHERE key = 'stage graph'")
    return bool(moves)


def move_page(connection: sqlite3.Connection, page: int, old: str, new: str) -> None:
    """Write another uri on a page, its sections and chunks, and on its own redirects to it."""
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
    """Return the pages of every title that some page has without its uri, in order."""
    connection.create_function("uri_part", 1, uri_part, deterministic=True)
    rows = connection.execute(
        # A page whose uri differs from its title shows that the title is or was shared; all pages of it are needed.
        "SELECT title, NOT named_by_title, page.id, uri, source, place FROM page"
        " JOIN source_item ON source_item.id = page.source_id WHERE title IN (SELECT title FROM page"
        "  WHERE NOT named_by_title AND uri <> uri_part(title))"
    )
    found = (SharedPage(title, bool(shared), order(source, place), page, uri, source, place)
             for title, shared, page, uri, source, place in rows
             if shared or uri == uri_part(title))  # fmt: skip
    return sorted(found)


def _uris(connection: sqlite3.Connection, pages: list[SharedPage]) -> Iterator[tuple[SharedPage, str]]:
    """Yield each page with its uri: the first of a title gets that, then the others the best one no page has.

    All firsts come before the others: a name made up for one of these may be the title of another page.
    """
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
    """Yield the names that a page can have, best first: with its place, with its source too, then numbered."""
    path = path_of(page.source, page.place)
    if is_alone:
        yield f"{page.title} ({page.place})"
    yield f"{page.title} ({path})"
    for number in count(2):
        yield f"{page.title} ({path}) ({number})"


def path_of(source: str, place: str) -> str:
    """Return the path of a document that tells it from those of other sources; a file's label ends with its place."""
    return source if source == place or source.endswith(f"/{place}") else f"{source}/{place}"
