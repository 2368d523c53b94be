"""Words: the one tokenisation that embedders and full-text questions share; names have `weft.text.tokens`."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from itertools import filterfalse
from typing import Literal

from weft.text.pairs import is_unspaced, paired

# A run of letters and digits of any script; the underscore, which \w has, is no letter.
WORD = re.compile(r"[^\W_]+")
BLANKED = {code: " " for code in range(128) if not chr(code).isalnum()}
"""What is no letter or digit in ASCII; blanking it and splitting is three times as quick as finding words."""

SHORT = 2000
"""Characters of a text whose marks may be sorted at once, though that takes the square of the length of a run."""
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair, which no UTF-8 can hold."""

PRINTABLE_ASCII = re.compile("[!-~]")
INVISIBLE_KINDS = frozenset(["Cc", "Cf", "Cs", "Zs", "Zl", "Zp", "Mn", "Mc", "Me"])
# Letters and symbols for Unicode, but shown as blanks.
FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")

LONE_SURROGATE, UNSTORABLE = re.compile("[\ud800-\udfff]"), re.compile("[\0\ud800-\udfff]")

TOKENISATION = 1
"""A new number makes an update write the full-text index and the vectors again, since both follow from the words."""

LONG = 64
"""Pieces of so many characters and more are rarely met again, so they are not kept in the cache."""


def written_words(text: str) -> list[str]:
    """Return the words of a text as it writes them; what has no blanks between words is cut into pairs of letters.

    >>> written_words("Who built 東京駅?")
    ['Who', 'built', '東京', '京駅']
    """
    return WORD.findall(paired(text))


def words_of(text: str) -> list[str]:
    """Return the words of a text, lower-case and without marks above or below letters; see `written_words`.

    >>> words_of("Café-au-lait, 1,5 l")
    ['cafe', 'au', 'lait', '1', '5', 'l']
    """
    folded = text.casefold()
    if not folded.isascii():
        folded = " ".join(piece if piece.isascii() else _plain_of(piece) for piece in folded.split())
    return folded.translate(BLANKED).split() if folded.isascii() else WORD.findall(folded)


def _plain_of(piece: str) -> str:
    return _plain(piece) if len(piece) < LONG else _plain.__wrapped__(piece)


@lru_cache(maxsize=1 << 16)
def _plain(piece: str) -> str:
    """Return the words between two blanks without their marks, blanks between them."""
    if is_unspaced(piece):
        cut = paired(piece).split()
        return " ".join(each if each.isascii() or is_unspaced(each) else _plain_of(each) for each in cut)
    decomposed = normalized("NFKD", piece)
    return " ".join(WORD.findall("".join(filterfalse(unicodedata.combining, decomposed))))


def encodable(text: str) -> str:
    """Return a text that UTF-8 can hold: a lone surrogate, as JSON escapes can make, becomes a question mark.

    The length stays, so character spans stay true.
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def storable(text: str) -> str:
    """Return a text that an SKB can hold, as long as it was.

    U+FFFD stands for lone surrogates, and for the null character, which ends texts in SQL.
    """
    return UNSTORABLE.sub("\ufffd", text)


def is_visible(name: str) -> bool:
    """Tell whether a name has a character of its own that can be seen: no blank, mark, format sign or filler."""
    return PRINTABLE_ASCII.search(name) is not None or any(
        unicodedata.category(sign) not in INVISIBLE_KINDS and sign not in FILLERS for sign in name
    )


def normalized(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """Return a text in a normal form of Unicode, in linear time.

    Sorting a run of marks takes the square of its length, so one of more than
    30 is cut, as Unicode's stream-safe format cuts it (UAX 15, 13).
    """
    if len(text) > SHORT:
        text = _marks().sub("\\g<0>\u034f", text)
    return unicodedata.normalize(form, text)


def is_composed(text: str) -> bool:
    """Tell whether a text is in NFC, and has no run of marks that takes long to sort."""
    has_run = len(text) > SHORT and _marks().search(text) is not None
    return not has_run and unicodedata.is_normalized("NFC", text)


@cache
def _marks() -> re.Pattern[str]:
    """Return the pattern of 30 marks that another one follows."""
    marks = "".join(re.escape(chr(code)) for code in range(0x110000) if unicodedata.combining(chr(code)))
    return re.compile(f"[{marks}]{{30}}(?=[{marks}])")


STOP_WORDS = frozenset(
    """a about an and are as at be been by can could did do does for from had has have he her hers him his how i
    if in into is it its me my of on or our she should so some than that the their them then there these they
    this those to was we were what when where which while who whom whose why will with would you your""".split()
)
"""Words that ask or join and say nothing of what a text is about; far fewer than `weft.text.tokens.FUNCTION_WORDS`."""
