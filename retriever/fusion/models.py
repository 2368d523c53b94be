"""Fusion models behind one interface: ensemble (the default), listwise, mlp, thesis, logistic, rrf."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from retriever.fusion import dense, listwise, logistic, mlp, thesis
from retriever.fusion.dense import Network, folded
from retriever.fusion.rrf import ReciprocalRank
from retriever.learning.sampling import balanced
from retriever.learning.standardise import over_all, rescale
from retriever.learning.table import Features, Table, check
from weft.errors import WeftError


class FusionModel(Protocol):
    """Learns to score candidates by their features."""

    name: str
    settings: dict[str, Any]

    def fit(self, table: Table, seed: int = 0) -> None:
        """Learn from the table; same table and seed, same model. Raise UnfitTable for one that cannot be used."""

    def score(self, features: Features) -> NDArray[np.float32]:
        """Return a score (n,) for each row, higher is better, rounded so that equal rows are ties."""

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Return all that scoring needs."""

    def restore(self, arrays: Mapping[str, NDArray[np.float32]]) -> None:
        """Take back what `arrays` gave; raise BadNetwork for anything else."""

    def inputs(self) -> int:
        """Return the number of feature columns, 0 before training."""


class Networks:
    """Models that are dense networks once they are trained; their scores are log-odds, see `log_odds.probability`."""

    def __init__(self, name: str, trainer: Callable[..., tuple[Network, ...]], settings: dict[str, Any]) -> None:
        self.name = name
        self.settings = settings
        self.networks = ()
        self._trainer = trainer

    @property
    def networks(self) -> tuple[Network, ...]:
        """The networks whose probabilities are averaged, none before training."""
        return self._networks

    @networks.setter
    def networks(self, networks: tuple[Network, ...]) -> None:
        self._networks = networks
        self._wide = dense.widened(networks)

    def fit(self, table: Table, seed: int = 0) -> None:
        """Train on the table, every column on one scale over all questions, so that L2 treats all alike.

        The scale goes into the first layer: the networks take features as they are.
        """
        check(table)
        scale = over_all(table.features, table.columns)
        scaled = table._replace(features=rescale(table.features, scale))
        self.networks = tuple(folded(network, scale) for network in self._trainer(scaled, seed, **self.settings))

    def score(self, features: Features) -> NDArray[np.float32]:
        """Return log-odds (n,), rounded to four decimals; rows are independent of each other."""
        return dense.score(self._wide, features)

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights, named by network and layer."""
        return dense.to_arrays(self.networks)

    def restore(self, arrays: Mapping[str, NDArray[np.float32]]) -> None:
        """Take back the weights."""
        self.networks = dense.from_arrays(arrays)

    def inputs(self) -> int:
        """Return the first layer's inputs."""
        return len(self.networks[0][0].weight) if self.networks else 0


def _ensemble(
    table: Table, seed: int = 0, *, hidden: Sequence[int] = (64, 32), networks: int = 2,
    rising: Collection[str] = (), linear: bool = False,
) -> tuple[Network, ...]:  # fmt: skip
    """Train `networks` that learn from lists and as many that learn row by row; they err on different questions.

    The table holds all rows of a question, as `listwise.fit` has it; of the wrong ones some are drawn for the others,
    from all corpora together, so that one with many answers a question weighs somewhat more.
    """
    own = table.take(balanced(table.labels, np.random.default_rng(seed), listwise.CALIBRATED_BY))
    return tuple(network for learn, each in ((listwise.fit, table), (mlp.fit, own))
                 for network in learn(each, seed, hidden=hidden, networks=networks, rising=rising, linear=linear))


TRAINERS: dict[str, Callable[..., tuple[Network, ...]]] = {
    "ensemble": _ensemble,
    "listwise": listwise.fit,
    "mlp": mlp.fit,
    "thesis": thesis.fit,
    "logistic": logistic.fit,
}
NAMES = (*TRAINERS, "rrf")
LISTWISE = frozenset({"ensemble", "listwise"})
"""Models that learn from all candidates of a question beside each other, and draw negatives themselves."""
ENSEMBLES = frozenset({"ensemble", "listwise", "mlp"})
"""Models of several networks, whose number is a setting."""


def new_model(name: str, settings: Mapping[str, Any] | None = None) -> FusionModel:
    """Make an untrained model; `settings` are the keywords of its `fit`, or of ReciprocalRank. Raise WeftError."""
    if name == "rrf":
        return ReciprocalRank(**(settings or {}))
    if name not in TRAINERS:
        raise WeftError(f"{name}: no such fusion; there are {', '.join(NAMES)}")
    return Networks(name, TRAINERS[name], dict(settings or {}))
