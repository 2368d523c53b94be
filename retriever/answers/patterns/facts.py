"""Facts: what a relation or attribute of the one thing that a question names says, if it asks for nothing else.

A fact points to the candidate that says the same, which is cited where it stands. Where none of what is read does, the
fact itself is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from retriever.answers.asked import CHOICE, Asked
from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.passages import Passage
from retriever.answers.ranker import Ranked, single_candidate
from retriever.answers.text.dates import Date, amounts_in, dates_in
from retriever.answers.text.likeness import normalised
from retriever.answers.text.words import stem_of, stems_in
from retriever.question.reader import content_stems, linked_question, sure_of, without
from retriever.session import Session
from retriever.types import Citation
from weft.rows import Entity
from weft.text.names import plain_name, relation_words
from weft.text.normalise import written_words

STATED = 0.9
"""The chance of what a fact says."""

BESIDE = {
    "time": "date year time day", "place": "place location town city", "person": "name person",
    "number": "number total",
}  # fmt: skip
"""What a predicate may say beside what is asked for: the birth date, where it is asked when somebody was born."""

SAME = {
    stem_of(word): stem_of(name)
    for name, words in (
        ("occupation", "job profession trade career vocation"), ("spouse", "wife husband married marry"),
        ("founded", "established formed"), ("child", "children kids"), ("father", "dad"), ("mother", "mum mom"),
    )
    for word in words.split()
}  # fmt: skip
"""Stems that ask for the same as another one does."""

DIED_OF = re.compile(r"\b(?:of|from) (?:what|which)\b.*\bdied?\b|\bdied? (?:of|from)\b", re.I)
DEATH = frozenset(content_stems(("death", "cause")))
DYING = DEATH | frozenset(content_stems("die died illness disease sickness".split()))
"""What asks for the cause of a death, the predicate that tells it, and words of a question for nothing else."""

MEASURING = frozenset(map(stem_of, "tall high long wide broad deep thick big large far".split()))
AGENT = re.compile(r"\b(?:did|does|do|whose)\b|\bby (?:the )?$", re.I)
"""What makes of somebody who is named the one who does it: "Who did Ada Orr teach?" asks for no teacher of hers."""

ONE_OF_SEVERAL = re.compile(
    r"\b(?:first|second|third|last|later?|latest|next|other|earl(?:y|ier|iest)|old(?:er|est)|young(?:er|est)|more|most|less"
    r"|least|same|different|both|between|before|after|following|during)\b", re.I,
)  # fmt: skip
"""What asks for one of several or at some time, and is no word that a question is searched by: "the first mayor"."""

OF_ANOTHER = re.compile(r"(?<!\bname )\bof (?:the|an?|his|her|its) [a-z][a-z -]* of\b")
"""What asks for something of what a fact may tell: "the occupation of the chair of the guild"."""

OLD, AGE = re.compile(r"\bhow old\b", re.I), stem_of("age")
DATED = re.compile(r"\b(?:dates?|years?|days?|when|centur(?:y|ies))\b", re.I)
RELATIONS = (
    "SELECT relation_type.name, object_id FROM relation JOIN relation_type ON relation_type.id = type_id"
    " WHERE subject_id = ? ORDER BY 1, 2"
)


ISO = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
NUMERIC = re.compile(r"[+-]?\d+(?:\.\d+)?")


class Fact(NamedTuple):
    """A `value` that a `predicate` gives to a subject: an `entity`, 0 for a literal, with its number or date if any."""

    subject: Entity
    predicate: str
    value: str
    entity: int = 0
    number: float | None = None
    date: str | None = None

    @property
    def cited(self) -> Citation:
        """The triple."""
        said = f"{self.subject.name} | {self.predicate} | {self.value}"
        return Citation(self.subject.uri, (0, len(said)), said)


def fact_asked(session: Session, asked: Asked) -> Fact | None:
    """Return the fact that a question asks for; None where it asks for more, or where several or none are told."""
    return session.memo.of("fact", asked.text, lambda: _fact(session, asked))


def told_in(found: Ranked | None, fact: Fact) -> Ranked | None:
    """Return a reading with the best candidate that says what a fact does, the subject's page first; None for none.

    It stands on that page, or its sentence names the subject: somebody else may have died where she was born.
    """
    if found is None:
        return None
    candidates, passages = found.reading.candidates, found.reading.passages
    own = [passages[each.passage].entity == fact.subject.id for each in candidates]
    same = [
        index for index, each in enumerate(candidates)
        if _is_same(found, each, fact) and (own[index] or _is_named(passages[each.passage], each, fact.subject))
    ]  # fmt: skip
    if not same:
        return None
    best = max(same, key=lambda index: (own[index], float(found.scores[index])))
    return found._replace(best=best, chance=max(found.chance, STATED))


def _is_named(passage: Passage, candidate: Candidate, subject: Entity) -> bool:
    """Tell whether the sentence of a candidate has the whole name of a subject."""
    said = {*stems_in(passage.text[slice(*passage.sentence_at(candidate.start))])}
    return said.issuperset(stems_in(plain_name(subject.name)))


def told_beside(found: Ranked, fact: Fact) -> Ranked:
    """Return the reading of a hop with what a fact says of its answer as its single candidate, which stands nowhere."""
    before = found.candidate
    key, form = normalised(fact.value), NUMBERED["name"]
    candidate = Candidate(fact.value, key, before.passage, before.start, before.start, form, fact.entity)
    return single_candidate(found.reading, candidate, STATED)


def _fact(session: Session, asked: Asked) -> Fact | None:
    if asked.is_polar or CHOICE.search(asked.text):
        return None
    question = linked_question(session, asked.text)
    sure = sure_of(question.mentions)
    if len(sure) != 1 or not question.asked or OF_ANOTHER.search(asked.text):
        return None
    if ONE_OF_SEVERAL.search(without(asked.text, sure)):
        return None
    (subject,) = session.skb.entities([int(sure[0].entities[np.argmax(sure[0].weights)])])
    stems = frozenset(question.asked)
    stems = DEATH if stems <= DYING and DIED_OF.search(asked.text) else stems
    acts = AGENT.search(asked.text[: sure[0].start]) is not None
    found = {
        normalised(each.value): each
        for each in _facts(session, subject, relations=not acts)
        if _says(each, asked, stems)
    }
    return next(iter(found.values())) if len(found) == 1 else None


def _facts(session: Session, subject: Entity, *, relations: bool) -> Iterator[Fact]:
    for each in session.skb.attributes(subject.id):
        yield Fact(subject, each.key, each.value, 0, each.number, each.date)
    rows = session.skb.connection.execute(RELATIONS, (subject.id,)).fetchall() if relations else []
    names = {each.id: each.name for each in session.skb.entities(sorted({entity for _, entity in rows}))}
    for predicate, entity in rows:
        # A triples file has nothing but names: "1979-07-23" is one.
        value = plain_name(names[entity])
        number, date = (pattern.fullmatch(value) for pattern in (NUMERIC, ISO))
        yield Fact(subject, predicate, value, entity, float(value) if number else None, value if date else None)


def _says(fact: Fact, asked: Asked, stems: frozenset[str]) -> bool:
    """Tell whether a predicate says all that is asked for, beside it but its kind, and whether the value may answer."""
    own = _same(content_stems(written_words(relation_words(fact.predicate))))
    if OLD.search(asked.text) and AGE not in own:
        return False
    beside = frozenset(map(stem_of, BESIDE.get(asked.kind, "name").split()))
    # "How high is it?" asks for a height, "How high did she jump?" for none of hers.
    dimension = [frozenset((stem_of(asked.dimension),))] if asked.dimension and stems <= MEASURING else []
    # A birth place need not be an island.
    is_any = asked.kind not in ("place", "country") or asked.focus <= own | beside
    # "The profession of her husband" asks for no husband.
    is_any = is_any and _same(asked.focus).isdisjoint(SAME.values())
    wanted = [_same(each) for each in (stems, *([stems - asked.focus] if is_any else []), *dimension)]
    return any(each and each <= own and own - each <= beside for each in wanted) and _may_be(fact, asked)


def _same(stems: Iterable[str]) -> frozenset[str]:
    return frozenset(SAME.get(stem, stem) for stem in stems)


def _may_be(fact: Fact, asked: Asked) -> bool:
    if asked.kind == "time" or DATED.search(asked.text):
        return fact.date is not None
    if asked.kind == "number":
        return fact.number is not None
    is_amount = fact.number is not None or fact.date is not None
    return not is_amount if asked.kind in ("person", "place", "country") else fact.date is None


def _is_same(found: Ranked, candidate: Candidate, fact: Fact) -> bool:
    """Tell whether a candidate says what a fact does; dates and numbers do so on the subject's own page alone."""
    if candidate.key == normalised(fact.value) or (fact.entity and candidate.entity == fact.entity):
        return True
    if found.reading.passages[candidate.passage].entity != fact.subject.id:
        return False
    if fact.date is not None:
        dates = [date for *_, date in dates_in(candidate.text)]
        return len(dates) == 1 and fact.date == _written(dates[0])
    amounts = [amount for _, amount in amounts_in(candidate.text)]
    return fact.number is not None and amounts == [fact.number]


def _written(date: Date) -> str:
    """Return a date as attributes have it: "1861-05-03", "1861-05" or "1861"."""
    return "-".join(f"{part:0{width}}" for part, width in zip(date, (4, 2, 2), strict=True) if part)
