"""Read RDF dumps as streams of triples: N-Triples, N-Quads and Turtle, plain or compressed.

A triple is three canonical term strings (see `builder.rdf.terms`), such as
`<http://dbpedia.org/resource/Ada>`, `_:b0`, `"text"@en`: equal terms are equal
strings, so a consumer compares them as they are.

>>> for batch in read_triples(Path("facts.nt.gz")):      # doctest: +SKIP
...     kept = [triple for triple in batch.triples if triple[0] in entities]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from builder.rdf.ntriples import Lines, decoded
from builder.rdf.plain_lines import PlainLines
from builder.rdf.terms import Triple
from builder.rdf.turtle import Statements
from builder.streams.lines import Problem, blocks, head_of, is_complete, plain_name

SUFFIXES = {
    ".nt": "nt",
    ".ntriples": "nt",
    ".nq": "nq",
    ".nquads": "nq",
    ".tql": "nq",
    ".ttl": "ttl",
    ".turtle": "ttl",
    ".n3": "ttl",
}
OTHER_SUFFIXES = (".rdf", ".owl", ".xml", ".jsonld", ".json", ".trig", ".trix", ".hdt")
# Beginnings of other formats, none of which can begin a statement. UTF-16 without a byte order mark: every other
# byte of the first 16 is zero.
FOREIGN = {
    "UTF-16: convert it to UTF-8": re.compile(
        rb"\xff\xfe|\xfe\xff|(?:\x00[\x09-\x7e]|[\x09-\x7e]\x00){8}"
    ),
    "XML, none of N-Triples, N-Quads and Turtle: convert it to .nt": re.compile(
        rb"\s*<(?:\?xml\b|!--|!DOCTYPE\s+(?:rdf|owl)|rdf:RDF\b)", re.I
    ),
    "HTML, none of N-Triples, N-Quads and Turtle: convert it to .nt": re.compile(
        rb"\s*<(?:!DOCTYPE\s+html|html)\b", re.I
    ),
}
# For files whose suffix tells nothing: markup or JSON would otherwise be reported as malformed lines.
MARKUP = re.compile(r"\s*(?:<\?xml|<!DOCTYPE|<!--|<rdf:|<html|[{\[])", re.I)
# Only Turtle has directives.
DIRECTIVE = re.compile(r"^\s*(?:@prefix|@base|prefix\s|base\s)", re.I | re.M)


class UnknownFormat(ValueError):
    """A file that is none of N-Triples, N-Quads and Turtle."""


class Batch(NamedTuple):
    """Some triples of a file in its order, and what is wrong with the lines that they come from.

    `complete` is False in the last batch of a truncated file.
    Blank node labels are the file's own: another file's are other nodes.
    """

    triples: list[Triple]
    problems: tuple[Problem, ...]
    complete: bool


def read_triples(path: Path) -> Iterator[Batch]:
    """Yield the triples of a dump, some thousand a batch.

    Nothing wrong within the file stops the reading: malformed lines, lines above
    1,000,000 bytes, and an archive's break are problems of their batch; text that
    is not UTF-8 is kept with U+FFFD and noted. UnknownFormat is raised for
    another format, OSError when the file cannot be opened.
    """
    form = format_of(path)
    reader: Lines | Statements = Statements() if form == "ttl" else Lines(quads=form == "nq")
    for block in blocks(path):
        text, notes = decoded(block)
        triples, problems = reader.read(text, block.first_line) if block.data else ([], [])
        yield _batch(triples, (*block.problems, *notes, *problems))
    if isinstance(reader, Statements):
        triples, problems = reader.finish()
        if triples or problems:
            yield _batch(triples, tuple(problems))


def _batch(triples: list[Triple], problems: tuple[Problem, ...]) -> Batch:
    if not problems:
        return Batch(triples, (), True)
    return Batch(triples, tuple(sorted(problems)), is_complete(problems))


def format_of(path: Path) -> str:
    """Return `nt`, `nq` or `ttl`, by the suffix before that of an archive, else by the first lines.

    A file that begins as another format does is none of these, whatever its name: UnknownFormat.
    """
    suffix = _suffix(path)
    if suffix in OTHER_SUFFIXES:
        raise UnknownFormat(f"{path.name} is no N-Triples, N-Quads or Turtle file: convert it to .nt")
    head = head_of(path)
    for kind, pattern in FOREIGN.items():
        if pattern.match(head):
            raise UnknownFormat(f"{path.name} is {kind}")
    return SUFFIXES.get(suffix) or _sniffed(path)


def is_named_rdf(path: Path) -> bool:
    """Tell whether a file's name says which of the formats it has."""
    return _suffix(path) in SUFFIXES


def _suffix(path: Path) -> str:
    return Path(plain_name(path)).suffix.lower()


def _sniffed(path: Path) -> str:
    """Tell the format by the first block: directives are Turtle's, one plain line tells the others apart."""
    block = next(blocks(path, size=1 << 16), None)
    text = decoded(block)[0].replace("\r\n", "\n") if block else ""
    if MARKUP.match(text):
        raise UnknownFormat(f"{path.name} is no N-Triples, N-Quads or Turtle file: convert it to .nt")
    if DIRECTIVE.search(text):
        return "ttl"
    if any(row[0] for row in PlainLines().rows(text)):
        return "nt"
    return "nq" if any(row[0] for row in PlainLines(quads=True).rows(text)) else "ttl"
