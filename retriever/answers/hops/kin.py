"""Kinship of two steps: a father-in-law is the father of the spouse.

>>> in_steps("paternal grandmother"), in_steps("father")
(('father', 'mother'), ())
"""

from __future__ import annotations

STEPS = {
    "paternal grandfather": ("father", "father"), "paternal grandmother": ("father", "mother"),
    "maternal grandfather": ("mother", "father"), "maternal grandmother": ("mother", "mother"),
    "father-in-law": ("spouse", "father"), "mother-in-law": ("spouse", "mother"),
    "brother-in-law": ("spouse", "brother"), "sister-in-law": ("spouse", "sister"),
    "son-in-law": ("daughter", "husband"), "daughter-in-law": ("son", "wife"), "child-in-law": ("child", "spouse"),
    "sibling-in-law": ("spouse", "sibling"), "uncle": ("father", "brother"), "aunt": ("father", "sister"),
    "nephew": ("sibling", "son"), "niece": ("sibling", "daughter"), "grandson": ("child", "son"),
    "granddaughter": ("child", "daughter"), "grandchild": ("child", "child"),
}  # fmt: skip


def in_steps(noun: str) -> tuple[str, ...]:
    """Return the two words that a word for kin is made of, the first one of whoever is named; nothing for others."""
    return STEPS.get(noun.lower(), ())
