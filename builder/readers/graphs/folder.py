"""Graph folders: `nodes.jsonl` and `edges.tsv`, read as streams.

>>> nodes = [each for each in read_nodes(Path("films")) if isinstance(each, Node)]     # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from builder.readers.graphs.records import Edge, Edges, GraphProblem, Node
from builder.streams.lines import is_complete, line_batches
from weft.errors import UnreadableSource
from weft.text.json_text import parsed_json
from weft.text.normalise import is_visible, storable

HEADER = b"subject\tpredicate\tobject"


def files_of(folder: Path) -> list[Path]:
    """Return the files that a folder's graph is read from."""
    return [folder / "nodes.jsonl", folder / "edges.tsv"]


def read_nodes(folder: Path) -> Iterator[Node | GraphProblem]:
    """Yield a graph's nodes and what is wrong with its lines; of a uri given twice the first node counts."""
    seen: set[str] = set()
    for batch in line_batches(folder / "nodes.jsonl"):
        for number, line in enumerate(batch.lines, batch.first_line):
            if not line.strip():
                continue
            node = parse_node(line)
            if isinstance(node, str):
                yield GraphProblem("nodes.jsonl", number, node)
            elif node.uri in seen:
                yield GraphProblem("nodes.jsonl", number, f"uri {node.uri} was given before: the first node counts")
            else:
                seen.add(node.uri)
                yield node
        for problem in batch.problems:
            yield GraphProblem("nodes.jsonl", problem.line, problem.reason, problem.kind != "truncated")


def parse_node(line: bytes) -> Node | str:
    """Return the node that a line describes, or what is wrong with it."""
    try:
        record = parsed_json(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
    if not isinstance(record, dict):
        return "not an object with uri and name"
    uri, name = record.get("uri"), record.get("name")
    if not isinstance(uri, str) or not uri.strip():
        return "uri is missing, empty or no string"
    if not is_visible(uri):
        return "uri has no visible character"
    kind, text, attributes = record.get("type"), record.get("text"), record.get("attributes")
    return Node(
        storable(uri),
        storable(name) if isinstance(name, str) and is_visible(name) else storable(uri),
        storable(kind) if isinstance(kind, str) and is_visible(kind) else None,
        storable(text) if isinstance(text, str) else "",
        {
            storable(str(key)): storable(value) if isinstance(value, str) else value
            for key, value in (attributes.items() if isinstance(attributes, dict) else ())
            if isinstance(value, (str, int, float)) and value != ""
        },
    )


def read_edges(folder: Path) -> Iterator[Edges | GraphProblem]:
    """Yield a graph's edges in batches and what is wrong with its lines; UnreadableSource without the header."""
    for batch in line_batches(folder / "edges.tsv"):
        first = batch.first_line
        is_whole = is_complete(batch.problems)
        # Where a file breaks off, a batch is its last line, which may end with the beginning of another node's uri.
        lines = batch.lines if is_whole else []
        if first == 1 and is_whole:
            if not lines or lines[0].rstrip(b"\r") != HEADER:
                raise UnreadableSource(f"{folder}/edges.tsv: must begin with subject, predicate, object, tab separated")
            lines, first = lines[1:], 2
        edges: list[Edge] = []
        for number, line in enumerate(lines, first):
            parts = line.rstrip(b"\r").decode("utf-8", "replace").split("\t")
            if len(parts) == 3 and all(map(is_visible, parts)):
                edges.append((parts[0], parts[1], parts[2]))
            elif len(parts) == 3 and all(parts):
                yield GraphProblem("edges.tsv", number, "a column has no visible character")
            elif line.strip():
                yield GraphProblem("edges.tsv", number, f"{len(parts)} columns, must be 3 that are not empty")
        yield Edges(edges)
        for problem in batch.problems:
            yield GraphProblem("edges.tsv", problem.line, problem.reason, problem.kind != "truncated")
