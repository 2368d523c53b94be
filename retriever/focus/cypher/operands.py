"""The two sides of a comparison: values, attributes of nodes, and what can be neither."""

from __future__ import annotations

from typing import NamedTuple

from retriever.focus.cypher.cursor import Cursor
from retriever.focus.cypher.tokens import Token
from retriever.focus.pattern import Scalar

FOLDING = frozenset(("TOLOWER", "LOWER", "TOUPPER", "UPPER"))
TRANSPARENT = FOLDING | frozenset(
    """TRIM TOSTRING TOINTEGER TOINT TOFLOAT TOBOOLEAN DATE DATETIME LOCALDATETIME YEAR COALESCE""".split()
)
"""Functions that leave what is asked as it is, as far as conditions know."""

CONSTANTS: dict[str, Scalar] = {"TRUE": True, "FALSE": False}
DEEPEST = 20
"""Operands nested further are left out."""

MOST_DIGITS = 300
"""Python refuses to read very long integers."""


class Property(NamedTuple):
    """An attribute of a variable, in letters of either case where `folds_case`."""

    variable: str
    key: str
    folds_case: bool = False


class Values(NamedTuple):
    """Values as they are written; none for null. `is_list` is true also of a list of one."""

    values: tuple[Scalar, ...]
    is_list: bool = False


class Variable(NamedTuple):
    """A variable without an attribute, or a bare word."""

    name: str


class Unknown(NamedTuple):
    """What is neither, and perhaps the function that it calls."""

    function: str | None = None


Operand = Property | Values | Variable | Unknown


def read_operand(cursor: Cursor, depth: int = DEEPEST) -> Operand:
    """Return one side of a comparison and go behind it; what closes a bracket or begins a clause stays ahead."""
    token = cursor.token
    if depth == 0:
        cursor.skip()
        return Unknown()
    if token.kind == "string":
        return Values((cursor.next().text,))
    if token.kind == "number" or cursor.is_sign("-", "+"):
        return _number(cursor)
    if cursor.is_sign("["):
        return _list(cursor, depth)
    if cursor.is_sign("("):
        return _within(cursor, depth)
    if token.kind == "quoted" or (token.kind == "word" and not cursor.at_clause()):
        return _named(cursor, depth)
    if cursor.took("$") or not (cursor.is_sign(")", "]", "}", ",", ";", "|") or cursor.at_clause()):
        cursor.skip()
    return Unknown()


def number_of(token: Token) -> int | float:
    """Return the number that a token is, an infinite one where it is too long."""
    return int(token.text) if token.text.isdigit() and len(token.text) < MOST_DIGITS else float(token.text)


def _number(cursor: Cursor) -> Operand:
    sign = -1 if cursor.took("-") else 1
    cursor.took("+")
    if cursor.token.kind != "number":
        return Unknown()
    return Values((sign * number_of(cursor.next()),))


def _list(cursor: Cursor, depth: int) -> Operand:
    """Return the values in brackets; a list that holds anything else is unknown."""
    end = cursor.closes()
    cursor.next()
    values: list[Scalar] = []
    plain = True
    while not (cursor.is_sign("]") or cursor.at_clause()):
        found = read_operand(cursor, depth - 1)
        plain = plain and isinstance(found, Values) and cursor.is_sign(",", "]")
        values += found.values if isinstance(found, Values) else ()
        cursor.skip_to((",", "]"))
        cursor.took(",")
    if end is not None:
        cursor.go_to(end + 1)
    return Values(tuple(values), is_list=True) if plain else Unknown()


def _within(cursor: Cursor, depth: int) -> Operand:
    """Return what stands in brackets where it is one operand."""
    end = cursor.closes()
    cursor.next()
    found = read_operand(cursor, depth - 1)
    if end is None:
        return found
    whole = cursor.place == end
    cursor.go_to(end + 1)
    return found if whole else Unknown()


def _named(cursor: Cursor, depth: int) -> Operand:
    token = cursor.next()
    if token.upper == "NULL":
        return Values(())
    if token.upper in CONSTANTS:
        return Values((CONSTANTS[token.upper],))
    if cursor.is_sign("("):
        return _called(cursor, token.upper, depth)
    if cursor.is_sign("."):
        return _attribute(cursor, token.text)
    if cursor.is_sign("[") and cursor.after().kind == "string":
        cursor.next()
        key = cursor.next().text
        cursor.took("]")
        return Property(token.text, key)
    return Variable(token.text)


def _called(cursor: Cursor, function: str, depth: int) -> Operand:
    """Return what a function is applied to, where it does not matter that it is."""
    if function not in TRANSPARENT:
        cursor.skip()
        return Unknown(function)
    end = cursor.closes()
    cursor.next()
    found = read_operand(cursor, depth - 1)
    if end is not None:
        cursor.go_to(end + 1)
    while cursor.is_sign(".") and cursor.after().kind == "word":
        cursor.next()
        cursor.next()
    if function in FOLDING and isinstance(found, Property):
        return found._replace(folds_case=True)
    return Unknown(function) if isinstance(found, Unknown) else found


def _attribute(cursor: Cursor, variable: str) -> Operand:
    """Return `variable.key`; parts of a date behind it are left to how dates are compared."""
    cursor.next()
    if cursor.token.kind not in ("word", "quoted", "number"):
        return Unknown()
    key = cursor.next().text
    while cursor.is_sign(".") and cursor.after().kind == "word":
        cursor.next()
        cursor.next()
    return Property(variable, key)
