"""Questions: what they name, what kind of thing they ask for, and which words remain to be answered.

Everything that reads a question reads it here, once, for all methods.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from retriever.question.entity_linking import Linker
from retriever.session import Session
from retriever.types import Ids, Query, QueryMention, Question, Unit
from weft.text.normalise import STOP_WORDS, normalized, words_of, written_words
from weft.text.pairs import is_unspaced
from weft.text.stems import stem

ASKING = frozenset(
    """name named give tell list find many much long old far often kind type sort same different between both
    either also first following called known more less most later earlier older younger""".split()
)
"""Words that say how something is asked, not what about."""

SURE = 0.5
"""The words of names as sure as this are not asked about: "river" or "field" may be a page's title, and a word too."""

ASKED = re.compile(r"\b(?:who|whom|whose|when|where|what|which|how|why)\b", re.I)
"""The words that ask; the first of a question decides what is asked for."""

KINDS = (
    (re.compile(r"(?:who|whom|whose)\b", re.I), "person"),
    (re.compile(r"(?:when|what (?:year|date|day|month|century|time)|which (?:year|date|day|month|century))\b", re.I),
     "time"),
    (re.compile(r"(?:where|(?:what|which) (?:place|city|town|village|country|state|county|region|location))\b", re.I),
     "place"),
    (re.compile(r"how (?:many|much|long|tall|old|far|high|large|big|deep|fast|heavy|wide|often)\b", re.I), "number"),
)  # fmt: skip
# The word behind "which" or "what": it may say the kind of answer ("which river").
NOUN = re.compile(r"(?:which|what)\s+(?:of the\s+)?([a-z]{3,})", re.I)


def read_question(session: Session, text: str, unit: Unit, allowed: Ids | None = None) -> Query:
    """Return what is looked for to answer a question, before any expansion."""
    return query_of(question_of(session, text), unit, allowed)


def query_of(question: Question, unit: Unit, allowed: Ids | None = None) -> Query:
    """Return the query that looks for a question's own words, by its own vector."""
    return Query(question, question.text, question.vectors, unit, allowed)


def question_of(session: Session, text: str) -> Question:
    """Return a question as every method sees it: composed (NFC), linked, typed, encoded; a session reads it once."""
    composed = normalized("NFC", text)
    return session.memo.of("question", composed, lambda: _read(session, composed))


def linked_question(session: Session, text: str) -> Question:
    """Return a question linked and typed, without the vectors that nothing but a search needs."""
    composed = normalized("NFC", text)
    return session.memo.of("linked question", composed, lambda: _link(session, composed))


def _link(session: Session, text: str) -> Question:
    mentions = Linker(session).mentions(text)
    return Question(text, mentions, answer_type(text), asked_stems(text, sure_of(mentions)))


def _read(session: Session, text: str) -> Question:
    linked = linked_question(session, text)
    vectors = session.encode([text, without(text, sure_of(linked.mentions))])
    return linked._replace(vectors=vectors[:1], vectors_asked=vectors[1:])


def sure_of(mentions: Iterable[QueryMention]) -> tuple[QueryMention, ...]:
    """Return the mentions that are surely names."""
    return tuple(mention for mention in mentions if float(mention.weights.sum()) >= SURE)


def without(text: str, mentions: Iterable[QueryMention]) -> str:
    """Return a question without the names in it."""
    for mention in sorted(mentions, reverse=True, key=lambda mention: mention.start):
        text = text[: mention.start] + text[mention.end :]
    return text


def answer_type(text: str) -> str | None:
    """Return the kind of thing that the first question word asks for, or the noun after it; None where it says none.

    >>> answer_type("In which year was the river's toll doubled?"), answer_type("What language is sung there?")
    ('time', 'language')
    """
    asked = ASKED.search(text)
    if asked is None:
        return None
    for pattern, kind in KINDS:
        if pattern.match(text, asked.start()):
            return kind
    noun = NOUN.match(text, asked.start())
    return noun[1].lower() if noun and noun[1].lower() not in STOP_WORDS else None


def asked_stems(text: str, mentions: Iterable[QueryMention]) -> tuple[str, ...]:
    """Return the stems of the content words outside the mentions, each once."""
    for mention in mentions:
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return content_stems(written_words(text))


def content_stems(words: Sequence[str]) -> tuple[str, ...]:
    """Return the stems of words that say what a question is about, each once, in their order."""
    plain = [word for each in words for word in words_of(each)]
    content = (word for word in plain if word not in STOP_WORDS and word not in ASKING)
    return tuple(dict.fromkeys(stem(word) for word in content if len(word) > 1 or word.isdigit() or is_unspaced(word)))


def plain_stems(words: Sequence[str]) -> tuple[str, ...]:
    """Return the stems of all words, in their order."""
    return tuple(stem(word) for each in words for word in words_of(each))


def named_entities(question: Question) -> tuple[Ids, np.ndarray[tuple[int], np.dtype[np.float32]]]:
    """Return each entity that the mentions may mean, once, with its greatest weight, by id."""
    if not question.mentions:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    ids = np.concatenate([mention.entities for mention in question.mentions])
    weights = np.concatenate([mention.weights for mention in question.mentions])
    distinct, back = np.unique(ids, return_inverse=True)
    greatest = np.zeros(len(distinct), np.float32)
    np.maximum.at(greatest, back, weights)
    return distinct, greatest
