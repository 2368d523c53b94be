"""The tokens of a query: words, strings, numbers and signs, in time linear in its length.

>>> [token.text for token in tokens_of("(d:gene/protein {name: 'O'Brien'})")]
['(', 'd', ':', 'gene', '/', 'protein', '{', 'name', ':', "O'Brien", '}', ')', '']
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Kind = Literal["word", "quoted", "string", "number", "sign", "end"]
QUOTES = {"'": "'", '"': '"', "`": "`", "‘": "’", "“": "”"}
# A date that is not quoted is a text, not a subtraction.
DATE = re.compile(r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2}(?:T[0-9:.]*Z?)?)?(?![\w-])")
NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]+)?|(?<![\w.)\]])\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?!\w)")
WORD = re.compile(r"\w+(?:'s(?!\w))?")
BLANK = re.compile(r"\s+|(?:(?<=\s)|\A)//[^\n]*|/\*.*?(?:\*/|\Z)", re.S)
SIGN = re.compile(r"<>|!=|<=|>=|=~|==|\.\.|&&|\|\||.", re.S)
SAME = {"!=": "<>", "==": "=", "≠": "<>", "≤": "<=", "≥": ">=", "–": "-", "—": "-", "−": "-", "→": ">", "←": "<"}
ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.S)
ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class Token(NamedTuple):
    """Characters `start` to `end` of a query; `text` is what they say, without quotes and escapes."""

    kind: Kind
    text: str
    start: int
    end: int
    finished: bool = True

    @property
    def upper(self) -> str:
        """The text in capitals where it may be a keyword, else nothing."""
        return self.text.upper() if self.kind == "word" else ""


def tokens_of(query: str) -> list[Token]:
    """Return the tokens of a query and an empty one at its end; O(n)."""
    found: list[Token] = []
    unclosed: set[str] = set()
    place = 0
    while place < len(query):
        if blank := BLANK.match(query, place):
            place = blank.end()
            continue
        found.append(_token(query, place, unclosed))
        place = found[-1].end
    return [*found, Token("end", "", place, place)]


def _token(query: str, place: int, unclosed: set[str]) -> Token:
    if query[place] in QUOTES:
        return _quoted(query, place, unclosed)
    if date := DATE.match(query, place):
        return Token("string", date[0], place, date.end())
    if number := NUMBER.match(query, place):
        return Token("number", number[0], place, number.end())
    if word := WORD.match(query, place):
        return Token("word", word[0], place, word.end())
    sign = SIGN.match(query, place)
    text = sign[0] if sign else query[place]
    return Token("sign", SAME.get(text, text), place, place + len(text))


def _quoted(query: str, place: int, unclosed: set[str]) -> Token:
    """Return a string or a name in backticks; one that nothing closes ends with its line.

    Where one of a kind is unclosed, later ones are looked for within their lines
    alone, so that no part of a query is read more than twice.
    """
    mark = query[place]
    found = _body(QUOTES[mark], in_line=mark in unclosed).match(query, place + 1)
    assert found is not None, "an empty body matches anywhere"
    finished = query[found.end() : found.end() + 1] == QUOTES[mark]
    if not finished and mark not in unclosed:
        unclosed.add(mark)
        return _quoted(query, place, unclosed)
    kind: Kind = "quoted" if mark == "`" else "string"
    text = ESCAPE.sub(_unescaped, found[0]).replace(QUOTES[mark] * 2, QUOTES[mark])
    return Token(kind, text, place, found.end() + finished, finished)


def _body(mark: str, *, in_line: bool) -> re.Pattern[str]:
    """Return what a quoted text holds: a doubled mark, and one before a letter, are part of it."""
    line = r"\n" if in_line else ""
    any_letter = r"[^\n]" if in_line else "."
    return re.compile(rf"(?:[^{mark}\\{line}]|\\(?:{any_letter}|\Z)|{mark}{mark}|{mark}(?=\w))*+", re.S)


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) > 1:
        letter = chr(int(code[1:], 16))
        return letter if letter.isprintable() else ""
    return ESCAPED.get(code, code)
