"""A place among the tokens of a query, which only moves on, and the warnings so far."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from retriever.focus.cypher.tokens import Token, tokens_of
from retriever.focus.pattern import Code, PatternWarning

CLOSED_BY = {"(": ")", "[": "]", "{": "}"}
CLAUSES = frozenset(
    """MATCH OPTIONAL WHERE RETURN WITH UNWIND UNION CALL CREATE MERGE SET DELETE DETACH REMOVE FOREACH ORDER SKIP
    LIMIT""".split()
)
MOST_QUOTED = 80
"""Characters of a query that a warning quotes."""


class Cursor:
    """Reads tokens one by one; nothing is read twice but the token ahead."""

    def __init__(self, query: str) -> None:
        self.query = query
        self.tokens = tokens_of(query)
        self.closing = _closing(self.tokens)
        self.place = 0
        self.depth = 0
        self.warnings: list[PatternWarning] = []
        for token in self.tokens:
            if not token.finished:
                self.warn("UNFINISHED", query[token.start : token.end])

    @property
    def token(self) -> Token:
        """The token ahead."""
        return self.tokens[self.place]

    def after(self, n: int = 1) -> Token:
        """Return the n-th token behind the one ahead, the last where there are fewer."""
        return self.tokens[min(self.place + n, len(self.tokens) - 1)]

    def is_sign(self, *signs: str) -> bool:
        """Tell whether one of some signs is ahead."""
        return self.token.kind == "sign" and self.token.text in signs

    def is_word(self, *words: str) -> bool:
        """Tell whether one of some words, given in capitals, is ahead."""
        return self.token.upper in words

    def at_end(self) -> bool:
        """Tell whether all is read."""
        return self.token.kind == "end"

    def at_clause(self) -> bool:
        """Tell whether a clause begins here, or nothing is left; a keyword before a dot is a variable."""
        return self.at_end() or (self.token.upper in CLAUSES and self.after().text != ".")

    def next(self) -> Token:
        """Return the token ahead and go on; the last stays."""
        token = self.token
        self.place = min(self.place + 1, len(self.tokens) - 1)
        return token

    def took(self, *signs: str) -> bool:
        """Go on where one of some signs is ahead, and tell whether it was."""
        found = self.is_sign(*signs)
        if found:
            self.next()
        return found

    def took_word(self, *words: str) -> bool:
        """Go on where one of some words is ahead, and tell whether it was."""
        found = self.is_word(*words)
        if found:
            self.next()
        return found

    def closes(self) -> int | None:
        """Return the place of the bracket that closes the one ahead, None where there is none."""
        return self.closing.get(self.place)

    def skip(self) -> None:
        """Go on by a token, or behind all that a bracket holds."""
        self.place = self.closing.get(self.place, self.place)
        self.next()

    def skip_to(self, signs: Collection[str], words: Collection[str] = ()) -> int:
        """Go on to a sign or word outside brackets, or to a clause; return how many tokens are left out."""
        first = self.place
        while not (self.at_clause() or self.is_sign(*signs) or self.is_word(*words)):
            self.skip()
        return self.place - first

    def go_to(self, place: int) -> None:
        """Go on to a place; it never goes back."""
        self.place = max(self.place, place)

    def since(self, place: int) -> str:
        """Return the query's text from a place to here."""
        if place >= self.place:
            return ""
        return self.query[self.tokens[place].start : self.tokens[self.place - 1].end]

    def warn(self, code: Code, detail: str) -> None:
        """Note what is not taken as it was written."""
        self.warnings.append(PatternWarning(code, " ".join(detail.split())[:MOST_QUOTED]))


def _closing(tokens: Sequence[Token]) -> dict[int, int]:
    """Return the place of the closing bracket for each opening one that has one; O(n)."""
    found: dict[int, int] = {}
    opened: dict[str, list[int]] = {close: [] for close in CLOSED_BY.values()}
    for place, token in enumerate(tokens):
        if token.kind != "sign":
            continue
        if token.text in CLOSED_BY:
            opened[CLOSED_BY[token.text]].append(place)
        elif opened.get(token.text):
            start = opened[token.text].pop()
            found[start] = place
            for others in opened.values():
                while others and others[-1] > start:
                    others.pop()
    return found
