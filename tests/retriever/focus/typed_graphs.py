"""Typed graphs that tests write out, and patterns over them with all that fits by trying everything."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from builder.build import build
from builder.request import Request
from retriever.focus.pattern import Pattern, Symbol, Triplet
from tests.worlds import write_records


class Graph(NamedTuple):
    """Nodes with their types (None: no type) and names, and edges."""

    types: dict[str, str | None]
    edges: set[tuple[str, str, str]]


def write_graph(folder: Path, nodes: Iterable[Mapping[str, Any]], edges: Iterable[tuple[str, str, str]]) -> Path:
    """Write a graph folder, build an SKB of it, and return that."""
    folder.mkdir(parents=True, exist_ok=True)
    write_records(folder / "nodes.jsonl", [dict(node) for node in nodes])
    lines = ["subject\tpredicate\tobject", *("\t".join(edge) for edge in edges)]
    (folder / "edges.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    target = folder.parent / f"{folder.name}.skb"
    build(Request((str(folder),), target, workers=1))
    return target


def random_graph(seed: int, n_nodes: int = 12, n_edges: int = 30) -> Graph:
    """Return a graph of three types and two relations, with nodes of no type and loops."""
    chance = random.Random(seed)
    types = {f"n{index:02}": chance.choice(["a", "a", "b", "b", "c", None]) for index in range(n_nodes)}
    ends = sorted(types)
    return Graph(types, {(chance.choice(ends), chance.choice("rs"), chance.choice(ends)) for _ in range(n_edges)})


def random_tree(seed: int) -> Pattern:
    """Return a pattern of one to five symbols that is a tree, with walks and edges in either direction."""
    chance = random.Random(seed)
    n = chance.randrange(1, 6)
    symbols = tuple(
        Symbol(f"x{index}", chance.choice(["a", "b", "c", None]), "known" if index and chance.random() < 0.5 else None)
        for index in range(n)
    )
    triplets = tuple(_triplet(chance, f"x{chance.randrange(index)}", f"x{index}") for index in range(1, n))
    return Pattern(symbols, triplets, "x0")


def random_cycle(seed: int) -> Pattern:
    """Return a pattern with one or two triplets more than a tree has."""
    chance = random.Random(seed)
    tree = random_tree(seed)
    names = [symbol.variable for symbol in tree.symbols]
    more = tuple(_triplet(chance, chance.choice(names), chance.choice(names)) for _ in range(chance.randrange(1, 3)))
    return tree._replace(triplets=tuple(dict.fromkeys(tree.triplets + more)))


def _triplet(chance: random.Random, left: str, right: str) -> Triplet:
    subject, object_ = (left, right) if chance.random() < 0.5 else (right, left)
    predicates = chance.choice([(), ("r",), ("s",), ("r", "s"), ("r",)])
    least, most = (1, 1) if subject == object_ else chance.choice([(1, 1), (1, 1), (1, 1), (0, 2), (1, 2), (2, 2)])
    return Triplet(subject, predicates, object_, chance.random() < 0.7, least, most)


def assignments(
    graph: Graph, pattern: Pattern, may_be: Mapping[str, set[str]], *, edges: bool, directions: bool, distinct: bool
) -> Iterator[dict[str, str]]:
    """Yield every assignment of nodes to variables such that all triplets hold, by trying all."""
    names = [symbol.variable for symbol in pattern.symbols]
    walks = {triplet: _walks(graph, triplet, edges, directions) for triplet in pattern.triplets}

    def grown(chosen: dict[str, str]) -> Iterator[dict[str, str]]:
        if len(chosen) == len(names):
            yield chosen
            return
        name = names[len(chosen)]
        for node in sorted(may_be[name]):
            if not (distinct and node in chosen.values()) and fits({**chosen, name: node}, name):
                yield from grown({**chosen, name: node})

    def fits(chosen: dict[str, str], name: str) -> bool:
        ends = ((each.subject, each.object) for each in pattern.triplets)
        told = [walks[each] for each in pattern.triplets]
        return all(
            (chosen[start], chosen[end]) in pairs
            for (start, end), pairs in zip(ends, told, strict=True)
            if name in (start, end) and start in chosen and end in chosen
        )

    yield from grown({})


def _walks(graph: Graph, triplet: Triplet, edges: bool, directions: bool) -> set[tuple[str, str]]:
    """Return the pairs of nodes between which a triplet's walk leads."""
    kept = {(s, o) for s, p, o in graph.edges if not triplet.predicates or not edges or p in triplet.predicates}
    if not (triplet.directed and directions):
        kept |= {(o, s) for s, o in kept}
    level = {(node, node) for node in graph.types}
    found = set(level) if triplet.least == 0 else set()
    for hop in range(1, triplet.most + 1):
        level = {(start, end) for start, middle in level for begin, end in kept if begin == middle}
        if hop >= triplet.least:
            found |= level
    return found
