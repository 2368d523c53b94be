"""Words: how text is cut into tokens, which words are common, where sentences start.

A token is a run of word characters, a single ideograph, or one punctuation
mark; blanks never count, so "AC/DC" and "AC / DC" are the same tokens.

Names are found by these tokens; `weft.text.normalise.written_words` are the
words that search counts, without punctuation, cut as FTS5 cuts them. The two
agree on text of Latin letters (every chunk of 19 long Wikipedia pages), and
part where a script has combining marks (45 of 2wiki's 6,119 chunks): a name
keeps its vowel signs, a searched word ends at them.

>>> tokens("O\N{RIGHT SINGLE QUOTATION MARK}Hara's  AC/DC")
['O', "'", 'Hara', "'", 's', 'AC', '/', 'DC']
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping

from weft.text.normalise import is_composed, normalized


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text that lists them."""
    return frozenset(words.split())


# Words that English writes without a thought: they open sentences, join names
# and are titles of films all the same. Four times as many as the stop words of
# `weft.text.normalise`: a name of these alone needs proof, but a question may
# be about "home" or "war". Months and weekdays are parts of dates.
FUNCTION_WORDS = word_set(
    """a about above according across after afterwards again against all almost alone along already also
    although always am among an and another any anyone anything are around as at away back be became
    because become been before began behind being below beside besides best better between beyond big
    both but by called came can cannot come could day days de der des despite did do does doing done
    down during each early either else end ending enough even ever every everyone everything far few
    finally first five following for former found four from front full gave get give given go going good
    got great had half has have having he hence her here hers herself high him himself his home how
    however i if in indeed inside instead into is it its itself just kept know known la large last late
    later le least les less life like little long made main make man many may me men might mine more
    moreover most mr mrs ms much must my myself near nearly neither never nevertheless new next night no
    nobody none nor not nothing now of off often old on once one only onto open or original other others
    otherwise our ours out over own part people per perhaps place put quite rather really right said
    same second see seen seven several shall she should show similarly since six so some someone
    something sometimes soon still such take taken ten than that the their theirs them then there
    therefore these they thing things third this those though three through throughout thus time today
    together told tomorrow too took toward towards two under unlike until up upon us use used using
    various very via war was way we well went were what whatever when whenever where whereas wherever
    whether which while who whole whom whose why will with within without woman women work world would
    year years yes yet you young your yours yourself"""
)
MONTHS = word_set(
    """january february march april may june july august september october november december jan feb mar
    apr jun jul aug sep sept oct nov dec"""
)
WEEKDAYS = word_set("monday tuesday wednesday thursday friday saturday sunday")
ERAS = word_set("ad bc bce ce century centuries th st nd rd s of")
CALENDAR = MONTHS | WEEKDAYS
DATE_WORDS = CALENDAR | ERAS
ABBREVIATIONS = word_set(
    """dr mr mrs ms st ste mt ft sr jr prof rev hon gen col capt lt sgt cpl gov sen rep pres vs etc no nos
    vol op ca c cf e.g i.e ed eds fig al approx b d r fl est dept bros co corp inc ltd mme mlle fr"""
)

UNIFIED = {
    **dict.fromkeys("\u2018\u2019\u201b\u0060\u00b4\u02bc\u2032", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict.fromkeys("_\u00a0\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", " "),
}
# Scripts that write no blanks between words: each sign is a token of its own.
UNSPACED = "\u3041-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"


def _no_word_characters() -> str:
    """Return what ends a word. Python's `\\w` is no help: it leaves out the vowel signs of many scripts."""
    signs = (chr(code) for code in range(0x10000) if code != 0xAD)
    return "".join(sign for sign in signs if unicodedata.category(sign)[0] in "PSZC")


_APART = re.escape(_no_word_characters())
WORD = re.compile(f"[^\\s{_APART}{UNSPACED}]+|[{UNSPACED}]")
TOKEN = re.compile(f"[^\\s{_APART}{UNSPACED}]+|\\S")
# The same tokens as TOKEN's in ASCII, several times as fast.
ASCII_TOKEN = re.compile(r"[A-Za-z0-9]+|[^\sA-Za-z0-9]", re.ASCII)
# Digits, a decade, an ordinal, or a Roman numeral up to 39.
NUMBER = re.compile(r"\d+(?:s|st|nd|rd|th)?|[IVX]+")
SENTENCE_END = frozenset(".!?…:。!?।؟•*·|")
OPENING = " \t\u3000\"'([{<-"


def unified(text: str) -> str:
    """Return `text` with typographic quotes, hyphens and blanks made plain, each character at its offset."""
    if text.isascii():
        return text.replace("_", " ").replace("`", "'")
    # Most texts hold few of these signs: looking for each is ten times faster than str.translate.
    for sign, plain in UNIFIED.items():
        if sign in text:
            text = text.replace(sign, plain)
    return text


def token_pattern(text: str) -> re.Pattern[str]:
    """Return the pattern that cuts a unified text into tokens: the fast one where it is enough."""
    return ASCII_TOKEN if text.isascii() else TOKEN


def tokens(text: str) -> list[str]:
    """Return the tokens of `text`: unified, each in NFC."""
    return cut(unified(text))


def cut(plain: str) -> list[str]:
    """Return the tokens of a unified text, each in NFC."""
    found: list[str] = token_pattern(plain).findall(plain)
    if plain.isascii() or is_composed(plain):
        return found
    return [normalized("NFC", token) for token in found]


def word_counts(texts: Iterable[str]) -> dict[str, int]:
    """Count for every word, as written, the texts that hold it.

    "Time" and "time" are counted apart, so that a name's capital can be told
    from a sentence's. The counts do not depend on the order of the texts.
    Memory grows with the vocabulary, not with the texts.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update({sys.intern(token) for token in tokens(text) if is_word(token)})
    return dict(counts)


def is_word(token: str) -> bool:
    """Tell a word from a punctuation mark."""
    return token[0].isalnum() or WORD.match(token) is not None


def is_number(name: list[str]) -> bool:
    """Tell whether tokens say a number, a year or a date ("1984", "12 May", "1990s", "VII")."""
    return all(NUMBER.fullmatch(token) or token.lower() in DATE_WORDS for token in name if is_word(token))


class Commonness:
    """Which words are common in a corpus: a reading of its `word_counts`.

    `share` is the part of the texts in which a common word stands in lower case.
    """

    def __init__(self, counts: Mapping[str, int], share: float = 0.005) -> None:
        self._counts = counts
        # The commonest word stands in nearly every text, in any language.
        self._least = max(2.0, share * max(counts.values(), default=0))

    def is_common(self, word: str) -> bool:
        """Tell whether `word` is a function word or stands in lower case in many texts."""
        lower = word.lower()
        return lower in FUNCTION_WORDS or self._counts.get(lower, 0) >= self._least

    def is_rare(self, word: str) -> bool:
        """Tell whether `word` is hardly ever written in lower case: its capital makes it a name."""
        lower = word.lower()
        if lower in FUNCTION_WORDS or lower in CALENDAR:
            return False
        return lower == word or not self.is_written_small(word)

    def is_written_small(self, word: str) -> bool:
        """Tell whether `word` stands in lower case at least a tenth as often as written."""
        small = self._counts.get(word.lower(), 0)
        return small > 0 and small * 10 >= self._counts.get(word, 0)

    def count(self, word: str) -> int:
        """Return in how many texts `word` stands as written."""
        return self._counts.get(word, 0)


def starts_sentence(text: str, start: int) -> bool:
    """Tell whether the word at `start` opens a sentence, a line or a list's item in `text`.

    A full stop after an initial or a usual abbreviation ends no sentence.
    """
    offset = start
    while offset and text[offset - 1] in OPENING:
        offset -= 1
    if not offset or text[offset - 1] in "\n\r":
        return True
    if text[offset - 1] not in SENTENCE_END:
        return False
    return text[offset - 1] != "." or not _abbreviates(text, offset - 1)


def _abbreviates(text: str, stop: int) -> bool:
    """Tell whether the full stop at `stop` belongs to an initial or an abbreviation."""
    begin = stop
    while begin and text[begin - 1].isalpha():
        begin -= 1
    word = text[begin:stop]
    return (len(word) == 1 and word.isupper()) or word.lower() in ABBREVIATIONS
