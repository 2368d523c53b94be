"""Columns that a corpus lacks: set to 0, the standardised mean, in training at random so that a model copes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from retriever.learning.table import Features, Labels, Rows


class Mask(NamedTuple):
    """Columns that go missing together (an embedder's, the graph's), for this share of the training questions."""

    name: str
    columns: tuple[str, ...]
    share: float


def mask(features: Features, columns: Sequence[str], embedder_columns: Collection[str], known: bool) -> Features:
    """Set an unknown embedder's columns to 0; a known one's stay. The caller says so on stderr."""
    return features if known else _blank(features, columns, embedder_columns, np.ones(len(features), np.bool_))


def drop_groups(
    features: Features, columns: Sequence[str], groups: Rows, masks: Sequence[Mask], random: np.random.Generator
) -> Features:
    """Blank each mask's columns in all rows of randomly drawn questions, masks independently."""
    numbers, own = np.unique(groups, return_inverse=True)
    for each in masks:
        drawn = random.random(len(numbers)) < each.share
        features = _blank(features, columns, each.columns, drawn[own])
    return features


def _blank(features: Features, columns: Sequence[str], blanked: Collection[str], rows: Labels) -> Features:
    indices = [index for index, name in enumerate(columns) if name in blanked]
    kept = np.ones(features.shape, np.bool_)
    kept[:, indices] = ~rows[:, None]
    return np.where(kept, features, np.float32(0))
