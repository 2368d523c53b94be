"""Practice: a fusion learns one corpus more, by questions made of its own text, and keeps what it knew.

Networks that learn from practice alone join those of a fusion that knows many
corpora, a third as many, so that a quarter of the say is theirs; beside a single
one there is one. What is monotone stays so: a mean of probabilities that do not
fall does not fall.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from retriever.features.matrix import COLUMNS, EMBEDDED, INPUTS, standardised
from retriever.fusion.dense import Network
from retriever.fusion.models import ENSEMBLES, FusionModel, Networks, new_model
from retriever.fusion.store import Fusion
from retriever.fusion.two_stage import TwoStage
from retriever.learning.table import Table, UnfitTable
from retriever.training.dataset import (
    FOLDS,
    MASKS,
    RISES,
    SETTINGS,
    Corpus,
    first_table,
    folds_of,
    second_table,
    training_sets,
)
from retriever.training.fit import train, versions
from weft.errors import WeftError

PRACTICE = 300
"""Practice questions about an SKB."""

RATIO = 10.0
ROW_WISE = {"ensemble": "mlp"}
"""What practises in place of a model: it was measured row by row alone (docs/quality.md)."""

OLD_FOR_NEW = 3
"""Networks that know many corpora for each that knows this one: more of these help headings, and cost where practice
is unlike what is asked (docs/quality.md)."""


class Practised(NamedTuple):
    """A fusion after practice, and in which share of the practice questions the first hit is right.

    The shares are of first passes that have not learned the question: of the
    fusion as it was, and as it is.
    """

    fusion: Fusion
    before: float
    after: float


def practised(
    base: Fusion, corpus: Corpus, *, seed: int = 0, advance: Callable[[int], Any] = lambda n: None
) -> Practised:
    """Train networks on a corpus of practice questions, and join them to a fusion's.

    Raise WeftError for a fusion without two passes of networks, UnfitTable for too few questions.
    `advance` is called after each of MODELS models.
    """
    first, second = _passes(base, corpus.embedder)
    own_model = ROW_WISE.get(base.head.model, base.head.model)
    settings = dict(RISES if base.head.model in SETTINGS else {})
    settings |= {"networks": max(1, len(first) // OLD_FOR_NEW)} if base.head.model in ENSEMBLES else {}
    fold_of = folds_of([corpus])
    if len(fold_of) < FOLDS:
        raise UnfitTable(f"{corpus.name}: {len(fold_of)} questions that a fusion could learn from, too few by far")

    def learned(table: Table, own: Sequence[Network]) -> FusionModel:
        model = train(own_model, [table], seed=seed, ratio=RATIO, masks=MASKS, settings=settings)
        advance(1)
        return _joined(base.head.model, own, model)

    folds = [learned(first_table(corpus, fold_of, without=fold), first) for fold in range(FOLDS)]
    two_stage = TwoStage(base.head.model, settings)
    two_stage.first = learned(first_table(corpus), first)
    two_stage.second = learned(second_table(corpus, fold_of, folds), second)
    before = [_joined(base.head.model, first)] * FOLDS
    return Practised(_fusion(base, corpus, two_stage, seed), *(_right(corpus, each) for each in (before, folds)))


def _passes(base: Fusion, embedder: str) -> tuple[tuple[Network, ...], tuple[Network, ...]]:
    """Return the networks of both passes, without what they know of embedders where they do not know this one."""
    passes = (base.model.first, base.model.second) if isinstance(base.model, TwoStage) else ()
    if not passes or not all(isinstance(each, Networks) for each in passes):
        raise WeftError(f"{base.head.model}: is no fusion to go on from; choose ensemble, mlp or logistic")
    first, second = (each.networks for each in passes if isinstance(each, Networks))
    if embedder in base.head.embedders:
        return first, second
    return _blind(first, INPUTS, EMBEDDED), _blind(second, COLUMNS, EMBEDDED)


def _blind(networks: Sequence[Network], columns: Sequence[str], hidden: Collection[str]) -> tuple[Network, ...]:
    """Return networks that do not see some columns: for them these are always 0, their mean."""
    seen = np.array([name not in hidden for name in columns])[:, None]
    return tuple((first._replace(weight=first.weight * seen), *rest) for first, *rest in networks)


def _joined(name: str, own: Sequence[Network], learned: FusionModel | None = None) -> Networks:
    model = new_model(name)
    if not isinstance(model, Networks):
        raise WeftError(f"{name}: is no network")
    model.networks = (*own, *(learned.networks if isinstance(learned, Networks) else ()))
    return model


def _fusion(base: Fusion, corpus: Corpus, model: TwoStage, seed: int) -> Fusion:
    known = base.head.embedders if corpus.embedder in base.head.embedders else (corpus.embedder,)
    settings = dict(base.head.settings) | {"practised": {"seed": seed, "ratio": RATIO, "versions": versions()}}
    trained_on = (*base.head.trained_on, *training_sets([corpus]))
    return Fusion(base.head._replace(embedders=known, trained_on=trained_on, settings=settings), model)


def _right(corpus: Corpus, folds: Sequence[FusionModel]) -> float:
    """Return the share of questions whose best candidate is right, each ranked by the model of its fold."""
    fold_of = folds_of([corpus])
    right = [
        each.labels[np.argmax(folds[fold_of[each.key]].score(standardised(each.candidates)))] for each in corpus.judged
    ]
    return float(np.mean(right))
