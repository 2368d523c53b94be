"""The texts of a graph's nodes as documents; types, attributes and edges are read with the facts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import blake2b

from builder.documents.records import Chunk, Document, Reject
from builder.readers.graphs.readers import reader_of
from builder.readers.graphs.records import GraphProblem
from builder.readers.registry import ReadOptions
from builder.readers.source import Cut, Item, Source

LONGEST = 2000  # characters of a chunk
EXTRACTION = b"2"
BLANK_LINES = re.compile(r"\n\s*\n")
# The whitespace behind a sentence, or a line end: a cut there loses nothing but blanks. `weft.text.sentences` wants
# a capital behind it, and would cut texts elsewhere.
SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n")


def items(source: Source, options: ReadOptions) -> Iterator[Item | Reject | Cut]:
    """Yield the nodes that have a text, by uri; what is wrong with a line is on record with the facts."""
    for node in reader_of(source.format).nodes(source.path):
        if isinstance(node, GraphProblem):
            if not node.complete:
                yield Cut(f"{node.file} line {node.line}", node.reason)
        elif node.text.strip():
            payload = json.dumps([node.name, node.text], ensure_ascii=False).encode()
            yield Item(node.uri, blake2b(payload, digest_size=16, key=EXTRACTION).hexdigest(), (payload,))


def parse(place: str, payload: tuple[object, ...]) -> Document | Reject:
    """Make a page of a node: its text cut at blank lines and at 2,000 characters into lead chunks."""
    (data,) = payload
    assert isinstance(data, bytes)
    name, text = json.loads(data)
    pieces = [piece for block in BLANK_LINES.split(text) if block.strip() for piece in cut_text(block.strip())]
    chunks = tuple(Chunk(-1, "paragraph", 0, piece) for piece in pieces)
    return Document(name, (), chunks, marks_links=False, node_uri=place)


def cut_text(text: str, longest: int = LONGEST) -> list[str]:
    """Cut a text into pieces of at most `longest` characters, at line and sentence ends where there are some.

    >>> cut_text("One two. Three four. Five.", 10)
    ['One two.', 'Three', 'four.', 'Five.']
    """
    pieces: list[str] = []
    while len(text) > longest:
        window = text[: longest + 1]
        ends = [found.start() for found in SENTENCE_END.finditer(window) if found.start()]
        cut = ends[-1] if ends else window.rfind(" ")
        cut = cut if cut > 0 else longest
        pieces.append(text[:cut].rstrip())
        text = text[cut:].lstrip()
    return [*pieces, text] if text else pieces
