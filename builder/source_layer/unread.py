"""Files and folders that the system does not let a build read, as they are on record until one can."""

from __future__ import annotations

from builder.readers.source import UNLISTED, UNREAD, Cut
from builder.source_layer.writer import DocumentWriter


def unread_place(entry: Cut) -> str | None:
    """Return the place of a file or, with `/` at its end, of a folder that cannot be read; None for any other break.

    >>> unread_place(Cut("a.html", "cannot be read: Permission denied"))
    'a.html'
    """
    if entry.reason.startswith(UNLISTED):
        return f"{entry.place}/"
    return entry.place if entry.reason.startswith(UNREAD) else None


def forget_mended(writer: DocumentWriter, label: str) -> None:
    """Remove what is on record of breaks in a source that was now read as a whole without coming upon them."""
    unseen = writer.connection.execute(
        # What a page on record could not be read from this time has the state `ok`, and stays.
        "SELECT id FROM source_item WHERE source = ? AND state = 'incomplete' AND id NOT IN (SELECT id FROM seen)",
        (label,),
    )
    for (identity,) in unseen.fetchall():
        writer.remove(identity)
