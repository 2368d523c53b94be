"""Intervals and paired tests, against other ways to the same figures."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from retriever.evaluation.intervals import interval, resampled_means, sample
from retriever.evaluation.paired import compare
from retriever.evaluation.tables import averages, columns_of, named

COLUMNS = columns_of(["precision@2", "recall@2", "mrr"])


def _values(n: int, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.random.default_rng(seed).integers(0, 5, (n, 3)) / 4


def test_the_columns_have_an_f_measure_where_precision_and_recall_meet() -> None:
    assert COLUMNS.ks == (2,)
    assert COLUMNS.averaged == ("precision@2", "recall@2", "mrr", "f1@2", "f2@2", "f3@2")


@pytest.mark.parametrize(
    ("precision", "recall", "f"),
    [
        # The second is the row of the thesis that leaves paths out, at 3 chunks.
        (0.5, 1.0, (0.667, 0.833, 0.909)),
        (0.28, 0.61, (0.384, 0.494, 0.546)),
        (0.0, 0.0, (0.0, 0.0, 0.0)),
    ],
)
def test_f_measures_are_of_the_averages(precision: float, recall: float, f: tuple[float, ...]) -> None:
    told = named(averages(np.array([precision, recall, 0.0]), COLUMNS), COLUMNS)
    assert [told[f"f{beta}@2"] for beta in (1, 2, 3)] == pytest.approx(f, abs=6e-4)


def test_resampled_means_are_those_of_a_loop() -> None:
    values = _values(17, 3)
    random = np.random.default_rng([8, 1])
    by_hand = [values[drawn].mean(0) for drawn in random.integers(0, 17, (200, 17))]
    assert resampled_means(values, 8, 200) == pytest.approx(np.array(by_hand))


def test_lots_do_not_change_what_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    values = _values(17, 3)
    whole = resampled_means(values, 8, 200)
    monkeypatch.setattr("retriever.evaluation.intervals.CELLS", 17 * 13)
    assert resampled_means(values, 8, 200).shape == whole.shape
    assert (resampled_means(values, 8, 200) == whole).all()


def test_intervals_are_those_of_scipy() -> None:
    values = _values(80, 4)
    low, high = interval(resampled_means(values, 0))
    for index in range(3):
        theirs = stats.bootstrap((values[:, index],), np.mean, method="percentile", rng=np.random.default_rng(1))
        assert low[index] == pytest.approx(theirs.confidence_interval.low, abs=0.01)
        assert high[index] == pytest.approx(theirs.confidence_interval.high, abs=0.01)


def test_the_interval_of_an_f_measure_is_of_resampled_averages() -> None:
    values = _values(30, 5)
    means = resampled_means(values, 0)
    low, high = interval(sample(values, COLUMNS, 0).resampled)
    f1 = np.zeros(len(means))
    positive = means[:, :2].min(axis=1) > 0
    f1[positive] = stats.hmean(means[positive, :2], axis=1)
    assert (low[3], high[3]) == pytest.approx(tuple(np.percentile(f1, [2.5, 97.5])))


def _enumerated(first: np.ndarray, second: np.ndarray) -> dict[str, float]:  # type: ignore[type-arg]
    observed = named(averages(first.mean(0), COLUMNS) - averages(second.mean(0), COLUMNS), COLUMNS)
    extreme = dict.fromkeys(observed, 0)
    for swaps in product((False, True), repeat=len(first)):
        swapped = np.array(swaps)[:, None]
        one, other = np.where(swapped, second, first), np.where(swapped, first, second)
        found = named(averages(one.mean(0), COLUMNS) - averages(other.mean(0), COLUMNS), COLUMNS)
        for name, value in found.items():
            extreme[name] += abs(value) >= abs(observed[name]) - 1e-6
    return {name: round(count / 2 ** len(first), 6) for name, count in extreme.items()}


@pytest.mark.parametrize("n", [1, 2, 7, 10])
def test_few_questions_are_exchanged_in_every_way(n: int) -> None:
    first, second = _values(n, 6), _values(n, 7)
    told = compare(sample(first, COLUMNS, 0), sample(second, COLUMNS, 0), COLUMNS, 0)
    assert {name: each["p"] for name, each in told.items()} == _enumerated(first, second)


def test_many_questions_are_exchanged_at_random() -> None:
    first, second = _values(60, 6), np.clip(_values(60, 6) - _values(60, 9) / 5, 0, 1)
    told = compare(sample(first, COLUMNS, 0), sample(second, COLUMNS, 0), COLUMNS, 0)["mrr"]
    theirs = stats.permutation_test(
        (first[:, 2], second[:, 2]), lambda one, other, axis: np.mean(one - other, axis), permutation_type="samples",
        n_resamples=9999, rng=np.random.default_rng(2),
    )  # fmt: skip
    assert told["p"] == pytest.approx(theirs.pvalue, abs=0.01)
    assert told["difference"] == pytest.approx((first - second)[:, 2].mean(), abs=1e-6)
    assert told["low"] < told["difference"] < told["high"]


def test_the_paired_interval_is_narrower_where_methods_go_together() -> None:
    first = _values(100, 1)
    second = np.clip(first - 0.05, 0, 1)
    one, other = sample(first, COLUMNS, 0), sample(second, COLUMNS, 0)
    told = compare(one, other, COLUMNS, 0)["recall@2"]
    low, high = interval(one.resampled)
    assert told["high"] - told["low"] < (high - low)[1] / 4


def test_equal_methods_do_not_differ() -> None:
    values = sample(_values(40, 2), COLUMNS, 0)
    told = compare(values, values, COLUMNS, 0)
    assert told["recall@2"] == {"difference": 0.0, "low": 0.0, "high": 0.0, "p": 1.0}


def test_a_seed_gives_the_same_figures() -> None:
    one, other = _values(40, 2), _values(40, 3)

    def told(seed: int) -> dict[str, dict[str, float]]:
        return compare(sample(one, COLUMNS, seed), sample(other, COLUMNS, seed), COLUMNS, seed)

    assert told(1) == told(1) != told(2)
