"""Read N-Triples and N-Quads: plain lines by one pattern over a whole block, all others by a parser.

That is pyoxigraph where it is installed and finds no error in a block, else
rdflib, which is asked line by line. All give the same triples.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from builder.rdf.plain_lines import PlainLines, Row
from builder.rdf.terms import Triple
from builder.streams.lines import Block, Problem

if TYPE_CHECKING:
    from builder.rdf.oxigraph import OxigraphLines
    from builder.rdf.rdflib_terms import LineParser

# A blank line or a comment. Possessive: the blanks before a long wrong line are passed over once.
NOTHING = re.compile(r"[ \t]*+(?:#[^\r]*)?$")


class Lines:
    """Reads blocks of N-Triples lines, or of N-Quads lines whose graphs are dropped."""

    def __init__(self, *, quads: bool = False) -> None:
        self._quads = quads
        self._plain = PlainLines(quads=quads)
        self._expect_plain = True

    @cached_property
    def _fast_parser(self) -> OxigraphLines | None:
        from builder.rdf.oxigraph import OxigraphLines

        try:
            return OxigraphLines(quads=self._quads)
        except ImportError:
            return None

    @cached_property
    def _parser(self) -> LineParser:
        from builder.rdf.rdflib_terms import LineParser

        return LineParser(quads=self._quads)

    def read(self, text: str, first_line: int) -> tuple[list[Triple], list[Problem]]:
        """Return the triples of whole lines, and a Problem for each of the others."""
        if "\r\n" in text:
            text = text.replace("\r\n", "\n")
        if self._expect_plain and (found := self._plain.plain(text)) is not None:
            return found, []
        self._expect_plain = True
        rows = self._plain.rows(text)
        odd = [row[3] for row in rows if not row[0] and not NOTHING.match(row[3])]
        if not odd:
            return [(subject, predicate, object_) for subject, predicate, object_, _ in rows if subject], []
        # Odd lines come together: the next block is not tried as a wholly plain one.
        self._expect_plain = False
        read = self._fast_parser.parse(odd) if self._fast_parser else None
        if read is None:
            return self._read_one_by_one(rows, first_line)
        others = iter(read)
        return [
            (subject, predicate, object_) if subject else next(others)
            for subject, predicate, object_, line in rows
            if subject or not NOTHING.match(line)
        ], []

    def _read_one_by_one(self, rows: list[Row], first_line: int) -> tuple[list[Triple], list[Problem]]:
        triples: list[Triple] = []
        problems: list[Problem] = []
        for line, (subject, predicate, object_, odd) in enumerate(rows, first_line):
            if subject:
                triples.append((subject, predicate, object_))
            else:
                self._read_odd(odd, line, triples, problems)
        return triples, problems

    def _read_odd(self, text: str, line: int, triples: list[Triple], problems: list[Problem]) -> None:
        """Read a line that is not plain; a lone carriage return ends a statement as well."""
        for part in text.split("\r"):
            try:
                triples += self._parser.parse(part)
            except ValueError as error:
                problems.append(Problem(line, "malformed", str(error)))


def decoded(block: Block) -> tuple[str, list[Problem]]:
    """Return a block's text without its last newline; bytes that are no UTF-8 become U+FFFD and are noted."""
    try:
        return block.data[:-1].decode(), []
    except UnicodeDecodeError:
        notes = [
            Problem(line, "noted", "bytes that are not UTF-8 replaced by U+FFFD")
            for line, data in enumerate(block.data[:-1].split(b"\n"), block.first_line)
            if not _is_utf8(data)
        ]
        return block.data[:-1].decode(errors="replace"), notes


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
