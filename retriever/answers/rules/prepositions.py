"""Prepositions: what stands behind the one that a question asks by: "To whom did she leave it?", "coated with"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set

import numpy as np

from retriever.answers.asked import Asked
from retriever.answers.candidates import Candidate, sentence_of
from retriever.answers.passages import Passage
from retriever.answers.rules.identities import said_at
from retriever.answers.text.words import FUNCTION, stem_of
from retriever.synthesis.grammar.verbs import lemma
from retriever.types import Scores

PREPOSITION = "to|from|with|of|by|for|against|into|after|about|under|through|on"
NO_THING = "extent|time|age|year|day|date|(?:[a-z]+ )?(?:purpose|use)s?"
FIRST = re.compile(rf"\W*(?P<by>{PREPOSITION}) (?:whom|what(?! (?:{NO_THING})\b))\b", re.I)
LAST = re.compile(
    rf"\b(?:who|whom|what|where|which)\b[^?]*? (?P<verb>[a-z]+) (?P<by>{PREPOSITION})"
    r"(?:\W*$|(?= (?:to|in|at|on|when|during|by)\b))",
    re.I,
)
"""A preposition that a question begins with, and one left behind its verb."""

LONGEST = 300
"""Characters of a question whose last words are read."""

KINDS = frozenset(("person", "thing", "place", "country", "manner"))
BEHIND = re.compile(r"\b([a-z]+) ([a-z]+) (?:(?:the|an?|his|her|its|their|some) )?((?:[\w’'-]+ ){0,2})\Z")
MADE = frozenset(map(stem_of, "made built carved cut woven cast constructed".split()))
READ = 60
"""Characters before a candidate that are read."""

LEAST_SAID = 0.3
"""Least IDF-weighted share of the question that a candidate's sentence, title and heading must match."""

ANOTHER_VERB = 0.5
"""Weight of a match whose verb is not in the question."""


def told_by_preposition(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return how much (n,) of the question the sentence of each candidate behind its preposition matches, 0 to 1.

    The share is weighted by IDF; 0 for a candidate behind any other word.
    """
    by = preposition_asked(asked.text)
    if not by or asked.kind not in KINDS or asked.is_polar:
        return np.zeros(len(candidates), np.float32)
    left = LAST.search(asked.text)
    words = {stem_of(left["verb"])} if left and left["by"] == "of" else {*asked.told, *asked.tokens}
    return told_of_sentences(asked, passages, candidates, lambda passage, each: _behind(passage, each, by, words))


def told_of_sentences(
    asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate],
    nearness: Callable[[Passage, Candidate], float], rest: float = 1.0,
) -> Scores:  # fmt: skip
    """Return the nearness (n,) of each candidate times how much of the question its sentence matches, 0 to 1.

    `rest` is the share of the question that is to be matched.
    """
    told = np.zeros(len(candidates), np.float32)
    said: dict[tuple[int, int], float] = {}
    for row, each in enumerate(candidates):
        if near := nearness(passages[each.passage], each):
            key = sentence_of(passages, each)
            if key not in said:
                passage = passages[each.passage]
                said[key] = min(1.0, said_at(asked, passage, passage.sentence_at(each.start)) / rest)
            told[row] = near * said[key] if said[key] >= LEAST_SAID else 0
    return told


def preposition_asked(question: str) -> str:
    """Return the preposition that a question asks by, "" where it asks by none.

    >>> [preposition_asked(text) for text in ("To whom did she give it?", "What is it coated with?", "Who is it?")]
    ['to', 'with', '']
    """
    found = FIRST.match(question) or (LAST.search(question) if len(question) <= LONGEST else None)
    return found["by"].lower() if found else ""


def _says_the_same(verb: str, prepositions: Set[str]) -> bool:
    """Tell whether two prepositions say the same behind a verb: "made of" and "made from"."""
    return stem_of(verb) in MADE and prepositions == {"of", "from"}


def _behind(passage: Passage, candidate: Candidate, preposition: str, words: Set[str]) -> float:
    """Return 1 for a candidate right behind a preposition and one of some words, ANOTHER_VERB behind another, or 0.

    An article and two words at most may stand between. Behind a noun "of" tells of what that is: "the air of the room".
    """
    before = max(0, candidate.start - READ)
    found = BEHIND.search(passage.text, before, candidate.start) if candidate.end > candidate.start else None
    while found and found[2] != preposition and not _says_the_same(found[1], {found[2], preposition}):
        found = BEHIND.search(passage.text, found.start() + 1, candidate.start)
    if found is None or not FUNCTION.isdisjoint(found[3].split()):
        return 0.0
    verb = stem_of(found[1])
    if verb in words or preposition != "of":
        return 1.0 if verb in words else ANOTHER_VERB
    return ANOTHER_VERB if verb in MADE or lemma(found[1]) else 0.0
