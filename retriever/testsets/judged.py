"""Questions that a language model writes and judges, between the deterministic checks.

Entities that several chunks cite are drawn by the seed, those of several pages
first. The model writes a question for each, or none; what fails a check is
rejected before another call is paid for. It then answers from the gold chunks
without each of them in turn, which must fail, and gives a score; the best are
kept. Calls go through the chat's cache and budget.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from retriever.prompts import answer as answering
from retriever.prompts.testset import judge, write
from retriever.session import Session
from retriever.testsets.evidence import worded
from retriever.testsets.records import VERSION
from weft.chat.base import Chat, Message, Options
from weft.chat.dry_run import DryRun
from weft.chat.many import Outcome, complete_all
from weft.chat.tokens import tokens_read, tokens_written
from weft.errors import ModelError, WeftError
from weft.rows import Chunk
from weft.text.names import short_name

OPTIONS = Options(temperature=0.0, max_tokens=600)
DRAWN = 3
"""Entities drawn for each question wanted, as in the thesis."""

MOST_CHUNKS = 6
"""Chunks of one entity that are shown: hubs have hundreds."""

LEAST_SCORE = 7
BRIDGES = "SELECT entity_id FROM cites GROUP BY entity_id HAVING count(*) > 1 ORDER BY entity_id"

Advance = Callable[[int], object]


class Shown(NamedTuple):
    """An entity, the names by which it is known, and the chunks that a model is shown, with their titles."""

    name: str
    names: frozenset[str]
    chunks: tuple[Chunk, ...]
    titles: tuple[str, ...]

    def listing(self, kept: Sequence[int] | None = None) -> str:
        """Return the chunks as they are shown, all or those at some indices."""
        indices = range(len(self.chunks)) if kept is None else kept
        return write.listing([(self.titles[each], self.chunks[each].text) for each in indices])


class Written(NamedTuple):
    """A question that a model wrote about what it was shown, and its score."""

    shown: Shown
    proposed: write.Proposed
    score: float = 0.0


class Judged(NamedTuple):
    """Records of a set, how many drafts were asked for, and why others were rejected."""

    records: list[dict[str, Any]]
    proposed: Counter[str]
    rejected: Counter[tuple[str, str]]


def make_judged(
    session: Session, chat: Chat, n: int, seed: int = 0, least: int = LEAST_SCORE, advance: Advance = lambda n: None
) -> Judged:
    """Return at most n questions, the best scored first; raise WeftError where no entity is cited twice, ModelError
    where no call succeeds. `advance` is called for each entity asked about."""
    drawn = draw(session, DRAWN * n, seed)
    if not drawn:
        raise WeftError("no entity is cited by two chunks, so a model has nothing to join")
    rejected: Counter[tuple[str, str]] = Counter()
    replies = _replies(chat, [write.PROMPT.messages(link=each.name, passages=each.listing()) for each in drawn])
    advance(len(drawn))
    written = []
    for shown, reply in zip(drawn, replies, strict=True):
        proposed = None if reply is None else write.read_reply(reply, len(shown.chunks))
        reason = wrong(shown, proposed)
        if reason is not None or proposed is None:
            rejected["bridge", reason or NO_QUESTION] += 1
        else:
            written.append(Written(shown, proposed))
    if isinstance(chat, DryRun):
        _assume(chat, drawn)
    written = _judged(chat, _needing_all(chat, _distinct(written, rejected), rejected), least, rejected)
    best = sorted(written, key=lambda each: (-each.score, each.proposed.question))[:n]
    records = [_record(each, number, chat.name) for number, each in enumerate(best, 1)]
    return Judged(records, Counter(bridge=len(drawn)), rejected)


NO_QUESTION = "the model wrote no question"
CHECKS: tuple[tuple[str, Callable[[Shown, write.Proposed], bool]], ...] = (
    ("fewer than two chunks are named", lambda shown, made: len(made.passages) > 1),
    ("the bridge is named in the question or the answer", lambda shown, made: not any(
        name in worded(made.question) or name in worded(made.answer) for name in shown.names)),
    ("the answer stands in the question", lambda shown, made: worded(made.answer) not in worded(made.question)),
    ("the answer stands in no gold chunk", lambda shown, made: any(
        worded(made.answer) in worded(shown.chunks[each].text) for each in made.passages)),
    ("every gold chunk has the answer", lambda shown, made: not all(
        worded(made.answer) in worded(shown.chunks[each].text) for each in made.passages)),
)  # fmt: skip
"""What must hold of a question that a model wrote; that each gold chunk cites the bridge follows from what is shown."""


def wrong(shown: Shown, proposed: write.Proposed | None) -> str | None:
    """Return why a question is rejected before anything more is asked, None where it is in order."""
    if proposed is None:
        return NO_QUESTION
    return next((reason for reason, holds in CHECKS if not holds(shown, proposed)), None)


def draw(session: Session, n: int, seed: int) -> list[Shown]:
    """Return at most n entities that several chunks cite, those that chunks of several pages cite first."""
    random = np.random.default_rng(seed)
    entities = [row[0] for row in session.skb.connection.execute(BRIDGES)]
    drawn = random.permutation(entities).tolist()[: 2 * n]
    shown = [_shown(session, entity, random) for entity in drawn]
    return sorted(shown, key=lambda each: len({chunk.page_id for chunk in each.chunks}) < 2)[:n]


def _shown(session: Session, entity: int, random: np.random.Generator) -> Shown:
    """Return an entity with a sample of its chunks, one of each page before a second one of any."""
    (row,) = session.skb.entities([entity])
    citing = [citation.chunk_id for citation in session.skb.cited_in(entity)]
    chunks = session.skb.chunks(random.permutation(citing)[: 10 * MOST_CHUNKS].tolist())
    seen: Counter[int] = Counter()
    ranks = []
    for chunk in chunks:
        ranks.append(seen[chunk.page_id])
        seen[chunk.page_id] += 1
    order = sorted(range(len(chunks)), key=lambda index: (ranks[index], index))[:MOST_CHUNKS]
    kept = tuple(chunks[index] for index in order)
    titles = tuple(page.title for page in session.skb.pages([chunk.page_id for chunk in kept]))
    names = frozenset(worded(name) for name in (row.name, short_name(row.name) or row.name))
    return Shown(row.name, names, kept, titles)


def _distinct(written: Sequence[Written], rejected: Counter[tuple[str, str]]) -> list[Written]:
    kept: dict[str, Written] = {}
    for each in written:
        if kept.setdefault(worded(each.proposed.question), each) is not each:
            rejected["bridge", "a near-duplicate"] += 1
    return list(kept.values())


def _needing_all(chat: Chat, written: Sequence[Written], rejected: Counter[tuple[str, str]]) -> list[Written]:
    """Return the questions that the model cannot answer where any one of the gold chunks is taken away."""
    asked = [(index, left) for index, each in enumerate(written) for left in each.proposed.passages]
    prompts = [_without(written[index], left) for index, left in asked]
    answered = set()
    for (index, _), reply in zip(asked, _replies(chat, prompts), strict=True):
        kept = len(written[index].proposed.passages) - 1
        found = None if reply is None else answering.read_reply(reply, kept).answer
        right = worded(written[index].proposed.answer)
        if reply is None or (found and (worded(found) in right or right in worded(found))):
            answered.add(index)
    rejected["bridge", "it is answered with a gold chunk taken away"] += len(answered)
    return [each for index, each in enumerate(written) if index not in answered]


def _without(written: Written, left: int) -> list[Message]:
    shown = written.shown
    kept = [(shown.titles[each], shown.chunks[each].text) for each in written.proposed.passages if each != left]
    return answering.REASON.messages(passages=answering.listing(kept), question=written.proposed.question)


def _judged(
    chat: Chat, written: Sequence[Written], least: int, rejected: Counter[tuple[str, str]]
) -> list[Written]:
    """Return the questions with their scores, those that have at least so much."""
    prompts = [
        judge.PROMPT.messages(question=each.proposed.question, answer=each.proposed.answer, link=each.shown.name,
                              passages=each.shown.listing(each.proposed.passages))
        for each in written
    ]  # fmt: skip
    kept = []
    for each, reply in zip(written, _replies(chat, prompts), strict=True):
        score = None if reply is None else judge.read_reply(reply)
        if score is None:
            rejected["bridge", "the judge gave no score"] += 1
        elif score < least:
            rejected["bridge", f"the judge's score is below {least}"] += 1
        else:
            kept.append(each._replace(score=score))
    return kept


def _replies(chat: Chat, prompts: Sequence[Sequence[Message]]) -> list[str | None]:
    """Return the reply to each prompt, None to one that failed; raise ModelError where all did."""
    outcomes: list[Outcome] = complete_all(chat, prompts, options=OPTIONS) if prompts else []
    failed = [each for each in outcomes if isinstance(each, ModelError)]
    if outcomes and len(failed) == len(outcomes):
        raise failed[0]
    return [None if isinstance(each, ModelError) else each[0].text if each else "" for each in outcomes]


def _assume(chat: DryRun, drawn: Sequence[Shown]) -> None:
    """Count what follows from questions that are not written yet: two answers and a judgement of each, at most."""
    read = sum(tokens_read(judge.PROMPT.messages(question="", answer="", link=each.name, passages=each.listing()))
               for each in drawn)  # fmt: skip
    chat.assume(3 * len(drawn), 3 * read, 3 * len(drawn) * tokens_written(OPTIONS))


def _record(written: Written, number: int, model: str) -> dict[str, Any]:
    """Return a question as the line of a set."""
    shown, proposed, score = written
    gold = [shown.chunks[each] for each in proposed.passages]
    return {
        "id": f"bridge-{number:05d}",
        "question": proposed.question,
        "answers": [proposed.answer],
        "gold": [{"uri": chunk.uri} for chunk in gold],
        "hops": len(gold),
        "type": "bridge",
        "path": list(dict.fromkeys((shown.titles[proposed.passages[0]], shown.name, proposed.answer))),
        "bridge": [shown.name],
        "evidence": [{"uri": chunk.uri, "text": chunk.text} for chunk in gold],
        "scores": {"verified": 1.0, "judged": score},
        "made_by": {"version": VERSION, "writer": model},
    }
