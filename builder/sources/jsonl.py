"""Document files: JSON Lines of `{"title", "text"}` with optional id, url and links.

Records of one source with the same title are one page, wherever they stand in
the files, so lines are first laid by title in a temporary database on disk:
memory holds one page.
"""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from collections.abc import Iterator
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import Any

from builder.documents import Chunk, Document, Link, Reject
from builder.open_stream import line_batches
from builder.sources.formats import ReadOptions
from builder.sources.inputs import JSONL_SUFFIXES, Cut, Item, Source, files_below, place_of
from weft.names import title_of

EXTRACTION = b"1"


def items(source: Source, options: ReadOptions) -> Iterator[Item | Reject | Cut]:
    """Yield what could not be read of a file or folder of records, then its pages, by title."""
    with closing(sqlite3.connect("")) as shelf:
        shelf.execute("CREATE TABLE record (title TEXT, number INTEGER PRIMARY KEY, line BLOB)")
        for found in _files(source.path):
            if isinstance(found, (Reject, Cut)):
                yield found
            else:
                yield from _shelve(shelf, found[1], found[0])
        shelf.execute("CREATE INDEX by_title ON record (title, number)")
        yield from _pages(shelf)


def parse(place: str, payload: tuple[object, ...]) -> Document | Reject:
    """Make one page of the records of one title: their texts are its chunks, equal texts once."""
    chunks: dict[str, Chunk] = {}
    url = None
    marks_links, n_bad, n_bytes = False, 0, 0
    for line in payload:
        assert isinstance(line, bytes)
        try:
            record = json.loads(line.decode("utf-8", "replace"))
        except RecursionError as error:
            return Reject(place, f"not JSON: {error}")
        links, bad = _links(record, place)
        marks_links |= "links" in record
        n_bad += bad
        n_bytes += invalid_bytes(line)
        text = clean(record["text"])
        url = url or (clean(record["url"]) if isinstance(record.get("url"), str) else None)
        if text.strip():
            chunks.setdefault(text, Chunk(-1, "paragraph", 0, text, links))
    notes = [f"{n_bytes} invalid UTF-8 byte{'s' * (n_bytes != 1)} replaced"] if n_bytes else []
    if n_bad:
        notes.append(f"{n_bad} links that name no characters of the text were left out")
    note = "; ".join(notes) or None
    return Document(place, (), tuple(chunks.values()), url=url, note=note, marks_links=marks_links)


def clean(text: str) -> str:
    """Replace what no UTF-8 file can hold (lone surrogates) and the null character."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")


def invalid_bytes(line: bytes) -> int:
    """Count the bytes of a line that are no UTF-8."""
    try:
        line.decode()
    except UnicodeDecodeError:
        return sum("\udc80" <= letter <= "\udcff" for letter in line.decode("utf-8", "surrogateescape"))
    return 0


def _files(path: Path) -> Iterator[tuple[str, Path] | Reject | Cut]:
    if path.is_file():
        return iter([(place_of(path.name), path)])
    return files_below(path, JSONL_SUFFIXES)


def _shelve(shelf: sqlite3.Connection, file: Path, place: str) -> Iterator[Reject | Cut]:
    try:
        yield from _shelve_lines(shelf, file, place)
    except OSError as error:
        yield Cut(place, f"cannot be read: {error.strerror}")


def _shelve_lines(shelf: sqlite3.Connection, file: Path, place: str) -> Iterator[Reject | Cut]:
    for batch in line_batches(file):
        rows = []
        for number, line in enumerate(batch.lines, batch.first_line):
            if not line.strip():
                continue
            title, reason = _title_of_record(line)
            if reason:
                yield Reject(f"{place} line {number}", reason)
            else:
                rows.append((title, line))
        shelf.executemany("INSERT INTO record (title, line) VALUES (?, ?)", rows)
        for problem in batch.problems:
            where = f"{place} line {problem.line}"
            yield (Cut if problem.kind == "truncated" else Reject)(where, problem.reason)


def _title_of_record(line: bytes) -> tuple[str, str | None]:
    try:
        record = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        return "", f"not JSON: {error}"
    if not isinstance(record, dict):
        return "", "not an object with title and text"
    for key in ("title", "text"):
        if not isinstance(record.get(key), str):
            return "", f"{key} is missing or no string"
    title = unicodedata.normalize("NFC", " ".join(clean(record["title"]).split()))
    return title, None if title else "title is empty"


def _pages(shelf: sqlite3.Connection) -> Iterator[Item]:
    title: str | None = None
    lines: list[bytes] = []
    for own, line in shelf.execute("SELECT title, line FROM record ORDER BY title, number"):
        if own != title:
            if title is not None:
                yield _item(title, lines)
            title, lines = own, []
        lines.append(line)
    if title is not None:
        yield _item(title, lines)


def _item(title: str, lines: list[bytes]) -> Item:
    digest = blake2b(b"\n".join(lines), digest_size=16, key=EXTRACTION)
    return Item(title, digest.hexdigest(), tuple(lines))


def _links(record: dict[str, Any], page: str) -> tuple[tuple[Link, ...], int]:
    """Return the record's usable links in order, overlaps and those to its own page left out, and how many are not."""
    given = record.get("links") or []
    if not isinstance(given, list):
        return (), 1
    text = record["text"]
    links: list[Link] = []
    n_bad = 0
    for each in sorted(
        (one for one in given if _is_link(one, text)), key=lambda one: (one["start"], -one["end"])
    ):
        if links and each["start"] < links[-1].end:
            n_bad += 1
            continue
        target, _, fragment = each["target"].partition("#")
        anchor = text[each["start"] : each["end"]]
        title = title_of(clean(target), capital=False)
        links.append(Link(each["start"], each["end"], title, clean(fragment), clean(anchor)))
    own = tuple(link for link in links if link.target != page)
    return own, n_bad + sum(not _is_link(one, text) for one in given)


def _is_link(each: Any, text: str) -> bool:
    return (
        isinstance(each, dict)
        and type(each.get("start")) is int
        and type(each.get("end")) is int
        and isinstance(each.get("target"), str)
        and bool(title_of(each["target"].partition("#")[0], capital=False))
        and 0 <= each["start"] < each["end"] <= len(text)
    )
