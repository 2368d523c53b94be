"""What an answer can look like: the dates, numbers, literals, names, quoted titles, phrases and clauses of a text.

Nothing is decided here: every run of words that could be an answer is one, and a ranker chooses.

>>> text = "The bridge, 212 metres long, was opened in May 1221 by Orrin Tasker of Ghasmont."
>>> [text[each.start:each.end] for each in forms_in(text) if each.form in ("date", "name")]
['May 1221', 'Orrin Tasker of Ghasmont', 'Orrin Tasker', 'Ghasmont', 'Orrin', 'Tasker']
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from retriever.answers.text.dates import GLUED, MONTH
from retriever.answers.text.lexicon.hypernyms import senses_of
from retriever.answers.text.literals import SINGLE, literals_in, snapped
from retriever.answers.text.numbers import lowered, numbers_in, telephones_in, whole_numbers
from retriever.answers.text.words import FUNCTION, LOWER, PARTS, UPPER

FORMS = ("date", "year", "number", "literal", "name", "quoted", "phrase", "clause", "title", "value", "choice")
"""What a candidate looks like; a `literal` is a path, an option, an identifier and the like, a `title` its page's, a
`value` a cell of a table or a part of one, a `choice` the question's own words, yes or no."""

YEAR = r"(?:[12]\d{3}|[1-9]\d{2})"
DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
ORDINAL, SEASON = "(?:first|second|third|fourth|last)", "(?:spring|summer|autumn|winter)"
DATE = re.compile(
    rf"(?=[\dJFMASONDaeflmstw])(?:\b|{GLUED})(?=[\dJFMASOND]|au|ea|fi|fo|la|mi|se|sp|su|th|wi)(?:"
    rf"[12]\d{{3}}-[01]\d-[0-3]\d|\d{{1,2}}(?:st|nd|rd|th)?[ ]+(?:of[ ]+)?{MONTH}(?:,?[ ]+{YEAR})?"
    rf"|{MONTH}[ ]+\d{{1,2}}(?:st|nd|rd|th)?(?:[ ]*,?[ ]+{YEAR})?"
    rf"|{MONTH}[ ]+{YEAR}"
    rf"|{MONTH}[ ]*(?:to|until|[–-])[ ]*(?:(?:early|mid|late)[ -]|the end of )?{MONTH}"
    r"|(?:early |late |mid-)?\d{1,2}(?:st|nd|rd|th)[ -]century(?:[ ]+BCE?)?"
    rf"|(?:the )?{ORDINAL}[ ]+(?:{DAY}|weekend|week|days)[ ]+(?:of|in)[ ]+(?:(?:every|each)[ ]+)?(?:{MONTH}|month)"
    rf"|(?:(?:early|late)[ ]|mid-)?{SEASON}(?:[ ]of)?[ ]{YEAR}"
    r"|(?:(?<=\b[Oo]n )|(?<=\b[Bb]y )|(?<=\buntil ))the[ ]\d{1,2}(?:st|nd|rd|th)"
    r"(?:[ ]of[ ](?:each|every|the)[ ]month)?(?! \w)"
    rf"|(?:(?<=\b[Ii]n )|(?<=\b[Ee]very ))(?:(?:early|late)[ ]|mid-)?(?:{MONTH}|{SEASON})"
    rf"|(?:the )?(?:early |late |mid-)?{YEAR}s"
    rf"|{YEAR}[ ]*[–-][ ]*(?:{YEAR}|\d{{2}}(?![ ]+{MONTH}))\b"
    rf"|{YEAR}[ ]+(?:BCE?|AD|CE)"
    rf")(?:(?![\w])|{GLUED})"
)
DIGIT = re.compile(r"\d")
DAYS = re.compile(  # From one day of a month to another one.
    r"(?=[\dJFMASOND])(?<![\w.,:–-])(?:(\d{1,2})(?:st|nd|rd|th)?"
    rf"([ ]+{MONTH}(?:,?[ ]+{YEAR})?)?[ ]*(?:to|until|[–-])[ ]*(\d{{1,2}})(?:st|nd|rd|th)?[ ]+(?:of[ ]+)?{MONTH}"
    rf"(?:,?[ ]+{YEAR})?"
    rf"|{MONTH}[ ]+(\d{{1,2}})(?:st|nd|rd|th)?[ ]*(?:to|until|[–-])[ ]*({MONTH}[ ]+)?(\d{{1,2}})(?:st|nd|rd|th)?"
    rf"(?:[ ]*,?[ ]+{YEAR}|(?![ ]+[a-z])))(?![\w])"
)
CLOCK = (
    r"(?:(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:[ ]?[ap](?:m\b|\.m\.?))?|\d{1,2}(?:[.:]\d\d)?[ ]?[ap](?:m\b|\.m\.?)"
    r"|noon\b|midnight\b)"
)
HOURS = rf"{CLOCK}(?:(?:[ ](?:to|and|until)[ ]|[ ]?[–-][ ]?){CLOCK})?"
TIME = re.compile(  # A time taken, a time of the day, a day of the week, or both.
    rf"(?=[\dMTWFSmn])(?<![\w.:])(?:\d{{1,3}}:[0-5]\d(?::[0-5]\d)?[.]\d{{1,3}}|{DAY}(?:[ ](?:at[ ])?{HOURS})?"
    rf"|{HOURS}(?:[ ](?:on[ ])?{DAY})?)(?![\w:]|[.]\d)"
)
YEARS = re.compile(
    r"[1-9](?:(?<=[12])(?<![\w.,].)\d{3}(?![\w%]|[.,]\d)"
    r"|(?<=[\s(].)(?<!\d[ ].)\d{2}(?=[,.;)]?\s)(?!\s+[a-z]|[ ]\d))"
)
CELL = re.compile(r"(?:(?<=[|] )|(?<=\n)|^)[^|\n]+?(?= [|]|\n|$)")
# Initials, an abbreviation and a short title keep their full stops.
CAPITAL = (
    rf"(?:(?:[{UPPER}][.]){{2,}}(?=\s)"
    rf"|[^\W\d_{LOWER}](?:[.](?=\s?[^\W\d_])|(?:r|rs|t)[.](?=[ ][A-Z])|\w*(?:(?:['’&.-](?!s\b)|- )[\w]+)*))"
)
JOINER = (
    "(?:of|the|de|la|le|du|des|del|della|der|den|di|da|dos|das|do|van|von|zu|zur|and|&|al|el|bin|ibn|af|av|og|y|for"
    "|in|on|to|at)"
)
# A run of capitalised words, with small ones between them.
NAME = re.compile(rf"\b{CAPITAL}(?:[ ]{CAPITAL}|[ ]\d{{1,4}}(?:[.]\d+)?\b|(?:[ ]{JOINER}){{1,2}}[ ]{CAPITAL})*")
# At the beginning of a sentence a small word before a number looks like a name.
BEFORE_NUMBER = re.compile(r"(?:In|On|At|By|From|For|Of|After|Before|Since|Until|During|About|Over|Some)[ ][\d.]+[ ]?")
PRONOUNS = FUNCTION | frozenset(
    """others everyone everybody anyone anybody someone somebody nobody nothing everything something whoever
    another""".split()
)
# What a name owns is a name: the bridge of the chandlers, somebody's ear or disease; or it owns a place, "St. John's".
OWNER, EPONYMS = re.compile(rf"\b{CAPITAL}(?:[ ]{CAPITAL})*+"), "disease|syndrome|lymphoma|palsy|law|theorem|paradox"
OWNED = re.compile(rf"['’]s?[ ](?:{CAPITAL}(?:[ ]{CAPITAL})*+|(?:{EPONYMS})\b)|['’]s(?=[,.;:)\n]|$|[ ]\()")
SPLIT = re.compile(rf"(?:\s+(?:{JOINER}))+\s+")
# Names with a comma in them: a place with what it lies in, a person with a title.
PLACE = re.compile(rf"(?<!\w){CAPITAL}(?:[ ]+(?:of[ ]+(?:the[ ]+)?)?{CAPITAL})*+")
WITHIN = re.compile(rf"[ ]?,[ ]+{CAPITAL}(?:[ ]+(?:of[ ]+(?:the[ ]+)?)?{CAPITAL})*+")
MOST_WITHIN = 3  # A place is told with no more wholes; a long list of names would take time by its square.
QUOTED = re.compile(r"[\"“«]\s?([^\"“”»]{2,80}?)\s?[,.]?[\"”»]")
# Dashes with blanks around them part clauses as commas do.
WITHIN_CLAUSE = r"(?:[^,;:.()\n ]|[ ](?![–—-][ ]))"
CLAUSE = re.compile(rf"{WITHIN_CLAUSE}+(?:[.,]\d+{WITHIN_CLAUSE}*)*")
# What a sentence says that something is, is for, comes of or is done by stands behind such words.
TELLING = re.compile(
    r"\b(?:is|are|was|were|be|because(?: of)?|since|as|when|after|for|if|that|on account of|so that|to|then"
    r"|due to|caused by|used (?:to|for|as)|consists? of"
    r"|made (?:up )?of|composed of|means?|refers? to|allows?|comes? from|leads? to|results? (?:in|from)|depends? on"
    r"|by(?= [a-z]+ing\b))[ ]+(?:(?:an?|the)[ ]+)?|:\s+"
)
REST = re.compile(r"[^.;:\n]+(?:[.:]\S[^.;:\n]*)*")
LONGEST_PHRASE, LONGEST_CLAUSE = 6, 22
READ = 400  # Characters behind such words that are read: a clause of LONGEST_CLAUSE words is shorter.

BETWEEN = re.compile(r"[ '’-]*")
LINKING = frozenset(("of", "and", "to", "in", "on", "the", "a", "an", "per", "for", "at", "from", "with"))


class Form(NamedTuple):
    """Characters `start` to `end` of a text look like a `form`."""

    start: int
    end: int
    form: str


def forms_in(text: str) -> list[Form]:
    """Return what in a text could be an answer, each run of characters once, by the first form that fits.

    >>> text = "It fell to -58.4 degrees over 1.1 metres of ice."
    >>> [text[each.start:each.end] for each in forms_in(text) if each.form == "number"]
    ['-58.4', '-58.4 degrees', '1.1', '1.1 metres', '1.1 metres of ice']
    """
    literals = literals_in(text)
    times, telephones = [match.span() for match in TIME.finditer(text)], list(telephones_in(text))
    whole = [*whole_numbers(text), *telephones, *times, *literals]
    dates = [each for each in _dates(text, times) if not any(start <= each.start < end for start, end in literals)]
    found = {(each.start, each.end): each for each in reversed(dates)}
    others = [*_numbers(text), *_names(text), *_quoted(text), *_cells(text), *_phrases(text), *_clauses(text)]
    inside = _inside(dates, len(text)) if dates else None
    first: dict[tuple[int, int], Form] = {}
    for each in (*_literals(text, [*literals, *telephones]), *_uncut(others, whole, len(text))):
        first.setdefault((each.start, each.end), each)
    for (start, end), each in first.items():
        # What is nothing but a part of a date is no number and no name; nothing stands in two rows or cells.
        is_in_one = "\n" not in text[start:end] and " | " not in text[start:end]
        if end > start and is_in_one and (inside is None or inside[end] - inside[start] < end - start):
            found.setdefault((start, end), each)
    return list(found.values())


def _inside(dates: list[Form], n: int) -> list[int]:
    """Return how many characters before each place of a text of n are of a date."""
    dated = np.zeros(n + 1, np.int64)
    for each in dates:
        dated[each.start : each.end] = 1
    return [0, *np.cumsum(dated).tolist()]


def _literals(text: str, literals: list[tuple[int, int]]) -> Iterator[Form]:
    for start, end in literals:
        yield Form(start, end, "literal")
    for match in SINGLE.finditer(text):
        yield Form(*match.span(1), "literal")


def _uncut(forms: list[Form], whole: list[tuple[int, int]], n: int) -> list[Form]:
    """Return the forms of a text of n characters, each widened where it would cut one of the spans `whole`."""
    if not whole:
        return forms
    spans = snapped([each.start for each in forms], [each.end for each in forms], whole, n).tolist()
    return [Form(start, end, each.form) for (start, end), each in zip(spans, forms, strict=True)]


def _dates(text: str, times: list[tuple[int, int]]) -> Iterator[Form]:
    has_digits = DIGIT.search(text) is not None
    for match in DATE.finditer(text):
        yield Form(*match.span(), "date")
    for match in DAYS.finditer(text) if has_digits else ():
        first, month, last = match.group(1, 2, 3) if match[1] else match.group(4, 5, 6)
        # Of one month the later day comes last: "3-2 May 4" is a score.
        if month or int(first) < int(last):
            yield Form(*match.span(), "date")
    for start, end in times:
        yield Form(start, end, "date")
        for clock in re.finditer(CLOCK, text[start:end]):
            yield Form(start + clock.start(), start + clock.end(), "date")
    for match in YEARS.finditer(text) if has_digits else ():
        yield Form(*match.span(), "year")


def _numbers(text: str) -> Iterator[Form]:
    for start, end in numbers_in(text):
        yield Form(start, end, "number")


def _cells(text: str) -> Iterator[Form]:
    """Yield the cells of rows, and what commas or semicolons part in them."""
    if " | " not in text:
        return
    for match in CELL.finditer(text):
        yield Form(*match.span(), "value")
        for part in re.finditer(r"[^,;\s][^,;]*", match[0]):
            yield Form(match.start() + part.start(), match.start() + part.end(), "value")


def _names(text: str) -> Iterator[Form]:
    for match in NAME.finditer(text):
        start, end = match.start(), match.end()
        if behind := BEFORE_NUMBER.match(text, start, end):
            start = behind.end()
        if start == end or text[start:end].lower() in PRONOUNS:
            continue
        yield Form(start, end, "name")
        parts = _parts(text, start, end)
        if len(parts) > 1:
            for first, last in parts:
                yield Form(first, last, "name")
        for first, last in parts:
            inner = [(each.start() + first, each.end() + first) for each in re.finditer(r"\S+", text[first:last])]
            if 2 <= len(inner) <= 4:
                yield Form(inner[0][0], inner[-2][1], "name")
                yield Form(inner[1][0], inner[-1][1], "name")
    for match in OWNER.finditer(text) if "'" in text or "’" in text else ():
        if owned := OWNED.match(text, match.end()):
            yield Form(match.start(), owned.end(), "name")
    start, end = 0, 0
    for match in PLACE.finditer(text):
        if match.start() < end:
            continue
        start, end = match.span()
        rounds = 0
        while within := WITHIN.match(text, end):
            end, rounds = within.end(), rounds + 1
            if rounds <= MOST_WITHIN:
                yield Form(start, end, "name")


def _parts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    parts = []
    for joint in SPLIT.finditer(text, start, end):
        parts.append((start, joint.start()))
        start = joint.end()
    return [*parts, (start, end)]


def _quoted(text: str) -> Iterator[Form]:
    for match in QUOTED.finditer(text):
        yield Form(*match.span(1), "quoted")


def _phrases(text: str) -> Iterator[Form]:
    """Yield runs of words between function words, their last words alone, and two runs that a small word joins.

    What a phrase is about stands at its end: none ends within a run, but before an adverb at the end.
    """
    runs = list(_runs(text))
    for index, run in enumerate(runs):
        n = len(run)
        for first in range(max(0, n - LONGEST_PHRASE), n):
            yield Form(run[first][0], run[-1][1], "phrase")
        if n > 1 and _is_adverb(text[slice(*run[-1])]):
            for first in range(max(0, n - LONGEST_PHRASE), n - 1):
                yield Form(run[first][0], run[-2][1], "phrase")
        if index + 1 < len(runs):
            follower = runs[index + 1]
            between = text[run[-1][1] : follower[0][0]]
            joints = between.split()
            if joints and len(joints) <= 2 and all(joint in LINKING for joint in joints):
                for length in {1, n}:
                    yield Form(run[n - length][0], follower[-1][1], "phrase")


def _is_adverb(word: str) -> bool:
    """Tell whether a word looks like an adverb and is no noun."""
    return word.endswith("ly") and word.islower() and not senses_of(word)


def _runs(text: str) -> Iterator[list[tuple[int, int]]]:
    """Yield the runs of words that no function word and no punctuation parts."""
    run: list[tuple[int, int]] = []
    parts, end = PARTS.split(text), 0
    for gap, word in zip(parts[::2], parts[1::2], strict=False):
        start, end = end + len(gap), end + len(gap) + len(word)
        small = word.lower() in FUNCTION
        if run and (small or not (text[run[-1][1] : start] == " " or BETWEEN.fullmatch(text, run[-1][1], start))):
            yield run
            run = []
        if not small and not (word in ("s", "t") and gap.endswith(("'", "’"))):
            run.append((start, end))
    if run:
        yield run


def _clauses(text: str) -> Iterator[Form]:
    for match in CLAUSE.finditer(text):
        words = [each.span() for each in re.finditer(r"\S+", match[0])]
        if 2 <= len(words) <= LONGEST_CLAUSE:
            yield Form(match.start() + words[0][0], match.start() + words[-1][1], "clause")
    for match in TELLING.finditer(lowered(text)):
        for pattern in (CLAUSE, REST):
            last = match.end() + READ
            rest = pattern.match(text, match.end(), last)
            if rest is not None and rest.end() < last and 2 <= len(rest[0].split()) <= LONGEST_CLAUSE:
                yield Form(rest.start(), rest.start() + len(rest[0].rstrip()), "clause")
