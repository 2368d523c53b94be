"""Make an SKB of the tables that a Spark build wrote: ids by uri, rows in bulk, then the derived layer as ever.

The tables come in the order of their ids, so that one pass over each suffices:
memory holds two numbers a page.

>>> load(Path("world.tables"), Path("world.skb"))      # doctest: +SKIP
Summary(...)
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from builder.derive.fact_files import STATE_OF_PROBLEM, FactFile, record_problems
from builder.derive.pipeline import Derivation, Facts
from builder.info import counts_of
from builder.rdf.predicates import MALFORMED
from builder.request import SILENT, FactInput, Progress, Settings, Summary
from builder.source_layer.duplicates import settle_titles
from builder.source_layer.writer import DocumentWriter
from builder.spark.load.parquet_tables import TABLES_VERSION, NoTables, Tables, load_source_layer
from builder.storage.working_copy import working_copy
from weft.embedders.registry import embedder_of
from weft.meta import get_meta, set_meta


def load(
    place: str | Path, output: Path, *, embedder: str | None = None, vector_dtype: str | None = None,
    memory_mb: float = 1024.0, progress: Progress = SILENT,
) -> Summary:  # fmt: skip
    """Make `output` of the tables at `place`, a folder or a store's uri; what `output` was before is replaced.

    The result has the dump of the local build of the same sources and facts. A
    load that was stopped goes on where it was. Raises NoTables.
    """
    tables = Tables(str(place))
    meta = _meta_of(tables)
    given = {"embedder": embedder, "vector_dtype": vector_dtype}
    known = meta["settings"] | {name: value for name, value in given.items() if value is not None}
    settings = Settings(**{**known, "languages": tuple(known["languages"])})
    encoder = embedder_of(settings.embedder)
    with working_copy(output, f"load {json.dumps(meta, sort_keys=True)}") as part, tempfile.TemporaryDirectory(
        dir=output.parent
    ) as folder:
        connection = part.connection
        seconds = _load_source_layer_once(connection, tables, meta, progress)
        facts = list(_fact_files(tables, meta, Path(folder)))
        derivation = Derivation(connection, Facts(facts, False), settings, progress.stage, memory_mb)
        _set_true_hashes(connection, derivation, meta)
        derivation.run(encoder, progress.advance)
        _count_what_was_dropped(connection, tables, derivation.files, meta)
        seconds |= derivation.seconds
        summary = Summary(
            output,
            changed=True,
            resumed=part.resumed,
            documents=_documents(connection, meta),
            removed=0,
            facts_removed=0,
            facts_retained=0,
            incomplete=_incomplete(connection),
            counts=counts_of(connection),
            seconds={name: round(s, 3) for name, s in seconds.items()},
        )
        _write_meta(connection, meta, settings, summary)
    return summary


def _meta_of(tables: Tables) -> dict[str, Any]:
    rows = tables.rows("meta")
    meta = {row["key"]: json.loads(row["value"]) for row in rows}
    if not meta:
        raise NoTables(f"{tables.place}: no tables of a finished build; make them with weft build --engine spark")
    if meta["version"] != TABLES_VERSION:
        raise NoTables(f"{tables.place}: tables of version {meta['version']}, not {TABLES_VERSION}; build them anew")
    return meta


def _load_source_layer_once(
    connection: sqlite3.Connection, tables: Tables, meta: dict[str, Any], progress: Progress
) -> dict[str, float]:
    """Fill the source layer unless a stopped load did."""
    if get_meta(connection, "loaded"):
        return {}
    progress.stage("loading")
    start = time.perf_counter()
    labels = [label for label, _ in meta["sources"]]
    load_source_layer(connection, tables, labels, progress.advance)
    settle_titles(DocumentWriter(connection, {label: rank for rank, label in enumerate(labels)}))
    set_meta(connection, "loaded", True)
    connection.commit()
    return {"loading": time.perf_counter() - start}


def _fact_files(tables: Tables, meta: dict[str, Any], folder: Path) -> Iterator[FactInput]:
    """Lay the facts that were kept out as files of their old names, so that they are read as ever."""
    paths = {}
    for file in meta["facts"]:
        own = folder / str(file["number"])
        own.mkdir()
        paths[file["number"]] = own / file["name"]
        paths[file["number"]].touch()
        yield FactInput(file["label"], file["kind"], paths[file["number"]])
    for row in tables.rows("triples"):
        with paths[row["file"]].open("ab") as copy:
            copy.write(row["content"])
    for batch in tables.batches("fact"):
        lines: dict[int, list[str]] = {}
        for row in batch:
            lines.setdefault(row["file"], []).append(f"{row['subject']} {row['predicate']} {row['object']} .\n")
        for file, own_lines in lines.items():
            with paths[file].open("a", encoding="utf-8") as copy:
                copy.writelines(own_lines)


def _set_true_hashes(connection: sqlite3.Connection, derivation: Derivation, meta: dict[str, Any]) -> None:
    """Put the whole files' hashes on record, so that a later build of the same files finds nothing new."""
    hashes = {file["label"]: file["hash"] for file in meta["facts"]}
    for file in derivation.files:
        connection.execute(
            "UPDATE source_item SET content_hash = ? WHERE id = ?", (hashes[file.label], file.source_id)
        )


def _count_what_was_dropped(
    connection: sqlite3.Connection, tables: Tables, files: list[FactFile], meta: dict[str, Any]
) -> None:
    """Add the lines that the Spark build counted and dropped to those that were read here."""
    label_of = {file["number"]: file["label"] for file in meta["facts"]}
    dropped: dict[str, Counter[str]] = {}
    for row in tables.rows("fate"):
        dropped.setdefault(label_of[row["file"]], Counter())[row["fate"]] += row["n"]
    broken = set()
    of_label = {file.label: file for file in files}
    for row in tables.rows("problem"):
        label = label_of[row["file"]]
        broken |= {label} if row["kind"] == "truncated" else set()
        state = STATE_OF_PROBLEM[row["kind"]]
        record_problems(connection, of_label[label], [(row["line"], state, row["reason"])])
    records = get_meta(connection, "facts", [])
    for record in records:
        if record["kind"] != "rdf":
            continue
        if record["fates"].get(MALFORMED):
            raise NoTables(f"{tables.place}: facts of {record['label']} cannot be read again; build on one machine")
        fates = Counter(record["fates"]) + dropped.get(record["label"], Counter())
        record["fates"] = dict(sorted(fates.items()))
        record["lines"] = fates.total()
        record["complete"] = record["label"] not in broken
    set_meta(connection, "facts", records)


def _documents(connection: sqlite3.Connection, meta: dict[str, Any]) -> dict[str, int]:
    """Count the input documents as a build does."""
    labels = json.dumps([label for label, _ in meta["sources"]])
    own = "source IN (SELECT value FROM json_each(?))"
    states: dict[str, int] = dict(
        connection.execute(f"SELECT state, count(*) FROM source_item WHERE {own} GROUP BY state", (labels,))
    )
    (n_pages,) = connection.execute("SELECT count(*) FROM page").fetchone()
    return {
        "read": n_pages,
        "redirects": states.get("ok", 0) - n_pages,
        "duplicates": states.get("duplicate", 0),
        "rejected": states.get("rejected", 0),
    }


def _incomplete(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute("SELECT DISTINCT source FROM source_item WHERE state = 'incomplete' ORDER BY 1")
    return [label for (label,) in rows]


def _write_meta(
    connection: sqlite3.Connection, meta: dict[str, Any], settings: Settings, summary: Summary
) -> None:
    """Write what a local build writes about itself."""
    connection.execute("DELETE FROM meta WHERE key = 'loaded'")
    set_meta(connection, "build", {"seconds": summary.seconds, "documents": summary.documents})
    set_meta(connection, "sources", [label for label, _ in meta["sources"]])
    set_meta(connection, "source_formats", sorted({form for _, form in meta["sources"]}))
    set_meta(connection, "origins", meta["origins"])
    set_meta(connection, "settings", settings._asdict())
    connection.commit()
