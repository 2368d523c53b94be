"""Names and what stands beside them: their kind in them, a parenthesis behind them, the place that they lie in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from retriever.answers.asked import Asked
from retriever.answers.candidates import NAMING, NUMBERED, Candidate
from retriever.answers.passages import Passage
from retriever.answers.rules.identities import said_at
from retriever.answers.text.kind_asked import kind_of
from retriever.answers.text.lexicon.hypernyms import above, senses_of
from retriever.answers.text.measures import PERCENT, measures_of
from retriever.answers.text.words import UPPER, stem_of, stems_in
from retriever.types import Scores

NAMED_SO = "structure facility organization institution water landmass elevation thoroughfare award"
"""What is often called by its kind: stadiums, companies, schools, lakes, hills, streets, prizes."""

FIRST = frozenset(
    map(stem_of, "lake mount cape fort port gulf bay strait university college church house street square".split())
)
"""Nouns that stand first in names: "Lake Orse"."""

GOES_ON, BEGUN = re.compile(rf"[ ]?[-–]?[ ]?[{UPPER}]"), re.compile(rf"[{UPPER}][\w’'-]*[ ]\Z")
"""What stands behind a part of a name, and before one."""

KINDS = frozenset(("thing", "place"))
LEAST_SAID = 0.3
"""Least IDF-weighted share of the question that the sentence of a name, its title and heading must match."""

ASIDE = re.compile(r"(?<![\w’'-])((?:[\w’'-]{1,40} ){0,3}[\w’'-]{1,40}) \(([^()]{1,60})\)")
"""A name and a parenthesis behind it: "Hask (1834)"."""

NEXT_WORD = re.compile(r" ([^\W\d_]+)")
BARE = re.compile(r"[\d.,–-]+(?: (?:to|and|or) [\d.,]+)?")
"""The word right behind a percentage, and a number or a range without a unit."""

SMALL = frozenset(map(stem_of, "town city village hamlet suburb hometown".split()))
LARGE = frozenset(map(stem_of, "state province country nation canton".split()))
"""Nouns for places that lie in others, and for those that others lie in."""

INSIDE, AROUND = re.compile(rf"[{UPPER}][\w’'.-]*,[ ]\Z"), re.compile(rf",[ ][{UPPER}]")
"""What stands before the place that another one lies in, "Dunmere, Kell", and behind one that lies in another."""

READ = 40
"""Characters before a candidate that are read."""


def told_by_kind(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return for each name (n,) with the noun asked for in it how much of the question its sentence matches, 0 to 1.

    "Ghazi Stadium" has that of "home stadium"; a name that the question itself has counts for nothing.
    """
    told = np.zeros(len(candidates), np.float32)
    nouns = kind_of(asked.text)[1] if asked.kind in KINDS and asked.focus and not asked.calls else ()
    if not nouns or stem_of(nouns[-1]) in SMALL | LARGE or above(nouns[-1]).isdisjoint(_named_so()):
        return told
    for row, each in enumerate(candidates):
        passage = passages[each.passage]
        if _has_noun(asked, passage.text, each, stem_of(nouns[-1])):
            said = said_at(asked, passage, passage.sentence_at(each.start))
            told[row] = said if said >= LEAST_SAID else 0
    return told


def _has_noun(asked: Asked, text: str, candidate: Candidate, noun: str) -> bool:
    """Tell whether a whole name ends with a noun, or begins with one that stands first, and says more than is asked."""
    if candidate.form not in NAMING or not candidate.text[0].isupper() or " " not in candidate.text:
        return False
    stems = stems_in(candidate.text)
    is_cut = BEGUN.search(text, max(0, candidate.start - READ), candidate.start) or GOES_ON.match(text, candidate.end)
    is_so = noun in stems[-1:] or (noun in FIRST and noun in stems[:1])
    return is_so and is_cut is None and not asked.tokens.issuperset(stems)


@cache
def _named_so() -> frozenset[int]:
    return frozenset[int]().union(*(senses_of(word, 1) for word in NAMED_SO.split()))


def told_in_parentheses(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each candidate (n,) in the parenthesis behind words of the question, -1 in another parenthesis.

    "Hask (1834) and Orlo (1877)": only in sentences with several, exactly one of which follows words of the question.
    """
    told = np.zeros(len(candidates), np.float32)
    for index, passage in enumerate(passages):
        if passage.text.count(" (") < 2:
            continue
        for start, end in passage.bounds:
            pairs = [*ASIDE.finditer(passage.text, start, end)]
            said = [asked.told.keys() & {*stems_in(each[1])} - {*stems_in(passage.title)} for each in pairs]
            if sum(map(bool, said)) != 1 or len(pairs) < 2:
                continue
            for row, each in enumerate(candidates):
                if each.passage == index and (inside := [n for n, pair in enumerate(pairs) if _is_in(pair, each)]):
                    told[row] = 1 if said[inside[0]] else -1
    return told


def measured_in_parentheses(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each amount (n,) of the kind asked for in the parenthesis behind the whole name that is asked about.

    "How high is Corsk Hill?" by "Corsk Hill (594 m) is bare". No other amount of that kind may stand in the sentence.
    """
    told = np.zeros(len(candidates), np.float32)
    names = asked.named.union(asked.capitals)
    for row, each in enumerate(candidates) if names and asked.measures else ():
        if measures_of(each.text) & asked.measures and (pair := _pair_around(passages[each.passage], each)):
            passage = passages[each.passage]
            start, end = passage.sentence_at(each.start)
            others = f"{passage.text[start : pair.start(2)]} {passage.text[pair.end(2) : end]}"
            told[row] = names <= {*stems_in(pair[1])} and not measures_of(others) & asked.measures
    return told


def told_of_share(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each percentage (n,) right before a word of the question, if one is asked for: "21% oxygen".

    -1 for a number that is none, "5 to 6" as well, but in a row: the label of its column may say what it is.
    """
    told = np.zeros(len(candidates), np.float32)
    for row, each in enumerate(candidates) if PERCENT.search(asked.text) else ():
        passage = passages[each.passage]
        if PERCENT.search(each.text):
            behind = NEXT_WORD.match(passage.text, each.end)
            told[row] = behind is not None and stem_of(behind[1]) in asked.told
        elif BARE.fullmatch(each.text) and " | " not in passage.text[slice(*passage.sentence_at(each.start))]:
            told[row] = -1
    return told


def _pair_around(passage: Passage, candidate: Candidate) -> re.Match[str] | None:
    """Return the name and the parenthesis that a candidate stands in, None where it stands in none."""
    start, end = passage.sentence_at(candidate.start)
    # Looking for the signs alone is much faster than the pattern, and mostly enough.
    if passage.text.rfind("(", start, candidate.start) < 0 or passage.text.find(")", candidate.end, end) < 0:
        return None
    return next((pair for pair in ASIDE.finditer(passage.text, start, end) if _is_in(pair, candidate)), None)


def _is_in(pair: re.Match[str], candidate: Candidate) -> bool:
    """Tell whether a candidate stands in a parenthesis."""
    return pair.start(2) <= candidate.start < candidate.end <= pair.end(2)


def outside(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each name (n,) of where a town lies if one is asked for, of what lies in a state if that is."""
    found = np.zeros(len(candidates), np.float32)
    is_small, is_large = not asked.focus.isdisjoint(SMALL), not asked.focus.isdisjoint(LARGE)
    for row, each in enumerate(candidates) if is_small != is_large else ():
        text = passages[each.passage].text
        if each.form == NUMBERED["name"] and "," not in each.text:
            before = max(0, each.start - READ)
            other = INSIDE.search(text, before, each.start) if is_small else AROUND.match(text, each.end)
            found[row] = other is not None
    return found
