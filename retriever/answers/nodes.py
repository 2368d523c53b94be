"""Answers over entities: the names of the best nodes, and the relations that tie them to what a question names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from retriever.question.reader import content_stems, named_entities
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.types import Answer, Citation, Question
from weft.rows import Entity
from weft.text.normalise import written_words

READ = 30
"""Hits that are looked at."""

NEAR_BEST = 0.9
"""What scores so much of the best node's score is named too."""

LEAST_NAMED = 0.5
"""What the question names so surely is no answer to it."""

MOST_TRIPLES = 3
DIRECT = (
    "SELECT relation_type.name FROM relation JOIN relation_type ON relation_type.id = type_id"
    " WHERE subject_id = ? AND object_id = ? ORDER BY 1"
)


class Triple(NamedTuple):
    """A relation between two entities; `said` is the share of what is asked that its type says."""

    subject: str
    relation: str
    object: str
    said: float


def node_answer(searcher: Searcher, text: str) -> Answer:
    """Return the names of the best entities, those that score nearly as the best one does; None where none does.

    What the question names is none of them; what stands in a relation to it
    that the question speaks of comes before what does not.
    """
    session, question = searcher.session, searcher.query(text).question
    named = _named(session, question)
    found = searcher.rank(text, READ + len(named))
    known = {each.id for each in named}
    scores = {each: score for each, score in zip(found.ids.tolist(), found.scores.tolist(), strict=True)
              if each not in known and score > 0}  # fmt: skip
    if not scores:
        return Answer(None, "nodes")
    entities = {each.id: each for each in session.skb.entities(list(scores))}
    triples = {each: _triples(session, entities[each], named, question.asked) for each in scores}
    best = max(scores.values())
    worth = {each: score + best * max((one.said for one in triples[each]), default=0.0)
             for each, score in scores.items()}  # fmt: skip
    order = sorted(worth, key=lambda each: -worth[each])
    kept = [each for each in order if worth[each] >= NEAR_BEST * worth[order[0]]]
    names = "; ".join(entities[each].name for each in kept)
    return Answer(names, "nodes", tuple(_cited(entities[each], triples[each]) for each in kept))


def _named(session: Session, question: Question) -> list[Entity]:
    ids, weights = named_entities(question)
    return session.skb.entities(np.sort(ids[weights >= LEAST_NAMED]).tolist())


def _triples(session: Session, entity: Entity, named: Sequence[Entity], asked: Sequence[str]) -> list[Triple]:
    """Return the relations between a node and what the question names, those it speaks of first."""
    found = []
    for other in named:
        for subject, object_ in ((other, entity), (entity, other)):
            for (relation,) in session.skb.connection.execute(DIRECT, (subject.id, object_.id)):
                stems = content_stems(written_words(relation.replace("_", " ")))
                said = len(set(stems) & set(asked)) / len(stems) if stems else 0.0
                found.append(Triple(subject.name, relation, object_.name, said))
    return sorted(found, key=lambda each: -each.said)


def _cited(entity: Entity, triples: Sequence[Triple]) -> Citation:
    """Return the citation of a node: its triples with what the question names, else its label."""
    lines = [f"{each.subject} | {each.relation} | {each.object}" for each in triples[:MOST_TRIPLES]]
    said = "\n".join(lines) or entity.label
    return Citation(entity.uri, (0, len(said)), said)
