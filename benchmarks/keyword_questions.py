"""Questions of one to four keywords, each fair: no other section has them nearly as well."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from math import log

from benchmarks.manual_sections import Asked, Heading

WORD = re.compile(r"[^\W\d_]{3,}")


class Keywords:
    """One to four words by which a section is found best.

    They are drawn from the eight words of a section's own text with the largest
    tf-idf, a section being the document, that stand twice in it (a single one
    three times) and in another section too, but in no more than a tenth of all.
    What is asked is fair: among all sections that have every one of the words,
    the gold's sum of tf-idf is at least twice the next one's; how long sections
    are is of no account.
    """

    N_CANDIDATES = 8
    LARGEST_SHARE = 0.1
    MARGIN = 2.0
    ATTEMPTS = 4

    def __init__(self, headings: Iterable[Heading]) -> None:
        self.headings = [each for each in headings if each.text]
        self.counts = [Counter(WORD.findall(each.text.casefold())) for each in self.headings]
        self.having: dict[str, list[int]] = defaultdict(list)
        for place, counts in enumerate(self.counts):
            for word in counts:
                self.having[word].append(place)

    def asked(self, draw: random.Random) -> Iterator[Asked]:
        """Yield a question a section, where one is fair, in random order."""
        places = list(range(len(self.headings)))
        draw.shuffle(places)
        for place in places:
            candidates = self._candidates(place)
            for _ in range(self.ATTEMPTS):
                n = draw.randint(1, 4)
                words = draw.sample(candidates, n) if len(candidates) >= n else []
                if words and self.is_best(place, words):
                    yield Asked(" ".join(words), (self.headings[place].uri,))
                    break

    def is_best(self, place: int, words: list[str]) -> bool:
        """Tell whether of all sections with these words the one at `place` has them best, and by far."""
        counts = self.counts[place]
        if min(counts[word] for word in words) < (3 if len(words) == 1 else 2):
            return False
        others = set.intersection(*(set(self.having[word]) for word in words)) - {place}
        own = self._sum(place, words)
        return all(own >= self.MARGIN * self._sum(other, words) for other in others)

    def _sum(self, place: int, words: Iterable[str]) -> float:
        return sum(self._weight(place, word) for word in words)

    def _weight(self, place: int, word: str) -> float:
        return self.counts[place][word] * log(len(self.headings) / len(self.having[word]))

    def _candidates(self, place: int) -> list[str]:
        most = self.LARGEST_SHARE * len(self.headings)
        words = [
            word for word, count in self.counts[place].items()
            if count > 1 and 1 < len(self.having[word]) <= max(most, 2)
        ]  # fmt: skip
        return sorted(words, key=lambda word: (-self._weight(place, word), word))[: self.N_CANDIDATES]
