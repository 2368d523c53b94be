"""Merging two strands: what it returns for any of them, and what it returns by hand."""

from __future__ import annotations

import random

import numpy as np
import pytest

from retriever.focus.merge import Strand, merged


def strand(ids: list[int]) -> Strand:
    """Return a strand whose scores fall, two ids a group."""
    scores = np.linspace(1, 0.1, len(ids)).astype(np.float32)
    return Strand(np.array(ids, np.int64), scores, (np.arange(len(ids)) // 2).astype(np.int32))


@pytest.mark.parametrize(
    ("grounded", "similar", "alpha", "expected"),
    [
        ([1, 2, 3], [9, 8, 7, 1], 0.5, [1, 2, 9, 8, 3, 7]), ([1, 2, 3], [9, 8], 1.0, [1, 2, 3, 9, 8]),
        ([1, 2, 3], [3, 9, 8, 7], 0.5, [1, 2, 3, 9, 8, 7]), ([], [9, 8, 7], 0.5, [9, 8, 7]),
        ([1, 2, 3, 4, 5], [], 0.5, [1, 2, 3, 4, 5]), ([1, 2, 3, 4, 5], [9], 0.5, [1, 2, 9, 3, 4, 5]),
        ([1, 2], [9, 8, 7, 6], 0.0, [9, 8, 7, 6, 1, 2]), ([1], [9, 8, 7, 6, 5], 0.75, [1, 9, 8, 7, 6, 5]),
        ([], [], 0.5, []),
    ],
)  # fmt: skip
def test_strands_are_merged_as_by_hand(
    grounded: list[int], similar: list[int], alpha: float, expected: list[int]
) -> None:
    assert merged(strand(grounded), strand(similar), 4, alpha).ids.tolist() == expected


@pytest.mark.parametrize("seed", range(200))
def test_every_candidate_comes_once_and_scores_fall(seed: int) -> None:
    draw = random.Random(seed)
    grounded, similar = (draw.sample(range(40), draw.randrange(30)) for _ in range(2))
    k, alpha = draw.randrange(1, 30), draw.random()
    found = merged(strand(grounded), strand(similar), k, alpha)
    ids = found.ids.tolist()
    assert sorted(ids) == sorted({*grounded, *similar}) and len(found.head(k).ids) == min(k, len(ids))
    assert (np.diff(found.scores) <= 0).all() and (np.diff(found.groups) >= 0).all()
    n_first = min(round(alpha * k), len(grounded))
    assert ids[:n_first] == grounded[:n_first]
    rest = [each for each in similar if each not in grounded[:n_first]]
    assert ids[n_first : min(k, n_first + len(rest))] == rest[: max(0, k - n_first)]
    assert [each for each in ids if each in similar and each not in grounded] == [
        each for each in similar if each not in grounded
    ]


@pytest.mark.parametrize("seed", range(50))
def test_a_longer_strand_of_similar_nodes_changes_none_of_the_first(seed: int) -> None:
    draw = random.Random(seed)
    grounded, similar = draw.sample(range(60), draw.randrange(30)), draw.sample(range(60), 45)
    k = draw.randrange(1, 20)
    short, long = (merged(strand(grounded), strand(similar[:n]), k, 0.65) for n in (k + 20, 45))
    assert short.ids[:k].tolist() == long.ids[:k].tolist()
