"""Fit the planner's weights to questions with answers: the paths that reach the answers are the right ones.

Nothing says which path a question means. Of all paths from a name those are
taken for right that reach the answers best (by F1), and a name from which none
does, for one that leads nowhere. The weights maximise the likelihood of the right ones
together (a log-linear model with a squared penalty, by L-BFGS).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.datasets.gold import GoldResolver
from retriever.datasets.question_files import Question
from retriever.focus.planner.features import parts
from retriever.focus.planner.model import ALWAYS, DEFAULT, NOTHING, RelationModel
from retriever.focus.planner.plan import Start, reading_of, starts
from retriever.focus.planner.steps import schema_of
from retriever.focus.planner.wording import wording_of
from retriever.question.reader import question_of
from retriever.session import Session

LEAST_F1 = 0.2
"""How well the best path of a name must reach the answers for the name to lead anywhere."""

PENALTY = 0.1
"""The weight of the squared weights; of the features' distance from their defaults a tenth of it."""

SMALL = 0.005
"""Weights below are left out of the file."""

ROUNDS = 150
MOST_STEPS = 3
Part = tuple[str, str]


class Choice(NamedTuple):
    """What is chosen among for one name or question: features (n, f), parts by row, cues, and which are right (n,)."""

    features: NDArray[np.float64]
    parts: tuple[tuple[str, ...], ...]
    cues: tuple[str, ...]
    right: NDArray[np.bool_]


def fit_relations(
    session: Session, questions: Sequence[Question], advance: Callable[[int], object] = lambda n: None
) -> RelationModel:
    """Return the default model as it is changed by questions with answers; empty gold teaches nothing."""
    resolver = GoldResolver(session.skb, "entity")
    ids = session.adjacency.entity_ids
    of_paths: list[Choice] = []
    of_types: list[Choice] = []
    for question in questions:
        items = resolver.gold_set(question).items
        gold = np.unique(np.searchsorted(ids, sorted(each for item in items for each in item)))
        if len(gold):
            for start in starts(session, question_of(session, question.question), DEFAULT, MOST_STEPS):
                of_paths.append(_path_choice(session, start, gold))
            of_types += _type_choice(session, question, gold)
        session.forget()
        advance(1)
    paths = fitted(of_paths, [*DEFAULT.weights, DEFAULT.nothing])
    types = fitted(of_types, [1.0])
    return RelationModel(paths.weights[:-1], paths.weights[-1], paths.cues, types.cues)


def _path_choice(session: Session, start: Start, gold: NDArray[np.int64]) -> Choice:
    """Return the paths from a name, and last none of them."""
    schema = schema_of(session)
    reached = np.array([2 * np.isin(gold, each).sum() / (len(gold) + len(each)) for each in start.places] or [0.0])
    best = float(reached.max())
    leads = best >= LEAST_F1
    right = (reached >= best - 1e-9) & leads if start.paths else np.empty(0, np.bool_)
    features = np.array([(*start.reading.features(path), 0.0) for path in start.paths])
    nothing = np.append(np.zeros(len(DEFAULT.weights)), 1.0)
    names = tuple(parts(schema, path) for path in start.paths)
    return Choice(
        np.vstack([*([features] if len(features) else []), nothing]), (*names, (NOTHING,)), start.wording.cues,
        np.append(right, not leads),
    )  # fmt: skip


def _type_choice(session: Session, question: Question, gold: NDArray[np.int64]) -> Iterable[Choice]:
    """Yield the types of the schema, where what is looked for has one."""
    schema = schema_of(session)
    asked = question_of(session, question.question)
    right = np.isin(np.arange(len(schema.types)), schema.type_of[gold])
    if right.any():
        wording = wording_of(asked.text, None, asked.mentions)
        like = reading_of(session, wording).type_scores
        yield Choice(like[:, None], tuple((name,) for name in schema.types), wording.cues, right)


class Fitted(NamedTuple):
    """Weights of features, and of cues by part."""

    weights: tuple[float, ...]
    cues: Mapping[str, Mapping[str, float]]


def fitted(choices: Sequence[Choice], start: Sequence[float]) -> Fitted:
    """Return the weights that make what is right likeliest, near those to start with; O(rows) a round."""
    from scipy.optimize import minimize

    if not choices:
        return Fitted(tuple(start), {})
    table, columns = _table(choices, len(start))
    right = np.concatenate([each.right for each in choices])
    bounds = np.cumsum([0, *(len(each.right) for each in choices)])[:-1]
    group = np.repeat(np.arange(len(choices)), [len(each.right) for each in choices])
    before = np.append(np.array(start), np.zeros(len(columns)))
    penalty = np.append(np.full(len(start), PENALTY / 10), np.full(len(columns), PENALTY))

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = table @ weights
        powers = np.exp(scores - np.maximum.reduceat(scores, bounds)[group])
        of_all, of_right = np.add.reduceat(powers, bounds), np.add.reduceat(powers * right, bounds)
        moved = weights - before
        slope = table.T @ (powers / of_all[group] - powers * right / of_right[group]) + penalty * moved
        return float(np.log(of_all / of_right).sum() + (penalty * moved**2).sum() / 2), slope

    found = minimize(loss, before, jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS}).x
    cues: dict[str, dict[str, float]] = {}
    for (part, cue), weight in zip(columns, found[len(start) :].tolist(), strict=True):
        if abs(weight) >= SMALL:
            cues.setdefault(part, {})[cue] = round(weight, 4)
    return Fitted(tuple(round(each, 4) for each in found[: len(start)].tolist()), cues)


def _table(choices: Sequence[Choice], n_features: int) -> tuple[Any, list[Part]]:
    """Return all rows as a sparse table, features first, then a column for each cue beside a part of what is right."""
    from scipy.sparse import csr_matrix, hstack

    kept = {part for each in choices for row in np.flatnonzero(each.right).tolist() for part in each.parts[row]}
    columns: dict[Part, int] = {}
    ends, entries = [0], []
    for choice in choices:
        for row in choice.parts:
            own = [(part, cue) for part in row if part in kept for cue in (*choice.cues, ALWAYS)]
            entries += [columns.setdefault(each, len(columns)) for each in own]
            ends.append(len(entries))
    features = np.vstack([each.features for each in choices]).reshape(-1, n_features)
    words = csr_matrix((np.ones(len(entries)), entries, ends), shape=(len(features), len(columns)))
    return hstack([csr_matrix(features), words]).tocsr(), list(columns)
