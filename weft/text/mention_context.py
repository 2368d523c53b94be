"""Placing: what the words around a name make of it.

"York" in "New York", "Run" in "A Reason to Run" and "Paris" in "Paris-Dakar"
are parts of other names; "Mars" beside "the god" is not the film of that name.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from functools import cached_property

from weft.text.tokens import (
    CALENDAR,
    FUNCTION_WORDS,
    Commonness,
    is_number,
    is_word,
    starts_sentence,
    token_pattern,
    tokens,
    word_set,
)

# A rank or a date behind a comma (", 3rd Earl").
ORDINAL = re.compile(r",\s*\d+(?:st|nd|rd|th)\b")
# A year or a decade; three digits for early ones.
YEAR = re.compile(r"\d{3,4}s?")
PARTICLES = word_set("de von van du di da dos del der la le al")
# What follows "ibn" is the father's own name.
NAME_CONNECTORS = PARTICLES | word_set("of the ibn bin")
SMALL_WORDS = word_set("a an and at by for from in into is my no not on or that to with your")
CONNECTORS = NAME_CONNECTORS | SMALL_WORDS
ARTICLES = word_set("A An The I")
# A sentence may open with any of them before a name, but for those that places are named with ("New York").
OPENERS = FUNCTION_WORDS - word_set(
    """best big de der early first full good great high large last late le les little long new old open
    second third"""
)
HONORIFICS = word_set(
    """Sir Lord Lady Dame King Queen Emperor Empress Prince Princess Duke Duchess Archduke Archduchess
    Count Countess Earl Baron Baroness Viscount Margrave Marquis Pharaoh Caliph Sultan Emir Shah
    Tsar Khan Pope Bishop Archbishop Cardinal Saint President Chancellor Senator Governor General
    Colonel Major Captain Admiral Lieutenant Marshal Commander Speaker Minister Secretary Mayor
    Justice Father Brother Sister Sergeant Doctor Professor Dr Mr Mrs Ms Prof Gen Col Capt Judge"""
)
WORKS = word_set(
    """album anime book comic comics ep film films game manga magazine miniseries movie musical newspaper
    novel opera painting play poem serial series show single song soundtrack"""
)
# Tokens: the longest quotation that is a title, the longest parenthesis and span of life's dates behind a name,
# and how far a word that supports a name may stand (further where it is quoted; anywhere around for a topic).
# Chosen by eye on the texts of 2wiki.
QUOTED = 12
PARENTHESIS, DATES = 20, 5
NEAR, NEAR_QUOTED, AROUND = 6, 20, 400


class MentionContext:
    """A unified text and its tokens.

    The methods look at the name that the tokens from `first` to before `end` spell.
    """

    def __init__(self, text: str, words: list[str], common: Commonness) -> None:
        self.text = text
        self.common = common
        self.words = words
        self._ends: list[int] = []
        if text.isascii() or unicodedata.is_normalized("NFC", text):
            self._starts = _starts(text, words)
        else:
            found = list(token_pattern(text).finditer(text))
            self._starts, self._ends = [token.start() for token in found], [token.end() for token in found]

    def start(self, token: int) -> int:
        """Return the offset of a token's first character."""
        return self._starts[token]

    def end(self, token: int) -> int:
        """Return the offset after a token's last character."""
        return self._ends[token] if self._ends else self._starts[token] + len(self.words[token])

    @cached_property
    def _quotes(self) -> list[int]:
        return [number for number, word in enumerate(self.words) if word == '"']

    @cached_property
    def _surnames(self) -> frozenset[str]:
        capitals = [index for index, word in enumerate(self.words) if index and word[0].isupper()]
        return frozenset(self.words[index] for index in capitals if self._follows_name(index))

    def opens_sentence(self, first: int) -> bool:
        """Tell whether the token opens a sentence."""
        return starts_sentence(self.text, self.start(first))

    def opens_page(self, first: int, end: int) -> bool:
        """Tell whether the name opens the text with dates in a parenthesis: then it is the page's subject."""
        following = self.words[end : end + DATES]
        return first < 2 and following[:1] == ["("] and any(word[0].isdigit() for word in following)

    def is_joined(self, first: int, end: int) -> bool:
        """Tell whether a hyphen, an apostrophe or the like joins the tokens to a longer word."""
        return self._joins_left(first) or self._joins_right(end)

    def _joins_left(self, first: int) -> bool:
        if not first:
            return False
        mark, before, after = self.words[first - 1], self.start(first - 1), self.end(first - 1)
        glued = after == self.start(first)
        # Two words touch only in a script without blanks, where no border can be told.
        if mark == "-":
            return before > 0 and not self.text[before - 1].isspace()
        return glued and mark in "'./&@#" and before > 0 and self.text[before - 1].isalnum()

    def _joins_right(self, end: int) -> bool:
        if end >= len(self.words) or self.start(end) != self.end(end - 1):
            return False
        mark = self.words[end]
        following = self.words[end + 1] if end + 1 < len(self.words) else ""
        if mark == "-":
            return following[:1].isupper() or following[:1].isdigit()
        glued = bool(following) and self.end(end) == self.start(end + 1) and is_word(following)
        return glued and (mark in "./&@" or (mark == "'" and following.lower() != "s"))

    def _neighbour(self, word: int, gap: int) -> str:
        """Return the word number `word` where only blanks part it from the one beyond `gap`, else nothing."""
        if not 0 <= word < len(self.words):
            return ""
        between = self.text[self.end(gap - 1) : self.start(gap)]
        return self.words[word] if between.isspace() and "\n" not in between else ""

    def is_continued(self, end: int) -> bool:
        """Tell whether the name goes on: "Black Sea" in "Black Sea Fleet", "Tiger Cage" in "Tiger Cage 2"."""
        following = self._neighbour(end, end)
        if not following:
            return ORDINAL.match(self.text, self.end(end - 1)) is not None
        if following[0].isupper():
            return len(following) == 1 or not following.isupper() or is_number([following])
        return following.isdecimal() and len(following) < 3

    def _capital_before(self, first: int) -> str:
        """Return the capitalised word right before the token, or an empty string."""
        before = self.words[first - 1] if first else ""
        return self._neighbour(first - 1, first) if before[:1].isupper() else ""

    def is_preceded(self, first: int, *, single: bool, careful: bool) -> bool:
        """Tell whether the name has begun before: "York" in "New York", "Love You" in "I Love You".

        A title of honour begins no name, nor does a small word that opens the
        sentence, nor, before several words, one that is also written in lower
        case ("Director").
        """
        before = self._capital_before(first) if self.words[first][0].isupper() else ""
        if not before or before in HONORIFICS or before.lower() in CALENDAR:
            return False
        if before.lower() in OPENERS:
            return not self.opens_sentence(first - 1) or (careful and before in ARTICLES)
        return single or careful or not self.common.is_written_small(before)

    def is_linked(self, first: int, end: int, *, careful: bool) -> bool:
        """Tell whether small words tie the name to capitals: "Beatrice of Bourbon", "A Reason to Run"."""
        links = CONNECTORS if careful else NAME_CONNECTORS
        if self.words[end : end + 1] and self.words[end] in links:
            beyond = self._neighbour(end + 1, end + 1)
            if beyond[:1].isupper():
                return True
        linked = careful and first > 0 and self.words[first - 1] in links
        return linked and self._capital_before(first - 1) != ""

    def follows_particle(self, first: int) -> bool:
        """Tell whether a particle ties the name to the one before: "Silva" in "Ana da Silva"."""
        return first > 1 and self.words[first - 1] in PARTICLES and self._capital_before(first - 1) != ""

    def is_surname(self, word: str) -> bool:
        """Tell whether a word is a part of somebody's name anywhere in the text."""
        return word in self._surnames

    def _follows_name(self, index: int) -> bool:
        before = self._capital_before(index)
        if not before or before in HONORIFICS or before.lower() in FUNCTION_WORDS:
            return False
        return not self.common.is_written_small(before)

    def is_within_title(self, first: int, end: int) -> bool:
        """Tell whether the name is a part of a longer title in quotation marks.

        Quoted speech, which ends with its own punctuation mark, is no title.
        """
        before = bisect_left(self._quotes, first)
        if not before % 2 or before == len(self._quotes):
            return False
        start, close = self._quotes[before - 1] + 1, self._quotes[before]
        if (start, close) == (first, end) or close - start > QUOTED:
            return False
        return self.words[start][0].isupper() and self.words[close - 1] not in ",.!?"

    def _is_quoted(self, first: int, end: int) -> bool:
        return self.words[first - 1 : first] == ['"'] == self.words[end : end + 1]

    def supports(self, hint: str, first: int, end: int) -> bool:
        """Tell whether the text bears out what a target's parenthesis, `hint`, says of it.

        A year after the name must be among the hint's; the hint's year and one
        of its capitalised words must stand in the text; where the target is a
        work, which may be called like anything, the kind of work must stand nearby.
        """
        words = [word for word in tokens(hint) if is_word(word)]
        letters = [word for word in words if not word[0].isdigit()]
        years = [word for word in words if YEAR.fullmatch(word)]
        if years and self._years_after(end).difference(years):
            return False
        if not letters:
            return True
        capitals = [word for word in letters if word[0].isupper()]
        around = set(self.words[max(0, first - AROUND) : end + AROUND])
        if any(needed and not around.intersection(needed) for needed in (years, capitals)):
            return False
        if not WORKS.intersection(letters):
            return True
        reach = NEAR_QUOTED if self._is_quoted(first, end) else NEAR
        nearby = {word[:5].lower() for word in self.words[max(0, first - reach) : end + reach]}
        return any(word[:5] in nearby for word in letters if word.islower() and word not in FUNCTION_WORDS)

    def _years_after(self, end: int) -> set[str]:
        """Return the years in a parenthesis right after the name."""
        if self.words[end : end + 1] == ['"']:
            end += 1
        following = self.words[end : end + PARENTHESIS]
        if following[:1] != ["("] or ")" not in following:
            return set()
        return {word for word in following[: following.index(")")] if YEAR.fullmatch(word)}


def _starts(text: str, words: list[str]) -> list[int]:
    """Return where each token starts; to look for it is four times faster than to match again."""
    starts = []
    offset = 0
    for word in words:
        offset = text.index(word, offset)
        starts.append(offset)
        offset += len(word)
    return starts


def last_parenthesis(title: str) -> str:
    """Return what a title's last parenthesis says ("Mercury (planet)": "planet"), or an empty string."""
    return title[title.rindex("(") + 1 : -1] if title.endswith(")") and "(" in title else ""
