"""Relatives: who is somebody's father, wife or daughter, by the page of either that a question names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.hops.entities import entity_of
from retriever.answers.hops.kin.kinship import Told, relatives_in
from retriever.answers.hops.kin.names import Span, is_honorific, name_at
from retriever.answers.hops.kin.relations import KINDS
from retriever.answers.passages import LEAST_NAMED, Passage
from retriever.answers.text.forms import CAPITAL
from retriever.answers.text.kinds import FEMALE, MALE, NOTHING, OFFICE, Kind, gender_in, kinds_of
from retriever.answers.text.likeness import answer_tokens, normalised
from retriever.answers.text.words import UPPER
from retriever.session import Session
from weft.text.names import plain_name

PLURALS = {f"{kin}s": kin for kin in KINDS} | {
    "children": "child", "wives": "wife", "widow": "wife", "widower": "husband",
}  # fmt: skip
KIN = "|".join((*KINDS, *PLURALS))
TOLD = 0.9
"""The chance of whom a text says to be somebody's kin."""

UNTOLD = 0.4
"""What is left of the chance of an answer about kin that no page is found to tell."""

ORDERS = {"first": 0, "second": 1, "third": 2, "fourth": 3}
SAID = "only|elder|older|eldest|oldest|younger|youngest|late|widowed|own"
ONE = rf"(?:(?:{SAID}) )?(?:(?P<order>{'|'.join(ORDERS)}) )?"
ASKS = re.compile(
    r"\W*(?:who(?:'s|’s| is| was| are| were)|name|(?:what (?:is|was)|give|tell me) the names? of) "
    rf"(?:(?:the )?{ONE}(?P<kin>{KIN}) of (?P<of>.+?)"
    rf"|(?P<owner>.+?)(?:['’]s|(?<=s)['’]) {ONE.replace('order', 'nth')}(?P<own>{KIN})|(?P<married>.+?) married to)\W*"
    r"|\W*whom? did (?P<marries>.+?) (?:marry|wed)\W*", re.I,
)  # fmt: skip
"""A question for somebody's kin."""

TRADE = re.compile(rf"the (?:[a-z][\w-]* ){{1,4}}(?=[{UPPER}])")
"""What stands before the name of whom kin are asked: "the cricketer and judge Bo Lund"."""

INVERSE = {
    "father": "child", "mother": "child", "parent": "child", "son": "parent", "daughter": "parent", "child": "parent",
    "husband": "spouse", "wife": "spouse", "spouse": "spouse",
    "brother": "sibling", "sister": "sibling", "sibling": "sibling",
    "uncle": "nibling", "aunt": "nibling", "nephew": "uncle", "niece": "uncle", "nibling": "uncle", "cousin": "cousin",
    "grandfather": "grandchild", "grandmother": "grandchild", "grandparent": "grandchild",
    "grandson": "grandparent", "granddaughter": "grandparent", "grandchild": "grandparent",
}  # fmt: skip
BOTH = re.compile(rf" and {CAPITAL} (?P<surname>{CAPITAL})(?![ ][{UPPER}])")
"""What stands behind the first name of one whose surname is told behind another one's: "Jan and Ida Orr"."""

NTH = rf"\b(?P<nth>{'|'.join(ORDERS)}) (?:wife|husband|son|daughter|child)(?: was|,)? (?:the )?(?:[a-z]+ )*$"
LONGEST = 300
"""Characters of a question that may ask for kin alone."""


class Asks(NamedTuple):
    """A question for `kin` (a key of KINDS) of `whom`, of several for the one of an `order` from 0; -1 for any."""

    kin: str
    whom: str
    order: int = -1


def kin_called(word: str) -> str:
    """Return the key of KINDS that a word for kin means, of any number and case."""
    return PLURALS.get(word.lower(), word.lower())


def kin_asked(text: str) -> Asks | None:
    """Return which kin a question asks for, and whose; None where it asks for none.

    >>> kin_asked("Who was Ada Orr's second husband?")
    Asks(kin='husband', whom='Ada Orr', order=1)
    >>> kin_asked("Who did Bo Lund marry?"), kin_asked("Who is Ada Orr?")
    (Asks(kin='spouse', whom='Bo Lund', order=-1), None)
    """
    asks = ASKS.fullmatch(text) if len(text) <= LONGEST else None
    if asks is None:
        return None
    kin, order = asks["kin"] or asks["own"] or "spouse", asks["order"] or asks["nth"]
    whom = asks["of"] or asks["owner"] or asks["married"] or asks["marries"]
    whom = TRADE.sub("", whom) if TRADE.match(whom) else whom
    return Asks(kin_called(kin), whom, ORDERS[order.lower()] if order else -1)


def relative(session: Session, text: str, passages: Sequence[Passage], besides: str = "") -> Candidate | None:
    """Return whom a question for kin asks for, by a page of either of both, or a sentence; None where none tells.

    The answer has the name of its page, where it has one; it is nobody of the key `besides`.
    """
    asks = kin_asked(text)
    told = relatives(session, asks, passages) if asks else iter(())
    return next((each for each in told if each.key != besides), None)


def relatives(session: Session, asks: Asks, passages: Sequence[Passage]) -> Iterator[Candidate]:
    """Return who is told to be the kin of somebody, by the page of that, by a sentence, then by others' pages."""
    named = [is_named(each.title, asks.whom, each.named >= LEAST_NAMED) for each in passages]
    kinds = kinds_of(session, {each.page for each in passages})
    return chain(
        *(_by_own(session, asks, each, index, kinds) for index, each in enumerate(passages) if named[index]),
        *(_by_name(session, asks, each, index) for index, each in enumerate(passages)),
        *(_by_other(asks, each, index, kinds) for index, each in enumerate(passages) if not named[index]),
    )


def _by_own(
    session: Session, asks: Asks, passage: Passage, index: int, kinds: Mapping[int, Kind]
) -> Iterator[Candidate]:
    """Yield whom the page of somebody says to be the kin asked for."""
    title = plain_name(passage.title)
    gender = kinds.get(passage.page, NOTHING).gender or gender_in(passage.text)
    told = relatives_in(passage.text, title, gender, asks.kin)
    chosen = _in_order(passage.text, told, asks.order) if asks.order >= 0 else told
    yield from _relatives(session, passage, index, chosen, asks)


def first_of(session: Session, passage: Passage, found: Candidate) -> Candidate:
    """Return the first of several names in a row that is an answer whole, with what it means."""
    name = name_at(passage.text, found.start)
    if found.entity or name is None or not found.start < name[1] < found.end:
        return found
    text = passage.text[slice(*name)]
    key, entity = normalised(text), entity_of(session, text, *name, passage.links)
    return found._replace(text=text, key=key, start=name[0], end=name[1], entity=entity)


def _in_order(text: str, told: Sequence[Told], order: int) -> Sequence[Told]:
    """Return who is said to be the first, second or third, or else is named so in the text."""
    for each in told:
        nth = re.search(NTH, text[max(0, each.start - 60) : each.start], re.I)
        if nth and ORDERS[nth["nth"].lower()] == order:
            return [each]
    names: dict[str, Told] = {}
    for each in sorted(told):
        words = text[each.start : each.end].split()
        # "King Jan" is Jan, and another one than "King Tor".
        names.setdefault(next((word for word in words if not is_honorific(word)), words[0]), each)
    return [*names.values()][order : order + 1] if len(names) > 1 or not order else []


def _by_name(session: Session, asks: Asks, passage: Passage, index: int) -> Iterator[Candidate]:
    """Yield whose kin a sentence says somebody to be right behind that name: "Ada Orr, a daughter of Bo Lund"."""
    for said in re.finditer(rf"(?<!\w){re.escape(asks.whom)}(?!\w)", passage.text, re.I):
        start, (_, end) = said.start(), passage.sentence_at(said.start())
        told = relatives_in(passage.text[start:end], said[0], 0, asks.kin)
        yield from _relatives(session, passage, index, (each.moved(start) for each in told), asks)


def _by_other(asks: Asks, passage: Passage, index: int, kinds: Mapping[int, Kind]) -> Iterator[Candidate]:
    """Yield whom a page is about that says to be the kin of whoever is asked about."""
    kind, gender = kinds.get(passage.page, NOTHING), KINDS[asks.kin].gender
    if not kind.is_person or (gender and kind.gender != gender):
        return
    title = plain_name(passage.title)
    own, (first, *others) = answer_tokens(title), answer_tokens(asks.whom) or [""]
    for told in relatives_in(passage.text, title, kind.gender, INVERSE[asks.kin]):
        words = {*answer_tokens(passage.text[told.start : told.end])}
        # "His daughter Ida": the page may say her surname elsewhere.
        if first in words and {*others} <= words.union(own, answer_tokens(passage.text)):
            span = told.start, told.end
            yield Candidate(title, " ".join(own), index, *span, NUMBERED["title"], passage.entity)


def _relatives(
    session: Session, passage: Passage, index: int, told: Iterable[Told], asks: Asks
) -> Iterator[Candidate]:
    gender = KINDS[asks.kin].gender
    yield from filter(None, (_relative(session, passage, index, each, gender) for each in told))


def _relative(session: Session, passage: Passage, index: int, told: Told, gender: int) -> Candidate | None:
    """Return who is told of; None where that page is of nobody, of the other sex or the passage's own, or may be so."""
    if told.other and _is_the_other(session, passage, told, gender):
        return _relative(session, passage, index, Told(*told.other), gender)
    text = passage.text[told.start : told.end]
    entity = entity_of(session, text, told.start, told.end, passage.links)
    if entity:
        title, kind = _page(session, entity)
        is_other = kind.gender * gender < 0 or (gender and not told.is_sexed and not kind.gender)
        if not kind.is_person or is_other or entity == passage.entity:
            return None
        text = plain_name(title)
    elif gender and not told.is_sexed:
        return None
    start = told.start
    if not entity and (office := OFFICE.match(text)):
        start, text = start + office.end(), text[office.end() :]
    if not entity and (both := BOTH.match(passage.text, told.end)) and " " not in text:
        text = f"{text} {both['surname']}"
    return Candidate(text, normalised(text), index, start, told.end, NUMBERED["name"], entity)


def _is_the_other(session: Session, passage: Passage, told: Told, gender: int) -> bool:
    """Tell whether the pages of two parents, of whom the order does not tell, say that the other one is asked for."""
    own, other = (_gender_of(session, passage, span) for span in (told[:2], told.other) if span)
    return own * gender < 0 or (not own and other * gender > 0)


def _gender_of(session: Session, passage: Passage, span: Span) -> int:
    """Return the gender that the page of a name tells, 0 where it has none."""
    entity = entity_of(session, passage.text[slice(*span)], *span, passage.links)
    return _page(session, entity)[1].gender if entity else 0


def is_named(title: str, whom: str, is_linked: bool) -> bool:
    """Tell whether a page is of that name: one has all words of the other, at least two where nothing links them."""
    mine, other = ({*answer_tokens(MALE.sub("", FEMALE.sub("", each)))} for each in (plain_name(title), whom))
    shortest = min(len(mine), len(other))
    return (mine <= other or other <= mine) and shortest > (0 if is_linked else 1)


def _page(session: Session, entity: int) -> tuple[str, Kind]:
    """Return the title of an entity's page, and what that is about; no title where it has none."""
    (number,) = session.chunk_table.pages_of(np.array([entity])).tolist()
    titles = [page.title for page in session.skb.pages([number])] if number else [""]
    return titles[0], kinds_of(session, [number]).get(number, NOTHING) if number else NOTHING
