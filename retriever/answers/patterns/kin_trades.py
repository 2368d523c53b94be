"""The trades of kin: what the page about somebody says that a father or mother did, who may have no name there.

Of somebody without a page, the trade is told beside the name: "the novelist Maud Eddowes".

>>> text = "Ada Orr was the fourth child of a saddler and a seamstress. Her brother Bo, a smith, died in Kell."
>>> [text[slice(*span)] for kin in ("father", "mother", "brother") for span in trades_in(text, kin, 1)]
['saddler', 'seamstress', 'smith']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.hops.kin.kinship import OWNERS
from retriever.answers.hops.kin.relations import KINDS, MARRYING
from retriever.answers.hops.kin.relatives import KIN, is_named, kin_called
from retriever.answers.passages import LEAST_NAMED, Passage
from retriever.answers.text.kinds import gender_in
from retriever.answers.text.lexicon.hypernyms import is_person
from retriever.answers.text.likeness import normalised
from retriever.answers.text.words import UPPER
from weft.text.sentences import Span

NO_TRADES = frozenset("friend man woman person native citizen child couple family widow widower namesake".split())
"""Nouns for somebody that say nothing of a trade."""

LONGEST = 300
"""Characters of a question that may ask for a trade alone."""

TRADE = "job|occupation|profession|trade"
ASKS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"\W*what (?:was|is) (?:the )?(?:{TRADE}) of (?:the )?(?P<kin>{KIN}) of (?P<whom>.+?)\W*",
        rf"\W*what (?:was|is) (?P<whom>.+?)(?:['’]s|(?<=s)['’]) (?P<kin>{KIN})(?:['’]s|(?<=s)['’]) (?:{TRADE})\W*",
        rf"\W*what (?:was|is) the (?:{TRADE}) of (?P<whom>.+?)(?:['’]s|(?<=s)['’]) (?P<kin>{KIN})\W*",
        rf"\W*what (?:did|does) (?P<whom>.+?)(?:['’]s|(?<=s)['’]) (?P<kin>{KIN}) do(?: for a living)?\W*",
        rf"\W*what (?:was|is) the (?P<kin>{KIN}) of (?P<whom>.+?)(?:['’]s|(?<=s)['’]) (?:{TRADE})\W*",
        rf"\W*what (?:did|does) the (?P<kin>{KIN}) of (?P<whom>.+?) do(?: for a living)?\W*",
        rf"\W*(?P<whom>.+?)(?:['’]s)? (?P<kin>{KIN})(?:['’]s)? (?:{TRADE})\W*",
    )
)  # fmt: skip
OWN = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"\W*(?:what (?:was|is) (?:the )?)?(?:{TRADE}) of (?P<whom>.+?)\W*",
        rf"\W*(?:what (?:was|is) )?(?P<whom>.+?)(?:['’]s|(?<=s)['’]) (?:{TRADE})\W*",
        r"\W*what (?:did|does) (?P<whom>.+?) do for a living\W*",
    )
)
"""What asks for somebody's own trade."""

NOUN = (
    r"(?P<trade>(?!(?:his|her)\b)(?:[a-z][a-z-]*[ ]){0,3}?[a-z][a-z-]*[a-z])"
    rf"(?=[,.;)]|\s[{UPPER}]|\s(?:and|who|whose|in|at|on|of|from|for|by|with|to|near)\b|$)"
)
FULL_NAME = re.compile(rf"[{UPPER}][\w’'-]*(?: (?:(?:de|van|von|of|the) )?[{UPPER}][\w’'.-]*)+")
NAMED = rf"(?:,? [{UPPER}][\w’-]*)*"
DEEDS = (
    "kept|ran|owned|managed|made|built|sold|taught|drove|repaired|mended|tuned|wove|farmed|fished|bred|grew|raised|dealt"
    "|traded|worked|served|practi[cs]ed|preached|edited|published|printed|dug|ground|baked|brewed|carved|dyed|forged"
    "|hauled|painted|spun|tanned|tended|trained|sailed|piloted|operated"
)
"""Verbs of what somebody does for a living, where no pronoun stands behind."""

AND = rf"[^.;]{{1,60}}? and (?:(?:his|her) (?:wife|husband),?{NAMED}, )?(?:an?|the) {NOUN}"


def trade_asked(text: str) -> re.Match[str] | None:
    """Return whose `kin`, of `whom`, a question asks the trade of; None where it asks for something else."""
    return next(filter(None, (each.fullmatch(text) for each in ASKS)), None) if len(text) <= LONGEST else None


def kin_trade(text: str, passages: Sequence[Passage]) -> Candidate | None:
    """Return what a question asks that somebody's kin did, by the page of somebody; None where none says it."""
    asks = trade_asked(text)
    if asks is None:
        return None
    kin = kin_called(asks["kin"])
    for index, passage in enumerate(passages):
        if is_named(passage.title, asks["whom"], passage.named >= LEAST_NAMED):
            gender = gender_in(passage.text)
            for start, end in chain(trades_in(passage.text, kin, gender), _deeds(passage.text, kin, gender)):
                told = passage.text[start:end]
                return Candidate(told, normalised(told), index, start, end, NUMBERED["phrase"], 0)
    return None


def own_trade(text: str, passages: Sequence[Passage]) -> Candidate | None:
    """Return what a question asks that somebody did of whom no page is, by what stands beside the name; else None."""
    asks = next(filter(None, (each.fullmatch(text) for each in OWN)), None) if len(text) <= LONGEST else None
    whom = asks["whom"] if asks else ""
    if not FULL_NAME.fullmatch(whom) or any(is_named(each.title, whom, each.named >= LEAST_NAMED) for each in passages):
        return None
    name = re.escape(whom)
    patterns = (
        re.compile(rf"\b(?:an?|the) {NOUN}(?= {name}\b)"),
        re.compile(rf"\b{name}(?: \([^()]{{1,60}}\))?(?:,| was| is) (?:an?|the) {NOUN}"),
    )
    for index, passage in enumerate(passages):
        for start, end in (span for pattern in patterns for span in _trades(pattern, passage.text)):
            told = passage.text[start:end]
            return Candidate(told, normalised(told), index, start, end, NUMBERED["phrase"], 0)
    return None


def trades_in(text: str, kin: str, gender: int) -> Iterator[Span]:
    """Yield what a page about her (1), him (-1) or somebody (0) says that one's `kin`, a key of KINDS, was."""
    for pattern in _patterns(kin, gender):
        yield from _trades(pattern, text)


def _deeds(text: str, kin: str, gender: int) -> Iterator[Span]:
    """Yield what a sentence says that somebody's kin did, and nothing else: "Her father kept a mill."."""
    owned = rf"(?:{OWNERS[gender]}) (?:[a-z-]+ )?(?:{KINDS[kin].words}){NAMED}"
    other = r"(?: (?!(?:it|him|her|his|them|their|hard)\b)[^\s.,;\d]+)"
    for found in re.finditer(rf"(?:^|[.!?] |\n){owned} (?P<deed>(?:{DEEDS}){other}{{1,6}})\.", text):
        yield found.span("deed")


def _trades(pattern: re.Pattern[str], text: str) -> Iterator[Span]:
    """Yield what of a text a pattern takes for a trade and is a noun for somebody."""
    for found in pattern.finditer(text):
        noun = re.split("[ -]", found["trade"])[-1]
        if is_person(noun) and noun not in NO_TRADES:
            yield found.span("trade")


def _patterns(kin: str, gender: int) -> Iterator[re.Pattern[str]]:
    asked = KINDS[kin]
    owned = rf"(?:{OWNERS[gender]}) (?:[a-z-]+ )?(?:{asked.words}){NAMED}"
    yield re.compile(rf"\b{owned},? (?:was|is|had been|worked as|became) (?:(?:an?|the) )?{NOUN}")
    yield re.compile(rf"\b{owned}, (?:an?|the) {NOUN}")
    own = r"\b(?:[Hh]e|[Ss]he|[Tt]hey)(?: [a-z]+)?"
    yield re.compile(rf"{own} (?:had|has|have) (?:an?|one)(?: only)? (?:{asked.words}),? (?:an?|the) {NOUN}")
    if kin in MARRYING:
        yield re.compile(rf"{own} married (?:an?|the) {NOUN}")
    born = r"\b(?:son|daughter|child|twin) of (?:an?|the) "
    if kin == "father":
        yield re.compile(born + NOUN)
    elif kin == "mother":
        yield re.compile(born + AND)
