"""Stems: what the forms of one English word have in common, so that "director" finds "directed by".

A stem is compared with other stems, and weighed by how many chunks hold a form
of it (`retriever/index/terms.py`). The ending of a plural or a tense goes first, then
that of a word made of another one, so that every form of a word has the stem
of the word itself. A stem is cut further than by Porter's rules, which keep
"director" and "directed" apart: in a question the agent ("composer") stands for
the deed that a page tells of ("composed by").
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache

from weft.text.irregular import APART, IRREGULAR
from weft.text.normalise import words_of

STEMMING = 2
"""A new number makes an update write the stems of all texts again."""

# Letters that a stem keeps.
SHORTEST = 3
VOWEL = re.compile("[aeiouy]")
SYLLABLE = re.compile("[aeiou]+")
OF_ONE_SYLLABLE = re.compile("[^aeiou]*[aeiouy][^aeiouywx]")
"""What keeps its final e, and gets it back: "planed" comes of "plane" and "planned", whose n is double, of "plan"."""

STAYING = frozenset("aeioulszf")
"""Letters that stay double: "killed" is found by "kill" and "passed" by "pass", where "stopped" meets "stop"."""

SIBILANTS = ("ches", "shes", "sses", "xes", "zzes")
MADE = (("ery", 5, ""), ("ion", 3, "ts"), ("iv", 3, "ts"), ("er", 3, ""), ("or", 3, "ts"), ("ly", 3, ""))
"""Endings, how many letters are before each at least, and of which the last has to be one, if of any."""

ENDING = re.compile("[a-z]{0,3}(?:e|er|or|ion|ive?|ly|ment|at){0,4}(?:e?s|is|e?d|ings?|y|ies|ied)?")
"""What a regular word has behind `beginning_of` its stem, among others: few of the words that begin so end so."""


@lru_cache(maxsize=1 << 18)
def stem(word: str) -> str:
    """Return the stem of a lower-case word.

    >>> {stem(word) for word in ("director", "directed", "directs", "directing")}
    {'direct'}
    >>> stem("born") == stem("birth"), stem("1998")
    (True, '1998')
    """
    base = IRREGULAR.get(word)
    if base is None:
        base = word
        if len(word) > SHORTEST and word.isalpha():
            base = _singular(word)
            base = IRREGULAR.get(base) or _infinitive(base)
    return _spelt(base if base in APART or len(base) <= SHORTEST else _primitive(base))


def beginning_of(own: str) -> str:
    """Return what all words of a stem begin with, but for the irregular ones.

    >>> beginning_of(stem("carries")), beginning_of(stem("theatre")), beginning_of(stem("organise"))
    ('carr', 'theat', 'organi')
    """
    if len(own) > SHORTEST and own.endswith(("ter", "man")):
        return own[:-2]
    return own[:-1] if own.endswith(("e", "i", "or", "iz", "yz")) else own


def stems_of(text: str) -> list[str]:
    """Return the stems of a text's words, in their order."""
    return list(map(stem, words_of(text)))


def _singular(word: str) -> str:
    if word[-1] != "s" or word.endswith(("ss", "us")):
        return word[:-2] + "an" if word.endswith("men") and len(word) > 4 else word
    if word.endswith("is"):
        return word[:-2] if len(word) > 5 else word
    if word.endswith("ies") and len(word) > 4 and not VOWEL.match(word[-4]):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(SIBILANTS) else word[:-1]


def _infinitive(word: str) -> str:
    if word.endswith("ied"):
        return word[:-3] + "y" if len(word) > 4 and not VOWEL.match(word[-4]) else word[:-1]
    if word.endswith("ed") and not word.endswith("eed"):
        kept = word[:-2]
    elif word.endswith("ing"):
        kept = word[:-3]
    else:
        return word
    return _whole(kept) if len(kept) > 1 and VOWEL.search(kept) else word


def _primitive(word: str) -> str:
    """Return the word that another one is made of: the deed of an agent, the verb of a noun."""
    if word.endswith("tre"):
        word = f"{word[:-2]}er"
        if word in APART:
            return word
    word = _without_e(word)
    if word.endswith("our") and len(word) > len("hour"):
        word = f"{word[:-2]}r"
    for ending, shortest, before in MADE:
        if not word.endswith(ending):
            continue
        kept = word[: -len(ending)]
        if len(kept) >= shortest and (not before or kept[-1] in before) and VOWEL.search(kept):
            word = _whole(kept) if ending in ("er", "or") else _without_e(kept)
            break
    if word.endswith("at") and len(word) > 5 and not VOWEL.match(word[-3]):
        word = word[:-2]
    return _without_e(word[:-4]) if word.endswith("ment") and len(word) > 7 and word not in APART else word


def _whole(kept: str) -> str:
    """Return a word whose ending was cut: without the letter that it doubled, with the e that it took."""
    if len(kept) > SHORTEST and kept[-1] == kept[-2] and kept[-1] not in STAYING:
        return kept[:-1]
    return f"{kept}e" if OF_ONE_SYLLABLE.fullmatch(kept) else kept


def _without_e(word: str) -> str:
    stays = word[-1] != "e" or len(word) <= SHORTEST or OF_ONE_SYLLABLE.fullmatch(word[:-1])
    return word if stays else word[:-1]


def _spelt(word: str) -> str:
    """Return a word with its end in one spelling: z in "organis", i in "carry" as in "carrier", one l in "install"."""
    if len(word) < SHORTEST:
        return word
    if word[-1] == "y" and not VOWEL.match(word[-2]):
        return f"{word[:-1]}i"
    if word.endswith("ll") and len(SYLLABLE.findall(word)) > 1:
        return word[:-1]
    return f"{word[:-1]}z" if len(word) > 5 and word.endswith(("is", "ys")) else word


def _irregular_forms() -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for form in IRREGULAR:
        found[stem(form)] += [word for word in (form, f"{form}s", f"{form}es") if stem(word) == stem(form)]
    return dict(found)


IRREGULAR_FORMS = _irregular_forms()
"""The irregular forms of each stem, and their plurals."""
