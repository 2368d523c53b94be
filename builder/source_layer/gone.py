"""Files that are gone from a folder, as far as that can be told without reading any."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import NamedTuple

from builder.documents.records import Reject
from builder.readers.formats import FORMATS
from builder.readers.ignored import IS_READ
from builder.readers.source import OWN_SUFFIXES, Cut, Source, files_below, place_of
from builder.source_layer.writer import DUPLICATE

ON_RECORD = (
    "SELECT source_item.place, ifnull(page.title, source_item.reason) IN (source_item.place, ? || source_item.place)"
    " FROM source_item LEFT JOIN page ON page.source_id = source_item.id"
    " WHERE source = ? AND state IN ('ok', 'duplicate') ORDER BY place"
)
"""The places of a source's documents, each with whether it is the document's title, as in dumps and JSON Lines."""


class Listed(NamedTuple):
    """The files of a source that its format reads, by place, other things' places, and how many folders stay unread."""

    files: dict[str, Path]
    odd: set[str]
    n_unlisted: int


def listed_files(source: Source) -> Listed:
    """Look at a source that lies on this machine."""
    if source.path.is_file():
        return Listed({place_of(source.path.name): source.path}, set(), 0)
    read = IS_READ.get(source.format)
    listed = Listed({}, set(), 0)
    for each in files_below(source.path, ("",)):
        if isinstance(each, Cut):
            listed = listed._replace(n_unlisted=listed.n_unlisted + 1)
        elif isinstance(each, Reject):
            listed.odd.add(each.place)
        elif read is None or read(source.path, each[0]):
            listed.files[each[0]] = each[1]
    return listed


def gone_files(connection: sqlite3.Connection, source: Source, listed: Listed) -> list[str]:
    """Return the places of files that are on record and gone from a folder; none where it cannot be read whole.

    A place that is no file's name, and one that is a title, as of a page called by its file's name, is a document's
    within a file, which is not looked into: nothing is told of it.
    """
    if listed.n_unlisted or not all(os.access(path, os.R_OK) for path in listed.files.values()):
        return []
    all_are_files = bool(FORMATS[source.format].suffixes)
    return [
        place
        for place, is_title in connection.execute(ON_RECORD, (DUPLICATE, source.label))
        if place not in listed.files and place not in listed.odd
        and (all_are_files or (not is_title and place.lower().endswith(OWN_SUFFIXES)))
    ]  # fmt: skip
