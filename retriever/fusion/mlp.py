"""Fusion by scikit-learn's multi-layer perceptron, several of them averaged; half of the default, `ensemble`.

It is trained one epoch a call, because its own early stopping would split rows
of one question between training and validation and watch the accuracy: here
whole questions are held out, their log loss is watched, and the weights of the
best epoch are taken. Each network has a seed and a split of its own. Where
columns are `rising` the networks are monotone in them: weights of the wrong
sign are set to 0 after every few batches (projected gradient descent).

Half of the average can be a logistic regression. It bends nowhere, and so errs
elsewhere than the networks do on a corpus unlike those that were learned from:
together they rank unseen corpora better than either (docs/quality.md).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retriever.fusion import logistic
from retriever.fusion.dense import ONE_THREAD, Layer, Network, log_odds
from retriever.learning.monotone import Signs, fold_signs, project, signs_of
from retriever.learning.sampling import split
from retriever.learning.table import Table

BETWEEN = 8
"""Batches between two projections: more often gains nothing and costs scikit-learn's checks of its input."""


def fit(
    table: Table, seed: int, *, hidden: Sequence[int] = (64, 32), networks: int = 4, penalty: float = 1.0,
    rate: float = 6e-3, batch: int = 1024, epochs: int = 100, patience: int = 5, validation: float = 0.2,
    rising: Collection[str] = (), linear: bool = False,
) -> tuple[Network, ...]:
    """Train `networks` perceptrons that no greater value in a column of `rising` scores lower.

    `linear` adds a logistic regression that weighs as much as all of them.
    `penalty` is scikit-learn's alpha (the thesis's L2 would be 1.28 = 2 * 0.01 * 64). The thesis's (254, 128, 64)
    ranks no better on synthetic candidates and costs ten times the time.
    """
    from sklearn.neural_network import MLPClassifier

    signs = signs_of(table.columns, rising, hidden)
    found = []
    for number in range(networks):
        random = np.random.default_rng([seed, number])
        own, held = split(table.groups, validation, random)
        model = MLPClassifier(
            tuple(hidden), alpha=penalty, learning_rate_init=rate, batch_size=min(batch, len(own)),
            random_state=np.random.RandomState(random.integers(2**31)),
        )
        trained = _epochs(model, table.take(own), random, signs, BETWEEN * batch)
        with ONE_THREAD:
            found.append(_best(trained, table.take(held), epochs, patience))
    if linear:
        found += logistic.fit(table, seed, rising=rising) * networks
    return tuple(found)


def _epochs(
    model: Any, table: Table, random: np.random.Generator, signs: Sequence[Signs], rows: int
) -> Iterator[Network]:
    """Yield the network after each epoch, in which it sees every row once, in random order."""
    n, weights = len(table.labels), table.row_weights()
    if not any(sign.any() for sign in signs):
        while True:
            # scikit-learn shuffles what it is given at once.
            model.partial_fit(table.features, table.labels, sample_weight=weights, classes=[False, True])
            yield weights_of(model)
    restrict = fold_signs
    while True:
        for part in np.array_split(random.permutation(n), max(1, n // rows)):
            features, labels = table.features[part], table.labels[part]
            model.partial_fit(features, labels, sample_weight=weights[part], classes=[False, True])
            restrict(model.coefs_, signs)
            restrict = project
        yield weights_of(model)


def _best(trained: Iterator[Network], held: Table, epochs: int, patience: int) -> Network:
    """Train until the loss on `held` has not fallen for `patience` epochs; return the best epoch's weights."""
    best: Network = ()
    least, waited = np.inf, 0
    for network in islice(trained, epochs):
        loss = log_loss(log_odds([network], held.features), held)
        waited += 1
        if loss < least:
            best, least, waited = network, loss, 0
        if waited >= patience:
            break
    return best


def weights_of(model: Any) -> Network:
    """Copy the weights out of a fitted MLPClassifier of two classes."""
    pairs = zip(model.coefs_, model.intercepts_, strict=True)
    return tuple(Layer(np.array(weight, np.float32), np.array(bias, np.float32)) for weight, bias in pairs)


def log_loss(outputs: NDArray[np.float64], table: Table) -> float:
    """Return the weighted mean of log(1 + exp(x)) - y x."""
    each = np.logaddexp(0.0, outputs) - table.labels * outputs
    return float(np.average(each, weights=table.row_weights()))
