"""Where hashes stand among sorted ones: looked for near the place that their first bits tell, since they are even."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

FEW = 10_000
"""So many hashes are found by halving sooner than a table is made."""

FULLEST = 64
"""Hashes with the same first bits; numbers that are no hashes may have more, and are found by halving."""


class HashPlaces:
    """The places of sorted hashes (n,)."""

    def __init__(self, hashes: NDArray[np.int64]) -> None:
        self.hashes = hashes

    def of(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many of the hashes are below each key, as `np.searchsorted` does.

        O(1) a key where hashes are even: halving takes twenty steps a key among a million, each from memory that no
        cache holds.
        """
        if len(keys) < FEW or self._is_uneven:
            return np.searchsorted(self.hashes, keys)
        found = self._starts[_first_bits(keys, self._n_bits)].astype(np.int64)
        left, places = np.arange(len(keys)), found
        while len(left):
            is_below = self.hashes[np.minimum(places, len(self.hashes) - 1)] < keys[left]
            left, places = left[is_below], places[is_below] + 1
            found[left] = places
            is_inside = places < len(self.hashes)
            left, places = left[is_inside], places[is_inside]
        return found

    @property
    def _n_bits(self) -> int:
        return max(1, len(self.hashes).bit_length() - 1)

    @cached_property
    def _starts(self) -> NDArray[np.int32]:
        """How many hashes have smaller first bits than each number, and behind these how many there are."""
        sizes = np.bincount(_first_bits(self.hashes, self._n_bits), minlength=1 << self._n_bits)
        return np.append(0, np.cumsum(sizes)).astype(np.int32)

    @cached_property
    def _is_uneven(self) -> bool:
        return not len(self.hashes) or int(np.diff(self._starts).max()) > FULLEST


def _first_bits(hashes: NDArray[np.int64], n_bits: int) -> NDArray[np.int64]:
    """Return the first bits of hashes as numbers from 0, in the order of the hashes, the least of which is negative."""
    return (hashes >> (64 - n_bits)) + (1 << (n_bits - 1))
