"""Identities: what a sentence says that something is, where the noun asked for says it.

"The exosphere is the outermost layer of the atmosphere" names the outermost layer, and so does "The outermost layer of
the atmosphere is the exosphere".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile
from typing import NamedTuple

import numpy as np

from retriever.answers.asked import Asked, flags
from retriever.answers.candidates import NAMING, NUMBERED, Candidate
from retriever.answers.passages import Passage
from retriever.answers.text.likeness import normalised
from retriever.answers.text.words import FUNCTION, UPPER, stem_of, stems_in, word_spans
from retriever.types import Scores
from weft.text.sentences import Span

KINDS = frozenset(("thing", "place", "country"))
IS = re.compile(
    r"\b(?:is|are|was|were|became|remains?|remained)[ ](?!(?:not|also|an?|considered an?|called an?)\b)"
    r"(?:(?:often|generally|widely|usually|commonly)[ ])?"
    r"(?:(?:known as|called|considered|regarded as|recogni[sz]ed as|believed to be|thought to be|said to be)[ ]"
    r"(?:being[ ])?)?"
)
WHO_THE = re.compile(
    r"\W*who (?:is|was|are|were|became) the (?:[a-z-]+ ){0,4}?(?P<noun>[a-z-]+)"
    r"(?= (?:of|in|to|who|that|at|for|on|from)\b|\W*$)", re.I,
)  # fmt: skip
ANYBODY = frozenset(map(stem_of, "person people man men woman women".split()))
"""What asks for somebody by a noun, and nouns for anybody."""

ARTICLE = re.compile(r"(?:the|an?|its|their|this|that)[ ]", re.I)
LEADING = re.compile(
    r"(?:(?:In|On|At|By|Of|For|Among|Within|As)[ ][^,]{1,60}|However|Furthermore|Moreover|Also|Thus|[A-Z][a-z]+ly)"
    r",[ ]"
)
"""What a sentence may begin with before its subject: "In geology, the crust"."""

ASIDE = re.compile(r"[ ]?\([^()]*\)|,[ ][^,]{1,80},(?=[ ]|$)")
OWNER = re.compile(rf"[{UPPER}][^.;]{{0,60}}?['’]s?[ ]")
"""Whose something is, which may be left out of its name: "the Earth's inner core"."""

PRONOUN = re.compile(r"(?:it|this|they|these)\W*", re.I)
PART_ENDS = re.compile(
    r"[.;:(]|,[ ]|[ ](?:that|which|who|where|when|because|but|while|although|and[ ](?:is|was|has|it)\b)"
)
WORDS = r"(?:[\w’'-]+[ ]){0,2}[\w’'-]+"
BESIDE = re.compile(r"[*_”\"]*,[ ](?:an?|the)[ ]([^.;:,()]{3,100})")
CALLED = re.compile(rf",?[ ](?:called|known[ ]as|named|termed|which[ ](?:[a-z]+[ ]){{1,3}}call)[ ][*_“\"]*({WORDS})")
NAMED_BEFORE, SAID_BEFORE = re.compile(rf"{WORDS}\Z"), re.compile(r"[^.;:,()]{3,100}\Z")
"""What is said behind a name, and a name behind what is said; what stands before each."""

NOUN_ENDS = re.compile(r"[ ](?:of|in|at|on|for|to|from|by|with|between|that|which|who|where)\b|[,.;:(]|$")
ORDINALS = frozenset(map(stem_of, "first second third fourth fifth sixth seventh next last".split()))
ANY, LONGEST_BEFORE = re.compile(r"\b(?:an?|each|every|any|some|no|another) $", re.I), len(" another ")
ONLY = re.compile(r"(?:(?:the|his|her|its) )?(?:sole|only|single|main|chief|same|own)\b")
KIND_OF = re.compile(r"\b(?:kind|type|sort|form|class|made|built|used)s?\b", re.I)
"""What stands before any thing of a kind, and what asks for a kind, which such words may tell."""

LONGEST_SAID = 100
"""Characters that say what something is."""

THAT, LONGEST_NOUN = re.compile(r"([a-z]+)(?: (?:is|was))? that (?:(?:the|an?) )?\Z"), 40
LEAST_SAID = 0.6
"""What the words that say the noun asked for must say of the question, by rarity."""

NAMED = NAMING | {NUMBERED["phrase"], NUMBERED["title"]}
"""Forms of what something may be called."""


class Identity(NamedTuple):
    """Of what something is said, by its key and that without its owner, and how much that says (0 to 1).

    `is_title`: a pronoun stands for what the page is about.
    """

    keys: tuple[str, ...]
    said: float
    is_title: bool


def told_of_identities(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return how much (n,) a sentence says of what is asked that each candidate is, 0 to 1, by the noun asked for."""
    told = np.zeros(len(candidates), np.float32)
    asked, role = _by_role(asked)
    is_kind = KIND_OF.search(asked.text) is not None and not asked.calls
    if asked.kind not in (*KINDS, "person") or not asked.focus or asked.is_polar or asked.measures or is_kind:
        return told
    found = [[*_identities(asked, passage)] for passage in passages]
    for row, each in enumerate(candidates):
        if each.form == NUMBERED["clause"] and _says_which(asked, passages[each.passage].text, each.start):
            told[row] = LEAST_SAID
        # The consul general is no "Consulate General of Orse".
        if found[each.passage] and role and role in stems_in(each.text):
            continue
        for own in found[each.passage]:
            is_it = own.is_title and each.form == NUMBERED["title"]
            if is_it or (each.form in NAMED and each.key in own.keys):
                told[row] = max(told[row], own.said)
    return told


def _by_role(asked: Asked) -> tuple[Asked, str]:
    """Return a question with the noun by which it asks for somebody in its focus, and that noun's stem, else "".

    The first Asian in space is the first Asian person there: for anybody any noun that the question says will do.
    """
    somebody = WHO_THE.match(asked.text) if asked.kind == "person" else None
    role = stem_of(somebody["noun"]) if somebody else ""
    focus = frozenset((role,)) if role else asked.focus
    return asked._replace(focus=focus | asked.tokens if focus & ANYBODY else focus), role


def told_of_kind_alone(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each candidate (n,) that says again what kind of thing is asked for: "each chemical element"."""
    told = np.zeros(len(candidates), np.float32)
    if asked.kind != "thing" or not asked.focus or KIND_OF.search(asked.text):
        return told
    for row, each in enumerate(candidates):
        if each.text.islower() and stem_of(each.text.split()[-1]) in asked.focus:
            text = passages[each.passage].text
            is_any = ANY.search(text, max(0, each.start - LONGEST_BEFORE), each.start) is not None
            told[row] = is_any or ONLY.match(each.text) is not None
    return told


def _identities(asked: Asked, passage: Passage) -> Iterator[Identity]:
    """Yield what the sentences of a passage say to be what the question asks for."""
    if passage.kind == "table" or asked.focus.isdisjoint(passage.words.stems):
        return
    for start, end in passage.bounds:
        yield from _appositions(asked, passage, start, end)
        own = passage.text[start:end]
        is_said = IS.search(ASIDE.sub(lambda each: " " * len(each[0]), own))
        if is_said is None or "|" in own:
            continue
        subject = _subject(passage.text, start, start + is_said.start())
        stop = PART_ENDS.search(passage.text, start + is_said.end(), end)
        predicate = start + is_said.end(), stop.start() if stop else end
        for one, other in ((predicate, subject), (subject, predicate)):
            if _says_noun(asked, passage.text[slice(*one)]) and (said := said_at(asked, passage, one)) >= LEAST_SAID:
                is_title = PRONOUN.fullmatch(passage.text[slice(*other)]) is not None
                yield Identity(_keys_of(passage.text[slice(*other)]), said, is_title)


def _says_which(asked: Asked, text: str, start: int) -> bool:
    """Tell whether the noun asked for stands right before, with "that": "on the condition that nobody knocks"."""
    said = THAT.search(text, max(0, start - LONGEST_NOUN), start)
    return said is not None and stem_of(said[1]) in asked.focus


def _appositions(asked: Asked, passage: Passage, start: int, end: int) -> Iterator[Identity]:
    """Yield what a sentence names beside what it is: "the string, a group of cows", "the outer layer, the rind"."""
    for name, span in _beside(passage.text, start, end):
        words = [*dropwhile(lambda word: word.lower() in FUNCTION, name.split())]
        is_said = words and _says_noun(asked, passage.text[slice(*span)])
        if is_said and (said := said_at(asked, passage, span)) >= LEAST_SAID:
            yield Identity((normalised(" ".join(words)), normalised(words[-1])), said, False)


def _beside(text: str, start: int, end: int) -> Iterator[tuple[str, Span]]:
    """Yield the names in some characters, each with those where it is said beside it what it is."""
    for found in BESIDE.finditer(text, start, end):
        if name := NAMED_BEFORE.search(text, max(start, found.start() - LONGEST_SAID), found.start()):
            yield name[0], found.span(1)
    for found in CALLED.finditer(text, start, end):
        if said := SAID_BEFORE.search(text, max(start, found.start() - LONGEST_SAID), found.start()):
            yield found[1], said.span()


def _subject(text: str, start: int, end: int) -> Span:
    """Return the characters before a verb that may be its subject, without what leads to them and stands between."""
    if leading := LEADING.match(text, start, end):
        start = leading.end()
    aside = ASIDE.search(text, start, end)
    return start, aside.start() if aside else end


def _keys_of(text: str) -> tuple[str, ...]:
    """Return the key of a run of words, and that without their owner, if they have one."""
    text = ARTICLE.sub("", text, count=1) if ARTICLE.match(text) else text
    owner = OWNER.match(text)
    return (normalised(text), normalised(text[owner.end() :])) if owner else (normalised(text),)


def _says_noun(asked: Asked, text: str) -> bool:
    """Tell whether the noun of a run of words is that asked for, with no other ordinal."""
    noun = NOUN_ENDS.split(text.strip(), maxsplit=1)[0]
    words = [word for word, *_ in word_spans(noun) if word.lower() not in FUNCTION]
    stems = {*stems_in(text)}
    return bool(words) and stem_of(words[-1]) in asked.focus and stems & ORDINALS == asked.tokens & ORDINALS


def said_at(asked: Asked, passage: Passage, span: Span) -> float:
    """Return how much of what is asked (0 to 1) some characters of a passage mean, or what stands above them says."""
    means = passage.means[slice(*passage.words.span(*span))].max(0, initial=0)
    return float(np.maximum(means, flags(stems_in(f"{passage.title} {passage.heading}"), asked)) @ asked.every)
