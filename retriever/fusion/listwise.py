"""Perceptrons that learn to rank: their loss is that of a question's candidates as a list, not row by row.

scikit-learn has no such loss, so that the networks are trained here: by Adam,
on some of each question's wrong candidates, drawn anew every epoch. Whole
questions are held out, and the best epoch on them is taken. A loss over lists
leaves open what a score of 0 means: at last each network's scores are made
log-odds by a logistic regression (Platt 1999), so that several are averaged as
those of `mlp` are. Networks are monotone as those of `mlp`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.fusion.dense import ONE_THREAD, Layer, Network
from retriever.learning.adam import Adam
from retriever.learning.lists import Lists, list_losses, lists_of
from retriever.learning.monotone import fold_signs, project, signs_of
from retriever.learning.sampling import balanced, split
from retriever.learning.table import Table, UnfitTable

Array = NDArray[np.float32]
BETWEEN = 8
"""Batches between two projections onto the networks that are monotone."""
FEWEST_BATCHES = 16
"""Batches an epoch where there are few lists: fewer steps would learn little before the epochs are over."""
SPREAD = 1.2
"""Weights begin between ± SPREAD divided by the root of the layer's inputs."""
CALIBRATED_BY = 5.0
"""Wrong rows to each right one that scores are made log-odds by: the share that `mlp` learns from."""


class Learning(NamedTuple):
    """How networks learn: L2 `penalty`, Adam's `rate`, lists a `batch`, wrong rows of a list, and when to stop."""

    penalty: float
    rate: float
    batch: int
    negatives: int
    epochs: int
    patience: int


def fit(
    table: Table, seed: int, *, hidden: Sequence[int] = (64, 32), networks: int = 4, penalty: float = 1e-3,
    rate: float = 2e-3, batch: int = 64, negatives: int = 30, epochs: int = 60, patience: int = 4,
    validation: float = 0.2, rising: Collection[str] = (), linear: bool = False,
) -> tuple[Network, ...]:
    """Train `networks` perceptrons that no greater value in a column of `rising` scores lower.

    `linear` adds one without hidden layers that weighs as much as all of them. Rows of a question have to stand
    together, all of them (`train(sampling="all")`). Raise UnfitTable where no question has right and wrong rows.
    """
    lists = lists_of(table.groups, table.labels)
    if not len(lists.sizes):
        raise UnfitTable("no question has right and wrong candidates beside each other; a ranking learns from both")
    learning = Learning(penalty, rate, batch, negatives, epochs, patience)
    # Without hidden layers the loss is convex: longer steps get there as well, and sooner.
    steeper = learning._replace(rate=2.5 * rate)
    shapes = [(tuple(hidden), learning)] * networks + [((), steeper)] * linear
    with ONE_THREAD:
        found = [_trained(table, lists, np.random.default_rng([seed, number]), shape, own, rising, validation)
                 for number, (shape, own) in enumerate(shapes)]  # fmt: skip
    found = [_as_log_odds(network, table, seed) for network in found]
    return (*found, *found[networks:] * (networks - 1))


def _trained(
    table: Table, lists: Lists, random: np.random.Generator, hidden: tuple[int, ...], learning: Learning,
    rising: Collection[str], validation: float,
) -> Network:  # fmt: skip
    """Return the network of the best epoch."""
    own, held = (lists.take(rows) for rows in split(table.groups[lists.rows[lists.starts[:-1]]], validation, random))
    widths, signs = (len(table.columns), *hidden, 1), signs_of(table.columns, rising, hidden)
    values = np.zeros(sum(one * other + other for one, other in pairwise(widths)), np.float32)
    network, adam = _views(values, widths), Adam(values, learning.rate)
    for layer in network:
        bound = SPREAD / len(layer.weight) ** 0.5
        layer.weight[:] = random.uniform(-bound, bound, layer.weight.shape)
    weights = [layer.weight for layer in network]
    fold_signs(weights, signs)
    best, least, waited = values.copy(), np.inf, 0
    for _ in range(learning.epochs):
        drawn = own.drawn(table.labels, learning.negatives, random)
        order, usual = random.permutation(len(own.sizes)), float(_list_weights(table, own).mean())
        n_batches = min(len(order), max(FEWEST_BATCHES, len(order) // learning.batch))
        for number, part in enumerate(np.array_split(order, n_batches), 1):
            adam.step(_gradient(network, table, drawn.take(part), _list_weights(table, own.take(part)) / usual,
                                learning.penalty))  # fmt: skip
            if number % BETWEEN == 0:
                project(weights, signs)
        project(weights, signs)
        loss, waited = _loss(network, table, held), waited + 1
        if loss < least:
            best, least, waited = values.copy(), loss, 0
        if waited >= learning.patience:
            break
    return _views(best, widths)


def _list_weights(table: Table, lists: Lists) -> NDArray[np.float64]:
    """Return what each list weighs: the sum of its rows' weights, by the root of the number of its answers.

    A loss is a mean over answers: without the root the last hop of a question that has four would count a quarter.
    """
    n_answers = np.add.reduceat(table.labels[lists.rows], lists.starts[:-1], dtype=np.int64)
    own = np.add.reduceat(table.row_weights()[lists.rows].astype(np.float64), lists.starts[:-1])
    return np.asarray(own * np.sqrt(np.maximum(1, n_answers)))


def _gradient(
    network: Network, table: Table, lists: Lists, weights: NDArray[np.float64], penalty: float
) -> NDArray[np.float32]:
    """Return the derivative of the weighted mean loss and the penalty by all weights and biases, as one vector."""
    inputs = [table.features[lists.rows]]
    for weight, bias in network[:-1]:
        inputs.append(np.maximum(inputs[-1] @ weight + bias, 0))
    scores = (inputs[-1] @ network[-1].weight + network[-1].bias)[:, 0]
    _, slope = list_losses(scores.astype(np.float64), table.labels[lists.rows], lists.starts)
    back: Array = (slope * np.repeat(weights / len(weights), lists.sizes)).astype(np.float32)[:, None]
    parts: list[Array] = []
    for (weight, _), given in zip(reversed(network), reversed(inputs), strict=True):
        parts += [back.sum(0), (given.T @ back + np.float32(penalty) * weight).ravel()]
        back = (back @ weight.T) * (given > 0)
    return np.concatenate(parts[::-1])


def _loss(network: Network, table: Table, lists: Lists) -> float:
    losses, _ = list_losses(_scores(network, table.features[lists.rows]), table.labels[lists.rows], lists.starts)
    return float(np.average(losses, weights=_list_weights(table, lists)))


def _scores(network: Network, features: Array) -> NDArray[np.float64]:
    for weight, bias in network[:-1]:
        features = np.maximum(features @ weight + bias, 0)
    return (features @ network[-1].weight + network[-1].bias)[:, 0].astype(np.float64)


def _as_log_odds(network: Network, table: Table, seed: int) -> Network:
    """Return the network whose scores are the log-odds that a row is right, of one to CALIBRATED_BY rows."""
    from sklearn.linear_model import LogisticRegression

    own = table.take(balanced(table.labels, np.random.default_rng(seed), CALIBRATED_BY))
    model = LogisticRegression(C=1e6).fit(_scores(network, own.features)[:, None], own.labels, own.row_weights())
    # A network that learned nothing may come out falling; its order is kept.
    slope = max(float(model.coef_[0, 0]), 1e-3)
    weight, bias = network[-1]
    last = Layer((weight * slope).astype(np.float32), (bias * slope + model.intercept_[0]).astype(np.float32))
    return (*network[:-1], last)


def _views(values: Array, widths: Sequence[int]) -> Network:
    """Cut a vector into the layers of a network of `widths` (inputs, hidden..., 1), without copying."""
    shapes = [shape for one, other in pairwise(widths) for shape in ((one, other), (other,))]
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
    parts = [part.reshape(shape) for part, shape in zip(np.split(values, ends[:-1]), shapes, strict=True)]
    return tuple(Layer(*pair) for pair in zip(parts[::2], parts[1::2], strict=True))
