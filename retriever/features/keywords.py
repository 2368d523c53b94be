"""Keywords: what candidates gain where a question is a few words that a text is to have, rather than a sentence.

Fusions put a heading that says one of four such words before the text that says them all: what reads like keywords
is mostly a heading, so that headings are what they have learned from it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retriever.features.matrix import FIRST
from retriever.types import Scores
from weft.text.normalise import STOP_WORDS, words_of

MOST_WORDS = 6
"""Words of keywords; what is longer is mostly a sentence, whose words weigh as the fusion has learned."""

WHOLE = 0.9
"""The share of a question that a title and heading say together which makes it theirs: it is no bare keywords then."""

WORTH = 6.0
"""Log-odds for as much of BM25 as the best candidate has, and as many again for all words; chosen on 720 keyword
questions over twelve manuals, where 4 to 12 are alike."""

UNDER, BM25, COVER = (FIRST.index(name) for name in ("under_title", "bm25", "cover"))


def keywords_gained(question: str, raw: NDArray[np.float32]) -> Scores | None:
    """Return what candidates with features (n, len(FIRST)) gain by the words that they say, the best of them 0.

    None where a question is no keywords: it has a word that asks or joins, more than MOST_WORDS, or is a heading.
    """
    if not are_keywords(question) or not len(raw) or raw[:, UNDER].max() >= WHOLE:
        return None
    said = raw[:, BM25] / max(float(raw[:, BM25].max()), 1e-9) + raw[:, COVER]
    return np.asarray(WORTH * (said - said.max()), np.float32)


def are_keywords(question: str) -> bool:
    """Tell whether a question is a few words, none of which asks or joins.

    >>> are_keywords("buoy depth log"), are_keywords("where is the buoy"), are_keywords("Buoy depth?")
    (True, False, False)
    """
    words = words_of(question)
    return 0 < len(words) <= MOST_WORDS and "?" not in question and STOP_WORDS.isdisjoint(words)
