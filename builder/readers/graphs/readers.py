"""Which functions read which kind of graph folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from builder.readers.graphs import folder as graph_files
from builder.readers.graphs import stark
from builder.readers.graphs.records import Edges, GraphProblem, Node


class GraphReader(NamedTuple):
    """How a kind of graph folder is read: its nodes, its edges, and the files that both come from."""

    nodes: Callable[[Path], Iterator[Node | GraphProblem]]
    edges: Callable[[Path], Iterator[Edges | GraphProblem]]
    files: Callable[[Path], list[Path]]


def reader_of(kind: str) -> GraphReader:
    """Return the reader of `graph`, of `stark` or of `stark-compat` folders."""
    if kind == "stark-compat":
        return GraphReader(stark.read_nodes, stark.read_merged_edges, stark.files_of)
    if kind == "stark":
        return GraphReader(stark.read_nodes, stark.read_edges, stark.files_of)
    return GraphReader(graph_files.read_nodes, graph_files.read_edges, graph_files.files_of)
