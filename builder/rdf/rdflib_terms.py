"""rdflib's N-Triples and Turtle parsers, made to give canonical term strings.

rdflib decides what is a statement. What it would rewrite is kept from it
(literals of the datatypes that it knows, labels of blank nodes), and what it
accepts although the grammars forbid it (unknown escapes, N3's paths) is refused before.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextvars import ContextVar
from decimal import Decimal
from typing import Any

from rdflib import BNode, Literal
from rdflib.exceptions import ParserError
from rdflib.plugins.parsers import notation3
from rdflib.plugins.parsers.ntriples import W3CNTriplesParser

from builder.rdf.terms import NOT_IN_IRI, RDF, XSD, BadTerm, Triple, iri_term, literal_term

# Relative IRIs come out under this base, which no file can mean; newSymbol refuses them.
NO_BASE = "no-base:/"
# Put before a datatype, since rdflib rewrites literals of the datatypes that it knows.
UNKNOWN = "unknown:"

# Tokens of the grammars; `{}|^` and the backtick, which published IRIs hold, are let into an IRI.
UCHAR = r"\\u[0-9A-Fa-f]{4}|\\U(?:000[0-9A-Fa-f]|0010)[0-9A-Fa-f]{4}"
CHAR = rf"\\[tbnrf\"'\\]|{UCHAR}"
IRI = rf"(?:[^\s:<>\"\\]|{UCHAR})++:(?:[^\s<>\"\\]|{UCHAR})*+"
LETTER = (  # PN_CHARS_BASE
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
IN_LABEL = LETTER + "_:0-9\u00b7\u0300-\u036f\u203f\u2040-"
LABEL = rf"[{LETTER}_:0-9](?:[.{IN_LABEL}]*[{IN_LABEL}])?"
# As the grammars have it: letters first, then subtags.
LANGUAGE = re.compile(r"[A-Za-z]+(?:-[A-Za-z0-9]+)*")

# What a line of N-Triples or N-Quads consists of; no blanks need to stand between the terms.
LINE_TOKEN = re.compile(
    rf"""
      <{IRI}>
    | _:(?P<label>{LABEL})
    | (?P<text>"(?:[^"\\]|{CHAR})*+")(?:[ \t]*+@(?P<language>[A-Za-z0-9-]++)|[ \t]*+\^\^[ \t]*+<(?P<datatype>{IRI})>)?
    | \.
    | (?P<blank>[ \t]++)
    | (?P<comment>\#.*)
    | (?P<wrong>.)
    """,
    re.VERBOSE | re.DOTALL,
)
# What a statement of Turtle consists of; what no alternative before the last takes, rdflib judges.
TURTLE_TOKEN = re.compile(
    rf"""
      <(?:[^\s<>"\\]|{UCHAR})*+>
    | \"{{3}}(?:[^"\\]|{CHAR}|"(?!""))*+"{{3,5}}  # as rdflib does, let the text end with quotes
    | '{{3}}(?:[^'\\]|{CHAR}|'(?!''))*+'{{3,5}}
    | "(?:[^"\\\r\n]|{CHAR})*+" | '(?:[^'\\\r\n]|{CHAR})*+'
    | \#.* | \^\^
    | (?P<wrong>[<"'^!])                          # `^` and `!` are the paths of N3
    | (?:[^<"'\#^!\\]|\\.)++
    """,
    re.VERBOSE,
)
# Only directives, and statements with one of these, can have wrong tokens that rdflib accepts.
TO_CHECK = re.compile(r"""^\s*+(?i:@|prefix|base)|!|<=|(?<!\^)\^(?!\^)|\\[uUav]|<[^<>"\s\\]*+\\""")
# The message of rdflib's BadSyntax, between the address of the text and an excerpt of it.
REASON = re.compile(r"Bad syntax \((.*?)\) at \^", re.DOTALL)
# What rdflib's Turtle parser raises on broken text, its own BadSyntax apart.
TURTLE_ERRORS = (
    SyntaxError,
    AssertionError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    RecursionError,
)


class BadStatement(ValueError):
    """A text that is no RDF statement; `line` counts from 0 within the text."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(" ".join(reason.split())[:200])
        self.line = line


_IS_PARSING = ContextVar("_IS_PARSING", default=False)


def _is_of_others(record: logging.LogRecord) -> bool:
    return not _IS_PARSING.get()


# rdflib warns of IRIs with `{}|^`; the filter drops what is written while a line is parsed here.
logging.getLogger("rdflib.term").addFilter(_is_of_others)


class _TripleSink:
    """Takes the triples that rdflib's N-Triples parser finds."""

    def __init__(self) -> None:
        self.triples: list[Triple] = []

    def triple(self, subject: Any, predicate: Any, object_: Any) -> None:
        self.triples.append((_canonical(subject), _canonical(predicate), _canonical(object_)))


def _canonical(term: Any) -> str:
    """Return the canonical term of one of rdflib's."""
    if isinstance(term, Literal):
        datatype = str(term.datatype).removeprefix(UNKNOWN) if term.datatype else None
        return literal_term(str(term), language=term.language, datatype=datatype)
    return f"_:{term}" if isinstance(term, BNode) else iri_term(str(term))


class LineParser:
    """Parses N-Triples lines, or N-Quads lines whose graph is dropped."""

    def __init__(self, *, quads: bool) -> None:
        self._quads = quads
        self._sink = _TripleSink()
        self._parser: Any = W3CNTriplesParser(self._sink)

    def parse(self, line: str) -> list[Triple]:
        """Return the line's triple, or none for a blank line or a comment; raise BadStatement."""
        labels: dict[str, str] = {}
        terms = list(_terms(line, labels))
        if self._quads and len(terms) == 5 and not terms[3].startswith('"'):
            del terms[3]
        self._sink.triples = []
        self._parser.line = " ".join(terms)
        token = _IS_PARSING.set(True)
        try:
            self._parser.parseline(labels)
        except ParserError as error:
            raise BadStatement(f"no subject, predicate, object and full stop: {line[:60]!r}") from error
        except ValueError as error:
            raise BadStatement(str(error)) from error
        finally:
            _IS_PARSING.reset(token)
        return self._sink.triples


def _terms(line: str, labels: dict[str, str]) -> Iterator[str]:
    """Yield a line's terms and full stop for rdflib, and note in `labels` which its blank nodes have."""
    for found in LINE_TOKEN.finditer(line):
        kind = found.lastgroup
        if kind == "wrong":
            raise BadStatement(f"expected a term or ' .' at {line[found.start() :][:60]!r}")
        if kind == "label":
            name = f"b{len(labels)}"
            labels[name] = found["label"]
            yield f"_:{name}"
        elif kind == "language":
            yield f"{found['text']}@{found['language']}"
        elif kind == "datatype":
            yield f"{found['text']}^^<{UNKNOWN}{found['datatype']}>"
        elif kind in (None, "text"):
            yield found[0]


class _Blank(str):
    """A blank node's term."""


class _Literal(str):
    """A literal's canonical term."""


class _TurtleSink:
    """What rdflib's Turtle parser calls to make terms and statements; IRIs are bare strings here."""

    def __init__(self) -> None:
        self.triples: list[Triple] = []
        self.n_blanks = 0

    def newSymbol(self, iri: str) -> str:
        if iri.startswith(NO_BASE):
            raise BadTerm(f"relative IRI <{iri.removeprefix(NO_BASE)}> without a base")
        return iri

    def newBlankNode(self, context: object = None, uri: object = None, why: object = None) -> _Blank:
        self.n_blanks += 1
        return _Blank(f"_:weft.anonymous.{self.n_blanks}")

    def newLiteral(self, value: str, datatype: str | None = None, language: str | None = None) -> _Literal:
        if isinstance(datatype, _Blank):
            raise BadTerm("a blank node as datatype")
        if language and (datatype or not LANGUAGE.fullmatch(language)):
            raise BadTerm(f"@{language} is no language tag, or a datatype follows it")
        return _Literal(literal_term(value, language=language, datatype=datatype))

    def newList(self, items: list[Any], context: object) -> str:
        rest: str = RDF + "nil"
        for item in reversed(items):
            cell = self.newBlankNode()
            self.makeStatement((context, RDF + "rest", cell, rest))
            self.makeStatement((context, RDF + "first", cell, item))
            rest = cell
        return rest

    def intern(self, term: Any) -> Any:
        return term

    def bind(self, prefix: str, iri: bytes) -> None:
        pass

    def setDefaultNamespace(self, iri: bytes) -> None:
        pass

    def makeStatement(self, quad: tuple[object, Any, Any, Any], why: object = None) -> None:
        _, predicate, subject, object_ = quad
        terms = (_term(subject), _term(predicate), _term(object_))
        if terms[0][0] == '"' or terms[1][0] != "<":
            raise BadTerm("only an IRI can be a predicate, and no literal a subject")
        self.triples.append(terms)


def _term(node: Any) -> str:
    """Return the canonical term of what the Turtle parser passes as a node."""
    if isinstance(node, (_Blank, _Literal)):
        return node
    if isinstance(node, tuple):
        return iri_term(node[1])
    if isinstance(node, bool):
        return f'"{str(node).lower()}"^^<{XSD}boolean>'
    return iri_term(node)


NUMBERS = {int: "integer", Decimal: "decimal", notation3.sfloat: "double"}


class _TurtleText(notation3.SinkParser):  # type: ignore[misc]  # rdflib is untyped here
    def anonymousNode(self, ln: str) -> _Blank:
        if NOT_IN_IRI.search(ln):
            raise BadTerm(f"a blank node's label with {NOT_IN_IRI.findall(ln)[0]!r}")
        return _Blank("_:" + ln)

    def nodeOrLiteral(self, argstr: str, i: int, res: list[Any]) -> int:
        """Read a node or literal, and keep a number as it is written: `01` is not `1`."""
        end: int = super().nodeOrLiteral(argstr, i, res)
        if end >= 0 and (datatype := NUMBERS.get(type(res[-1]))):
            res[-1] = _Literal(literal_term(argstr[i:end].split()[-1], datatype=XSD + datatype))
        return end


class StatementParser:
    """Parses Turtle one statement at a time; prefixes and base last from statement to statement."""

    def __init__(self) -> None:
        self._sink = _TurtleSink()
        self._parser: Any = _TurtleText(self._sink, baseURI=NO_BASE, turtle=True)

    def parse(self, text: str) -> list[Triple]:
        """Return the triples of a text of one statement or directive; raise BadStatement."""
        if TO_CHECK.search(text):
            _refuse_wrong_tokens(text)
        self._sink.triples = []
        self._parser.lines = 0
        try:
            self._parser.feed(text)
        except notation3.BadSyntax as error:
            reason = REASON.search(str(error))
            raise BadStatement(reason[1] if reason else str(error), error.lines) from error
        except TURTLE_ERRORS as error:
            raise BadStatement(str(error) or type(error).__name__, self._parser.lines) from error
        return self._sink.triples


def _refuse_wrong_tokens(text: str) -> None:
    for found in TURTLE_TOKEN.finditer(text):
        if found.lastgroup:
            excerpt = text[found.start() :][:60]
            raise BadStatement(
                f"an IRI, a literal or an escape is wrong at {excerpt!r}", text.count("\n", 0, found.start())
            )
