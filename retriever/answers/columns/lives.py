"""Lives: what the page about somebody says right behind "born in", "died at", "is a" and the like.

>>> text = "Ada Orr (Leith, 3 May 1870 – Kell, 1931) studied at Wren College. Born in Old Leith, she died in Kell."
>>> [[text[start:][:9] for start in find(text, "Where was she born?")] for find in (places_of, told_in)]
[['Leith, 3 '], ['Old Leith']]
>>> [text[start:][:4] for start in told_in(text, "Where did she die?")]
['Kell']
>>> [text[start:][:12] for start in told_in(text, "Where did she study?")]
['Wren College']
>>> told = "Ada Orr was a Scottish painter, born on 3 May 1870. Her mother died in 1901; she died in 1931."
>>> [[told[start:][:6] for start in dates_in_life(told, asks)] for asks in ("When was Ada born?", "When did Ada die?")]
[['3 May '], ['1931.']]
>>> [told[start:][:8] for asks in ("Ada's nationality?", "What is Ada's job?") for start in introduced(told, asks)]
['Scottish', 'painter,']
>>> row = "Born | Ada Mary Orr 3 May 1870, Leith, Fife"
>>> [row[start:] for start in places_of(row, "Where was she born?")]
['Leith, Fife']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked
from retriever.answers.candidates import Candidate
from retriever.answers.columns.life_patterns import (  # fmt: skip
    APPOSED,
    BEGUN,
    CALLED,
    CUT,
    DATED,
    DAYS,
    DESCRIBED,
    EVENTS,
    FOR_WHAT,
    FROM,
    IS_A,
    LARGE,
    LIFE,
    LIVED,
    NARROW,
    NATION,
    ROWS,
    TRADE,
    WHERE,
    YEARS,
)
from retriever.answers.columns.subjects import NOBODY, SENTENCE, Subject, is_another, is_of_kin, shares
from retriever.answers.passages import LEAST_NAMED, Passage
from retriever.answers.text.dates import dates_in
from retriever.answers.text.kinds import gender_in

LONGEST = 1_000
"""Characters of a question: more is a text."""

NEAR = 60
"""Characters behind "born" or "died" in which its date stands."""


def told_of_lives(
    asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate], subject: Subject = NOBODY
) -> NDArray[np.bool_]:
    """Return which candidates (n,) the pages that a question names tell as what it asks of a life.

    That is a place, a date, where somebody is from or does for a living. Without a `subject` it is each page's own.
    """
    if not lives_asked(asked):
        return np.zeros(len(candidates), np.bool_)
    genders: dict[int, int] = {}
    for passage in passages:
        if passage.is_lead and not genders.get(passage.page):
            genders[passage.page] = gender_in(passage.text)
    told: list[set[int]] = [set() for _ in passages]
    first: dict[int, set[int]] = {}
    for index, passage in enumerate(passages):
        if is_asked(passage, asked, subject) and not is_of_kin(asked.text, passage.title):
            own = subject if subject.words else _subject(passage, genders.get(passage.page, 0))
            first[index], told[index] = {*_first_told(passage.text, asked, own)}, {*_said(passage.text, asked, own)}
    # What a page's first parenthesis or a row tells, no sentence of it tells better.
    sure = {passages[index].page for index, found in first.items() if found}
    for index, found in first.items():
        told[index] = found if passages[index].page in sure else told[index] or _origin(passages[index].text, asked)
    return _uncut(passages, candidates, told)


def _uncut(passages: Sequence[Passage], candidates: Sequence[Candidate], told: Sequence[Set[int]]) -> NDArray[np.bool_]:
    """Return which candidates (n,) begin where something is told.

    Of several there none that cuts a name; where all do, the longest.
    """
    found = np.array([each.start in told[each.passage] and each.end > each.start for each in candidates], np.bool_)
    ends: dict[tuple[int, int], tuple[bool, int]] = {}
    for row in np.flatnonzero(found).tolist():
        place, end = candidates[row][2:4], candidates[row].end
        ends[place] = max(ends.get(place, (False, 0)), (CUT.match(passages[place[0]].text, end) is None, end))
    for row in np.flatnonzero(found).tolist():
        (is_whole, last), end = ends[candidates[row][2:4]], candidates[row].end
        found[row] = CUT.match(passages[candidates[row].passage].text, end) is None if is_whole else end == last
    return found


def _subject(passage: Passage, gender: int) -> Subject:
    return Subject(tuple(passage.title.split()[:1]), passage.title, gender)


def is_asked(passage: Passage, asked: Asked, subject: Subject = NOBODY) -> bool:
    """Tell whether a question names whom a page is about, or has a whole word of two and the first of that title."""
    if passage.named >= LEAST_NAMED or subject.words:
        return passage.named >= LEAST_NAMED
    words = re.findall(r"\w+", passage.title)[:2]
    return len(words) > 1 and all(re.search(rf"\b{re.escape(word)}\b", asked.text, re.I) for word in words)


def lives_asked(asked: Asked) -> bool:
    """Tell whether a question asks for what pages about people are read for here."""
    text = asked.text
    if len(text) > LONGEST:
        return False
    if asked.kind == "time":
        return any(asks.search(text) for asks, *_ in LIVED)
    if asked.kind in WHERE:
        if NARROW.search(text):
            return False
        return NATION.search(text) is not None or any(asks.search(text) for asks, *_ in EVENTS)
    patterns = TRADE, *(asks for asks, _ in FOR_WHAT)
    return asked.kind in ("thing", "manner") and any(each.search(text) for each in patterns)


def _first_told(text: str, asked: Asked, subject: Subject) -> Iterator[int]:
    """Yield where begins what the first parenthesis or a row tells of a life."""
    if subject.is_title and asked.kind == "time":
        yield from days_of(text, asked.text, subject)
    elif subject.is_title and asked.kind in WHERE:
        yield from places_of(text, asked.text, subject, every=asked.kind == "country")


def _said(text: str, asked: Asked, subject: Subject) -> Iterator[int]:
    """Yield where begins what sentences tell of a life."""
    if asked.kind == "time":
        yield from dates_in_life(text, asked.text, subject)
        return
    if asked.kind in WHERE:
        yield from told_in(text, asked.text, subject)
    for asks, pattern in FOR_WHAT:
        if asks.search(asked.text):
            yield from (each.end() for each in pattern.finditer(text) if not is_another(text, each.start(), subject))
    yield from introduced(text, asked.text, subject) if subject.is_title else described(text, asked.text, subject)


def places_of(text: str, question: str, subject: Subject = NOBODY, *, every: bool = False) -> Iterator[int]:
    """Yield where places begin in the first parenthesis and the rows of a page; with `every` their countries too."""
    for asks, _, part in EVENTS:
        if asks.search(question):
            spans = [*_in_life(text, part, subject), *_in_row(text, part, subject)]
            names = ([each.start() for each in LARGE.finditer(text, *span)] for span in spans)
            yield from (start for found in names for start in (found if every else found[:1]))


def _in_life(text: str, part: str, subject: Subject) -> list[tuple[int, int]]:
    """Return what the first parenthesis about a life tells of a birth or a death."""
    begun = BEGUN.match(text)
    is_own = begun is not None and (not subject.name or shares(begun["name"], subject.name))
    life = begun if is_own else LIFE.search(text)
    if life is None or part not in life.groupdict():
        return []
    start, end = life.span(part)
    called = CALLED.match(text, start, end) if part == "birth" else None
    return [(called.end() if called else start, end)]


def _origin(text: str, asked: Asked) -> set[int]:
    """Return where the place begins from which a page says somebody to be, where a birth is asked for."""
    asks_birth, *_ = EVENTS
    told = FROM.search(text) if asked.kind in WHERE and asks_birth[0].search(asked.text) else None
    return {told.end()} if told else set()


def _in_row(text: str, part: str, subject: Subject) -> list[tuple[int, int]]:
    """Return what the first row about a part of a life tells beside a date: what is behind it, else before it."""
    row = ROWS[part].search(text)
    dated = DATED.fullmatch(text, *row.span(1)) if row and part in DAYS else None
    if dated is None or LARGE.search(dated["behind"]):
        return [dated.span("behind")] if dated else [row.span(1)] if row else []
    # "Ada Mary Orr, 3 May 1870" tells no place.
    before = LARGE.findall(dated["before"] or "")
    return [dated.span("before")] if before and {*subject.words}.isdisjoint(before) else []


def told_in(text: str, question: str, subject: Subject = NOBODY) -> Iterator[int]:
    """Yield where the places begin that sentences tell of what a question asks of a life."""
    for asks, pattern, _ in EVENTS:
        if asks.search(question):
            yield from (each.end() for each in pattern.finditer(text) if not is_another(text, each.start(), subject))


def days_of(text: str, question: str, subject: Subject = NOBODY) -> Iterator[int]:
    """Yield where the dates begin in the first parenthesis and the rows of a page."""
    for asks, _, part in LIVED:
        if asks.search(question):
            rows = (row.span() for row in DAYS[part].finditer(text))
            yield from _first_dates(text, [*_in_life(text, part, subject), *rows])


def dates_in_life(text: str, question: str, subject: Subject = NOBODY) -> Iterator[int]:
    """Yield where the dates begin on which sentences tell that a life began or ended, as a question asks."""
    for asks, pattern, part in LIVED:
        if asks.search(question):
            own = (each for each in pattern.finditer(text) if not is_another(text, each.start(), subject))
            spans = [(each.end(), _sentence_end(text, each.end())) for each in own]
            for word in () if subject.is_title else subject.words:
                spans += [each.span(part) for each in re.finditer(rf"\b{re.escape(word)}\b{YEARS}", text)]
            yield from _first_dates(text, spans)


def _first_dates(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[int]:
    dates = ((start, dates_in(text[start:end])) for start, end in spans)
    yield from (start + found[0][0] for start, found in dates if found)


def introduced(text: str, question: str, subject: Subject = NOBODY) -> Iterator[int]:
    """Yield where the adjective of a country, or the trade, begins by which a page introduces whom it is about."""
    told = IS_A.search(text)
    if told and (not subject.name or shares(text[: told.start()], subject.name)):
        yield from _introduction(told, question)


def described(text: str, question: str, subject: Subject) -> Iterator[int]:
    """Yield where such an adjective, or trade, begins right before a name."""
    for said in re.finditer(rf"\b{re.escape(subject.words[0])}\b", text):
        before = DESCRIBED.search(text, max(0, said.start() - NEAR), said.start())
        for told in filter(None, (before, APPOSED.match(text, said.end()))):
            yield from _introduction(told, question)


def _introduction(told: re.Match[str], question: str) -> Iterator[int]:
    if told["nation"] and NATION.search(question):
        yield told.start("nation")
    if TRADE.search(question):
        yield told.start("trade")


def _sentence_end(text: str, start: int) -> int:
    end = SENTENCE.search(text, start, start + NEAR)
    return end.start() + 1 if end else start + NEAR
