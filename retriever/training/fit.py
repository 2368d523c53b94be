"""Train a fusion on the candidate tables of several corpora."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

import weft
from retriever.fusion.models import LISTWISE, FusionModel, new_model
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
    domains: Sequence[str] | None = None,
) -> FusionModel:
    """Return a model fitted on the tables, one a corpus, whose features are standardised already.

    `random` takes all positives and `ratio` times as many random negatives of
    each corpus. `hard` trains a first model so, drops each question's `easy`
    share of negatives that it scores lowest, and balances the rest (Giardini
    2024); it fails where positives score low too (see `sampling.hard`), which
    `mixed` does not: it takes hard negatives and random ones. `all` takes every
    row, as LISTWISE models do whatever is given. All `domains` weigh the same, and within one its corpora, however many
    questions they have; without them each corpus is its own. `masks` blank columns
    of random questions, `limit` leaves so many rows, half of them
    positive. Raise UnfitTable for tables that do not fit or hold rows of one
    kind. Same tables and seed, same model.
    """
    for table in tables:
        check(table)
    model = new_model(model_name, settings)
    sampling = "all" if model_name in LISTWISE else sampling
    if model_name == "rrf":
        model.fit(tables[0], seed)
        return model
    rows = [_rows(table, sampling, ratio, _random(seed, 0, index)) for index, table in enumerate(tables)]
    if sampling in ("hard", "mixed"):
        model.fit(_sample(tables, rows, masks, seed, domains), seed)
        kept = [_hard(model, table, easy, _random(seed, 1, index)) for index, table in enumerate(tables)]
        draw = _hardest if sampling == "hard" else mixed
        rows = [draw(table.labels, own, _random(seed, 4, index), ratio)
                for index, (table, own) in enumerate(zip(tables, kept, strict=True))]
    chosen = _sample(tables, rows, masks, seed, domains)
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


def _sample(
    tables: Sequence[Table], rows: Sequence[Rows], masks: Sequence[Mask], seed: int, domains: Sequence[str] | None
) -> Table:
    """Join the rows, all domains weighing the same and in one its corpora, the mean weight being 1."""
    domains = [str(index) for index in range(len(tables))] if domains is None else domains
    shared = Counter(domains)
    parts = []
    for table, own, domain in zip(tables, rows, domains, strict=True):
        share = np.float32(1 / (len(own) * shared[domain]))
        parts.append(table.take(own)._replace(weights=table.row_weights()[own] * share))
    joined = join(parts)
    weights = joined.row_weights() / joined.row_weights().mean()
    blanked = drop_groups(joined.features, joined.columns, joined.groups, masks, _random(seed, 3, 0))
    return joined._replace(features=blanked, weights=weights)


def versions() -> dict[str, str]:
    """Return the versions of what trains, by package."""
    import sklearn

    return {"weft": weft.__version__, "numpy": np.__version__, "scikit-learn": sklearn.__version__}
