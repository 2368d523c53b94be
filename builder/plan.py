"""What a build would read and pass over, and which sources it would remove, without reading any of them.

>>> plan(Request(sources=("more/",), output=Path("kb.skb")))["removed"]       # doctest: +SKIP
12
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from builder.build import inputs_of
from builder.derive.fact_files import labels_on_record
from builder.derive.graph_nodes import GRAPH_KINDS
from builder.provenance import known_origins
from builder.readers.formats import FORMATS
from builder.readers.ignored import ignored_files
from builder.readers.source import OWN_SUFFIXES, Source
from builder.request import Request
from builder.source_layer.gone import Listed, gone_files, listed_files
from builder.storage.leftover import own_files
from weft.errors import OldSchema
from weft.http.addresses import shown
from weft.skb import Skb

MOST_PLACES = 5
"""Documents that would go and are named, of each source."""
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
    listed = {each.label: listed_files(each) for each in sources if FORMATS[each.format].is_path}
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


def _extent(source: Source, listed: Listed | None, request: Request) -> dict[str, Any]:
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


def _removed(request: Request, sources: list[Source], listed: Mapping[str, Listed], named: set[str]) -> _Removed:
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
                each.label: gone_files(skb.connection, each, listed[each.label])
                for each in sources
                if each.path.is_dir() and each.format not in GRAPH_KINDS
            }
    except OldSchema:
        # It is read only when its schema is brought up, which writes it.
        return _Removed({}, {}, [])
    not_named = {label: count for label, count in counts.items() if label not in named | facts}
    return _Removed(not_named, {label: places for label, places in gone.items() if places}, sorted(facts - named))
