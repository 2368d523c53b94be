"""Objects: what stands behind the verb of a question for what somebody or something does: "What do marmots eat?"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from retriever.answers.asked import Asked
from retriever.answers.candidates import Candidate
from retriever.answers.passages import Passage
from retriever.answers.rules.prepositions import told_of_sentences
from retriever.answers.text.lexicon.hypernyms import senses_of
from retriever.answers.text.lexicon.synonyms import synonyms
from retriever.answers.text.words import FUNCTION, stem_of
from retriever.synthesis.grammar.verbs import lemma, tense
from retriever.types import Scores

KINDS = frozenset(("person", "thing", "place", "country"))
ASKS = re.compile(
    r"(?:^|(?<!\bto)(?<!\b[io]n)(?<!\b[ao][tf])(?<!\bby)(?<!\bfor)(?<!\bwith)(?<!\bfrom) )"
    r"\b(?:what|which|whom?)\b[^?.]*?\b(?:do|does|did|can|could|will|would|must|should)\b ([^?.]+)", re.I,
)  # fmt: skip
"""A question for an object, not by a preposition, and what stands behind its auxiliary verb."""

LONGEST = 300
"""Characters of a question that are read."""

WORD = re.compile(r"[\w’'-]+")
NO_VERB_BEHIND = FUNCTION - frozenset("not also only just now then once still i you he she it we they".split())
"""Words such as articles and prepositions, behind which no verb stands."""

DIRECT = re.compile(r"\b([a-z]+) (?:that )?(?:(?:the|an?|his|her|its|their|some|only|mainly|chiefly|mostly) )?\Z")
LOOSELY = re.compile(rf"{DIRECT.pattern[:-2]}(?:[\w’'-]+ )\Z")
"""The words before a candidate: a verb and an article, without and with a word that is no part of the candidate."""

AND_DOES = re.compile(r" and ([a-z]+s)\b")
"""How a candidate goes on with another verb: "powers [the mill and drives the saw]"."""

BE = re.compile(r"\bbe\b", re.I)
PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being) (?:[a-z]+ly )?\Z")
DENIED = re.compile(r"(?:\b(?:not|never|no longer|cannot|hardly|nor)|n['’]t)\b[^.;,]{0,20}\Z")
READ = 60
"""Characters before a candidate that are read."""

SYNONYM, ADJECTIVE = 0.5, 0.5
"""Weights of a synonym of the verb, and of a candidate of whose noun phrase a word is left out."""


def told_by_verb(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return how much (n,) of the question the sentence of each candidate behind its verb matches, 0 to 1.

    The share is weighted by IDF; 0 for a candidate behind any other word.
    """
    is_asked = asked.kind in KINDS and not asked.is_polar and len(asked.text) <= LONGEST
    verbs = _weighted(verb_asked(asked.text)) if is_asked else {}
    if not verbs:
        return np.zeros(len(candidates), np.float32)
    return told_of_sentences(asked, passages, candidates, lambda passage, each: _behind(passage, each, verbs))


def verb_asked(question: str) -> str:
    """Return the stem of the verb of a question for an object, "" where it is none or has none.

    >>> [verb_asked(each) for each in ("What do marmots eat in winter?", "Which oil does the old lamp burn?", "Why?")]
    ['eat', 'burn', '']
    """
    found = ASKS.search(question)
    words = WORD.findall(found[1]) if found and not BE.search(found[1]) else []
    verbs = [each for index, each in enumerate(words) if index and _may_be_verb(words, index)]
    # A noun may stand before a preposition too: "the office of the harbour".
    sure = [each for each in verbs if lemma(each) or not senses_of(each)]
    return stem_of((sure or verbs[::-1])[0]) if verbs else ""


def _may_be_verb(words: Sequence[str], index: int) -> bool:
    """Tell whether a word may be the verb: behind a subject, and before nothing or a word that begins a phrase."""
    own, before, behind = words[index], words[index - 1], words[index + 1 : index + 3]
    if not own.islower() or own in FUNCTION or before in NO_VERB_BEHIND:
        return False
    if behind[:1] == ["to"] and lemma("".join(behind[1:])):
        # "What did she want to give him?" asks for what she gave.
        return False
    return not behind or behind[0] in FUNCTION or not senses_of(own)


def _weighted(verb: str) -> dict[str, float]:
    """Return the stems of a verb and its synonyms with their weights."""
    return {**dict.fromkeys(synonyms(verb), SYNONYM), verb: 1.0} if verb else {}


def _behind(passage: Passage, candidate: Candidate, verbs: Mapping[str, float]) -> float:
    """Return the weight of the verb right before a candidate, 0 where none is, or where it is passive."""
    if candidate.end <= candidate.start or candidate.text.partition(" ")[0].lower() in FUNCTION:
        return 0.0
    before = max(0, candidate.start - READ)
    for pattern, share in ((DIRECT, 1.0), (LOOSELY, ADJECTIVE)):
        found = pattern.search(passage.text, before, candidate.start)
        weight = verbs.get(stem_of(found[1]), 0.0) * share if found else 0.0
        if found and weight:
            own = max(0, found.start() - READ), found.start()
            goes_on = AND_DOES.search(candidate.text) if tense(found[1]) == "third" else None
            if goes_on and tense(goes_on[1]) == "third":
                return 0.0
            is_passive = PASSIVE.search(passage.text, *own) is not None and not found[1].endswith("ing")
            return 0.0 if is_passive or DENIED.search(passage.text, *own) else weight
    return 0.0
