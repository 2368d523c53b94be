"""Query patterns: what a question says of nodes and of the edges between them.

A pattern comes from Cypher, from a list of triplets or from a planner; all that
follows (types, candidates, grounding, ranking) reads these records alone.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Scalar = str | int | float | bool
Operator = Literal[
    "=", "<>", "<", "<=", ">", ">=", "IN", "CONTAINS", "STARTS WITH", "ENDS WITH", "IS NULL", "IS NOT NULL"
]
Code = Literal[
    "NO_QUERY", "NO_RETURN", "NO_TARGET", "NO_TARGET_TYPE", "NO_TRIPLET", "MORE_TARGETS", "UNKNOWN_TYPE",
    "UNKNOWN_RELATION", "UNKNOWN_ATTRIBUTE", "UNKNOWN_SYMBOL", "NO_CANDIDATE", "DISCONNECTED", "CONFLICT", "SYNTAX",
    "UNFINISHED", "IGNORED", "NEGATION", "ALTERNATIVE", "FUNCTION", "OPTIONAL", "UNBOUNDED", "TOO_LONG", "SECOND_QUERY",
]  # fmt: skip
"""What a warning is about (docs/focus.md says what each means)."""


class PatternWarning(NamedTuple):
    """What of a query is not taken as it was written; `detail` quotes or names it."""

    code: Code
    detail: str


class Condition(NamedTuple):
    """What an attribute of a node must be: one value, several for IN, none for IS NULL and IS NOT NULL.

    Dates are texts (ISO). `folds_case` is true where the query asks for letters of either case.
    """

    key: str
    operator: Operator
    values: tuple[Scalar, ...] = ()
    folds_case: bool = False


class Symbol(NamedTuple):
    """A node of a pattern: what must be true of it.

    `constant` is the name by which it is known, None for a variable; any of
    `alternatives` will do as well. `type` is a node's type, None where any will do.
    `conditions` are those on its other attributes, and on its name where that need
    only hold, begin or end with something, or must not be it.
    """

    variable: str
    type: str | None = None
    constant: str | None = None
    conditions: tuple[Condition, ...] = ()
    alternatives: tuple[str, ...] = ()


class Triplet(NamedTuple):
    """An edge of a pattern, or a walk of `least` to `most` edges, between two symbols named by their variables.

    `predicates` are the relations that will do, any where there are none. Each edge
    goes from `subject` to `object`, or in either direction where not `directed`.
    """

    subject: str
    predicates: tuple[str, ...]
    object: str
    directed: bool = True
    least: int = 1
    most: int = 1


class Pattern(NamedTuple):
    """Symbols (each variable once), triplets between them, and the variable of what is asked for, if there is one."""

    symbols: tuple[Symbol, ...] = ()
    triplets: tuple[Triplet, ...] = ()
    target: str | None = None
    warnings: tuple[PatternWarning, ...] = ()

    def symbol(self, variable: str) -> Symbol:
        """Return a symbol; raise KeyError where there is none."""
        for each in self.symbols:
            if each.variable == variable:
                return each
        raise KeyError(variable)

    @property
    def connected(self) -> Pattern:
        """The pattern without the symbols and triplets that no chain of triplets links with the target."""
        linked = {self.target}
        for _ in self.triplets:
            linked |= {end for each in self.triplets for end in _ends(each) if not linked.isdisjoint(_ends(each))}
        return self._replace(
            symbols=tuple(each for each in self.symbols if each.variable in linked),
            triplets=tuple(each for each in self.triplets if each.subject in linked),
        )


def _ends(triplet: Triplet) -> tuple[str, str]:
    return triplet.subject, triplet.object
