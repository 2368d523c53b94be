"""The network of the thesis (Giardini 2024): dense, ReLU, batch normalisation, dropout; forward and backward in numpy.

A hidden layer computes, over a batch of rows x,

    a = max(0, x W + b),  n = (a - mean a) / sqrt(var a + 0.001),  y = (gamma n + beta) * kept

with `kept` the dropout multipliers, 0 or 1 / (1 - rate). The loss is the mean
of the weighted binary cross-entropies plus 0.01 times the squares of the
hidden W. Defaults that the thesis does not state are those of Keras, its tool.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.fusion.dense import Layer, Network

# Added to variances, as Keras's batch normalisation does.
EPSILON = 1e-3
Array = NDArray[np.floating[Any]]


class Hidden(NamedTuple):
    """Parameters of a hidden layer: kernel (in, out), and bias, gamma and beta (out,)."""

    kernel: Array
    bias: Array
    gamma: Array
    beta: Array


class Parameters(NamedTuple):
    """Hidden layers and the output's kernel (in, 1) and bias (1,)."""

    hidden: tuple[Hidden, ...]
    kernel: Array
    bias: Array


class Moments(NamedTuple):
    """Mean and population variance (out,) of a hidden layer's activations."""

    mean: Array
    variance: Array


class _Pass(NamedTuple):
    inputs: Array
    active: Array
    normal: Array
    inverse: Array


def views(flat: Array, sizes: Sequence[int]) -> Parameters:
    """Cut a vector into the parameters of a network of `sizes` (inputs, hidden..., 1), without copying."""
    shapes = [shape for pair in pairwise(sizes[:-1]) for shape in (pair, *[(pair[1],)] * 3)]
    shapes += [(sizes[-2], 1), (1,)]
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
    parts = [part.reshape(shape) for part, shape in zip(np.split(flat, ends[:-1]), shapes, strict=True)]
    hidden = tuple(Hidden(*parts[start : start + 4]) for start in range(0, len(parts) - 2, 4))
    return Parameters(hidden, parts[-2], parts[-1])


def flatten(parameters: Parameters) -> Array:
    """Return the vector that `views` cuts."""
    arrays = [array for layer in parameters.hidden for array in layer] + [parameters.kernel, parameters.bias]
    return np.concatenate([array.ravel() for array in arrays])


def count(sizes: Sequence[int]) -> int:
    """Return the number of parameters."""
    return sum(one * other + 3 * other for one, other in pairwise(sizes[:-1])) + sizes[-2] + 1


def initialise(parameters: Parameters, random: np.random.Generator) -> None:
    """Draw kernels from U(-r, r), r = sqrt(6 / (in + out)) (Glorot and Bengio 2010); gamma 1, all else 0."""
    for kernel in [*(layer.kernel for layer in parameters.hidden), parameters.kernel]:
        limit = np.sqrt(6.0 / sum(kernel.shape))
        kernel[...] = random.uniform(-limit, limit, kernel.shape)
    for layer in parameters.hidden:
        layer.gamma[...] = 1.0


def gradients(
    parameters: Parameters, features: Array, labels: Array, weights: Array, kept: Sequence[Array], penalty: float
) -> tuple[float, Array, list[Moments]]:
    """Return a batch's loss, its gradient as one vector, and the moments of each hidden layer."""
    passes: list[_Pass] = []
    moments: list[Moments] = []
    flow: Array = features
    for layer, multipliers in zip(parameters.hidden, kept, strict=True):
        done, own = _forward(layer, flow)
        flow = (layer.gamma * done.normal + layer.beta) * multipliers
        passes.append(done)
        moments.append(own)
    outputs = (flow @ parameters.kernel + parameters.bias)[:, 0]
    loss = cross_entropy(outputs, labels, weights) + squares(parameters, penalty)
    slope: Array = (weights * (_sigmoid(outputs) - labels) / len(outputs))[:, None]
    output = (flow.T @ slope, slope.sum(axis=0))
    slope = slope @ parameters.kernel.T
    hidden: list[Hidden] = []
    for layer, done, multipliers in zip(parameters.hidden[::-1], passes[::-1], kept[::-1], strict=True):
        own_gradient, slope = _backward(layer, done, slope * multipliers, penalty)
        hidden.append(own_gradient)
    return loss, flatten(Parameters(tuple(hidden[::-1]), *output)), moments


def _forward(layer: Hidden, inputs: Array) -> tuple[_Pass, Moments]:
    active = np.maximum(inputs @ layer.kernel + layer.bias, 0)
    mean, variance = active.mean(axis=0), active.var(axis=0)
    inverse = 1 / np.sqrt(variance + EPSILON)
    return _Pass(inputs, active, (active - mean) * inverse, inverse), Moments(mean, variance)


def _backward(layer: Hidden, done: _Pass, slope: Array, penalty: float) -> tuple[Hidden, Array]:
    """Return the layer's gradient and the slope of its inputs, given that of its outputs (Ioffe and Szegedy 2015)."""
    normal = slope * layer.gamma
    centred = normal - normal.mean(axis=0) - done.normal * (normal * done.normal).mean(axis=0)
    linear = centred * done.inverse * (done.active > 0)
    kernel = done.inputs.T @ linear + 2 * penalty * layer.kernel
    own = Hidden(kernel, linear.sum(axis=0), (slope * done.normal).sum(axis=0), slope.sum(axis=0))
    return own, linear @ layer.kernel.T


def cross_entropy(outputs: Array, labels: Array, weights: Array) -> float:
    """Return the mean of w (log(1 + exp(x)) - y x)."""
    return float((weights * (np.logaddexp(0, outputs) - labels * outputs)).mean())


def squares(parameters: Parameters, penalty: float) -> float:
    """Return `penalty` times the sum of the squares of the hidden kernels."""
    return penalty * sum(float((layer.kernel * layer.kernel).sum()) for layer in parameters.hidden)


def _sigmoid(outputs: Array) -> Array:
    return np.asarray(np.exp(-np.logaddexp(0, -outputs)))


def fold(parameters: Parameters, moments: Sequence[Moments]) -> Network:
    """Return the network as it infers: normalisation by `moments` goes into the next layer's weights, no dropout."""
    layers: list[Layer] = []
    scale: Array = np.ones(())
    shift: Array = np.zeros(())
    for layer, own in zip(parameters.hidden, moments, strict=True):
        layers.append(_folded(layer.kernel, layer.bias, scale, shift))
        scale = layer.gamma / np.sqrt(own.variance.astype(np.float64) + EPSILON)
        shift = layer.beta - own.mean * scale
    return (*layers, _folded(parameters.kernel, parameters.bias, scale, shift))


def _folded(kernel: Array, bias: Array, scale: Array, shift: Array) -> Layer:
    weight = np.broadcast_to(scale, kernel.shape[:1])[:, None] * kernel
    added = np.broadcast_to(shift, kernel.shape[:1]) @ kernel.astype(np.float64)
    return Layer(weight.astype(np.float32), (bias + added).astype(np.float32))
