"""Numbers of a text with their scales and units, and rates such as "every seven years" or "three to two"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from retriever.answers.text.measures import is_unit
from retriever.answers.text.words import FUNCTION

NUMBER_WORD = (
    "(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight"
    "|nine))?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen|nineteen|hundred|thousand|million|billion|half|third|quarter|once|twice|thrice|dozen)"
)
BEGUN = "tw|th|fo|fi|si|se|ei|ni|te|el|hu|mi|bi|ha|qu|on|do"
"""The first letters of those words, and of "once"."""

JOINED = (
    "(?:p|[kcm]?m|[km]?g|t|[cm]?l|hr?s?|mins?|s|ms|[kmgt]i?b|k|k?v|[kmg]?wh?|[kmg]?hz|mi|ft|lbs?|oz|mph|bn|[mb]illion)"
)
"""Units and scales that may stand right behind a number, in lower case: "42p", "15kg", "£90million"."""

# A number with its sign, in lower case, which is sooner read than any case; its scale and unit follow. Here and below
# the characters that begin one are looked at first: nearly all others are none.
NUMBER = re.compile(
    r"(?=[$£€\d½¼¾bdefhmnoqst])"
    r"(?:(?=[$£€\d½¼¾])(?:[$£€][ ]?)?(?<!\w)"
    r"(?:\d{1,3}(?:[ ]\d{3}(?!\d))+(?:[.,]\d+)?|\d/[2-9](?![\d/])|\d+(?:[.,]\d+)*[½¼¾]?|[½¼¾])"
    rf"(?:[ ]*[–-][ ]*\d[\d,.]*)?(?:[ ]?%|[ ]?°[cf]?|{JOINED}\b)?"
    r"|(?<!\w)(?:(?:one|\d+) and (?:a half|a quarter|three quarters)\b"
    rf"|(?={BEGUN})(?:one )?{NUMBER_WORD}(?:(?:[ -]|(?<=hundred) and |(?<=thousand) and ){NUMBER_WORD})*"
    r"(?: and (?:a half|a quarter|three quarters))?\b))"
)
# One of a unit: "an hour", "one mile".
SINGLE = re.compile(r"(?=[ao])(?<![\w-])(?:an?|one)[ ]([^\W\d_]+)\b")
# What is written with a sign, or with a point or commas in it, is never cut, nor is a range.
WHOLE = re.compile(
    rf"[-−\d](?:(?<=[-−])(?<![\w.,/)-].)\d+(?:[.,]\d+)*(?:(?i:{JOINED})\b)?"
    r"|(?<=\d)(?<![\w.,].)(?:(?:\d{0,2}(?:[ ]\d{3}(?!\d))+(?:[.,]\d+)?|\d*(?:[.,]\d+)+)"
    rf"(?:(?i:{JOINED})\b)?|\d*(?i:{JOINED})\b))"
)
RANGE = re.compile(
    rf"(?<![\w.,-])(?:\d{{1,3}}|one|{NUMBER_WORD})[ ](?:to|or)[ ](?:\d{{1,3}}|{NUMBER_WORD})(?!\w|[.,]\d)"
)
CHANGES = re.compile(r"\b(?:from|between)(?: [^\W\d_]+){0,2} $")
"""What stands before a number that changed to another one: both are answers."""

BEHIND_DIGITS = re.compile(
    r"(?:(?<=\d[ ])|(?<=\bper[ ]))(?:hundred|thousand|million|billion|half|third|quarter|dozen)\b"
)
"""The scale of a number that stands before it, and no number of its own: of "2.3 million", of "parts per million"."""

COUNT = re.compile(rf"(?:\d|\b(?:one|{NUMBER_WORD}))[ ][^\W\d_]+[ ]$", re.I)
"""What makes "a year" a rate: "27 days"."""

READ = 40
TELEPHONE = re.compile(
    r"[+0](?<![\w.,/-].)(?:(?:(?<=\+)\d{1,3}|(?<=0)\d{2,5})(?:[ -]\d{2,})+|(?<=0)\d(?:[ -]\d{3,}){2,})(?!\w)"
)
SCALE = re.compile(r"[ ]+(?:hundred|thousand|million|billion|trillion|per cent|percent|dozen)\b", re.I)
UNIT = re.compile(r"[ -]{1,2}([^\W\d_]+(?:/[^\W\d_]+)?(?:²|³)?)(?:[ ]((?:an?|per|of)[ ][^\W_]+|[^\W\d_]+))?")
EXTENT = frozenset("long wide high deep tall thick old across away ago squared cubed".split())
COUNTED = rf"(?:(?<![\d,.])\d[\d,.]*+|{NUMBER_WORD}|one|an?)"
# How often, and in which relation to another number.
RATE = re.compile(
    rf"\b(?=\d|an?[ ]|ev|{BEGUN})"
    rf"(?:(?:once|twice)(?:[ ](?:an?|in|every|each|per))?(?:[ ](?:{COUNTED}))?(?:[ ][^\W\d_]+)?"
    rf"|every(?:[ ](?:{COUNTED}|other|second))?[ ][^\W\d_]+"
    rf"|{COUNTED}(?:[ ][^\W\d_]+)?[ ](?:in|to|out of|per)[ ](?:every[ ])?{COUNTED}(?:[ ]{NUMBER_WORD})*\b)"
)
RATES = frozenset(("a", "an", "per", "each", "every"))

Span = tuple[int, int]


def whole_numbers(text: str) -> Iterator[Span]:
    """Yield the numbers and ranges of a text that are never cut."""
    yield from (match.span() for match in WHOLE.finditer(text))
    if " to " in text or " or " in text:
        lower = lowered(text)
        for match in RANGE.finditer(lower):
            if CHANGES.search(lower, max(0, match.start() - READ), match.start()) is None:
                yield match.span()


def telephones_in(text: str) -> Iterator[Span]:
    """Yield what is written like a telephone number: groups of digits behind a 0 or a +.

    >>> list(telephones_in("Dial 0551 20 17 or 147."))
    [(5, 15)]
    >>> list(telephones_in("Telephone: 05 4400 118. On 05 12 2020 it rang."))
    [(11, 22)]
    """
    return (match.span() for match in TELEPHONE.finditer(text))


def numbers_in(text: str) -> Iterator[Span]:
    """Yield the numbers of a text, alone and with what they count, and its rates."""
    lower = lowered(text)
    for match in NUMBER.finditer(lower):
        start, end = match.span()
        if BEHIND_DIGITS.match(lower, start):
            continue
        while end > start and text[end - 1] in " ,.":
            end -= 1
        if scale := SCALE.match(text, end):
            end = scale.end()
        yield start, end
        if unit := UNIT.match(text, end):
            if unit[1].lower() not in FUNCTION:
                yield start, unit.end(1)
            if unit[2] and _goes_on(unit[1].lower(), unit[2].lower()):
                yield start, unit.end()
    for match in SINGLE.finditer(lower):
        start, end = match.span()
        if _is_single(match[1]) and COUNT.search(text, max(0, start - READ), start) is None:
            yield start, end
    for match in RATE.finditer(lower):
        if not BEHIND_DIGITS.match(lower, match.start()):
            yield match.span()


def _is_single(word: str) -> bool:
    """Tell whether there may be one of a word as an amount: an hour, one mile."""
    return len(word) > 1 and word not in FUNCTION and word not in ("per", "time", "second") and is_unit(word)


def lowered(text: str) -> str:
    """Return a text in lower case, as long as it is: of all letters one alone is two in lower case."""
    return text.replace("İ", "I").lower()


def _goes_on(first: str, second: str) -> bool:
    """Tell whether the words behind a number are both of it: what it counts, or a unit with what it is a part of."""
    *joint, last = second.split()
    if last in FUNCTION or (first in FUNCTION and first not in RATES):
        return False
    return bool(joint) or not is_unit(first) or is_unit(last) or last in EXTENT
