"""Kinship of two steps: a father-in-law is the father of the spouse.

>>> in_steps("paternal grandmother"), in_steps("father")
(('father', 'mother'), ())
"""

from __future__ import annotations

import re

STEPS = {
    "paternal grandfather": ("father", "father"), "paternal grandmother": ("father", "mother"),
    "maternal grandfather": ("mother", "father"), "maternal grandmother": ("mother", "mother"),
    "father-in-law": ("spouse", "father"), "mother-in-law": ("spouse", "mother"),
    "brother-in-law": ("spouse", "brother"), "sister-in-law": ("spouse", "sister"),
    "son-in-law": ("daughter", "husband"), "daughter-in-law": ("son", "wife"), "child-in-law": ("child", "spouse"),
    "maternal uncle": ("mother", "brother"), "maternal aunt": ("mother", "sister"),
    "paternal uncle": ("father", "brother"), "paternal aunt": ("father", "sister"),
    "sibling-in-law": ("spouse", "sibling"), "uncle": ("father", "brother"), "aunt": ("father", "sister"),
    "nephew": ("sibling", "son"), "niece": ("sibling", "daughter"), "grandson": ("child", "son"),
    "granddaughter": ("child", "daughter"), "grandchild": ("child", "child"),
    "stepmother": ("father", "wife"), "stepfather": ("mother", "husband"),
}  # fmt: skip
OTHERWISE = {"uncle": ("mother", "brother"), "aunt": ("mother", "sister")}
"""The other two steps that lead to whoever is called so."""

NOUN = re.compile(rf"\b(?:{'|'.join(sorted(STEPS, key=len, reverse=True))})\b", re.I)


def names_steps(text: str, sentence: str) -> bool:
    """Tell whether a sentence says the word for kin of two steps that a question asks for.

    >>> names_steps("Who is Ada Orr's mother-in-law?", "His mother-in-law is the astronomer Ida Lund.")
    True
    >>> names_steps("Who is Ada Orr's mother?", "Her mother is Ida Lund.")
    False
    """
    asked = NOUN.search(text)
    return asked is not None and asked[0].lower() in map(str.lower, NOUN.findall(sentence))


def in_steps(noun: str) -> tuple[str, ...]:
    """Return the two words that a word for kin is made of, the first one of whoever is named; nothing for others."""
    return STEPS.get(noun.lower(), ())


def every_way(noun: str) -> list[tuple[str, ...]]:
    """Return `in_steps`, and the other two words for the brother or sister of either parent; one for other nouns.

    >>> every_way("uncle"), every_way("painter")
    ([('father', 'brother'), ('mother', 'brother')], [('painter',)])
    """
    ways = STEPS.get(noun.lower()), OTHERWISE.get(noun.lower())
    return [way for way in ways if way] or [(noun,)]
