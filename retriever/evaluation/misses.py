"""Misses: which gold items a method did not find, and where on the way they were lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from retriever.evaluation.outcomes import Case, Outcome

NOT_THERE = "not in the SKB"
NOT_IN_POOL = "not in the pool"
RANKED_LOW = "ranked low"
FOUND = "found"
FATES = (FOUND, RANKED_LOW, NOT_IN_POOL, NOT_THERE)


class Fate(NamedTuple):
    """What became of a gold item: a word of `FATES`, and the rank of the hit that takes it, in the whole ranking."""

    item: int
    fate: str
    rank: int | None


def fates(case: Case, outcome: Outcome, k: int) -> Iterator[Fate]:
    """Yield what became of each gold item of a question, `k` being the last rank that counts as found."""
    for item, ids in enumerate(case.gold.items):
        rank = outcome.rank(item)
        if rank is not None:
            yield Fate(item, FOUND if rank <= k else RANKED_LOW, rank)
        else:
            yield Fate(item, NOT_IN_POOL if ids else NOT_THERE, None)


def count_fates(cases: Sequence[Case], outcomes: Sequence[Outcome], k: int) -> dict[str, int]:
    """Count the gold items of all questions by what became of them."""
    counts = dict.fromkeys(FATES, 0)
    for case, outcome in zip(cases, outcomes, strict=True):
        for each in fates(case, outcome, k):
            counts[each.fate] += 1
    return counts


def worst(records: Sequence[dict[str, Any]], n: int = 20) -> list[dict[str, Any]]:
    """Return the n records of a method with the lowest average precision, of those that miss something."""
    missing = [each for each in records if any(gold["fate"] != FOUND for gold in each["gold"])]
    return sorted(missing, key=lambda each: (each["measures"]["map"], each["measures"]["pool_recall"]))[:n]
