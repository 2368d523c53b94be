"""Read plain lines of N-Triples and N-Quads by one pattern over a whole text.

A plain line is canonical: single blanks, nothing to decode, only the escapes
that canonical literals have. The pattern admits less than the parsers do, never
more, so both give the same triples and the same strings.
"""

from __future__ import annotations

import re

from builder.rdf.terms import XSD, Triple

Row = tuple[str, str, str, str]

# Possessive, so that a line that fails is left after one pass. `IN_IRI` leaves
# out every character that rdflib takes for a blank.
IN_IRI = r'\x00-\x20<>"{}|^`\\\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000'
IRI = rf"<[^:{IN_IRI}]++:[^{IN_IRI}]*+>"
# A label may hold dots, but not end with one: that is the full stop of the line.
BLANK = r"_:[A-Za-z0-9_:](?:[-A-Za-z0-9_:.]*[-A-Za-z0-9_:])?"
STRING = r'"[^"\\\r\n]*+(?:\\["\\nr][^"\\\r\n]*+)*+"'
XSD_STRING = re.escape(f"^^<{XSD}string>")
LITERAL = rf"{STRING}(?:@[a-z]++(?:-[a-z0-9]++)*+|(?!{XSD_STRING})\^\^{IRI})?"
# The term of an xsd:string ends before its datatype: the group closes there.
TRIPLE = rf"({IRI}|{BLANK}) ({IRI}) ({IRI}|{LITERAL}|{BLANK})(?:(?<=\"){XSD_STRING})?"
ENDS = {False: r" \.", True: rf"(?: (?:{IRI}|{BLANK}))? \."}


class PlainLines:
    """Finds the plain ones of N-Triples lines, or of N-Quads lines whose graphs are dropped."""

    def __init__(self, *, quads: bool = False) -> None:
        self._plain = re.compile(f"^{TRIPLE}{ENDS[quads]}$", re.MULTILINE)
        self._any = re.compile(f"^(?:{TRIPLE}{ENDS[quads]}|(.*))$", re.MULTILINE)

    def plain(self, text: str) -> list[Triple] | None:
        """Return the triples of `text` when every line of it is a plain one, else None."""
        found = self._plain.findall(text)
        return found if len(found) == text.count("\n") + 1 else None

    def rows(self, text: str) -> list[Row]:
        """Return a row for each line: subject, predicate and object, or the line as fourth if it is odd."""
        return self._any.findall(text)
