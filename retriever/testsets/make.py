"""Make a test set: propose by patterns in turn, verify, and keep what is in order until there is enough.

The same SKB, patterns and seed give the same set. What stands for the same
predicates is held to a share of the set, and taken all the same where nothing
else is left; so are questions that share what they begin at, a bridge or the answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from retriever.session import Session
from retriever.synthesis.facts.gather import gather
from retriever.synthesis.patterns.bridge import bridge_drafts
from retriever.synthesis.patterns.comparison import comparison_drafts
from retriever.synthesis.patterns.draft import Draft
from retriever.synthesis.patterns.intersection import intersection_drafts
from retriever.synthesis.patterns.naming import Naming
from retriever.synthesis.patterns.single import single_drafts
from retriever.testsets.evidence import Evidence
from retriever.testsets.verify import rejection
from weft.text.stems import stems_of

PROPOSING = {
    "bridge": bridge_drafts,
    "intersection": intersection_drafts,
    "comparison": comparison_drafts,
    "single": single_drafts,
}
DEFAULT = ("bridge", "intersection", "comparison")
MOST_SAME_FACT = 4
SAME_PREDICATES = 0.08
"""The share of a set that may ask by the same predicates, as long as there are others."""

PATIENCE = 400
"""Drafts looked at for each question wanted, before a pattern is given up."""

MOST_ASIDE = 20
"""Drafts set aside for each question wanted, since many like them were there."""

SAME_BRIDGE = 0.12
"""The share of a set that may go over one bridge, even where nothing else is left."""

DAY_OR_YEAR = re.compile(r" (?:in|on)$")
DUPLICATE = "a near-duplicate, or the same fact or bridge is asked for often enough"


class Made(NamedTuple):
    """A set: drafts that passed, how many each pattern proposed, and why others were rejected, by pattern."""

    drafts: list[Draft]
    proposed: Counter[str]
    rejected: Counter[tuple[str, str]]
    evidence: Evidence


def make(
    session: Session, n: int, patterns: Sequence[str] = DEFAULT, seed: int = 0, *, only_said: bool = True,
    read: Callable[[int], object] = lambda n: None, advance: Callable[[int], object] = lambda n: None,
) -> Made:  # fmt: skip
    """Return at most n verified questions, of each pattern as many as there are, up to an equal share and what others
    leave.

    `only_said` leaves out facts whose chunk has both ends and no word of the
    predicate; `read` is called for each chunk read, `advance` for each question found.
    Linear in the chunks, and in the drafts looked at.
    """
    naming = Naming(session, gather(session, read, only_said=only_said, reads_keys=set(patterns) == {"single"}))
    evidence = Evidence(session, naming)
    made = Made([], Counter(), Counter(), evidence)
    kept = _Kept(n)
    going = {
        pattern: _verified(pattern, PROPOSING[pattern](naming, np.random.default_rng([seed, index])), made, kept, n)
        for index, pattern in enumerate(PROPOSING)
        if pattern in patterns
    }
    while going and len(made.drafts) < n:
        for pattern, drafts in list(going.items()):
            draft = next(drafts, None)
            if draft is None:
                del going[pattern]
            elif len(made.drafts) < n:
                made.drafts.append(draft)
                advance(1)
    return made


class _Kept:
    """What a set has already, and how much of it is alike."""

    def __init__(self, n: int) -> None:
        self._most_alike = max(3, int(n * SAME_PREDICATES))
        self._most_over = max(MOST_SAME_FACT, int(n * SAME_BRIDGE))
        self._said: set[frozenset[str]] = set()
        self._known: set[tuple[object, ...]] = set()
        self._alike: Counter[tuple[object, ...]] = Counter()

    def is_duplicate(self, draft: Draft) -> bool:
        """Tell whether a question with the same words, or with the same evidence and answer, is there."""
        asked = self._alike["fact", draft.facts[-1].id] >= MOST_SAME_FACT and draft.pattern != "comparison"
        over = any(self._alike["bridge", each] >= self._most_over for each in draft.bridges)
        said = frozenset(stems_of(draft.question)) in self._said
        return asked or over or said or self._evidence(draft) in self._known

    def is_common(self, draft: Draft) -> bool:
        """Tell whether many questions are like this one."""
        return any(self._alike[end] for end in self._ends(draft)) or (
            self._alike[self._predicates(draft)] >= self._most_alike
        )

    def add(self, draft: Draft) -> None:
        """Note a question."""
        self._said.add(frozenset(stems_of(draft.question)))
        self._known.add(self._evidence(draft))
        self._alike.update([*self._ends(draft), self._predicates(draft)])

    @staticmethod
    def _ends(draft: Draft) -> list[tuple[object, ...]]:
        """Return what no two questions are to share as long as there are others: start, bridge, answer, last fact."""
        named = [("start", each) for each in draft.named] + [("bridge", each) for each in draft.bridges]
        return [*named, ("answer", draft.pattern, draft.answer), ("fact", draft.facts[-1].id)]

    @staticmethod
    def _predicates(draft: Draft) -> tuple[object, ...]:
        """Return what a draft asks by; that one is born in a year is as much as that one is on a day."""
        return (draft.pattern, *(DAY_OR_YEAR.sub("", step.key) for path in draft.paths for step in path.steps))

    @staticmethod
    def _evidence(draft: Draft) -> tuple[object, ...]:
        """Return what tells that two drafts ask the same; one fact may be known of a name and of its entity."""
        if not draft.chunks:
            return (draft.answer, *sorted(fact.id for fact in draft.facts))
        asked = frozenset(step for path in draft.paths for step in path.steps)
        return (draft.pattern, draft.answer, asked, frozenset(draft.chunks))


def _verified(pattern: str, drafts: Iterator[Draft], made: Made, kept: _Kept, n: int) -> Iterator[Draft]:
    """Yield the drafts of a pattern that pass; those of which there are many already come last."""
    aside: list[Draft] = []
    for number, draft in enumerate(drafts):
        if number >= PATIENCE * n:
            break
        made.proposed[pattern] += 1
        if kept.is_duplicate(draft):
            made.rejected[pattern, DUPLICATE] += 1
        elif kept.is_common(draft):
            aside += [draft] if len(aside) < MOST_ASIDE * n else []
        else:
            yield from _passing(pattern, draft, made, kept)
    for draft in _spread(aside):
        if kept.is_duplicate(draft):
            made.rejected[pattern, DUPLICATE] += 1
        else:
            yield from _passing(pattern, draft, made, kept)


def _spread(drafts: Sequence[Draft]) -> list[Draft]:
    """Return drafts in rounds, in each of them one over each bridge, or of each answer where there is none."""
    seen: Counter[int] = Counter()
    rounds = []
    for draft in drafts:
        about = draft.bridges[-1] if draft.bridges else draft.answer
        rounds.append(seen[about])
        seen[about] += 1
    return [drafts[index] for index in sorted(range(len(drafts)), key=rounds.__getitem__)]


def _passing(pattern: str, draft: Draft, made: Made, kept: _Kept) -> Iterator[Draft]:
    reason = rejection(made.evidence, draft)
    if reason is not None:
        made.rejected[pattern, reason] += 1
        return
    kept.add(draft)
    yield draft
