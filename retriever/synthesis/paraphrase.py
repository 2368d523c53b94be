"""Paraphrase: which other words of a corpus mean nearly what one means.

People seldom ask in the words of the text that answers them. Synthetic questions
that do would teach a fusion to trust words alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from retriever.encodings import dense
from retriever.session import Session
from weft.text.normalise import STOP_WORDS, WORD
from weft.text.stems import stem

# The commonest words of a corpus that are paraphrased, and the likest others that one is drawn from.
MOST_WORDS = 20_000
CHOICE = 4
SAME_START = 4
"""Words that begin with as many letters alike count as forms of one word, as those with one stem do."""

# Dimensions of the decomposition, and the least cosines that count as alike: chosen by eye.
TOPICS = 100
ALIKE_BY_MEANING, ALIKE_BY_TOPIC = 0.45, 0.3


class Paraphrase:
    """Knows what else the words of one corpus are called, those that at least two chunks say.

    Words are compared by the SKB's embedder where that knows meanings from
    elsewhere; an embedder that is fitted to the corpus knows single words only
    by their letters or by too few texts, and the chunks in which words stand
    tell, decomposed into topics (Deerwester et al. 1990).
    """

    def __init__(self, session: Session) -> None:
        texts = [chunk.text for chunk in session.skb.chunks(session.chunk_table.chunk_ids.tolist())]
        self._words = vocabulary(texts)
        self._indices = {word: index for index, word in enumerate(self._words)}
        self._stems = np.array([stem(word) for word in self._words], np.str_)
        self._starts = np.array([word[:SAME_START] for word in self._words], np.str_)
        fitted = session.skb.embedder.fitted
        self._least = ALIKE_BY_TOPIC if fitted else ALIKE_BY_MEANING
        self._vectors = topics(texts, self._words) if fitted else meanings(session, self._words)
        self.near = lru_cache(maxsize=1 << 14)(self._near)

    def of(self, words: Sequence[str], random: np.random.Generator) -> list[str]:
        """Return for each word one of those that mean nearly the same, none for a word that has no such."""
        near = [self.near(word.casefold()) for word in words]
        return [str(random.choice(each)) for each in near if each]

    def _near(self, word: str) -> tuple[str, ...]:
        """Return at most CHOICE words that mean nearly what a word means and are no form of it, the likest first.

        O(vocabulary).
        """
        index = self._indices.get(word)
        if index is None:
            return ()
        alike = self._vectors @ self._vectors[index]
        alike[(self._stems == self._stems[index]) | (self._starts == self._starts[index])] = 0
        best = np.argsort(-alike, kind="stable")[:CHOICE]
        return tuple(self._words[each] for each in best if alike[each] > self._least)


def vocabulary(texts: Sequence[str]) -> list[str]:
    """Return the words of letters that at least two texts say, the commonest MOST_WORDS of them."""
    counts = Counter(word for text in texts for word in {word.casefold() for word in WORD.findall(text)})
    plain = ((word, n) for word, n in counts.items() if n > 1 and len(word) > 2 and word.isalpha())
    common = sorted((each for each in plain if each[0] not in STOP_WORDS), key=lambda each: (-each[1], each[0]))
    return [word for word, _ in common[:MOST_WORDS]]


def meanings(session: Session, words: Sequence[str]) -> NDArray[np.float32]:
    """Return the unit vectors of single words (n, d)."""
    return dense(session.encode(words)) if words else np.empty((0, 1), np.float32)


def topics(texts: Sequence[str], words: Sequence[str]) -> NDArray[np.float32]:
    """Return each word's weights in the topics of some texts, as unit vectors (n, TOPICS at most)."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import normalize

    if len(words) < 2 or len(texts) < 2:
        return np.zeros((len(words), 1), np.float32)
    weights = TfidfVectorizer(vocabulary=list(words), sublinear_tf=True).fit_transform(texts)
    svd = TruncatedSVD(min(TOPICS, *(n - 1 for n in weights.shape)), random_state=0)
    with np.errstate(invalid="ignore"):  # it divides by the variance, which equal texts have none of
        decomposed = svd.fit_transform(weights.T)
    return np.asarray(normalize(decomposed), np.float32)
