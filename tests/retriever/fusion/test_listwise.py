"""Networks that learn from lists: the loss by hand, its derivative by differences, and what they rank."""

from __future__ import annotations

import math

import numpy as np
import pytest

from retriever.fusion import listwise
from retriever.fusion.dense import log_odds
from retriever.learning.lists import Lists, list_losses, lists_of
from retriever.learning.log_odds import probability
from retriever.learning.table import Table, UnfitTable
from retriever.training.fit import train

COLUMNS = ("vector", "bm25", "length", "links")
SMALL = {"hidden": (16,), "networks": 1}


def questions(seed: int, n: int = 150, candidates: int = 30) -> Table:
    """Each list has one answer, the greatest by the first two columns but for what all rows of a list share."""
    random = np.random.default_rng(seed)
    features = random.normal(size=(n, candidates, 4)).astype(np.float32)
    merit = features[:, :, 0] + 0.5 * features[:, :, 1]
    features += 3 * random.normal(size=(n, 1, 4)).astype(np.float32)
    labels = merit == merit.max(1, keepdims=True)
    return Table(features.reshape(-1, 4), labels.ravel(), np.repeat(np.arange(n), candidates), COLUMNS)


def first_right(scores: np.ndarray, table: Table) -> float:
    n = int(table.groups.max()) + 1
    best = scores.reshape(n, -1).argmax(1)
    return float(table.labels.reshape(n, -1)[np.arange(n), best].mean())


def test_the_loss_of_a_list_is_the_mean_over_its_answers_each_against_all_that_is_wrong() -> None:
    scores = np.array([2.0, 1.0, 0.5, -1.0, 3.0, 3.0])
    labels = np.array([True, False, True, False, True, False])
    losses, _ = list_losses(scores, labels, np.array([0, 4, 6]))
    wrong = math.exp(1.0) + math.exp(-1.0)
    first = sum(math.log(math.exp(own) + wrong) - own for own in (2.0, 0.5)) / 2
    assert losses == pytest.approx([first, math.log(2)])


def test_the_derivative_is_that_of_the_loss() -> None:
    random = np.random.default_rng(0)
    scores, labels = random.normal(size=12), np.arange(12) % 3 == 0
    starts = np.array([0, 5, 12])
    _, slope = list_losses(scores, labels, starts)
    for index in range(12):
        step = np.zeros(12)
        step[index] = 1e-6
        (up, _), (down, _) = (list_losses(scores + sign * step, labels, starts) for sign in (1, -1))
        assert slope[index] == pytest.approx((up - down).sum() / 2e-6, abs=1e-6)


def test_far_scores_neither_overflow_nor_vanish() -> None:
    losses, slope = list_losses(np.array([-5e3, 5e3, 0.0]), np.array([True, False, False]), np.array([0, 3]))
    assert np.isfinite(losses).all() and np.isfinite(slope).all()
    assert slope[0] == pytest.approx(-1) and slope[1] == pytest.approx(1)


def test_lists_without_right_or_wrong_rows_teach_nothing() -> None:
    labels = np.array([True, False, False, False, True, True, False, True])
    lists = lists_of(np.array([1, 1, 2, 2, 3, 3, 4, 4]), labels)
    assert lists.rows.tolist() == [0, 1, 6, 7] and lists.starts.tolist() == [0, 2, 4]
    assert lists.take(np.array([1, 0])).rows.tolist() == [6, 7, 0, 1]
    with pytest.raises(UnfitTable, match="no question has right and wrong candidates"):
        listwise.fit(Table(np.zeros((2, 4), np.float32), np.array([True, False]), np.arange(2), COLUMNS), 0)


def test_all_answers_and_about_so_many_of_what_is_wrong_are_drawn() -> None:
    labels = np.array([True, False, False, False, True] + [False] * 5 + [True])
    lists, n_drawn = Lists(np.arange(11), np.array([0, 5, 11])), np.zeros(11)
    for seed in range(500):
        drawn = lists.drawn(labels, 2, np.random.default_rng(seed))
        assert labels[drawn.rows].sum() == 3 and drawn.rows.tolist() == sorted(drawn.rows.tolist())
        assert drawn.starts.tolist() == [0, (drawn.rows < 5).sum(), len(drawn.rows)]
        n_drawn[drawn.rows] += 1
    assert n_drawn / 500 == pytest.approx(np.where(labels, 1.0, [2 / 3] * 5 + [2 / 5] * 6), abs=0.08)
    assert lists.drawn(labels, 9, np.random.default_rng(0)).rows.tolist() == list(range(11))


def test_the_gradient_is_that_of_the_mean_loss_and_the_penalty() -> None:
    table = questions(0, n=6, candidates=5)
    lists, widths = lists_of(table.groups, table.labels), (4, 3, 1)
    values = np.random.default_rng(1).normal(size=4 * 3 + 3 + 3 + 1).astype(np.float32)
    weights = np.linspace(0.5, 1.5, 6)

    def loss(values: np.ndarray) -> float:
        network = listwise._views(values, widths)
        scores = log_odds([network], table.features[lists.rows])
        losses, _ = list_losses(scores, table.labels[lists.rows], lists.starts)
        return float((weights * losses).mean()) + 0.005 * sum(float((weight**2).sum()) for weight, _ in network)

    found = listwise._gradient(listwise._views(values, widths), table, lists, weights, 0.01)
    for index in range(len(values)):
        step = np.zeros(len(values))
        step[index] = 1e-4
        assert found[index] == pytest.approx((loss(values + step) - loss(values - step)) / 2e-4, abs=2e-3)


def test_a_list_weighs_by_the_root_of_the_number_of_its_answers() -> None:
    labels = np.array([True, False, False, True, True, False, True, True])
    table = Table(np.zeros((8, 4), np.float32), labels, np.repeat([0, 1], [3, 5]), COLUMNS)
    table = table._replace(weights=np.repeat(np.float32([2, 1]), [3, 5]))
    assert listwise._list_weights(table, lists_of(table.groups, labels)) == pytest.approx([6 * 1, 5 * 2])


def test_what_a_question_shares_by_all_its_candidates_does_not_hide_the_answer() -> None:
    learned, held = questions(0), questions(1)
    ranked = {name: train(name, [learned], settings=SMALL) for name in ("listwise", "mlp")}
    right = {name: first_right(model.score(held.features), held) for name, model in ranked.items()}
    assert right["listwise"] > 0.85 > right["mlp"] + 0.1


def test_scores_are_log_odds_among_six_rows_of_which_one_is_right() -> None:
    table = questions(0)
    model = train("listwise", [table], settings=SMALL | {"linear": True})
    chance = probability(model.score(table.features))
    shares = np.where(table.labels, 1.0, 5 / (len(table.labels) / table.labels.sum() - 1))
    assert np.average(chance, weights=shares) == pytest.approx(1 / 6, abs=0.03)


def test_a_linear_network_weighs_as_much_as_all_others() -> None:
    networks = listwise.fit(questions(0, n=20), 0, hidden=(8,), networks=3, linear=True, epochs=2)
    assert [len(network) for network in networks] == [2, 2, 2, 1, 1, 1]


def test_negatives_are_its_own_whatever_sampling_is_given() -> None:
    table = questions(0, n=20)
    first, again = (train("listwise", [table], sampling=each, settings=SMALL) for each in ("random", "all"))
    assert {key: array.tobytes() for key, array in first.arrays().items()} == {
        key: array.tobytes() for key, array in again.arrays().items()
    }


def test_an_ensemble_is_networks_of_both_kinds() -> None:
    table, settings = questions(0, n=20), {"hidden": (8,), "networks": 2}
    both, lists = (train(name, [table], settings=settings).arrays() for name in ("ensemble", "listwise"))
    assert all(both[name].tobytes() == array.tobytes() for name, array in lists.items())
    others = {name for name in both if name not in lists}
    assert {name.split(".")[0] for name in others} == {"network2", "network3"}
    assert all(not np.array_equal(both[name], both[name.replace("k2", "k0").replace("k3", "k1")]) for name in others)
