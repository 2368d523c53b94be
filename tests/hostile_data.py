"""Hostile data: RDF, JSON Lines of all kinds, graph folders, question files, rankings, fusions."""

# ruff: noqa: E501 (a row of the table is a line)

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.hostile_markup import text
from tests.hostile_readers import (
    built,
    built_as,
    built_facts,
    built_folder,
    built_triples,
    read_address,
    read_fusion,
    read_question_file,
    read_run_file,
    read_table_pages,
)

Make = Callable[[int], bytes]
S, P = "<http://f.example/resource/Lamp>", "<http://f.example/ontology/made>"
DEEP = '{"a":'
TRIPLE = '{"subject": "Lamp", "predicate": "made", "object": '
QUESTION = '{"id": "q1", "question": "Who?", "gold": '
FUSION = '{"format": "weft-fusion", "version": 1, "model": "mlp", "columns": ["a"], "embedders": [], '


def _facts(name: str, file: str, size: int, make: Make) -> tuple[Any, ...]:
    return f"rdf: {name}", file, size, make, built_facts, 128


def _triples(name: str, size: int, make: Make) -> tuple[Any, ...]:
    return f"triples: {name}", "t.jsonl", size, make, built_triples, 128


def _records(name: str, size: int, make: Make) -> tuple[Any, ...]:
    return f"records: {name}", "a.jsonl", size, make, built, 128


def _enterprise(name: str, size: int, make: Make) -> tuple[Any, ...]:
    return f"enterprise: {name}", "a.ndjson", size, make, built_as("enterprise"), 256


def _nq(name: str, size: int, make: Make) -> tuple[Any, ...]:
    return f"natural questions: {name}", "a.jsonl", size, make, built_as("nq"), 256


def _address(name: str, size: int, make: Make) -> tuple[Any, ...]:
    return f"address: {name}", "address.txt", size, make, read_address, 128


def _graph(name: str, size: int, nodes: Make, edges: Make) -> tuple[Any, ...]:
    return f"graph: {name}", "graph.both", size, lambda n: nodes(n) + b"\0" + edges(n), _read_graph, 128


def _read_graph(path: Path) -> list[str]:
    """Build an SKB of a graph folder whose two files stand in one, a null character between them."""
    nodes, _, edges = path.read_bytes().rpartition(b"\0")
    folder = path.parent / "graph"
    folder.mkdir()
    (folder / "nodes.jsonl").write_bytes(nodes)
    (folder / "edges.tsv").write_bytes(b"subject\tpredicate\tobject\n" + edges)
    return built_folder(folder / "nodes.jsonl")


def _titles(name: str, size: int, make: Make) -> tuple[Any, ...]:
    return f"titles.json: {name}", "titles.json", size, make, _read_titles, 128


def _read_titles(path: Path) -> list[str]:
    (path.parent / "a.html").write_text("<h1>A</h1><p>A word.")
    return built_folder(path)


def _article(name: str, html: str, **more: Any) -> str:
    return json.dumps({"name": name, "date_modified": "2026-01-01", "article_body": {"html": html}, **more})


def _nothing(size: int) -> bytes:
    return b""


NODES = text("", '{"uri": "n№", "name": "N №"}\n')
def _chain_of_pages(size: int) -> bytes:
    """Return pages of a table, each of which has the next one below it."""
    above = (struct.pack(">BHHHBI", 5, 0, 0, 512, 0, number + 1).ljust(512, b"\0") for number in range(2, size + 2))
    return bytes(512) + b"".join(above) + struct.pack(">BHHHB", 13, 0, 0, 512, 0).ljust(512, b"\0")


ROWS: tuple[tuple[Any, ...], ...] = (
    _facts("nested lists", "f.ttl", 1000, text(f"{S} {P} ", "(", " .\n")),
    _facts("nested nodes", "f.ttl", 1000, text(f"{S} {P} ", f"[ {P} ", " .\n")),
    _facts("nested nodes that are closed", "f.ttl", 790, lambda n: f"{S} {P} {f'[ {P} ' * n} 1 {']' * n} .\n".encode()),
    _facts("a statement of many objects", "f.ttl", 1000, text(f"{S} {P} 0", ",\n №", " .\n")),
    _facts("a statement without end", "f.ttl", 3700, text(f"{S} {P} 0", ",\n №")),
    _facts("literals that are not closed", "f.ttl", 2000, text("", f'{S} {P} """a\n')),
    _facts("one long literal", "f.ttl", 8000, text(f'{S} {P} """', 'a"\n', '""" .\n')),
    _facts("quotes", "f.ttl", 50_000, text(f'{S} {P} ""', '"', " .\n")),
    _facts("dots", "f.ttl", 50_000, text(f"{S} {P} a", ".")),
    _facts("prefixes", "f.ttl", 500, text("", "@prefix p№: <http://p.example/№> .\n")),
    _facts("comments", "f.ttl", 9800, text("", "# a\n")),
    _facts("a literal full of escapes", "f.nt", 50_000, text(f'{S} {P} "', "\\\\", '" .\n')),
    _facts("a literal full of code points", "f.nt", 20_000, text(f'{S} {P} "', "\\u0041", '" .\n')),
    _facts("a language of many parts", "f.nt", 20_000, text(f'{S} {P} "a"@en', "-a", " .\n")),
    _facts("a blank node full of dots", "f.nt", 50_000, text("_:a", ".", f"a {P} {S} .\n")),
    _facts("an address without end", "f.nt", 50_000, text("<http://a", "a:", "")),
    _facts("wrong lines", "f.nt", 1500, text("", "a b c\n")),
    _facts("carriage returns", "f.nt", 8600, text(f"{S} {P} {S} .", "\r", "\n")),
    _facts("blanks between terms", "f.nt", 50_000, text(f"{S} ", " ", f"{P} {S} .\n")),
    _facts("bytes that are no UTF-8", "f.nt", 20_000, lambda n: f'{S} {P} "'.encode() + b"\xff" * n + b'" .\n'),
    _facts("labels of one thing", "f.nt", 1700, text("", f'{S} <http://www.w3.org/2000/01/rdf-schema#label> "Lamp №"@en .\n')),
    _facts("graphs", "f.nq", 3000, text("", f"{S} {P} {S} <http://g.example/№> .\n")),
    _triples("lines", 460, text("", TRIPLE + '"B №"}\n')),
    _triples("nested JSON", 100_000, text(TRIPLE, "[")),
    _triples("a huge number", 100_000, text(TRIPLE, "1", "}\n")),
    _triples("a name without end", 39_000, text(TRIPLE + '"', "a", '"}\n')),
    _triples("a name full of blanks", 100_000, text(TRIPLE + '"a', "  ", 'b"}\n')),
    _triples("blank lines", 100_000, text("", "\n", TRIPLE + '"B"}\n')),
    _records("one title for all", 315, text("", '{"title": "A", "text": "Text №"}\n')),
    _records("one title and text for all", 2800, text("", '{"title": "A", "text": "Text"}\n')),
    _records("many titles", 170, text("", '{"title": "A №", "text": "Text"}\n')),
    _records("nested JSON", 100_000, text(DEEP, "[")),
    _records("nested JSON beside a text", 100_000, lambda n: b'{"title": "A", "text": "B", "x": ' + b"[" * n + b"]" * n + b"}\n"),
    _records("a huge number", 100_000, text('{"title": "A", "text": "B", "x": ', "1", "}\n")),
    _records("a target full of fragments", 20_000, text('{"title": "A", "text": "B", "links": [{"start": 0, "end": 1, "target": "B', "\\u0023", '"}]}\n')),
    _records("links at one place", 5000, text('{"title": "A", "text": "B", "links": [', '{"start": 0, "end": 1, "target": "T №"},', "{}]}\n")),
    _records("a line without end", 1_000_000, text('{"title": "A", "text": "', "a")),
    _records("lone surrogates", 20_000, text('{"title": "A", "text": "', "\\ud800", '"}\n')),
    _records("null characters", 6000, text('{"title": "A", "text": "a', "\\u0000", '"}\n')),
    _records("blank lines", 200_000, text("", " \n", '{"title": "A", "text": "B"}\n')),
    _enterprise("versions of one article", 1000, lambda n: "".join(_article("A", f"<p>{k}", version={"identifier": k}) + "\n" for k in range(n)).encode()),
    _enterprise("redirects to one article", 2000, lambda n: _article("A", "<p>a", redirects=[{"name": f"R {k}"} for k in range(n)]).encode()),
    _enterprise("categories of one article", 3000, lambda n: _article("A", "<p>a", categories=[{"name": f"Category:{k}"} for k in range(n)]).encode()),
    _enterprise("nested JSON", 100_000, text('{"name": "A", "date_modified": ', "[")),
    _enterprise("a line without end", 2_000_000, text('{"name": "A", "article_body": {"html": "', "aaaa")),
    _nq("a line full of keys", 20_000, text('{"document_text": "A b", "question_text": "', ', \\"document_html\\" ', '"}\n')),
    _nq("keys that are no fields", 10_000, text('{"question_text": "a"', ', "document_html" ', '}\n')),
    _nq("words of a page", 14_000, text('{"question_text": "a", "document_title": "A", "document_text": "<H1> A </H1> <P>', " a ,", ' </P>"}\n')),
    _nq("tags of a page", 370, text('{"question_text": "a", "document_title": "A", "document_text": "<H1> A </H1>', " <P> a </P>", '"}\n')),
    _nq("nested JSON", 100_000, text('{"question_text": "a", "document_text": ', "[")),
    _nq("headings that are not closed", 20_000, text('{"question_text": "a", "document_text": "', "<H1> ", '"}\n')),
    _graph("nodes", 355, NODES, _nothing),
    _graph("edges between two nodes", 5000, lambda n: NODES(2), text("", "n0\tto\tn1\n")),
    _graph("kinds of edges", 650, lambda n: NODES(2), text("", "n0\tto №\tn1\n")),
    _graph("edges of nowhere", 5000, lambda n: NODES(2), text("", "x№\tto\ty№\n")),
    _graph("wrong edges", 5600, lambda n: NODES(2), text("", "x\n")),
    _graph("columns of an edge", 100_000, lambda n: NODES(2), text("", "x\t")),
    _graph("attributes of a node", 3000, text('{"uri": "n", "name": "N", "attributes": {', '"k№": №,', '"k": 1}}\n'), _nothing),
    _graph("a text of one word", 100_000, text('{"uri": "n", "name": "N", "text": "', "aa", '"}\n'), _nothing),
    _graph("a text of sentences", 5000, text('{"uri": "n", "name": "N", "text": "', "A word. ", '"}\n'), _nothing),
    _graph("nested JSON", 100_000, text('{"uri": ', "["), _nothing),
    _graph("huge numbers", 1000, text('{"uri": "n", "name": "N", "attributes": {', f'"k№": {"9" * 4000},', '"k": 1}}\n'), _nothing),
    _titles("entries", 10_000, text("{", '"a№.html": "A №",', '"a": "b"}')),
    _titles("nested JSON", 100_000, text(DEEP, "[")),
    _titles("a huge number", 100_000, text('{"a.html": ', "1", "}")),
    _address("a word without end", 300_000, text("", "a")),
    _address("slashes", 300_000, text("http:", "/", "b")),
    _address("schemes", 61_000, text("", "a://b")),
    _address("users", 37_500, text("http://", "a:b@", "h/[")),
    _address("parameters", 1200, text("http://h/?", "apikey=a№;b=c&")),
    _address("a name of a parameter without end", 14_000, text("http://h/?", "keyT", "=a")),
    _address("control characters", 34_000, text("http://h/", "\x07")),
    ("questions: lines", "q.jsonl", 5000, text("", QUESTION.replace("q1", "q№") + "[]}\n"), read_question_file, 64),
    ("questions: nested JSON", "q.jsonl", 100_000, text(QUESTION, "["), read_question_file, 64),
    ("questions: a huge number", "q.jsonl", 100_000, text(QUESTION + '[], "hops": ', "1", "}\n"), read_question_file, 64),
    ("questions: a line without end", "q.jsonl", 2_000_000, text(QUESTION + '[{"title": "', "a"), read_question_file, 64),
    ("questions: gold items", "q.jsonl", 10_000, text(QUESTION + "[", '{"title": "A"},', '{"title": "B"}]}\n'), read_question_file, 64),
    ("questions: blank lines", "q.jsonl", 100_000, text("", " \n", QUESTION + "[]}\n"), read_question_file, 64),
    ("run: lines", "r.trec", 20_000, text("", "q1 Q0 d№ 1 № t\n"), read_run_file, 64),
    ("run: fields of a line", "r.trec", 100_000, text("q1 ", "a "), read_run_file, 64),
    ("run: a huge number", "r.trec", 100_000, text("q1 Q0 d 1 ", "1", " t\n"), read_run_file, 64),
    ("run: blanks", "r.trec", 200_000, text("q1", " ", "Q0 d 1 1 t\n"), read_run_file, 64),
    ("fusion: nested JSON", "f.json", 100_000, text(FUSION + '"settings": ', "["), read_fusion, 64),
    ("fusion: a huge number", "f.json", 100_000, text(FUSION + '"settings": {"a": ', "1", "}}"), read_fusion, 64),
    ("fusion: a shape of many dimensions", "f.json", 5000, text(FUSION + '"trained_on": [], "settings": {}, "scale": null, "arrays": {"a": {"dtype": "<f4", "data": "", "shape": [9', ",9", "]}}}"), read_fusion, 64),
    ("fusion: columns", "f.json", 10_000, text('{"format": "weft-fusion", "version": 1, "model": "mlp", "columns": [', '"a№",', '"a"]}'), read_fusion, 64),
    ("SKB: a table as deep as it has pages", "pages", 8000, _chain_of_pages, read_table_pages, 64),
)  # fmt: skip
