"""How many of something each of two compared things has, and what the rows of one table tell of both.

"Which has more employees, A or B?" compares numbers that count employees, in a row of that label or before that word,
and no others. Things without pages of their own may be rows of one table: "Which party has more seats, A or B?"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import dropwhile, takewhile, zip_longest

from retriever.answers.asked import Asked
from retriever.answers.choices.comparatives import AGE, BETTER, MEASURED, compares_amounts
from retriever.answers.choices.values import CELL, FOUNDED, Value, days
from retriever.answers.passages import Passage, row_start
from retriever.answers.text.dates import Quantity, dates_in, quantities_in
from retriever.answers.text.lexicon.hypernyms import senses_of
from retriever.answers.text.measures import NOUNS, is_unit
from retriever.answers.text.words import FUNCTION, stem_of, stems_in, word_spans
from weft.text.names import name_key

MORE = re.compile(r"(?<!\bat )\b(?:more|most|fewer|fewest|less|least)\s+((?:[a-z][a-z-]*\s*){1,3})")
GREATER = re.compile(r"\b(?:larg|small|high|low|great|bigg)(?:er|est)\s+(?:number of (?:the )?)?([a-z-]+)")
ADVERBS = frozenset("today now overall total altogether worldwide common ancient modern popular recent".split())
"""Words behind a noun, and adjectives, that are nouns too."""

COMPARABLE = frozenset(
    """expensive costly powerful popular famous important dangerous difficult remote common frequent numerous plentiful
    prevalent widespread""".split()
)
"""What a thing may be more or less of: "the most expensive whisky" is not that with most whisky."""

GRADUAL = ("ant", "ent", "ous", "ful", "able", "ible")
"""Endings of adjectives of that kind, of words that are no nouns: "abundant"."""

MEASURED_NOUNS = frozenset((*NOUNS, *"attendance crew density discharge prominence membership enrolment".split()))
MEASURED_NOUNS -= {"number"}
"""Nouns that are told in numbers, and may be greater or less."""

BEHIND, BEFORE = re.compile(r"[\d,.]+((?:[ -]+[^\W\d_]+){1,3})"), re.compile(r"((?:\b\w+[ ]){1,5})$")
"""A number with the words behind it, and the words before one, of which one may be what it counts."""

BORN_LABEL = re.compile(r"\bborn\b|\bbirth|\bsince\b", re.I)
PARENTHESIS = re.compile(r"\([^()]*\)")
READ = 60
"""Characters before a number that are read."""

Says = Callable[[str], bool]


def counted_in(text: str) -> str:
    """Return the noun of which a question compares how many there are, "" where it compares something else.

    >>> counted_in("Which has more employees, A or B?"), counted_in("Does A have fewer goods wagons than B?")
    ('employees', 'wagons')
    >>> counted_in("Which is more expensive, A or B?"), counted_in("Which is more than a mile long?")
    ('', '')
    >>> counted_in("Which has the larger population, A or B?"), counted_in("Which is the larger island, A or B?")
    ('population', '')
    >>> counted_in("Which is the most expensive whisky?"), counted_in("Which team has the most fans?")
    ('', 'fans')
    >>> counted_in("In which year were there the most callouts?"), counted_in("Which is the most precious?")
    ('callouts', '')
    >>> counted_in("Which is the most abundant metal?"), counted_in("Which city has the most parents?")
    ('', 'parents')
    """
    amount = GREATER.search(text)
    if amount and (amount[1] in MEASURED_NOUNS or " of " in amount[0]):
        return amount[1]
    found = MORE.search(text)
    words = [*takewhile(lambda word: word not in FUNCTION and word != "than", found[1].split() if found else ())]
    if words and (words[0] in COMPARABLE or (words[0].endswith(GRADUAL) and not senses_of(words[0]))):
        return ""
    nouns = [word for word in words if word not in ADVERBS and senses_of(word)]
    # "Callouts" is in no lexicon, and "precious" is no plural.
    nouns = nouns or [word for word in words if word.endswith("s") and not word.endswith(("ous", "ss"))]
    return nouns[-1] if nouns else ""


def counts_of(
    asked: Asked, noun: str, passages: Sequence[Passage], owns: Sequence[Sequence[int]]
) -> list[Value] | None:
    """Return of each thing how many it has of what a noun names; None where a page of one of them does not say it."""
    says = saying(asked, noun)
    found = [next(_counts(says, noun, passages, own), None) for own in owns]
    values = [each for each in found if each is not None]
    return values if len(values) == len(owns) else None


def counts_beside(asked: Asked, noun: str, passages: Sequence[Passage], names: Sequence[str]) -> list[Value] | None:
    """Return the numbers behind two names in one sentence that has the noun too, None where no sentence has all.

    "Ada Orr has 34 goals, ahead of Bo Lund with 27" tells both.
    """
    says = saying(asked, noun)
    for index, passage in enumerate(passages):
        for number, (start, end) in enumerate(passage.bounds):
            text = passage.text[start:end]
            own = [re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in names]
            places = [each.end() for each in own if each]
            if len(places) != len(names) or not says(text):
                continue
            dated = {place for first, last, _ in dates_in(text) for place in range(first, last)}
            amounts = [each for each in quantities_in(text) if each.start not in dated]
            ends = [min((other for other in places if other > place), default=len(text)) for place in places]
            spans = zip(places, ends, strict=True)
            told = [[each for each in amounts if place <= each.start < last] for place, last in spans]
            is_counted = any(_is_counted(says, text, each) for each in amounts)
            if all(told) and is_counted:
                return [_counted(says, noun, text, each[0], index, number) for each in told]
    return None


def saying(asked: Asked, noun: str) -> Says:
    """Return what tells whether a text says a noun, or a word that a text may say for it."""
    stem = stem_of(noun)
    index = asked.told.get(stem, -1)
    return lambda text: any(
        (own := stem_of(word)) == stem or asked.told.get(own, -2) == index for word, *_ in word_spans(text)
    )


def _counts(
    says: Says, noun: str, passages: Sequence[Passage], own: Sequence[int]
) -> Iterator[Value]:
    """Yield the numbers that count or measure what a noun names, those of rows first."""
    before, prose = BEFORE if noun in MEASURED_NOUNS else None, []
    for index in own:
        for number, (start, end) in enumerate(passages[index].bounds):
            text = passages[index].text[start:end]
            label, cell, told = text.partition(CELL)
            if cell and says(_last_word(label)):
                yield from (Value(each.number, index, number, 1.0, each.measure) for each in quantities_in(told)[:1])
            elif not cell:
                # Three digits alone count here, though they may be a year.
                dates = (each for each in dates_in(text) if each[1] - each[0] > len("843"))
                dated = {place for first, last, _ in dates for place in range(first, last)}
                for each in (each for each in quantities_in(text) if each.start not in dated):
                    led = before and before.search(text, max(0, each.start - READ), each.start)
                    if _is_counted(says, text, each) or (led and says(led[1])):
                        prose.append(_counted(says, noun, text, each, index, number))
    yield from prose


def _is_counted(says: Says, text: str, amount: Quantity) -> bool:
    """Tell whether one of the words behind an amount says what is counted."""
    behind = BEHIND.match(text, amount.start)
    return behind is not None and says(behind[1])


def _counted(says: Says, noun: str, text: str, amount: Quantity, passage: int, sentence: int) -> Value:
    """Return an amount as a value: a bare number where it counts what the noun names, as "12 second homes" does."""
    is_measured = is_unit(noun) or text.startswith(" of", amount.end) or not _is_counted(says, text, amount)
    if is_measured:
        return Value(amount.number, passage, sentence, 1.0, amount.measure)
    return Value(amount.bare, passage, sentence, 1.0)


def _last_word(label: str) -> str:
    """Return what a label is about: "Number of beds (2019)" of beds, "Population density" not of a population."""
    words = [word for word, *_ in word_spans(PARENTHESIS.sub("", label))]
    return words[-1] if words else ""


def tabled(asked: Asked, noun: str, passages: Sequence[Passage], names: Sequence[str]) -> list[Value] | None:
    """Return what the rows of two names tell in one column of one table that says what is compared, None where none.

    Names may head columns, and the rows say what is compared.
    """
    tests = [saying(asked, noun)] if noun else measuring(asked)
    is_dated = not noun and not compares_amounts(asked.text) and not BETTER.search(asked.text)
    keys = [name_key(name) for name in names]
    for index, passage in enumerate(passages):
        rows = rows_of(passage)
        above = len(passage.bounds) - len(rows)
        for is_turned, table in enumerate((rows, list(map(list, zip_longest(*rows, fillvalue=""))))):
            head = list(enumerate(table[0]))[1:] if table else []
            head.sort(key=lambda each: -_n_told(asked, each[1]))
            columns = [column for says in tests for column, label in head if says(label)]
            found = [(column, _cell(table, key, column, is_dated=is_dated)) for column in columns[:1] for key in keys]
            values = [
                Value(each[1], index, above + (column if is_turned else each[0]), 1.0, each[2])
                for column, each in found if each
            ]  # fmt: skip
            if values and len(values) == len(names):
                return values
    return None


def _n_told(asked: Asked, label: str) -> int:
    return sum(stem in asked.told for stem in stems_in(label))


def rows_of(passage: Passage) -> list[list[str]]:
    """Return the cells of each row of a table from its head on, the first of several cells; none of other passages."""
    bounds = passage.bounds if passage.kind == "table" else ()
    rows = (passage.text[row_start(passage.text, start) : end].split(CELL) for start, end in bounds)
    return [*dropwhile(lambda row: len(row) < 2, rows)]


def measuring(asked: Asked) -> list[Says]:
    """Return what tells whether a label names what is compared, the first before the others.

    That is an amount, of which there may be several ("larger"), else a foundation or what happened.
    """
    if compares_amounts(asked.text):
        labels = next((labels.split() for pattern, labels in MEASURED if pattern.search(asked.text)), [])
        return [_labelled(word) for word in labels]
    if AGE.search(asked.text):
        return [lambda label: FOUNDED.search(label) is not None or BORN_LABEL.search(label) is not None]
    return [lambda label: any(stem_of(word) in asked.told for word, *_ in word_spans(label))]


def _labelled(name: str) -> Says:
    """Return what tells whether one of a label's words is a name."""
    return lambda label: name in {word.lower() for word, *_ in word_spans(label)}


def _cell(rows: Sequence[Sequence[str]], key: str, column: int, *, is_dated: bool) -> tuple[int, float, str] | None:
    """Return the number of the row that begins with a name, the date or amount in its column, and its measure."""
    for number, row in enumerate(rows):
        if number and len(row) > column and key and _is_row_of(row, key):
            dates = [(days(date), "") for *_, date in dates_in(row[column])]
            amounts = [(each.number, each.measure) for each in quantities_in(row[column])]
            if found := dates if is_dated else amounts:
                return number, *found[0]
    return None


def _is_row_of(row: Sequence[str], key: str) -> bool:
    """Tell whether a row is of what has a name, or a role, by one of its cells."""
    # A condition "Old" is not the Old Mill.
    cells = (name_key(cell) for cell in row[1:] if any(map(str.isalpha, cell)))
    is_other = (key == cell or (" " in cell and _is_named(cell, key)) for cell in cells)
    return _is_named(name_key(row[0]), key) or any(is_other)


def _is_named(cell: str, key: str) -> bool:
    """Tell whether a cell has a name, or its first words: "North" for the North team."""
    cell, key = cell.removeprefix("the "), key.removeprefix("the ")
    return bool(cell) and (cell == key or key.startswith(f"{cell} "))
