"""Stems: what the forms of one English word have in common, so that "director" finds "directed by".

A stem is compared with other stems, and weighed by how many chunks hold a form
of it (`retriever/index/terms.py`). A stem is cut further than by Porter's rules, which keep
"director" and "directed" apart: in a question the agent ("composer") stands for
the deed that a page tells of ("composed by").
"""

from __future__ import annotations

from functools import lru_cache

from weft.text.normalise import words_of

STEMMING = 1
"""A new number makes an update write the stems of all texts again."""

SUFFIXES = (
    "ations", "ation", "ings", "ions", "ing", "ion", "ers", "ors", "ies", "ied", "ive",
    "er", "or", "ed", "es", "ly", "s", "e", "y",
)  # fmt: skip
BY_LAST = {last: tuple(each for each in SUFFIXES if each.endswith(last)) for last in {each[-1] for each in SUFFIXES}}
# Letters that a stem keeps.
SHORTEST = 3
STAYING = "lszf"
"""Letters that stay double: "killed" is found by "kill" and "passed" by "pass", where "stopped" meets "stop"."""

IRREGULAR = {
    "written": "writ", "wrote": "writ", "born": "birth", "died": "death", "dies": "death", "die": "death",
    "sang": "sing", "sung": "sing", "won": "win", "led": "lead", "built": "build", "made": "mak", "wives": "wif",
    "marry": "marri", "marrying": "marri", "married": "marri", "marries": "marri", "marriage": "marri",
    "bury": "buri", "buries": "buri", "buried": "buri", "burial": "buri",
    "controlled": "control", "controller": "control", "controlling": "control", "travelled": "travel",
    "traveller": "travel", "travelling": "travel", "performance": "perform", "government": "govern",
    "actress": "act", "sold": "sell", "found": "find",
}  # fmt: skip


@lru_cache(maxsize=1 << 18)
def stem(word: str) -> str:
    """Return the stem of a lower-case word.

    >>> {stem(word) for word in ("director", "directed", "directs", "directing")}
    {'direct'}
    >>> stem("born") == stem("birth"), stem("1998")
    (True, '1998')
    """
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word.endswith("ss"):
        return word
    for suffix in BY_LAST.get(word[-1:], ()):
        if word.endswith(suffix) and len(word) - len(suffix) >= SHORTEST:
            kept = word[: -len(suffix)]
            doubled = len(kept) > SHORTEST and kept[-1] == kept[-2] and suffix[0] in "eio" and kept[-1] not in STAYING
            return kept[:-1] if doubled else kept
    return word


def stems_of(text: str) -> list[str]:
    """Return the stems of a text's words, in their order."""
    return list(map(stem, words_of(text)))
