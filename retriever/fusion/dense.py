"""Dense networks as plain arrays: all that a trained model needs to score.

A hidden layer is max(0, x W + b), the last one x w + b, the log-odds of an
answer. Several networks are averaged in probability. Sums are in float64 and
the log-odds rounded to four decimals, so that a row's score does not depend on
the rows beside it, and equal rows are ties.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.learning.standardise import Scale
from retriever.learning.table import Features
from weft.errors import WeftError

# Scores are rounded so that rows with equal features tie, whatever the order of additions in BLAS.
DECIMALS = 4
# Rows scored at a time.
BLOCK = 4096
MOST = 1e6
"""No score is further from 0, whatever the weights in a file: beyond a float there is no order."""

# Bounds on what a fusion file may ask of memory and time.
MOST_NETWORKS, MOST_LAYERS = 1000, 8


class BadNetwork(WeftError):
    """Arrays are no network; the message says which one is wrong."""


class Layer(NamedTuple):
    """`weight` (in, out) and `bias` (out,)."""

    weight: NDArray[np.float32]
    bias: NDArray[np.float32]


Network = tuple[Layer, ...]
WideNetwork = tuple[tuple[NDArray[np.float64], NDArray[np.float64]], ...]
"""A network's weights and biases in the numbers that sums are made in."""


def widened(networks: Sequence[Network]) -> tuple[WideNetwork, ...]:
    """Return networks in float64, so that their weights are not converted for every question; they score the same."""
    return tuple(
        tuple((layer.weight.astype(np.float64), layer.bias.astype(np.float64)) for layer in network)
        for network in networks
    )


def score(networks: Sequence[Network | WideNetwork], features: Features) -> NDArray[np.float32]:
    """Return the log-odds (n,) of the networks' mean probability, rounded."""
    found = np.empty(len(features), np.float32)
    with ONE_THREAD:
        for start in range(0, len(features), BLOCK):
            part = log_odds(networks, features[start : start + BLOCK])
            found[start : start + BLOCK] = np.round(np.clip(part, -MOST, MOST), DECIMALS) + 0.0  # no negative zero
    return found


class OneThread(AbstractContextManager[None]):
    """A context in which matrix products take one thread, in the whole process.

    It begins when the first of several threads enters and ends when the last one leaves. A few hundred rows take one
    thread a tenth of a millisecond, and several wait for each other for ten where the machine has other work; training
    by batches of 256 rows is four times as fast.
    """

    def __init__(self) -> None:
        self._lock, self._inside = Lock(), 0
        self._limited: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._limited = _blas().limit(limits=1, user_api="blas")
            self._inside += 1

    def __exit__(self, *problem: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._limited.restore_original_limits()


@lru_cache(maxsize=1)
def _blas() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


ONE_THREAD = OneThread()


def log_odds(networks: Sequence[Network | WideNetwork], features: Features) -> NDArray[np.float64]:
    """Return log(mean p / mean (1 - p)) of each row (n,), in the log domain: sure networks do not saturate."""
    wide = features.astype(np.float64)
    outputs = np.stack([_output(network, wide) for network in networks])
    right = np.logaddexp.reduce(-np.logaddexp(0.0, -outputs), axis=0)
    wrong = np.logaddexp.reduce(-np.logaddexp(0.0, outputs), axis=0)
    return np.asarray(right - wrong)


def folded(network: Network, scale: Scale) -> Network:
    """Return the network of x that gives what `network` gives of (x - mean) / std; columns without spread count 0."""
    first, *others = network
    inverse = np.divide(1.0, scale.std, where=scale.std > 0, out=np.zeros(len(scale.std), np.float64))
    weight = first.weight * inverse[:, None]
    bias = first.bias - scale.mean.astype(np.float64) @ weight
    return (Layer(weight.astype(np.float32), bias.astype(np.float32)), *others)


def _output(network: Network | WideNetwork, features: NDArray[np.float64]) -> NDArray[np.float64]:
    *hidden, (last, shift) = network
    found = features
    for weight, bias in hidden:
        found = found @ weight
        found += bias
        np.maximum(found, 0.0, out=found)
    return np.asarray((found @ last + shift)[:, 0])


def to_arrays(networks: Sequence[Network]) -> dict[str, NDArray[np.float32]]:
    """Name the arrays `network0.layer0.weight`, `network0.layer0.bias`, ..."""
    return {
        f"network{n}.layer{m}.{part}": array
        for n, network in enumerate(networks)
        for m, layer in enumerate(network)
        for part, array in layer._asdict().items()
    }


def from_arrays(arrays: Mapping[str, NDArray[np.float32]]) -> tuple[Network, ...]:
    """Take back what `to_arrays` gave; raise BadNetwork where an array is missing, left over or of a wrong shape."""
    networks: list[Network] = []
    while f"network{len(networks)}.layer0.weight" in arrays:
        networks.append(_network(arrays, f"network{len(networks)}."))
    left = sorted(set(arrays) - set(to_arrays(networks)))
    if left or not networks:
        raise BadNetwork(f"array {left[0]} belongs to no layer" if left else "array network0.layer0.weight is missing")
    if len(networks) > MOST_NETWORKS or max(map(len, networks)) > MOST_LAYERS:
        raise BadNetwork(f"there are more than {MOST_NETWORKS} networks, or more than {MOST_LAYERS} layers in one")
    if len({len(network[0].weight) for network in networks}) > 1:
        raise BadNetwork("the networks take different numbers of features")
    return tuple(networks)


def _network(arrays: Mapping[str, NDArray[np.float32]], prefix: str) -> Network:
    layers: list[Layer] = []
    while (name := f"{prefix}layer{len(layers)}.weight") in arrays:
        weight, bias = arrays[name], arrays.get(name.replace("weight", "bias"), np.empty(0, np.float32))
        inputs = layers[-1].weight.shape[1] if layers else weight.shape[0] if weight.ndim else 0
        if weight.ndim != 2 or weight.shape[0] != inputs or bias.shape != weight.shape[1:]:
            raise BadNetwork(f"array {name} of shape {weight.shape} does not fit the layer before it or its bias")
        layers.append(Layer(weight.astype(np.float32), bias.astype(np.float32)))
    if layers[-1].weight.shape[1] != 1:
        raise BadNetwork(f"the last layer of {prefix[:-1]} has {layers[-1].weight.shape[1]} outputs; it must have one")
    return tuple(layers)
