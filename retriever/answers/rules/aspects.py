"""Aspects: what a text says that something is made of, comes from or serves for, on which condition, or proved to be.

"What is brass made of?" is told by "Brass is an alloy of copper and zinc", and "Where does the heat come from?" by what
stands behind "comes from": the ranker finds a part of that, which is widened to the whole.

>>> text = "Dry air contains 78% nitrogen, 21% oxygen, and small amounts of other gases. It is light."
>>> text[slice(*whole_of("What is air composed of?", text, 21, 29))]
'78% nitrogen, 21% oxygen, and small amounts of other gases'
>>> text = "It comes from two main sources in equal parts: the decay of salts, and heat left over, which fades."
>>> text[slice(*whole_of("Where does its warmth come from?", text, 51, 65))]
'the decay of salts, and heat left over'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from retriever.answers.asked import Asked
from retriever.answers.candidates import Candidate
from retriever.answers.passages import Passage
from retriever.answers.rules.prepositions import told_of_sentences
from retriever.answers.text.words import stems_in
from retriever.types import Scores
from weft.text.sentences import Span

MAINLY = "(?:(?:mainly|chiefly|mostly|largely|primarily|principally|predominantly|almost entirely|entirely) )?"
MIXED = "(?:(?:an? )?(?:alloy|mixture|blend|combination) of )?"
READ = 300
"""Characters before a candidate in which what it is a part of may begin."""

NO_ITEM = "and|or|with|which|that|is|was|are|were|in|on|at|by|from|for|of|as"
ITEM_WORD = rf"(?!(?:{NO_ITEM})\b)[\w’'%–-]+(?:[.]\d+%?)?"
ITEM = (
    rf"(?:(?:{ITEM_WORD} )?(?:amounts?|traces?|quantit(?:y|ies)) of )?{ITEM_WORD}(?: {ITEM_WORD}){{0,4}}"
    r"(?: \([^()]{1,40}\))?"
)
ITEMS = re.compile(rf"{ITEM}(?:, {ITEM})+,? (?:and|or) {ITEM}|{ITEM}(?: (?:and|or) {ITEM})?(?=[.,;)\n]|$)")
"""Stuff, or an enumeration of it: "igneous rocks", "copper (88 percent), tin and zinc"."""

SHARE = re.compile(r"(?:about )?\d[\d.,]* ?(?:%|per ?cent) (?:of )?")
"""How much of something is of what stands behind: "contains 21% oxygen"."""

CLAUSE = re.compile(
    r"[a-z](?:(?!(?<![.;:\n])[.;:](?:\s|$)|\n|,? (?:which|where|whereas|while|but|although|because|since)\b).){1,240}"
)
"""What stands behind a verb up to the end of its clause, in small letters: no name alone."""


class Aspect(NamedTuple):
    """What asks for an aspect of something, what a text has before all that it is, and what that looks like."""

    asked: re.Pattern[str]
    before: re.Pattern[str]
    whole: re.Pattern[str]


MADE_OF = Aspect(
    re.compile(
        r"\b(?:made (?:up |out )?(?:of|from)|consists? of|composed of|composition|make-?up|ingredients)\b", re.I
    ),
    re.compile(
        r"\b(?:(?:made (?:up )?|(?:consist|compos)(?:s|ed|ing)? |alloy |mixture |blend )"
        rf"{MAINLY}(?:of|from)|comprises|contains) {MIXED}", re.I),
    ITEMS,
)  # fmt: skip
COMES_FROM = Aspect(
    re.compile(r"\b(?:comes? from|originates?|(?<=\bthe )(?:source|origin)s? of)\b", re.I),
    re.compile(
        rf"\b(?:com(?:es?|ing) |(?:deriv|originat)(?:es?|ed|ing) |(?:supplied|produced|generated|fed) ){MAINLY}"
        r"(?:from|by) (?:(?:an? )?combination of |[^.:;\n]{0,20}\bsources?\b[^.:;\n]{0,40}: )?", re.I),
    CLAUSE,
)  # fmt: skip
SERVES = Aspect(
    re.compile(
        r"\b(?:functions?|roles?|purposes?|jobs?|tasks?|use) of\b"
        r"|^\W*what (?:do|does|did)(?= [^?]{3,80}? do(?: for \w+)?\W*$)"
        r"|^\W*what (?:is|are|was|were)(?= [^?]{3,80} for\W*$)", re.I),
    re.compile(
        r"\b(?:(?:serv|help|act|work|function)(?:s|es|ed)?"
        r"|(?:is|are|was|were) (?:used|needed|meant|designed|intended)) to ", re.I),
    CLAUSE,
)  # fmt: skip
USED_AS = Aspect(
    re.compile(
        r"^\W*what (?:is|are|was|were)(?= [^?]{3,80} used (?:for|as)\W*$)"
        r"|\b(?:for|as) what\b(?: [a-z]+)?(?: purposes?)?(?=[^?]{3,80} used\b)", re.I),
    re.compile(r"\b(?:used|serv(?:es?|ed))(?: [^.;,\n]{1,30})? (?:to|as) (?:(?:an?|the) )?", re.I),
    CLAUSE,
)  # fmt: skip
ON_CONDITION = Aspect(
    re.compile(
        r"\b(?:on|upon|under) (?:what|which) (?:conditions?|terms|circumstances)\b"
        r"|\bwhat (?:is|was|are|were) the (?:[a-z]+ )?conditions? (?:for|of|on|that|under|to)\b", re.I),
    re.compile(
        r"\b(?:(?:on|under) (?:the )?(?:[a-z]+ )?(?:condition|understanding|terms) that|provid(?:ed|ing)(?: that)?"
        r"|(?:as|so) long as|only (?:if|when)|unless|if) (?:(?:an?|the) )?", re.I),
    CLAUSE,
)  # fmt: skip
TURNS_OUT = Aspect(
    re.compile(r"\b(?:turn(?:s|ed)? out|prove[sd]?) to be\b|\breally (?:is|was|be)\b|\b(?:is|was) really\b", re.I),
    re.compile(
        r"\b(?:(?:turn(?:s|ed) out|prove[sd]) to be|(?:is|was) (?:really|actually|in (?:fact|reality|truth)))"
        r" (?:(?:an?|the) )?", re.I),
    ITEMS,
)  # fmt: skip
IN_OTHER_WORDS = USED_AS, SERVES, ON_CONDITION, TURNS_OUT
"""Aspects that questions ask for in other words than texts say."""

ASPECTS = MADE_OF, COMES_FROM, *IN_OTHER_WORDS


def told_of_aspect(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return how much (n,) of the question the sentence matches that says each candidate as what is asked for.

    0 to 1, weighted by IDF; 0 where a question asks neither what something is made of nor where it comes from.
    """
    aspect = None if asked.is_polar else aspect_asked(asked.text)
    if aspect is None:
        return np.zeros(len(candidates), np.float32)
    before = aspect.before
    rest = _unsaid(asked, aspect) if aspect in IN_OTHER_WORDS else 1.0
    return told_of_sentences(asked, passages, candidates, lambda own, each: _begins(before, own.text, each), rest)


def _unsaid(asked: Asked, aspect: Aspect) -> float:
    """Return the share of a question, by IDF, that does not ask for the aspect: what stands before says that."""
    words = {*stems_in(" ".join(each[0] for each in aspect.asked.finditer(asked.text)))}
    rest = sum(share for stem, share in zip(asked.stems, asked.every.tolist(), strict=True) if stem not in words)
    return rest or 1.0


def aspect_asked(question: str) -> Aspect | None:
    """Return what a question asks for, None where it is neither composition nor origin."""
    return next((each for each in ASPECTS if each.asked.search(question)), None)


def whole_of(question: str, text: str, start: int, end: int) -> Span | None:
    """Return all that a text says of what a question asks for, of which some characters are a part; None if none."""
    aspect = aspect_asked(question)
    for before in aspect.before.finditer(text, max(0, start - READ), end + READ) if aspect else ():
        whole = aspect.whole.match(text, before.end()) if aspect else None
        # "Two sources" of "comes from two sources: rain and snow" stands before all of it.
        if whole and before.start() < start and end <= whole.end():
            return whole.span()
    return None


def _begins(before: re.Pattern[str], text: str, candidate: Candidate) -> float:
    """Return 1 for a candidate with which begins what a text says of what is asked, else 0."""
    ends = (each.end() for each in before.finditer(text, max(0, candidate.start - READ), candidate.start))
    own = candidate.start
    return float(candidate.end > own and any(end == own or SHARE.fullmatch(text, end, own) for end in ends))
