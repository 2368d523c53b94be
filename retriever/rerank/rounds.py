"""A merge sort whose comparisons are made in rounds: those of one round do not wait for each other.

It makes at most n⌈log₂ n⌉ − 2^⌈log₂ n⌉ + 1 comparisons of n items, as many as
binary insertion (of 20 in random order 66 on average, where that makes 62).
Merging from both ends at once it needs about n rounds, where that needs one for
each comparison.

>>> values = [3, 1, 2]
>>> sorted_in_rounds(3, lambda pairs: [values[a] < values[b] for a, b in pairs])
[0, 2, 1]
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence

Pair = tuple[int, int]
Compare = Callable[[Sequence[Pair]], Sequence[bool]]
"""Tells of each pair, the first of which came before the second, whether the second is surely better."""

Sorting = Generator[list[Pair], Mapping[Pair, bool], list[int]]
"""Yields the pairs of a round, is sent whether the second of each is better, and returns the items, best first."""


def sorted_in_rounds(n: int, compare: Compare) -> list[int]:
    """Return the numbers below n, best first; equal ones stay in their order. Any answers give a permutation."""
    sorting = _sorted(list(range(n)))
    try:
        wanted = next(sorting)
        while True:
            wanted = sorting.send(dict(zip(wanted, compare(wanted), strict=True)))
    except StopIteration as end:
        found: list[int] = end.value
        return found


def most_comparisons(n: int) -> int:
    """Return how many pairs are compared at most.

    >>> most_comparisons(20)
    69
    """
    depth = (n - 1).bit_length() if n else 0
    return n * depth - (1 << depth) + 1


def _sorted(items: list[int]) -> Sorting:
    if len(items) < 2:
        return items
    half = len(items) // 2
    left, right = yield from _together(_sorted(items[:half]), _sorted(items[half:]))
    return (yield from _merged(deque(left), deque(right)))


def _together(*sortings: Sorting) -> Generator[list[Pair], Mapping[Pair, bool], list[list[int]]]:
    """Go through several sortings side by side, a round of all at a time."""
    done: list[list[int]] = [[] for _ in sortings]
    answers: Mapping[Pair, bool] | None = None
    running = dict(enumerate(sortings))
    while True:
        wanted: list[Pair] = []
        for place, sorting in list(running.items()):
            try:
                wanted += next(sorting) if answers is None else sorting.send(answers)
            except StopIteration as end:
                done[place] = end.value
                del running[place]
        if not running:
            return done
        answers = yield wanted


def _merged(left: deque[int], right: deque[int]) -> Sorting:
    """Merge two sorted runs from both ends: the better of their first ones is next, the worse of their last is last."""
    best: list[int] = []
    worst: list[int] = []
    while left and right:
        front, back = (left[0], right[0]), (left[-1], right[-1])
        answers = yield [*dict.fromkeys((front, back))]
        best.append((right if answers[front] else left).popleft())
        if left and right:
            worst.append((left if answers[back] else right).pop())
    return [*best, *left, *right, *reversed(worst)]
