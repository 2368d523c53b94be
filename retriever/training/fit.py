"""Train a fusion on the candidate tables of several corpora."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from retriever.fusion.models import FusionModel, new_model
from retriever.learning.mask import Mask, drop_groups
from retriever.learning.sampling import EASY, balanced, hard, limited, mixed
from retriever.learning.table import Labels, Rows, Table, check, join

Sampling = Literal["random", "hard", "mixed", "all"]


def train(
    model_name: str,
    tables: Sequence[Table],
    *,
    sampling: Sampling = "random",
    seed: int = 0,
    masks: Sequence[Mask] = (),
    limit: int | None = None,
    ratio: float = 1.0,
    easy: float = EASY,
    settings: Mapping[str, Any] | None = None,
) -> FusionModel:
    """Return a model fitted on the tables, one a corpus, whose features are standardised already.

    `random` takes all positives and `ratio` times as many random negatives of
    each corpus. `hard` trains a first model so, drops each question's `easy`
    share of negatives that it scores lowest, and balances the rest (Giardini
    2024); it fails where positives score low too (see `sampling.hard`), which
    `mixed` does not: it takes hard negatives and random ones. `all` takes every
    row. All corpora weigh the same, however many questions they have. `masks` blank columns
    of random questions, `limit` leaves so many rows, half of them
    positive. Raise UnfitTable for tables that do not fit or hold rows of one
    kind. Same tables and seed, same model.
    """
    for table in tables:
        check(table)
    model = new_model(model_name, settings)
    if model_name == "rrf":
        model.fit(tables[0], seed)
        return model
    rows = [_rows(table, sampling, ratio, _random(seed, 0, index)) for index, table in enumerate(tables)]
    if sampling in ("hard", "mixed"):
        model.fit(_sample(tables, rows, masks, seed), seed)
        kept = [_hard(model, table, easy, _random(seed, 1, index)) for index, table in enumerate(tables)]
        draw = _hardest if sampling == "hard" else mixed
        rows = [draw(table.labels, own, _random(seed, 4, index), ratio)
                for index, (table, own) in enumerate(zip(tables, kept, strict=True))]
    chosen = _sample(tables, rows, masks, seed)
    if limit is not None:
        chosen = chosen.take(limited(chosen.labels, limit, _random(seed, 2, 0)))
    model.fit(chosen, seed)
    return model


def _random(seed: int, stage: int, index: int) -> np.random.Generator:
    return np.random.default_rng([seed, stage, index])


def _rows(table: Table, sampling: Sampling, ratio: float, random: np.random.Generator) -> Rows:
    return np.arange(len(table.labels)) if sampling == "all" else balanced(table.labels, random, ratio)


def _hard(model: FusionModel, table: Table, easy: float, random: np.random.Generator) -> Rows:
    return hard(model.score(table.features), table.labels, table.groups, random, easy)


def _hardest(labels: Labels, kept: Rows, random: np.random.Generator, ratio: float) -> Rows:
    return kept[balanced(labels[kept], random, ratio)]


def _sample(tables: Sequence[Table], rows: Sequence[Rows], masks: Sequence[Mask], seed: int) -> Table:
    """Join the rows, all corpora weighing the same, the mean weight being 1."""
    parts = []
    for table, own in zip(tables, rows, strict=True):
        parts.append(table.take(own)._replace(weights=table.row_weights()[own] * np.float32(1 / len(own))))
    joined = join(parts)
    weights = joined.row_weights() / joined.row_weights().mean()
    blanked = drop_groups(joined.features, joined.columns, joined.groups, masks, _random(seed, 3, 0))
    return joined._replace(features=blanked, weights=weights)
