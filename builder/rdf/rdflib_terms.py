"""rdflib's N-Triples, N-Quads and Turtle parsers, made to give canonical term strings.

rdflib decides what is well-formed; its own term classes are stepped around,
because they rewrite literals (`"01"` becomes `"1"`), rename blank nodes and
write warnings to the log.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from rdflib.exceptions import ParserError
from rdflib.plugins.parsers import notation3, ntriples
from rdflib.plugins.parsers.nquads import NQuadsParser

from builder.rdf.terms import NOT_IN_IRI, XSD, BadTerm, iri_term, literal_term

Triple = tuple[str, str, str]

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
# Relative IRIs come out under this base, which no file can mean; newSymbol refuses them.
NO_BASE = "no-base:/"
# On such an escape rdflib's Turtle parser raises a bare Exception.
BEYOND_UNICODE = re.compile(r"\\U(?!000|0010)[0-9A-Fa-f]{8}")
EXPECTED = {
    ntriples.r_uriref: "an absolute IRI without blanks",
    ntriples.r_nodeid: "a blank node's label",
    ntriples.r_literal: "a literal closed by a quote",
    ntriples.r_tail: "' .' at the end of the statement",
    ntriples.r_wspaces: "a blank between two terms",
}
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


class _Found:
    """Takes the one triple of a line from either line parser, whatever graph it stands in."""

    def __init__(self) -> None:
        self.triples: list[Triple] = []
        self.default_context = self

    def triple(self, subject: str, predicate: str, object_: str) -> None:
        self.triples.append((subject, predicate, object_))

    def add(self, triple: Triple) -> None:
        self.triples.append(triple)

    def get_context(self, graph: str) -> _Found:
        return self


class _RawTerms:
    """Replaces rdflib's term makers; its grammar (the patterns, the order of terms) stays."""

    line: str

    def eat(self, pattern: re.Pattern[str]) -> re.Match[str]:
        found = pattern.match(self.line)
        if found is None:
            raise BadStatement(f"expected {EXPECTED.get(pattern, pattern.pattern)} at {self.line[:60]!r}")
        self.line = self.line[found.end() :]
        return found

    def uriref(self) -> str | bool:
        if not self.line.startswith("<"):
            return False
        return iri_term(ntriples.unquote(self.eat(ntriples.r_uriref)[1]))

    def nodeid(self, bnode_context: object = None) -> str | bool:
        return "_:" + self.eat(ntriples.r_nodeid)[1] if self.line.startswith("_") else False

    def literal(self) -> str | bool:
        if not self.line.startswith('"'):
            return False
        value, language, datatype = self.eat(ntriples.r_literal).groups()
        datatype = ntriples.unquote(datatype) if datatype else None
        return literal_term(ntriples.unquote(value), language=language, datatype=datatype)


class _TriplesLine(_RawTerms, ntriples.W3CNTriplesParser):  # type: ignore[misc]  # rdflib is untyped here
    pass


class _QuadsLine(_RawTerms, NQuadsParser):  # type: ignore[misc]  # rdflib is untyped here
    pass


class LineParser:
    """Parses N-Triples lines, or N-Quads lines whose graph is dropped."""

    def __init__(self, *, quads: bool) -> None:
        self._parser: Any = (_QuadsLine if quads else _TriplesLine)(_Found())

    def parse(self, line: str) -> list[Triple]:
        """Return the line's triple, or none for a blank line or a comment; raise BadStatement."""
        found = self._parser.sink = _Found()
        self._parser.line = line
        try:
            self._parser.parseline()
        except (ParserError, ValueError, OverflowError) as error:
            raise BadStatement(str(error)) from error
        return found.triples


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
    if isinstance(node, int):
        return f'"{node}"^^<{XSD}integer>'
    if isinstance(node, Decimal):
        return f'"{node:f}"^^<{XSD}decimal>'
    if isinstance(node, notation3.sfloat):
        return f'"{node}"^^<{XSD}double>'
    return iri_term(node)


class _TurtleText(notation3.SinkParser):  # type: ignore[misc]  # rdflib is untyped here
    def anonymousNode(self, ln: str) -> _Blank:
        if NOT_IN_IRI.search(ln):
            raise BadTerm(f"a blank node's label with {NOT_IN_IRI.findall(ln)[0]!r}")
        return _Blank("_:" + ln)


class StatementParser:
    """Parses Turtle one statement at a time; prefixes and base last from statement to statement."""

    def __init__(self) -> None:
        self._sink = _TurtleSink()
        self._parser: Any = _TurtleText(self._sink, baseURI=NO_BASE, turtle=True)

    def parse(self, text: str) -> list[Triple]:
        """Return the triples of a text of whole statements or directives; raise BadStatement."""
        self._sink.triples = []
        self._parser.lines = 0
        if BEYOND_UNICODE.search(text):
            raise BadStatement("an escape beyond U+10FFFF")
        try:
            self._parser.feed(text)
        except notation3.BadSyntax as error:
            raise BadStatement(error._why, error.lines) from error
        except TURTLE_ERRORS as error:
            raise BadStatement(str(error) or type(error).__name__, self._parser.lines) from error
        return self._sink.triples
