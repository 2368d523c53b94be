"""Kindred: whether somebody has kin of a kind, is married, or is the kin of somebody else, where yes or no is asked.

"The fourth son of a saddler" says nothing of a son of his, which words alone do not tell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from retriever.answers.choices.statements import Verdict
from retriever.answers.hops.kin.kinship import HAVING, NUMBER
from retriever.answers.hops.kin.names import is_had_by_another
from retriever.answers.hops.kin.relations import KINDS, MARRYING
from retriever.answers.hops.kin.relatives import INVERSE, KIN, Asks, is_named, kin_called, relatives
from retriever.answers.passages import LEAST_NAMED, Passage
from retriever.answers.text.kinds import gender_in
from retriever.answers.text.likeness import answer_tokens
from retriever.session import Session
from retriever.types import Question
from weft.text.names import plain_name

LONGEST = 300
"""Characters of a question that may ask about kin alone."""

HAS = re.compile(
    r"\W*(?:did|does|do|has|had|have) (?P<whom>.+?) (?:ever )?(?:have|had|got|leave|left) (?:any |an? |some )?"
    rf"(?:(?:living|surviving|known) )?(?P<kin>{KIN})\W*", re.I,
)  # fmt: skip
MARRIED = re.compile(
    r"\W*(?:(?:was|is|were|has|had) (?P<is>.+?) (?:ever |once )?(?:been )?married"
    r"|did (?P<did>.+?) (?:ever )?(?:marry|get married|wed))\W*", re.I,
)  # fmt: skip
IS_OF = re.compile(
    rf"\W*(?:is|was) (?:(?P<who>.+?),? (?:an?|the) (?P<kin>{KIN}) of (?P<whom>.+?)"
    rf"|(?P<both>.+?)(?:['’]s|(?<=s)['’]) (?P<own>{KIN}))\W*", re.I,
)  # fmt: skip
MARRIES = re.compile(
    r"\W*(?:did (?P<who>.+?) (?:ever )?(?:marry|wed)|(?:is|was) (?P<is>.+?) (?:ever |once )?married to) "
    r"(?P<whom>.+?)\W*", re.I,
)  # fmt: skip
ONCE = frozenset(("father", "mother"))
"""Kin of whom everybody has one: another one speaks against whoever is asked about."""

HAS_NONE = {
    "child": re.compile(
        r"\bno (?:surviving )?(?:children|child|issue|offspring|heirs?)\b|\bchildless\b"
        r"|\bwithout (?:children|issue|heirs?)\b", re.I),
    "spouse": re.compile(
        r"\b(?:never|not) (?:been )?(?:married|wed)\b|\bunmarried\b"
        r"|\b(?:was|remained) (?:single|a (?:lifelong )?(?:bachelor|spinster))\b", re.I),
    "sibling": re.compile(
        r"\b(?:was|is|as) (?:an|the|his|her|their)(?: \w+['’]s?)? only child\b|, (?:an|the) only child\b", re.I),
}  # fmt: skip
"""What says that somebody has no kin of a kind."""

OF_OTHERS = re.compile(r"\W*(?:his|her|their) (?!(?:only |first |second |third )?(?:marriage|union)\b)", re.I)
"""What a sentence about somebody else begins with: "Her friend"."""


class Claimed(NamedTuple):
    """A claim that somebody has kin of a kind (a key of KINDS), or that `who` is that; "" where nobody is named."""

    asks: Asks
    who: str = ""


def claimed(text: str, names: Sequence[str] = ()) -> Claimed | None:
    """Return what a yes/no question claims of kin, None where it claims none; `names` are those in it.

    >>> claimed("Did Ada Orr have any children?"), claimed("Was Bo Lund Ada Orr's husband?", ["Ada Orr"]).who
    (Claimed(asks=Asks(kin='child', whom='Ada Orr', order=-1), who=''), 'Bo Lund')
    >>> claimed("Was Ada Orr ever married?").asks.kin, claimed("Did Ada Orr have a boat?")
    ('spouse', None)
    """
    if len(text) > LONGEST:
        return None
    if found := MARRIED.fullmatch(text):
        return Claimed(Asks("spouse", found["is"] or found["did"]))
    if found := HAS.fullmatch(text):
        return Claimed(Asks(kin_called(found["kin"]), found["whom"]))
    if found := IS_OF.fullmatch(text):
        both = found["both"] or ""
        owner = next((name for name in names if both.endswith(f" {name}")), "")
        whom, who = found["whom"] or owner, found["who"] or both.removesuffix(owner).rstrip(" ,")
        return Claimed(Asks(kin_called(found["kin"] or found["own"]), whom), who) if whom else None
    found = MARRIES.fullmatch(text)
    return Claimed(Asks("spouse", found["whom"]), found["who"] or found["is"]) if found else None


def kindred(session: Session, question: Question, passages: Sequence[Passage]) -> Verdict | None:
    """Return what pages say of claimed kin: 0 where nothing, None where nothing of the kind is claimed.

    Marriages of which no name is told are left to other rules, too.
    """
    claim = claimed(question.text, [each.name for each in question.mentions])
    if claim is None:
        return None
    if claim.who:
        return _is_kin(session, claim, passages)
    denied = _denied(claim.asks, passages)
    if (found := next(relatives(session, claim.asks, passages), None)) is not None:
        agrees = 0.0 if denied else 1.0
        return Verdict(agrees, found.passage, _sentence(passages[found.passage], found.start))
    if denied or claim.asks.kin in MARRYING:
        return denied
    return _had(claim.asks, passages) or Verdict(0.0, 0, 0)


def _is_kin(session: Session, claim: Claimed, passages: Sequence[Passage]) -> Verdict | None:
    """Return whether somebody is named among the kin of another; no other is where everybody has one alone."""
    who, others = {*answer_tokens(claim.who)}, None
    for found in relatives(session, claim.asks, passages):
        verdict = Verdict(1.0, found.passage, _sentence(passages[found.passage], found.start))
        words = {*found.key.split()}
        if words <= who or who <= words:
            return verdict
        others = others or verdict._replace(agrees=-1.0)
    return others if claim.asks.kin in ONCE else None


def _denied(asks: Asks, passages: Sequence[Passage]) -> Verdict | None:
    """Return the sentence of somebody's page that says there is no such kin, None without one."""
    denies = HAS_NONE.get(INVERSE[INVERSE[asks.kin]])
    return _said(asks, passages, denies, -1.0) if denies else None


def _had(asks: Asks, passages: Sequence[Passage]) -> Verdict | None:
    """Return the sentence of somebody's page that says there was such kin, without a name."""
    kin = KINDS[asks.kin]
    told = re.compile(rf"\b(?:{NUMBER}|several|many) (?:[a-z-]+ |half-)?(?:{kin.words})\b(?! of\b)", re.I)
    return _said(asks, passages, told, 1.0, HAVING) if kin.alike else None


def _said(
    asks: Asks, passages: Sequence[Passage], told: re.Pattern[str], agrees: float, verb: re.Pattern[str] | None = None
) -> Verdict | None:
    """Return the sentence of somebody's page that says something of them, behind a verb, if one is given."""
    for index, passage in enumerate(passages):
        if not is_named(passage.title, asks.whom, passage.named >= LEAST_NAMED):
            continue
        title, gender = plain_name(passage.title), gender_in(passage.text)
        for number, (start, end) in enumerate(passage.bounds):
            text = passage.text[start:end]
            for said in told.finditer(text) if not OF_OTHERS.match(text) else ():
                begins = verb.finditer(text, 0, said.start()) if verb else [said]
                verbs = [each.start() for each in begins]
                if verbs and not is_had_by_another(text[: said.start()], verbs[-1], title, gender):
                    return Verdict(agrees, index, number)
    return None


def _sentence(passage: Passage, start: int) -> int:
    """Return the number of the sentence that a place stands in."""
    return next((number for number, (_, end) in enumerate(passage.bounds) if start < end), len(passage.bounds) - 1)
