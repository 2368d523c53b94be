"""What documents have in common: titles that they share, contents that are equal, and which of them is the page.

This is settled when all sources are read, since any of them may hold the other document.
"""

from __future__ import annotations

from collections import Counter

from builder.source_layer.equal_contents import SAME, Orphan, equal_pages, follow_pages, orphans_by_content
from builder.source_layer.shared_titles import settle_shared_titles
from builder.source_layer.writer import DUPLICATE, DocumentWriter
from weft.text.names import uri_part

PAGE_GONE = "the page that it was a duplicate of is gone, and it was not read again"


def settle_titles(writer: DocumentWriter) -> list[int]:
    """Join documents of one title and one content, and give pages that share their title their uris.

    Return the items that became duplicates.
    """
    joined = equal_pages(writer.connection, writer.order)
    for item, page in joined:
        writer.forget_content(item)
        writer.connection.execute(
            "UPDATE source_item SET state = 'duplicate', reason = ? WHERE id = ?", (SAME + page, item)
        )
        writer.changed = True
    writer.changed |= follow_pages(writer.connection)
    writer.changed |= settle_shared_titles(writer.connection, writer.order, writer.graphs, writer.free_of_node)
    writer.connection.commit()
    return [item for item, _ in joined]


def orphans(writer: DocumentWriter) -> list[Orphan]:
    """Return the duplicates whose title or content no page before them has any more.

    Before: in the order of the command line, then of the paths.
    """
    rows = writer.connection.execute(
        # The title to wait for follows the fixed beginning of the reason; LIKE would read "%" in it as a wildcard.
        "SELECT id, source, place, substr(reason, ?) FROM source_item"
        " WHERE state = 'duplicate' AND substr(reason, 1, ?) = ?",
        (len(DUPLICATE) + 1, len(DUPLICATE), DUPLICATE),
    )
    by_title = []
    for item, source, place, title in rows.fetchall():
        page = writer.page_by_title(uri_part(title))
        if page is None or writer.order(*page[2:]) > writer.order(source, place):
            by_title.append(Orphan(item, source, page is not None))
    return by_title + orphans_by_content(writer.connection, writer.order)


def give_up_orphans(writer: DocumentWriter) -> dict[str, int]:
    """Record duplicates without any page as incomplete; return how many, by the label of the source to name again.

    Their hash is deleted, so that the next build that names the source reads them.
    """
    gone = [each for each in orphans(writer) if not each.has_page]
    writer.connection.executemany(
        "UPDATE source_item SET state = 'incomplete', content_hash = NULL, reason = ? WHERE id = ?",
        ((PAGE_GONE, each.id) for each in gone),
    )
    writer.changed |= bool(gone)
    writer.connection.commit()
    return Counter(each.source for each in gone)
