"""What weighs the features of paths and the words of a question: by default, or as it was trained for one graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.focus.planner.features import COLUMNS, Reading, parts
from retriever.focus.planner.steps import Path
from retriever.focus.planner.wording import Wording

NO_CUES: Mapping[str, Mapping[str, float]] = MappingProxyType({})
DEFAULT_WEIGHTS: Mapping[str, float] = MappingProxyType({
    "supported": 10.0, "repeated": 6.0, "relations": -4.0, "steps": -4.0, "unexplained": -4.0, "asked": 5.0,
    "asked_other": -5.0, "asked_none": 1.0, "order": 2.0, "kind": 25.0, "type": 1.0, "asked_type": 8.0,
    "other_type": -8.0,
})  # fmt: skip
"""Round numbers; docs/focus.md tells on which questions they were tried."""

ALWAYS = ""
"""The cue that every question has: how often a part is right at all."""

NOTHING = "nothing"
"""The part that a seed has from which no path leads to what is asked for."""


class RelationModel(NamedTuple):
    """Weights of features by `COLUMNS`, and of cues by the part of a path, and by the type of what is asked for."""

    weights: tuple[float, ...]
    nothing: float = 0.0
    cues: Mapping[str, Mapping[str, float]] = NO_CUES
    types: Mapping[str, Mapping[str, float]] = NO_CUES

    def scores(self, reading: Reading, wording: Wording, paths: Sequence[Path]) -> NDArray[np.float64]:
        """Return the score (n + 1,) of each path, and last that of none; probabilities are their softmax."""
        schema, cues = reading.schema, wording.cues
        features = np.array([reading.features(path) for path in paths]).reshape(len(paths), len(COLUMNS))
        by_words = [self._by_cues(parts(schema, path), cues) for path in paths]
        nothing = self.nothing + self._by_cues((NOTHING,), cues)
        return np.append(features @ np.array(self.weights) + by_words, nothing)

    def type_scores(self, reading: Reading, wording: Wording) -> NDArray[np.float64]:
        """Return the score (t,) of each type as that of what is asked for."""
        return reading.type_scores + [_sum(self.types.get(name), wording.cues) for name in reading.schema.types]

    def _by_cues(self, names: Iterable[str], cues: Sequence[str]) -> float:
        return sum(_sum(self.cues.get(name), cues) for name in names)


def _sum(weights: Mapping[str, float] | None, cues: Sequence[str]) -> float:
    return weights.get(ALWAYS, 0.0) + sum(weights.get(cue, 0.0) for cue in cues) if weights else 0.0


DEFAULT = RelationModel(tuple(DEFAULT_WEIGHTS[name] for name in COLUMNS), nothing=2.0)
