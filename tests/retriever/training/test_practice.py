"""Practice on one corpus, on top of a fusion that knows others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from retriever.context import Context
from retriever.features.matrix import COLUMNS, EMBEDDED, INPUTS, RISING
from retriever.fusion.models import Networks
from retriever.fusion.shipped import SHIPPED, fusion_named, reciprocal_ranks
from retriever.fusion.store import load
from retriever.fusion.two_stage import TwoStage
from retriever.session import Session
from retriever.training.dataset import Corpus, synthetic_corpus
from retriever.training.practice import OLD_FOR_NEW, practised
from weft.errors import WeftError
from weft.skb import Skb


@pytest.fixture(scope="module")
def corpus(world: Path) -> Iterator[Corpus]:
    with Skb(world) as skb:
        yield synthetic_corpus("practice", Session(Context(skb)), 30)


def scores(fusion: TwoStage, rows: np.ndarray) -> list[np.ndarray]:
    return [fusion.first.score(rows[:, : len(INPUTS)]), fusion.score(rows)]


def test_likeness_still_never_counts_against(small_fusion: Path, corpus: Corpus) -> None:
    model = practised(load(small_fusion), corpus).fusion.model
    assert isinstance(model, TwoStage)
    random = np.random.default_rng(0)
    rows = random.normal(size=(200, len(COLUMNS))).astype(np.float32)
    for name in RISING & set(COLUMNS):
        more = rows.copy()
        more[:, COLUMNS.index(name)] += 1
        for low, high in zip(scores(model, rows), scores(model, more), strict=True):
            assert (high >= low).all(), name


def test_what_it_knew_stays_as_it_was(small_fusion: Path, corpus: Corpus) -> None:
    base = load(small_fusion)
    fusion = practised(base, corpus).fusion
    own, both = base.model.arrays(), fusion.model.arrays()
    assert all(np.array_equal(both[name], array) for name, array in own.items())
    assert {name.replace("network0", "network1") for name in own} == set(both) - set(own)


def test_for_an_embedder_that_it_does_not_know_it_leaves_that_out(small_fusion: Path, corpus: Corpus) -> None:
    base = load(small_fusion)
    fusion = practised(base, corpus._replace(embedder="unknown")).fusion
    assert fusion.head.embedders == ("unknown",)
    arrays = fusion.model.arrays()
    hidden = [COLUMNS.index(name) for name in EMBEDDED & set(COLUMNS)]
    assert not arrays["second.network0.layer0.weight"][hidden].any()
    assert arrays["second.network1.layer0.weight"][hidden].any()


def test_only_networks_in_two_passes_practise(corpus: Corpus) -> None:
    with pytest.raises(WeftError, match="no fusion to go on from"):
        practised(reciprocal_ranks("tfidf"), corpus)


def test_what_ships_can_practise() -> None:
    assert all(isinstance(fusion_named(name, "tfidf").model, TwoStage) for name in SHIPPED)


def test_an_ensemble_practises_row_by_row(corpus: Corpus) -> None:
    base = fusion_named("ensemble", "tfidf")
    fusion = practised(base, corpus).fusion
    assert isinstance(base.model, TwoStage) and isinstance(fusion.model, TwoStage)
    for own, both in ((base.model.first, fusion.model.first), (base.model.second, fusion.model.second)):
        assert isinstance(own, Networks) and isinstance(both, Networks)
        new = both.networks[len(own.networks) :]
        assert len(new) == len(own.networks) // OLD_FOR_NEW == 2
        assert {len(network) for network in new} == {3}
