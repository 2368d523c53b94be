"""How many of something each of two compared things has, and what the rows of one table tell of both.

"Which has more employees, A or B?" compares numbers that count employees, in a row of that label or before that word,
and no others. Things without pages of their own may be rows of one table: "Which party has more seats, A or B?"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from retriever.answers.asked import Asked
from retriever.answers.choices.values import CELL, MEASURED, Value, lengths_in_metres
from retriever.answers.passages import Passage
from retriever.answers.text.hypernyms import senses_of
from retriever.answers.text.measures import NOUNS
from retriever.answers.text.words import FUNCTION, stem_of, word_spans
from weft.text.names import name_key

MORE = re.compile(r"\b(?:more|most|fewer|fewest|less|least)\s+((?:[a-z][a-z-]*\s*){1,3})")
GREATER = re.compile(r"\b(?:larg|small|high|low|great|bigg)(?:er|est)\s+([a-z-]+)")
AMOUNTS = frozenset((*NOUNS, *"attendance crew density discharge prominence membership enrolment".split()))
"""Nouns that are told in numbers, and may be greater or less."""

PARENTHESIS = re.compile(r"\s*\([^()]*\)")
BEHIND, BEFORE = re.compile(r"[\d,.]+((?:[ -]+[^\W\d_]+){1,3})"), re.compile(r"((?:\b[^\W\d_]+[ ]){1,3})$")
"""A number with the words behind it, and the words before one, of which one may be what it counts."""

READ = 60
"""Characters before a number that are read."""

Columns = Callable[[str], bool]


def counted_in(text: str) -> str:
    """Return the noun of which a question compares how many there are, "" where it compares something else.

    >>> counted_in("Which has more employees, A or B?"), counted_in("Does A have fewer goods wagons than B?")
    ('employees', 'wagons')
    >>> counted_in("Which is more expensive, A or B?"), counted_in("Which is more than a mile long?")
    ('', '')
    >>> counted_in("Which has the larger population, A or B?"), counted_in("Which is the larger island, A or B?")
    ('population', '')
    """
    if (amount := GREATER.search(text)) and amount[1] in AMOUNTS:
        return amount[1]
    found = MORE.search(text)
    noun = ""
    for word in found[1].split() if found else ():
        if word in FUNCTION or word == "than":
            break
        noun = word
    return noun if senses_of(noun) else ""


def counts_of(
    asked: Asked, noun: str, passages: Sequence[Passage], owns: Sequence[Sequence[int]]
) -> list[Value] | None:
    """Return of each thing how many it has of what a noun names; None where a page of one of them does not say it."""
    says = _saying(asked, noun)
    before = BEFORE if noun in AMOUNTS else None
    found = [next(_counts(says, before, passages, own), None) for own in owns]
    values = [each for each in found if each is not None]
    return values if len(values) == len(owns) else None


def _saying(asked: Asked, noun: str) -> Columns:
    """Return what tells whether a text says a noun, or a word that a text may say for it."""
    stem = stem_of(noun)
    index = asked.told.get(stem, -1)
    return lambda text: any(
        (own := stem_of(word)) == stem or asked.told.get(own, -2) == index for word, *_ in word_spans(text)
    )


def _counts(
    says: Columns, before: re.Pattern[str] | None, passages: Sequence[Passage], own: Sequence[int]
) -> Iterator[Value]:
    """Yield the numbers that count what is asked, those of rows first; `before` finds the words that lead to one."""
    prose = []
    for index in own:
        for number, (start, end) in enumerate(passages[index].bounds):
            text = passages[index].text[start:end]
            label, cell, told = text.partition(CELL)
            if cell and says(label):
                yield from (Value(each, index, number, 1.0) for _, each in lengths_in_metres(told)[:1])
            elif not cell:
                for place, amount in lengths_in_metres(text):
                    beside = BEHIND.match(text, place), before and before.search(text, max(0, place - READ), place)
                    if any(says(words[1]) for words in beside if words):
                        prose.append(Value(amount, index, number, 1.0))
    yield from prose


def tabled(asked: Asked, noun: str, passages: Sequence[Passage], names: Sequence[str]) -> list[Value] | None:
    """Return what the rows of two names tell in one column of one table that says what is compared, None where none."""
    says = _saying(asked, noun) if noun else _measuring(asked.text)
    keys = [name_key(name) for name in names]
    for index, passage in enumerate(passages):
        rows = [passage.text[start:end].split(CELL) for start, end in passage.bounds]
        head = next((row for row in rows if len(row) > 1), [])
        columns = [column for column, label in enumerate(head) if says(label)] if passage.kind == "table" else []
        found = [_cell(rows, key, column) for column in columns[:1] for key in keys]
        values = [Value(each[1], index, each[0], 1.0) for each in found if each is not None]
        if values and len(values) == len(names):
            return values
    return None


def _measuring(text: str) -> Columns:
    """Return what tells whether a label names what a question's word compares."""
    labels = next((labels for pattern, labels in MEASURED if pattern.search(text)), "")
    return lambda label: bool(labels) and PARENTHESIS.sub("", label).strip().lower() in labels.split()


def _cell(rows: Sequence[Sequence[str]], key: str, column: int) -> tuple[int, float] | None:
    """Return the number of the row with a name in it and the amount in its column."""
    for number, row in enumerate(rows):
        amounts = lengths_in_metres(row[column]) if len(row) > column else []
        if amounts and key in map(name_key, row):
            return number, amounts[0][1]
    return None
