"""What a build would read, and which sources it would remove, without reading any of them.

>>> plan(Request(sources=("more/",), output=Path("kb.skb")))["removed"]       # doctest: +SKIP
12
"""

from __future__ import annotations

from typing import Any, NamedTuple

from builder.build import inputs_of
from builder.derive.fact_files import labels_on_record
from builder.provenance import known_origins
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

    `removed` counts the documents of sources that are not named; what is gone
    from a source that is named shows only when it is read.
    """
    sources, facts = inputs_of(request, known_origins(request))
    named = {each.label for each in sources} | {each.label for each in facts} | {*map(shown, request.sparql)}
    removed = _removed(request, named)
    return {
        "output": str(request.output),
        "exists": request.output.exists(),
        "sources": [{"label": source.label, "format": source.format} for source in sources],
        "facts": [
            {"label": each.label, "kind": each.kind, "bytes": each.path.stat().st_size} for each in facts
        ],
        "removed": sum(removed.sources.values()),
        "removed_sources": [{"label": label, "documents": count} for label, count in removed.sources.items()],
        "facts_removed": removed.facts,
        "settings": request.settings._asdict(),
    }


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
