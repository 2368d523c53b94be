"""Whether any candidate answers a question at all, as its ranking tells: a probability, and what it is read from.

>>> round(Answerability((0.5,) * len(COLUMNS), -1.0, 0.1).chance(np.ones(len(COLUMNS))), 4)
0.9241
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.features.matrix import INPUTS, Candidates
from retriever.types import Scores

COLUMNS = ("best", "title_share", "named", "heading_of_best", "near", "near_of_best", "chunks")
"""The first pass's best log-odds, the most that a question says of a title, whether it names a page, what of it stands
above the best candidate, the most that a candidate covers of the question, also in words of a like meaning, and what
the best one does, and log(1 + chunks): among many texts one covers much by chance."""


class Answerability(NamedTuple):
    """A logistic regression over COLUMNS; below `threshold` the user is told that perhaps nothing fits.

    The probability is that among as many questions without an answer here as with one.
    """

    weights: tuple[float, ...]
    bias: float
    threshold: float

    def chance(self, row: NDArray[np.float64]) -> float:
        """Return the probability that a candidate answers the question with such features (len(COLUMNS),)."""
        return float(np.exp(-np.logaddexp(0.0, -(row @ np.array(self.weights) + self.bias))))


def ranking_features(candidates: Candidates, log_odds: Scores, n_chunks: int) -> NDArray[np.float64]:
    """Return the features (len(COLUMNS),) of a question with one candidate at least, ranked by log-odds (n,)."""
    best = int(np.argmax(log_odds))
    title_share, named, heading, near = (
        candidates.raw[:, INPUTS.index(name)] for name in ("title_share", "named", "heading", "near")
    )
    return np.array([log_odds[best], title_share.max(), named.max(), heading[best], near.max(), near[best],
                     np.log1p(n_chunks)], np.float64)  # fmt: skip
