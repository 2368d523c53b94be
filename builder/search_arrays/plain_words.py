"""Words of which is certain, without loading spaCy, whether the full stop behind them ends a sentence.

Loading spaCy takes a second and more, as long as a small build. But nearly all words before a full stop are plain:
spaCy cuts the full stop off behind a small letter, a digit, two capitals or a bracket, and leaves it on a single
capital and on the abbreviations that it lists. In English, and where no language is known, they are decided here as its
pipelines would; what is not plain, and every other language, is left to those.
"""

from __future__ import annotations

import re
from unicodedata import category

from weft.text.tokens import word_set

ABBREVIATIONS = {
    "xx": word_set("a b c d e f g h i j k l m n o p q r s t u v w x y z ä ö ü"),
    "en": word_set(
        """a b c d e f g h i j k l m n o p q r s t u v w x y z ä ö ü
        Adm Ak Ala Apr Ariz Ark Aug Bros Calif Co Colo Conn Corp D.C Dec Del Dr E.G E.g Feb Fla Ga Gen Gov I.E I.e Ia
        Id Ill Inc Ind Jan Jr Jul Jun Kan Kans Ky La Ltd Mar Mass Md Messrs Mich Minn Miss Mo Mont Mr Mrs Ms Mt N.C N.D
        N.H N.J N.M N.Y Neb Nebr Nev Nov Oct Okla Ore Pa Ph.D Prof Rep Rev S.C Sen Sep Sept St Tenn Va Wash Wis
        1a.m 2a.m 3a.m 4a.m 5a.m 6a.m 7a.m 8a.m 9a.m 10a.m 11a.m 12a.m 1p.m 2p.m 3p.m 4p.m 5p.m 6p.m 7p.m 8p.m 9p.m
        10p.m 11p.m 12p.m a.m co e.g i.e p.m v.s vs"""
    ),
}
"""By pipeline, the words that its list of exceptions (spaCy 3.8) gives a full stop of their own, without it."""

CAPITAL = "A-ZÀ-ÖØ-ÞΑ-ΡΣ-ΩА-Я"
SMALL = "a-zß-öø-ÿα-ωа-я" + "".join(
    chr(code) for first, end in ((0x100, 0x180), (0x1E00, 0x1F00)) for code in range(first, end) if chr(code).islower()
)
CUT_OFF = re.compile(rf"(?:\A|[0-9{SMALL}%²+\-,:!?)\]\"'”’»]|[0-9]°|°[CFK]|[{CAPITAL}]{{2}})\.\Z")
"""What a word ends with whose full stop becomes a token of its own."""

LEFT_ON = re.compile(rf"(?:(?:\A|[0-9{SMALL}.,&-])[{CAPITAL}]|\A(?:[{CAPITAL}{SMALL}0-9]+\.)+)\.\Z")
"""What a word ends with whose full stop stays part of it: one capital, or another full stop."""

LAST_PART = re.compile(r"(?:[^\W_]|(?<!\.)\.|(?<=[^\W_])['’](?=[^\W_]))+\Z")
"""What may be an exception once it is cut off from what stands before it."""

PREFIX = re.compile(r"[&(\[]+")
"""Signs that an exception is cut off from."""

UNIT = re.compile(r"[0-9][gmt]\.\Z")
"""Units of one letter are cut off from their number, and then are exceptions."""


def ends_sentence(word: str, code: str) -> bool | None:
    """Tell whether a pipeline ends a sentence with a word's last sign; None where the pipeline is to be asked."""
    exceptions = ABBREVIATIONS.get(code)
    if exceptions is None:
        return None
    if word[-1] != ".":
        return True if word[-1] in "!?" else False if _is_syllables(word) else None
    last = LAST_PART.search(word)
    if last is not None and last[0][:-1] in exceptions:
        return False if last[0] == word or PREFIX.fullmatch(word, 0, last.start()) else None
    if UNIT.search(word) or (last is not None and last[0].split(".")[-2] in exceptions):
        return None
    if LEFT_ON.search(word):
        return False
    return True if CUT_OFF.search(word) else None


def _is_syllables(word: str) -> bool:
    """Tell whether a word is of letters and vowel signs alone, as those of India's scripts are: it has no full stop."""
    return all(each.isalpha() or category(each)[0] == "M" for each in word)
