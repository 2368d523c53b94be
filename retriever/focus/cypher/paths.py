"""Paths: nodes and the edges between them, as they stand behind MATCH, and within WHERE."""

from __future__ import annotations

from collections.abc import Callable, Collection

from retriever.focus.cypher.cursor import Cursor
from retriever.focus.cypher.operands import Values, number_of, read_operand
from retriever.focus.cypher.written import Edge, Node, Path, Said
from retriever.focus.pattern import Condition

MOST_HOPS = 4
"""Longer walks, and those without an end, are read to so many edges."""

NODE_ENDS = (")", "{", ":", "|", "&", "(", "[", "]", ",")
EDGE_ENDS = ("]", "|", "*", "{", ":", "&", "(", ">", ",")

ReadWhere = Callable[[Cursor], tuple[Said, ...]]
"""What reads the conditions within a node."""


def read_path(cursor: Cursor, read_where: ReadWhere) -> Path:
    """Return the path ahead and go behind it; a path without nodes where there is none."""
    if cursor.token.kind in ("word", "quoted") and cursor.after().text == "=":
        cursor.next()
        cursor.next()
    if cursor.token.kind == "word" and cursor.after().text == "(":
        cursor.warn("FUNCTION", cursor.next().text)
    while cursor.is_sign("(") and cursor.after().text == "(":
        cursor.next()
    nodes: list[Node] = []
    edges: list[Edge] = []
    while cursor.is_sign("("):
        nodes.append(_node(cursor, read_where))
        start = cursor.place
        edge = _edge(cursor)
        if edge is None:
            break
        if not cursor.is_sign("("):
            cursor.warn("SYNTAX", cursor.since(start))
            break
        edges.append(edge)
    return Path(tuple(nodes), tuple(edges))


def begins_path(cursor: Cursor) -> bool:
    """Tell whether the bracket ahead opens a node that an edge follows."""
    end = cursor.closes()
    if end is None:
        return False
    inner = cursor.after(2 if cursor.after().kind in ("word", "quoted") else 1)
    behind = [token.text for token in cursor.tokens[end + 1 : end + 3]]
    return inner.text in (")", ":", "{") and (behind[:1] == ["-"] or behind == ["<", "-"])


def read_labels(cursor: Cursor, ends: Collection[str], words: Collection[str] = ()) -> list[str]:
    """Return the labels behind colons, one of which will do; none where one must not be.

    Signs and words end a label that is not quoted.
    """
    found: list[str] = []
    start = cursor.place
    negated = False
    while cursor.is_sign(":", "|", "&", "!"):
        signs = cursor.next().text
        while cursor.is_sign(":", "|", "&", "!"):
            signs += cursor.next().text
        negated = negated or "!" in signs
        label = _label(cursor, ends, words)
        if found and "|" not in signs:
            cursor.warn("IGNORED", f"{signs}{label}")
        elif label:
            found.append(label)
    if negated:
        cursor.warn("NEGATION", cursor.since(start))
    return [] if negated else found


def node_type(cursor: Cursor, *words: str) -> str | None:
    """Return the type behind a node's variable, which some words end; none where one of several will do."""
    labels = list(dict.fromkeys(read_labels(cursor, NODE_ENDS, words)))
    if len(labels) > 1:
        cursor.warn("ALTERNATIVE", "|".join(labels))
    return labels[0] if len(labels) == 1 else None


def _label(cursor: Cursor, ends: Collection[str], words: Collection[str]) -> str:
    """Return a label as written, with blanks, slashes and hyphens that are not quoted."""
    start = cursor.place
    if cursor.token.kind == "quoted" and cursor.after().text in ends:
        return cursor.next().text
    while not (cursor.is_sign(*ends) or cursor.is_word("WHERE", *words) or cursor.at_clause()):
        cursor.next()
    return cursor.since(start).strip("-<` ")


def _node(cursor: Cursor, read_where: ReadWhere) -> Node:
    opened, end = cursor.place, cursor.closes()
    cursor.next()
    variable = None
    if cursor.token.kind in ("word", "quoted") and (not cursor.at_clause() or cursor.after().text in (":", ")", "{")):
        variable = cursor.next().text
    kind = node_type(cursor)
    own = _properties(cursor)
    said = read_where(cursor) if cursor.took_word("WHERE") else ()
    start = cursor.place
    if end is None:
        cursor.warn("UNFINISHED", cursor.since(opened))
    elif start != end:
        cursor.go_to(end)
        cursor.warn("SYNTAX", cursor.since(start) or cursor.since(opened))
    cursor.took(")")
    return Node(variable, kind, own, said)


def _properties(cursor: Cursor) -> tuple[Condition, ...]:
    """Return what stands in braces as conditions; what is no plain value is left out."""
    if not cursor.is_sign("{"):
        return ()
    end = cursor.closes()
    cursor.next()
    found: list[Condition] = []
    while not (cursor.is_sign("}", ")") or cursor.at_end()):
        start = cursor.place
        key = cursor.next().text
        value = read_operand(cursor) if cursor.took(":", "=") else None
        left = cursor.skip_to((",", "}", ")"))
        if isinstance(value, Values) and value.values and not left:
            found.append(Condition(key, "IN" if value.is_list else "=", value.values))
        else:
            cursor.warn("IGNORED", cursor.since(start))
        if not cursor.took(",") and cursor.at_clause():
            break
    if end is not None:
        cursor.go_to(end)
    cursor.took("}")
    return tuple(found)


def _edge(cursor: Cursor) -> Edge | None:
    """Return the edge ahead and go behind it, None where there is none."""
    if not (cursor.is_sign("-") or (cursor.is_sign("<") and cursor.after().text in ("-", "["))):
        return None
    left = cursor.took("<")
    _dashes(cursor)
    edge = Edge(None, (), 0)
    if cursor.is_sign("["):
        edge = _detail(cursor)
    elif cursor.is_sign(":"):
        edge = edge._replace(predicates=tuple(read_labels(cursor, (*EDGE_ENDS, "-"))))
    _dashes(cursor)
    right = cursor.took(">")
    least, most = _quantifier(cursor, edge)
    return edge._replace(points=int(right) - int(left), least=least, most=most)


def _dashes(cursor: Cursor) -> None:
    while cursor.took("-"):
        pass


def _detail(cursor: Cursor) -> Edge:
    """Return what stands in the brackets of an edge."""
    end = cursor.closes()
    cursor.next()
    variable = cursor.next().text if cursor.token.kind in ("word", "quoted") else None
    predicates = tuple(dict.fromkeys(read_labels(cursor, EDGE_ENDS)))
    least, most = _hops(cursor) if cursor.took("*") else (1, 1)
    start = cursor.place
    cursor.go_to(start if end is None else end)
    if cursor.since(start) or end is None:
        cursor.warn("UNFINISHED" if end is None else "IGNORED", cursor.since(start) or "[")
    cursor.took("]")
    return Edge(variable, predicates, 0, least, most)


def _quantifier(cursor: Cursor, edge: Edge) -> tuple[int, int]:
    """Return how many edges a walk has, which may be told behind the arrow."""
    if cursor.took("+"):
        return _bounded(cursor, 1, None)
    if cursor.took("*"):
        return _bounded(cursor, 0, None)
    if not cursor.is_sign("{"):
        return edge.least, edge.most
    end = cursor.closes()
    cursor.next()
    least, most = _hops(cursor)
    if end is not None:
        cursor.go_to(end + 1)
    return least, most


def _hops(cursor: Cursor) -> tuple[int, int]:
    """Return the bounds that `2`, `1..3`, `..3`, `1..`, `1,3` or nothing says."""
    least = _count(cursor)
    if not cursor.took("..", ","):
        return _bounded(cursor, 1 if least is None else least, least)
    return _bounded(cursor, 1 if least is None else least, _count(cursor))


def _count(cursor: Cursor) -> int | None:
    return int(min(number_of(cursor.next()), 1000)) if cursor.token.kind == "number" else None


def _bounded(cursor: Cursor, least: int, most: int | None) -> tuple[int, int]:
    if most is None:
        cursor.warn("UNBOUNDED", f"{least} edges or more")
    elif most > MOST_HOPS:
        cursor.warn("TOO_LONG", f"{most} edges")
    most = MOST_HOPS if most is None else min(most, MOST_HOPS)
    return min(least, most), most
