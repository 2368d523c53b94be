"""What a query says, before it is a pattern: paths, and what must be true of their nodes."""

from __future__ import annotations

from typing import NamedTuple

from retriever.focus.pattern import Condition


class Test(NamedTuple):
    """What must be true of an attribute of a variable."""

    variable: str
    condition: Condition


class Labelled(NamedTuple):
    """What type a variable must have."""

    variable: str
    type: str


class Node(NamedTuple):
    """A node: its variable and type where they are given, and what must be true of its attributes.

    `own` are conditions that name no variable, `said` all that a WHERE within the node says.
    """

    variable: str | None
    type: str | None = None
    own: tuple[Condition, ...] = ()
    said: tuple[Said, ...] = ()


class Edge(NamedTuple):
    """An edge; `points` is -1 to the left, 1 to the right, 0 where it does not say."""

    variable: str | None
    predicates: tuple[str, ...]
    points: int
    least: int = 1
    most: int = 1


class Path(NamedTuple):
    """Nodes (n,) and the edges (n - 1,) between them."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


Said = Test | Labelled | Path
