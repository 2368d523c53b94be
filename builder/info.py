"""The contents of an SKB: counts of every kind, triples by outcome, rejects, build times."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from builder.rdf.predicates import FATES
from builder.source_layer.left_out import left_out, records_left_out
from weft.meta import get_meta


def info(connection: sqlite3.Connection, path: Path, *, most: int = 10) -> dict[str, Any]:
    """Return counts of every kind, the embedder, triples by fate, the most cited entities, and build times."""
    execute = connection.execute
    fates: Counter[str] = Counter()
    facts = get_meta(connection, "facts", [])
    for record in facts:
        fates.update(record["fates"])
    return {
        "file": path.name,
        "bytes": path.stat().st_size,
        "counts": counts_of(connection),
        "documents": dict(
            execute(
                "SELECT state, count(*) FROM source_item WHERE source NOT IN"
                " (SELECT value ->> 'label' FROM json_each((SELECT value FROM meta WHERE key = 'facts')))"
                " GROUP BY state ORDER BY state"
            )
        ),
        "chunk kinds": dict(execute("SELECT kind, count(*) FROM chunk GROUP BY kind ORDER BY kind")),
        "entities": {
            "with a page": _one(connection, "SELECT count(*) FROM entity WHERE page_id IS NOT NULL"),
            "typed": _one(connection, "SELECT count(*) FROM entity WHERE type IS NOT NULL"),
        },
        "embedder": get_meta(connection, "embedder"),
        "vectors": dict(execute("SELECT space, sum(length(ids) / 8) FROM vector GROUP BY space ORDER BY space")),
        "triples": {fate: fates[fate] for fate in FATES if fates[fate]} | {"lines": fates.total()},
        "facts": facts,
        "most cited entities": [
            {"uri": uri, "chunks": chunks}
            for uri, chunks in execute(
                "SELECT uri, count(*) AS chunks FROM cites JOIN entity ON entity.id = entity_id"
                " GROUP BY entity_id ORDER BY chunks DESC, uri LIMIT ?",
                (most,),
            )
        ],
        "rejects": _one(connection, "SELECT count(*) FROM source_item WHERE state IN ('rejected', 'incomplete')"),
        "left out": left_out(connection, get_meta(connection, "build", {}).get("ignored", [])),
        "build": get_meta(connection, "build", {}),
    }


def rejects(connection: sqlite3.Connection) -> list[dict[str, str]]:
    """Return every input that was not taken as it is: its source, place, state and the reason.

    Ignored files stand at the end, those of one source and kind in one record.
    """
    rows = connection.execute(
        "SELECT source, place, state, reason FROM source_item WHERE state <> 'ok' OR reason IS NOT NULL"
        " ORDER BY source, place"
    )
    found = [dict(zip(("source", "place", "state", "reason"), row, strict=True)) for row in rows]
    return [*found, *records_left_out(connection)]


def pages(connection: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Yield every page by uri: its uri, title, source, url, language and time of change."""
    keys = ("uri", "title", "source", "url", "language", "modified")
    rows = connection.execute(
        "SELECT uri, title, source, url, language, modified FROM page JOIN source_item ON source_item.id = source_id"
        " ORDER BY uri"
    )
    return (dict(zip(keys, row, strict=True)) for row in rows)


def counts_of(connection: sqlite3.Connection) -> dict[str, int]:
    """Count the rows of the tables that make a knowledge base."""
    tables = ("page", "section", "chunk", "link", "mention", "entity", "cites", "relation", "relation_type",
              "attribute", "alias")  # fmt: skip
    return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}


def _one(connection: sqlite3.Connection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])
