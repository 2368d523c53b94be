"""Read Turtle as a stream: plain lines by pattern, all else by pyoxigraph or rdflib.

Published dumps are mostly Turtle with one plain triple a line, and those lines
take the path of N-Triples. Of what is left pyoxigraph, where it is installed,
reads a block of statements at once. A block in which it finds an error is cut
where a `.` ends a statement, and rdflib reads the statements one by one: so
memory is bounded by the longest statement, and a broken one costs itself only.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from builder.rdf.plain_lines import PlainLines
from builder.rdf.terms import Triple
from builder.streams.lines import Problem

if TYPE_CHECKING:
    from builder.rdf.oxigraph import OxigraphStatements
    from builder.rdf.rdflib_terms import StatementParser

MAX_STATEMENT = 16_000_000  # characters; bounds memory where nothing ends a statement
# Each rereading of the lines that an unclosed literal swallowed is linear in them: their number is bounded.
MAX_REREADS = 20
# A block of more lines in which pyoxigraph finds an error is tried again in N_PARTS, else rdflib reads it.
FEW_LINES = 64
N_PARTS = 8

# Part of a name or number; possessive, as all below: a wrong line costs one pass.
WORD = r"(?:[^\s<>\"'#.;,()\[\]\\]|\\.)++"
# Tokens that may hold a "." that ends no statement; all other characters are skipped by `finditer`.
TOKEN = re.compile(
    rf"""
      <[^<>"\s]*+>                                   # an IRI
    | \"\"\"(?:[^"\\]|\\.|"(?!""))*+\"{{3,5}}        # a long literal that is closed on the line
    | '''(?:[^'\\]|\\.|'(?!''))*+'{{3,5}}
    | (?P<open>\"\"\"|''')
    | "(?:[^"\\]|\\.)*+" | '(?:[^'\\]|\\.)*+'
    | \#.*
    | {WORD}(?:\.++{WORD})*+                         # names and numbers, with the dots inside them
    | \.\d                                           # a decimal without a leading zero
    | (?P<end>(?<=\.)\.++|\.)                        # more dots behind an end are one wrong statement
    """,
    re.VERBOSE,
)
# The rest of a long literal on a line after its first one; a backslash may end the line.
CLOSE = {
    '"""': re.compile(r'(?:[^"\\]|\\.|\\$|"(?!""))*+"{3,5}'),
    "'''": re.compile(r"(?:[^'\\]|\\.|\\$|'(?!''))*+'{3,5}"),
}
# A directive of SPARQL's form has no full stop.
SPARQL_DIRECTIVE = re.compile(r"\s*+(?:prefix\s++[^\s<>:]*+:\s*+|base\s*+)<[^<>\s]*+>", re.IGNORECASE)
# After comments and blank lines: a change of prefixes or base, which both parsers must learn.
DIRECTIVE = re.compile(r"(?:\s|#.*\n)*+(?:@(?:prefix|base)|(?:prefix|base)[\s<])", re.IGNORECASE)
LAST_LINE = re.compile(r"\.[ \t\r]*+(?:#.*)?$")  # of a block of statements, as it seems
NOTHING = re.compile(r"\s*(?:#.*)?$")
# A line that begins so may begin a statement, where the unfinished one before it is broken.
START = re.compile(r"[<_@:\[(\w]")


class Statements:
    """Reads blocks of Turtle lines, keeping the unfinished statement, prefixes and base between them."""

    def __init__(self, *, max_statement: int = MAX_STATEMENT, fast: bool = True) -> None:
        self._lines = PlainLines()
        self._fast_parser = _oxigraph_statements() if fast else None
        self._directives = ""  # what the fast parser has found, and rdflib's has not read yet
        self._max_statement = max_statement
        self._rereads = 0
        self._triples: list[Triple] = []
        self._problems: list[Problem] = []
        self._reset()

    @cached_property
    def _parser(self) -> StatementParser:
        from builder.rdf.rdflib_terms import StatementParser

        return StatementParser()

    def _reset(self) -> None:
        self._parts: list[str] = []  # of the unfinished statement: its first line's rest, then whole lines
        self._first = 0
        self._size = 0
        self._open: str | None = None  # the quotes of the long literal that is not closed yet
        self._starts: list[int] = []  # parts at whose beginning another statement may start

    def read(self, text: str, first_line: int) -> tuple[list[Triple], list[Problem]]:
        """Return the triples of the statements that `text`, which is whole lines, completes."""
        if "\r\n" in text and self._open is None and '"""' not in text and "'''" not in text:
            text = text.replace("\r\n", "\n")
        if not self._parts:
            found = self._lines.plain(text)
            if found is not None:
                return found, []
        lines = text.split("\n")
        if self._fast_parser:
            self._read_fast(lines, first_line)
        else:
            self._read_one_by_one(lines, first_line)
        return self._taken()

    def _read_fast(self, lines: list[str], first_line: int) -> None:
        """Finish the unfinished statement, then read as many whole statements at once as there seem to be."""
        begin = 0
        while self._parts and begin < len(lines):
            self._take(lines[begin], first_line + begin)
            begin += 1
        end = len(lines)
        while end > begin and not LAST_LINE.search(lines[end - 1]):
            end -= 1
        found = self._fast_parser.parse("\n".join(lines[begin:end]) + "\n") if self._fast_parser else None
        if found is not None:
            self._triples += found.triples
            self._directives = found.directives
            begin = end
        elif end - begin > FEW_LINES:
            step = (end - begin) // N_PARTS
            for part in range(begin, end, step):
                self._read_fast(lines[part : min(part + step, end)], first_line + part)
            begin = end
        self._read_one_by_one(lines[begin:], first_line + begin)

    def _read_one_by_one(self, lines: list[str], first_line: int) -> None:
        rows = zip(self._lines.rows("\n".join(lines)), lines, strict=True) if lines else ()
        for line, ((subject, predicate, object_, _), whole) in enumerate(rows, first_line):
            if subject and not self._parts:
                self._triples.append((subject, predicate, object_))
            else:
                self._take(whole, line)

    def finish(self) -> tuple[list[Triple], list[Problem]]:
        """Return what the end of the file leaves: nothing, or the unfinished statement as malformed."""
        while self._parts:
            self._abandon("the file ends within the statement")
        return self._taken()

    def _taken(self) -> tuple[list[Triple], list[Problem]]:
        taken = self._triples, self._problems
        self._triples, self._problems = [], []
        return taken

    def _take(self, text: str, line: int) -> None:
        """Add a line to the unfinished statement, and finish every statement that ends on it."""
        if not self._parts and NOTHING.match(text):
            return
        begin = self._take_directive(text, line) if not self._parts else 0
        for end in self._ends(text, begin):
            self._add(text[begin:end], line)
            self._finish()
            begin = end
        rest = text[begin:]
        if self._parts or not NOTHING.match(rest):
            self._add(rest, line)
        if self._size > self._max_statement:
            self._abandon(f"statement of more than {self._max_statement:,} characters")

    def _take_directive(self, text: str, line: int) -> int:
        """Parse a directive of SPARQL's form at the beginning of a line; return its end, else 0."""
        found = SPARQL_DIRECTIVE.match(text)
        if found is None:
            return 0
        self._add(found[0], line)
        self._finish()
        return found.end()

    def _ends(self, text: str, begin: int) -> list[int]:
        """Return where on the line, from `begin`, statements end; note whether a long literal is left open."""
        place = begin
        if self._open:
            closed = CLOSE[self._open].match(text)
            if closed is None:
                return []
            place, self._open = closed.end(), None
        elif self._parts and START.match(text):
            self._starts.append(len(self._parts))
        ends: list[int] = []
        for token in TOKEN.finditer(text, place):
            if token.lastgroup == "end":
                ends.append(token.end())
            elif token.lastgroup == "open":
                self._open = token["open"]
                break
        return ends

    def _add(self, text: str, line: int) -> None:
        if not self._parts:
            self._first = line
        self._parts.append(text)
        self._size += len(text) + 1

    def _finish(self) -> None:
        """Parse the statement; where it is broken, try again from the last line that may begin another one."""
        parts, first, starts, still_open = self._parts, self._first, self._starts, self._open
        self._reset()
        self._open = still_open
        if self._parsed(parts, first) or not starts:
            return
        self._parsed(parts[starts[-1] :], first + starts[-1])

    def _parsed(self, parts: list[str], first: int) -> bool:
        text = "\n".join(parts)
        found = self._lines.plain(text)
        if found is None:
            try:
                found = self._parsed_by_rdflib(text + "\n")
            except ValueError as error:
                line = first + getattr(error, "line", 0)
                self._problems.append(Problem(line, "malformed", str(error)))
            if self._fast_parser and DIRECTIVE.match(text) and (found is None or self._fast_parser.parse(text) is None):
                # The two parsers disagree on a directive, and so on all that follows: from here on rdflib reads all.
                self._fast_parser = None
        self._triples += found or []
        return found is not None

    def _parsed_by_rdflib(self, text: str) -> list[Triple]:
        if self._directives:
            self._parser.parse(self._directives)
            self._directives = ""
        triples = self._parser.parse(text)
        if not triples and not DIRECTIVE.match(text):
            raise ValueError("a subject without predicate and object")
        return triples

    def _abandon(self, reason: str) -> None:
        """Give the unfinished statement up; read again what an unclosed literal swallowed."""
        parts, first, starts, unclosed = self._parts, self._first, self._starts, self._open
        self._reset()
        if not unclosed:
            self._problems += [Problem(first + start, "malformed", reason) for start in (0, *starts)]
            return
        self._problems.append(Problem(first, "malformed", f"a literal is not closed, {reason}"))
        self._rereads += 1
        if self._rereads <= MAX_REREADS:
            for line, text in enumerate(parts[1:], first + 1):
                self._take(text, line)


def _oxigraph_statements() -> OxigraphStatements | None:
    from builder.rdf.oxigraph import OxigraphStatements

    try:
        return OxigraphStatements()
    except ImportError:
        return None
