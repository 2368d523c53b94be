"""How much an answer says of what a reference says: exact match, token F1 (Rajpurkar 2016), ROUGE-L (Lin 2004).

>>> is_match("The Salt Weighers!", "salt weighers"), round(token_f1("71 cubic metres", "71 metres"), 2)
(True, 0.8)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from weft.text.normalise import normalized

ARTICLES = frozenset(("a", "an", "the"))
APART = re.compile(r"[-–—/\s]+")
NOT_WORD = re.compile(r"[\W_]+")


def normalised(answer: str) -> str:
    """Return an answer without case, punctuation and articles, its words one blank apart."""
    return " ".join(answer_tokens(answer))


def answer_tokens(answer: str) -> list[str]:
    """Return the words of an answer that count; a hyphen or a slash parts words, any other sign is dropped."""
    if answer.isascii() and "".join(words := answer.lower().split()).isalnum():
        return [word for word in words if word not in ARTICLES]
    return [token for word in answer.split() for token in _tokens_of(word)]


@lru_cache(maxsize=1 << 16)
def _tokens_of(written: str) -> tuple[str, ...]:
    folded = normalized("NFKC", written).casefold()
    words = (NOT_WORD.sub("", word) for word in APART.split(folded))
    return tuple(word for word in words if word and word not in ARTICLES)


def is_match(answer: str, reference: str) -> bool:
    """Tell whether both say the same, normalised; two answers of nothing but punctuation must be equal."""
    mine, other = normalised(answer), normalised(reference)
    return mine == other if mine or other else answer.strip() == reference.strip()


def token_f1(answer: str, reference: str) -> float:
    """Return the harmonic mean of precision and recall of the words, each counted as often as it stands there."""
    return f1_of(answer_tokens(answer), answer_tokens(reference))


def f1_of(mine: Sequence[str], other: Sequence[str]) -> float:
    """Return the F1 of two lists of words."""
    shared = sum((Counter(mine) & Counter(other)).values())
    return 2 * shared / (len(mine) + len(other)) if shared else 0.0


def rouge_l(answer: str, reference: str) -> float:
    """Return the F-measure of the longest common subsequence of the words; O(n m)."""
    mine, other = answer_tokens(answer), answer_tokens(reference)
    row = [0] * (len(other) + 1)
    for word in mine:
        before = 0
        for index, each in enumerate(other, 1):
            before, row[index] = row[index], before + 1 if word == each else max(row[index], row[index - 1])
    return 2 * row[-1] / (len(mine) + len(other)) if row[-1] else 0.0
