"""Lists: the candidates of a question, and the loss of how they are ranked.

The loss of a list is the mean, over its answers, of how improbable the answer
is among itself and all wrong candidates by the softmax of their scores:

    log(exp(s) + sum of exp(s') over wrong candidates) - s

so that no answer has to beat another, and what all candidates of a question
share counts for nothing (ListNet, Cao et al. 2007, has the softmax over all;
with one answer a list it is the same).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.learning.table import Labels, Rows
from weft.arrays.blobs import ranges

Values = NDArray[np.float64]


class Lists(NamedTuple):
    """Rows that stand together: those of list i are `rows[starts[i]:starts[i + 1]]`."""

    rows: Rows
    starts: Rows

    @property
    def sizes(self) -> Rows:
        """How many rows each list has (n,)."""
        return np.diff(self.starts)

    def take(self, lists: Rows) -> Lists:
        """Return some lists, in the order given."""
        sizes = self.sizes[lists]
        return Lists(self.rows[ranges(self.starts[lists], sizes)], _starts(sizes))

    def drawn(self, labels: Labels, n: int, random: np.random.Generator) -> Lists:
        """Return each list with its answers and about n of its wrong rows: each is drawn with the same chance."""
        right = labels[self.rows]
        answers = np.add.reduceat(right, self.starts[:-1], dtype=np.int64)
        chances = np.repeat((n / np.maximum(1, self.sizes - answers)).astype(np.float32), self.sizes)
        drawn = right | (random.random(len(right), np.float32) < chances)
        return Lists(self.rows[drawn], _starts(np.add.reduceat(drawn, self.starts[:-1], dtype=np.int64)))


def lists_of(groups: NDArray[np.int64], labels: Labels) -> Lists:
    """Return the runs of rows with one question's key (n,) that hold right and wrong rows."""
    ends = np.append(np.flatnonzero(np.diff(groups)) + 1, len(groups))
    sizes = np.diff(ends, prepend=0)
    answers = np.add.reduceat(labels, ends - sizes, dtype=np.int64)
    every = Lists(np.arange(len(groups)), _starts(sizes))
    return every.take(np.flatnonzero((answers > 0) & (answers < sizes)))


def list_losses(scores: Values, labels: Labels, starts: Rows) -> tuple[Values, Values]:
    """Return the loss of each list (n,) and its derivative by each score; rows and lists as `Lists` has them."""
    begins, own = starts[:-1], np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    shifted = scores - np.maximum.reduceat(scores, begins)[own]
    raised = np.exp(shifted)
    answers = np.add.reduceat(labels, begins, dtype=np.float64)
    wrong = np.add.reduceat(np.where(labels, 0.0, raised), begins)
    beside = np.maximum(raised + wrong[own], np.finfo(np.float64).tiny)
    losses = np.add.reduceat(np.where(labels, np.log(beside) - shifted, 0.0), begins) / answers
    pressed = np.add.reduceat(np.where(labels, 1 / beside, 0.0), begins) / answers
    return losses, np.where(labels, (raised / beside - 1) / answers[own], raised * pressed[own])


def _starts(sizes: Rows) -> Rows:
    return np.concatenate([[0], np.cumsum(sizes)])
