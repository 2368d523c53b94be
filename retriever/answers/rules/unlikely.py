"""Unlikely answers: relative clauses, predicates where a reason is asked for, things where somebody is.

No filter takes them out, since what a ranker reads of the other candidates would change with them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from retriever.answers.asked import Asked
from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.passages import Passage
from retriever.answers.text.lexicon.hypernyms import above, noun_of, senses_of, senses_of_kind
from retriever.answers.text.words import stem_of
from retriever.types import Scores
from weft.embedders.word_vectors import word_vectors

LOOSE = frozenset(NUMBERED[form] for form in ("phrase", "clause"))
RELATIVE = re.compile(r"(?:(?:for|in|of|by|to|on|at|with|from) )?(?:which|whom?|whose)\b")
NO_NOUN = re.compile(rf"{RELATIVE.pattern}|(?:was|were|is|are|has|had)\b")
IS = re.compile(r"\b(?:is|was|are|were) (?:(?:the|an?) )?\Z")
REASON = re.compile(
    r"\b(?:reason|cause[sd]?|purpose|because|explanation|aim|fault|blame|due|since|so that|result)\b", re.I
)
CUT_BEFORE, CUT, OWNS = re.compile(r"[^\W\d_]-\Z"), re.compile(r"-[^\W\d_]"), re.compile(r"['’]s [a-z]")
ANYBODY = frozenset("people persons person man men woman women others".split())


def unlikely(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each candidate (n,) that hardly answers any question, or not one for somebody, else 0."""
    is_who = asked.kind == "person"
    told = (
        _is_no_answer(asked, passages, each) or _is_cut(passages[each.passage], each)
        or (is_who and _is_something(each)) for each in candidates
    )  # fmt: skip
    return np.fromiter(told, np.float32, len(candidates))


def _is_cut(passage: Passage, candidate: Candidate) -> bool:
    """Tell whether a candidate is a part of a word, as "east" of "north-east", or a label of three columns and more."""
    text, start, end = passage.text, candidate.start, candidate.end
    if end <= start:
        return False
    head = text[slice(*passage.bounds[0])] if passage.kind == "table" else ""
    is_label = end <= passage.bounds[0][1] and head.count(" | ") > 1 and not any(map(str.isdigit, head))
    # Of "widow's cord" no widow is meant, of "Bo Lund's smithy" he may be.
    is_owner = candidate.text.islower() and OWNS.match(text, end) is not None
    is_begun = CUT_BEFORE.search(text, max(0, start - 2), start) is not None
    return is_label or is_owner or is_begun or CUT.match(text, end) is not None


def _is_no_answer(asked: Asked, passages: Sequence[Passage], candidate: Candidate) -> bool:
    """Tell whether a candidate is a relative clause, a predicate where a reason is asked for, or a word that begins a
    sentence and is no name: "Unlike"."""
    if candidate.form in LOOSE:
        no_answer = (NO_NOUN if asked.reasons else RELATIVE).match(candidate.text) is not None
        return no_answer or (asked.reasons and _says_what_is(passages[candidate.passage], candidate))
    is_word = candidate.form == NUMBERED["name"] and candidate.text[1:].islower() and candidate.text.isalpha()
    if not is_word or candidate.entity or candidate.text[0].islower() or senses_of(candidate.text):
        return False
    begins = passages[candidate.passage].sentence_at(candidate.start)[0] == candidate.start
    return begins and stem_of(candidate.text).encode() in word_vectors().indices


def _says_what_is(passage: Passage, candidate: Candidate) -> bool:
    """Tell whether a candidate says what something is, and no reason: "was queen until her death"."""
    start, _ = passage.sentence_at(candidate.start)
    return IS.search(passage.text, start, candidate.start) is not None and REASON.search(passage.text, start) is None


def _is_something(candidate: Candidate) -> bool:
    """Tell whether a run of words ends with a noun for no person and no group, or with one for anybody."""
    noun = noun_of(candidate.text)
    kinds = above(noun)
    is_noun = candidate.form in LOOSE and candidate.text.split()[-1].islower()
    return is_noun and bool(kinds) and (kinds.isdisjoint(_somebody()) or candidate.text in ANYBODY)


@cache
def _somebody() -> frozenset[int]:
    return senses_of_kind("person") | senses_of("group", 1) | senses_of("organization", 1) | senses_of("animal", 1)
