"""Which rows a fusion learns from: balanced and hard samples (Giardini 2024), splits by question."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from retriever.learning.table import Features, Labels, Rows

if TYPE_CHECKING:
    # A search ranks by fusions and draws nothing.
    from numpy.random import Generator as Random

# The share of a question's negatives that is left out as easy (Giardini 2024).
EASY = 0.9


def balanced(labels: Labels, random: Random, ratio: float = 1.0) -> Rows:
    """Return all positive rows and `ratio` times as many random negative ones, at most all, in row order."""
    positives = int(labels.sum())
    return _drawn(labels, positives, round(ratio * positives), random)


def limited(labels: Labels, observations: int, random: Random) -> Rows:
    """Return at most `observations` random rows, half of them positive and half negative, in row order."""
    return _drawn(labels, observations // 2, observations // 2, random)


def _drawn(labels: Labels, positives: int, negatives: int, random: Random) -> Rows:
    right = random.permutation(np.flatnonzero(labels))[:positives]
    wrong = random.permutation(np.flatnonzero(~labels))[:negatives]
    return np.sort(np.concatenate([right, wrong])).astype(np.int64)


def hard(scores: Features, labels: Labels, groups: Rows, random: Random, easy: float = EASY) -> Rows:
    """Return all positive rows and each question's hardest negative ones, in row order.

    Of n negatives the floor(easy n) with the lowest scores are left out, ties at random.
    A model that sees nothing else knows no easy negative: where positives too
    score low, it learns that low means right. `mixed` keeps some.
    """
    rows = random.permutation(np.flatnonzero(~labels))
    rows = rows[np.lexsort((scores[rows], groups[rows]))]
    _, starts, counts = np.unique(groups[rows], return_index=True, return_counts=True)
    dropped = np.array([math.floor(easy * n + 1e-9) for n in counts], np.int64)
    rank = np.arange(len(rows)) - np.repeat(starts, counts)
    kept = rows[rank >= np.repeat(dropped, counts)]
    return np.sort(np.concatenate([np.flatnonzero(labels), kept])).astype(np.int64)


def mixed(labels: Labels, kept: Rows, random: Random, ratio: float = 1.0) -> Rows:
    """Return all positive rows, `ratio` times as many negative ones out of `kept` and as many out of all."""
    hardest = kept[balanced(labels[kept], random, ratio)]
    return np.union1d(hardest, balanced(labels, random, ratio))


def split(groups: Rows, validation: float, random: Random) -> tuple[Rows, Rows]:
    """Return the rows to train on and those to validate on: no question has rows in both.

    At least one question stands on either side; a single question stands on both.
    """
    numbers, own = np.unique(groups, return_inverse=True)
    if len(numbers) < 2:
        return np.arange(len(groups)), np.arange(len(groups))
    held = min(len(numbers) - 1, max(1, round(validation * len(numbers))))
    out = np.zeros(len(numbers), np.bool_)
    out[random.permutation(len(numbers))[:held]] = True
    return np.flatnonzero(~out[own]), np.flatnonzero(out[own])
