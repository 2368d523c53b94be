"""What a build would read and pass over, and which sources it would remove, without reading any of them.

>>> plan(Request(sources=("more/",), output=Path("kb.skb")))["removed"]       # doctest: +SKIP
12
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from builder.build import inputs_of
from builder.derive.fact_files import labels_on_record
from builder.documents.records import Reject
from builder.provenance import known_origins
from builder.readers.formats import FORMATS
from builder.readers.ignored import IS_READ, ignored_files
from builder.readers.source import OWN_SUFFIXES, Cut, Source, files_below
from builder.request import Request
from weft.errors import OldSchema
from weft.http.addresses import shown
from weft.skb import Skb


class _Removed(NamedTuple):
    """The documents of each source that would go, by label, and the fact files."""

    sources: dict[str, int]
    facts: list[str]


def plan(request: Request) -> dict[str, Any]:
    """Return what `build` would do: the sources with their formats, the fact files, and what is not named any more.

    Of each source on this machine it tells how many `files` of how many `bytes` would be read, and what would not be:
    `too_large` and `unlisted` files and folders, and `ignored` files by kind. What is wrong within a file shows only
    when it is read, and so does what is gone from a source. `removed` counts the documents of sources that are not
    named.
    """
    sources, facts = inputs_of(request, known_origins(request))
    named = {each.label for each in sources} | {each.label for each in facts} | {*map(shown, request.sparql)}
    removed = _removed(request, named)
    return {
        "output": str(request.output),
        "exists": request.output.exists(),
        "sources": [
            {"label": each.label, "format": each.format} | _extent(each, request.max_page_mb) for each in sources
        ],
        "facts": [
            {"label": each.label, "kind": each.kind, "bytes": each.path.stat().st_size} for each in facts
        ],
        "removed": sum(removed.sources.values()),
        "removed_sources": [{"label": label, "documents": count} for label, count in removed.sources.items()],
        "facts_removed": removed.facts,
        "settings": request.settings._asdict(),
    }


def _extent(source: Source, max_page_mb: float) -> dict[str, Any]:
    """Return how much there is of a source that lies on this machine, and what of it would not be read."""
    if not FORMATS[source.format].is_path:
        return {}
    found = list(_files(source))
    sizes = {path: path.stat().st_size for path in found if isinstance(path, Path)}
    n_large = sum(
        size > max_page_mb * 1e6 for path, size in sizes.items() if path.name.lower().endswith(OWN_SUFFIXES)
    )
    ignored = Counter(each.kind for each in ignored_files(source))
    return {
        "files": len(sizes), "bytes": sum(sizes.values()), "too_large": n_large,
        "unlisted": sum(isinstance(each, Cut) for each in found), "ignored": dict(sorted(ignored.items())),
    }  # fmt: skip


def _files(source: Source) -> Iterator[Path | Cut]:
    """Yield the files of a source that its format reads, and what cannot be listed."""
    if source.path.is_file():
        yield source.path
        return
    read = IS_READ.get(source.format)
    for each in files_below(source.path, ("",)):
        if isinstance(each, Cut):
            yield each
        elif not isinstance(each, Reject) and (read is None or read(source.path, each[0])):
            yield each[1]


def _removed(request: Request, named: set[str]) -> _Removed:
    # Spark's output is a folder, which is made anew.
    if request.keeps_others or not request.output.is_file():
        return _Removed({}, [])
    query = (
        "SELECT source, count(*) FROM source_item WHERE state IN ('ok', 'duplicate') GROUP BY source ORDER BY source"
    )
    try:
        with Skb(request.output) as skb:
            facts = labels_on_record(skb.connection)
            counts = dict(skb.connection.execute(query))
    except OldSchema:
        # It is read only when its schema is brought up, which writes it.
        return _Removed({}, [])
    sources = {label: count for label, count in counts.items() if label not in named | facts}
    return _Removed(sources, sorted(facts - named))
