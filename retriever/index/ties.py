"""The order of hits: by scores, the first that differs decides, then by uri."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np
from numpy.typing import NDArray

from retriever.session import Session
from retriever.types import Ids, Scores

BLOCK = 64
"""Scores that are taken together to find the highest ones."""


def in_order(session: Session, table: str, ids: Ids, *scores: Scores) -> NDArray[np.int64]:
    """Return the indices of ids, the highest scores first; uris are read of those alone that tie in all scores.

    `table` is that of the ids: chunk, entity, page or section.
    """
    order = np.lexsort([-each for each in reversed(scores)])
    same = np.ones(max(0, len(ids) - 1), bool)
    for each in scores:
        same &= each[order][1:] == each[order][:-1]
    if not same.any():
        return order
    tied = np.append(same, False) | np.append(False, same)
    runs = np.append(0, np.cumsum(~same))[tied]
    order[tied] = order[tied][np.lexsort((session.uri_ranks(table, ids[order[tied]]), runs))]
    return order


def first(session: Session, table: str, found: tuple[Ids, Scores], k: int) -> tuple[Ids, Scores]:
    """Return the k best of scored ids, best first, ties by uri."""
    ids, scores = found
    if 0 < k < len(ids):
        top = scores >= kth_highest(scores, k)
        ids, scores = ids[top], scores[top]
    order = in_order(session, table, ids, scores)[:k]
    return ids[order], scores[order]


def leading(
    session: Session, table: str, key: tuple[Hashable, ...], scored: Callable[[int], tuple[Ids, Scores]], k: int,
    least: int, held: object = None,
) -> tuple[Ids, Scores]:
    """Return the k best of scored ids, best first, ties by uri, ranked once for all steps that ask for `least` or less.

    `scored` gives those among which the n best are; `key` says all that they
    follow from, and `held` is what it knows by its identity.
    """
    n = max(k, least)
    ids, scores = session.memo.of("leading", (table, n, key), lambda: first(session, table, scored(n), n), held)
    return ids[:k], scores[:k]


def kth_highest(scores: NDArray[np.floating], k: int) -> np.floating:
    """Return the k-th highest of at least k scores; O(n), and little more than one reading where k is small."""
    n = len(scores) - len(scores) % BLOCK
    if n > 4 * k * BLOCK:
        # The k highest of the blocks' highest are scores themselves, so the k-th is not below the last of these.
        highest = scores[:n].reshape(-1, BLOCK).max(axis=1)
        scores = scores[scores >= np.partition(highest, len(highest) - k)[len(highest) - k]]
    # Where most are the least, as cosines of sparse vectors are 0, there is nothing to part.
    least: np.floating = scores.min()
    if np.count_nonzero(scores > least) < k:
        return least
    found: np.floating = np.partition(scores, len(scores) - k)[len(scores) - k]
    return found
