"""Adam (Kingma and Ba 2015): gradient descent by running means of the gradient and of its square."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating[Any]]


class Adam:
    """Adam (Kingma and Ba 2015) on one vector, with the constants of Keras."""

    def __init__(self, values: Array, rate: float) -> None:
        self.values = values
        self.rate = rate
        self._steps = 0
        self._first = np.zeros_like(values)
        self._second = np.zeros_like(values)

    def step(self, gradient: Array) -> None:
        """Move the values against the gradient."""
        self._steps += 1
        self._first += 0.1 * (gradient - self._first)
        self._second += 0.001 * (gradient * gradient - self._second)
        rate = self.rate * np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
        self.values -= (rate * self._first / (np.sqrt(self._second) + 1e-7)).astype(self.values.dtype)
