"""The answers of an endpoint so far, kept beside the file that is being fetched."""

from __future__ import annotations

import json
import os
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from builder.rdf.terms import Triple
from weft.http.cache_folder import private_file
from weft.text.json_text import parsed_json


class Answers:
    """A file of finished queries as JSON lines: a hash of the query, and its triples.

    The first line names the endpoint: another one's answers are dropped. A
    line that a kill left unfinished is cut off.
    """

    def __init__(self, path: Path, url: str) -> None:
        """Open the file, and index its answers if they are of the same endpoint; UnreadableSource if it cannot be."""
        self._places: dict[str, tuple[int, int]] = {}
        self._file: IO[bytes] = os.fdopen(private_file(path), "r+b")
        self._end = 0
        head = json.dumps({"endpoint": url}).encode() + b"\n"
        if self._file.readline() == head:
            self._end = len(head)
            self._take_over()
            self._file.truncate(self._end)
        else:
            self._file.truncate(0)
            self._append(head)

    def get(self, query: str) -> list[Triple] | None:
        """Return the triples that a query was answered with; None where it was not asked yet, or they are damaged."""
        place = self._places.get(_key(query))
        if place is None:
            return None
        self._file.seek(place[0])
        try:
            triples = parsed_json(self._file.read(place[1]))["triples"]
            return [_checked(*triple) for triple in triples]
        except (ValueError, LookupError, TypeError, RecursionError):
            return None

    def put(self, query: str, triples: list[Triple]) -> None:
        """Append an answer and flush it, so that a kill does not lose it."""
        key = _key(query)
        line = json.dumps({"query": key, "triples": triples}, ensure_ascii=False).encode() + b"\n"
        self._places[key] = (self._end, len(line))
        self._append(line)

    def _append(self, line: bytes) -> None:
        self._file.seek(self._end)
        self._file.write(line)
        self._file.flush()
        self._end += len(line)

    def _take_over(self) -> None:
        for line in self._file:
            try:
                key = parsed_json(line)["query"] if line.endswith(b"\n") else None
            except (ValueError, LookupError, TypeError, RecursionError):
                key = None
            if not isinstance(key, str):
                return
            self._places[key] = (self._end, len(line))
            self._end += len(line)

    def __enter__(self) -> Self:
        """Return the open file."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file, which stays."""
        self._file.close()


def _checked(subject: object, predicate: object, object_: object) -> Triple:
    """Return three canonical terms; ValueError or TypeError for what is none of ours."""
    if not (isinstance(subject, str) and isinstance(predicate, str) and isinstance(object_, str)):
        raise TypeError("not three terms")
    triple = (subject, predicate, object_)
    if any(term[:1] not in ("<", '"') or "\n" in term or "\r" in term for term in triple):
        raise ValueError("not canonical")
    return triple


def _key(query: str) -> str:
    return blake2b(query.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
