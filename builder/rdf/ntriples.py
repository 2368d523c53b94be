"""Read N-Triples and N-Quads: plain lines by one pattern over the whole block, all others by rdflib.

A plain line is canonical: single blanks, nothing to decode, only the escapes
that canonical literals have. The pattern admits less than rdflib does, never
more, so both give the same triples and the same strings.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from builder.rdf.terms import XSD
from builder.streams.lines import Block, Problem

if TYPE_CHECKING:
    from builder.rdf.rdflib_terms import LineParser

Triple = tuple[str, str, str]

# Possessive, so that a line that fails is left after one pass. `IN_IRI` leaves
# out every character that rdflib takes for a blank.
IN_IRI = r'\x00-\x20<>"{}|^`\\\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000'
IRI = rf"<[^:{IN_IRI}]++:[^{IN_IRI}]*+>"
BLANK = r"_:[A-Za-z0-9_:](?:[-A-Za-z0-9_:.]*[-A-Za-z0-9_:])?"
STRING = r'"[^"\\\r\n]*+(?:\\["\\nr][^"\\\r\n]*+)*+"'
XSD_STRING = re.escape(f"^^<{XSD}string>")
LITERAL = rf"{STRING}(?:@[a-z]++(?:-[a-z0-9]++)*+|(?!{XSD_STRING})\^\^{IRI})?"
# The term of an xsd:string ends before its datatype: the group closes there.
TRIPLE = rf"({IRI}|{BLANK}) ({IRI}) ({IRI}|{LITERAL}|{BLANK})(?:(?<=\"){XSD_STRING})?"
ENDS = {False: r" \.", True: rf"(?: (?:{IRI}|{BLANK}))? \."}


class Lines:
    """Reads blocks of N-Triples lines, or of N-Quads lines whose graphs are dropped."""

    def __init__(self, *, quads: bool = False) -> None:
        self._quads = quads
        self._plain = re.compile(f"^{TRIPLE}{ENDS[quads]}$", re.MULTILINE)
        self._any = re.compile(f"^(?:{TRIPLE}{ENDS[quads]}|(.*))$", re.MULTILINE)
        self._parser: LineParser | None = None
        self._expect_plain = True

    def plain(self, text: str) -> list[Triple] | None:
        """Return the triples of `text` when every line of it is a plain one, else None."""
        found = self._plain.findall(text)
        return found if len(found) == text.count("\n") + 1 else None

    def rows(self, text: str) -> list[tuple[str, str, str, str]]:
        """Return a row for each line: subject, predicate and object, or the line as fourth if it is odd."""
        return self._any.findall(text)

    def read(self, text: str, first_line: int) -> tuple[list[Triple], list[Problem]]:
        """Return the triples of whole lines and what is wrong with the others."""
        if "\r\n" in text:
            text = text.replace("\r\n", "\n")
        if self._expect_plain and (found := self.plain(text)) is not None:
            return found, []
        self._expect_plain = True
        triples: list[Triple] = []
        problems: list[Problem] = []
        for line, (subject, predicate, object_, odd) in enumerate(self.rows(text), first_line):
            if subject:
                triples.append((subject, predicate, object_))
            else:
                # Odd lines come together: the next block is not tried as a wholly plain one.
                self._expect_plain = False
                self._read_odd(odd, line, triples, problems)
        return triples, problems

    def _read_odd(self, text: str, line: int, triples: list[Triple], problems: list[Problem]) -> None:
        """Read a line that is not plain; a lone carriage return ends a statement as well."""
        parser = self._parser = self._parser or _line_parser(self._quads)
        for part in text.split("\r"):
            try:
                triples += parser.parse(part)
            except ValueError as error:
                problems.append(Problem(line, "malformed", str(error)))


@cache
def _line_parser(quads: bool) -> LineParser:
    from builder.rdf.rdflib_terms import LineParser

    return LineParser(quads=quads)


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
