"""How many of something each of two compared things has, and what the rows of one table tell of both.

"Which has more employees, A or B?" compares numbers that count employees, in a row of that label or before that word,
and no others. Things without pages of their own may be rows of one table: "Which party has more seats, A or B?"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from retriever.answers.asked import Asked
from retriever.answers.choices.values import CELL, MEASURED, Value
from retriever.answers.passages import Passage
from retriever.answers.text.dates import amounts_in
from retriever.answers.text.hypernyms import senses_of
from retriever.answers.text.words import FUNCTION, stem_of, word_spans
from weft.text.names import name_key

MORE = re.compile(r"\b(?:more|most|fewer|fewest|less|least)\s+((?:[a-z][a-z-]*\s*){1,3})")
PARENTHESIS = re.compile(r"\s*\([^()]*\)")
BEHIND = 3
"""Words behind a number of which one may be what it counts."""

Columns = Callable[[str], bool]


def counted_in(text: str) -> str:
    """Return the noun of which a question compares how many there are, "" where it compares something else.

    >>> counted_in("Which has more employees, A or B?"), counted_in("Does A have fewer goods wagons than B?")
    ('employees', 'wagons')
    >>> counted_in("Which is more expensive, A or B?"), counted_in("Which is more than a mile long?")
    ('', '')
    """
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
    found = [next(_counts(says, passages, own), None) for own in owns]
    values = [each for each in found if each is not None]
    return values if len(values) == len(owns) else None


def _saying(asked: Asked, noun: str) -> Columns:
    """Return what tells whether a text says a noun, or a word that a text may say for it."""
    stem = stem_of(noun)
    index = asked.told.get(stem, -1)
    return lambda text: any(
        (own := stem_of(word)) == stem or asked.told.get(own, -2) == index for word, *_ in word_spans(text)
    )


def _counts(says: Columns, passages: Sequence[Passage], own: Sequence[int]) -> Iterator[Value]:
    """Yield the numbers that count what is asked, those of rows first."""
    prose = []
    for index in own:
        for number, (start, end) in enumerate(passages[index].bounds):
            text = passages[index].text[start:end]
            label, cell, told = text.partition(CELL)
            if cell and says(label):
                yield from (Value(amount, index, number, 1.0) for _, amount in amounts_in(told)[:1])
            elif not cell:
                prose += [
                    Value(amount, index, number, 1.0) for place, amount in amounts_in(text) if _is_of(says, text, place)
                ]
    yield from prose


def _is_of(says: Columns, text: str, place: int) -> bool:
    behind = re.match(rf"[\d,.]+((?:[ -]+[^\W\d_]+){{1,{BEHIND}}})", text[place:])
    return behind is not None and says(behind[1])


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
        if len(row) > column and key in (name_key(cell) for cell in row) and (amounts := amounts_in(row[column])):
            return number, amounts[0][1]
    return None
