"""The folder layout of BEIR: the chunks as a corpus, and questions with what is judged relevant to them."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from builder.export.output import Export, new_folder, open_text
from builder.export.rows import Row, RowWriter, read_whole, write_rows
from builder.request import SILENT, Progress

FILES = ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv")

CHUNKS = (
    "SELECT chunk.uri, page.title, chunk.text, chunk.kind, section.path_text FROM chunk"
    " JOIN page ON page.id = chunk.page_id LEFT JOIN section ON section.id = chunk.section_id ORDER BY chunk.uri"
)


class Judged(NamedTuple):
    """A question and the uris of the chunks that answer it; `unresolved` gold items name nothing in the SKB."""

    id: str
    question: str
    uris: tuple[str, ...]
    unresolved: int = 0


def export_beir(
    connection: sqlite3.Connection,
    path: Path,
    questions: Iterable[Judged] | None = None,
    *,
    force: bool = False,
    progress: Progress = SILENT,
) -> Export:
    """Write the corpus and, where questions are given, these and their judgements as the split `test`."""
    read_whole(connection)
    with new_folder(path, FILES, force=force) as folder:
        with open_text(folder / FILES[0]) as out:
            counts = write_rows(connection, out, [RowWriter("chunks", CHUNKS, _document)], progress)
        if questions is not None:
            progress.stage("questions")
            counts |= _write_questions(folder, questions, progress)
    return Export("beir", path, counts)


def _document(row: Row) -> str:
    uri, title, text, kind, section = row
    about = {"kind": kind} | ({} if section is None else {"section": section})
    return _line({"_id": uri, "title": title, "text": text, "metadata": about})


def _write_questions(folder: Path, questions: Iterable[Judged], progress: Progress) -> dict[str, int]:
    counts = {"questions": 0, "judgements": 0, "unjudged questions": 0, "unresolved gold items": 0}
    (folder / "qrels").mkdir()
    with open_text(folder / FILES[1]) as queries, open_text(folder / FILES[2]) as qrels:
        # The loaders read it with csv's quoting: a uri that begins with a quotation mark needs it.
        table = csv.writer(qrels, delimiter="\t", lineterminator="\n")
        table.writerow(("query-id", "corpus-id", "score"))
        for each in questions:
            queries.write(_line({"_id": each.id, "text": each.question}))
            table.writerows((each.id, uri, 1) for uri in each.uris)
            counts["questions"] += 1
            counts["judgements"] += len(each.uris)
            counts["unjudged questions"] += not each.uris
            counts["unresolved gold items"] += each.unresolved
            progress.advance(1)
    return counts


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"
