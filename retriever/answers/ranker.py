"""The ranker of candidates, and its best answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from retriever.answers.abstention import ANSWERABLE, chance
from retriever.answers.candidates import Candidate
from retriever.answers.columns.features import INDEX
from retriever.answers.patterns.spans import as_asked
from retriever.answers.reading import INPUTS, Reading, best_of
from retriever.answers.rules.added import with_rules
from retriever.answers.text.likeness import answer_tokens
from retriever.answers.text.looks import looks_of
from retriever.fusion.store import BadFusionFile, Fusion, load
from retriever.fusion.two_stage import TwoStage
from retriever.session import Session
from retriever.types import Scores

SHIPPED = Path(__file__).parent / "models" / "answers.json"


class Ranked(NamedTuple):
    """A reading with the score of each candidate (n,), which is the best, and how surely what is read answers."""

    reading: Reading
    scores: Scores
    best: int
    chance: float

    @property
    def candidate(self) -> Candidate:
        """The best candidate."""
        return self.reading.candidates[self.best]


def load_ranker(path: Path = SHIPPED) -> Fusion:
    """Read a ranker of answers; raise BadFusionFile for any other file."""
    fusion = load(path, ANSWERABLE)
    if not isinstance(fusion.model, TwoStage) or fusion.model.first.inputs() != len(INPUTS):
        raise BadFusionFile(f"{path}: does not rank answers by the features that this Weft computes")
    return fusion


def ranker_of(session: Session) -> Fusion:
    """Return the ranker of answers that ships, read once for all sessions of a context."""
    return session.part("ranker of answers", lambda own: load_ranker())


def ranked(fusion: Fusion, reading: Reading) -> Ranked | None:
    """Return a reading with its candidates scored, None where it has none."""
    if not len(reading.candidates):
        return None
    scores = score(fusion, reading)
    best = best_of(reading, scores)
    return Ranked(_cut(reading, best), scores, best, chance(fusion, reading, scores))


def share_of(found: Ranked) -> float:
    """Return what share, 0 to 1, of the softmax of all candidates those have that say the same as the best one.

    It is how surely the ranker, which learns from lists by softmax, takes it for right where anything is.
    """
    keys = [each.key for each in found.reading.candidates]
    powers = np.exp(found.scores - found.scores.max())
    return float(powers[np.array([key == keys[found.best] for key in keys])].sum() / powers.sum())


def _cut(reading: Reading, best: int) -> Reading:
    """Return a reading with its best candidate cut or widened to what is asked for."""
    chosen = reading.candidates[best]
    cut = as_asked(reading.asked, reading.passages[chosen.passage].text, chosen)
    if cut is chosen:
        return reading
    same = (each.entity for each in reading.candidates if (each.passage, each.key) == (cut.passage, cut.key))
    candidates = [*reading.candidates]
    candidates[best] = cut._replace(entity=next(same, 0))
    return reading._replace(candidates=candidates)


def single_candidate(reading: Reading, candidate: Candidate, chance: float) -> Ranked:
    """Return a reading with a single candidate, which is told by a rule and not by the ranker."""
    features = np.zeros((1, len(INDEX)), np.float32)
    return Ranked(reading._replace(candidates=[candidate], features=features), np.zeros(1, np.float32), 0, chance)


def without_named(fusion: Fusion, found: Ranked, named: Sequence[str]) -> Ranked | None:
    """Return a reading with its next best candidate where the best one is what a question asks about, by its name.

    Nothing then speaks for it: where a mason was born, his name does not tell.
    """
    if not _is_any_of(found.candidate.text, named):
        return found
    kept = [index for index, each in enumerate(found.reading.candidates) if not _is_any_of(each.text, named)]
    others = ranked(fusion, found.reading.taken(kept))
    return others and others._replace(chance=0.0)


def _is_any_of(text: str, named: Sequence[str]) -> bool:
    """Tell whether an answer is something named; somebody's name may be a part of the answer, and the other way."""
    words = {*answer_tokens(text)}
    several = [({*answer_tokens(each)}, looks_of(each)[0]) for each in named]
    return any(words == own or (is_person and (words <= own or own <= words)) for own, is_person in several)


def score(fusion: Fusion, reading: Reading) -> Scores:
    """Return the log-odds (n,) of each candidate; of two choices that which the pages speak for has the greater."""
    assert isinstance(fusion.model, TwoStage)
    scores = with_rules(reading, fusion.model.first.score(reading.inputs))
    agrees = reading.features[:, INDEX["agrees"]]
    if len(scores) == 2 and agrees.max() >= 1 and agrees.min() <= 0:
        # Where the two are told, and how often, weighs nothing once their values are compared.
        return np.sort(scores)[(agrees > 0).astype(np.int64)]
    return scores
