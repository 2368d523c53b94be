"""Subjects: who stands before the verb of a question for who did something, and who behind it: "Who found Bo Lund?"."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from retriever.answers.asked import Asked
from retriever.answers.candidates import NAMING, Candidate, sentence_of
from retriever.answers.passages import Passage
from retriever.answers.rules.prepositions import told_of_sentences
from retriever.answers.text.words import FUNCTION, UPPER, word_spans
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
