"""pyoxigraph, a parser in Rust, where it reads exactly what the other readers do.

It rewrites a text as canonical N-Quads, whose lines the pattern for plain lines
takes. None says that rdflib is to be asked, which recovers from errors: so it
changes how long reading takes, never the triples.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from builder.rdf.plain_lines import PlainLines
from builder.rdf.rdflib_terms import LineParser
from builder.rdf.terms import Triple

# It labels anonymous nodes with random hexadecimal numbers, other ones in every run, where rdflib's reader counts
# them: a text with such nodes is left to rdflib.
NUMBER = re.compile(r"_:[a-f][0-9a-f]{15,}")
# What rdflib reads otherwise: a literal apart from its end, and RDF 1.2's directive of the version.
READ_OTHERWISE = re.compile(r"[\"']\s++(?:@[A-Za-z]|\^\^)|^[ \t]*+@?version\b", re.IGNORECASE | re.MULTILINE)
# Bases with which rdflib resolves relative IRIs as RFC 3986 does, and the IRIs with which it may not.
BASE = re.compile(r"@?base\s*<([^>]*)>", re.IGNORECASE)
# Scheme, host and a path, without query and fragment.
PLAIN_BASE = re.compile(r"[a-z]+://[^/?#]+/[^?#]*")
# IRIs that begin with "." "/" "?" or are empty, have a dot segment, or a colon only behind "?" or "#".
NO_PLAIN_IRI = re.compile(r"<[./?>]|/\.|<[^<>\s:/?#]*+[?#][^<>\s]*:")


class _Read(NamedTuple):
    triples: list[Triple]
    prefixes: dict[str, str]
    base: str | None


class _Rewriter:
    """Reads a text by what pyoxigraph makes of it: lines that are plain but for control characters."""

    def __init__(self, form: str, *, quads: bool = False) -> None:
        import pyoxigraph

        self._library = pyoxigraph
        self._format = getattr(pyoxigraph.RdfFormat, form)
        self._plain = PlainLines(quads=quads)
        self._parser = LineParser(quads=quads)

    def read(self, text: str) -> _Read | None:
        """Return triples, prefixes and base; None for an error, and for a term that rdflib's reader has otherwise."""
        parser = self._library.parse(text, format=self._format)
        try:
            data = self._library.serialize(parser, format=self._library.RdfFormat.N_QUADS) or b""
        except SyntaxError:
            return None
        rewritten = data.decode().removesuffix("\n")
        if set(NUMBER.findall(rewritten)).difference(NUMBER.findall(text)):
            return None
        triples = self._triples(rewritten) if rewritten else []
        return None if triples is None else _Read(triples, parser.prefixes, parser.base_iri)

    def _triples(self, rewritten: str) -> list[Triple] | None:
        if (plain := self._plain.plain(rewritten)) is not None:
            return plain
        triples: list[Triple] = []
        for subject, predicate, object_, line in self._plain.rows(rewritten):
            try:
                triples += [(subject, predicate, object_)] if subject else self._parser.parse(line)
            except ValueError:
                return None
        return triples


class OxigraphLines:
    """Parses lines of N-Triples, or of N-Quads whose graphs are dropped; ImportError without pyoxigraph."""

    def __init__(self, *, quads: bool) -> None:
        self._rewriter = _Rewriter("N_QUADS" if quads else "N_TRIPLES", quads=quads)

    def parse(self, lines: list[str]) -> list[Triple] | None:
        """Return a triple for each line, None when one of them is not read."""
        text = "\n".join(lines)
        found = None if "\r" in text else self._rewriter.read(text)
        return found.triples if found and len(found.triples) == len(lines) else None


class Statements(NamedTuple):
    """The triples of a text of Turtle, and all prefixes and the base that hold behind it, as directives."""

    triples: list[Triple]
    directives: str


class OxigraphStatements:
    """Parses statements of Turtle; prefixes and base last from text to text; ImportError without pyoxigraph."""

    def __init__(self) -> None:
        self._rewriter = _Rewriter("TURTLE")
        self._directives = ""
        self._base: str | None = None

    def parse(self, text: str) -> Statements | None:
        """Return the triples of a text of whole statements, None when one of them is not read."""
        # Within a comment a bare carriage return ends the line here, and is a character elsewhere.
        if ("\r" in text and re.search(r"\r(?!\n)", text)) or READ_OTHERWISE.search(text):
            return None
        found = self._rewriter.read(f"{self._directives}\n{text}\n")
        if found is None or (found.base is not None and not self._joins_alike(text, found.base)):
            return None
        prefixes = [f"@prefix {name}: <{iri}> ." for name, iri in found.prefixes.items()]
        self._directives = " ".join([*prefixes, f"@base <{found.base}> ." if found.base else ""])
        self._base = found.base
        return Statements(found.triples, self._directives)

    def _joins_alike(self, text: str, base: str) -> bool:
        """Tell whether rdflib makes the same of the relative IRIs of `text`, whose last base is `base`."""
        bases = [self._base, *BASE.findall(text)]
        return (
            bases[-1] == base
            and all(PLAIN_BASE.fullmatch(each) for each in bases if each is not None)
            and not NO_PLAIN_IRI.search(text)
        )
