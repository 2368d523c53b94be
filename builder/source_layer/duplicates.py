"""What documents have in common: titles that they share, contents that are equal, and which of them is the page.

This is settled when all sources are read, since only the whole tells.
"""

from __future__ import annotations

from collections import Counter

from builder.source_layer.equal_contents import SAME, Orphan, equal_pages, follow_pages, orphans_by_content
from builder.source_layer.shared_titles import settle_shared_titles
from builder.source_layer.writer import DUPLICATE, SaidLayer
from weft.text.names import uri_part

PAGE_GONE = "the page that it was a duplicate of is gone, and it was not read again"


def settle_titles(said: SaidLayer) -> list[int]:
    """Join documents of one title and one content, and give pages that share their title their uris.

    Return the items that became duplicates.
    """
    joined = equal_pages(said.connection, said.order)
    for item, page in joined:
        said.forget_content(item)
        said.connection.execute(
            "UPDATE source_item SET state = 'duplicate', reason = ? WHERE id = ?", (SAME + page, item)
        )
        said.changed = True
    said.changed |= follow_pages(said.connection)
    said.changed |= settle_shared_titles(said.connection, said.order, said.graphs, said.free_of_node)
    said.connection.commit()
    return [item for item, _ in joined]


def orphans(said: SaidLayer) -> list[Orphan]:
    """Return the duplicates whose title or content no page before them holds any more."""
    rows = said.connection.execute(
        "SELECT id, source, place, substr(reason, ?) FROM source_item"
        " WHERE state = 'duplicate' AND substr(reason, 1, ?) = ?",
        (len(DUPLICATE) + 1, len(DUPLICATE), DUPLICATE),
    )
    by_title = []
    for item, source, place, title in rows.fetchall():
        page = said.page_by_title(uri_part(title))
        if page is None or said.order(*page[2:]) > said.order(source, place):
            by_title.append(Orphan(item, source, page is not None))
    return by_title + orphans_by_content(said.connection, said.order)


def give_up_orphans(said: SaidLayer) -> dict[str, int]:
    """Put duplicates that no page stands for on record as incomplete; return how many, by the source to name again."""
    gone = [each for each in orphans(said) if not each.has_page]
    said.connection.executemany(
        "UPDATE source_item SET state = 'incomplete', content_hash = NULL, reason = ? WHERE id = ?",
        ((PAGE_GONE, each.id) for each in gone),
    )
    said.changed |= bool(gone)
    said.connection.commit()
    return Counter(each.source for each in gone)
