"""What most pages of a source repeat word for word, such as a footer that is no footer by its markup.

Of each such text one chunk is ranked, that of the smallest uri: the others would
fill the first hits of every question that has one of its words.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

from weft.meta import set_meta

REPEATS = 1
"""Part of the stage's fingerprint: a new number makes an update look for repeats again."""
LEAST_PAGES = 20
"""Of a source with fewer pages nothing is taken for a repeat."""
LOOKED_AT = 20
"""Of so many pages, spread over the source by their places, the texts are looked for on all its pages."""
LONGEST_REPEAT = 1000
"""Characters; longer texts on most pages are what the pages are about."""

PAGES = (
    "SELECT page.id FROM page JOIN source_item ON source_item.id = page.source_id WHERE source = :source"
    " AND page.id NOT IN (SELECT page_id FROM entity WHERE graph_id IS NOT NULL AND page_id IS NOT NULL)"
)
# A text of most pages is on one of those looked at, unless these differ from all others.
FOUND = (
    f"SELECT text FROM chunk WHERE page_id IN ({PAGES}) AND length(text) <= :longest AND text IN"
    " (SELECT text FROM chunk WHERE page_id IN (SELECT value FROM json_each(:some)))"
    " GROUP BY text HAVING 2 * count(DISTINCT page_id) > :pages"
)
OTHERS = (
    f"SELECT id, row_number() OVER (PARTITION BY text ORDER BY uri) AS number FROM chunk"
    f" WHERE page_id IN ({PAGES}) AND text IN ({FOUND})"
)


def write_repeats(connection: sqlite3.Connection) -> None:
    """Write the ids of the chunks that only repeat another one, ascending. A few passes over the chunks."""
    set_meta(connection, "repeats", sorted(_repeats(connection)))


def _repeats(connection: sqlite3.Connection) -> Iterator[int]:
    for (source,) in connection.execute("SELECT DISTINCT source FROM source_item ORDER BY 1").fetchall():
        pages = [page for (page,) in connection.execute(f"{PAGES} ORDER BY place, uri", {"source": source})]
        if len(pages) < LEAST_PAGES:
            continue
        some = [pages[number * len(pages) // LOOKED_AT] for number in range(LOOKED_AT)]
        values = {"source": source, "longest": LONGEST_REPEAT, "some": json.dumps(some), "pages": len(pages)}
        for (chunk,) in connection.execute(f"SELECT id FROM ({OTHERS}) WHERE number > 1", values):
            yield chunk
