"""Relations of kin: the words by which texts tell them."""

from __future__ import annotations

from typing import NamedTuple


class Kin(NamedTuple):
    """How kin is told: in `words` behind "his" or "her", as what one is `of` them, and in rows with `labels`.

    `gender` is 1 for she, -1 for he, 0 for either. `alike` are kin of whom each sentence may say it of several:
    children, brothers and sisters.
    """

    gender: int
    words: str
    of: str
    labels: str
    alike: bool = False


CHILD = "son|daughter|child|children|offspring"
PARENTING, BESIDE = "father|mother|parent", "brother|sister|twin|sibling"
PARENT, SPOUSE = r"parents?|parent\(s\)", r"spouses?|spouse\(s\)|partners?|consorts?"
SIBLING, YOUNG = "siblings?", "children|child"
YOUNGER, GRANDCHILD, GRANDPARENT = "nephew|niece", "grandson|granddaughter|grandchild", "grandfather|grandmother"
KINDS = {
    "father": Kin(-1, "father", CHILD, f"father|{PARENT}"),
    "mother": Kin(1, "mother", CHILD, f"mother|{PARENT}"),
    "parent": Kin(0, "parents?", CHILD, PARENT),
    "husband": Kin(-1, "husband|widower", "wife|widow|spouse", f"husbands?|{SPOUSE}"),
    "wife": Kin(1, "wife|widow", "husband|widower|spouse", f"wife|wives|{SPOUSE}"),
    "spouse": Kin(0, "husband|wife|widow(?:er)?", "wife|widow(?:er)?|husband|spouse", f"husbands?|wife|wives|{SPOUSE}"),
    "son": Kin(-1, "sons?", PARENTING, "sons?", alike=True),
    "daughter": Kin(1, "daughters?", PARENTING, "daughters?", alike=True),
    "child": Kin(0, "sons?|daughters?|child|children|twins", PARENTING, f"sons?|daughters?|{YOUNG}", alike=True),
    "brother": Kin(-1, "brothers?", BESIDE, "brothers?", alike=True),
    "sister": Kin(1, "sisters?", BESIDE, "sisters?", alike=True),
    "sibling": Kin(0, "brothers?|sisters?|siblings?", BESIDE, f"brothers?|sisters?|{SIBLING}", alike=True),
    "uncle": Kin(-1, "uncles?", YOUNGER, "uncles?"), "aunt": Kin(1, "aunts?", YOUNGER, "aunts?"),
    "nephew": Kin(-1, "nephews?", "uncle|aunt", "nephews?", alike=True),
    "niece": Kin(1, "nieces?", "uncle|aunt", "nieces?", alike=True),
    "nibling": Kin(0, "nephews?|nieces?", "uncle|aunt", "nephews?|nieces?", alike=True),
    "cousin": Kin(0, "cousins?", "cousin", "cousins?", alike=True),
    "grandfather": Kin(-1, "grandfather", GRANDCHILD, "grandfather"),
    "grandmother": Kin(1, "grandmother", GRANDCHILD, "grandmother"),
    "grandparent": Kin(0, "grandfather|grandmother|grandparents?", GRANDCHILD, "grandparents?"),
    "grandson": Kin(-1, "grandsons?", GRANDPARENT, "grandsons?", alike=True),
    "granddaughter": Kin(1, "granddaughters?", GRANDPARENT, "granddaughters?", alike=True),
    "grandchild": Kin(0, "grandsons?|granddaughters?|grandchild(?:ren)?", GRANDPARENT, "grandchildren", alike=True),
}  # fmt: skip
MARRYING = frozenset(("husband", "wife", "spouse"))
