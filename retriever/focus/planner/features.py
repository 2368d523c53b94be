"""What speaks for a path as the meaning of a question: how its words are like relations and types, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from retriever.focus.planner.kinds import Kinds
from retriever.focus.planner.likeness import Likeness
from retriever.focus.planner.steps import UNTYPED, Path, Schema
from retriever.focus.planner.wording import ASKING, Wording

COLUMNS = (
    "supported", "repeated", "relations", "steps", "unexplained", "asked", "asked_other", "asked_none", "order", "kind",
    "type", "asked_type", "other_type",
)  # fmt: skip
"""What `weights_of` weighs:

- `supported`: how surely words of the question mean the path's relations, each counted once; `repeated`: the same
  of relations that it has twice, where more words than one mean them; `relations`, `steps`: how many relations and how
  many steps there are; `unexplained`: how surely words mean relations that are not in it;
- `asked`: how surely the word that is asked for means its last relation, read forwards; `asked_other`: another one;
  `asked_none`: it means none, and the path ends where no relation leads;
- `order`: 1 where the words of the last relation stand further from the name than those of the first, -1 if nearer;
- `kind`: how like what the last step leads to is to the word that is asked for, by its names;
- `type`: how surely a word means the type of what the path leads to; `asked_type`: how surely that is what is asked
  for; `other_type`: by how much another type is surer.
"""

OTHERS_WORD = 0.3
"""What a word counts that stands nearer to another name."""

NEAR_BEST = 0.9
"""Words that speak for a relation by so large a share of the best one's count for the order."""


SHARPNESS = 4.0
"""What speaks for types, times this, are the logarithms of their odds."""


class Reading:
    """A question's words beside an SKB's relations and types, to judge many paths by."""

    def __init__(
        self, schema: Schema, wording: Wording, likeness: Likeness, kinds: Kinds, types: NDArray[np.float64]
    ) -> None:
        n = len(schema.predicates)
        self.schema = schema
        owned = np.where(wording.owned, 1.0, OTHERS_WORD)
        self.relations = likeness.relations * owned[:, None] if len(wording.words) else np.zeros((1, n))
        self.types = likeness.types if len(wording.words) else np.zeros((1, len(schema.types)))
        self.offsets = np.abs(np.array(wording.offsets or (0,)))
        self.support = self.relations.max(axis=0, initial=0.0)
        self.type_support = self.types.max(axis=0, initial=0.0)
        asked = wording.asked
        self.asked: NDArray[np.float64] = np.zeros(n) if asked is None else likeness.relations[asked]
        self.type_scores = SHARPNESS * types
        self.asked_type = _beyond_chance(softmax(self.type_scores))
        self.asks_noun = asked is not None and wording.words[asked] not in ASKING
        self.kinds = kinds.of(None if asked is None else wording.words[asked])

    def features(self, path: Path) -> tuple[float, ...]:
        """Return the features of a path, in the order of `COLUMNS`."""
        used = sorted({step.predicate for step in path})
        last = path[-1]
        asked = 0.0 if last.inverse else float(self.asked[last.predicate])
        highest = float(self.asked.max(initial=0.0))
        none = (1 - highest) * last.inverse * self.asks_noun
        return (
            float(self.support[used].sum()), self._repeated(path), float(len(used)), float(len(path)),
            self._unexplained(used), asked, highest - asked, none, self._order(path),
            self.kinds[last.predicate][last.inverse], *self._type(last.type),
        )  # fmt: skip

    def _repeated(self, path: Path) -> float:
        """Return how surely further words mean the further times that relations are in a path."""
        counts = Counter(step.predicate for step in path)
        return sum(
            min(times - 1, max(0.0, float(self.relations[:, each].sum() - self.support[each])))
            for each, times in counts.items()
        )

    def _unexplained(self, used: Sequence[int]) -> float:
        """Return how surely words mean relations other than those that are used."""
        best = self.relations.max(axis=1, initial=0.0)
        return float((best - self.relations[:, used].max(axis=1, initial=0.0)).sum())

    def _order(self, path: Path) -> float:
        first, last = path[0].predicate, path[-1].predicate
        if first == last or not self.support[first] or not self.support[last]:
            return 0.0
        return float(np.sign(self._distance(last) - self._distance(first)))

    def _distance(self, predicate: int) -> int:
        column: NDArray[np.float64] = self.relations[:, predicate]
        return int(self.offsets[column >= NEAR_BEST * self.support[predicate]].min())

    def _type(self, kind: int) -> tuple[float, float, float]:
        if kind == UNTYPED:
            return 0.0, 0.0, 0.0
        asked = float(self.asked_type[kind])
        return float(self.type_support[kind]), asked, float(self.asked_type.max(initial=0.0)) - asked


def softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return probabilities (n,) in the ratio of the exponentials of scores."""
    if not len(scores):
        return scores
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum(), np.float64)


def _beyond_chance(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return probabilities so that those of chance and below are 0, and what is sure is 1."""
    n = max(2, len(chances))
    return np.asarray(np.maximum(0, (n * chances - 1) / (n - 1)), np.float64)


def parts(schema: Schema, path: Path) -> tuple[str, ...]:
    """Return what a path is made of, by names: its steps, the first, the last, pairs, all of it, its length and end."""
    names = [schema.name(step) for step in path]
    pairs = [f"{one} {two}" for one, two in pairwise(names)]
    end = path[-1].type
    return (
        f"n={len(path)}", f"first={names[0]}", f"last={names[-1]}", f"path={' '.join(names)}",
        *(f"has={each}" for each in dict.fromkeys(names)), *(f"pair={each}" for each in dict.fromkeys(pairs)),
        *((f"end={schema.types[end]}",) if end != UNTYPED else ()),
    )  # fmt: skip
