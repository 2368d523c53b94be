"""Confirmation by words: whether a sentence says what a yes/no question asks.

It is asked last, where no row and no sentence of the same relation tells (`statements`). A sentence confirms nothing
that leaves out a name or a number of the question, or most of its other words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from retriever.answers.asked import Asked
from retriever.answers.choices.statements import Verdict
from retriever.answers.passages import Passage
from retriever.answers.sentences import Floats, flags, means_in
from retriever.answers.text.measures import NUMERALS
from retriever.answers.text.words import stems_in, word_spans

DENIES = re.compile(
    r"\b(?:not?|never|none|nobody|nothing|neither|nor|without|cannot|except|unable|refus\w*|declin\w*|reject\w*"
    r"|den(?:y|ies|ied)|lacks?|no longer|fail(?:s|ed)?)\b|n['’]t\b", re.I)  # fmt: skip
REFUSES = re.compile(r"\b(?:refus|declin|reject|den(?:y|ies|ied)|lack|fail)", re.I)
"""Verbs that stand for the denied one: "She refused the prize" says that she did not accept it."""

BEGINS = re.compile(r"^\W*\w+n['’]t\b", re.I)
"""A question that begins so asks whether something is so: "Wasn't it built in 1790?" """

COUNTS = NUMERALS - {"one", "and"}
"""Numbers as words; "one" and "and" are more often none."""

LEAST_MEANT = 0.4
"""The share, by rarity, of the words beside names and numbers that a sentence has to mean."""


def denies(text: str) -> bool:
    """Tell whether a question asks whether something is not so.

    >>> denies("Was the bridge not built in 1790?"), denies("Wasn't the bridge built in 1790?")
    (True, False)
    """
    begins = BEGINS.match(text)
    return DENIES.search(text, begins.end() if begins else 0) is not None


def confirmed(asked: Asked, passages: Sequence[Passage]) -> Verdict:
    """Return how surely the sentence that means most of what is asked says so, -1 to 1; 0 where it leaves out too much.

    A sentence that denies speaks against it, where the question does not deny.
    """
    best, found = 0.0, Verdict(0.0, 0, 0)
    denied, numbers = denies(asked.text), _numbers(asked.text)
    for index, passage in enumerate(passages):
        title = flags(stems_in(passage.title), asked)
        said = np.maximum(means_in(asked, passage), title)
        worth = said @ asked.every
        for number in np.flatnonzero(worth > best).tolist():
            if worth[number] > best:
                best = float(worth[number])
                text = passage.text[slice(*passage.bounds[number])]
                sign = -1.0 if (DENIES.search(text) is not None) != denied else 1.0
                least = 0.0 if REFUSES.search(text) else LEAST_MEANT
                is_whole = _says_all(asked, said[number], least) and numbers <= _numbers(f"{passage.title} {text}")
                sure = max(0.0, min(1.0, 2 * best - 0.6)) if is_whole else 0.0
                found = Verdict(sign * sure, index, number)
    return found


def _says_all(asked: Asked, said: Floats, least: float) -> bool:
    """Tell whether what is said of each stem (w,) has the names of a question, and this share of the rest."""
    own = np.array([stem in asked.tokens for stem in asked.stems])
    names = asked.named.union(asked.capitals)
    exact = own & np.array([stem in names for stem in asked.stems])
    rest = np.where(own & ~exact, asked.every, 0.0)
    return bool((said[exact] >= 1).all()) and float(said @ rest) >= least * float(rest.sum())


def _numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text, in digits or as words."""
    words = (word.lower() for word, *_ in word_spans(text))
    return frozenset(word for word in words if word in COUNTS or word[0].isdigit())
