"""What is compared of a thing that a question describes and does not name: "the branch to Quenby"."""

from __future__ import annotations

from collections.abc import Sequence, Set

from retriever.answers.asked import Asked
from retriever.answers.choices.comparatives import AGE, RECENT, compared_by, compares_amounts
from retriever.answers.choices.values import FOUNDED, Value, compared_in, coverage
from retriever.answers.passages import Passage
from retriever.answers.text.words import content_in, stem_of, stems_in

ANY_TIME = frozenset(map(stem_of, "first last earlier later earliest latest came come happened dates older".split()))
"""Words that compare times and say not of what."""


def value_described(asked: Asked, passages: Sequence[Passage], name: str) -> Value | None:
    """Return what is compared of a thing that is described: by a sentence that says it, title and heading counted.

    Of those that say all words of the description, and some themselves or in the heading, that which says most of what
    is asked; its value is the first one behind what is asked ("planned in 1851, opened in 1865"), or behind the word
    for a beginning where an age is. Rows of tables say nothing here, since no label is read.
    """
    wanted, values_in = content_in(name), compared_in(asked)
    asks = content_in(asked.text) - wanted
    best: tuple[float, Value] | None = None
    for index, passage in enumerate(passages if not RECENT.search(asked.text) else ()):
        headed, title = {*stems_in(passage.heading)}, {*stems_in(passage.title)}
        for number, (start, end) in enumerate(passage.bounds if passage.kind != "table" else ()):
            stems = passage.words.stems[slice(*passage.words.span(start, end))]
            if not (wanted <= {*stems} | headed | title and wanted & ({*stems} | headed)):
                continue
            says = coverage(asked, passage, number, asks)
            place = _behind_asked(asked, passage, number, asks)
            found = values_in(passage.text[place:end]) or values_in(passage.text[start:place])[-1:] if place else []
            worth = says - 0.01 * number - 0.001 * passage.rank
            if found and (best is None or worth > best[0]):
                best = worth, Value(found[0][0], index, number, says, found[0][1])
    return None if best is None else best[1]


def _behind_asked(asked: Asked, passage: Passage, sentence: int, asks: Set[str]) -> int | None:
    """Return where a sentence goes on behind the first word that is asked, or that tells a beginning; None without."""
    start, end = passage.bounds[sentence]
    first, last = passage.words.span(start, end)
    own = (word for word in range(first, last) if passage.words.stems[word] in asks)
    if (found := next(own, None)) is not None:
        return int(passage.words.ends[found])
    if AGE.search(asked.text) or FOUNDED.search(asked.text):
        begun = FOUNDED.search(passage.text, start, end)
        return begun.end() if begun else None
    # Of what is "taller" or "came first" any value of that measure, or any date, tells.
    is_any = not asks - ANY_TIME and not compares_amounts(asked.text)
    return max(1, start) if is_any or compared_by(asked.text)[0] else None
