"""What each feature did for a candidate's score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retriever.fusion.models import FusionModel
from retriever.fusion.rrf import ReciprocalRank
from retriever.learning.table import Features


def contributions(model: FusionModel, features: Features, rows: Sequence[int] | None = None) -> NDArray[np.float32]:
    """Return what each column adds to the score (m, s) of some rows of a question, all of them without `rows`.

    It is the row's score less its score with that column at its mean over the
    question (occlusion), so that what is the same of all candidates adds nothing;
    for reciprocal rank fusion it is the column's term. The columns work together,
    so the sum need not be the score.
    """
    chosen = np.arange(len(features)) if rows is None else np.asarray(rows, np.int64)
    if isinstance(model, ReciprocalRank):
        return model.terms(features)[chosen].astype(np.float32)
    n, s = len(chosen), features.shape[1]
    occluded = np.repeat(features[chosen], s, axis=0).reshape(n, s, s)
    occluded[:, np.arange(s), np.arange(s)] = features.mean(axis=0)
    return model.score(features[chosen])[:, None] - model.score(occluded.reshape(n * s, s)).reshape(n, s)
