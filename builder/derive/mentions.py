"""Find the mentions in the chunks whose document marks no links."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from builder.derive.workspace import require
from weft.text.mentions import Gazetteer
from weft.text.tokens import word_counts


def write_mentions(connection: sqlite3.Connection) -> None:
    """Write anew every mention of a known title or alias; linear in the chunks without links."""
    require(connection, "mentions", "redirect", "target")
    connection.execute("DELETE FROM mention")
    if not connection.execute("SELECT 1 FROM chunk WHERE NOT marks_links LIMIT 1").fetchone():
        return
    # Two passes over the chunks: words are counted first, since names of common words are matched with more care.
    gazetteer = Gazetteer(_names(connection), word_counts(text for _, text, _ in _plain_chunks(connection)))
    connection.executemany(
        "INSERT INTO mention VALUES (?, ?, ?, ?, '', ?)",
        (
            (chunk, mention.start, mention.end, mention.target, mention.name)
            for chunk, text, title in _plain_chunks(connection)
            for mention in gazetteer.find(text, title)
        ),
    )
    connection.execute(
        # A mention of a node has its uri as target already; any other target is a title.
        "INSERT OR IGNORE INTO temp.target SELECT DISTINCT target, CASE WHEN target IN"
        " (SELECT uri FROM entity WHERE graph_id IS NOT NULL) THEN target ELSE uri_part(target) END FROM mention"
    )


def _plain_chunks(connection: sqlite3.Connection) -> Iterator[tuple[int, str, str]]:
    yield from connection.execute(
        "SELECT chunk.id, chunk.text, page.title FROM chunk JOIN page ON page.id = page_id"
        " WHERE NOT marks_links ORDER BY chunk.id"
    )


def _names(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return (name, title) of every page and link target, their redirects and their labels."""
    titles = connection.execute(
        "SELECT title FROM page WHERE uri NOT IN (SELECT uri FROM entity WHERE graph_id IS NOT NULL)"
        " UNION SELECT uri_text(uri) FROM temp.target ORDER BY 1"
    ).fetchall()
    known = {title for (title,) in titles}
    names = [(title, title) for (title,) in titles]
    for name, title in connection.execute("SELECT title, target FROM temp.redirect ORDER BY title"):
        if title in known:
            names.append((name, title))
    labels = connection.execute(
        "SELECT key, ifnull(redirect.target, value) FROM statement LEFT JOIN temp.redirect ON title = value"
        " WHERE kind = 'label' ORDER BY key, 2"
    )
    names.extend((name, title) for name, title in labels if title in known)
    # A node is named by its uri, since many nodes may share a name.
    names.extend(connection.execute("SELECT name, uri FROM entity WHERE graph_id IS NOT NULL ORDER BY uri"))
    return names
