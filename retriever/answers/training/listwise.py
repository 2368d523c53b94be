"""Networks that learn to put a right candidate first: a softmax over the candidates of each question.

The loss is -log of the share of exp(score) that the right candidates of a question have (ListNet's top one, Cao et
al. 2007, with several right ones); Adam (Kingma and Ba 2015) finds the weights. Networks of several seeds become one,
whose score is their mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.fusion.dense import ONE_THREAD, Layer, Network, folded
from retriever.learning.adam import Adam
from retriever.learning.standardise import Scale, over_all, rescale
from retriever.learning.table import Rows, Table

Floats = NDArray[np.float32]
FURTHEST = 6.0
FAR = np.float32(-30.0)
"""The log-odds of what only fills a list up."""


class Settings(NamedTuple):
    """How the networks learn; `rows` bounds the candidates of a question in one epoch, `left_out` is dropout."""

    hidden: int = 24
    networks: int = 4
    epochs: int = 8
    rate: float = 3e-3
    penalty: float = 1e-3
    questions: int = 16
    rows: int = 90
    left_out: float = 0.1


DEFAULT = Settings()


def fit(table: Table, seed: int = 0, settings: Settings = DEFAULT) -> Network:
    """Train on a table, whose groups are questions; a question weighs what its heaviest row does."""
    scale = _bounded(over_all(table.features, table.columns), table.features)
    features = rescale(table.features, scale)
    order = np.argsort(table.groups, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(table.groups[order]) != 0))
    lists = np.split(order, starts[1:])
    weights = table.row_weights()
    with ONE_THREAD:
        found = [
            _network(features, table.labels, lists, weights, np.random.default_rng([seed, number]), settings)
            for number in range(settings.networks)
        ]
    return folded(_joined(found), scale)


def _bounded(scale: Scale, features: Floats) -> Scale:
    """Return a scale by which no value is further than `FURTHEST` from the mean, however rare it is."""
    furthest = np.maximum(features.max(0) - scale.mean, scale.mean - features.min(0))
    return scale._replace(std=np.where(scale.std > 0, np.maximum(scale.std, furthest / FURTHEST), 0).astype(np.float32))


def _network(
    features: Floats, labels: NDArray[np.bool_], lists: Sequence[Rows], weights: Floats,
    random: np.random.Generator, settings: Settings,
) -> Network:  # fmt: skip
    width, hidden = features.shape[1], settings.hidden
    flat = np.zeros((width + 2) * hidden, np.float32)
    weight, bias, last = flat[: width * hidden].reshape(width, hidden), flat[-2 * hidden : -hidden], flat[-hidden:]
    weight[:] = random.normal(0, np.sqrt(2 / width), weight.shape)
    last[:] = random.normal(0, np.sqrt(1 / hidden), hidden)
    adam = Adam(flat, settings.rate)
    n_steps = settings.epochs * (len(lists) // settings.questions + 1)
    batches = (each for _ in range(settings.epochs) for each in _batches(labels, lists, weights, random, settings))
    for step, (rows, right, shares) in enumerate(batches, 1):
        adam.rate = settings.rate * (1 - 0.9 * step / n_steps)
        slopes = _slopes((weight, bias, last), features[rows], right, shares, random, settings)
        adam.step(np.concatenate([each.ravel() for each in slopes]))
        # The penalty is apart from the gradient, whose scale Adam takes away (Loshchilov and Hutter 2019).
        flat *= np.float32(1 - adam.rate * settings.penalty)
    return Layer(weight, bias), Layer(last[:, None], np.zeros(1, np.float32))


def _batches(
    labels: NDArray[np.bool_], lists: Sequence[Rows], weights: Floats, random: np.random.Generator, settings: Settings
) -> Iterator[tuple[Rows, Floats, Floats]]:
    """Yield rows (q, r), 1 for right ones, -1 for what fills up, and the weight of each question (q,)."""
    order = random.permutation(len(lists))
    for start in range(0, len(order), settings.questions):
        chosen = order[start : start + settings.questions]
        drawn = [_drawn(lists[index], labels, random, settings.rows) for index in chosen]
        most = max(map(len, drawn))
        rows = np.zeros((len(drawn), most), np.int64)
        right = np.full((len(drawn), most), -1, np.float32)
        for index, own in enumerate(drawn):
            rows[index, : len(own)] = own
            right[index, : len(own)] = labels[own]
        yield rows, right, np.array([weights[own].max() for own in drawn], np.float32)


def _drawn(own: Rows, labels: NDArray[np.bool_], random: np.random.Generator, most: int) -> Rows:
    right, wrong = own[labels[own]], own[~labels[own]]
    right = random.permutation(right)[: most // 4]
    return np.concatenate([right, random.permutation(wrong)[: most - len(right)]])


def _slopes(
    values: Sequence[Floats], batch: Floats, right: Floats, shares: Floats, random: np.random.Generator,
    settings: Settings,
) -> list[Floats]:  # fmt: skip
    """Return what the loss rises by along each of the weights, some hidden units left out (Srivastava et al. 2014)."""
    weight, bias, last = values
    flat = batch.reshape(-1, batch.shape[-1])
    hidden = np.maximum(flat @ weight + bias, 0)
    kept = (random.random(hidden.shape, np.float32) >= settings.left_out).astype(np.float32) / (1 - settings.left_out)
    hidden *= kept
    scores = np.where(right < 0, FAR, (hidden @ last).reshape(right.shape))
    every = _softmax(scores)
    own = _softmax(np.where(right > 0, scores, FAR))
    slope = ((every - own) * shares[:, None] / shares.sum() * (right >= 0)).ravel().astype(np.float32)
    back = slope[:, None] * last * kept * (hidden > 0)
    return [flat.T @ back, back.sum(0), hidden.T @ slope]


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(powers / powers.sum(1, keepdims=True), np.float32)


def _joined(networks: Sequence[Network]) -> Network:
    """Return one network whose output is the mean of several."""
    weight = np.concatenate([first.weight for first, _ in networks], axis=1)
    bias = np.concatenate([first.bias for first, _ in networks])
    last = np.concatenate([second.weight for _, second in networks]) / len(networks)
    return Layer(weight, bias), Layer(last.astype(np.float32), np.zeros(1, np.float32))
