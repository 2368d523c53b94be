"""The k-th highest score, against sorting."""

from __future__ import annotations

import numpy as np
import pytest

from retriever.index.ties import kth_highest


@pytest.mark.parametrize("n", [1, 63, 64, 65, 1000, 20_000])
@pytest.mark.parametrize("k", [1, 5, 50])
@pytest.mark.parametrize("kinds", [3, 1_000_000])
def test_the_kth_highest_is_that_of_sorting(n: int, k: int, kinds: int) -> None:
    scores = np.random.default_rng(n + k).integers(0, kinds, n).astype(np.float32)
    if k <= n:
        assert kth_highest(scores, k) == np.sort(scores)[-k]
