"""What a typed graph is read as: nodes, edges, and lines that could not be read."""

from __future__ import annotations

from typing import NamedTuple

Edge = tuple[str, str, str]


class Node(NamedTuple):
    """A thing of a typed graph; `uri` is the graph's own name for it."""

    uri: str
    name: str
    type: str | None
    text: str
    attributes: dict[str, str | int | float]


class GraphProblem(NamedTuple):
    """A line that could not be read; `complete` is False where the rest of the file is lost too."""

    file: str
    line: int
    reason: str
    complete: bool = True


class Edges(NamedTuple):
    """Some edges in the file's order."""

    edges: list[Edge]
