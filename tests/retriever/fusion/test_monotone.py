"""Fusions that never rank a candidate lower for being more like the question."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from retriever.features.matrix import COLUMNS as FEATURES
from retriever.features.matrix import INPUTS
from retriever.features.matrix import RISING as RISES
from retriever.fusion import logistic, mlp
from retriever.fusion.dense import log_odds
from retriever.fusion.models import Networks
from retriever.fusion.shipped import MODELS, SHIPPED
from retriever.fusion.store import load
from retriever.fusion.two_stage import TwoStage
from retriever.learning.monotone import project, signs_of
from retriever.learning.table import Table
from retriever.training.fit import train

COLUMNS = ("vector", "bm25", "length", "links")
RISING = ("vector", "bm25")
SETTINGS: dict[str, dict[str, object]] = {
    **{name: {"hidden": (32, 16), "networks": 1} for name in ("ensemble", "listwise", "mlp")}, "logistic": {},
}  # fmt: skip


def questions(seed: int, n: int = 60, candidates: int = 40) -> Table:
    """A corpus whose answers are less like their questions by `vector` than other candidates, and are short."""
    random = np.random.default_rng(seed)
    features = random.normal(size=(n * candidates, len(COLUMNS))).astype(np.float32)
    z = features @ np.array([-1.5, 2.0, -1.0, 0.0], np.float32)
    labels = z > np.quantile(z, 0.9)
    return Table(features, labels, np.repeat(np.arange(n), candidates), COLUMNS)


def raised(table: Table, column: str, random: np.random.Generator) -> NDArray[np.float32]:
    features = table.features.copy()
    features[:, COLUMNS.index(column)] += random.exponential(size=len(features)).astype(np.float32)
    return features


@pytest.mark.parametrize("name", SETTINGS)
def test_more_likeness_never_scores_lower(name: str) -> None:
    table = questions(0)
    model = train(name, [table], settings=SETTINGS[name] | {"rising": RISING})
    free = train(name, [table], settings=SETTINGS[name])
    random = np.random.default_rng(1)
    for column in RISING:
        more = raised(table, column, random)
        assert (model.score(more) >= model.score(table.features)).all()
    # Without the constraint this corpus teaches that likeness speaks against a candidate.
    more = raised(table, "vector", random)
    assert (free.score(more) < free.score(table.features)).mean() > 0.9


@pytest.mark.parametrize("name", SETTINGS)
def test_what_is_not_rising_may_fall(name: str) -> None:
    table = questions(0)
    model = train(name, [table], settings=SETTINGS[name] | {"rising": RISING})
    longer = raised(table, "length", np.random.default_rng(1))
    assert (model.score(longer) < model.score(table.features)).mean() > 0.5


def test_both_shapes_are_learned() -> None:
    """A column whose first half matters and one whose second half does: concave and convex."""
    random = np.random.default_rng(0)
    features = random.normal(size=(4000, 2)).astype(np.float32)
    for bent in (np.minimum(features[:, 0], 0), np.maximum(features[:, 0], 0)):
        labels = random.random(len(features)) < 1 / (1 + np.exp(-4 * bent.astype(np.float64)))
        table = Table(features, labels, np.arange(len(features)) // 40, ("vector", "bm25"))
        networks = mlp.fit(table, 0, hidden=(16,), networks=1, penalty=0.01, rising=("vector",))
        low, middle, high = log_odds(networks, np.array([[-1.5, 0], [0, 0], [1.5, 0]], np.float32)).tolist()
        steep, flat = (middle - low, high - middle) if bent.min() < 0 else (high - middle, middle - low)
        assert steep > 3 > 1 > flat >= 0


def test_bounds_that_do_not_bind_change_nothing() -> None:
    table = questions(0)
    table = table._replace(labels=table.features @ np.array([1.5, 2, -1, 0], np.float32) > 2)
    ((bounded,),) = logistic.fit(table, 0, rising=RISING)
    ((free,),) = logistic.fit(table, 0)
    assert np.allclose(bounded.weight, free.weight, atol=0.02)
    assert np.allclose(bounded.bias, free.bias, atol=0.02)


def test_projection_changes_only_what_is_wrong() -> None:
    signs = signs_of(COLUMNS, RISING, (4,))
    random = np.random.default_rng(0)
    weights = [random.normal(size=sign.shape) for sign in signs]
    before = [weight.copy() for weight in weights]
    project(weights, signs)
    for old, new, sign in zip(before, weights, signs, strict=True):
        assert np.array_equal(new[sign == 0], old[sign == 0])
        assert (new * sign >= 0).all()
        assert np.array_equal(new[old * sign > 0], old[old * sign > 0])
    assert (signs[0][2:] == 0).all() and (signs[0][:2] != 0).all()


@pytest.mark.parametrize("name", SHIPPED)
def test_what_ships_never_ranks_more_likeness_lower(name: str) -> None:
    model = load(MODELS / f"{name}.json", FEATURES).model
    assert isinstance(model, TwoStage)
    random = np.random.default_rng(0)
    for part, columns in ((model.first, INPUTS), (model.second, FEATURES)):
        features = random.normal(size=(200, len(columns))).astype(np.float32)
        scores = part.score(features)
        for index, column in enumerate(columns):
            if column in RISES:
                more = features.copy()
                more[:, index] += random.exponential(size=len(features)).astype(np.float32)
                assert (part.score(more) >= scores).all(), column


def test_a_fusion_is_trained_monotone_and_says_so(small_fusion: Path) -> None:
    fusion = load(small_fusion)
    assert set(fusion.head.settings["rising"]) == RISES
    assert isinstance(fusion.model, TwoStage) and isinstance(fusion.model.second, Networks)
    ((layer,),) = fusion.model.second.networks
    rising = np.array([column in RISES for column in FEATURES])
    assert (layer.weight[rising] >= 0).all() and (layer.weight[~rising] < 0).any()
