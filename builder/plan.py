"""What a build would read and pass over, and which sources it would remove, without reading any of them.

>>> plan(Request(sources=("more/",), output=Path("kb.skb")))["removed"]       # doctest: +SKIP
12
"""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from builder.build import inputs_of
from builder.derive.fact_files import labels_on_record
from builder.derive.graph_nodes import GRAPH_KINDS
from builder.documents.records import Reject
from builder.provenance import known_origins
from builder.readers.formats import FORMATS
from builder.readers.ignored import IS_READ, ignored_files
from builder.readers.source import OWN_SUFFIXES, Cut, Source, files_below, place_of
from builder.request import Request
from builder.source_layer.writer import DUPLICATE
from builder.storage.leftover import own_files
from weft.errors import OldSchema
from weft.http.addresses import shown
from weft.skb import Skb

MOST_PLACES = 5
"""Documents that would go and are named, of each source."""
ON_RECORD = (
    "SELECT source_item.place, ifnull(page.title, source_item.reason) IN (source_item.place, ? || source_item.place)"
    " FROM source_item LEFT JOIN page ON page.source_id = source_item.id"
    " WHERE source = ? AND state IN ('ok', 'duplicate') ORDER BY place"
)
"""The places of a source's documents, each with whether it is the document's title, as in dumps and JSON Lines."""


class _Listed(NamedTuple):
    """The files of a source that its format reads, by place, other things' places, and how many folders stay unread."""

    files: dict[str, Path]
    odd: set[str]
    n_unlisted: int


class _Removed(NamedTuple):
    """How many documents of sources not named would go, by label, the places gone from those named, and fact files."""

    sources: dict[str, int]
    places: dict[str, list[str]]
    facts: list[str]


def plan(request: Request) -> dict[str, Any]:
    """Return what `build` would do: the sources with their formats, the fact files, and what is not named any more.

    Of each source on this machine it tells how many `files` of how many `bytes` would be read, and what would not be:
    `too_large` and `unlisted` files and folders, and `ignored` files by kind. What is wrong within a file shows only
    when it is read. `removed` counts the documents that would go: those of sources that are not named, and those whose
    files are gone from a folder (`removed_documents`). What is gone from within a file, such as a record of JSON Lines,
    or from an archive, it does not tell.
    """
    sources, facts = inputs_of(request, known_origins(request))
    named = {each.label for each in sources} | {each.label for each in facts} | {*map(shown, request.sparql)}
    listed = {each.label: _listed(each) for each in sources if FORMATS[each.format].is_path}
    removed = _removed(request, sources, listed, named)
    gone = [
        {"label": label, "documents": len(places), "places": places[:MOST_PLACES]}
        for label, places in removed.places.items()
    ]
    return {
        "output": str(request.output),
        "exists": request.output.exists(),
        "sources": [
            {"label": each.label, "format": each.format} | _extent(each, listed.get(each.label), request)
            for each in sources
        ],
        "facts": [
            {"label": each.label, "kind": each.kind, "bytes": each.path.stat().st_size} for each in facts
        ],
        "removed": sum(removed.sources.values()) + sum(map(len, removed.places.values())),
        "removed_sources": [{"label": label, "documents": count} for label, count in removed.sources.items()],
        "removed_documents": gone,
        "facts_removed": removed.facts,
        "settings": request.settings._asdict(),
    }


def _listed(source: Source) -> _Listed:
    """Look at a source that lies on this machine."""
    if source.path.is_file():
        return _Listed({place_of(source.path.name): source.path}, set(), 0)
    read = IS_READ.get(source.format)
    listed = _Listed({}, set(), 0)
    for each in files_below(source.path, ("",)):
        if isinstance(each, Cut):
            listed = listed._replace(n_unlisted=listed.n_unlisted + 1)
        elif isinstance(each, Reject):
            listed.odd.add(each.place)
        elif read is None or read(source.path, each[0]):
            listed.files[each[0]] = each[1]
    return listed


def _extent(source: Source, listed: _Listed | None, request: Request) -> dict[str, Any]:
    """Return how much there is of a source that lies on this machine, and what of it would not be read."""
    if listed is None:
        return {}
    sizes = {path: path.stat().st_size for path in listed.files.values()}
    n_large = sum(
        size > request.max_page_mb * 1e6 for path, size in sizes.items() if path.name.lower().endswith(OWN_SUFFIXES)
    )
    ignored = Counter(each.kind for each in ignored_files(source, own_files(request.output)))
    return {
        "files": len(sizes), "bytes": sum(sizes.values()), "too_large": n_large,
        "unlisted": listed.n_unlisted, "ignored": dict(sorted(ignored.items())),
    }  # fmt: skip


def _removed(request: Request, sources: list[Source], listed: Mapping[str, _Listed], named: set[str]) -> _Removed:
    # Spark's output is a folder, which is made anew.
    if request.keeps_others or not request.output.is_file():
        return _Removed({}, {}, [])
    query = (
        "SELECT source, count(*) FROM source_item WHERE state IN ('ok', 'duplicate') GROUP BY source ORDER BY source"
    )
    try:
        with Skb(request.output) as skb:
            facts = labels_on_record(skb.connection)
            counts = dict(skb.connection.execute(query))
            gone = {
                each.label: _gone(skb.connection, each, listed[each.label])
                for each in sources
                if each.path.is_dir() and each.format not in GRAPH_KINDS
            }
    except OldSchema:
        # It is read only when its schema is brought up, which writes it.
        return _Removed({}, {}, [])
    not_named = {label: count for label, count in counts.items() if label not in named | facts}
    return _Removed(not_named, {label: places for label, places in gone.items() if places}, sorted(facts - named))


def _gone(connection: sqlite3.Connection, source: Source, listed: _Listed) -> list[str]:
    """Return the places of files that are on record and gone from a folder; none where it cannot be read whole.

    A place that is no file's name, and one that is a title, is a document's
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
