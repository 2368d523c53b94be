"""Ranking hop by hop: behind the best hit come the chunks by which a question is answered that describes something.

"Where was the designer of the Quillon Bridge born?" shares no word with who that is, nor with the page about them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from retriever.answers.hops.bridge import LIKELY, Bridged, bridged
from retriever.answers.hops.hop import Hop
from retriever.answers.hops.nested import descriptions, named
from retriever.answers.passages import HITS
from retriever.answers.ranker import Ranked, ranker_of
from retriever.fusion.store import Fusion, n_learned
from retriever.learning.log_odds import probability
from retriever.protocols import Ranker
from retriever.rankers import hybrid as fused
from retriever.session import Session
from retriever.types import Attribution, Evidence, Query, Ranking, Scores, Step, Unit

ALL = 1 << 40
"""More hits than there are."""

FOR_HOPS = "the ranker of answers, by which hybrid goes hop by hop unless hops=no,"


def hybrid(session: Session, unit: Unit, hops: bool, **options: Any) -> Ranker:
    """Return what ranks by a fusion (see `retriever.rankers.hybrid`), over chunks hop by hop where `hops` says so."""
    plain = fused.hybrid(session, unit, **options)
    return HopByHop(plain, lambda: ranker_of(session)) if hops and isinstance(plain, fused.Hybrid) else plain


class HopByHop:
    """Ranks chunks as another ranker does, and behind its best hit those that hops lead to, in their order.

    `answers` gives what ranks what may be the answer to each hop; it is read when the first question takes one.
    """

    def __init__(self, plain: Ranker, answers: Callable[[], Fusion]) -> None:
        self.plain = plain
        self.answers = answers

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know of the plain ranker."""
        return self.plain.warnings

    def learned(self, path: Path, questions: Sequence[str]) -> dict[str, int]:
        """Return how many of some questions the plain ranker and that of answers were trained on."""
        return self.plain.learned(path, questions) | {FOR_HOPS: n_learned(self.answers().head, path, questions)}

    def rank(self, session: Session, query: Query, k: int) -> Ranking:
        """Return at most k hits, best first; what hops lead to need be no candidate of the plain ranker."""
        if k <= 1:
            return self.plain.rank(session, query, k)
        ways = self._ways(session, query)
        return _led(self.plain.rank(session, query, ALL if ways else k), list(ways)).head(k)

    def doubt(self, session: Session, query: Query) -> str | None:
        """Return what the plain ranker doubts."""
        return self.plain.doubt(session, query)

    def signals(self, session: Session, query: Query, found: Ranking) -> Mapping[str, Scores]:
        """Return the plain ranker's raw scores."""
        return self.plain.signals(session, query, found)

    def reasons(self, session: Session, query: Query, found: Ranking) -> list[tuple[Attribution, ...]]:
        """Return the plain ranker's reasons, and the hop that led to a hit with what that adds to its score."""
        ways = self._ways(session, query)
        own = self.plain.rank(session, query, ALL if ways else 0)
        known = np.isin(found.ids, own.ids) if ways else np.ones(len(found.ids), np.bool_)
        of_known = iter(self.plain.reasons(session, query, found.taken(np.flatnonzero(known))))
        reasons = [next(of_known) if each else () for each in known.tolist()]
        scores = dict(zip(own.ids.tolist(), own.scores.tolist(), strict=True))
        hits = zip(found.ids.tolist(), found.scores.tolist(), reasons, strict=True)
        return [_with_hop(others, ways.get(hit), score - scores.get(hit, score)) for hit, score, others in hits]

    def _ways(self, session: Session, query: Query) -> Mapping[int, Evidence]:
        """Return the chunks that hops lead to, in their order, and by which question; a session computes them once."""
        if not named(descriptions(query.question.text, query.question.mentions)):
            return {}
        return session.memo.of("hops", (id(self), query.key), lambda: self._found(session, query), (self, query))

    def _found(self, session: Session, query: Query) -> Mapping[int, Evidence]:
        timer = session.trace.timer()
        hits = self.plain.rank(session, query, HITS)
        chances = dict(zip(hits.ids.tolist(), probability(hits.scores).tolist(), strict=True))
        text = query.question.text
        found = bridged(session, self.plain, self.answers(), text, chances, query.allowed, everywhere=False)
        hop = None if found.way else next(filter(_is_sure, found.described), None)
        told = _read(found.way) if found.way else [hop.found] if hop else []
        session.trace.add(Step("hops", timer.seconds(), detail={"hops": [_told(each) for each in told]}))
        ways: dict[int, Evidence] = {}
        for each in told:
            passage = each.reading.passages[each.candidate.passage]
            ways.setdefault(passage.chunk, _evidence(passage.uri, each))
        if hop is not None and (chunk := _of_page(session, hop.entity, query, hits)) is not None:
            # What is asked is not found there, but it is the page to look at.
            (uri,) = session.uris("chunk", (chunk,))
            ways.setdefault(chunk, _evidence(uri, hop.found))
        return ways


def _is_sure(hop: Hop) -> bool:
    """Tell whether a hop leads to a page, by a rule or by a likely answer."""
    return bool(hop.entity) and (hop.is_told or hop.found.chance >= LIKELY)


def _read(way: Bridged) -> list[Ranked]:
    """Return what was read on a way; what only a fact says, stands nowhere."""
    return [hop.found for hop in way.hops if hop.fact is None] + ([way.last] if way.is_read else [])


def _of_page(session: Session, entity: int, query: Query, hits: Ranking) -> int | None:
    """Return the best hit of an entity's pages, or else their first chunk; None where none may be ranked."""
    own = session.chunks_of_entity(entity)
    own = own if query.allowed is None else own[np.isin(own, query.allowed)]
    ranked = hits.ids[np.isin(hits.ids, own)]
    return int([*ranked, *own][0]) if len(own) else None


def _evidence(uri: str, found: Ranked) -> Evidence:
    return Evidence("hops", "hop", uri, _told(found), found.chance)


def _with_hop(reasons: tuple[Attribution, ...], hop: Evidence | None, added: float) -> tuple[Attribution, ...]:
    if hop is None:
        return reasons
    before = sum(each.contribution > added for each in reasons)
    return (*reasons[:before], Attribution("hops", added, (hop,)), *reasons[before:])


def _told(found: Ranked) -> str:
    return f"{found.reading.asked.text} {found.candidate.text}"


def _led(found: Ranking, chunks: Sequence[int]) -> Ranking:
    """Return a ranking with some chunks right behind the first, each scored below it, hits or not."""
    found = _with_hits(found, chunks)
    rows = {hit: row for row, hit in enumerate(found.ids.tolist())}
    led = [row for each in chunks if (row := rows.get(each))]
    others = np.setdiff1d(np.arange(len(rows)), led)
    ranked = found.taken(np.array([*others[:1], *led, *others[1:]], np.int64))
    scores = ranked.scores.copy()
    for row in range(1, len(led) + 1):
        scores[row] = np.nextafter(scores[row - 1], np.float32(-np.inf))
    scores[len(led) + 1 :] = np.minimum(scores[len(led) + 1 :], scores[len(led) : len(led) + 1])
    return ranked._replace(scores=scores)


def _with_hits(found: Ranking, chunks: Sequence[int]) -> Ranking:
    """Return a ranking with some chunks behind all others, of which no signal says anything."""
    new = np.array([each for each in chunks if each not in set(found.ids.tolist())], np.int64)
    if not len(new) or not len(found.ids):
        return found
    n = len(new)
    return found._replace(
        ids=np.concatenate([found.ids, new]), groups=np.append(found.groups, np.repeat(found.groups[-1:], n)),
        scores=np.append(found.scores, np.repeat(found.scores[-1:], n)),
        features=np.vstack([found.features, np.zeros((n, found.features.shape[1]), np.float32)]),
    )  # fmt: skip
