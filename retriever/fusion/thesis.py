"""Training as in the thesis (Giardini 2024): Adam, plateau schedule, early stopping on the validation loss.

Unlike there, whole questions are held out for validation; with chunks of one
question on both sides the validation loss would be too good. That loss holds
the penalty, as in Keras, which goes on falling after the cross-entropy rises,
for normalisation undoes a kernel's scale: with many features a `penalty` of 0
stops earlier and ranks better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from retriever.fusion.dense import Network, log_odds
from retriever.fusion.thesis_network import (
    Array,
    Moments,
    Parameters,
    count,
    cross_entropy,
    fold,
    gradients,
    initialise,
    squares,
    views,
)
from retriever.learning.adam import Adam
from retriever.learning.sampling import split
from retriever.learning.table import Rows, Table

# The architecture of the thesis (Giardini 2024); MOMENTUM is Keras's for batch normalisation.
HIDDEN = (254, 128, 64)
DROPOUT = (0.2, 0.3, 0.4)
PENALTY = 0.01
MOMENTUM = 0.99


class Trained(NamedTuple):
    """The network of the best epoch, and the validation loss and learning rate of each epoch."""

    network: Network
    losses: tuple[float, ...]
    rates: tuple[float, ...]


class Plateau:
    """Cuts the rate to a fifth after five epochs without a loss lower by 0.0001, down to 0.0001."""

    def __init__(self, factor: float = 0.2, patience: int = 5, least: float = 1e-4, change: float = 1e-4) -> None:
        self.factor, self.patience, self.least, self.change = factor, patience, least, change
        self._best, self._waited = np.inf, 0

    def next_rate(self, rate: float, loss: float) -> float:
        """Return the rate of the next epoch."""
        if loss < self._best - self.change:
            self._best, self._waited = loss, 0
            return rate
        self._waited += 1
        if self._waited < self.patience:
            return rate
        self._waited = 0
        return max(rate * self.factor, self.least)


def fit(
    table: Table, seed: int, *, hidden: Sequence[int] = HIDDEN, dropout: Sequence[float] = DROPOUT,
    penalty: float = PENALTY, networks: int = 1, epochs: int = 100, validation: float = 0.2,
) -> tuple[Network, ...]:
    """Train `networks` networks, each on a split of its own; the thesis has one."""
    found = []
    for number in range(networks):
        random = np.random.default_rng([seed, number])
        own, held = split(table.groups, validation, random)
        trained = train(
            table.take(own), table.take(held), random, hidden=hidden, dropout=dropout, penalty=penalty, epochs=epochs
        )
        found.append(trained.network)
    return tuple(found)


def train(
    own: Table, held: Table, random: np.random.Generator, *, hidden: Sequence[int] = HIDDEN,
    dropout: Sequence[float] = DROPOUT, penalty: float = PENALTY, epochs: int = 100, patience: int = 10,
) -> Trained:
    """Train on `own` until the loss on `held` has not fallen for `patience` epochs."""
    sizes = (own.features.shape[1], *hidden, 1)
    adam = Adam(np.zeros(count(sizes), np.float32), 1e-3)
    parameters = views(adam.values, sizes)
    initialise(parameters, random)
    moving = [Moments(np.zeros(width, np.float32), np.ones(width, np.float32)) for width in hidden]
    plateau, best = Plateau(), fold(parameters, moving)
    losses: list[float] = []
    rates: list[float] = []
    while len(losses) < epochs and len(losses) - _least(losses) < patience:
        rates.append(adam.rate)
        moving = _epoch(adam, parameters, moving, own, random, dropout, penalty)
        network = fold(parameters, moving)
        losses.append(validation_loss(network, parameters, held, penalty))
        best = network if _least(losses) == len(losses) else best
        adam.rate = plateau.next_rate(adam.rate, losses[-1])
    return Trained(best, tuple(losses), tuple(rates))


def _least(losses: Sequence[float]) -> int:
    """Return the first epoch with the least loss, counted from 1."""
    return losses.index(min(losses)) + 1 if losses else 0


def validation_loss(network: Network, parameters: Parameters, held: Table, penalty: float) -> float:
    """Return the loss on `held` as Keras does: inference mode, the penalty included."""
    outputs = log_odds([network], held.features)
    return cross_entropy(outputs, held.labels.astype(np.float32), held.row_weights()) + squares(parameters, penalty)


def _epoch(
    adam: Adam, parameters: Parameters, moving: Sequence[Moments], own: Table, random: np.random.Generator,
    dropout: Sequence[float], penalty: float,
) -> list[Moments]:
    """Take one step a batch; return the moving moments after them."""
    for batch in batches(len(own.labels), random):
        part = own.take(batch)
        kept = [_kept(len(batch), len(own_moments.mean), rate, random)
                for own_moments, rate in zip(moving, dropout, strict=True)]
        labels = part.labels.astype(np.float32)
        _, gradient, moments = gradients(parameters, part.features, labels, part.row_weights(), kept, penalty)
        adam.step(gradient)
        moving = [_moved(old, new) for old, new in zip(moving, moments, strict=True)]
    return list(moving)


def batches(n: int, random: np.random.Generator, size: int = 64) -> Iterator[Rows]:
    """Yield all row numbers once, in random order, `size` at a time."""
    order = random.permutation(n)
    for start in range(0, n, size):
        yield order[start : start + size]


def _kept(n: int, width: int, rate: float, random: np.random.Generator) -> Array:
    kept = random.random((n, width), np.float32) >= rate
    return kept * np.float32(1 / (1 - rate))


def _moved(old: Moments, new: Moments) -> Moments:
    return Moments(*(one + (1 - MOMENTUM) * (other - one) for one, other in zip(old, new, strict=True)))
