"""Signs of abstention as training keeps them: of each reading what any ranker may need, without its passages.

They take a quarter of what whole readings do, of which thousands do not fit into memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from retriever.answers.abstention import names_beside, of_all, signs_by
from retriever.answers.reading import Reading, best_by, inputs_of
from retriever.learning.table import Features
from retriever.types import Scores


class Signs(NamedTuple):
    """What a reading tells of whether its question can be answered, whichever of its n candidates is the best.

    `features` (n, len(COLUMNS)) is sparse: four of five columns are 0. Of `keys` (n,) those are equal whose candidates
    say the same; `lengths` (n,) are in characters; `names_said` (n,) is the share of a question's names that a
    candidate's sentence says, or the title above it.
    """

    features: csr_array
    keys: NDArray[np.int32]
    lengths: NDArray[np.int32]
    names_said: NDArray[np.float32]
    whole: dict[str, float]

    @property
    def inputs(self) -> Features:
        """What a ranker reads (n, len(INPUTS))."""
        return inputs_of(self.features.toarray())


def signs_in(reading: Reading) -> Signs | None:
    """Return what abstention learns from a reading, None where it offers nothing."""
    if not len(reading.candidates):
        return None
    keys = np.unique([each.key for each in reading.candidates], return_inverse=True)[1].astype(np.int32)
    lengths = np.array([len(each.text) for each in reading.candidates], np.int32)
    places = [(each.passage, *reading.passages[each.passage].sentence_at(each.start)) for each in reading.candidates]
    known = {place: names_beside(reading, *place) for place in {*places}}
    names_said = np.array([known[place] for place in places], np.float32)
    return Signs(csr_array(reading.features), keys, lengths, names_said, of_all(reading))


def told_by(signs: Signs, score: Callable[[Features], Scores]) -> NDArray[np.float32]:
    """Return what tells whether a question can be answered (len(ANSWERABLE),) by what scores its candidates."""
    inputs = signs.inputs
    scores = score(inputs)
    best = best_by(scores, signs.lengths)
    row = inputs[best]
    return signs_by(row, scores, signs.keys == signs.keys[best], float(signs.names_said[best]), signs.whole)
