"""Document files: JSON Lines of `{"title", "text"}` with optional id, url and links.

Records of one source with the same title are one page, wherever they stand in
the files, so lines are first sorted by title in a temporary database on disk:
memory holds one page. There their links are looked up too, since only the
whole source shows that `C#` is a title and no section of `C`.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from builder.documents.paragraphs import paragraphs_of
from builder.documents.records import Chunk, Document, Link, Reject
from builder.readers.registry import ReadOptions
from builder.readers.source import JSONL_SUFFIXES, Cut, Item, Source, files_below, place_of, unread
from builder.streams.lines import line_batches
from weft.text.json_text import parsed_json
from weft.text.names import title_of
from weft.text.normalise import LONE_SURROGATE, is_visible, normalized, storable

EXTRACTION = b"5"

OVERLAPS = "overlapping another one"
OUTSIDE = "outside the text"
NO_TARGET = "without a title"
MOST_FRAGMENTS = 50
"""A target with more `#` is not looked up: each of them could end a title."""
INVALID, LONE = "invalid UTF-8 byte", "lone surrogate"
NO_LIST = "of `links` that is no list"
TOO_DEEP = "not JSON that can be read: nested too deep"
TRIPLE_KEYS = frozenset(("subject", "predicate", "object"))
A_TRIPLE = "a triple, no document; name its file with --triples and keep it out of the folder"


class Target(NamedTuple):
    """What a link's target means: the title of a page, and a fragment of it."""

    title: str
    fragment: str


def items(source: Source, options: ReadOptions) -> Iterator[Item | Reject | Cut]:
    """Yield what could not be read of a file or folder of records, then its pages, by title."""
    with closing(sqlite3.connect("")) as shelf:
        shelf.execute("CREATE TABLE record (title TEXT, key TEXT, number INTEGER PRIMARY KEY, line BLOB)")
        for found in source.files or _files(source.path):
            if isinstance(found, (Reject, Cut)):
                yield found
            else:
                yield from _shelve(shelf, found[1], found[0], options.max_page_bytes)
        shelf.execute("CREATE INDEX by_title ON record (title, number)")
        shelf.execute("CREATE INDEX by_key ON record (key) WHERE key <> title")
        yield from _pages(shelf)


def parse(place: str, payload: tuple[object, ...]) -> Document | Reject:
    """Make one page of the records of one title: the paragraphs of their texts are its chunks, equal texts once.

    `payload` has the targets that the source knows better than their spelling, then the lines.
    """
    targets, *lines = payload
    assert isinstance(targets, dict)
    passages: dict[str, _Passage] = {}
    url, replaced, left_out = None, Counter[str](), Counter[str]()
    for line in lines:
        assert isinstance(line, bytes)
        try:
            record = parsed_json(line.decode("utf-8", "replace"))
        except RecursionError:
            return Reject(place, TOO_DEEP)
        replaced += _replaced(line, record)
        text = storable(record["text"])
        url = url or (storable(record["url"]) if isinstance(record.get("url"), str) else None)
        passage = passages.setdefault(text, _Passage([], []))
        passage.marks.append(record.get("links") is not None)
        passage.links.extend(_usable(record, targets, left_out))
    chunks = tuple(
        each
        for text, own in passages.items()
        if text.strip()
        for each in paragraphs_of(
            Chunk(-1, "paragraph", 0, text, _apart(own.links, place, left_out), any(own.marks))
        )
    )
    return Document(place, (), chunks, url=url, note=_note(replaced, left_out))


class _Passage(NamedTuple):
    """What the records of one text say of it: whether each marks links, and the links."""

    marks: list[bool]
    links: list[Link]


def _replaced(line: bytes, record: dict[str, Any]) -> Counter[str]:
    """Count what of a record becomes U+FFFD, by its kind."""
    lone = sum(len(LONE_SURROGATE.findall(record[key])) for key in ("title", "text"))
    return +Counter({INVALID: invalid_bytes(line), LONE: lone})


def _note(replaced: Mapping[str, int], left_out: Mapping[str, int]) -> str | None:
    notes = [f"{n} {kind}{'s' * (n != 1)} replaced" for kind, n in replaced.items()]
    if left_out:
        notes.append("links left out: " + ", ".join(f"{n} {reason}" for reason, n in sorted(left_out.items())))
    return "; ".join(notes) or None


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


def _shelve(shelf: sqlite3.Connection, file: Path, place: str, max_line: int) -> Iterator[Reject | Cut]:
    try:
        yield from _shelve_lines(shelf, file, place, max_line)
    except OSError as error:
        yield unread(place, error)


def _shelve_lines(
    shelf: sqlite3.Connection, file: Path, place: str, max_line: int
) -> Iterator[Reject | Cut]:
    for batch in line_batches(file, max_line=max_line):
        rows = []
        for number, line in enumerate(batch.lines, batch.first_line):
            if not line.strip():
                continue
            title, reason = _title_of_record(line)
            if reason:
                yield Reject(f"{place} line {number}", reason)
            else:
                rows.append((title, title_of(title, capital=False), line))
        shelf.executemany("INSERT INTO record (title, key, line) VALUES (?, ?, ?)", rows)
        for problem in batch.problems:
            where = f"{place} line {problem.line}"
            yield (Cut if problem.kind == "truncated" else Reject)(where, problem.reason)


def _title_of_record(line: bytes) -> tuple[str, str | None]:
    try:
        record = parsed_json(line.decode("utf-8", "replace"))
    except RecursionError:
        return "", TOO_DEEP
    except ValueError as error:
        return "", f"not JSON: {error}"
    if not isinstance(record, dict):
        return "", "not an object with title and text"
    for key in ("title", "text"):
        if not isinstance(record.get(key), str):
            return "", A_TRIPLE if record.keys() >= TRIPLE_KEYS else f"{key} is missing or no string"
    title = _title(record["title"])
    if title and not is_visible(title):
        return title, "title has no visible character"
    return title, None if title else "title is empty"


def _title(text: str) -> str:
    return normalized("NFC", " ".join(storable(text).split()))


def _pages(shelf: sqlite3.Connection) -> Iterator[Item]:
    has_odd_titles = shelf.execute("SELECT 1 FROM record WHERE key <> title LIMIT 1").fetchone() is not None
    rows = shelf.execute("SELECT title, line FROM record ORDER BY title, number")
    for title, own in groupby(rows, key=itemgetter(0)):
        lines = [line for _, line in own]
        yield _item(title, lines, _known_targets(shelf, lines, has_odd_titles))


def _item(title: str, lines: list[bytes], targets: dict[str, Target]) -> Item:
    digest = blake2b(b"\n".join(lines), digest_size=16, key=EXTRACTION)
    if targets:
        digest.update(json.dumps(sorted(targets.items())).encode())
    return Item(title, digest.hexdigest(), (targets, *lines))


def _usable(record: dict[str, Any], targets: Mapping[str, Target], left_out: Counter[str]) -> Iterator[Link]:
    """Yield the record's links that stand in its text and lead to a title; count the others."""
    given, text = record.get("links"), record["text"]
    if given is None:
        return
    if not isinstance(given, list):
        left_out[NO_LIST] += 1
        return
    for each in given:
        if not _is_span(each, text):
            left_out[OUTSIDE] += 1
        elif not isinstance(each.get("target"), str):
            left_out[NO_TARGET] += 1
        else:
            target = targets.get(each["target"]) or _as_written(each["target"])
            if target.title:
                anchor = storable(text[each["start"] : each["end"]])
                yield Link(each["start"], each["end"], target.title, target.fragment, anchor)
            else:
                left_out[NO_TARGET] += 1


def _is_span(each: Any, text: str) -> bool:
    return (
        isinstance(each, dict)
        and type(each.get("start")) is int
        and type(each.get("end")) is int
        and 0 <= each["start"] < each["end"] <= len(text)
    )


def _apart(links: Iterable[Link], page: str, left_out: Counter[str]) -> tuple[Link, ...]:
    """Return links in order, overlaps and those to their own page left out; of equal ones one stays."""
    kept: list[Link] = []
    for link in sorted(dict.fromkeys(links), key=lambda one: (one.start, -one.end)):
        if kept and link.start < kept[-1].end:
            left_out[OVERLAPS] += 1
        else:
            kept.append(link)
    return tuple(link for link in kept if link.target != page)


def _as_written(target: str) -> Target:
    """Return what a target means by its spelling alone."""
    title, _, fragment = storable(target).partition("#")
    return Target(title_of(title, capital=False), fragment)


def _known_targets(shelf: sqlite3.Connection, lines: list[bytes], has_odd_titles: bool) -> dict[str, Target]:
    """Return the targets of some lines that mean another title of the source than their spelling tells."""
    found: dict[str, Target] = {}
    for line in lines:
        # Where all titles are spelt as targets are read, only a `#` can mean two things.
        if b'"links"' not in line or not (has_odd_titles or b"#" in line or b"\\u0023" in line):
            continue
        given = parsed_json(line.decode("utf-8", "replace")).get("links")
        for each in given if isinstance(given, list) else ():
            target = each.get("target") if isinstance(each, dict) else None
            if isinstance(target, str) and target not in found:
                known = _known(shelf, target)
                if known is not None and known != _as_written(target):
                    found[target] = known
    return found


def _known(shelf: sqlite3.Connection, target: str) -> Target | None:
    """Find a target among the source's titles: whole, then up to each `#`, the last one first."""
    pieces = storable(target).split("#")
    if len(pieces) > MOST_FRAGMENTS:
        return None
    for n in range(len(pieces), 0, -1):
        head = _title("#".join(pieces[:n]))
        key = title_of(head, capital=False)
        row = shelf.execute(
            "SELECT title FROM record WHERE title IN (?, ?) ORDER BY title <> ? LIMIT 1", (head, key, head)
        ).fetchone() or shelf.execute(
            "SELECT title FROM record WHERE key = ? AND key <> title ORDER BY title LIMIT 1", (key,)
        ).fetchone()
        if row is not None:
            return Target(row[0], "#".join(pieces[n:]))
    return None
