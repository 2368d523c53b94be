"""The sort of pairwise: right, stable, no more comparisons than binary insertion, and few rounds."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Sequence

import pytest

from retriever.rerank.rounds import Pair, most_comparisons, sorted_in_rounds


class Counting:
    """Compares values, the lower the better, and counts."""

    def __init__(self, values: Sequence[float]) -> None:
        self.values = values
        self.asked: list[Pair] = []
        self.rounds = 0

    def __call__(self, pairs: Sequence[Pair]) -> list[bool]:
        self.rounds += 1
        self.asked += pairs
        return [self.values[b] < self.values[a] for a, b in pairs]


@pytest.mark.parametrize("n", range(40))
def test_items_are_sorted_with_few_comparisons(n: int) -> None:
    draw = random.Random(n)
    for _ in range(25):
        values = [float(draw.randrange(max(1, n // 2))) for _ in range(n)]
        compared = Counting(values)
        assert sorted_in_rounds(n, compared) == sorted(range(n), key=values.__getitem__), "equal ones keep their order"
        assert len(compared.asked) <= most_comparisons(n) and len(set(compared.asked)) == len(compared.asked)
        assert compared.rounds <= max(0, n - 1)


def test_as_many_are_asked_as_binary_insertion_asks_at_most() -> None:
    for n in range(1, 70):
        assert most_comparisons(n) == sum((place + 1 - 1).bit_length() for place in range(n))
    assert most_comparisons(20) == 69


def test_on_average_it_asks_a_tenth_more_than_insertion_at_most() -> None:
    draw = random.Random(7)
    ours, theirs = 0, 0
    for _ in range(300):
        values = [draw.random() for _ in range(20)]
        compared = Counting(values)
        sorted_in_rounds(20, compared)
        assert compared.rounds <= 22
        ours += len(compared.asked)
        theirs += _insertions(values)
    assert ours <= 1.1 * theirs


def _insertions(values: Sequence[float]) -> int:
    """Count the comparisons of binary insertion."""
    calls: list[float] = []
    run: list[float] = []
    for value in values:
        place = bisect_right(run, value, key=lambda each: calls.append(each) or each)  # type: ignore[func-returns-value]
        run.insert(place, value)
    return len(calls)


@pytest.mark.parametrize("seed", range(30))
def test_any_answers_give_a_permutation(seed: int) -> None:
    draw = random.Random(seed)
    n = draw.randrange(2, 30)
    found = sorted_in_rounds(n, lambda pairs: [draw.random() < 0.5 for _ in pairs])
    assert sorted(found) == list(range(n))
    assert sorted_in_rounds(n, lambda pairs: [False] * len(pairs)) == list(range(n))
