"""Dates and amounts as values, and the lives that the beginnings of pages tell.

>>> life_of("Ada Orr (3 May 1870 – 1931) was a painter.")
Life(birth=(1870, 5, 3), death=(1931, 0, 0))
"""

from __future__ import annotations

import re
from typing import NamedTuple

from retriever.answers.text.lexicon.units import Unit, unit_at
from retriever.answers.text.measures import is_unit
from retriever.answers.text.numbers import JOINED, lowered
from retriever.answers.text.words import UPPER

MONTHS = "january february march april may june july august september october november december".split()
MONTH = (
    "(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
UNIT = rf"(?![SMGTHPs]\b)(?i:{JOINED}|ha|kn|kph|yd)[²³]?(?!\w)"
# A dash may be lost: "17 September 190030 April 1985".
GLUED = rf"(?<=[12]\d\d\d)(?=\d{{1,2}} {MONTH})"
DATE = re.compile(
    rf"(?=[\dJFMASOND])(?:\b|{GLUED})(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<month>{MONTH})\.?,?\s+(?P<year>\d{{3,4}})"
    rf"|(?P<month2>{MONTH})\.?\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s+(?P<year2>\d{{3,4}})"
    rf"|(?P<month3>{MONTH})\s+(?P<year3>\d{{3,4}})"
    # Three digits before a word count or measure, but for those behind "in".
    rf"|(?P<year4>[12]\d{{3}}(?!{UNIT})|(?<=\bin )\d{{3}}(?!,)"
    r"|(?<=[ (.–-])\d{3}(?!,|[^\W_])(?!\s+(?!(?:BCE?|CE|AD|to|and|or|until|the)\b)[^\W\d_])))"
    rf"(?:{GLUED}|(?![\d%]|[.,]\d))"
    r"(?P<era>\s?BCE?\b)?"
)
PARENTHESIS = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
# Of a text in lower case, which is sooner read than any case; letters are sooner found than the ends of words.
BORN = re.compile(r"b(?<!\w.)(?:orn\b|\.)")
DIED = re.compile(
    r"[dwbek](?<!\w.)(?:(?<=d)(?:ied\b|\.|eath\b(?! of (?:his|her|their)\b))|(?:(?<=^e)xecuted|(?<=^k)illed)\b"
    r"|(?:(?<=w)(?:as|ere)|(?<=b)een)\s+(?:\w+\s+and\s+)?(?:\w+ly\s+)?(?:executed|killed)\b)", re.M,
)  # fmt: skip
"""Who executed three frescoes did not die then: somebody was executed."""

UNTIL = re.compile(r"[–—]|\B-|-\B|\bdied\b|\bd\.")
"""What stands between the dates of a birth and a death."""

KIN = re.compile(
    r"(?:\b(?:his|her|their|whose)|['’]s?)\s+(?:\w+\s+){0,2}(?:mother|father|parent|husband|wife|widow|brother|sister"
    r"|sibling|twin|son|daughter|child|uncle|aunt|cousin|nephew|niece|grand\w+)(?:s|ren)?\b", re.I,
)  # fmt: skip
"""Somebody else, of whom a birth or a death behind it tells, but for that of "he" or "she", and "her death"."""

PRONOUN = re.compile(r"\b(?:(?:he|she)\s+(?:was\s+|had\s+)?|(?:his|her)\s+(?:own\s+)?)$", re.I)
SENTENCE_END = re.compile(rf"(?<!\b[{UPPER}])\.\s|[;\n]")
# A number is never cut: what stands right behind it is its scale, its unit or no letter.
AMOUNT = re.compile(
    r"(?:([$£€])|(?<![\w.]))((?>\d{1,3}(?:,\d{3})++(?!\d)(?:\.\d+)?|\d++(?:\.\d+)?))"
    rf"(?:\s*(million|billion|thousand|bn\b|(?(1)[mk]\b|(?!)))|{UNIT}|(?!\w))"
)
SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "k": 1e3, "m": 1e6, "bn": 1e9}
MINUS = re.compile(r"(?<![\w.,)–-])(?<!\d[ ])[-−][$£€]?$")
"""A sign before a number: neither a hyphen nor the dash of a range."""

RANGE = re.compile(r"\s?(?:[-–—x×]|\b(?:to|or|by)\b)\s?[$£€]?")
"""What stands between two amounts of which the second tells the unit of both."""

PARTS = re.compile(r"\s?")
PARTS_OF_TIME = re.compile(r"\s?|,?\s(?:and\s)?")
"""What stands between the parts of one amount, such as "2 hours and 30 minutes"."""

NEXT_WORD = re.compile(r"\s?([^\W\d_]{2,})")
ASKS_HALF = r"\bwhen (?:did|does|do|will|was|were|is|are)\b[^?]*?\b"
BEGINS = re.compile(
    rf"{ASKS_HALF}(?:start|begin|open|join|introduced|established)\b(?![^?]*\buntil\b)|\bsince when\b", re.I
)
ENDS = re.compile(
    rf"{ASKS_HALF}(?:stop|end|finish|cease|close|shut|resign|retire|leave(?! for\b)|discontinued|abolished|dissolved"
    r"|abandoned|closed|shut down|disbanded)\b|\buntil (?:when|what year|which year)\b|\bwhen\b.* until\W*$", re.I,
)  # fmt: skip
ABOUT = r"(?:(?:about|around|the|early|late|mid|end of|spring of|summer of|autumn of|winter of)[ ])*"
BEGUN = "founded|opened|established|built|started|begun|began|launched|created|inaugurated|set up"
ENDED = "closed|shut|ended|ceased|stopped|dissolved|disbanded|abolished|abandoned|discontinued|demolished"
FIRST = re.compile(rf"\b(?:from|since)[ ]{ABOUT}$|\b(?:{BEGUN})[ ](?:in|on)[ ]{ABOUT}$", re.I)
LAST = re.compile(
    rf"\b(?:{ENDED})(?:[ ]down)?[ ](?:in|on)[ ]{ABOUT}$|"
    rf"\b(?:until|till|up to|from [^.;]{{1,30}} to|between [^.;]{{1,30}} and)[ ]{ABOUT}$|\d\s?[–—]\s?$", re.I
)
BEFORE = 60
"""Characters before a date that tell whether something began or ended then."""

HEAD, READ = 400, 200
"""Characters in which a life is told, and those of a sentence before that are read."""

Date = tuple[int, int, int]
"""Year, month and day, 0 for what is not told; years before Christ are below 0."""


class Life(NamedTuple):
    """When somebody was born and died, as far as it is told."""

    birth: Date | None
    death: Date | None


def dates_in(text: str) -> list[tuple[int, int, Date]]:
    """Return the dates of a text with where they begin and end, from years on.

    >>> [date for *_, date in dates_in("Built in 1785, Ostwick, of 412.6 t or 1,785 bricks; 4 May 1790")]
    [(1785, 0, 0), (1790, 5, 4)]
    >>> dates_in("died Jan. 1968")
    [(5, 14, (1968, 1, 0))]
    >>> [date for *_, date in dates_in("Of 345 seats; burnt in 843 (rebuilt 845 to 860), 418 m long")]
    [(843, 0, 0), (845, 0, 0), (860, 0, 0)]
    """
    return [(match.start(), match.end(), _date(match)) for match in DATE.finditer(text)]


def _date(match: re.Match[str]) -> Date:
    parts = match.groupdict()
    year = int(parts["year"] or parts["year2"] or parts["year3"] or parts["year4"])
    month = parts["month"] or parts["month2"] or parts["month3"]
    day = int(parts["day"] or parts["day2"] or 0)
    number = next(index for index, name in enumerate(MONTHS, 1) if name.startswith(month[:3].lower())) if month else 0
    return (-year, 0, 0) if parts["era"] else (year, number, day)


def life_of(text: str) -> Life:
    """Return the life that the first parenthesis with a date tells, else what "born" and "died" do.

    >>> life_of("Born | Ostwick\\nDied | 3 May 1841, Dunmere")
    Life(birth=None, death=(1841, 5, 3))
    """
    head, lower = text[:HEAD], lowered(text)
    for match in PARENTHESIS.finditer(head):
        found = dates_in(match[1])
        if not found or _is_of_kin(head, match.start()):
            continue
        inside, told = match[1], lowered(match[1])
        if len(found) > 1:
            gap = inside[found[0][1] : found[1][0]]
            if UNTIL.search(gap) or not gap.strip():
                return Life(found[0][2], found[1][2])
            return Life(found[0][2], None) if BORN.search(told) else Life(None, None)
        if DIED.search(told) or re.match(r"\s*(?:[–—-]|\?)", inside):
            return Life(None, found[0][2])
        if BORN.search(told):
            return Life(found[0][2], None)
    return Life(_behind(BORN, head, lower[:HEAD]), _behind(DIED, text, lower))


def _behind(word: re.Pattern[str], text: str, lower: str) -> Date | None:
    """Return the first date within the sentence behind a word that is not said of kin; `lower` is the lower case."""
    for match in word.finditer(lower):
        if _is_of_kin(text, match.start()):
            continue
        sentence = re.split(r"\. |\n", text[match.end() : match.end() + 80])[0]
        if found := dates_in(sentence):
            return found[0][2]
    return None


def _is_of_kin(text: str, place: int) -> bool:
    """Tell whether a sentence is about somebody's kin at a place.

    >>> _is_of_kin("Her brother Otto was born", 21), _is_of_kin("With her brother she was born", 25)
    (True, False)
    """
    before = SENTENCE_END.split(text[max(0, place - READ) : place])[-1]
    return KIN.search(before) is not None and PRONOUN.search(before) is None


def half_asked(question: str) -> int:
    """Return 1 where a question asks when something began, -1 where it asks for its end, 0 where it asks for neither.

    >>> [half_asked(f"When did {deed}?") for deed in ("it stop running", "it open", "the retired king die")]
    [-1, 1, 0]
    """
    return (BEGINS.search(question) is not None) - (ENDS.search(question) is not None)


def half_told(text: str, start: int, end: int) -> int:
    """Return 1 where a text says of a date that something went on from then, -1 that it did until then, else 0.

    >>> text = "Trams ran from 1904 until 1952."
    >>> half_told(text, 15, 19), half_told(text, 26, 30)
    (1, -1)
    """
    before = text[max(0, start - BEFORE) : start]
    if LAST.search(before):
        return -1
    return int(FIRST.search(before) is not None or re.match(r"\s?[–—]\s?\d", text[end : end + 4]) is not None)


def amounts_in(text: str) -> list[tuple[int, float]]:
    """Return the numbers of a text with where they begin.

    >>> amounts_in("It has 1,260 seats and 2.5 million fish.")
    [(7, 1260.0), (23, 2500000.0)]
    >>> amounts_in("The 3rd, of 1,200m and £5m, is on an A4 page.")
    [(12, 1200.0), (24, 5000000.0)]
    """
    return [
        (match.start(2), float(match[2].replace(",", "")) * SCALES.get(match[3] or "", 1.0))
        for match in AMOUNT.finditer(text)
    ]


class Quantity(NamedTuple):
    """A number of a text in base units, and what it measures: a measure, a unit without others, "" where none is told.

    `bare` is the number without its unit. `start` is where its digits begin, `behind` where its unit would, and `end`
    where it ends.
    """

    number: float
    measure: str
    bare: float
    start: int
    behind: int
    end: int


def quantities_in(text: str) -> list[Quantity]:
    """Return the amounts of a text with their signs and units; those of one measure may be compared.

    >>> [(each.number, each.measure) for each in quantities_in("2 million km of 340 workers, at −3 °C or 5 m 20 cm")]
    [(2000000000.0, 'length'), (340.0, ''), (-3.0, 'temperature'), (5.2, 'length')]
    >>> [(each.number, each.measure) for each in quantities_in("900 hectares, or 9 km²; 3-5 kg")]
    [(9000000.0, 'area'), (9000000.0, 'area'), (3.0, 'mass'), (5.0, 'mass')]
    """
    found: list[Quantity] = []
    follower: tuple[re.Match[str], float, Unit | None] | None = None
    for match in reversed([*AMOUNT.finditer(text)]):
        behind = match.end(3) if match[3] else match.end(2)
        scale, unit = SCALES.get(match[3] or "", 1.0), unit_at(text, behind, match[1] or "")
        if follower and not (unit or match[3]) and RANGE.fullmatch(text, behind, follower[0].start(2)):
            _, scale, unit = follower
        quantity = _quantity(text, match, scale, unit)
        if follower and found and unit and follower[2] and _is_part(text, quantity, unit, found[-1], follower[2]):
            part = found.pop()
            quantity = quantity._replace(number=quantity.number + part.number, end=part.end)
        found.append(quantity)
        follower = match, scale, unit
    return found[::-1]


def _quantity(text: str, match: re.Match[str], scale: float, unit: Unit | None) -> Quantity:
    behind = match.end(3) if match[3] else match.end(2)
    sign = -1.0 if MINUS.search(text[max(0, match.start(2) - 4) : match.start(2)]) else 1.0
    number = sign * float(match[2].replace(",", "")) * scale
    if unit is None:
        word = NEXT_WORD.match(text, behind)
        other = word[1].lower().removesuffix("s") if word else ""
        return Quantity(number, other if is_unit(other) else "", number, match.start(2), behind, behind)
    return Quantity(
        number * unit.scale + unit.zero, unit.measure, number, match.start(2), behind, max(behind, unit.end)
    )


def _is_part(text: str, whole: Quantity, unit: Unit, part: Quantity, other: Unit) -> bool:
    """Tell whether an amount goes on with that behind it, of a smaller unit: "6 min 48 s"."""
    gap = PARTS_OF_TIME if unit.measure == "time" else PARTS
    is_smaller = unit.measure == other.measure and other.scale < unit.scale
    return is_smaller and gap.fullmatch(text, whole.end, part.start) is not None
