"""Fusion models on synthetic questions: what they learn, that they are exact, and what they refuse."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from threadpoolctl import threadpool_info

from interfaces.cli import main
from retriever.explain.contributions import contributions
from retriever.fusion import mlp, thesis
from retriever.fusion.dense import MOST, Layer, log_odds, score
from retriever.fusion.models import NAMES
from retriever.fusion.rrf import ReciprocalRank
from retriever.fusion.store import (
    BadFusionFile,
    Fusion,
    Head,
    TrainingSet,
    _packed,
    dumps,
    file_hash,
    load,
    loads,
    save,
)
from retriever.fusion.thesis_network import (
    Moments,
    Parameters,
    count,
    cross_entropy,
    flatten,
    fold,
    gradients,
    squares,
    views,
)
from retriever.learning.log_odds import probability
from retriever.learning.mask import Mask, drop_groups, mask
from retriever.learning.sampling import balanced, hard, limited, split
from retriever.learning.standardise import over_all, rescale, within_questions
from retriever.learning.table import Table, UnfitTable, join
from retriever.training.fit import train
from weft.errors import WeftError

COLUMNS = ("vector", "bm25", "page", "graph")
AVERAGED = ("ensemble", "listwise", "mlp")
SMALL: dict[str, dict[str, object]] = {
    **{name: {"hidden": (32, 16), "networks": 2} for name in AVERAGED},
    "thesis": {"hidden": (32, 16), "dropout": (0.1, 0.1)},
}
ALONE = SMALL | {name: {"hidden": (32, 16), "networks": 1} for name in AVERAGED}
"""Where it matters what a network learns, and not that several are averaged."""


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
    features = random.normal(size=(1600, 4)).astype(np.float32)
    labels = features[:, 0] * features[:, 1] > 0
    return Table(features, labels, np.repeat(np.arange(40), 40), COLUMNS)


def _auc(model_name: str, train_on: Table, held: Table, **options: object) -> float:
    from sklearn.metrics import roc_auc_score

    model = train(model_name, [train_on], settings=ALONE.get(model_name), **options)  # type: ignore[arg-type]
    return float(roc_auc_score(held.labels, model.score(held.features)))


@pytest.mark.parametrize(
    ("name", "least"),
    [("ensemble", 0.87), ("listwise", 0.86), ("mlp", 0.87), ("thesis", 0.85), ("logistic", 0.87), ("rrf", 0.65)],
)
def test_a_model_learns_what_can_be_learned(name: str, least: float) -> None:
    assert _auc(name, _questions(0), _questions(1)) > least


@pytest.mark.slow
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


@pytest.mark.parametrize("name", ["ensemble", "listwise", "mlp", "thesis", "logistic"])
def test_a_score_does_not_depend_on_the_rows_beside_it(name: str) -> None:
    table = _questions(0, questions=30)
    model = train(name, [table], settings=SMALL.get(name))
    together = model.score(table.features)
    alone = np.concatenate([model.score(row[None]) for row in table.features[:200]])
    assert np.array_equal(together[:200], alone)
    assert together.dtype == np.float32


def test_inference_is_that_of_scikit_learn() -> None:
    from sklearn.neural_network import MLPClassifier

    table = _questions(0, questions=30)
    theirs = MLPClassifier((32, 16), max_iter=20, random_state=0, tol=1.0).fit(table.features, table.labels)
    ours = log_odds([mlp.weights_of(theirs)], table.features)
    expected = theirs.predict_proba(table.features)[:, 1]
    assert np.allclose(probability(ours.astype(np.float32)), expected, atol=1e-6)


def test_scoring_needs_no_scikit_learn() -> None:
    code = "import sys, retriever.fusion.store, retriever.training.fit; print('sklearn' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "False\n"


def test_a_sure_network_does_not_make_ties() -> None:
    steep = ((Layer(np.array([[100.0]], np.float32), np.zeros(1, np.float32)),),)
    assert score(steep, np.array([[1.0], [2.0], [-1.0], [0.0]], np.float32)).tolist() == [100.0, 200.0, -100.0, 0.0]


def test_networks_are_averaged_in_probability() -> None:
    one, other = ((Layer(np.array([[slope]], np.float32), np.zeros(1, np.float32)),) for slope in (1.0, 3.0))
    mean = (1 / (1 + np.exp(-1)) + 1 / (1 + np.exp(-3))) / 2
    found = probability(score([one, other], np.ones((1, 1), np.float32)))
    assert np.allclose(found, mean, atol=1e-5)


# The network of the thesis


def _double(seed: int = 0, n: int = 12) -> tuple[Parameters, np.ndarray, np.ndarray, np.ndarray, list[np.ndarray]]:
    random = np.random.default_rng(seed)
    sizes = (4, 7, 5, 1)
    parameters = views(random.normal(size=count(sizes)), sizes)
    kept = [(random.random((n, width)) > 0.3) / 0.7 for width in (7, 5)]
    return parameters, random.normal(size=(n, 4)), (random.random(n) > 0.5) * 1.0, random.random(n) + 0.5, kept


def test_gradients_are_those_of_finite_differences() -> None:
    parameters, features, labels, weights, kept = _double()
    flat = flatten(parameters)
    _, found, _ = gradients(parameters, features, labels, weights, kept, 0.01)
    expected = np.empty_like(flat)
    for index in range(len(flat)):
        losses = []
        for step in (1e-6, -1e-6):
            moved = flat.copy()
            moved[index] += step
            losses.append(gradients(views(moved, (4, 7, 5, 1)), features, labels, weights, kept, 0.01)[0])
        expected[index] = (losses[0] - losses[1]) / 2e-6
    assert np.abs(found - expected).max() < 1e-6


def test_inference_with_the_batch_moments_is_the_training_pass_without_dropout() -> None:
    parameters, features, labels, weights, kept = _double()
    ones = [np.ones_like(each) for each in kept]
    loss, _, moments = gradients(parameters, features, labels, weights, ones, 0.01)
    outputs = log_odds([fold(parameters, moments)], features)
    assert cross_entropy(outputs, labels, weights) + squares(parameters, 0.01) == pytest.approx(loss, abs=1e-5)


def test_inference_does_not_normalise_by_the_rows_scored() -> None:
    parameters, features, *_ = _double()
    moments = [Moments(np.full(width, 0.5), np.full(width, 2.0)) for width in (7, 5)]
    network = fold(parameters, moments)
    assert np.allclose(log_odds([network], features)[:1], log_odds([network], features[:1]), atol=1e-12)


def test_the_penalty_is_on_hidden_kernels_alone() -> None:
    parameters = views(np.arange(1.0, 7.0), (1, 1, 1))
    assert parameters.hidden[0].kernel.tolist() == [[1.0]] and parameters.kernel.tolist() == [[5.0]]
    assert squares(parameters, 0.01) == 0.01
    assert count((5, 254, 128, 64, 1)) == 5 * 254 + 254 * 128 + 128 * 64 + 3 * (254 + 128 + 64) + 65


def test_early_stopping_restores_the_best_weights() -> None:
    own, held = _questions(0, questions=20), _questions(1, questions=20)
    trained = thesis.train(own, held, np.random.default_rng(0), hidden=(32,), dropout=(0.2,), penalty=0.0)
    found = cross_entropy(log_odds([trained.network], held.features), held.labels * 1.0, held.row_weights())
    best = int(np.argmin(trained.losses))
    assert found == pytest.approx(trained.losses[best], abs=1e-7)
    assert len(trained.losses) == best + 1 + 10 < 100


def test_mlp_keeps_the_epoch_with_the_least_loss() -> None:
    table = _questions(0, questions=12)
    held = table.take(split(table.groups, 0.2, np.random.default_rng([0, 0]))[1])
    losses = []
    for epochs in range(1, 16):
        networks = mlp.fit(table, 0, hidden=(64,), networks=1, epochs=epochs, rate=0.01, penalty=0.0, patience=4)
        losses.append(mlp.log_loss(log_odds(networks, held.features), held))
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] == losses[-2] < losses[0]


def test_the_rate_falls_on_a_plateau() -> None:
    plateau = thesis.Plateau()
    rates = [0.001]
    for loss in [1.0, 0.5, *[0.49995] * 12]:
        rates.append(plateau.next_rate(rates[-1], loss))
    assert [round(rate, 6) for rate in rates] == [0.001] * 7 + [0.0002] * 5 + [0.0001] * 3


# Samples


@pytest.mark.parametrize("seed", range(20))
def test_a_split_never_parts_a_question(seed: int) -> None:
    random = np.random.default_rng(seed)
    groups = random.integers(0, random.integers(2, 30), 200)
    own, held = split(groups, 0.2, random)
    assert sorted([*own, *held]) == list(range(200))
    assert not set(groups[own]) & set(groups[held])
    assert len(own) and len(held)


def test_a_single_question_is_on_both_sides() -> None:
    own, held = split(np.zeros(3, np.int64), 0.2, np.random.default_rng(0))
    assert own.tolist() == held.tolist() == [0, 1, 2]


def test_a_balanced_sample_has_all_positives_and_as_many_negatives() -> None:
    labels = np.random.default_rng(0).random(500) < 0.1
    rows = balanced(labels, np.random.default_rng(0))
    assert labels[rows].sum() == labels.sum() == len(rows) // 2
    assert balanced(labels, np.random.default_rng(0), 3.0).size == 4 * labels.sum()
    assert balanced(~labels, np.random.default_rng(0)).tolist() == list(range(500))


def test_few_observations_are_half_of_each_kind() -> None:
    labels = np.random.default_rng(0).random(2000) < 0.3
    assert np.bincount(labels[limited(labels, 200, np.random.default_rng(0))]).tolist() == [100, 100]


@pytest.mark.parametrize("seed", range(10))
def test_hard_negatives_are_the_upper_tenth_of_each_question(seed: int) -> None:
    random = np.random.default_rng(seed)
    groups, labels = random.integers(0, 8, 400), random.random(400) < 0.05
    scores = np.round(random.random(400), 1).astype(np.float32)
    kept = hard(scores, labels, groups, random)
    assert set(np.flatnonzero(labels)) <= set(kept)
    for question in range(8):
        wrong = np.flatnonzero((groups == question) & ~labels)
        own = np.intersect1d(wrong, kept)
        assert len(own) == len(wrong) - int(0.9 * len(wrong) + 1e-9)
        assert scores[own].min() >= scores[np.setdiff1d(wrong, own)].max()


@pytest.mark.slow
def test_hard_negatives_alone_may_teach_the_reverse_and_mixed_ones_do_not() -> None:
    assert _auc("mlp", _questions(0), _questions(1), sampling="hard") < 0.65
    assert _auc("mlp", _questions(0), _questions(1), sampling="mixed") > 0.83


def test_hard_negatives_teach_where_answers_score_high() -> None:
    def clear(seed: int) -> Table:
        table = _questions(seed)
        labels = table.features[:, 0] + 0.5 * table.features[:, 1] > 2.2
        return table._replace(labels=labels)

    assert _auc("logistic", clear(0), clear(1), sampling="hard") > 0.99


def test_a_corpus_counts_by_its_questions_not_its_rows() -> None:
    one, other = _questions(0, questions=30), _questions(1, questions=30)
    other = other._replace(features=-other.features)
    thrice = other.take(np.repeat(np.arange(len(other.labels)), 3))
    settings = {"penalty": 1e-6}
    plain, repeated = (train("logistic", [one, each], sampling="all", settings=settings) for each in (other, thrice))
    for name, weights in plain.arrays().items():
        assert np.allclose(weights, repeated.arrays()[name], atol=1e-3)


def test_a_question_of_two_tables_is_one() -> None:
    table = _questions(0, questions=6)
    joined = join([table, table._replace(groups=table.groups + 3)])
    assert np.unique(joined.groups).tolist() == [*range(9)]
    own, held = split(joined.groups, 0.3, np.random.default_rng(0))
    assert not set(joined.groups[own].tolist()) & set(joined.groups[held].tolist())


def test_domains_weigh_alike_and_in_one_its_corpora() -> None:
    """One domain of two corpora and one of one, which say the opposite of a column: neither wins."""
    table = _questions(0, questions=30)
    opposite = table._replace(features=-table.features)
    both = train("logistic", [table, table, opposite], sampling="all", domains=["a", "a", "b"])
    alone = train("logistic", [table, table, opposite], sampling="all")
    (((layer,),), ((alone_layer,),)) = (model.networks for model in (both, alone))
    assert np.abs(layer.weight).max() < 0.05 < np.abs(alone_layer.weight).max()


# Columns


def test_standardising_within_questions() -> None:
    features = np.array([[1, 5, 1], [3, 5, 0], [10, 5, 0], [10, 7, 1]], np.float32)
    found = within_questions(features, ("bm25", "page", "path"), {"path"}, np.array([4, 4, 2, 2]))
    assert found.tolist() == [[-1, 0, 1], [1, 0, 0], [0, -1, 0], [0, 1, 1]]
    assert within_questions(features[:2], ("bm25", "page", "path"), {"path"}).tolist() == [[-1, 0, 1], [1, 0, 0]]
    assert within_questions(features[:0], ("bm25", "page", "path")).shape == (0, 3)


def test_rounding_is_no_spread() -> None:
    features = np.full((1000, 1), 0.1, np.float32)
    features[::3] = np.nextafter(np.float32(0.1), np.float32(1))
    assert not within_questions(features, ("vector",)).any()
    assert not rescale(features, over_all(features, ("vector",))).any()


def test_standardising_over_all() -> None:
    features = np.array([[1, 5, 1], [3, 5, 0]], np.float32)
    scale = over_all(features, ("bm25", "page", "path"), {"path"})
    assert rescale(features, scale).tolist() == [[-1, 0, 1], [1, 0, 0]]
    assert rescale(np.array([[5, 9, 1]], np.float32), scale).tolist() == [[3, 0, 1]]


@pytest.mark.parametrize(("rows", "width"), [(10, 33), (16_384, 16), (20_000, 17)])
def test_standardising_part_by_part_is_that_of_the_whole(rows: int, width: int) -> None:
    features = np.random.default_rng(0).normal(3, 2, (rows, width)).astype(np.float32)
    scale = over_all(features, [str(index) for index in range(width)])
    mean, std = (each(features, axis=0, dtype=np.float64).astype(np.float32) for each in (np.mean, np.std))
    assert np.array_equal(scale.mean, mean) and np.array_equal(scale.std, std)
    whole = (features.astype(np.float64) - mean) / std.astype(np.float64)
    assert np.allclose(rescale(features, scale), whole, atol=1e-6)


def test_an_unknown_embedder_is_masked() -> None:
    features = np.ones((2, 3), np.float32)
    columns = ("bm25", "vector", "page")
    assert mask(features, columns, {"vector", "page"}, known=False).tolist() == [[1, 0, 0], [1, 0, 0]]
    assert mask(features, columns, {"vector", "page"}, known=True) is features


def test_masks_blank_whole_questions() -> None:
    groups = np.repeat(np.arange(2000), 3)
    masks = [Mask("embedder", ("a", "c"), 0.25), Mask("graph", ("d",), 0.5)]
    found = drop_groups(np.ones((6000, 4), np.float32), tuple("abcd"), groups, masks, np.random.default_rng(0))
    of_question = found.reshape(2000, 3, 4)
    assert (of_question == of_question[:, :1]).all()
    assert (found[:, 0] == found[:, 2]).all() and found[:, 1].all()
    assert np.abs(found.mean(axis=0) - [0.75, 1, 0.75, 0.5]).max() < 0.03


@pytest.mark.slow
def test_a_model_trained_with_masks_copes_better_without_the_columns() -> None:
    def both(seed: int) -> Table:
        table = _either(seed)
        labels = table.features[:, 0] > 0.3
        noisy = table.features[:, 0] + 0.5 * table.features[:, 1]
        return table._replace(features=np.column_stack([table.features[:, 0], noisy, *table.features[:, 2:].T]),
                              labels=labels)

    def accuracy(masks: list[Mask]) -> float:
        held = both(1)
        model = train("mlp", [both(0)], masks=masks, settings=ALONE["mlp"])
        return float(((model.score(mask(held.features, COLUMNS, {"vector"}, known=False)) > 0) == held.labels).mean())

    assert accuracy([Mask("embedder", ("vector",), 0.5)]) > accuracy([]) + 0.05


# Contributions


def test_contributions_of_a_weighted_sum_are_its_terms_beside_their_means() -> None:
    table = _questions(0, questions=20)
    model = train("logistic", [table])
    weight = model.arrays()["network0.layer0.weight"][:, 0]
    found = contributions(model, table.features, [3, 7])
    assert np.allclose(found, (table.features[[3, 7]] - table.features.mean(0)) * weight, atol=2e-4)


def test_what_is_the_same_of_all_candidates_contributes_nothing() -> None:
    table = _questions(0, questions=20)
    model = train("logistic", [table])
    features = table.features.copy()
    features[:, 0] = 3.0
    assert np.allclose(contributions(model, features, [3, 7])[:, 0], 0.0)


def test_contributions_to_reciprocal_ranks_add_up() -> None:
    model = ReciprocalRank(use=("a", "b"), ascending=("b",))
    model.fit(Table(np.zeros((0, 3), np.float32), np.zeros(0, bool), np.zeros(0, np.int64), ("a", "b", "c")))
    features = np.array([[0.9, 1, 5], [0.5, 2, 6], [0.5, 3, 7]], np.float32)
    found = contributions(model, features)
    assert np.allclose(found, [[1 / 61, 1 / 61, 0], [1 / 62, 1 / 62, 0], [1 / 62, 1 / 63, 0]])
    assert np.allclose(model.score(features), found.sum(axis=1), atol=1e-6)


# The file


def _fusion(name: str) -> Fusion:
    table = _questions(0, questions=20)
    trained_on = (TrainingSet("2wiki", "ab" * 32, 20, 800, int(table.labels.sum())),)
    scale = over_all(table.features, COLUMNS, {"graph"})
    head = Head(name, COLUMNS, ("tfidf", "minilm"), trained_on, {"sampling": "random"}, scale)
    return Fusion(head, train(name, [table], settings=SMALL.get(name)))


@pytest.mark.parametrize("name", NAMES)
def test_a_file_gives_back_every_bit(name: str, tmp_path: Path) -> None:
    fusion = _fusion(name)
    save(tmp_path / "fusion.json", fusion)
    found = load(tmp_path / "fusion.json", COLUMNS)
    assert found.head._replace(scale=None) == fusion.head._replace(scale=None)
    assert found.head.scale is not None and fusion.head.scale is not None
    for one, other in zip(found.head.scale, fusion.head.scale, strict=True):
        assert one.tobytes() == other.tobytes()
    features = _questions(5, questions=2).features
    assert found.model.score(features).tobytes() == fusion.model.score(features).tobytes()
    assert dumps(found) == dumps(fusion)
    assert [path.name for path in tmp_path.iterdir()] == ["fusion.json"]


def test_a_file_begins_with_what_a_person_can_read() -> None:
    text = dumps(_fusion("logistic"))
    assert text.startswith('{\n "format": "weft-fusion",\n "version": 1,\n "model": "logistic",\n "columns": [\n')
    assert text.index('"trained_on"') < text.index('"arrays"')


REFUSED = [
    (lambda r: r.update(format="onnx"), "f.json: is no fusion file; `weft train` writes one"),
    (lambda r: r.update(version=2), "f.json: has format version 2; this Weft reads version 1"),
    (
        lambda r: r.update(model="forest"),
        "is damaged: forest: no such fusion; there are ensemble, listwise, mlp, thesis, logistic, rrf",
    ),
    (lambda r: r.pop("columns"), "is damaged: columns is missing or not list"),
    (lambda r: r.update(columns=["a", "a", "b", "c"]), "columns must be different strings"),
    (lambda r: r.update(columns=["a\nb", "a", "b", "c"]), "columns must be different strings"),
    (lambda r: r.update(columns=["a" * 201, "a", "b", "c"]), "columns must be different strings"),
    (lambda r: r.update(columns=[["a"], "a", "b", "c"]), "columns must be different strings"),
    (lambda r: r.update(embedders=["\x1b[2J"]), "embedders must be different strings"),
    (lambda r: r.update(embedders="tfidf"), "embedders is missing or not list"),
    (lambda r: r.update(model="x" * 10_000), "xxx: no such fusion"),
    (lambda r: r.update(model="\x1b[2J\n"), "\\x1b[2J\\n: no such fusion"),
    (lambda r: r.update(version=[1] * 10_000), "has format version [1, 1, 1,"),
    (lambda r: r.update(version="\ud800\n"), "has format version '\\ud800\\n';"),
    (lambda r: r["trained_on"][0].update(texts="?"), "texts of the training set 2wiki are no hashes"),
    (lambda r: r["trained_on"][0].update(texts="QUJD"), "texts of the training set 2wiki are no hashes: 3 bytes"),
    (lambda r: r["trained_on"][0].update(texts=7), "texts is missing or not str"),
    (lambda r: r["scale"].update(mean=[10**400] * 4), "mean of the scale must be 4 numbers"),
    (lambda r: r["scale"].update(mean=[True] * 4), "mean of the scale must be 4 numbers"),
    (lambda r: r["scale"].update(std=[[1.0]] * 4), "std of the scale must be 4 numbers"),
    (lambda r: r["arrays"][BIAS].update(shape=[10**30, 0], data=""), "at most two sizes"),
    (lambda r: r["arrays"][BIAS].update(shape=[1] * 100), "at most two sizes"),
    (lambda r: r["arrays"][BIAS].update(shape=[True]), "at most two sizes"),
    (lambda r: r["arrays"][BIAS].update(shape=[[1]]), "at most two sizes"),
    (lambda r: r["arrays"][BIAS].update(data="yvJJcQ=="), "bias holds a value beyond 1e+12"),
    (lambda r: r["arrays"].update({"x\n\x1b" * 999: r["arrays"][BIAS]}), "array x\\n\\x1bx"),
    (lambda r: r["arrays"].update(deep_network(20)), "more than 8 layers"),
    (lambda r: r.update(columns=["a", "b", "c"], scale=None), "the model takes 4 features and 3 are named"),
    (lambda r: r.update(scale={"mean": [0.0] * 4, "std": [1.0]}), "std of the scale must be 4 numbers"),
    (lambda r: r["scale"].update(mean=[1e300] * 4), "mean of the scale holds a value that is not finite"),
    (lambda r: r.update(trained_on=[{"name": "x"}]), "sha256 is missing or not str"),
    (lambda r: r.update(arrays=[]), "arrays is missing or not dict"),
    (lambda r: r["arrays"].clear(), "array network0.layer0.weight is missing"),
    (lambda r: r["arrays"].pop(BIAS), "array network0.layer0.weight of shape (4, 1) does not fit"),
    (lambda r: r["arrays"].update(other=r["arrays"][BIAS]), "array other belongs to no layer"),
    (lambda r: r["arrays"][BIAS].update(shape=[2]), "bias holds 4 bytes and its shape [2] asks for 8"),
    (lambda r: r["arrays"][BIAS].update(shape=[-1]), "has dtype <f4 and shape [-1]"),
    (lambda r: r["arrays"][BIAS].update(dtype="<f8"), "has dtype <f8 and shape [1]; the dtype must be <f4"),
    (lambda r: r["arrays"][BIAS].update(dtype="object"), "the dtype must be <f4"),
    (lambda r: r["arrays"][BIAS].update(data="?"), "bias is not base64"),
    (lambda r: r["arrays"][BIAS].update(data="AADAfw=="), "bias holds a value that is not finite"),
    (lambda r: r["arrays"][BIAS].update(data="AACAfw=="), "bias holds a value that is not finite"),
    (lambda r: r["arrays"].update({BIAS: 3}), "shape is missing or not list"),
]
BIAS = "network0.layer0.bias"


def deep_network(layers: int) -> dict[str, Any]:
    """Return the arrays of a second network of many layers."""
    sizes = [4, *[1] * layers]
    return {
        f"network1.layer{n}.{part}": _packed(np.zeros(shape, np.float32))
        for n in range(layers)
        for part, shape in (("weight", (sizes[n], sizes[n + 1])), ("bias", (sizes[n + 1],)))
    }


@pytest.mark.parametrize(("spoil", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_a_spoilt_file_is_refused(spoil: Callable[[Any], object], message: str) -> None:
    record = json.loads(dumps(_fusion("logistic")))
    spoil(record)
    with pytest.raises(BadFusionFile) as caught:
        loads(json.dumps(record), "f.json")
    assert message in str(caught.value) and str(caught.value).isprintable() and len(str(caught.value)) < 1200


@pytest.mark.parametrize("keep", [0, 1, 200, -30, -4])
def test_a_truncated_file_is_refused(keep: int, tmp_path: Path) -> None:
    path = tmp_path / "fusion.json"
    path.write_text(dumps(_fusion("logistic"))[:keep], encoding="utf-8")
    with pytest.raises(BadFusionFile, match="is cut short or no fusion file"):
        load(path)


@pytest.mark.parametrize("content", [b"\x80\x04\x95", b"[1]", b'{"format": NaN}', b"[" * 100_000])
def test_another_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "fusion.json"
    path.write_bytes(content)
    with pytest.raises(BadFusionFile, match="no fusion file"):
        load(path)


@pytest.mark.parametrize("seed", range(40))
def test_a_file_with_flipped_bits_loads_or_is_refused_in_one_line(seed: int) -> None:
    draw = random.Random(seed)
    content = bytearray(dumps(_fusion("rrf")).encode())
    for _ in range(draw.randrange(1, 4)):
        content[draw.randrange(len(content))] ^= 1 << draw.randrange(7)
    text = content.decode("utf-8", "replace")
    try:
        found = loads(text, "f.json")
    except BadFusionFile as error:
        assert str(error).isprintable()
    else:
        assert np.isfinite(found.model.score(np.zeros((3, found.model.inputs()), np.float32))).all()


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "fusion.json"
    with path.open("wb") as file:
        file.truncate(10 << 30)
    with pytest.raises(BadFusionFile, match="has more than 64 MB, so it is no fusion file"):
        load(path)


@pytest.mark.parametrize(
    "content",
    [b"", b"null", b"[]", b'"weft-fusion"', b"[" * 100_000, b'{"a":' * 100_000, b"\xff\xfe\x00", b"1" * 100_000,
     b'{"format": "weft-fusion", "version": 1, "settings": ' + b"[" * 5000 + b"]" * 5000 + b"}",
     b'{"format": "weft-fusion", "version": Infinity}', b"\0" * 1000],
    ids=range(11),
)  # fmt: skip
def test_a_search_refuses_any_other_file_in_one_line(world: Path, content: bytes, tmp_path: Path) -> None:
    (tmp_path / "fusion.json").write_bytes(content)
    for path in (tmp_path / "fusion.json", tmp_path, tmp_path / ("n" * 300), tmp_path / "fusion.json" / "inside"):
        result = CliRunner().invoke(main, ["search", str(world), "q", "--fusion", str(path)])
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1), result.output
        assert result.stderr.startswith("Error: ")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFusionFile, match=r"fusion\.json: cannot be read: No such file"):
        load(tmp_path / "fusion.json")
    with pytest.raises(WeftError, match=r"cannot be written \(No such file"):
        save(tmp_path / "none" / "fusion.json", _fusion("rrf"))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (("vector", "bm25", "graph", "page"), "column 3 is page in one and graph in the other"),
        (("vector", "bm25", "page"), "column 4, graph, is in one only"),
        (("vector", "bm25", "page", "graph", "path"), "column 5, path, is in one only"),
    ],
)
def test_other_columns_are_refused(columns: tuple[str, ...], message: str, tmp_path: Path) -> None:
    save(tmp_path / "fusion.json", _fusion("rrf"))
    with pytest.raises(BadFusionFile, match=message):
        load(tmp_path / "fusion.json", columns)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"labels": np.zeros(80, bool)}, "80 rows of training data are all of one kind"),
        ({"columns": ("a", "b")}, "a table of 80 rows and 4 features has 80 labels, 80 questions and 2 column names"),
        ({"features": np.full((80, 4), np.nan, np.float32)}, "feature vector is not finite in some rows"),
    ],
)
def test_a_table_that_teaches_nothing_is_refused(change: dict[str, Any], message: str) -> None:
    table = _questions(0, questions=2)._replace(**change)
    with pytest.raises(UnfitTable, match=message):
        train("logistic", [table])


def test_training_sets_with_other_columns_and_unknown_models_are_refused() -> None:
    table = _questions(0, questions=2)
    with pytest.raises(UnfitTable, match="training sets differ: column 1 is vector in one and a in the other"):
        train("logistic", [table, table._replace(columns=tuple("abcd"))])
    known = "ensemble, listwise, mlp, thesis, logistic, rrf"
    with pytest.raises(WeftError, match=f"forest: no such fusion; there are {known}"):
        train("forest", [table])


def test_a_question_file_is_named_by_its_hash(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_bytes(b"abc")
    assert file_hash(tmp_path / "q.jsonl") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


# One thread, and weights beyond reason


def test_several_threads_leave_matrix_products_as_they_were() -> None:
    network = (Layer(np.ones((3, 1), np.float32), np.zeros(1, np.float32)),)
    before = [each["num_threads"] for each in threadpool_info()]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: score([network], np.ones((50_000, 3), np.float32)), range(16)))
    assert [each["num_threads"] for each in threadpool_info()] == before


def test_no_weights_of_a_file_make_scores_beyond_a_float() -> None:
    sizes = (3, 4, 4, 1)
    network = tuple(
        Layer(np.full((first, last), 1e12, np.float32), np.zeros(last, np.float32)) for first, last in pairwise(sizes)
    )
    found = score([network], np.array([[1, 2, 3], [-1, -2, -3]], np.float32))
    assert np.isfinite(found).all() and found[0] == MOST
