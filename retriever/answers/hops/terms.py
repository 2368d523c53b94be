"""Terms: who held a role in a year, or from one year to another, by rows, lists and sentences with both years.

>>> years_asked("Who was director from 1958 to 1979?"), years_asked("Who led it in 1960?"), years_asked("Who led it?")
((1958, 1979), (1960, 1960), None)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.hops.kin.names import NAME, SUBJECTS
from retriever.answers.passages import Passage
from retriever.answers.text.likeness import normalised
from retriever.answers.text.looks import looks_of
from retriever.answers.text.words import content_in, stem_of, stems_in
from weft.text.sentences import Span

ASKS = re.compile(
    r"\W*(?:who|(?:which|what) (?:person|man|woman))\b(?! (?:died?|lived?)\b)(?P<rest>[^?]{3,200})\?*\W*", re.I
)
YEAR = r"(?:[12]\d{3}|[3-9]\d{2})"
FROM_TO = re.compile(rf"\b(?:between|from) (?P<first>{YEAR}) (?:and|to|until|till) (?P<last>{YEAR})\b"
                     rf"|\b(?P<begun>{YEAR})\s?[–-]\s?(?P<ended>{YEAR})\b", re.I)  # fmt: skip
IN = re.compile(rf"\b(?:in|during|as of)(?: the year)? (?P<year>{YEAR})\b", re.I)
TERM = re.compile(
    rf"(?P<first>\b{YEAR})\s?(?:[–-]|to|until|till|\|)\s?(?P<last>{YEAR}\b|(?<=[–-])\d\d\b|present\b|today\b|now\b"
    r"|(?:(?<=[–|-])|(?<=[–|-]\s))(?:$|(?=[)\s])))"
)
SINCE = re.compile(rf"\bsince (?P<first>{YEAR})\b")
BEFORE_TERM = re.compile(r"[\s,(:–|-]*(?:from\s)?\Z")
SAYS = re.compile(
    rf"\W*(?P<name>{NAME.pattern}|[Hh]e|[Ss]he)(?: \([^()]{{0,80}}\)|, [^,]{{2,60}},)? "
    r"(?:was|is|has been|served|became|worked|acted|reigned|ruled|led|headed|chaired|ran|managed)\b"
)
OPEN_END = 9999
LONGEST_TERM = 40
"""Years beyond which two years in parentheses tell of a life, unless a question asks for just these."""

ASKING = frozenset(
    map(stem_of, "was is were held hold served serve worked work became year between from during position post".split())
)


class Term(NamedTuple):
    """Who is told of, where the name stands, and from which year to which one."""

    name: str
    span: Span
    first: int
    last: int


def years_asked(text: str) -> tuple[int, int] | None:
    """Return the first and last year in which something is asked of somebody, None where a question names none."""
    asks = ASKS.fullmatch(text)
    if asks is None:
        return None
    if span := FROM_TO.search(asks["rest"]):
        return int(span["first"] or span["begun"]), int(span["last"] or span["ended"])
    year = IN.search(asks["rest"])
    return (int(year["year"]), int(year["year"])) if year else None


def term_holder(text: str, passages: Sequence[Passage]) -> Candidate | None:
    """Return who is told to have held a role in the years that a question names; None where nobody or several are.

    Every other word of the question must be of the line, its table's labels, its heading or its page's title, but for
    the verb behind "who", where the line is a row or an item of a list.
    """
    years, asks = years_asked(text), ASKS.fullmatch(text)
    if years is None or asks is None:
        return None
    wanted = {stem for stem in content_in(asks["rest"]) if not stem.isdecimal()} - ASKING
    verb = stem_of(asks["rest"].split()[0])
    found: dict[str, Candidate] = {}
    for index, passage in enumerate(passages):
        above = above_of(passage)
        for bounds, term in _terms(passage, years):
            said = above.union(stems_in(passage.text[slice(*bounds)]))
            left = wanted - said - ({verb} if passage.kind in ("table", "list", "infobox") else set[str]())
            if not left and _holds(term, years):
                key = normalised(term.name)
                found.setdefault(key, Candidate(term.name, key, index, *term.span, NUMBERED["name"], 0))
    return next(iter(found.values())) if len(found) == 1 else None


def terms_in(passage: Passage) -> list[Term]:
    """Return the terms that a passage tells, but for those of many years, which may be lives."""
    return [term for _, term in _terms(passage, (0, 0))]


def above_of(passage: Passage) -> set[str]:
    """Return the stems of a passage's title and heading, and of the labels of a table."""
    return {*stems_in(passage.title), *stems_in(passage.heading), *stems_in(_head(passage))}


def _head(passage: Passage) -> str:
    """Return the caption and the labels of a table, "" of another passage."""
    ends = [end for start, end in passage.bounds if " | " in passage.text[start:end]]
    return passage.text[: ends[0]] if passage.kind == "table" and ends else ""


def _terms(passage: Passage, years: tuple[int, int]) -> Iterator[tuple[Span, Term]]:
    """Yield the terms of each sentence, row or item of a passage, with its bounds."""
    for bounds in passage.bounds:
        line, offset = passage.text[slice(*bounds)], bounds[0]
        for found in (*TERM.finditer(line), *SINCE.finditer(line)):
            first, last = int(found["first"]), _last(found)
            if last < first or (last - first > LONGEST_TERM and last != OPEN_END and (first, last) != years):
                continue
            if name := _named(passage, line, found.start()):
                text, start = name
                yield bounds, Term(text, (offset + start, offset + start + len(text)), first, last)


def _last(found: re.Match[str]) -> int:
    """Return the year in which a term ends; one that goes on ends in OPEN_END."""
    last = found.groupdict().get("last") or ""
    if not last.isdecimal():
        return OPEN_END
    return int(last) if len(last) > 2 else int(found["first"][:-2] + last)


def _named(passage: Passage, line: str, start: int) -> tuple[str, int] | None:
    """Return whose term a line tells at some character: the name right before, in its row, or of which it is said."""
    before = BEFORE_TERM.search(line, 0, start)
    names = [each for each in NAME.finditer(line, 0, start) if looks_of(each[0])[0]]
    if before and names and names[-1].end() == before.start():
        return names[-1][0], names[-1].start()
    if " | " in line:
        cells = [each for each in re.finditer(r"[^|]+", line) if looks_of(each[0].strip())[0]]
        return (cells[0][0].strip(), cells[0].start() + len(cells[0][0]) - len(cells[0][0].lstrip())) if cells else None
    said = SAYS.match(line)
    if said is None:
        return None
    own = said["name"]
    return (passage.title if own.lower() in SUBJECTS else own, said.start("name"))


def _holds(term: Term, years: tuple[int, int]) -> bool:
    """Tell whether a term is that asked for, or has the year within it; a year of change is of neither holder."""
    first, last = years
    is_within = term.first < first < term.last or (term.first, term.last) == (first, OPEN_END)
    return (term.first, term.last) == years or (first == last and is_within)
