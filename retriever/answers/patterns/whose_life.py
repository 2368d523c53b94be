"""Whose life: who was born, died, studied or is buried somewhere, or on some day, as the page of only one tells.

"Who was born in Kell?" is answered by the page about somebody that says "She was born in Kell".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.columns.lives import dates_in_life, days_of, places_of, told_in
from retriever.answers.columns.subjects import Subject
from retriever.answers.passages import Passage
from retriever.answers.text.dates import Date, dates_in
from retriever.answers.text.kinds import NOTHING, gender_in, kinds_of
from retriever.answers.text.likeness import answer_tokens
from retriever.session import Session
from weft.text.names import plain_name

ASKS = re.compile(
    r"\W*who (?:(?:was|were|is|are) )?(?P<event>born|buried|died|educated|studied)"
    r" (?:in|at|on|near) (?:the )?(?P<told>.+?)\W*", re.I,
)  # fmt: skip
PARTS = re.compile(r",? (?:in|on|at) (?:the )?", re.I)
LONGEST = 200
"""Characters of a question that may ask so."""


def whose_life(session: Session, text: str, passages: Sequence[Passage]) -> Candidate | None:
    """Return the only one of whom what was read tells what a question does, None where it is told of none or several.

    Where and when must both be told, if both are asked.
    """
    asks = ASKS.fullmatch(text) if len(text) <= LONGEST else None
    if asks is None:
        return None
    event, parts = asks["event"].lower(), PARTS.split(asks["told"])
    kinds = kinds_of(session, {each.page for each in passages})
    found: dict[int, Candidate] = {}
    for index, passage in enumerate(passages):
        if not kinds.get(passage.page, NOTHING).is_person:
            continue
        starts = [next(_told(passage, event, part), -1) for part in parts]
        if min(starts) >= 0:
            title = plain_name(passage.title)
            key = " ".join(answer_tokens(title))
            found.setdefault(
                passage.page, Candidate(title, key, index, starts[0], starts[0] + 1, NUMBERED["title"], passage.entity)
            )
    return next(iter(found.values())) if len(found) == 1 else None


def _told(passage: Passage, event: str, part: str) -> Iterator[int]:
    """Yield where a passage tells a place, or a day, of a part of the life that it is about."""
    text, title = passage.text, plain_name(passage.title)
    subject = Subject(tuple(title.split()[:1]), title, gender_in(text))
    if days := dates_in(part):
        wanted = days[0][2]
        told = (*days_of(text, event, subject), *dates_in_life(text, event, subject))
        yield from (start for start in told if _is_day(dates_in(text[start : start + 40]), wanted))
        return
    places = (*places_of(text, event, subject, every=True), *told_in(text, event, subject))
    own = re.compile(rf"(?:[^,;()\n]{{1,40}}, ){{0,2}}{re.escape(part)}(?![\w-])", re.I)
    yield from (start for start in places if own.match(text, start))


def _is_day(told: Sequence[tuple[int, int, Date]], wanted: Date) -> bool:
    """Tell whether the first date told is the one asked for, or in the year or month asked for."""
    return bool(told) and all(want in (0, day) for day, want in zip(told[0][2], wanted, strict=True))
