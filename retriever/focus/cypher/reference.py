"""The published way to read a query, by regular expressions with all that they miss, to measure what a parser adds.

What AF-Retriever's code does (de Boer et al.), observed from outside: a query
needs RETURN in capitals, exactly once; an edge needs a named relation in
brackets, and one without an arrow is read from left to right; a node may have
one attribute in braces, and that a quoted text; every comparison anywhere counts
for the nodes of edges, with =, =~, CONTAINS and IN the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from retriever.focus.pattern import Condition, Operator, Pattern, PatternWarning, Symbol, Triplet
from weft.chat.replies import unfenced

NODE = r"\(\s*(\w*)\s*(?::\s*([^(){}]+?))?\s*(?:\{\s*(\w+)\s*:\s*[\"']([^()]*?)[\"'][^,(){}]*\})?\s*\)"
RELATION = r"\[[^\[\]:]*:\s*([^\[\]]*?)\s*\]"
LEFTWARD = re.compile(rf"(?={NODE}\s*<-\s*{RELATION}\s*-\s*{NODE})")
RIGHTWARD = re.compile(rf"(?={NODE}\s*-\s*{RELATION}\s*->?\s*{NODE})")
ALONE = re.compile(NODE)
COMPARISON = re.compile(
    r"(\w+)\.(\w+)\s*(?:(=~|<=|>=|=|<|>|CONTAINS)\s*(?:[\"'](?:\(\?i\))?(.*?)[\"']|(\w+))|IN\s*\[([^\[\]]*)\])"
)
COMPARED: dict[str, Operator] = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}
NAMES = ("name", "title")
MOST_LETTERS = 20_000

Given = tuple[str, str | None, str | None, str | None]
"""A node's variable, type, attribute and its value."""


def parse_reference(reply: str) -> Pattern:
    """Return the pattern of a query as published; an empty one with a warning where that fails."""
    # Expressions with several optional blanks would take very long over many blanks.
    parts = " ".join(unfenced(reply)[:MOST_LETTERS].split()).split("RETURN")
    if len(parts) != 2:
        return Pattern(warnings=(PatternWarning("NO_RETURN", f"{len(parts) - 1} times RETURN"),))
    body, returned = parts
    target = returned.partition(".")[0].strip()
    typed = re.search(rf"\b{re.escape(target)}\b:\s*([^\s(){{}}]+)", body)
    if not target or typed is None:
        return Pattern(warnings=(PatternWarning("NO_TARGET_TYPE", target),))
    symbols: dict[str, tuple[str | None, dict[str, list[str]]]] = {}
    triplets = tuple(dict.fromkeys(_triplets(body, symbols)))
    for node in ALONE.finditer(body):
        if node[3]:
            _entered((node[1], node[2], node[3], node[4]), symbols)
    known = {name for each in triplets for name in (each.subject, each.object)}
    symbols.setdefault(target, (typed[1], {}))
    if known:
        _compare(body, symbols)
    made = tuple(_symbol(name, kind, said, is_target=name == target) for name, (kind, said) in symbols.items())
    return Pattern(made, triplets, target)


def _triplets(body: str, symbols: dict[str, tuple[str | None, dict[str, list[str]]]]) -> Iterator[Triplet]:
    """Yield edges that point to the left, then all others, and enter their nodes."""
    for pattern in (LEFTWARD, RIGHTWARD):
        for found in pattern.finditer(body):
            left = _entered((found[1], found[2], found[3], found[4]), symbols)
            right = _entered((found[6], found[7], found[8], found[9]), symbols)
            yield Triplet(right, (found[5],), left) if pattern is LEFTWARD else Triplet(left, (found[5],), right)


def _entered(node: Given, symbols: dict[str, tuple[str | None, dict[str, list[str]]]]) -> str:
    """Enter a node, and return its variable; one without any gets a number, the same where it says the same."""
    variable, kind, key, value = node
    name = variable or f"untitled_const {kind or ''} {key or ''} {value or ''}"
    known, said = symbols.get(name, (None, {}))
    symbols[name] = (known or kind, said)
    if key and value is not None and value not in said.setdefault(key, []):
        said[key].append(value)
    return name


def _compare(body: str, symbols: dict[str, tuple[str | None, dict[str, list[str]]]]) -> None:
    """Add every comparison whose node is known."""
    for found in COMPARISON.finditer(body):
        variable, key, sign, quoted, bare, values = found.groups()
        if variable in symbols:
            text = re.sub("[\"']", "", values) if values is not None else quoted if quoted is not None else bare
            said = symbols[variable][1].setdefault(key, [])
            entry = f"{sign}{text}" if sign in COMPARED else text
            if entry not in said:
                said.append(entry)


def _symbol(name: str, kind: str | None, said: dict[str, list[str]], *, is_target: bool) -> Symbol:
    """Return a symbol: what has a name or title is a constant, the target never."""
    named = "; ".join(value for key in NAMES for value in said.get(key, []))
    conditions = tuple(_condition(key, "; ".join(values)) for key, values in said.items() if key not in NAMES)
    return Symbol(name, kind, None if is_target else named or None, conditions)


def _condition(key: str, value: str) -> Condition:
    for sign in ("<=", ">=", "<", ">"):
        if value.startswith(sign):
            return Condition(key, COMPARED[sign], (value.removeprefix(sign),))
    return Condition(key, "=", (value,))
