"""What a question describes without naming it, and what it is asked by."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from retriever.answers.hops.kin.steps import in_steps
from retriever.answers.text.kind_asked import ORDINAL, asks_person
from retriever.answers.text.lexicon.hypernyms import senses_of
from retriever.answers.text.words import FUNCTION
from retriever.types import Ids, QueryMention

NAME = r"[^\W\d_][\w’'-]*"
WORDS = re.compile(NAME)
WHO_IS = re.compile(r"\W*(?:who|what)(?:['’]s| is| was| are| were) ", re.I)
IDENTITY = re.compile(r"\W*(?:who|which|what)\b.*\b(?:is|was|are|were) ", re.I)
FURTHER = re.compile(
    r"\W*$|,|\s+(?:(?:in|at|on|of|for|from|to|by|with|during|before|after|since|until|under|near|over|around|between)"
    r"\s+\w|(?:that|which|who|whose|when|where|now|today|then|and)\b)", re.I,
)  # fmt: skip
"""What goes on describing; a bare preposition or a participle at the end asks for more: "from?", "married to?"."""

APPOSED = re.compile(r"(?: [a-z][\w-]*){1,3}\W*")
"""Nouns behind a name that tell what it is of: "the chairman of Kell Rovers rugby club"."""

NO_NOUNS = FUNCTION | ORDINAL | frozenset(
    "name title kind type sort number amount music lyrics plot story score text words theme setting section part half"
    " end beginning start side opening construction completion top bottom middle rest".split()
)

NO_ENTITIES: Ids = np.zeros(0, np.int64)


class Description(NamedTuple):
    """Characters `start` to `end` of a question describe a `noun`; `asks` is what it is asked by.

    `anchors` are the entities whose pages tell it, none where any passage may. `behind` follows the answer in its
    place: a verb, or "'s father" where `kin` is a grandfather.
    """

    start: int
    end: int
    noun: str
    asks: str
    anchors: Ids = NO_ENTITIES
    behind: str = ""
    kin: str = ""
    is_clause: bool = False

    def is_asked(self, text: str) -> bool:
        """Tell whether a question asks for what is described itself: "Who is the head of the school in Kell?"."""
        if WHO_IS.fullmatch(text[: self.start]) is None:
            return False
        rest = self.behind + text[self.end :]
        return FURTHER.match(rest) is not None or (
            APPOSED.fullmatch(rest) is not None and all(is_noun(word) for word in WORDS.findall(rest))
        )

    def may_be_asked(self, text: str) -> bool:
        """Tell whether what is described may be the answer itself: "Which town is the birthplace of Ada Orr?"."""
        return IDENTITY.fullmatch(text[: self.start]) is not None

    def filled(self, text: str, name: str) -> str:
        """Return a question with a name where it describes something."""
        return text[: self.start] + name + self.behind + text[self.end :]


def end_of(text: str, mention: QueryMention) -> int:
    """Return where a mention ends, its closing parenthesis in it."""
    own, end = text[mention.start : mention.end], mention.end
    return end + (own.count("(") > own.count(")") and text[end : end + 1] == ")")


def asking(noun: str) -> str:
    """Return the word that asks for what a noun names."""
    return "Who" if asks_person(noun) else "What"


def is_noun(word: str) -> bool:
    """Tell whether a word is a noun by which something can be described."""
    return bool(senses_of(word) or in_steps(word)) and word.lower() not in NO_NOUNS
