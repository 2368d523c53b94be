"""Subjects: who or what stands before the verb of a question, and who behind it: "Who found Bo Lund?".

>>> [verb_of(text) for text in ("Which layer of it is broken up into plates?", "what gas makes up most of the air")]
[Verb(lemma='break', is_passive=True), Verb(lemma='make', is_passive=False)]
>>> verb_of("What is the bridge made of?"), verb_of("Which is responsible?"), verb_of("What did she build?")
(None, None, None)
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from retriever.answers.asked import Asked
from retriever.answers.candidates import NAMING, NUMBERED, Candidate, sentence_of
from retriever.answers.passages import Passage
from retriever.answers.rules.prepositions import preposition_asked, told_of_sentences
from retriever.answers.text.words import FUNCTION, UPPER, word_spans
from retriever.synthesis.grammar.verbs import lemma
from retriever.types import Scores
from weft.text.sentences import Span

ASKS = re.compile(r"\W*who (?:first |also |once |really )?(?P<verb>[a-z]{3,}) (?P<what>[^?]{3,200})\W*", re.I)
BEFORE = re.compile(
    r"(?:\s\([^()]{0,80}\)|,[^,.;]{1,80},)?\s(?:(?:also|first|had|has|have|herself|himself|later|once|soon|then) )*\Z"
)
"""What stands between a subject and its verb."""

SUBJECT = re.compile(rf"(?:(?i:\b(?:he|she|they|it|who))|[{UPPER}][\w’'-]*){BEFORE.pattern}")
PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being)(?: [a-z]+ly)? \Z")
AGENT = re.compile(r"\bby (?:the |an? )?(?:[a-z-]+ ){0,3}\Z")
MUTUAL = frozenset("married met fought played faced joined divorced befriended loved kissed".split())
"""Verbs of what both do: who stands behind one may be the answer too."""

KINDS = frozenset(("thing", "place", "country"))
WHAT = re.compile(r"\W*(?:what|which)\b ?(?P<rest>[^?,;:]{3,200})", re.I)
BE = frozenset("is are was were be been being gets got".split())
AMOUNTS = frozenset(NUMBERED[form] for form in ("number", "year", "date"))
DOES = frozenset("do does did can could will would should must may might".split())
MOST_BEFORE = 8
"""Words of a question before its verb."""

BEHIND = re.compile(
    r"(?: \([^()]{0,80}\)|,[^,.;]{1,80},)? (?P<be>(?:is|are|was|were|(?:has|have|had) been) )?"
    r"(?:(?:[a-z]+ly|also|then|still|now|first|often|mostly) )?(?P<verb>[a-z]+)\b"
)
"""What stands behind a subject: its verb, in the passive behind a form of "be"."""

CLAUSE = re.compile(r"[.;:]|,? (?:and|but|while|when|after|before|until|who|whom|which|whose)\b")
READ = 100
"""Characters before a verb, or before a name, that are read."""


def told_of_subjects(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return how much (n,) of the question the sentence matches of each name right before its verb, 0 to 1.

    As much less than 0 for each name behind that verb, in its clause: "Bo Lund" of "Ada found Bo Lund" found nobody.
    """
    asks = ASKS.fullmatch(asked.text) if asked.kind == "person" else None
    verb = asks["verb"].lower() if asks and asks["verb"].lower() not in FUNCTION | MUTUAL else ""
    verbs: dict[tuple[int, int], list[Span]] = {}

    def side(passage: Passage, each: Candidate) -> float:
        key = sentence_of(passages, each)
        if key not in verbs:
            verbs[key] = [*_verbs(passage, passage.sentence_at(each.start), verb)]
        return _side(passage.text, each, verbs[key])

    return told_of_sentences(asked, passages, candidates, side if verb else lambda passage, each: 0.0)


class Verb(NamedTuple):
    """What a question asks the subject of, without inflection; `is_passive`: it is done to it."""

    lemma: str
    is_passive: bool


def verb_of(question: str) -> Verb | None:
    """Return the verb of a question for what does something, or to what it is done; None where it asks otherwise."""
    found = None if preposition_asked(question) else WHAT.match(question)
    words = found["rest"].lower().split()[: MOST_BEFORE + 1] if found else []
    for index, word in enumerate(words[:-1]):
        before = words[index - 1] if index else ""
        if word in DOES:
            return None
        own = lemma(word) if word not in BE else ""
        if before in BE:
            return Verb(own, True) if own and not word.endswith(("ing", "s")) else None
        if own and index and word != own and before not in FUNCTION:
            return Verb(own, False)
    return None


def told_of_things(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return how much (n,) of the question the sentence matches of each candidate right before its verb, 0 to 1.

    "The lithosphere is broken up into plates" tells which layer is.
    """
    verb = verb_of(asked.text) if asked.kind in KINDS and not asked.is_polar else None

    def is_subject(passage: Passage, each: Candidate) -> float:
        is_named = verb is not None and each.end > each.start and each.form not in AMOUNTS
        found = BEHIND.match(passage.text, each.end) if is_named else None
        return float(found is not None and Verb(lemma(found["verb"]) or "", found["be"] is not None) == verb)

    return told_of_sentences(asked, passages, candidates, is_subject if verb else lambda passage, each: 0.0)


def _verbs(passage: Passage, sentence: Span, verb: str) -> Iterator[Span]:
    """Yield where a sentence has a verb in the active, right behind a name or a pronoun."""
    begin, end = sentence
    for word, start, stop in word_spans(passage.text[begin:end]):
        before = passage.text[max(begin, begin + start - READ) : begin + start]
        # By its stem "found" might be a founder, and "captained" a captain.
        if word == verb and SUBJECT.search(before) and not PASSIVE.search(before):
            yield begin + start, begin + stop


def _side(text: str, candidate: Candidate, verbs: Sequence[Span]) -> float:
    """Return 1 for a name right before a verb, -1 for what has a name and stands behind it in its clause, else 0."""
    if candidate.end <= candidate.start or candidate.text.islower():
        return 0.0
    first = bisect_left(verbs, (candidate.start - READ, 0))
    for start, end in verbs[first : bisect_left(verbs, (candidate.end + READ, 0))]:
        if candidate.form in NAMING and candidate.end < start and BEFORE.fullmatch(text, candidate.end, start):
            return 1.0
        between = text[end : candidate.start] if end <= candidate.start else "."
        if not CLAUSE.search(between) and not AGENT.search(between):
            return -1.0
    return 0.0
