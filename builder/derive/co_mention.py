"""The co-mention filter: a relation is kept when one page cites both its ends.

The filter is the thesis's (section 3.1 of the hybrid retrieval thesis), with the
page's own entity counted among those that the page cites.
"""

from __future__ import annotations

import sqlite3

from builder.derive.workspace import empty


def materialize_page_citations(connection: sqlite3.Connection) -> None:
    """Fill `page_cites` (entity_id, page_id) and `spread` (entity_id, pages), the pages that cite each entity."""
    execute = connection.execute
    empty(connection, "page_cites", "spread")
    execute(
        # The entity that a page is about counts as cited by it, though `cites` never lists it. Page by page along a
        # narrow index, and sorted: a lookup of each citation's chunk, and DISTINCT, take twice as long and grow faster.
        "INSERT INTO temp.page_cites SELECT entity_id, page_id FROM"
        " (SELECT cites.entity_id, chunk.page_id FROM chunk INDEXED BY chunk_page"
        "  CROSS JOIN cites ON cites.chunk_id = chunk.id"
        "  UNION ALL SELECT id, page_id FROM entity WHERE page_id IS NOT NULL) GROUP BY 1, 2"
    )
    execute("INSERT INTO temp.spread SELECT entity_id, count(*) FROM temp.page_cites GROUP BY entity_id")


def leave_out_page_citations(connection: sqlite3.Connection) -> None:
    """Make both tables empty: an SKB without facts needs no citations to keep them by."""
    empty(connection, "page_cites", "spread")


# Both lookups go through the key of `page_cites`: a page of one end, then the other end on that page.
CO_MENTIONED = """EXISTS (
    SELECT 1 FROM temp.page_cites AS near
    JOIN temp.page_cites AS far ON far.page_id = near.page_id AND far.entity_id = {far}
    WHERE near.entity_id = {near})"""


def co_mentioned(subject: str, object_: str) -> str:
    """Return an SQL condition on two entity id columns; it walks the pages of the less cited end."""
    return (
        f"CASE WHEN (SELECT pages FROM temp.spread WHERE entity_id = {subject})"
        f" <= (SELECT pages FROM temp.spread WHERE entity_id = {object_})"
        f" THEN {CO_MENTIONED.format(near=subject, far=object_)}"
        f" ELSE {CO_MENTIONED.format(near=object_, far=subject)} END"
    )
