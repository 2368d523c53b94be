"""Verb phrases in a sentence: from the end of a subject to the beginning of an object.

>>> phrase_at(" was named after the river Veldra.", 0)
('was named after', 16)
"""

from __future__ import annotations

import re

from retriever.synthesis.grammar.predicates import PREPOSITIONS
from retriever.synthesis.grammar.verbs import AUXILIARIES, BE, is_participle, tense

# Left out of a predicate: they change little of what is asked.
ADVERBS = frozenset(
    """also first originally later mainly mostly largely usually often primarily generally now currently then soon
    eventually subsequently initially officially formally finally still typically commonly sometimes normally
    partly chiefly once recently again already""".split()
)
WORD = re.compile(r"\s+([a-z][a-z'’-]*)")
ARTICLE = re.compile(r"\s+(?:the|a|an|his|her|its|their)\b")
PARTICLES = frozenset(("up", "out", "together", "down", "off", "part", "above", "below"))
MOST_WORDS = 5


def phrase_at(text: str, start: int) -> tuple[str, int] | None:
    """Return the verb phrase that begins at a place, and where what follows begins; None where none does.

    What follows may have an article, which is left to it.
    """
    match = WORD.match(text, start)
    if match is None:
        return None
    if match[1] in ADVERBS:
        start = match.end()
        match = WORD.match(text, start)
    if match is None:
        return None
    return _passive_or_be(text, match) if match[1] in AUXILIARIES else _main_verb(text, match)


def _main_verb(text: str, match: re.Match[str]) -> tuple[str, int] | None:
    """Return a main verb with the prepositions behind it."""
    if tense(match[1]) is None or (tense(match[1]) == "plain" and match[1].endswith("e")):
        return None
    return _with_prepositions(text, [match[1]], match.end())


def _passive_or_be(text: str, match: re.Match[str]) -> tuple[str, int] | None:
    """Return an auxiliary with a participle, an adjective or `the NOUN of`."""
    words, end = [match[1]], match.end()
    article = re.compile(r"\s+(the)\b").match(text, end)
    if article and match[1] in BE:
        return _noun_of(text, match[1], article.end())
    following = WORD.match(text, end)
    while following and (following[1] in ADVERBS or following[1] in ("been", "be")):
        words += [following[1]] if following[1] in ("been", "be") else []
        end = following.end()
        following = WORD.match(text, end)
    if following is None or not (is_participle(following[1]) or following[1] in FITTING):
        return None
    return _with_prepositions(text, [*words, following[1]], following.end())


FITTING = frozenset(("part", "home", "responsible", "famous", "adjacent", "close", "similar", "related", "visible",
                     "equal", "parallel", "perpendicular", "composed", "rich", "made", "native"))  # fmt: skip


def _noun_of(text: str, be: str, start: int) -> tuple[str, int] | None:
    """Return `is the NOUN of`, of up to three words."""
    match = re.compile(r"((?:\s+[a-z][a-z-]+){1,3}?)\s+of(?=\s)").match(text, start)
    if match is None or re.search(r"\b(?:one|name|same|result|part|use)\b", match[1]):
        return None
    return f"{be} the{re.sub(chr(10), ' ', match[1])} of", match.end()


def _with_prepositions(text: str, words: list[str], end: int) -> tuple[str, int] | None:
    while len(words) < MOST_WORDS and (match := WORD.match(text, end)):
        if match[1] not in PREPOSITIONS and match[1] not in PARTICLES:
            break
        words.append(match[1])
        end = match.end()
    return " ".join(words), end
