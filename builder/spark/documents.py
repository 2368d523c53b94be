"""Parsing over partitions: each task reads a source, or some files of a folder, and makes rows of its documents."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from builder.documents.records import Link, Redirect, Reject
from builder.readers.html import files as html_files
from builder.readers.ignored import Ignored
from builder.readers.links.title_index import TitleIndex
from builder.readers.registry import Entry, Outcome, ReadOptions, items, parse
from builder.readers.source import HTML_SUFFIXES, Cut, Item, Source, files_below
from builder.source_layer.rows import PENDING_URI, chunk_rows, section_rows, statement_rows
from builder.spark.arrow import Row, map_rows
from builder.spark.inputs import DocumentSource
from builder.spark.places import is_remote, on_disk, size_of
from weft.text.names import uri_part

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FILES_A_TASK = 500
SHARE_BYTES = 128 << 20
"""Bytes of sources, uncompressed, that one parsing task gets."""
UNPACKED = 6
"""Estimated ratio of uncompressed to compressed size of text, to choose the number of tasks."""

ENTRY = "rank int, number long, place string, content_hash string, state string, reason string, payload binary"
LINK = "start int, end int, target string, fragment string, anchor string"
SECTION = "uri string, parent int, title string, level int, position int, path_text string"
CHUNK = (
    "uri string, section int, position int, kind string, part int, marks_links boolean, text string,"
    f" links array<struct<{LINK}>>"
)
DOCUMENT = (
    "rank int, number long, place string, content_hash string, state string, reason string,"
    " uri string, title string, url string, language string, modified string,"
    f" sections array<struct<{SECTION}>>, chunks array<struct<{CHUNK}>>,"
    " statements array<struct<kind string, key string, value string>>"
)
"""One row an input document, with its whole content nested in it; Spark's types."""


class Task(NamedTuple):
    """What one task reads: a whole source, or `files` (place, path) of a folder, the first being number `first`."""

    source: DocumentSource
    first: int
    files: tuple[tuple[str, str], ...] | None
    problems: tuple[Reject | Cut, ...] = ()


class Reader(NamedTuple):
    """What every task needs: all sources, the options, and given titles by the rank of their source."""

    sources: tuple[DocumentSource, ...]
    options: ReadOptions
    titles: dict[int, dict[str, str]]


def parsed(spark: SparkSession, sources: list[DocumentSource], options: ReadOptions) -> DataFrame:
    """Return the documents of the sources, one nested row each, in no order."""
    tasks = [task for source in sources for task in _tasks(source)]
    titles = {each.rank: html_files.given_titles(Path(each.place)) for each in sources if _is_html_folder(each)}
    reader = Reader(tuple(sources), options, titles)
    wide = spark.sparkContext.defaultParallelism
    packed = spark.sparkContext.parallelize([(pickle.dumps(task),) for task in tasks], len(tasks))
    entries = map_rows(spark.createDataFrame(packed, "task binary"), partial(_entries, reader=reader), ENTRY)
    if len(tasks) < 2 * wide:
        # Repartition by document: a stream is read by one task, but its documents are parsed by all.
        shares = sum(map(_bytes, sources)) // SHARE_BYTES
        entries = entries.repartition(max(wide, shares), "rank", "number")
    return map_rows(entries, partial(_documents, reader=reader), DOCUMENT)


def _tasks(source: DocumentSource) -> Iterator[Task]:
    """Yield a folder of pages in parts of FILES_A_TASK, any other source whole."""
    if not _is_html_folder(source):
        yield Task(source, 0, None)
        return
    found = list(files_below(Path(source.place), HTML_SUFFIXES))
    files = [(each[0], str(each[1])) for each in found if not isinstance(each, (Reject, Cut))]
    for first in range(0, len(files), FILES_A_TASK):
        yield Task(source, first, tuple(files[first : first + FILES_A_TASK]))
    problems = tuple(each for each in found if isinstance(each, (Reject, Cut)))
    if problems:
        yield Task(source, len(files), (), problems)


def _is_html_folder(source: DocumentSource) -> bool:
    return source.format == "html" and not is_remote(source.place) and Path(source.place).is_dir()


def _bytes(source: DocumentSource) -> int:
    """Estimate how many bytes a source holds."""
    if not is_remote(source.place) and Path(source.place).is_dir():
        return sum(path.stat().st_size for path in Path(source.place).rglob("*") if path.is_file())
    size = size_of(source.place)
    return size * UNPACKED if source.place.lower().endswith((".gz", ".bz2", ".xz", ".tgz")) else size


def _entries(rows: Iterator[Row], reader: Reader) -> Iterator[Row]:
    """Read the sources of the tasks: documents, unparsed, and what cannot be read."""
    for packed in rows:
        task: Task = pickle.loads(packed["task"])
        for number, entry in enumerate(_read(task, reader), task.first):
            if isinstance(entry, Ignored):
                continue
            row: Row = {"rank": task.source.rank, "number": number, "place": entry.place}
            if isinstance(entry, Item):
                row |= {"content_hash": entry.content_hash, "payload": pickle.dumps(entry.payload)}
            else:
                row |= {"state": "rejected" if isinstance(entry, Reject) else "incomplete", "reason": entry.reason}
            yield row


def _read(task: Task, reader: Reader) -> Iterator[Entry]:
    source, options = task.source, reader.options
    if task.files is not None:
        titles = reader.titles[source.rank]
        found = files_below(Path(source.place), HTML_SUFFIXES)
        present = (each for each in found if not isinstance(each, (Reject, Cut)))
        index = TitleIndex(present, given=titles, max_page_bytes=options.max_page_bytes)
        files = [(place, Path(file)) for place, file in task.files]
        yield from html_files.file_items(files, titles, index, options.max_page_bytes)
        yield from task.problems
        return
    if not is_remote(source.place) and Path(source.place).is_dir():
        yield from items(Source(source.label, source.format, Path(source.place)), options)
        return
    with on_disk(source.place) as path:
        yield from items(Source(source.label, source.format, path), options)


def _documents(rows: Iterator[Row], reader: Reader) -> Iterator[Row]:
    """Parse what `_entries` read."""
    for row in rows:
        payload = row.pop("payload")
        if payload is not None:
            item = Item(row["place"], row["content_hash"], pickle.loads(payload))
            source = reader.sources[row["rank"]]
            row |= document_row(parse((source.format, item)), f"{source.label}/{item.place}")
        yield row


def document_row(outcome: Outcome, path: str = "") -> Row:
    """Return the content of an input document as the columns of `DOCUMENT`, without those that identify it.

    A page whose title others may share gets its uri when all is loaded; until
    then it is called by its `path`.
    """
    if isinstance(outcome, Reject):
        return {"place": outcome.place, "state": "rejected", "reason": outcome.reason}
    if isinstance(outcome, Redirect):
        redirect = {"kind": "redirect", "key": outcome.title, "value": outcome.target}
        return {"state": "ok", "statements": [redirect]}
    uri = uri_part(outcome.title) if outcome.named_by_title else PENDING_URI + uri_part(path)
    sections = section_rows(uri, outcome)
    return {
        "state": "ok",
        "reason": outcome.note,
        "uri": uri,
        **{name: getattr(outcome, name) for name in ("title", "url", "language", "modified")},
        "sections": [row._asdict() for row in sections],
        "chunks": [
            row._asdict() | {"links": _links_of(row.links)} for row in chunk_rows(uri, sections, outcome)
        ],
        "statements": [each._asdict() for each in statement_rows(uri, outcome)],
    }


def _links_of(links: tuple[Link, ...]) -> list[Row]:
    """Return the links of a chunk, of those with the same characters the first."""
    first: dict[tuple[int, int], Link] = {}
    for link in links:
        first.setdefault((link.start, link.end), link)
    return [link._asdict() for link in first.values()]
