"""What texts call the things that they speak of: a noun in passing, or a description that fits one thing alone.

>>> said_of("hot rock called [magma] rises", 16, 21), said_of("gases such as [argon]", 14, 19)
('rock', 'gas')
>>> said_of("the [asthenosphere], a weak layer of the mantle", 4, 19)
'layer'
>>> description_behind(" is the boundary between the crust and the mantle.", 0, "Moho")
Description(text='the boundary between the crust and the mantle', is_plural=False)
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import NamedTuple

from retriever.synthesis.facts.sentences import DEFINED as NAMED_AS
from retriever.synthesis.facts.sentences import Passage, behind_asides, named_at
from retriever.synthesis.grammar.noun_phrases import ARTICLES, BEFORE_NOUNS, FINITE, INEXACT, POINTING
from retriever.synthesis.grammar.nouns import is_person_noun, singular
from retriever.synthesis.grammar.verbs import is_participle, tense
from weft.text.normalise import STOP_WORDS
from weft.text.stems import stems_of

BEFORE = re.compile(r"([a-z]{3,})\s+(?:called|named|known as)\s+(?:the\s+|an?\s+)?[\[\"“]?$")
SUCH = re.compile(r"([a-z]{3,})s,?\s+(?:such as|including|like)\s+(?:the\s+)?\[?$")
AFTER = re.compile(r"[\]\"”]?(?:\s*\(|,\s)an?\s+((?:[a-z-]+\s+){0,5}[a-z-]+)(?=\s|[,.;)])")
NEAR = 60

DEFINED = re.compile(r"\s+(is|was|are|were)\s+(?:(the|an?)\s+)?(?=[a-z])")
APPOSED = re.compile(r",\s+(the|an?)\s+(?=[a-z])")
# What ends a description, but for a comma between adjectives.
BREAK = re.compile(r"[.;:()\[\]\n\"“”]|\s[–—-]\s|,\s(?:and|or|which|but|with|while|so|who|where|although)\b")
TURN = re.compile(
    r"\s(?:but|while|whereas|although|though|because|since|so|if|as|and\s+(?:is|are|was|were|has|have|it|they|can|thus"
    r"|therefore|then|also|the\s+\w+est|[a-z]+s\s+(?:the|an?)))\s"
)
FIRST_NOUN = re.compile(
    r"((?:[\w'’-]+ ){0,8}?[\w'’-]+)(?=,|\.|;|\)|$| (?:of|in|from|by|for|on|at|who|that|which|with|to|as|located"
    r"|situated|known|near|between|along|around|[a-z]+ed|[a-z]+ing (?:the|an?))\b)"
)
# Adjectives before the noun of a definition: `a blind, milk-white fish`.
ADJECTIVES = re.compile(r"(?:[a-z][a-z-]+, (?!and |or |a |an |the ))+")
ANOTHER = re.compile(r" and (?:the|an?) .*")
NO_NOUN = frozenset(("and", "or", "former", "first", "only", "last"))

UNTELLING = frozenset(
    """type kind form result number example name term subject reason case function consequence source cause basis key
    major main important subset list sum set ratio fact way part one possible good common significant primary first
    second third best only largest most main useful known used called
    examples types kinds forms results parts members area place""".split()
)
"""Words that begin what is said of many things, or of one in some respect."""

LINKING = BEFORE_NOUNS | {"that", "which", "where", "when"}
OTHERS = frozenset(("also", "now", "became", "becomes", "often", "sometimes", "later", "and", "or"))
FEWEST, MOST = 4, 15
FEWEST_TELLING = {"the": 2, "a": 3, "an": 3, "": 3}
"""Content words of a description, by the article that it had."""


class Description(NamedTuple):
    """A noun phrase, with the article `the`, that a text defines something by."""

    text: str
    is_plural: bool


def said_of(text: str, start: int, end: int) -> str:
    """Return the noun by which a text tells what it links to at a place is, or nothing."""
    before, after = text[max(0, start - NEAR) : start], text[end : end + NEAR]
    such = SUCH.search(before)
    if such:
        return singular(such[1] + "s")
    called, told = BEFORE.search(before), AFTER.match(after)
    if called:
        return called[1] if _is_noun(called[1]) else ""
    words = list(takewhile(_is_noun, told[1].split())) if told else []
    return words[-1] if words else ""


def _is_noun(word: str) -> bool:
    """Tell whether a word can be a noun or stand before one: no verb's form, adverb or preposition."""
    closed = LINKING | FINITE | POINTING | OTHERS
    return word not in closed and not is_participle(word) and not word.endswith(("ly", "ing"))


def noun_of(passage: Passage) -> str:
    """Return what a page's first sentence says that its subject is, in lower case, or nothing.

    >>> noun_of(Passage(1, "Abe (1900–1970) was a Swiss watch maker from Bern.", [(0, 47)], [], 1, ("Abe",)))
    'watch maker'
    """
    start, end = passage.sentences[0] if passage.sentences else (0, 0)
    text = passage.text[start:end]
    begin = named_at(text, passage.names)
    defined = NAMED_AS.match(text, behind_asides(text, begin)) if begin else None
    at = defined.end() if defined else 0
    adjectives = ADJECTIVES.match(text, at)
    listed = adjectives is not None and any(map(is_person_noun, re.split(r"[, ]+", adjectives[0])))
    first = FIRST_NOUN.match(text, adjectives.end() if adjectives and not listed else at) if defined else None
    words = ANOTHER.sub("", first[1]).split() if first else []
    kept: list[str] = []
    for word in reversed(words):
        if not word.isalpha() or word[0].isupper() or len(kept) == 2 or word in NO_NOUN:
            break
        kept.insert(0, word)
    return " ".join(kept)


def description_behind(text: str, at: int, name: str, *, is_subject: bool = True) -> Description | None:
    """Return the description that a definition or an apposition gives of what is named before a place.

    What is no subject may stand behind another noun, so that only an apposition with `a` is surely its own.
    """
    defined = DEFINED.match(text, at) if is_subject else None
    if defined:
        is_plural = defined[1] in ("are", "were")
        if (defined[2] is None) != is_plural:
            return None
        return _description(_extent(text, defined.end()), defined[2] or "", name, is_plural=is_plural)
    apposed = APPOSED.match(text, at)
    if apposed is None or (not is_subject and apposed[1] == "the"):
        return None
    said = _extent(text, apposed.end())
    behind = text[apposed.end() + len(said) :][:6]
    # A list's item stands between commas as well, and is followed by another one.
    if "," in said or re.match(r",\s(?:and|or|the|an?)\b", behind) or not set(said.split()) & BEFORE_NOUNS | {"that"}:
        return None
    return _description(said, apposed[1], name, is_plural=False)


def description_of(said: str, name: str, *, is_plural: bool) -> Description | None:
    """Return a noun phrase as a description of what is said to be called by a name."""
    article, _, rest = said.partition(" ")
    known = article.lower() in ARTICLES
    return _description(rest if known else said, article.lower() if known else "", name, is_plural=is_plural)


def _extent(text: str, at: int) -> str:
    """Return what goes on from a place as one noun phrase with what is said of it."""
    ended = BREAK.search(text, at)
    said = text[at : ended.start() if ended else len(text)]
    parts = said.split(", ")
    said = ", ".join(parts[:2]) if len(parts) > 1 and len(parts[0].split()) < 3 else parts[0]
    turn = TURN.search(said)
    return said[: turn.start()] if turn else said


def _description(said: str, article: str, name: str, *, is_plural: bool) -> Description | None:
    words = said.lower().split()
    telling = [word for word in words if word not in STOP_WORDS and len(word) > 2]
    if not FEWEST <= len(words) <= MOST or len(telling) < FEWEST_TELLING[article]:
        return None
    wrong = POINTING | {"not", "also", "figure", "above", "below", "following"}
    if words[0] in UNTELLING | INEXACT | BEFORE_NOUNS or (is_plural and words[0] in ARTICLES) or set(words) & wrong:
        return None
    if words[0].endswith("ing") or is_participle(words[0]) or not re.search(r"^[a-z-]+,? [a-z]", said):
        return None
    # "An astronomer and, from 1934 to 1956, director" ends before what it says.
    if re.search(r"\b(?:and|or),", said):
        return None
    if tense(words[0]) == "plain" and words[1] == "to":
        return None
    if words[-1] in BEFORE_NOUNS | FINITE | ARTICLES or words[-1].endswith(("ly", "ing")) or words[-1][-1] in ".,":
        return None
    head = list(takewhile(lambda word: word not in LINKING, words))
    if len(head) == len(words) or set(stems_of(name)) & set(stems_of(said)):
        return None
    if any(word in FINITE or (tense(word) in ("third", "past") and not is_participle(word)) for word in head):
        return None
    if is_plural and not any(word.endswith("s") for word in head):
        return None
    return Description(f"the {' '.join(said.split())}", is_plural)
