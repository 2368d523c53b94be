"""What is read of somebody or something without a page: the sentences that name it, and what goes on about it.

>>> text = "In 1867 he married Signe Orr. She was born in Kell. He died there. Orr was 26."
>>> from weft.text.sentences import sentences
>>> [text[start:end] for start, end in about(text, sentences(text), "Signe Orr", of=-1)]
['In 1867 he married Signe Orr.', 'She was born in Kell.', 'Orr was 26.']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from retriever.answers.candidates import Candidate
from retriever.answers.columns.features import INDEX
from retriever.answers.columns.lives import is_asked, lives_asked, told_of_lives
from retriever.answers.columns.subjects import Subject
from retriever.answers.hops.kin.names import RUN
from retriever.answers.hops.kin.relations import KINDS
from retriever.answers.passages import Passage
from retriever.answers.ranker import Ranked, ranked
from retriever.answers.reading import Reading
from retriever.answers.text.kinds import NOTHING, kinds_of
from retriever.answers.text.lexicon.hypernyms import is_person
from retriever.answers.text.likeness import answer_tokens
from retriever.answers.text.words import FUNCTION, stems_in
from retriever.fusion.store import Fusion
from retriever.session import Session
from weft.text.names import plain_name

KIN = re.compile(rf"\b(?:{'|'.join(KINDS)}|children|wives)s?\b", re.I)
PRONOUN = re.compile(
    r"\W*(?:\w+ \d{4},? |later,? |then,? )?(?:(?P<she>she|her)|(?P<he>he|his)|(?P<it>it|its|they|their))\b", re.I
)
"""How a sentence begins that goes on about whoever was named before."""


def about(
    text: str, bounds: Sequence[tuple[int, int]], name: str, of: int = 0, noun: str = ""
) -> Iterator[tuple[int, int]]:
    """Yield the sentences, of some `bounds`, that say a name or a part of it, or go on about it by a pronoun.

    `of` is the sex of whom the page is about: 1 for she, -1 for he, who its pronouns mean, 0 for nobody. What begins
    with "her" and the `noun` of the kin that the name is, says it too.
    """
    role = re.compile(rf"\b(?:[Hh]is|[Hh]er|[Tt]heir) {re.escape(noun)}\b") if noun else None
    goes_on = False
    for start, end in bounds:
        if _says(text[start:end], name) or (role is not None and role.search(text, start, end)):
            goes_on = True
        elif goes_on:
            pronoun = PRONOUN.match(text, start, end)
            sex = 0 if pronoun is None else 1 if pronoun["she"] else -1 if pronoun["he"] else 0
            goes_on = pronoun is not None and (not of or sex != of)
        if goes_on:
            yield start, end


def _says(sentence: str, name: str) -> bool:
    """Tell whether a sentence has a name or a part of it, which is no part of another name: "Ada Orr" for Bo Orr."""
    own = {*name.split()}
    for run in re.findall(RUN, sentence):
        words = {*run.split()}
        if not words.isdisjoint(own) and all(is_person(word.lower()) for word in words - own):
            return True
    return False


def told_about(session: Session, reading: Reading, name: str, noun: str = "") -> Reading:
    """Return a reading with only the candidates of sentences about a name, or "her mother"; the name is left out.

    Where a question asks for what lives are read for, only those that are told of the name.
    """
    kinds = kinds_of(session, {passage.page for passage in reading.passages})
    spans = [_spans(each, name, kinds.get(each.page, NOTHING).gender, noun) for each in reading.passages]
    rows = [row for row, each in enumerate(reading.candidates) if _stands_in(reading, each, spans[each.passage], name)]
    passages = [each._replace(named=float(bool(own))) for each, own in zip(reading.passages, spans, strict=True)]
    subject = Subject((name.split()[0], *filter(None, [noun])), name, is_title=False)
    found = reading.taken(rows)._replace(passages=passages)
    if not lives_asked(found.asked):
        return found
    told = told_of_lives(found.asked, passages, found.candidates, subject)
    found.features[:, INDEX["told_of_life"]] = told
    return found.taken(np.flatnonzero(told).tolist())


def life_of(session: Session, answers: Fusion, reading: Reading) -> Ranked | None:
    """Return what sentences with a name tell of the life that a question asks for, where it has no page.

    None where it has one, where a question names several such or their kin, and where no such sentence tells.
    """
    asked = reading.asked
    if not lives_asked(asked) or KIN.search(asked.text) or any(is_asked(each, asked) for each in reading.passages):
        return None
    names = (name for text in asked.text.split(" ", 1)[1:] for name in re.findall(RUN, text))
    unknown = [name for name in names if asked.named.isdisjoint(stems_in(name))]
    if len(unknown) != 1:
        return None
    told, words = told_about(session, reading, unknown[0]), {*answer_tokens(unknown[0])}
    rows = [row for row, each in enumerate(told.candidates) if len(words & _words_beside(told, each)) > 1]
    return ranked(answers, told.taken(rows))


def _words_beside(reading: Reading, candidate: Candidate) -> set[str]:
    passage = reading.passages[candidate.passage]
    return {*answer_tokens(passage.text[slice(*passage.sentence_at(candidate.start))])}


def _spans(passage: Passage, name: str, of: int, noun: str) -> set[tuple[int, int]]:
    title, own = {*answer_tokens(plain_name(passage.title))}, {*answer_tokens(name)}
    # Somebody's page that the name does not link to.
    is_page = bool(title and own) and (title <= own or own <= title)
    return {*(passage.bounds if is_page else about(passage.text, passage.bounds, name, of, noun))}


def _stands_in(reading: Reading, candidate: Candidate, spans: set[tuple[int, int]], name: str) -> bool:
    is_else = not {*candidate.key.split()} <= {*name.casefold().split()} - FUNCTION
    is_in = candidate.end > candidate.start
    return is_in and is_else and reading.passages[candidate.passage].sentence_at(candidate.start) in spans
