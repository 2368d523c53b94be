"""Fact files on record: which were named, their hashes when they were read, and the counts of their lines."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from builder.derive.workspace import empty
from builder.rdf.predicates import MALFORMED
from builder.readers.graphs.readers import reader_of
from builder.readers.source import place_of
from builder.request import FactInput
from builder.storage.fingerprints import hash_of_files
from builder.streams.lines import Kind
from weft.meta import get_meta, set_meta

# Only a truncated stream ends a file: reading goes on after lines that are malformed or too long.
STATE_OF_PROBLEM: Mapping[Kind, str] = {
    "malformed": "rejected",
    "too long": "rejected",
    "truncated": "incomplete",
    "noted": "noted",
}
"""The recorded state of a line or file, by the kind of its problem."""

LINE_KINDS = ("rdf", "triples")
"""Kinds of fact files whose every line is counted; of a graph only the edges are."""


class FactFile(NamedTuple):
    """A fact file named for this build; `kind` is rdf or triples."""

    label: str
    kind: str
    path: Path
    content_hash: str
    source_id: int


def hash_of(path: Path, kind: str = "") -> str:
    """Return a hash of a file's bytes, or of those of the files that a graph folder is read from."""
    return hash_of_files(reader_of(kind).files(path) if path.is_dir() else [path])


def materialize_fact_files(
    connection: sqlite3.Connection, named: Sequence[FactInput], *, keep_others: bool
) -> list[FactFile]:
    """Record the named fact files; drop the records of the others unless `keep_others`.

    Fills the temporary table `fact_file` (label, kind, named) with all that are
    on record afterwards, and returns the named ones. The earlier facts of a file
    that is not `named`, or proves to be truncated, stay; those read from it as
    another kind of file do not.
    """
    execute = connection.execute
    forget_labels(connection, _of_another_kind(connection, named))
    empty(connection, "fact_file")
    files = []
    for label, kind, path in named:
        digest = hash_of(path, kind)
        execute(
            "INSERT INTO source_item (source, place, content_hash, state) VALUES (?, ?, ?, 'ok')"
            " ON CONFLICT (source, place) DO UPDATE SET content_hash = excluded.content_hash",
            (label, place_of(path.name), digest),
        )
        (identity,) = execute(
            "SELECT id FROM source_item WHERE source = ? AND place = ?", (label, place_of(path.name))
        ).fetchone()
        files.append(FactFile(label, kind, path, digest, identity))
        execute("INSERT INTO temp.fact_file VALUES (?, ?, 1)", (label, kind))
    for record in get_meta(connection, "facts", []):
        if keep_others:
            execute(
                "INSERT OR IGNORE INTO temp.fact_file VALUES (?, ?, 0)", (record["label"], record["kind"])
            )
    return files


def forget_removed(connection: sqlite3.Connection) -> None:
    """Delete what was derived from documents that have been removed, before a fact file is given the id of one."""
    for table in ("attribute", "entity_type", "relation_source"):
        connection.execute(f"DELETE FROM {table} WHERE source_id NOT IN (SELECT id FROM source_item)")


def _of_another_kind(connection: sqlite3.Connection, named: Iterable[FactInput]) -> list[str]:
    kinds = {each.label: each.kind for each in named}
    records = get_meta(connection, "facts", [])
    return [each["label"] for each in records if kinds.get(each["label"], each["kind"]) != each["kind"]]


def labels_on_record(connection: sqlite3.Connection) -> set[str]:
    """Return the labels of all fact files that the SKB was built with."""
    return {record["label"] for record in get_meta(connection, "facts", [])}


def record_fates(connection: sqlite3.Connection, file: FactFile, fates: Counter[str], complete: bool) -> None:
    """Record how many of a file's lines had each outcome; `lines` is their sum."""
    kept = [record for record in get_meta(connection, "facts", []) if record["label"] != file.label]
    kept.append(
        {
            "label": file.label,
            "kind": file.kind,
            "lines": fates.total(),
            "complete": complete,
            "fates": {fate: count for fate, count in sorted(fates.items()) if count},
        }
    )
    set_meta(connection, "facts", sorted(kept, key=lambda record: record["label"]))


def record_problems(
    connection: sqlite3.Connection, file: FactFile, problems: Iterable[tuple[int, str, str]]
) -> None:
    """Record the lines that could not be read, as (line number from 1, state, reason)."""
    connection.executemany(
        "INSERT OR REPLACE INTO source_item (source, place, state, reason) VALUES (?, ?, ?, ?)",
        (
            (file.label, f"{place_of(file.path.name)} line {line}", state, reason)
            for line, state, reason in problems
        ),
    )


def malformed_notes(connection: sqlite3.Connection, labels: Iterable[str]) -> list[str]:
    """Return a line for each of these files that has malformed lines: how many, and what is wrong with the first."""
    records = {record["label"]: record for record in get_meta(connection, "facts", [])}
    notes = []
    for label in labels:
        record = records.get(label, {"lines": 0, "fates": {}})
        lost = record["fates"].get(MALFORMED, 0)
        first = connection.execute(
            "SELECT place, reason FROM source_item WHERE source = ? AND state = 'rejected' ORDER BY id LIMIT 1",
            (label,),
        ).fetchone()
        if lost and first and not _breaks_off_at_once(record):
            part = _part(record, lost)
            verb = "is" if lost == 1 or part == "every line" else "are"
            notes.append(f"{label}: {part} {verb} malformed; the first is {first[0]}: {first[1]}")
    return notes


def _part(record: dict[str, Any], lost: int) -> str:
    if record["kind"] not in LINE_KINDS:
        return f"{lost:,} line{'s' * (lost != 1)}"
    return "every line" if lost == record["lines"] else f"{lost:,} of {record['lines']:,} lines"


def empty_notes(connection: sqlite3.Connection, labels: Iterable[str]) -> list[str]:
    """Return a line for each of these files that holds no fact, or none before it breaks off; graphs are left out."""
    wanted, notes = set(labels), []
    for record in get_meta(connection, "facts", []):
        if record["label"] not in wanted or record["kind"] not in LINE_KINDS:
            continue
        if record["complete"] and not record["lines"]:
            notes.append(f"{record['label']}: holds no facts; it is empty, or all comments and declarations")
        elif _breaks_off_at_once(record):
            notes.append(f"{record['label']}: breaks off before any line of it is complete; fetch or pack it anew")
    return notes


def _breaks_off_at_once(record: Mapping[str, Any]) -> bool:
    """Tell whether a file has no line but, at most, the beginning of one where it breaks off."""
    lost = record["fates"].get(MALFORMED, 0)
    return not record.get("complete", True) and record["lines"] == lost <= 1


def forget_problems(connection: sqlite3.Connection, file: FactFile) -> None:
    """Delete the problem lines recorded by an earlier reading; the file's own item stays."""
    connection.execute("DELETE FROM source_item WHERE source = ? AND id <> ?", (file.label, file.source_id))


def retain(connection: sqlite3.Connection, file: FactFile) -> None:
    """Keep a file's earlier facts: it was not read to its end."""
    connection.execute("UPDATE temp.fact_file SET named = 0 WHERE label = ?", (file.label,))


def is_retained(connection: sqlite3.Connection, file: FactFile) -> bool:
    """Tell whether a file's earlier facts are kept."""
    row = connection.execute("SELECT named FROM temp.fact_file WHERE label = ?", (file.label,)).fetchone()
    return row is not None and not row[0]


def forget_unnamed(connection: sqlite3.Connection) -> int:
    """Remove every fact file that is no longer in `fact_file` from the SKB, with its facts; return their number."""
    kept = {label for (label,) in connection.execute("SELECT label FROM temp.fact_file")}
    gone = [label for label in sorted(labels_on_record(connection)) if label not in kept]
    forget_labels(connection, gone)
    return len(gone)


def forget_labels(connection: sqlite3.Connection, gone: Sequence[str]) -> None:
    """Remove the records and the facts of the fact files with these labels."""
    for label in gone:
        for table in ("statement", "entity_type", "attribute", "relation_source"):
            connection.execute(
                f"DELETE FROM {table} WHERE source_id IN (SELECT id FROM source_item WHERE source = ?)",
                (label,),
            )
        connection.execute("DELETE FROM source_item WHERE source = ?", (label,))
    if gone:
        records = get_meta(connection, "facts", [])
        set_meta(connection, "facts", [record for record in records if record["label"] not in gone])
