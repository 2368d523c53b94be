"""The words of a question around the names that paths start from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from retriever.types import QueryMention
from weft.text.normalise import STOP_WORDS
from weft.text.stems import stem

WORD = re.compile(r"\[[^\[\]]*\]|[^\W_]+(?:['’][^\W_]+)*")
ASKING = ("who", "whom", "whose", "which", "what", "when", "where", "how")
NAME, OTHER = "@", "#"
"""What stands for the name that paths start from, and for other names."""

LEADING = ("is", "are", "was", "were", "the", "of")
"""Words between a question word and the noun that it asks for."""


class Wording(NamedTuple):
    """Words in lower case, in their order, with how many words each lies before (below 0) or behind the name.

    `asked` is the place of the word that says what is asked for: the noun behind
    which or what, else the question word; None where there is neither. `owned`
    tells which words stand nearer to the name than to any other, or as near before it.
    """

    words: tuple[str, ...]
    offsets: tuple[int, ...]
    owned: tuple[bool, ...]
    cues: tuple[str, ...]
    asked: int | None


def wording_of(text: str, name: QueryMention | None, others: Sequence[QueryMention] = ()) -> Wording:
    """Return the words around a name, or around all names alike.

    >>> import numpy as np
    >>> name = QueryMention(14, 21, "Old Joy", np.array([1]), np.array([1.0]), "name")
    >>> wording = wording_of("who directed [Old Joy]?", name)
    >>> wording.words, wording.offsets, wording.cues
    (('who', 'directed'), (-2, -1), ('who', 'direct', '^ who', 'who direct', 'direct @', '@ $'))
    """
    tokens = _tokens(text, name, others)
    at = tokens.index(NAME) if NAME in tokens else len(tokens)
    others_at = [place for place, token in enumerate(tokens) if token == OTHER]
    places = [place for place, token in enumerate(tokens) if token not in (NAME, OTHER)]
    words = tuple(tokens[place] for place in places)
    owned = tuple(all(_distance(place, at) <= _distance(place, other) for other in others_at) for place in places)
    return Wording(words, tuple(place - at for place in places), owned, _cues(tokens), _asked(words))


def _distance(word: int, name: int) -> float:
    """Return how far a name is from a word: one behind it, as in "sung by Ada", is nearer than one as far before."""
    return name - word if name > word else word - name + 0.5


def _tokens(text: str, name: QueryMention | None, others: Sequence[QueryMention]) -> list[str]:
    """Return the words of a text, each name as one sign; what brackets hold beside a name belongs to it."""
    tokens: list[str] = []
    for match in WORD.finditer(text):
        start, end = match.span()
        within = [each for each in (name, *others) if each is not None and start < each.end and each.start < end]
        sign = None if not within else NAME if within[0] is name else OTHER
        if sign is None:
            tokens.append(match[0].lower())
        elif not tokens or tokens[-1] != sign:
            tokens.append(sign)
    return tokens


def _cues(tokens: Sequence[str]) -> tuple[str, ...]:
    stems = [stem(each) for each in tokens]
    pairs = [f"{one} {two}" for one, two in zip(["^", *stems], [*stems, "$"], strict=True)]
    return tuple(dict.fromkeys([*(each for each in stems if each not in (NAME, OTHER)), *pairs]))


def _asked(words: Sequence[str]) -> int | None:
    for place, word in enumerate(words):
        if word not in ASKING:
            continue
        if word in ("which", "what"):
            behind = place + 1
            while behind < len(words) and words[behind] in LEADING:
                behind += 1
            if behind < len(words) and words[behind] not in STOP_WORDS:
                return behind
        return place
    return None
