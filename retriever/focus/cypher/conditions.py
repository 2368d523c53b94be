"""Conditions: what stands behind WHERE, as a list of what must all be true.

What cannot be said so (one of several things, most negations) is left out with a
warning, so that a pattern asks for less than its query, never for more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from retriever.focus.cypher.cursor import Cursor
from retriever.focus.cypher.operands import Operand, Property, Unknown, Values, Variable, read_operand
from retriever.focus.cypher.paths import begins_path, node_type, read_path
from retriever.focus.cypher.written import Labelled, Said, Test
from retriever.focus.pattern import Condition, Operator, Scalar

Comparison = Operator | Literal["=~"]
SIGNS: dict[str, Comparison] = {"=": "=", "<>": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "=~": "=~"}
WORDS: dict[str, Operator] = {"IN": "IN", "CONTAINS": "CONTAINS", "STARTS": "STARTS WITH", "ENDS": "ENDS WITH"}
REVERSED: dict[Comparison, Operator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "<>": "<>", "IN": "="}
OPPOSITE: dict[Operator, Operator] = {
    "=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<", "IS NULL": "IS NOT NULL", "IS NOT NULL": "IS NULL"
}  # fmt: skip
JOINING = ("AND", "OR", "XOR")
SPECIAL = re.compile(r"[\\^$.|?*+()\[\]{}]")
ESCAPED_SIGN = re.compile(r"\\(\W)")
ANYTHING = ".*"
OPEN: dict[tuple[bool, bool], Operator] = {
    (True, True): "CONTAINS", (True, False): "ENDS WITH", (False, True): "STARTS WITH", (False, False): "="
}  # fmt: skip
"""What a regular expression says that leaves open what comes before a text, and after it."""

COMPARING = (*SIGNS, *WORDS, "IS", "+", "*", "/")
DEEPEST = 20
"""Conditions nested further are left out."""


def read_conditions(cursor: Cursor) -> tuple[Said, ...]:
    """Return all that must be true by the conditions ahead, and go behind them."""
    return tuple(_either(cursor))


def _either(cursor: Cursor) -> list[Said]:
    """Return what is said at one depth of brackets, nothing where that is too deep."""
    if cursor.depth == DEEPEST:
        start = cursor.place
        cursor.skip_to((")", "}"))
        cursor.warn("TOO_LONG", cursor.since(start))
        return []
    cursor.depth += 1
    found = _alternatives(cursor)
    cursor.depth -= 1
    return found


def _alternatives(cursor: Cursor) -> list[Said]:
    """Return what one of several things says where it is one attribute's value, else nothing."""
    start = cursor.place
    branches = [_all(cursor)]
    while cursor.took_word("OR", "XOR") or cursor.took("||"):
        branches.append(_all(cursor))
    if len(branches) == 1:
        return branches[0]
    if (one := _one_of(branches)) is None:
        cursor.warn("ALTERNATIVE", cursor.since(start))
        return []
    return [one]


def _one_of(branches: Sequence[list[Said]]) -> Test | None:
    """Return the condition that an attribute is one of several values, None where branches say anything else."""
    tests = [said[0] for said in branches if len(said) == 1 and isinstance(said[0], Test)]
    same = {(each.variable, each.condition.key, each.condition.folds_case) for each in tests}
    if len(tests) < len(branches) or len(same) > 1 or any(each.condition.operator not in ("=", "IN") for each in tests):
        return None
    values = tuple(dict.fromkeys(value for each in tests for value in each.condition.values))
    return Test(tests[0].variable, tests[0].condition._replace(operator="IN", values=values))


def _all(cursor: Cursor) -> list[Said]:
    found = _negated(cursor)
    while cursor.took_word("AND") or cursor.took("&&", ","):
        found += _negated(cursor)
    return found


def _negated(cursor: Cursor) -> list[Said]:
    start = cursor.place
    n_negations = 0
    while cursor.took_word("NOT") or cursor.took("!"):
        n_negations += 1
    said = _one(cursor)
    if n_negations % 2 == 0:
        return said
    if len(said) == 1 and isinstance(said[0], Test) and said[0].condition.operator in OPPOSITE:
        condition = said[0].condition
        return [said[0]._replace(condition=condition._replace(operator=OPPOSITE[condition.operator]))]
    cursor.warn("NEGATION", cursor.since(start))
    return []


def _one(cursor: Cursor) -> list[Said]:
    """Return what a comparison, a path or something in brackets says."""
    start = cursor.place
    if cursor.is_word("EXISTS") and cursor.after().text in ("(", "{"):
        return _exists(cursor)
    if cursor.is_sign("(") and begins_path(cursor):
        return [read_path(cursor, read_conditions)]
    if cursor.is_sign("(") and not _is_operand(cursor):
        return _bracketed(cursor)
    said = _comparison(cursor)
    if cursor.skip_to((")", "}", "]", ",", ";", "&&", "||"), JOINING) or said is None:
        return _left_out(cursor, start)
    return said


def _left_out(cursor: Cursor, start: int) -> list[Said]:
    if start == cursor.place and not cursor.at_end():
        cursor.warn("SYNTAX", cursor.token.text)
    elif cursor.since(start):
        cursor.warn("IGNORED", cursor.since(start))
    return []


def _exists(cursor: Cursor) -> list[Said]:
    """Return what must be there: an attribute, or paths with their own conditions."""
    cursor.next()
    end = cursor.closes()
    cursor.next()
    cursor.took_word("MATCH")
    found: list[Said] = []
    if cursor.is_sign("("):
        found.append(read_path(cursor, read_conditions))
        while cursor.took(","):
            found.append(read_path(cursor, read_conditions))
    elif isinstance(operand := read_operand(cursor), Property):
        found.append(_test(operand, "IS NOT NULL", ()))
    if cursor.took_word("WHERE"):
        found += _either(cursor)
    if end is not None:
        cursor.go_to(end + 1)
    return found


def _is_operand(cursor: Cursor) -> bool:
    """Tell whether what stands in brackets is compared with something."""
    end = cursor.closes()
    return end is not None and (cursor.tokens[end + 1].upper or cursor.tokens[end + 1].text) in COMPARING


def _bracketed(cursor: Cursor) -> list[Said]:
    end = cursor.closes()
    start = cursor.place
    cursor.next()
    found = _either(cursor)
    if end is None or cursor.place > end:
        cursor.warn("UNFINISHED", cursor.since(start))
    elif cursor.place < end:
        cursor.go_to(end)
        cursor.warn("IGNORED", cursor.since(start))
        found = []
    cursor.took(")")
    return found


def _comparison(cursor: Cursor) -> list[Said] | None:
    """Return what a comparison says, which may have three sides; None where it is none that is understood."""
    left = read_operand(cursor)
    if isinstance(left, Variable) and cursor.is_sign(":"):
        kind = node_type(cursor, *JOINING)
        return [Labelled(left.name, kind)] if kind else []
    found: list[Said] = []
    while (operator := _operator(cursor)) is not None:
        if operator in ("IS NULL", "IS NOT NULL"):
            return [_test(left, operator, ())] if isinstance(left, Property) else None
        right = read_operand(cursor)
        said = _compared(left, operator, right)
        for side in (left, right):
            if isinstance(side, Unknown) and side.function:
                cursor.warn("FUNCTION", side.function.lower())
        if said is None:
            return None
        found.append(said)
        left = right
    return found or None


def _operator(cursor: Cursor) -> Comparison | None:
    """Return the comparison ahead and go behind it, None where there is none."""
    if cursor.is_sign(*SIGNS):
        return SIGNS[cursor.next().text]
    if cursor.is_word(*WORDS):
        word = WORDS[cursor.next().upper]
        cursor.took_word("WITH")
        return word
    if not cursor.took_word("IS"):
        return None
    is_not = cursor.took_word("NOT")
    return ("IS NOT NULL" if is_not else "IS NULL") if cursor.took_word("NULL") else None


def _compared(left: Operand, operator: Comparison, right: Operand) -> Said | None:
    """Return what two sides say; a bare word on the right is a value."""
    if isinstance(right, Property) and isinstance(left, Values) and operator in REVERSED:
        left, operator, right = right, REVERSED[operator], left
    if isinstance(right, Variable):
        right = Values((right.name,))
    if not isinstance(left, Property) or not isinstance(right, Values):
        return None
    if operator == "=~":
        return _matched(left, right)
    if not right.values:
        return _test(left, "IS NULL" if operator == "=" else "IS NOT NULL", ())
    if right.is_list and operator == "=":
        operator = "IN"
    return _test(left, operator, right.values) if operator == "IN" or len(right.values) == 1 else None


def _matched(left: Property, right: Values) -> Said | None:
    """Return what a regular expression says that only leaves open how a text begins or ends, else None."""
    pattern = right.values[0] if len(right.values) == 1 else None
    if not isinstance(pattern, str):
        return None
    folds = pattern.startswith("(?i)")
    inner = pattern.removeprefix("(?i)").removeprefix("^").removesuffix("$")
    before, after = inner.startswith(ANYTHING), inner.endswith(ANYTHING) and len(inner) > len(ANYTHING)
    inner = inner.removeprefix(ANYTHING) if before else inner
    inner = inner.removesuffix(ANYTHING) if after else inner
    text = ESCAPED_SIGN.sub(r"\1", inner)
    if SPECIAL.search(ESCAPED_SIGN.sub("", inner)) or not text:
        return None
    return _test(left._replace(folds_case=left.folds_case or folds), OPEN[before, after], (text,))


def _test(left: Property, operator: Operator, values: tuple[Scalar, ...]) -> Test:
    return Test(left.variable, Condition(left.key, operator, values, left.folds_case))
