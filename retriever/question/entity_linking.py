"""Linking: which entities a question names.

Every run of words is looked up among the names of the SKB, longer runs first;
what no name fits exactly is compared with the names that begin alike or share
a word with it. What a name may mean is kept with its weight, never decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from retriever.context import Cache
from retriever.question.name_lookup import MOST_MEANINGS, PREFIX, begun_by, kind_of_name, meanings_of, written_alike
from retriever.question.words import Word, question_words, spans_by_key
from retriever.session import Session
from retriever.types import QueryMention
from weft.skb import Skb
from weft.text.normalise import STOP_WORDS, words_of
from weft.text.pairs import is_unspaced
from weft.text.stems import stem

# Chosen by eye on the sets of docs/quality.md.
# difflib's ratio above which an unknown name is taken for a known one: one letter in six may differ.
LIKENESS = 0.84

MOST_WORDS = 1 << 16
"""Words whose rarity is kept between questions."""

SURELY_A_NAME = 3
"""Letters of a name that are hardly ever a part of another word, in scripts without blanks."""

SHORTEST_BEGUN = 2
"""Words that may begin a longer name."""

SMALL = 0.3
"""The weight of a name in lower case where the question has capitals, and of a part of a longer unknown name."""


class Run(NamedTuple):
    """Words `first` to before `last` are a name."""

    first: int
    last: int
    meanings: tuple[tuple[int, float], ...]
    how: str
    weight: float


class Linker:
    """Finds the names of an SKB in the questions of one session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._skb: Skb = session.skb
        self._n_chunks = max(1, len(session.chunk_table.chunk_ids))
        self._rarities: Cache[str, float] = session.part("rarities of words", lambda own: Cache(MOST_WORDS))

    def mentions(self, question: str) -> tuple[QueryMention, ...]:
        """Return what the question names, in its order, without overlaps; each entity's weight is at most 1."""
        words = question_words(question)
        runs = self._chosen(words, list(self._exact(words)))
        alike = self._fuzzy(words, runs)
        covered = {index for run in alike for index in range(run.first, run.last)}
        runs = [run for run in runs if covered.isdisjoint(range(run.first, run.last))] + alike
        context = {stem(word) for word in words_of(question)}
        return tuple(self._mention(question, words, run, context) for run in sorted(runs))

    def _exact(self, words: Sequence[Word]) -> Iterator[Run]:
        spans = spans_by_key(words)
        found = self._skb.meanings(list(spans))
        lower = not any(word.text[0].isupper() for word in words[1:])
        for key, rows in found.items():
            meanings = meanings_of(rows)
            for first, last in spans[key] if meanings else ():
                weight = self._weight(words, first, last, lower=lower)
                if weight > 0:
                    yield Run(first, last, meanings, kind_of_name(rows, meanings[0][0]), weight)

    def _weight(self, words: Sequence[Word], first: int, last: int, *, lower: bool) -> float:
        """Return how surely a run of words is a name here, by its capitals and the rarity of its words."""
        run = words[first:last]
        content = [word for word in run if word.text.casefold() not in STOP_WORDS]
        if not content or all(word.text.isdigit() for word in run):
            return 0.0 if len(run) < 3 else SMALL
        if any(is_unspaced(word.text) for word in run):
            return self._weight_unspaced("".join(word.text for word in run), len(run))
        capital = any(word.text[0].isupper() for word in content)
        rarity = 1.0 - float(np.prod([1.0 - self._rarity(word.key) for word in content]))
        if lower:
            return rarity
        return max(rarity, 0.6) if capital else SMALL * rarity

    def _weight_unspaced(self, name: str, n_letters: int) -> float:
        """Return how surely letters of a script without blanks, which has no capitals, are a name."""
        rarity = self._rarity(name)
        return max(rarity, 0.6) if n_letters >= SURELY_A_NAME else rarity

    def _rarity(self, key: str) -> float:
        return self._rarities.of((key,), lambda missing: ((each, self._rarity_of(each)) for each in missing))[key]

    def _rarity_of(self, key: str) -> float:
        """Return 0 for a word that every chunk has, to 1 for one that a single chunk has."""
        frequency = max(1, self._session.postings("chunk").frequency(self._skb.connection, key))
        return 1.0 - float(np.log(frequency) / np.log(max(2, self._n_chunks)))

    def _chosen(self, words: Sequence[Word], runs: list[Run]) -> list[Run]:
        """Return the runs that do not overlap, longer ones first, then surer ones."""
        taken = np.zeros(len(words), bool)
        chosen = []
        for run in sorted(runs, key=lambda run: (run.weight <= SMALL, run.first - run.last, -run.weight, run.first)):
            if not taken[run.first : run.last].any():
                taken[run.first : run.last] = True
                chosen.append(run if not _is_part(words, run) else run._replace(weight=run.weight * SMALL))
        return chosen

    def _fuzzy(self, words: Sequence[Word], runs: Sequence[Run]) -> list[Run]:
        """Return names that are written almost as the capitalised runs of words that nothing fits exactly."""
        taken = {index for run in runs if run.weight > SMALL for index in range(run.first, run.last)}
        found = []
        for first, last in _capitalised(words, taken):
            key = " ".join(word.key for word in words[first:last])
            if len(key) > PREFIX and (meanings := self._alike(key)):
                found.append(Run(first, last, meanings, "fuzzy", 0.8))
            elif run := self._begun(words, first, last):
                found.append(run)
        return found

    def _begun(self, words: Sequence[Word], first: int, last: int) -> Run | None:
        """Return a run that begins the only name that goes on with "of" or the like: "Idrin II" of "Idrin II of Kell".

        The word before may be a title: "Queen Idrin II".
        """
        for start in range(first, min(first + 2, last - SHORTEST_BEGUN + 1)):
            entities = begun_by(self._skb, " ".join(word.key for word in words[start:last]))
            if len(entities) == 1:
                return Run(start, last, ((entities[0], 1.0),), "short", 0.8)
        return None

    def _alike(self, key: str) -> tuple[tuple[int, float], ...]:
        """Return the entities whose names are written almost as a key, the likest first."""
        return tuple(written_alike(self._skb, key, LIKENESS)[:MOST_MEANINGS])

    def _mention(self, question: str, words: Sequence[Word], run: Run, context: set[str]) -> QueryMention:
        """Weigh the meanings of a run: what the question says of them beside the name makes them likelier."""
        ids = [entity for entity, _ in run.meanings]
        weights = np.array([weight for _, weight in run.meanings], np.float32)
        entities = self._skb.entities(ids)
        for index, entity in enumerate(entities):
            if _is_supported(entity.name, entity.type, words[run.first : run.last], context):
                weights[index] *= 3
        weights *= run.weight / max(1.0, float(weights.sum()))
        order = np.lexsort((np.array(ids), -weights))
        start, end = words[run.first].start, words[run.last - 1].end
        return QueryMention(start, end, question[start:end], np.array(ids, np.int64)[order], weights[order], run.how)


def _is_supported(name: str, kind: str | None, run: Sequence[Word], context: set[str]) -> bool:
    """Tell whether the question says what stands in the name's parenthesis, or the entity's type."""
    own = {stem(word.key) for word in run}
    if any(is_unspaced(word.key) for word in run):
        own |= {stem(word) for word in words_of("".join(word.text for word in run))}
    beside = {stem(word) for word in words_of(f"{name} {kind or ''}")} - own
    return bool(beside & (context - own))


def _is_part(words: Sequence[Word], run: Run) -> bool:
    """Tell whether a single capitalised word stands beside another one, and so is a part of a longer name."""
    if run.last - run.first > 1 or not words[run.first].text[0].isupper():
        return False
    before, after = run.first - 1, run.last
    beside = [index for index in (before, after) if 0 < index < len(words)]
    return any(words[index].text[0].isupper() and _touch(words, run, index) for index in beside)


def _touch(words: Sequence[Word], run: Run, index: int) -> bool:
    gap = words[run.first].start - words[index].end if index < run.first else words[index].start - words[run.first].end
    return gap == 1


def _capitalised(words: Sequence[Word], taken: set[int]) -> Iterator[tuple[int, int]]:
    """Yield the longest runs of capitalised words that are free, small words between them included."""
    first = None
    last = 0
    for index, word in enumerate(words):
        free = index not in taken
        if free and word.text[0].isupper() and (index > 0 or word.text.casefold() not in STOP_WORDS):
            first, last = (index if first is None else first), index + 1
        elif not free or word.text.casefold() not in STOP_WORDS:
            if first is not None:
                yield first, last
            first = None
    if first is not None:
        yield first, last
