"""Fusion models on synthetic questions: what they learn, that they are exact, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from retriever.fusion.dense import probability
from retriever.fusion.models import NAMES
from retriever.fusion.table import Table
from retriever.fusion.train import train

COLUMNS = ("vector", "bm25", "page", "graph")
SMALL = {"mlp": {"hidden": (32, 16), "networks": 2}, "thesis": {"hidden": (32, 16), "dropout": (0.1, 0.1)}}


def _questions(seed: int, questions: int = 120, candidates: int = 40) -> Table:
    """Two columns that tell the answers and two that tell nothing."""
    random = np.random.default_rng(seed)
    features = random.normal(size=(questions * candidates, 4)).astype(np.float32)
    odds = 2.0 * features[:, 0] + 1.0 * features[:, 1] - 3.0
    labels = random.random(len(odds)) < 1 / (1 + np.exp(-odds))
    return Table(features, labels, np.repeat(np.arange(questions), candidates), COLUMNS)


def _either(seed: int) -> Table:
    """An answer is where the first two columns have the same sign, which no weighted sum can tell."""
    random = np.random.default_rng(seed)
    features = random.normal(size=(4000, 4)).astype(np.float32)
    labels = features[:, 0] * features[:, 1] > 0
    return Table(features, labels, np.repeat(np.arange(100), 40), COLUMNS)


def _auc(model_name: str, train_on: Table, held: Table, **options: object) -> float:
    from sklearn.metrics import roc_auc_score

    model = train(model_name, [train_on], settings=SMALL.get(model_name), **options)  # type: ignore[arg-type]
    return float(roc_auc_score(held.labels, model.score(held.features)))


@pytest.mark.parametrize(("name", "least"), [("mlp", 0.87), ("thesis", 0.85), ("logistic", 0.87), ("rrf", 0.65)])
def test_a_model_learns_what_can_be_learned(name: str, least: float) -> None:
    assert _auc(name, _questions(0), _questions(1)) > least


def test_networks_learn_what_a_weighted_sum_cannot() -> None:
    found = {name: _auc(name, _either(0), _either(1)) for name in NAMES}
    assert found["mlp"] > 0.95 and found["thesis"] > 0.9
    assert found["logistic"] < 0.6 and found["rrf"] < 0.6


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_model(name: str) -> None:
    table = _questions(0, questions=30)
    first, again = (train(name, [table], seed=3, settings=SMALL.get(name)) for _ in range(2))
    assert {key: array.tobytes() for key, array in first.arrays().items()} == {
        key: array.tobytes() for key, array in again.arrays().items()
    }


@pytest.mark.parametrize("name", ["mlp", "thesis", "logistic"])
def test_a_score_does_not_depend_on_the_rows_beside_it(name: str) -> None:
    table = _questions(0, questions=30)
    model = train(name, [table], settings=SMALL.get(name))
    together = model.score(table.features)
    alone = np.concatenate([model.score(row[None]) for row in table.features[:200]])
    assert np.array_equal(together[:200], alone)
    assert together.dtype == np.float32


def test_inference_is_that_of_scikit_learn() -> None:
    from sklearn.neural_network import MLPClassifier

    from retriever.fusion.dense import log_odds
    from retriever.fusion.mlp import weights_of

    table = _questions(0, questions=30)
    theirs = MLPClassifier((32, 16), max_iter=20, random_state=0, tol=1.0).fit(table.features, table.labels)
    ours = log_odds([weights_of(theirs)], table.features)
    expected = theirs.predict_proba(table.features)[:, 1]
    assert np.allclose(probability(ours.astype(np.float32)), expected, atol=1e-6)
