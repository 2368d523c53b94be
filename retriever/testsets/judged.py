"""Questions that a language model writes and judges, between the deterministic checks.

Entities that several chunks cite are drawn by the seed, those of several pages
first. The model writes a question for each, or none; what fails a check is
rejected before another call is paid for. It then answers from the gold chunks
without each of them in turn, which must fail, and gives a score; the best are
kept. Calls go through the chat's cache and budget.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from retriever.prompts.testset import write
from retriever.session import Session
from retriever.testsets.evidence import worded
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
from retriever.testsets.records import VERSION
from weft.chat.base import Chat
from weft.chat.dry_run import DryRun
from weft.errors import ModelError, WeftError
from weft.rows import Chunk
from weft.text.names import plain_name

MOST_CHUNKS = 6
"""Chunks of one entity that are shown: hubs have hundreds."""

BRIDGES = "SELECT entity_id FROM cites GROUP BY entity_id HAVING count(*) > 1 ORDER BY entity_id"


class Shown(NamedTuple):
    """An entity, the names by which it is known, and the chunks that a model is shown, with their titles."""

    name: str
    names: frozenset[str]
    chunks: tuple[Chunk, ...]
    titles: tuple[str, ...]

    def listing(self) -> str:
        """Return the chunks as they are shown."""
        return write.listing([(title, chunk.text) for title, chunk in zip(self.titles, self.chunks, strict=True)])


def make_judged(
    session: Session, chat: Chat, n: int, seed: int = 0, least: int = LEAST_SCORE, advance: Advance = lambda n: None
) -> Judged:
    """Return at most n questions, the best scored first; raise WeftError where no entity is cited twice, ModelError
    where no call succeeds. `advance` is called for each entity asked about."""
    drawn = draw(session, DRAWN * n, seed)
    if not drawn:
        raise WeftError("no entity is cited by two chunks, so a model has nothing to join")
    rejected: Rejected = Counter()
    prompts = [write.PROMPT.messages(link=each.name, passages=each.listing()) for each in drawn]
    proposed: dict[int, write.Proposed] = {}
    for number, (shown, reply) in enumerate(zip(drawn, replies(chat, prompts), strict=True)):
        read = None if isinstance(reply, ModelError) else write.read_reply(reply, len(shown.chunks))
        reason = unasked(reply) if isinstance(reply, ModelError) else wrong(shown, read)
        if reason is not None or read is None:
            rejected["bridge", reason or NO_QUESTION] += 1
        else:
            proposed[number] = read
    advance(len(drawn))
    if isinstance(chat, DryRun):
        assume(chat, [each.name for each in drawn], [each.listing() for each in drawn])
    candidates = [_candidate(drawn[number], read, number) for number, read in proposed.items()]
    kept = best(chat, candidates, n, least, rejected)
    records = [_record(drawn[each.number], proposed[each.number], each.score, place, chat.name)
               for place, each in enumerate(kept, 1)]  # fmt: skip
    return Judged(records, Counter(bridge=len(drawn)), rejected)


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
    names = frozenset(worded(name) for name in (row.name, plain_name(row.name)))
    return Shown(row.name, names, kept, titles)


def _candidate(shown: Shown, proposed: write.Proposed, number: int) -> Candidate:
    evidence = tuple((shown.titles[each], shown.chunks[each].text) for each in proposed.passages)
    return Candidate(number, proposed.question, proposed.answer, shown.name, evidence)


def _record(shown: Shown, proposed: write.Proposed, score: float, place: int, model: str) -> dict[str, Any]:
    """Return a question as the line of a set."""
    gold = [shown.chunks[each] for each in proposed.passages]
    return {
        "id": f"bridge-{place:05d}",
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
