"""The folder layout of BEIR: the chunks as a corpus, and questions with what is judged relevant to them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from builder.export.output import Export, new_folder, open_text
from builder.export.rows import Row, RowWriter, read_whole, write_rows
from builder.request import SILENT, Progress
from weft.beir import CORPUS, QRELS, QUERIES, Judgements, document_line, query_line

# The headings above a chunk come as metadata: in the text they would change what is searched.
CHUNKS = (
    "SELECT chunk.uri, page.title, chunk.text, chunk.kind, section.path_text FROM chunk"
    " JOIN page ON page.id = chunk.page_id LEFT JOIN section ON section.id = chunk.section_id ORDER BY chunk.uri"
)


class JudgedQuestion(NamedTuple):
    """A question and the uris of the chunks that answer it; `unresolved` gold items name nothing in the SKB."""

    id: str
    question: str
    uris: tuple[str, ...]
    unresolved: int = 0


def export_beir(
    connection: sqlite3.Connection,
    path: Path,
    questions: Iterable[JudgedQuestion] | None = None,
    *,
    force: bool = False,
    progress: Progress = SILENT,
) -> Export:
    """Write the corpus and, where questions are given, these and their judgements as the split `test`.

    Raises WeftError where the folder exists (without `force`) or cannot be written.
    """
    read_whole(connection)
    with new_folder(path, (CORPUS, QUERIES, QRELS), force=force) as folder:
        with open_text(folder / CORPUS) as out:
            counts = write_rows(connection, out, [RowWriter("chunks", CHUNKS, _document)], progress)
        if questions is not None:
            progress.stage("questions")
            counts |= _write_questions(folder, questions, progress)
    return Export("beir", path, counts)


def _document(row: Row) -> str:
    uri, title, text, kind, section = row
    about = {"kind": kind} | ({} if section is None else {"section": section})
    return document_line(uri, title, text, about)


def _write_questions(folder: Path, questions: Iterable[JudgedQuestion], progress: Progress) -> dict[str, int]:
    counts = {"questions": 0, "judgements": 0, "unjudged questions": 0, "unresolved gold items": 0}
    (folder / "qrels").mkdir()
    with open_text(folder / QUERIES) as queries, open_text(folder / QRELS) as qrels:
        judgements = Judgements(qrels)
        for each in questions:
            queries.write(query_line(each.id, each.question))
            judgements.write(each.id, each.uris)
            counts["questions"] += 1
            counts["judgements"] += len(each.uris)
            counts["unjudged questions"] += not each.uris
            counts["unresolved gold items"] += each.unresolved
            progress.advance(1)
    return counts
