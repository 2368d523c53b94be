"""Questions over a graph without text: a language model phrases paths of facts, and judges what it wrote.

The paths are those of the bridge pattern, of drafts that hold what a graph's
drafts must. What the model writes is verified as theirs is; then it answers from
the facts without each of them in turn, which must fail, and gives a score.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from retriever.prompts.testset import phrase, write
from retriever.session import Session
from retriever.synthesis.patterns.draft import Draft
from retriever.testsets.evidence import Evidence, worded
from retriever.testsets.judging import (
    DRAWN,
    LEAST_SCORE,
    NO_QUESTION,
    Advance,
    Candidate,
    Judged,
    Rejected,
    assume,
    best,
    replies,
    unasked,
)
from retriever.testsets.make import make
from retriever.testsets.records import fact_of, record_of
from retriever.testsets.verify import rejection
from weft.chat.base import Chat
from weft.chat.dry_run import DryRun
from weft.errors import ModelError, WeftError

UNNAMED = "what it begins at is not named"


def make_judged_facts(
    session: Session, chat: Chat, n: int, seed: int = 0, least: int = LEAST_SCORE, advance: Advance = lambda n: None
) -> Judged:
    """Return at most n questions, the best scored first; raise WeftError where no path holds what one must, ModelError
    where no call succeeds. `advance` is called for each path asked about."""
    made = make(session, DRAWN * n, ("bridge",), seed)
    if not made.drafts:
        raise WeftError("no path of facts leads over a thing to one answer alone, so a model has nothing to phrase")
    rejected: Rejected = Counter()
    phrased: dict[int, Draft] = {}
    for number, (draft, reply) in enumerate(zip(made.drafts, _replies(chat, made.evidence, made.drafts), strict=True)):
        question = None if isinstance(reply, ModelError) else phrase.read_reply(reply)
        written = draft._replace(question=question or "")
        reason = wrong(made.evidence, written) if question else NO_QUESTION
        if isinstance(reply, ModelError):
            rejected["bridge", unasked(reply)] += 1
        elif reason is not None:
            rejected["bridge", reason] += 1
        else:
            phrased[number] = written
    advance(len(made.drafts))
    if isinstance(chat, DryRun):
        listings = [write.listing(_evidence(made.evidence, draft)) for draft in made.drafts]
        assume(chat, [_way(made.evidence, draft) for draft in made.drafts], listings)
    candidates = [_candidate(made.evidence, draft, number) for number, draft in phrased.items()]
    kept = best(chat, candidates, n, least, rejected)
    records = [_record(made.evidence, phrased[each.number], each.score, place, chat.name)
               for place, each in enumerate(kept, 1)]  # fmt: skip
    return Judged(records, Counter(bridge=len(made.drafts)), rejected)


def wrong(evidence: Evidence, draft: Draft) -> str | None:
    """Return why a phrased question is rejected before anything more is asked, None where it is in order."""
    asked = worded(draft.question)
    if not all(any(name in asked for name in evidence.names(each)) for each in draft.named):
        return UNNAMED
    return rejection(evidence, draft)


def _replies(chat: Chat, evidence: Evidence, drafts: list[Draft]) -> list[str | ModelError]:
    return replies(chat, [
        phrase.PROMPT.messages(start=evidence.naming.title(draft.named[0]), way=_way(evidence, draft),
                               answer=draft.answers[0],
                               facts=phrase.listing([fact_of(evidence, fact) for fact in draft.facts]))
        for draft in drafts
    ])  # fmt: skip


def _way(evidence: Evidence, draft: Draft) -> str:
    return ", ".join(evidence.naming.title(each) for each in draft.bridges)


def _evidence(evidence: Evidence, draft: Draft) -> tuple[tuple[str, str], ...]:
    """Return the facts as passages: what each is about, and what it says."""
    facts = [fact_of(evidence, fact) for fact in draft.facts]
    return tuple((fact["subject"], " ".join(fact.values())) for fact in facts)


def _candidate(evidence: Evidence, draft: Draft, number: int) -> Candidate:
    return Candidate(number, draft.question, draft.answers[0], _way(evidence, draft), _evidence(evidence, draft))


def _record(evidence: Evidence, draft: Draft, score: float, place: int, model: str) -> dict[str, Any]:
    record = record_of(evidence, draft, place)
    return record | {"scores": record["scores"] | {"judged": score}, "made_by": record["made_by"] | {"writer": model}}
