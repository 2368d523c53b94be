"""Pairs: text of scripts that write no blanks between words, cut into overlapping pairs of letters.

Chinese, Japanese, Thai, Lao, Burmese and Khmer write words without blanks
between them. A run of their letters counts as its overlapping pairs, as in
Lucene's CJKAnalyzer: no dictionary is needed, the same run is cut the same way
wherever it stands, and a word of two letters is found as every longer one is.
Vowel signs and tone marks, which the full-text index does not keep, are left
out; forms of half and full width count as the usual ones.

>>> paired("NHK交響楽団の塔")
'NHK 交響 響楽 楽団 団の の塔 '
>>> paired("Veldra")
'Veldra'
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

SOUTH_EAST_ASIAN = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f"
KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
SIGNS = (
    f"{SOUTH_EAST_ASIAN}{KATAKANA}\u3005-\u3007\u3041-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""The scripts without blanks, their marks and half-width forms with them, as a regular expression's class."""

WIDE = {
    code: chr(code - 0xFEE0) for first, last in ("０９", "ＡＺ", "ａｚ") for code in range(ord(first), ord(last) + 1)
}
"""Full-width letters and digits, and what they are forms of."""


def _marks() -> str:
    """Return the vowel signs, tone marks and voicing marks of the scripts without blanks."""
    blocks = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3099, 0x309A), (0xA9E0, 0xA9FF),
              (0xAA60, 0xAA7F))  # fmt: skip
    signs = (chr(code) for first, last in blocks for code in range(first, last + 1))
    return "".join(sign for sign in signs if unicodedata.category(sign)[0] == "M")


VOICING = "\u3099\u309a"
"""What makes one Kana of another; both sort alike."""

MARKS = _marks()
MARK = re.compile(f"[{MARKS}]+")
# Marks that are dropped; those of voicing stay, since they make another Kana.
SORTED_MARK = re.compile(f"[{MARKS.replace(VOICING, '')}]+")
RUN = re.compile(f"[{SIGNS}]+")
# Signs of these scripts, and full-width letters: a text without any is returned as it is.
UNUSUAL = re.compile(f"[{SIGNS}０-９Ａ-Ｚａ-ｚ]")
LETTERS = re.compile(r"[^\W_]+")


def is_unspaced(text: str) -> bool:
    """Tell whether a text holds letters of a script without blanks."""
    return not text.isascii() and RUN.search(text) is not None


def is_single(word: str) -> bool:
    """Tell whether a word is a single letter of a script without blanks."""
    return len(word) == 1 and is_unspaced(word)


def paired(text: str) -> str:
    """Return a text with each run of letters of a script without blanks as pairs, all other text as it is.

    A run of a single letter stays that letter. What is cut is not cut again. O(length).
    """
    if text.isascii() or UNUSUAL.search(text) is None:
        return text
    return RUN.sub(_pairs, text.translate(WIDE))


def indexed(text: str) -> str:
    """Return a text as the full-text index holds it: `paired`, each run's last letter by itself too.

    So every letter begins a word of the index, and a single one is found by prefix.
    """
    if text.isascii() or UNUSUAL.search(text) is None:
        return text
    return RUN.sub(_pairs_and_last, text.translate(WIDE))


def rejoined(words: list[str]) -> list[str]:
    """Return words with pairs that overlap put together again, for people.

    >>> rejoined(["東京", "京都", "Tower", "塔"])
    ['東京都', 'Tower', '塔']
    """
    joined: list[str] = []
    for word in words:
        if joined and len(word) == 2 and joined[-1][-1] == word[0] and is_unspaced(word):
            joined[-1] += word[1]
        else:
            joined.append(word)
    return joined


def _letters(run: re.Match[str]) -> list[str]:
    # Sorting a long run of marks takes the square of its length, so they go first; a vowel may hold another one.
    plain = unicodedata.normalize("NFKC", SORTED_MARK.sub("", run[0]))
    found: list[str] = LETTERS.findall(MARK.sub("", plain))
    return found


def _pairs(run: re.Match[str]) -> str:
    return " ".join(["", *(pair for letters in _letters(run) for pair in _cut(letters)), ""])


def _pairs_and_last(run: re.Match[str]) -> str:
    cut = (pair for letters in _letters(run) for pair in (*_cut(letters), *(letters[-1] if len(letters) > 1 else "")))
    return " ".join(["", *cut, ""])


def _cut(letters: str) -> list[str]:
    return [one + other for one, other in pairwise(letters)] or [letters]
