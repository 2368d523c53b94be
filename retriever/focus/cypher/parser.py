"""Read a query by its clauses: MATCH, WHERE and RETURN, and of the others what matters to a pattern.

>>> parse("MATCH (p:paper)<-[:writes]-(a:author {name: 'Ann Lee'}) WHERE p.year > 2015 RETURN p").triplets
(Triplet(subject='a', predicates=('writes',), object='p', directed=True, least=1, most=1),)
"""

from __future__ import annotations

from retriever.focus.cypher.conditions import read_conditions
from retriever.focus.cypher.cursor import CLAUSES, Cursor
from retriever.focus.cypher.draft import Draft
from retriever.focus.cypher.paths import read_path
from retriever.focus.pattern import Pattern
from weft.chat.replies import unfenced

TAILS = ("ORDER", "SKIP", "LIMIT")
MOST_LETTERS = 20_000
"""A longer query is cut."""


def parse(reply: str) -> Pattern:
    """Return the pattern of the first query in a model's reply; never raises, O(n)."""
    query = unfenced(reply)
    cursor = Cursor(query[:MOST_LETTERS])
    if len(query) > MOST_LETTERS:
        cursor.warn("TOO_LONG", f"{len(query)} letters")
    draft = Draft(cursor)
    _to_query(cursor)
    has_returned = False
    while not (cursor.at_end() or (has_returned and not cursor.is_word(*TAILS))):
        has_returned = _clause(cursor, draft) or has_returned
    if not has_returned:
        cursor.warn("NO_RETURN", "the query returns nothing")
    if not cursor.at_end() and any(token.upper in CLAUSES for token in cursor.tokens[cursor.place :]):
        cursor.warn("SECOND_QUERY", cursor.token.text)
    return draft.pattern()


def _to_query(cursor: Cursor) -> None:
    """Go to where a query begins: what stands before it is prose."""
    while not cursor.at_end():
        if (cursor.token.upper, cursor.after().text.upper()) in (("OPTIONAL", "MATCH"), ("CALL", "{")):
            return
        if cursor.is_word("MATCH") and (cursor.after().text == "(" or cursor.after(2).text in ("=", "(")):
            return
        cursor.next()


def _clause(cursor: Cursor, draft: Draft) -> bool:
    """Read the clause ahead; return whether it is RETURN."""
    start = cursor.place
    if cursor.took_word("MATCH"):
        _match(cursor, draft, needed=True)
    elif cursor.is_word("OPTIONAL") and cursor.after().upper == "MATCH":
        cursor.next()
        cursor.next()
        _match(cursor, draft, needed=False)
    elif cursor.took_word("WHERE"):
        draft.say(read_conditions(cursor))
    elif cursor.took_word("RETURN"):
        _return(cursor, draft)
        return True
    elif cursor.took_word("WITH"):
        _with(cursor, draft)
    else:
        _other(cursor)
    if cursor.place == start:
        cursor.next()
    return False


def _match(cursor: Cursor, draft: Draft, *, needed: bool) -> None:
    """Read paths, separated by commas."""
    draft.say([read_path(cursor, read_conditions)], needed=needed)
    while not cursor.at_clause():
        if not cursor.took(","):
            start = cursor.place
            cursor.skip_to((",", "("))
            if cursor.since(start).strip(")};"):
                cursor.warn("SYNTAX", cursor.since(start))
        before = cursor.place
        draft.say([read_path(cursor, read_conditions)], needed=needed)
        if cursor.place == before and not cursor.is_sign(","):
            break


def _return(cursor: Cursor, draft: Draft) -> None:
    """Read what is returned: of each item the first variable."""
    cursor.took_word("DISTINCT")
    while not (cursor.at_clause() or cursor.is_sign(";")):
        _item(cursor, draft)
        if not cursor.took(","):
            break


def _item(cursor: Cursor, draft: Draft) -> None:
    """Read to the end of an item; the first word that no bracket follows, and that is a node's, is returned."""
    names: list[str] = []
    depth = 0
    while not (cursor.at_clause() or cursor.is_sign(";") or (cursor.is_sign(",") and depth == 0)):
        token = cursor.next()
        depth += token.text in ("(", "[", "{") if token.kind == "sign" else 0
        depth -= token.text in (")", "]", "}") and depth > 0 if token.kind == "sign" else 0
        if token.upper == "AS":
            cursor.next()
        elif token.kind == "word" and cursor.is_sign("("):
            cursor.warn("FUNCTION", token.text)
        elif token.kind in ("word", "quoted") and token.upper != "DISTINCT":
            names.append(token.text)
        if cursor.took("."):
            cursor.next()
    known = [name for name in names if draft.knows(name)]
    draft.returned += known[:1] or names[:1]


def _with(cursor: Cursor, draft: Draft) -> None:
    """Read which variables go on by another name; what else is done with them is left out."""
    start = cursor.place
    renamed = True
    while not cursor.at_clause():
        token = cursor.next()
        if token.upper == "AS" and cursor.place - start >= 2:
            before = cursor.tokens[cursor.place - 2]
            renamed = renamed and draft.knows(before.text)
            draft.rename(before.text, cursor.next().text)
        elif token.kind == "sign" and token.text not in (",", "*"):
            renamed = False
    if not renamed:
        cursor.warn("IGNORED", cursor.since(start))


def _other(cursor: Cursor) -> None:
    """Go behind a clause that a pattern has no place for; LIMIT is left to who ranks."""
    start = cursor.place
    first = cursor.next().upper
    if first in CLAUSES:
        while not cursor.at_clause():
            cursor.skip()
    else:
        cursor.skip_to(())
    if first != "LIMIT" and cursor.since(start).strip(";)}"):
        cursor.warn("IGNORED" if first in CLAUSES else "SYNTAX", cursor.since(start))
