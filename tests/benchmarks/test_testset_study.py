"""The study of generated questions: ties, tau and its interval."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.testset_study import signs, tau_b, tau_with_interval


def test_methods_tie_where_their_difference_may_be_chance() -> None:
    better, worse = np.ones(50), np.zeros(50)
    noisy = np.tile([1.0, 0.0], 25)
    found = signs(np.stack([better, worse, noisy, 1 - noisy]))
    assert found[0].tolist() == [0, 1, 1, 1]
    assert found[2, 3] == found[3, 2] == 0


def test_tau_b_counts_ties_of_one_side_alone() -> None:
    order = np.array([[0, 1, 1], [-1, 0, 1], [-1, -1, 0]])
    tied = np.array([[0, 1, 1], [-1, 0, 0], [-1, 0, 0]])
    assert tau_b(order, order) == 1
    assert tau_b(order, -order) == -1
    assert tau_b(order, tied) == pytest.approx(2 / np.sqrt(3 * 2))
    assert tau_b(order, np.zeros((3, 3))) == 0


def test_the_interval_holds_tau() -> None:
    random = np.random.default_rng(0)
    real = (random.random((4, 80)) < np.array([[0.9], [0.7], [0.4], [0.1]])).astype(float)
    made = (random.random((4, 60)) < np.array([[0.8], [0.7], [0.3], [0.2]])).astype(float)
    tau, low, high = tau_with_interval(real, made, 0)
    assert -1 <= low <= tau <= high <= 1
    assert tau > 0.5
