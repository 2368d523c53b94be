"""Two models, one after the other: the second also sees what follows from the first one's ranking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retriever.fusion.models import FusionModel, new_model
from retriever.learning.table import Features, Table

PARTS = ("first", "second")


class TwoStage:
    """A first stage over some columns, and a second over these and more; `score` is the second's."""

    def __init__(self, name: str, settings: Mapping[str, Any] | None = None) -> None:
        self.name = name
        self.settings = dict(settings or {})
        self.first: FusionModel = new_model(name, settings)
        self.second: FusionModel = new_model(name, settings)

    def fit(self, table: Table, seed: int = 0) -> None:
        """Train the second model; the first has its own table."""
        self.second.fit(table, seed)

    def score(self, features: Features) -> NDArray[np.float32]:
        """Return the second model's score (n,)."""
        return self.second.score(features)

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Return the arrays of both, named by their part."""
        return {
            f"{part}.{name}": array
            for part, model in zip(PARTS, (self.first, self.second), strict=True)
            for name, array in model.arrays().items()
        }

    def restore(self, arrays: Mapping[str, NDArray[np.float32]]) -> None:
        """Take back the arrays of both, which alone are read; raise BadNetwork where one is missing."""
        for part, model in zip(PARTS, (self.first, self.second), strict=True):
            own = {name.partition(".")[2]: array for name, array in arrays.items() if name.startswith(f"{part}.")}
            model.restore(own)

    def inputs(self) -> int:
        """Return the second model's number of columns."""
        return self.second.inputs()


def is_two_stage(arrays: Mapping[str, Any]) -> bool:
    """Tell whether named arrays are those of two stages."""
    return any(name.partition(".")[0] in PARTS for name in arrays)
