"""Values of things that a question compares, read from their pages: a day or year, a life, an amount."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from typing import NamedTuple

from retriever.answers.asked import Asked, flags
from retriever.answers.choices.comparatives import AGE, MEASURED, RECENT, compared_by, compares_amounts
from retriever.answers.columns.lives import dates_in_life
from retriever.answers.columns.subjects import Subject
from retriever.answers.passages import Passage
from retriever.answers.text.dates import dates_in, quantities_in
from retriever.answers.text.kinds import Kind, gender_in, kind_of_text
from retriever.answers.text.lexicon.hypernyms import is_person
from retriever.answers.text.measures import dimension_told, measures_behind, measures_of
from retriever.answers.text.words import UPPER, stems_in
from weft.text.names import plain_name

BORN = re.compile(r"\bborn\b|\bold(?:er|est)\b|\byoung(?:er|est)\b|\bbirth\b", re.I)
DIED = re.compile(r"\bdied?\b|\bdeath\b", re.I)
LIVED = re.compile(r"\blived? (?:the )?long", re.I)
CELL = " | "
WORD = re.compile(r"\s*([^\W\d_]+)")
ELSE = re.compile(r"\b(?:which|who|whose|than|by|while|but)\b")
"""Words behind which something else than the thing before is told of."""

LONGEST_DATE = 40
"""Characters of a date, at most."""

MADE = re.compile(r"\b(?:is|was) an? (?:[\w-]+ ){0,2}?([12]\d{3}) [a-zA-Z]")
FOUNDED = re.compile(
    r"\b(?:made\b|found|establish|open|inaugurat|buil[dt]|construct|creat|launch|incorporat|complet|manufactur|compos"
    r"|publi|releas|premier|writ|wrote|erect|charter|develop|invent|(?:were|was) (?:added|dug|laid)\b|put up\b)", re.I,
)  # fmt: skip


ROUNDED = 1e-9
"""The share by which amounts may differ that are the same in two units."""

Amount = tuple[float, str]
"""A number in base units and what it measures, "" where that is not told."""


class Value(NamedTuple):
    """A day, a year in days or an amount, the passage that tells it (by index), and the number of its sentence.

    `says` is the share of what is asked that the sentence says, by rarity. `measure` is what an amount measures: those
    of different measures are not compared.
    """

    number: float
    passage: int
    sentence: int
    says: float
    measure: str = ""


def value_of(asked: Asked, passages: Sequence[Passage], own: Sequence[int]) -> Value | None:
    """Return what is compared of a thing that the passages `own` tell of, None where they do not tell it."""
    if not own:
        return None
    if _is_life(asked):
        return _life(asked, passages, own)
    return _most_said(asked, passages, own, compared_in(asked))


def value_beside(asked: Asked, passages: Sequence[Passage], name: str) -> Value | None:
    """Return what is compared of a thing by the sentences that name it: the first value behind its name.

    A value that something else comes before, such as "which" or "by", is left out, and so is a longer name.
    """
    if _is_life(asked) or not name:
        return None
    own, values_in = re.compile(rf"(?<!\w){re.escape(name)}(?!\w|[ -](?-i:[{UPPER}]))", re.I), compared_in(asked)

    def behind(text: str) -> list[Amount]:
        found = own.search(text)
        return values_in(ELSE.split(text[found.end() :], maxsplit=1)[0]) if found else []

    found = _most_said(asked, passages, range(len(passages)), behind)
    if found is None:
        return None
    others = own.sub(" ", passages[found.passage].text[slice(*passages[found.passage].bounds[found.sentence])])
    said = float(flags(stems_in(others), asked) @ asked.relation)
    return found._replace(says=said) if said or compared_by(asked.text)[0] else None


def _is_life(asked: Asked) -> bool:
    return any(pattern.search(asked.text) for pattern in (BORN, DIED, LIVED))


def compared_in(asked: Asked) -> Callable[[str], list[Amount]]:
    """Return what reads the dates of a text as numbers, or the amounts that a question compares."""
    if not compares_amounts(asked.text) or RECENT.search(asked.text):
        return lambda text: [(days(date), "") for *_, date in dates_in(text)]
    wanted, dimension = compared_by(asked.text)
    return lambda text: _amounts(text, wanted, dimension)


def _amounts(text: str, wanted: frozenset[str], dimension: str) -> list[Amount]:
    """Return the amounts of a text in base units, dates apart, those of what is wanted before bare numbers.

    Left out are those of another measure than `wanted`, and those that are told to be of another dimension.
    """
    dated = {place for start, end, _ in dates_in(text) for place in range(start, end)}
    found = []
    for each in quantities_in(text):
        if each.start in dated:
            continue
        measures = measures_behind(text, each.behind) or measures_of(text[max(0, each.start - 1) : each.end])
        told = dimension_told(text, each.start, each.end) if dimension else ""
        if (not (wanted and measures) or wanted & measures) and told in ("", dimension):
            found.append((not (wanted and measures), (each.number, each.measure)))
    return [amount for _, amount in sorted(found, key=lambda each: each[0])]


def _most_said(
    asked: Asked, passages: Sequence[Passage], own: Sequence[int], values_in: Callable[[str], list[Amount]]
) -> Value | None:
    """Return the first value of the sentence that says most of what is asked, of those that have any."""
    best: tuple[float, Value] | None = None
    for index in own:
        passage = passages[index]
        # A sentence that has but the words of its page's own title says nothing of it.
        asks = {*asked.stems} - {*stems_in(passage.title)}
        for number, (start, end) in enumerate(passage.bounds):
            if found := values_in(passage.text[start:end]):
                says = coverage(asked, passage, number, asks)
                worth = says - 0.01 * number - 0.001 * passage.rank
                if best is None or worth > best[0]:
                    amount, measure = found[0]
                    best = worth, Value(amount, index, number, says, measure)
    return None if best is None else best[1]


def measured_of(asked: Asked, passages: Sequence[Passage], owns: Sequence[Sequence[int]]) -> list[Value] | None:
    """Return of each thing what a row tells of the measure that is compared; None where not all have one in one unit.

    A thing may have rows of several measures: of what is larger the area is compared, else the population.
    """
    for pattern, labels in MEASURED:
        if pattern.search(asked.text):
            for label in labels.split():
                found = [_measured(label, passages, own) for own in owns]
                values = [each[0] for each in found if each]
                if len(values) == len(owns) and len({each[1] for each in found if each}) == 1:
                    return values
    return None


def _measured(label: str, passages: Sequence[Passage], own: Sequence[int]) -> tuple[Value, str] | None:
    """Return the amount of the first row that has a label, in base units, and what it measures or counts."""
    for index in own:
        for number, (start, end) in enumerate(passages[index].bounds):
            name, cell, told = passages[index].text[start:end].partition(CELL)
            amounts = quantities_in(told)
            if cell and amounts and re.fullmatch(rf"(?:total )?{label}", name.strip(), re.I):
                first = amounts[0]
                word = WORD.match(told, first.behind)
                value = Value(first.number, index, number, 1.0, first.measure)
                return value, first.measure or (word[1].lower() if word else "")
    return None


def _life(asked: Asked, passages: Sequence[Passage], own: Sequence[int]) -> Value | None:
    kind, index = person_of(asked, passages, own)
    if AGE.search(asked.text) and index not in own and not _asks_somebody(asked):
        return _founded(passages, own)
    birth, death = kind.life
    if LIVED.search(asked.text):
        return None if birth is None or death is None else _told(days(death) - days(birth), passages, index, death[0])
    if birth is None and AGE.search(asked.text):
        return _founded(passages, own)
    date, asks = (death, "died") if DIED.search(asked.text) else (birth, "born")
    if date is None:
        # Of the parts of a page behind its lead a sentence may tell it.
        return next(_days_told(asks, passages, own), None) if index in own else None
    return _told(days(date), passages, index, date[0])


def _days_told(asks: str, passages: Sequence[Passage], own: Sequence[int]) -> Iterator[Value]:
    """Yield the days on which sentences of somebody's page say that one was born or died, as is asked."""
    for index in own:
        text, title = passages[index].text, plain_name(passages[index].title)
        subject = Subject(tuple(title.split()[:1]), title, gender_in(text))
        for start in dates_in_life(text, asks, subject):
            found = dates_in(text[start : start + LONGEST_DATE])
            if found and not found[0][0]:
                place = passages[index].bounds.index(passages[index].sentence_at(start))
                yield Value(days(found[0][2]), index, place, 1.0)


def _told(number: float, passages: Sequence[Passage], index: int, year: int) -> Value:
    """Return a value with the first sentence of a passage that has its year."""
    bounds, text = passages[index].bounds, passages[index].text
    own = (place for place, (start, end) in enumerate(bounds) if str(abs(year)) in text[start:end])
    return Value(number, index, next(own, 0), 1.0)


def _asks_somebody(asked: Asked) -> bool:
    """Tell whether a question asks about somebody of a thing: "whose director is older"."""
    return any(is_person(text.lower()) for text in re.findall(r"[^\W\d_]+", asked.text) if text.islower())


def _founded(passages: Sequence[Passage], own: Sequence[int]) -> Value | None:
    """Return when a thing that was never born began, by the first row, else sentence, that tells it."""
    found: list[tuple[bool, Value]] = []
    for index in own:
        text = passages[index].text
        for number, (start, end) in enumerate(passages[index].bounds):
            begun = FOUNDED.search(text, start, end)
            if begun and (dates := dates_in(text[begun.end() : end])):
                row = CELL in text[begun.end() : end] and begun.start() == start
                found.append((not row, Value(days(dates[0][2]), index, number, 1.0)))
    return min(found, key=lambda each: each[0])[1] if found else _made(passages, own)


def _made(passages: Sequence[Passage], own: Sequence[int]) -> Value | None:
    """Return when a work is from, as its page begins: "is a 1932 film"."""
    for index in own:
        if made := MADE.search(passages[index].text, *passages[index].bounds[0]):
            return Value(days((int(made[1]), 0, 0)), index, 0, 1.0)
    return None


def coverage(asked: Asked, passage: Passage, sentence: int, asks: Set[str] | None = None) -> float:
    """Return the share of what is asked, or of `asks` alone, that a sentence says, by rarity."""
    said = set(passage.asked[passage.in_sentence == sentence].tolist()) - {-1}
    return float(sum(asked.weights[index] for index in said if asks is None or asked.stems[index] in asks))


def days(date: tuple[int, int, int]) -> float:
    """Return a date as a number that grows with it, in days but for the lengths of months."""
    year, month, day = date
    return year * 372.0 + month * 31.0 + day


def person_of(asked: Asked, passages: Sequence[Passage], own: Sequence[int]) -> tuple[Kind, int]:
    """Return what the page of a thing says, or, where that is no person, the page of whom it names as is asked.

    The second value is the index of the passage that says so.
    """
    kinds = [kind_of_text(passages[index].text) for index in own]
    for kind, index in zip(kinds, own, strict=True):
        if kind.is_person and any(kind.life):
            return kind, index
    best, found = 0.0, (kinds[0], own[0])
    for number, passage in enumerate(passages):
        other = plain_name(passage.title)
        if passage.page == passages[own[0]].page or not passage.is_lead:
            continue
        for page in (passages[index] for index in own):
            start = page.text.find(other)
            if start < 0:
                continue
            first, last = page.words.span(start, start + len(other))
            near = {int(each) for each in page.asked[max(0, first - 8) : last + 5]} - {-1}
            worth = 0.1 + float(sum(asked.weights[index] for index in near))
            kind = kind_of_text(passage.text)
            if worth > best and kind.is_person:
                best, found = worth, (kind, number)
    return found
