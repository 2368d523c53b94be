"""Which input documents `weft remove` takes out for a title, and what others keep of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from builder.readers.text.names import file_title
from builder.source_layer.equal_contents import NAME, duplicates_of
from builder.source_layer.writer import DUPLICATE
from weft.show import unknown_page
from weft.skb import Skb
from weft.text.names import name_key, uri_part

LINKS = 'SELECT chunk_id, start, "end", anchor FROM link WHERE target = ?'
READ_AGAIN = """
    UPDATE source_item SET content_hash = content_hash || '?' WHERE content_hash NOT LIKE '%?' AND content_hash =
    (SELECT content_hash FROM source_item JOIN page ON page.source_id = source_item.id
    JOIN chunk ON chunk.page_id = page.id WHERE chunk.id = ?)
"""
"""Gives the document of a chunk, and its duplicates, a hash that no content has."""


class Removal(NamedTuple):
    """The documents to take out, how many pages they are, and notes for the user."""

    items: list[int]
    n_pages: int
    notes: tuple[str, ...]


def removal_of(output: Path, titles: Sequence[str]) -> Removal:
    """Return what is removed with the pages of these titles; raise NotInKnowledgeBase where one names no page."""
    with Skb(output) as skb:
        finished = skb.connection
        items = sorted({item for title in titles for item in items_of(skb, title)})
        notes = tuple(_others_of(finished, title) for title in titles if pages_sharing(finished, title))
        pages = finished.execute("SELECT source_id FROM page").fetchall()
        return Removal(items, len({item for (item,) in pages} & set(items)), notes)


def forget_titles(connection: sqlite3.Connection, items: Sequence[int]) -> None:
    """Make links by path to the pages of these documents lead to their files' names, which the linking pages say.

    Only the pages themselves say their titles. A link that shows the title keeps it. The linking documents are read
    again with the next build.
    """
    named = {uri_part(title): (title, place) for title, place in _titled_by_content(connection, items)}
    targets = [target for (target,) in connection.execute("SELECT DISTINCT target FROM link")] if named else []
    for target in targets:
        title, place = named.get(uri_part(target), ("", ""))
        name = file_title(place)
        if not title or name_key(name) == name_key(title):
            continue
        links = connection.execute(LINKS, (target,)).fetchall()
        left = [(name, *key) for *key, anchor in links if name_key(anchor) != name_key(title)]
        connection.executemany('UPDATE link SET target = ? WHERE (chunk_id, start, "end") = (?, ?, ?)', left)
        connection.executemany(READ_AGAIN, [(chunk,) for _, chunk, *_ in left])


def _titled_by_content(connection: sqlite3.Connection, items: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Yield the uri and the place of the pages of these documents that links do not name by their titles."""
    for item in items:
        yield from connection.execute(
            "SELECT uri, place FROM page JOIN source_item ON source_item.id = source_id"
            " WHERE source_id = ? AND NOT named_by_title",
            (item,),
        )


def items_of(skb: Skb, title: str) -> list[int]:
    """Return the ids of a page's documents, its own first, then its duplicates; raise NotInKnowledgeBase.

    `title` is what the page is called (its uri), else a title that one page
    alone has, also in another spelling.
    """
    connection = skb.connection
    query = f"SELECT page.source_id, title, uri, named_by_title, {NAME} FROM page" \
            " JOIN source_item ON source_item.id = page.source_id"
    row = connection.execute(f"{query} WHERE uri IN (?, ?)", (uri_part(title), title)).fetchone()
    if row is None:
        uri = _one_of_this_name(skb, title)
        row = connection.execute(f"{query} WHERE uri = ?", (uri,)).fetchone()
    item, own, uri, is_named, name = row
    if not is_named:
        return [int(item), *(each.id for each in duplicates_of(connection, name))]
    if uri != uri_part(own):
        # A graph node never shadows a page title, so no document is a duplicate of it.
        return [int(item)]
    query = "SELECT id FROM source_item WHERE state = 'duplicate' AND reason = ?"
    return [int(item), *(identity for (identity,) in connection.execute(query, (DUPLICATE + own,)))]


def pages_sharing(connection: sqlite3.Connection, title: str) -> list[str]:
    """Return what the other pages are called that share the title of the page of this uri."""
    rows = connection.execute(
        # The subquery is the title of the page with this uri; pages named by their title share it with none.
        "SELECT uri FROM page WHERE NOT named_by_title AND uri <> ?1 AND title ="
        " (SELECT title FROM page WHERE uri = ?1) ORDER BY uri",
        (uri_part(title),),
    )
    return [uri for (uri,) in rows]


def _others_of(connection: sqlite3.Connection, title: str) -> str:
    others = pages_sharing(connection, title)
    return f"{title}: other pages of this title stay, the first of which now is called by it: {', '.join(others)}"


def _one_of_this_name(skb: Skb, title: str) -> str:
    """Return the uri of the one page that has a title, as name keys compare it; raise NotInKnowledgeBase."""
    rows = skb.connection.execute("SELECT title, uri FROM page ORDER BY uri").fetchall()
    found = [uri for own, uri in rows if name_key(own) == name_key(title)]
    if len(found) == 1:
        return str(found[0])
    raise unknown_page(skb, title, found or get_close_matches(title, [uri for _, uri in rows], 3))
