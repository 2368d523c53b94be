"""Names that may be the bridge of a question over two passages: those of the sentences that say most of what is asked.

"When was the inn licensed where the judge stayed?" names no inn; the sentence that tells where he stayed does.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked, flags
from retriever.answers.candidates import NAMING, forms_of
from retriever.answers.columns.sentences import means_in
from retriever.answers.passages import Passage
from retriever.answers.patterns.times import DAYS, MONTHS
from retriever.answers.text.likeness import answer_tokens
from retriever.answers.text.words import FUNCTION, stems_in
from retriever.session import Session
from weft.text.names import name_key
from weft.text.pairs import is_unspaced

MOST_NAMES = 10
LEAST_SAID = 0.15
"""The share of a question, by rarity, that the sentence of a name must mean."""

SHORTEST = 3
"""Characters of a name of one word."""

NO_NAMES = frozenset((*DAYS, *(f"{day}s" for day in DAYS), *MONTHS, "christmas", "easter"))
"""Words with a capital that lead nowhere where a name has no others."""

ARTICLE = re.compile(r"\A(?:the|an?)\s+(?=\S)", re.I)
Floats = NDArray[np.float64]


class Name(NamedTuple):
    """A name in a sentence of a passage, by its index, from `start` to `end`.

    `entity` is what it means, 0 where it has no page. `said` (w,) is how much of each stem asked for its sentence, or
    the title above it, means; `worth` is the share of the question, by rarity, that this is.
    """

    text: str
    entity: int
    passage: int
    start: int
    end: int
    said: Floats
    worth: float


def said_below_titles(passages: Sequence[Passage], asked: Asked) -> list[Floats]:
    """Return for each passage what its sentences mean, with what its title says of what is asked."""
    return [np.maximum(means_in(asked, each), flags(stems_in(each.title), asked)) for each in passages]


def bridging_names(
    session: Session, passages: Sequence[Passage], said: Sequence[Floats], asked: Asked
) -> list[Name]:
    """Return the names that a question does not say itself, those of the sentences that say most of it first.

    `said` is what `said_below_titles` returns. Of a name's sentences the best one counts.
    """
    inside, found = {*answer_tokens(asked.text)}, dict[str, Name]()
    for index, (passage, own) in enumerate(zip(passages, said, strict=True)):
        worths = own @ asked.every
        spans = _spans(session, passage) if worths.max(initial=0.0) >= LEAST_SAID else []
        begins = [begin for begin, _ in passage.bounds]
        for start, end, text, tokens, entity in spans:
            number = max(0, bisect_right(begins, start) - 1)
            if worths[number] < LEAST_SAID or inside.issuperset(tokens) or not _may_bridge(tokens):
                continue
            made = Name(text, entity, index, start, end, own[number], float(worths[number]))
            known = found.setdefault(" ".join(tokens), made)
            if (made.worth, bool(entity)) > (known.worth, bool(known.entity)):
                found[" ".join(tokens)] = made
    best = sorted(found.values(), key=lambda each: -each.worth)[:MOST_NAMES]
    return _with_pages(session, passages, best)


def _spans(session: Session, passage: Passage) -> list[tuple[int, int, str, tuple[str, ...], int]]:
    """Return the links and names of a passage: where they begin and end, their text and its words, and the entity."""
    links = [(each.start, each.end, passage.text[each.start : each.end], each.entity) for each in passage.links]
    linked = {(start, end) for start, end, *_ in links}
    found = [(start, end, text, tuple(answer_tokens(text)), entity)
             for start, end, text, entity in links if entity != passage.entity]  # fmt: skip
    return found + [
        (start, end, text, tokens, 0)
        for start, end, form, text, _, tokens in forms_of(session, [passage])[passage.chunk]
        if form in NAMING and text[0].isupper() and (start, end) not in linked
    ]


def _may_bridge(tokens: Sequence[str]) -> bool:
    """Tell whether a name of such words may lead to another passage: no day, and no short word alone."""
    if NO_NAMES.issuperset(tokens):
        return False
    return len(tokens) > 1 or (len(tokens[0]) >= SHORTEST and tokens[0] not in FUNCTION)


def mentions_of(name: str) -> re.Pattern[str]:
    """Return what finds a name in a text, whole and without its article, whatever blanks its words are parted by.

    >>> bool(mentions_of("The Grey Heron").search("the Grey\\nHeron's sign"))
    True
    >>> bool(mentions_of("Corsk").search("Corskmoor"))
    False
    """
    words = ARTICLE.sub("", name).split()
    before = "" if is_unspaced(words[0][0]) else r"(?<!\w)"
    behind = "" if is_unspaced(words[-1][-1]) else r"(?!\w)"
    return re.compile(before + r"\s+".join(map(re.escape, words)) + behind)


def _with_pages(session: Session, passages: Sequence[Passage], names: Sequence[Name]) -> list[Name]:
    """Return names with the entity that each means by its whole text, where no link tells it."""
    known = session.skb.meanings([name_key(each.text) for each in names if not each.entity])
    found = []
    for each in names:
        meant = known.get(name_key(each.text), []) if not each.entity else []
        entity = meant[0][0] if meant else each.entity
        found.append(each._replace(entity=0 if entity == passages[each.passage].entity else entity))
    return found
