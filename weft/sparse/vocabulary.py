"""The distinct words of many texts with the number of texts that hold each, counted a batch of texts at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weft.arrays.vectors import text_hashes
from weft.sparse.hash_places import HashPlaces
from weft.text.flat_words import FlatWords, Letters, keys_of

NOWHERE = -1

Numbers = NDArray[np.int64]


class ShortWords(NamedTuple):
    """Short words by their keys, ascending: no two have the same one."""

    keys: HashPlaces
    letters: Letters

    def places(self, letters: Letters) -> Numbers:
        """Return the place of each word (n,), or `NOWHERE`."""
        places = places_of(self.keys, keys_of(letters))
        if len(self.letters):
            places[(self.letters[places] != letters).any(axis=1)] = NOWHERE
        return places


NO_SHORT = ShortWords(HashPlaces(np.empty(0, np.int64)), np.empty((0, 2), np.uint64))


class Vocabulary(NamedTuple):
    """The hashes (n,) of words and in how many texts they occur: the `short` ones, then the `long` ones."""

    hashes: Numbers
    frequencies: NDArray[np.int32]
    short: ShortWords
    long: Sequence[bytes]


class _Numbered(dict[bytes, int]):
    """Words, numbered as they come."""

    def __missing__(self, word: bytes) -> int:
        self[word] = number = len(self)
        return number


class WordCounts:
    """In how many texts each word occurs: short words by key, others, and those whose key is taken, by number."""

    def __init__(self) -> None:
        self._short, self._hashes, self._of_short = NO_SHORT, np.empty(0, np.int64), np.empty(0, np.int32)
        self._long, self._of_long = _Numbered(), np.empty(0, np.int32)

    def add(self, flat: FlatWords) -> None:
        """Count the words of more texts."""
        are_short = flat.are_short
        short = np.flatnonzero(are_short)
        letters = flat.letters(short)
        self._enter(flat, short, letters)
        at = self._short.places(letters)
        have = at != NOWHERE
        np.add.at(self._of_short, counted(flat.owners[short[have]], at[have])[1], 1)
        long = np.sort(np.append(np.flatnonzero(~are_short), short[~have]))
        words = flat.utf8(long)
        numbers = np.fromiter(map(self._long.__getitem__, words), np.int64, len(words))
        self._of_long = np.append(self._of_long, np.zeros(len(self._long) - len(self._of_long), np.int32))
        np.add.at(self._of_long, counted(flat.owners[long], numbers)[1], 1)

    def _enter(self, flat: FlatWords, short: Numbers, letters: Letters) -> None:
        """Enter the short words whose keys are new, with their hashes."""
        keys = keys_of(letters)
        new = np.flatnonzero(places_of(self._short.keys, keys) == NOWHERE)
        distinct, first = np.unique(keys[new], return_index=True)
        first = new[first]
        hashes = text_hashes(flat.utf8(short[first]))
        kept = self._short
        places = np.searchsorted(kept.keys.hashes, distinct)
        self._short = ShortWords(
            HashPlaces(np.insert(kept.keys.hashes, places, distinct)),
            np.insert(kept.letters, places, letters[first], axis=0),
        )
        self._of_short = np.insert(self._of_short, places, 0)
        self._hashes = np.insert(self._hashes, places, hashes)

    def vocabulary(self) -> Vocabulary:
        """Return all words counted."""
        hashes = text_hashes(self._long)
        frequencies = np.append(self._of_short, self._of_long)
        return Vocabulary(np.append(self._hashes, hashes), frequencies, self._short, [*self._long])


def places_of(kept: HashPlaces, hashes: Numbers) -> Numbers:
    """Return the place of each hash among those kept, or `NOWHERE`."""
    if not len(kept.hashes):
        return np.full(len(hashes), NOWHERE)
    places = np.minimum(kept.of(hashes), len(kept.hashes) - 1)
    return np.where(kept.hashes[places] == hashes, places, NOWHERE)


def counted(owners: Numbers, numbers: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Return each text's distinct words, by text and number: the text, the word's number, and how often it is there."""
    most = int(numbers.max(initial=0)) + 1
    keys, counts = np.unique(owners * most + numbers, return_counts=True)
    return keys // most, keys % most, counts
