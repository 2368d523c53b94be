"""Literals of technical text: paths, options, variables, identifiers, addresses; each is one answer, never cut.

>>> text = "Logs go to /var/log/tern.log; set TERN_LOG or pass --log-file, or call tern.logs.open()."
>>> [text[start:end] for start, end in literals_in(text)]
['/var/log/tern.log', 'TERN_LOG', '--log-file', 'tern.logs.open()']
>>> sorted(literals_asked("Which environment variable sets the level?")), sorted(kinds_of_literal("TERN_LOG"))
(['variable'], ['name', 'variable'])
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from retriever.answers.text.words import FUNCTION

INSIDE = r"[\w.+~$%{}<>*@-]"
LITERAL = re.compile(
    r"(?<![\w./:$@~%\\-])(?:"
    r"[a-z][a-z0-9+.-]*://[^\s<>\"'|]+"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|--?[A-Za-z][\w-]*\*?"
    rf"|(?:~|\.{{1,2}}|\$\w+)?/{INSIDE}+(?:/{INSIDE}*)*"
    # Slashes may part words of prose ("and/or"): an ending or a mark of code makes a path of them.
    rf"|{INSIDE}+(?:/{INSIDE}+)*/{INSIDE}*[\w-]\.[a-z]\w{{0,5}}\b|[\w.-]*_[\w.-]*(?:/{INSIDE}*)+"
    r"|\$\{?[A-Za-z_]\w*\}?"
    # Possessive, since a word of many thousand letters would be read again from each.
    r"|(?=\d*[^\W\d])\w++(?:-\w+)*+\.(?:[a-z]\w{0,4}|[A-Z]{2,4})\b(?:\.\w+)*(?:\(\))?"
    r"|[a-z_]\w+(?:(?:\.|::|->)[A-Za-z_]\w+){2,}(?:\(\))?|[A-Za-z_]\w*(?:::|->)\w+(?:\(\))?"
    r"|[a-z_]\w+\.[a-z_]\w+(?:\.\w+)*(?:\(\))?|[A-Za-z]\w+\.[a-z]\w*_\w*(?:\(\))?"
    r"|[A-Za-z_]\w*\(\)|\\[a-z?!]+\+?(?![\w])"
    r"|\w*_\w*(?:\(\))?"
    # A number of series. With fewer digits it may be a name ("B-52"), which other rules find.
    r"|[A-Z]{2,5}-\d{3,}(?:-[A-Z\d]+)*(?!\w)"
    r")"
)
MARKS = re.compile(
    r"[/_$@\\.(:-](?:(?<=[/_$@\\])|(?<=\w[.])\w|(?<=[(])\)|(?<=:):"
    r"|(?<=-)(?:>|(?<![\w-].)-?[A-Za-z]|(?<=[A-Z]-)\d{3}))"
)
"""What every literal has: a sign, which is sooner found than what stands before it."""

SINGLE = re.compile(r"'(?<![\w'’].)([^'\s]{1,40})'(?![\w'])")
"""One word in single quotes."""

NONE = re.compile(r"(?:[A-Za-z]{1,2}\.)+[A-Za-z]{0,2}|(?:[A-Z][a-z]*\.)+[A-Z]\w*|/?\d[\d./-]*[a-z]{0,2}|_+")
"""Abbreviations, initials and numbers, which only look like literals."""

TRAILING = ".,;:!?"

ASKED = {
    "option": "option options flag flags switch switches argument",
    "path": "directory directories folder folders subdirectory path file files filename script logfile",
    "variable": "variable variables",
    "name": "setting settings parameter parameters directive function method class module command option argument key"
            " field attribute macro extension plugin hook exception fixture variable catalog view column keyword"
            " identifier program utility package",
    "address": "url urls address website homepage",
}  # fmt: skip
BY_NOUN: dict[str, set[str]] = {}
for _kind, _nouns in ASKED.items():
    for _noun in _nouns.split():
        BY_NOUN.setdefault(_noun, set()).add(_kind)

NOUN = re.compile(r"\b(?:which|what|name of)\b(?:'s)?(?:\s+(?:is|are)\s+the\b|\s+the\b)?(?=((?:\s+[\w-]+){1,5}))", re.I)
BESIDE = frozenset("line name configuration config".split())
"""Words that may stand within what is asked for: "command line option"."""

KEPT = re.compile(
    r"^\W*where\b.*\b(?:stored?|located|kept|keeps?|saved?|written|writes?|installed?|placed?|puts?|cached?|configur\w+"
    r"|logs?|logged|files?|settings?|looks?|reads?|caches?)\b", re.I)  # fmt: skip


def literals_in(text: str) -> list[tuple[int, int]]:
    """Return the literals of a text, from the first on, without the signs that end a clause; none overlaps another."""
    if MARKS.search(text) is None:
        return []
    found = []
    for match in LITERAL.finditer(text):
        start, end = match.span()
        while end > start and (text[end - 1] in TRAILING or (text[end - 1] == ")" and "(" not in text[start:end])):
            end -= 1
        if end - start > 1 and NONE.fullmatch(text, start, end) is None:
            found.append((start, end))
    return found


def snapped(
    starts: Sequence[int], ends: Sequence[int], whole: Sequence[tuple[int, int]], n: int
) -> NDArray[np.int64]:
    """Return runs of characters (m, 2) of a text of n, each widened to the ends of the spans `whole` it would cut.

    Of spans within each other the last one counts.
    """
    begin, end = np.arange(n + 1), np.arange(n + 1)
    for first, last in whole:
        begin[first:last] = first
        end[first + 1 : last + 1] = last
    return np.column_stack([begin[np.asarray(starts, np.int64)], end[np.asarray(ends, np.int64)]])


def literals_asked(question: str) -> frozenset[str]:
    """Return the kinds of literals that a question asks for; none where it asks for something else."""
    if KEPT.search(question):
        return frozenset(("path",))
    for found in NOUN.finditer(question):
        last = ""
        for word in found[1].lower().split():
            if word in BY_NOUN:
                last = word
            elif (last and word not in BESIDE) or word in FUNCTION:
                break
        if last:
            of_environment = "environment" in found[1].lower() and last.startswith("var")
            return frozenset(("variable",) if of_environment else BY_NOUN[last])
    return frozenset()


NO_KINDS: frozenset[str] = frozenset()


@lru_cache(maxsize=1 << 15)
def kinds_of_literal(text: str) -> frozenset[str]:
    """Return what a run of characters may name as a literal; nothing where it is words."""
    if not text or " " in text:
        return NO_KINDS
    if "://" in text or "@" in text[1:]:
        return frozenset(("address", "path") if text.startswith("file:") else ("address",))
    if text.startswith("-"):
        return frozenset(("option",))
    found = set()
    if "/" in text or re.search(r"\w\.[a-z]\w{0,4}$", text):
        found.add("path")
    if text.startswith("$") or re.fullmatch(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+", text):
        found.add("variable")
    if re.search(r"\w_|_\w|\w\.\w|::|->|\(\)|[a-z][A-Z]|^\\\w", text) and "/" not in text:
        found.add("name")
    return frozenset(found) or NO_KINDS
