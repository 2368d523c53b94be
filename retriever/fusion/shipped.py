"""Fusions by name or file: those that ship with Weft, reciprocal ranks, and what `weft train` wrote."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from retriever.features.matrix import COLUMNS, INPUTS, RANKED
from retriever.features.thesis import COLUMNS as THESIS
from retriever.fusion.rrf import ReciprocalRank
from retriever.fusion.store import BadFusionFile, Fusion, Head, load
from retriever.fusion.two_stage import TwoStage
from retriever.learning.table import Table, difference
from weft.errors import WeftError

SHIPPED = ("ensemble", "mlp", "logistic")
TRAINED = ("listwise", "thesis")
"""Models that `weft train` knows and that do not ship."""

DEFAULT = "ensemble"
MODELS = Path(__file__).parent / "models"
"""The folder of the fusions that ship, package data of `retriever.fusion`."""


def fusion_named(choice: str | Path | None, embedder: str) -> Fusion:
    """Return the fusion of a name or file, to rank an SKB of some embedder; raise WeftError for one that is none.

    `rrf` needs no training and so knows every embedder.
    """
    if choice == "rrf":
        return reciprocal_ranks(embedder)
    name = DEFAULT if choice is None else str(choice)
    path = MODELS / f"{name}.json" if name in SHIPPED else Path(name)
    if name in TRAINED and not path.exists():
        command = f"weft train KB.skb QUESTIONS.jsonl --model {name} -o {name}.json"
        raise WeftError(f"{name}: does not ship with Weft; train it: {command}")
    return _checked(path)


def thesis_fusion(choice: str | None) -> Fusion:
    """Return a fusion of the thesis's five features from a file, since none ships; raise WeftError for any other."""
    path = Path(choice) if choice else None
    if path is None or not path.exists():
        command = "weft train KB.skb QUESTIONS.jsonl --features thesis -o thesis.json"
        raise WeftError(f"{choice or 'thesis'}: no such fusion of the thesis's features; train it: {command}")
    return load(path, THESIS)


def reciprocal_ranks(embedder: str) -> Fusion:
    """Return reciprocal rank fusion over the ranks that the signals give."""
    model = ReciprocalRank(use=[f"rank_{name}" for name in RANKED])
    width = len(INPUTS)
    model.fit(Table(np.empty((0, width), np.float32), np.empty(0, np.bool_), np.empty(0, np.int64), INPUTS))
    return Fusion(Head("rrf", INPUTS, (embedder,), settings=model.settings), model)


def _checked(path: Path) -> Fusion:
    if not path.exists():
        names = ", ".join((*SHIPPED, "rrf"))
        raise WeftError(f"{path}: no such fusion and no such file; choose one of {names}, or what `weft train` wrote")
    fusion = load(path)
    if fusion.head.columns == THESIS:
        raise BadFusionFile(f"{path}: reads the thesis's features; rank by -m 'hybrid(features=thesis,fusion={path})'")
    two_stage = fusion.model if isinstance(fusion.model, TwoStage) else None
    expected = INPUTS if two_stage is None else COLUMNS
    if other := difference(fusion.head.columns, expected):
        raise BadFusionFile(f"{path}: was trained on other features than this Weft computes: {other}; train it again")
    if two_stage is not None and two_stage.first.inputs() != len(INPUTS):
        raise BadFusionFile(f"{path}: is damaged: its first pass takes {two_stage.first.inputs()} features")
    return fusion
