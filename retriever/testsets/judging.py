"""What a language model says of questions that it wrote: whether less evidence answers them, and how good they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from retriever.prompts import answer as answering
from retriever.prompts.testset import judge, write
from retriever.testsets.evidence import worded
from weft.chat.base import Chat, Message, Options
from weft.chat.dry_run import DryRun
from weft.chat.many import Outcome, complete_all
from weft.chat.tokens import tokens_read, tokens_written
from weft.errors import ModelError, TokensSpent

OPTIONS = Options(temperature=0.0, max_tokens=600)
DRAWN = 3
"""Entities or paths drawn for each question wanted, as in the thesis."""

LEAST_SCORE = 7
NO_QUESTION = "the model wrote no question"
ANSWERED = "it is answered with a piece of its evidence taken away"
UNASKED = "the model could not be asked"
"""Begins the reason of a draft that is left out for no fault of its own."""

Advance = Callable[[int], object]
Rejected = Counter[tuple[str, str]]


class Judged(NamedTuple):
    """Records of a set, how many drafts were asked for, and why others were rejected."""

    records: list[dict[str, Any]]
    proposed: Counter[str]
    rejected: Rejected


class Candidate(NamedTuple):
    """A question that a model wrote, its answer, what it goes over, its evidence (title, text), and its score.

    `number` tells which of what was drawn it is about.
    """

    number: int
    question: str
    answer: str
    link: str
    evidence: tuple[tuple[str, str], ...]
    score: float = 0.0


def best(chat: Chat, candidates: Sequence[Candidate], n: int, least: int, rejected: Rejected) -> list[Candidate]:
    """Return at most n candidates that need all of their evidence and are scored well, the best first.

    `rejected` has the reasons of the others afterwards. Raise ModelError where all calls of a step failed.
    """
    kept = _judged(chat, _needing_all(chat, _distinct(candidates, rejected), rejected), least, rejected)
    return sorted(kept, key=lambda each: (-each.score, each.question))[:n]


def replies(chat: Chat, prompts: Sequence[Sequence[Message]]) -> list[str | ModelError]:
    """Return the reply to each prompt, or why it has none; raise ModelError where none has one, or no token is left."""
    outcomes: list[Outcome] = complete_all(chat, prompts, options=OPTIONS) if prompts else []
    failed = [each for each in outcomes if isinstance(each, ModelError)]
    spent = [each for each in failed if isinstance(each, TokensSpent)]
    if spent or (failed and len(failed) == len(outcomes)):
        raise (spent or failed)[0]
    return [each if isinstance(each, ModelError) else each[0].text if each else "" for each in outcomes]


def unasked(error: ModelError) -> str:
    """Return the reason of a draft about which the model could not be asked."""
    return f"{UNASKED}: {error}"


def assume(chat: DryRun, links: Sequence[str], listings: Sequence[str]) -> None:
    """Count what follows from questions that are not written yet: two answers and a judgement of each, at most."""
    read = sum(tokens_read(judge.PROMPT.messages(question="", answer="", link=link, passages=listing))
               for link, listing in zip(links, listings, strict=True))  # fmt: skip
    chat.assume(3 * len(links), 3 * read, 3 * len(links) * tokens_written(OPTIONS))


def _distinct(candidates: Sequence[Candidate], rejected: Rejected) -> list[Candidate]:
    kept: dict[str, Candidate] = {}
    for each in candidates:
        if kept.setdefault(worded(each.question), each) is not each:
            rejected["bridge", "a near-duplicate"] += 1
    return list(kept.values())


def _needing_all(chat: Chat, candidates: Sequence[Candidate], rejected: Rejected) -> list[Candidate]:
    """Return the questions that the model cannot answer where any one piece of the evidence is taken away."""
    asked = [(index, left) for index, each in enumerate(candidates) for left in range(len(each.evidence))]
    prompts = [_without(candidates[index], left) for index, left in asked]
    reasons: dict[int, str] = {}
    for (index, _), reply in zip(asked, replies(chat, prompts), strict=True):
        if isinstance(reply, ModelError):
            reasons.setdefault(index, unasked(reply))
        elif _answers(reply, candidates[index]):
            reasons[index] = ANSWERED
    rejected.update(("bridge", reason) for reason in reasons.values())
    return [each for index, each in enumerate(candidates) if index not in reasons]


def _answers(reply: str, candidate: Candidate) -> bool:
    """Tell whether a reply to all but one piece of the evidence has the right answer."""
    found = answering.read_reply(reply, len(candidate.evidence) - 1).answer
    right = worded(candidate.answer)
    return found is not None and found != "" and (worded(found) in right or right in worded(found))


def _without(candidate: Candidate, left: int) -> list[Message]:
    kept = [piece for index, piece in enumerate(candidate.evidence) if index != left]
    return answering.REASON.messages(passages=answering.listing(kept), question=candidate.question)


def _judged(chat: Chat, candidates: Sequence[Candidate], least: int, rejected: Rejected) -> list[Candidate]:
    """Return the questions with their scores, those that have at least so much."""
    prompts = [
        judge.PROMPT.messages(question=each.question, answer=each.answer, link=each.link,
                              passages=write.listing(each.evidence))
        for each in candidates
    ]  # fmt: skip
    kept = []
    for each, reply in zip(candidates, replies(chat, prompts), strict=True):
        score = None if isinstance(reply, ModelError) else judge.read_reply(reply)
        if isinstance(reply, ModelError):
            rejected["bridge", unasked(reply)] += 1
        elif score is None:
            rejected["bridge", "the judge gave no score"] += 1
        elif score < least:
            rejected["bridge", f"the judge's score is below {least}"] += 1
        else:
            kept.append(each._replace(score=score))
    return kept
