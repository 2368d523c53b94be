"""Answers over entities: the names of the best nodes, and the relations that tie them to what a question names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from retriever.question.reader import content_stems, named_entities
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.types import Answer, Citation, Evidence, Question, Ranking
from weft.rows import Entity
from weft.text.names import relation_words
from weft.text.normalise import written_words

READ = 30
"""Hits that are looked at."""

NEAR_BEST = 0.9
"""What scores so much of the best node's score is named too."""

MOST_NAMED = 100
"""Nodes that are named where relations lead to more."""

GROUNDED = 0.25
"""How surely relations lead to a node at least that answers (docs/answers.md)."""

LEAST_NAMED = 0.5
"""What the question names so surely is no answer to it."""

MOST_TRIPLES = 3
BY_RELATIONS = "relations"
"""The column of a ranking that tells how surely relations lead to each hit."""

DIRECT = (
    "SELECT relation_type.name FROM relation JOIN relation_type ON relation_type.id = type_id"
    " WHERE subject_id = ? AND object_id = ? ORDER BY 1"
)
HOLDS = "SELECT 1 FROM relation WHERE subject_id = ? AND type_id = ? AND object_id = ?"


class Triple(NamedTuple):
    """A relation between two entities; `said` is the share of what is asked that its type says."""

    subject: str
    relation: str
    object: str
    said: float


class Named(NamedTuple):
    """An answer of nodes, and how surely it is right: 1 where the method does not tell."""

    answer: Answer
    chance: float


NONE = Named(Answer(None, "nodes"), 0.0)


def node_answer(searcher: Searcher, text: str) -> Named:
    """Return the names of the best entities, none that the question names itself.

    By a method that follows relations these are all that it is led to most surely, none where it
    is not sure enough; by others those that score nearly as the best one does.
    """
    named = _named(searcher.session, searcher.query(text).question)
    found = searcher.rank(text, MOST_NAMED + READ + len(named))
    if BY_RELATIONS in found.columns:
        return _by_relations(searcher, text, found, named)
    return _by_scores(searcher, text, found.head(READ + len(named)), named)


def _by_relations(searcher: Searcher, text: str, found: Ranking, named: Sequence[Entity]) -> Named:
    """Return the hits of the best group by relations, each with the triples that lead to it."""
    sure = found.features[:, found.columns.index(BY_RELATIONS)]
    others = ~np.isin(found.ids, [each.id for each in named])
    best = float(sure[others].max(initial=0.0))
    if best < GROUNDED:
        return NONE
    group = found.taken(np.flatnonzero(others & (sure == best))[:MOST_NAMED])
    session = searcher.session
    reasons = searcher.ranker.reasons(session, searcher.query(text), group)
    entities = {each.id: each for each in session.skb.entities(group.ids.tolist())}
    cited = tuple(
        _cited(entities[hit], _led([one for each in why for one in each.evidence], session))
        for hit, why in zip(group.ids.tolist(), reasons, strict=True)
    )
    names = "; ".join(entities[hit].name for hit in group.ids.tolist())
    return Named(Answer(names, "nodes", cited), min(1.0, best))


def _led(evidence: Sequence[Evidence], session: Session) -> list[Triple]:
    """Return the triples of the likeliest path from each name to a node."""
    found: dict[Triple, None] = {}
    from_name: dict[str | None, Evidence] = {}
    for each in evidence:
        if each.steps:
            from_name.setdefault(each.mention, each)
    for each in from_name.values():
        nodes = {uri: session.skb.entity(uri) for uri in each.steps[::2]}
        for (start, end), words in zip(pairwise(each.steps[::2]), each.steps[1::2], strict=True):
            found |= dict.fromkeys(_read(session, nodes, start, words, end))
    return list(found)


def _read(session: Session, nodes: Mapping[str, Entity | None], start: str, words: str, end: str) -> list[Triple]:
    """Return the relation between two nodes that is read by some words, as it is stored."""
    one, other = nodes[start], nodes[end]
    if one is None or other is None:
        return []
    for identity, relation, backward in session.part("relations by words", _by_words).get(words, ()):
        subject, object_ = (other, one) if backward else (one, other)
        if session.skb.connection.execute(HOLDS, (subject.id, identity, object_.id)).fetchone():
            return [Triple(subject.name, relation, object_.name, 1.0)]
    return []


def _by_words(session: Session) -> dict[str, list[tuple[int, str, bool]]]:
    """Return relations by what they are read as: id, name, and whether they are read backwards; forwards first."""
    found: dict[str, list[tuple[int, str, bool]]] = {}
    names = session.skb.connection.execute("SELECT id, name FROM relation_type ORDER BY id").fetchall()
    for backward, form in ((False, "{}"), (True, "is {} of")):
        for identity, name in names:
            found.setdefault(form.format(relation_words(name)), []).append((identity, name, backward))
    return found


def _by_scores(searcher: Searcher, text: str, found: Ranking, named: Sequence[Entity]) -> Named:
    """Return the hits that score nearly as the best; what stands in a relation that the question speaks of is first."""
    session, asked = searcher.session, searcher.query(text).question.asked
    known = {each.id for each in named}
    scores = {each: score for each, score in zip(found.ids.tolist(), found.scores.tolist(), strict=True)
              if each not in known and score > 0}  # fmt: skip
    if not scores:
        return NONE
    entities = {each.id: each for each in session.skb.entities(list(scores))}
    triples = {each: _triples(session, entities[each], named, asked) for each in scores}
    best = max(scores.values())
    worth = {each: score + best * max((one.said for one in triples[each]), default=0.0)
             for each, score in scores.items()}  # fmt: skip
    order = sorted(worth, key=lambda each: -worth[each])
    kept = [each for each in order if worth[each] >= NEAR_BEST * worth[order[0]]]
    names = "; ".join(entities[each].name for each in kept)
    cited = tuple(_cited(entities[each], triples[each][:MOST_TRIPLES]) for each in kept)
    return Named(Answer(names, "nodes", cited), 1.0)


def _named(session: Session, question: Question) -> list[Entity]:
    ids, weights = named_entities(question)
    return session.skb.entities(np.sort(ids[weights >= LEAST_NAMED]).tolist())


def _triples(session: Session, entity: Entity, named: Sequence[Entity], asked: Sequence[str]) -> list[Triple]:
    """Return the relations between a node and what the question names, those it speaks of first."""
    found = []
    for other in named:
        for subject, object_ in ((other, entity), (entity, other)):
            for relation in _relations(session, subject, object_):
                stems = content_stems(written_words(relation_words(relation)))
                said = len(set(stems) & set(asked)) / len(stems) if stems else 0.0
                found.append(Triple(subject.name, relation, object_.name, said))
    return sorted(found, key=lambda each: -each.said)


def _relations(session: Session, subject: Entity, object_: Entity) -> list[str]:
    return [relation for (relation,) in session.skb.connection.execute(DIRECT, (subject.id, object_.id))]


def _cited(entity: Entity, triples: Sequence[Triple]) -> Citation:
    """Return the citation of a node: its triples, else its label."""
    lines = [f"{each.subject} | {each.relation} | {each.object}" for each in triples]
    said = "\n".join(lines) or entity.label
    return Citation(entity.uri, (0, len(said)), said)
