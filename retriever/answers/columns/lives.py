"""Lives: what the page about somebody says right behind "born in", "died at", "is a" and the like.

>>> text = "Ada Orr (Leith, 3 May 1870 – Kell, 1931) studied at Wren College. Born in Old Leith, she died in Kell."
>>> [text[start:][:9] for start in told_in(text, "Where was she born?")]
['Leith, 3 ', 'Old Leith']
>>> [text[start:][:4] for start in told_in(text, "Where did she die?")]
['Kell', 'Kell']
>>> [text[start:][:12] for start in told_in(text, "Where did she study?")]
['Wren College']
>>> told = "Ada Orr was a Scottish painter, born on 3 May 1870. Her mother died in 1901; she died in 1931."
>>> [[told[start:][:6] for start in dates_in_life(told, asks)] for asks in ("When was Ada born?", "When did Ada die?")]
[['3 May '], ['1931.']]
>>> [told[start:][:8] for asks in ("Ada's nationality?", "What is Ada's job?") for start in introduced(told, asks)]
['Scottish', 'painter,']
>>> row = "Born | Ada Mary Orr 3 May 1870, Leith, Fife"
>>> [row[start:] for start in told_in(row, "Where was she born?")]
['Leith, Fife']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked
from retriever.answers.candidates import Candidate
from retriever.answers.passages import LEAST_NAMED, Passage
from retriever.answers.text.dates import MONTH, dates_in
from retriever.answers.text.kinds import gender_in

PART = r"([^()]{0,80}\d{3,4}[^()]{0,80}?)"
LIFE = re.compile(rf"\({PART}\s[–—-]\s{PART}\)")
"""What a page begins with about somebody: what is told of a birth, a dash, what is told of a death."""

ROWS = {
    1: re.compile(r"^(?:Born|Birth ?place|Place of birth)\s*\|(?:[^\n]*\d)?([^\n\d]*)$", re.I | re.M),
    2: re.compile(r"^(?:Died|Death ?place|Place of death)\s*\|(?:[^\n]*\d)?([^\n\d]*)$", re.I | re.M),
    3: re.compile(r"^(?:Alma mater|Education|Educated at|University|School)\s*\|([^\n]*)$", re.I | re.M),
}
"""What rows tell behind the date of a birth and of a death, and of what has no half of a life's parenthesis."""

DAYS = {
    1: re.compile(r"^(?:Born|Birth ?date|Date of birth)\s*\|[^\n]*", re.I | re.M),
    2: re.compile(r"^(?:Died|Death ?date|Date of death)\s*\|[^\n]*", re.I | re.M),
}
LARGE = re.compile(rf"\b(?!{MONTH}\b)[A-Z]\w+")
BEHIND = r"[^.;\n()]{0,60}?\b(?:in|at|near|from|of)\s+(?:the\s+)?(?-i:(?=[A-Z]))"
EVENTS = tuple(
    (re.compile(rf"\b(?:{asks})\b", re.I), re.compile(rf"\b(?:{told})\b{BEHIND}", re.I), half)
    for asks, told, half in (
        ("born|birth|birthplace", "born", 1), ("die|died|death", "died|dying", 2),
        ("buried|burial|grave", "buried|interred", 0),
        ("study|studied|graduate|graduated|educated|attend|attended", "studied|graduated|educated|degree", 3),
    )
)  # fmt: skip
LIVED = (
    (re.compile(r"\b(?:born|birth|birthday)\b", re.I), re.compile(r"\bborn\b", re.I), 1),
    (re.compile(r"\b(?:die|died|death)\b", re.I), re.compile(r"\b(?:died|dying)\b", re.I), 2),
)
NEAR = 60
"""Characters behind "born" or "died" in which its date stands."""

NATION = re.compile(r"\b(?:nationality|citizenship|(?:country|nation)\b.*\bfrom)\b", re.I)
TRADE = re.compile(r"\b(?:occupation|profession|job|trade|for a living)\b", re.I)
IS_A = re.compile(
    r"\b(?:is|was) (?:an?|the) (?:[a-z][\w-]* ){0,2}?"
    r"(?:(?P<nation>[A-Z][\w-]*)(?:[- ](?:and )?[A-Z][\w-]*)* )?(?P<trade>[a-z][\w-]+)"
)
"""What a page begins with about somebody: "is a retired Scottish painter"."""

DESCRIBED = re.compile(r"\b(?:an?|the) (?:(?P<nation>[A-Z][\w-]*) )?(?P<trade>[a-z][\w-]*(?: [a-z][\w-]*){0,4}),? $")
"""What stands before a name: "the Scottish painter "."""

EVERY = re.compile("")
"""Behind "she" on a page about him it is always somebody else."""

ANOTHER = re.compile(
    r"(?P<name>[A-Z][\w’-]+(?: [A-Z][\w’-]+)*)(?: \([^()]*\))?(?:, [^,.;]{1,60},)? "
    r"(?:(?:was|had been|is|has been|later|then|also|who) )*$"
)
"""A name right before "died" or "was born"."""

NAMES = re.compile(r"[A-Z][\w’-]+ (?:[a-z]+ )?[A-Z][\w’-]+")
VERB = re.compile(r"(?:\b(?:was|were|is|be|been|and|he|she)|^|,) $")
"""What stands before "born" where it is no participle of the noun before it: "a violinist born in Kell"."""

READ = 200
SENTENCE = re.compile(r"[.;\n]\s")
SUBJECT = re.compile(r"\b(?:he|she)\b", re.I)
SEXES = {"she": 1, "he": -1}
CHILD_OF = re.compile(r"\b(?:son|daughter|child) of\b[^,]*")
KIN = r"\b(?:mother|father|husband|wife|widow|brother|sister|sons?|daughters?|child|children|whose)\b"
OTHERS, RELATED, KINDRED = (
    re.compile(pattern, re.I) for pattern in (rf"{KIN}|\b(?:who|married|named)\b", r"\b(?:who|whose|married)\b", KIN)
)
"""What tells before "died" that it was somebody else: behind the beginning of a sentence, behind "he" or a name that a
page is about, and behind another name."""


class Subject(NamedTuple):
    """Whose life is asked about: `words` begin what it is said of, `name` is whole, `gender` 1 for she and -1 for he.

    `is_title` tells that the whole page is about it.
    """

    words: tuple[str, ...] = ()
    name: str = ""
    gender: int = 0
    is_title: bool = True


NOBODY = Subject()


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
    told = [
        {*_told(passage, asked, subject, genders.get(passage.page, 0))} if passage.named >= LEAST_NAMED else set()
        for passage in passages
    ]
    return np.array([each.start in told[each.passage] and each.end > each.start for each in candidates], np.bool_)


def lives_asked(asked: Asked) -> bool:
    """Tell whether a question asks for what pages about people are read for here."""
    text = asked.text
    if asked.kind == "time":
        return any(asks.search(text) for asks, *_ in LIVED)
    if asked.kind in ("place", "country"):
        return NATION.search(text) is not None or any(asks.search(text) for asks, *_ in EVENTS)
    return asked.kind == "thing" and TRADE.search(text) is not None


def _told(passage: Passage, asked: Asked, subject: Subject, gender: int) -> Iterator[int]:
    text = passage.text
    own = subject if subject.words else Subject(tuple(passage.title.split()[:1]), passage.title, gender)
    if asked.kind == "time":
        yield from dates_in_life(text, asked.text, own)
        return
    yield from told_in(text, asked.text, own, every=asked.kind == "country")
    if own.is_title:
        yield from introduced(text, asked.text, own)
    else:
        yield from described(text, asked.text, own)


def told_in(text: str, question: str, subject: Subject = NOBODY, *, every: bool = False) -> Iterator[int]:
    """Yield where the places begin that a text tells of what is asked of a life, with `every` their countries too."""
    for asks, pattern, half in EVENTS:
        if asks.search(question):
            if half and subject.is_title:
                spans = [life.span(half) for life in LIFE.finditer(text) if half < 3][:1]
                spans += [row.span(1) for row in ROWS[half].finditer(text)][:1]
                names = ([each.start() for each in LARGE.finditer(text, *span)] for span in spans)
                yield from (start for found in names for start in (found if every else found[:1]))
            yield from (each.end() for each in pattern.finditer(text) if not _is_another(text, each.start(), subject))


def dates_in_life(text: str, question: str, subject: Subject = NOBODY) -> Iterator[int]:
    """Yield where the dates begin on which a text tells that a life began or ended, as a question asks."""
    for asks, pattern, half in LIVED:
        if asks.search(question):
            spans = [life.span(half) for life in LIFE.finditer(text)][:1] if subject.is_title else []
            spans += [row.span() for row in DAYS[half].finditer(text)] if subject.is_title else []
            own = (each for each in pattern.finditer(text) if not _is_another(text, each.start(), subject))
            spans += [(each.end(), _sentence_end(text, each.end())) for each in own]
            dates = ((start, dates_in(text[start:end])) for start, end in spans)
            yield from (start + found[0][0] for start, found in dates if found)


def introduced(text: str, question: str, subject: Subject = NOBODY) -> Iterator[int]:
    """Yield where the adjective of a country, or the trade, begins by which a page introduces whom it is about."""
    told = IS_A.search(text)
    if told and (not subject.name or _shares(text[: told.start()], subject.name)):
        yield from _introduction(told, question)


def described(text: str, question: str, subject: Subject) -> Iterator[int]:
    """Yield where such an adjective, or trade, begins right before a name."""
    for said in re.finditer(rf"\b{re.escape(subject.words[0])}\b", text):
        if told := DESCRIBED.search(text, max(0, said.start() - NEAR), said.start()):
            yield from _introduction(told, question)


def _introduction(told: re.Match[str], question: str) -> Iterator[int]:
    if told["nation"] and NATION.search(question):
        yield told.start("nation")
    if TRADE.search(question):
        yield told.start("trade")


def _sentence_end(text: str, start: int) -> int:
    end = SENTENCE.search(text, start, start + NEAR)
    return end.start() + 1 if end else start + NEAR


def _is_another(text: str, start: int, subject: Subject) -> bool:
    """Tell whether it is somebody else of whom "born" or "died" is said there: "her mother died"."""
    before = text[max(0, start - READ) : start]
    begins = {each.end(): OTHERS for each in SENTENCE.finditer(before)}
    for each in SUBJECT.finditer(before):
        begins[each.end()] = EVERY if SEXES[each[0].lower()] * subject.gender < 0 else RELATED
    for word in subject.words:
        own = re.finditer(rf"\b{re.escape(word)}\b(?!['’])", before)
        begins |= {each.end(): RELATED if subject.is_title else KINDRED for each in own}
    last = max(begins, default=0)
    clause = CHILD_OF.sub("", before[last:])
    if begins.get(last, OTHERS).search(clause):
        return True
    told = ANOTHER.search(before)
    if told and begins.get(told.end("name")) is None and not _shares(told["name"], subject.name):
        return subject.name != "" and told.start() >= last
    named = NAMES.search(clause) if VERB.search(before) is None else None
    return named is not None and subject.name != "" and not _shares(named[0], subject.name)


def _shares(name: str, other: str) -> bool:
    return not {*name.split()}.isdisjoint(other.split())
