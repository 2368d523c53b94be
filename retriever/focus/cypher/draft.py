"""A pattern while its query is read: symbols by variable, triplets, conditions, what is returned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from retriever.focus.cypher.cursor import Cursor
from retriever.focus.cypher.written import Edge, Labelled, Node, Path, Said, Test
from retriever.focus.pattern import Condition, Pattern, Symbol, Triplet

NAME_KEYS = frozenset(("name", "title"))
"""The attributes by which a node is known."""

MOST_TRIPLETS = 64
"""Triplets beyond are left out."""


class Draft:
    """What has been understood of a query so far."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._types: dict[str, str | None] = {}
        self._conditions: dict[str, dict[Condition, None]] = {}
        self._triplets: dict[Triplet, bool] = {}
        self._needed: set[str] = set()
        self._edges: set[str] = set()
        self._aliases: dict[str, str] = {}
        self.returned: list[str] = []

    def knows(self, name: str) -> bool:
        """Tell whether a node has this variable."""
        return self._variable(name) in self._types

    def rename(self, variable: str, alias: str) -> None:
        """Let a node be known by another variable too."""
        if self.knows(variable) and not self.knows(alias):
            self._aliases[alias] = self._variable(variable)

    def say(self, said: Iterable[Said], *, needed: bool = True) -> None:
        """Add what must be true, or what is only looked for where it is not `needed`."""
        for each in said:
            if isinstance(each, Path):
                self._path(each, needed)
            elif isinstance(each, Labelled):
                self._label(each.variable, each.type)
            else:
                self._test(each)

    def pattern(self) -> Pattern:
        """Return the pattern of all that was said."""
        target = self._target()
        is_needed = target is None or target in self._needed
        triplets = tuple(each for each, needed in self._triplets.items() if needed or not is_needed)
        for each, needed in self._triplets.items():
            if not needed and is_needed:
                self._cursor.warn("OPTIONAL", f"{each.subject} {'|'.join(each.predicates)} {each.object}")
        kept = [name for name in self._types if name in self._needed or not is_needed]
        symbols = tuple(_symbol(name, self._types[name], self._conditions.get(name, ())) for name in kept)
        if not symbols:
            self._cursor.warn("NO_QUERY", "no node is asked for")
        elif target is None:
            self._cursor.warn("NO_TARGET", "no node is returned")
        elif self._types[target] is None:
            self._cursor.warn("NO_TARGET_TYPE", target)
        return Pattern(symbols, triplets, target, tuple(dict.fromkeys(self._cursor.warnings)))

    def _variable(self, name: str) -> str:
        return self._aliases.get(name, name)

    def _target(self) -> str | None:
        """Return the first node that is returned; the others, and what is no node, are warned of."""
        named = list(dict.fromkeys(map(self._variable, self.returned)))
        known = [name for name in named if name in self._types]
        for name in named:
            if name not in self._types:
                self._cursor.warn("UNKNOWN_SYMBOL", name)
        for name in known[1:]:
            self._cursor.warn("MORE_TARGETS", name)
        return known[0] if known else None

    def _path(self, path: Path, needed: bool) -> None:
        names = [self._node(node, needed) for node in path.nodes]
        for (left, right), edge in zip(pairwise(names), path.edges, strict=True):
            self._edge(left, edge, right, needed)

    def _node(self, node: Node, needed: bool) -> str:
        name = f"#{len(self._types) + 1}" if node.variable is None else self._variable(node.variable)
        self._label(name, node.type)
        if needed:
            self._needed.add(name)
        for condition in node.own:
            self._conditions.setdefault(name, {})[condition] = None
        self.say(node.said, needed=needed)
        return name

    def _label(self, variable: str, kind: str | None) -> None:
        name = self._variable(variable)
        known = self._types.setdefault(name, kind)
        if known is None:
            self._types[name] = kind
        elif kind is not None and kind != known:
            self._cursor.warn("CONFLICT", f"{variable}:{known} and {variable}:{kind}")

    def _edge(self, left: str, edge: Edge, right: str, needed: bool) -> None:
        if edge.variable is not None:
            self._edges.add(edge.variable)
        subject, object_ = (right, left) if edge.points < 0 else (left, right)
        triplet = Triplet(subject, edge.predicates, object_, edge.points != 0, edge.least, edge.most)
        if len(self._triplets) < MOST_TRIPLETS or triplet in self._triplets:
            self._triplets[triplet] = self._triplets.get(triplet, False) or needed
        else:
            self._cursor.warn("TOO_LONG", f"more than {MOST_TRIPLETS} triplets")

    def _test(self, test: Test) -> None:
        name = self._variable(test.variable)
        if name in self._types:
            self._conditions.setdefault(name, {})[test.condition] = None
        else:
            is_edge = name in self._edges
            self._cursor.warn("IGNORED" if is_edge else "UNKNOWN_SYMBOL", f"{test.variable}.{test.condition.key}")


def _symbol(name: str, kind: str | None, conditions: Iterable[Condition]) -> Symbol:
    """Return a symbol: what its name is equal to or is to hold is its constant, all else stays a condition."""
    equal: list[Sequence[str]] = []
    others: list[Condition] = []
    for each in conditions:
        named = each.key.lower() in NAME_KEYS
        if named and each.operator not in ("<>", "IS NULL", "IS NOT NULL"):
            equal.append([str(value) for value in each.values])
        if not (named and each.operator in ("=", "IN", "IS NOT NULL")):
            others.append(each._replace(key="name") if named else each)
    if not equal:
        return Symbol(name, kind, None, tuple(others))
    if len(equal) == 1:
        return Symbol(name, kind, equal[0][0], tuple(others), tuple(equal[0][1:]))
    return Symbol(name, kind, "; ".join(dict.fromkeys(names[0] for names in equal)), tuple(others))
