"""Names: which entities a name means, and which names are written almost so."""

from __future__ import annotations

import re
from collections.abc import Sequence

from weft.skb import Skb
from weft.text.normalise import words_of

MOST_MEANINGS = 10
# Chosen by eye on the sets of docs/quality.md, as PRIOR is, and SHARING.
LEAST_ANCHOR = 0.05
"""An anchor text must lead to an entity in so large a share of its uses."""

PRIOR = {"name": 1.0, "redirect": 0.95, "label": 0.95, "short": 0.8, "anchor": 0.6}
PREFIX = 4
"""Letters that names both begin with, so that an index finds the names to compare; at most MOST_ALIKE are."""

MOST_ALIKE = 4000
SHARING = 50
"""How many entities whose text shares words with an unknown name are compared with it."""

LONGEST_REST = 40
"""Letters of a name behind a beginning that stands for it."""

GOES_ON = re.compile(r",? (?:of|the|von|van|de|di|count|duke|earl|king|queen|prince|princess|lord|lady|baron)\b")
NUMERAL = re.compile(r"\d+\w*|(?=[ivxl])(?:x[lc]|l?x{0,3})(?:i[vx]|v?i{0,3})")
"""A number in digits or Roman numerals up to 90: what tells one king, or one fire, from another."""

Row = tuple[int, str, float]
"""An entity, the kind of name by which it is meant, and that name's weight for it."""


def meanings_of(rows: Sequence[Row], most: int = MOST_MEANINGS) -> tuple[tuple[int, float], ...]:
    """Return what a name may mean: each entity's best weight, the likeliest first."""
    best: dict[int, float] = {}
    for entity, kind, weight in rows:
        if kind != "anchor" or weight >= LEAST_ANCHOR:
            best[entity] = max(best.get(entity, 0.0), PRIOR.get(kind, 0.5) * weight)
    likeliest = sorted(best.items(), key=lambda item: (-item[1], item[0]))
    return tuple(likeliest[:most])


def kind_of_name(rows: Sequence[Row], entity: int) -> str:
    """Return by which kind of name an entity is meant, the one that speaks for it most."""
    kinds = [(PRIOR.get(kind, 0.5) * weight, kind) for each, kind, weight in rows if each == entity]
    return max(kinds)[1]


def written_alike(skb: Skb, key: str, least: float, longer: int = 2) -> list[tuple[int, float]]:
    """Return the entities whose names are written almost as a key, marks on letters apart, the likest first.

    Names with other numerals are not alike: Engelbert II is not Engelbert III. `least` is difflib's ratio above which a
    name is alike; names may be `longer` by so many letters, or shorter.
    """
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(autojunk=False)
    words = words_of(key)
    matcher.set_seq2(" ".join(words))
    numerals = _numerals(words)
    best: dict[int, float] = {}
    sharing = skb.search_text("entity", key, SHARING)[0][: 2 * SHARING].tolist()
    for name, entity in skb.names_like(key[:PREFIX], sharing, len(key) - longer, len(key) + longer, MOST_ALIKE):
        own = words_of(name)
        matcher.set_seq1(" ".join(own))
        if matcher.real_quick_ratio() > least and matcher.quick_ratio() > least and _numerals(own) == numerals:
            best[entity] = max(best.get(entity, 0.0), matcher.ratio())
    return sorted((item for item in best.items() if item[1] > least), key=lambda item: (-item[1], item[0]))


def begun_by(skb: Skb, key: str) -> list[int]:
    """Return the entities of which a name begins with a key and goes on with "of" or the like, in ascending order."""
    names = skb.names_like(f"{key} ", [], len(key) + 2, len(key) + LONGEST_REST, SHARING)
    return sorted({entity for name, entity in names if GOES_ON.match(name, len(key))})


def _numerals(words: Sequence[str]) -> list[str]:
    """Return the numbers among the words of a name.

    >>> _numerals(["engelbert", "iii", "of", "1347", "i"])
    ['iii', '1347', 'i']
    """
    return [word for word in words if NUMERAL.fullmatch(word)]
