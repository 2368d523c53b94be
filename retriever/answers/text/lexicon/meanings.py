"""Words that a text may say in place of what is asked, and how alike two words are by the word vectors that ship.

`related.tsv` has a word of questions a line, behind it words of texts, by their stems: "height" for "tall", "spouse"
for "wife". A word without a vector is alike to nothing.

>>> sorted(set(told_for("tall")) & {"height", "high", "weight"})
['height', 'high']
>>> height, colour = alike(vectors_of(("tall", "tall")), vectors_of(("height", "colour")))[0].tolist()
>>> height > 0.5 > colour
True
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retriever.answers.text.lexicon.synonyms import synonyms
from retriever.answers.text.words import stem_of
from weft.arrays.vectors import unit_rows
from weft.embedders.word_vectors import word_vectors

FILE = Path(__file__).parent / "related.tsv"
KIN = {
    "mother": ("mother", "parent"), "father": ("father", "parent"), "wife": ("wife", "spouse", "marry"),
    "husband": ("husband", "spouse", "marry"), "spouse": ("spouse", "marry"),
    "father-in-law": ("father", "marry"), "mother-in-law": ("mother", "marry"),
    "grandfather": ("father",), "grandmother": ("mother",), "child": ("child", "son", "daughter"),
    "children": ("child", "son", "daughter"), "sibling": ("brother", "sister"), "stepmother": ("marry", "father"),
    "stepfather": ("marry", "mother"), "siblings": ("brother", "sister"),
    "birthplace": ("birth",), "birthday": ("birth",), "nationality": ("citizen",), "burial": ("bury",),
}  # fmt: skip
"""What the sentence may say, in any form, that answers such a word."""

LEAST, MOST = 0.3, 0.8
"""Cosines of words that have nothing to do with each other, and of those that say the same."""

UNLIKE_SAME = 0.9
"""What a word that means the same counts beside the word itself."""

RELATED = np.float32(0.35)
"""What two words are more alike where WordNet relates them."""

Vectors = NDArray[np.float32]


def told_for(stem: str) -> tuple[str, ...]:
    """Return the stems that a text may say for a stem of a question, without itself."""
    return _known().get(stem, ())


@cache
def _known() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        asked, *told = map(stem_of, line.split("\t"))
        found.setdefault(asked, {}).update(dict.fromkeys(each for each in told if each != asked))
    return {asked: tuple(told) for asked, told in found.items()}


def kin_said(text: str) -> tuple[str, ...]:
    """Return the stems that answer the words for kin, birth and the like in a question."""
    return tuple(stem_of(each) for word in re.findall(r"[\w-]+", text.lower()) for each in KIN.get(word, ()))


def vectors_of(stems: Sequence[str]) -> Vectors:
    """Return the unit vectors (n, d) of stems; zeros for those that are not known."""
    return _units()[word_vectors().find(stem.encode() for stem in stems)]


@cache
def _units() -> Vectors:
    return unit_rows(word_vectors().rows)


def meant(stems: Sequence[str], vectors: Vectors, asked: Sequence[str], meanings: Vectors) -> Vectors:
    """Return how alike words (n,) and stems asked for (w,) are by their vectors and by WordNet (n, w).

    A stem asked for that is "" is alike to nothing.
    """
    found = alike(vectors, meanings)
    said = frozenset(stems)
    for column, each in enumerate(asked):
        related = synonyms(each) & said if each else ()
        if related:
            rows = [row for row, stem in enumerate(stems) if stem in related]
            found[rows, column] = np.minimum(found[rows, column] + RELATED, UNLIKE_SAME)
    return found


def alike(some: Vectors, others: Vectors) -> Vectors:
    """Return how alike words (n, d) and others (m, d) are, (n, m): 0 to `UNLIKE_SAME`."""
    shares = (some @ others.T - np.float32(LEAST)) / np.float32(MOST - LEAST)
    return np.asarray(np.clip(shares, 0, UNLIKE_SAME), np.float32)
