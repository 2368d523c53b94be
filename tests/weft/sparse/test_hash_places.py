"""Places of hashes are those that halving finds."""

from __future__ import annotations

import numpy as np
import pytest

import weft.sparse.hash_places
from weft.sparse.hash_places import HashPlaces

ENDS = np.iinfo(np.int64)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 1000, 70_000])
@pytest.mark.parametrize("are_even", [True, False])
def test_places_are_those_that_halving_finds(monkeypatch: pytest.MonkeyPatch, n: int, are_even: bool) -> None:
    monkeypatch.setattr(weft.sparse.hash_places, "FEW", 0)
    draw = np.random.default_rng(n)
    hashes = draw.integers(ENDS.min, ENDS.max, n) if are_even else draw.integers(-5, 10 * n + 5, n)
    hashes = np.unique(np.append(hashes, [ENDS.min, ENDS.max] if n > 1 else hashes))
    keys = np.concatenate([draw.permutation(hashes), hashes[:-1] + 1, draw.integers(ENDS.min, ENDS.max, 50), [0, -1]])
    for some in (keys, keys[:0], np.array([ENDS.min, ENDS.max])):
        assert HashPlaces(hashes).of(some).tolist() == np.searchsorted(hashes, some).tolist()
