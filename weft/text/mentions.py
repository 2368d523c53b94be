"""Mentions: names found in text that marks no links.

A gazetteer is compiled once from names and their targets and then read by
every text. Precision comes before recall: a name that could mean two pages, or
a word that could be no name at all, is left alone.

>>> names = Gazetteer([("Mercury (planet)", "Mercury (planet)"), ("O'Hara", "O'Hara")], {})
>>> [mention.target for mention in names.find("Only O'Hara has seen Mercury.")]
["O'Hara", 'Mercury (planet)']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from weft.text.mention_context import NAME_CONNECTORS, MentionContext, last_parenthesis
from weft.text.names import short_name
from weft.text.tokens import (
    FUNCTION_WORDS,
    Commonness,
    cut,
    is_number,
    is_word,
    tokens,
    unified,
    word_set,
)

# Tokens of a name; longer titles are sentences.
LONGEST = 40
ABOUT_NAMES = word_set("disambiguation surname name")


class Mention(NamedTuple):
    """Characters `start` to `end` of a text name `target`; `name` is the name as the text writes it."""

    start: int
    end: int
    target: str
    name: str


class Gazetteer:
    """The compiled names of a corpus.

    `names` are pairs of a name as written and the title that it leads to: each
    title with itself, and each alias with its page. A target's short form,
    without its last parenthesis, is added here. Where one name leads to
    several targets, a title with exactly that name wins over aliases and
    aliases over short forms; what is still ambiguous mentions nothing.
    `frequency` tells in how many texts a word stands as written
    (`weft.text.tokens.word_counts`). The order of `names` never matters.
    """

    def __init__(self, names: Iterable[tuple[str, str]], frequency: Mapping[str, int]) -> None:
        common = Commonness(frequency)
        self._targets: dict[str, str] = {}
        self._lengths: dict[str, int] = {}
        self._careful: set[str] = set()
        self._opening: set[str] = set()
        self._common = common
        resolved, self._short = _resolved(names, common)
        for key, target in resolved.items():
            for spelling in [key] if key in self._short else _spellings(key, common):
                if spelling == key or spelling not in resolved:
                    self._add(spelling, target)
                    if spelling[0] != key[0] and spelling[0].isupper():
                        self._opening.add(spelling)
            if _needs_care(key.split(" "), common):
                self._careful.add(key)

    def _add(self, key: str, target: str) -> None:
        words = key.split(" ")
        self._targets[key] = target
        if len(words) > 1:
            pair = f"{words[0]} {words[1]}"
            self._lengths[pair] = self._lengths.get(pair, 0) | 1 << len(words)

    def find(self, text: str, own_title: str | None = None) -> list[Mention]:
        """Return the mentions in `text`, in its order, none overlapping: longer names first.

        `own_title` is the page's: its title, its aliases and its short form mention nothing there.
        """
        plain = unified(text)
        words = cut(plain)
        candidates = self._candidates(words)
        if not candidates:
            return []
        context = MentionContext(plain, words, self._common)
        page = tokens(own_title or "")
        free = bytearray(b"\x01") * len(words)
        mentions = []
        for _, first, key, target in sorted(candidates):
            end = first + key.count(" ") + 1
            if 0 in free[first:end]:
                continue
            # A longer name takes its words even where it does not stand: its parts are no names there.
            if end - first > 1:
                free[first:end] = bytes(end - first)
            opens = context.opens_page(first, end)
            if not target or target == own_title or _names_page(words[first:end], page, opens=opens):
                continue
            if self._stands(context, first, end, key, target):
                begin, stop = context.start(first), context.end(end - 1)
                mentions.append(Mention(begin, stop, target, text[begin:stop]))
        return sorted(mentions)

    def _candidates(self, words: list[str]) -> list[tuple[int, int, str, str]]:
        """Return every name that the words spell: minus its length, its first token, key and target."""
        targets = self._targets
        found = [(-1, first, word, targets[word]) for first, word in enumerate(words) if word in targets]
        pairs = map(" ".join, pairwise(words))
        for first, lengths in enumerate(map(self._lengths.get, pairs)):
            while lengths:
                length = lengths.bit_length() - 1
                lengths ^= 1 << length
                key = " ".join(words[first : first + length])
                if key in targets and first + length <= len(words):
                    found.append((-length, first, key, targets[key]))
        return found

    def _stands(self, context: MentionContext, first: int, end: int, key: str, target: str) -> bool:
        """Tell whether the tokens stand as a name of their own, and of this target."""
        careful, single = key in self._careful, end - first == 1
        if (careful or key in self._opening) and context.opens_sentence(first) == careful:
            return False
        if context.is_joined(first, end) or context.is_continued(end) or context.is_within_title(first, end):
            return False
        if context.is_preceded(first, single=single, careful=careful) or context.follows_particle(first):
            return False
        if (careful or single) and context.is_linked(first, end, careful=careful):
            return False
        if single and context.is_surname(key):
            return False
        return key not in self._short or context.supports(last_parenthesis(target), first, end)


def _resolved(names: Iterable[tuple[str, str]], common: Commonness) -> tuple[dict[str, str], set[str]]:
    """Return each usable name's only target, "" where it is ambiguous, and which are short forms."""
    pairs = set(names)
    titles = [pair for pair in pairs if pair[0] == pair[1]]
    shorts = {(short, target) for _, target in pairs if (short := _short_form(target))}
    aliases = [pair for pair in pairs if pair[0] != pair[1] and pair not in shorts]
    resolved: dict[str, str] = {}
    short_keys: set[str] = set()
    for claims in (titles, aliases, shorts):
        targets: dict[str, str] = {}
        for name, target in claims:
            key = " ".join(tokens(name))
            targets[key] = target if targets.get(key, target) == target else ""
        for key, target in targets.items():
            # A name of signs that are no tokens has no key.
            if key and key not in resolved and _is_usable(key.split(" "), common, short=claims is shorts):
                resolved[key] = target
                if claims is shorts:
                    short_keys.add(key)
    return resolved, short_keys


def _short_form(title: str) -> str | None:
    """Return a title's short form, unless its parenthesis says that it is about the name itself."""
    short = short_name(title)
    return short if short and not ABOUT_NAMES.intersection(last_parenthesis(title).lower().split()) else None


def _is_usable(name: list[str], common: Commonness, *, short: bool) -> bool:
    words = [token for token in name if is_word(token)]
    if not words or len(name) > LONGEST or is_number(name):
        return False
    if len(words) == 1:
        word = words[0]
        if word.lower() in FUNCTION_WORDS or len(name) == 1 == len(word):
            return False
        return not short or (not common.is_common(word) and common.is_rare(word))
    return True


def _needs_care(name: list[str], common: Commonness) -> bool:
    words = [token for token in name if is_word(token)]
    if len(words) == 1:
        return not common.is_rare(words[0])
    return all(common.is_common(word) for word in words)


def _spellings(key: str, common: Commonness) -> Iterator[str]:
    """Yield the ways to write a name: as it is, and with a first letter that its position decides."""
    yield key
    words = key.split(" ")
    if len(words) == 1 or _needs_care(words, common):
        return
    first = key[0]
    if first.islower():
        if len(first.upper()) == 1 and words[0].islower():
            yield first.upper() + key[1:]
    elif words[0] == "The":
        if all(word[0].isupper() and not common.count(word.lower()) for word in words[1:] if is_word(word)):
            yield "the" + key[3:]
    elif words[0].lower() in NAME_CONNECTORS or (words[0][1:].islower() and key[1:] == key[1:].lower()):
        yield first.lower() + key[1:]


def _names_page(name: list[str], page: list[str], *, opens: bool) -> bool:
    """Tell whether a name on a page is the page's own.

    That is its short form, with or without an article; a part of a person's
    name; and a name that `opens` the page and shares a capitalised word.
    """
    if "(" in page:
        page = page[: len(page) - page[::-1].index("(") - 1]
    if name == page or (page[:1] in (["The"], ["A"], ["An"]) and name == page[1:]):
        return True
    capitals = [word for word in name if word[0].isupper() and word.lower() not in FUNCTION_WORDS]
    if opens and not set(capitals).isdisjoint(page):
        return True
    if len(name) > 1 or name[0] not in page:
        return False
    page = [word for word in page if word != "."]
    index = page.index(name[0])
    beside = page[max(0, index - 1) : index] + page[index + 1 : index + 2]
    return index == 0 or any(word[0].isupper() for word in beside)
