"""Kinship: whom the page about somebody says to be a parent, a spouse, a child, a brother or sister of theirs.

>>> text = "Ada Orr was the younger daughter of Count Jan of Kell and his wife Ida. She married the painter Bo Lund."
>>> [[text[each.start : each.end] for each in relatives_in(text, "Ada Orr", 1, kin)] for kin in ("mother", "husband")]
[['Ida'], ['Bo Lund']]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from retriever.answers.hops.kin.names import (
    ASIDE,
    MODEST,
    NO_NAME,
    NO_NOUN,
    OTHERS,
    RUN,
    SUBJECTS,
    Span,
    ends_own_name,
    is_had_by_another,
    is_name_of,
    is_subject,
    name_at,
    parent_of,
    parents_at,
)
from retriever.answers.hops.kin.relations import CHILD, KINDS, MARRYING, PARENT, Kin
from retriever.answers.text.forms import CAPITAL
from retriever.answers.text.likeness import answer_tokens
from retriever.answers.text.words import UPPER
from weft.text.sentences import sentences


class Told(NamedTuple):
    """Characters `start` to `end` name one's kin; `is_sexed` tells that they are surely of the sex asked for.

    `other` are the characters of the other parent, who is asked for where the first one's page tells another sex.
    """

    start: int
    end: int
    is_sexed: bool = True
    other: Span | None = None

    def moved(self, by: int) -> Told:
        """Return the same in a text of which so many characters stand before."""
        other = (self.other[0] + by, self.other[1] + by) if self.other else None
        return Told(self.start + by, self.end + by, self.is_sexed, other)


BETWEEN = re.compile(rf"{ASIDE}(?:;|,|,? and|\n)[ ]?")  # Between the names of both parents in a row.

PARENTS = re.compile(
    r"\b(?:born (?:to|of)|(?:son|daughter|child|children)s? of|father|mother|brother|sister|uncle|aunt)\b", re.I
)
"""What tells before "his wife" that he is a father or an uncle: "the son of Bo Lund and his wife Ida"."""

ALSO = re.compile(
    r"(?:\band the|\b(?:grand\w+|nephew|niece|cousin|sister|brother) of [^,;]*\band|\b(?:son|daughter|child) and)"
    r" (?:[a-z]+ )?$"
)
"""What goes on about the same subject: "a niece of Bo and daughter of Mia", "second son and fifth child of Bo"."""

APPOSED = re.compile(
    r"(?P<article>\b(?:[Aa]n?|[Tt]he|[Aa]t|[Ii]n|[Ff]rom|[Nn]ear|[Oo]f)[ ])?"
    rf"(?P<run>{RUN}){ASIDE},[ ](?:[a-z][\w-]*[ ])*$"
)
"""A name before "the son of", which is no subject behind an article or a preposition."""

BEGINS = re.compile(r"\W*(?:The |An? )?[a-z ]*")
FOLLOWED = re.compile(rf",[ ](?P<run>[Ss]?[Hh]e\b|{RUN}){ASIDE},?[ ](?!(?:{NO_NOUN}|of)\b)[a-z]")
"""Before "son of" a sentence begins that has its subject behind it: "The son of Bo Lund, Tor was"."""

BESIDES = re.compile(rf"(?P<run>{RUN}){ASIDE}(?:,? and|,| to) $")
"""A name before "his sister", which is that one's."""

LONGEST = 1_000
"""Characters of a sentence that are read: more is a list, or no prose."""

ABBREVIATED = re.compile(rf"\b(?:Rev|Mrs|Mr|Dr|Capt|Col|Gen|Hon|Prof|Lt|Sgt|Adm|St|[{UPPER}])[.]\s*$")
ASIDES = re.compile(r"\([^()]*\)")
SUBJECT = re.compile(r"\b(?:(he|she)\b|and (?:is|was)\b)", re.I)
SEXES = dict.fromkeys(("wife", "widow", "daughter", "mother", "sister"), 1) | dict.fromkeys(
    ("husband", "widower", "son", "father", "brother"), -1
)
OWNERS = {1: "[Hh]er", -1: "[Hh]is", 0: "[Hh]is|[Hh]er|[Tt]heir"}
LOST = re.compile(r"\b(?:his|her|their) [a-z]+, $")  # "After her mother lost her sight, Ada"
BEHIND = r"(?: and (?:heir|heiress|successor|pupil|partner)(?: [a-z]+)?)?(?: (?:(?:was|is|were|are) )?|: |, )"
IS = re.compile(r" (?:is|was|had|has)\b")
HAVING = re.compile(r"\b(?:had|has|have|leaves?|leaving|left|survived by|bore|couple|parents of)\b", re.I)
NUMBER = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+)"
MARRIED = re.compile(
    r"by (?:his |her )?marriage (?:to|with) |(?P<who>[\w'’-]+|,) "
    r"(?:(?:was|is|had|has|been|later|then|first|also|once|secretly|finally|subsequently) )*"
    r"(?:married|wed|remarried|eloped)(?:,? (?:twice|three times|four times)[,:]?)? "
    r"(?:(?:to|with|firstly|first|secondly|again|in (?:[A-Z][a-z]+ )?\d{4},?),? ){0,4}"
)
THEN = re.compile(
    rf"\b(?:then|secondly|second|finally|again)\b[^.;{UPPER}]{{0,30}}?(?:\b(?:to|with) )?(?=[{UPPER}]|the |an? )"
)
"""What tells of a further marriage: "and then, in 1864, to "."""


def relatives_in(text: str, title: str, gender: int, kin: str) -> list[Told]:
    """Return where a page of that title names one's `kin`, a key of KINDS, what is surest first.

    `gender` is that of whom the page is about: 1 for she, -1 for he, 0 where it is not known. What is said of somebody
    else is left out: "he married the daughter of Bo Lund" tells of no father.
    """
    asked = KINDS[kin]
    own = OWNERS[gender] + ("|[Tt]heir" if asked.alike else "")
    # The whole name before each word of it.
    names = "|".join(map(re.escape, (title, title.split(",")[0], *title.split(",")[0].split())))
    told: list[list[Told]] = [[*_in_rows(text, asked)], [], [], []]
    for start, end in _whole(text):
        sentence = text[start:end][:LONGEST]
        told[1] += _moved(_owned(sentence, title, rf"\b(?:{own}|(?<=, )whose)", kin), start)
        told[2] += _moved(_said_of(sentence, title, gender, asked), start)
        told[2] += _moved(_married(sentence, title, gender), start) if kin in MARRYING else []
        told[2] += _moved(_had(sentence, title, gender, asked), start) if asked.alike else []
        told[2] += _moved(_reversed(sentence, title, own, asked), start)
        told[3] += _moved(_owned(sentence, title, rf"\b(?P<owner>{names})['’]s?", kin), start)
    # An aside may say less of a name than the sentence: "Julia (daughter of Drusus) was the daughter of Drusus Julius".
    return sorted(dict.fromkeys(chain.from_iterable(told)), key=lambda each: _is_aside(text, each.start))


def _whole(text: str) -> list[Span]:
    """Return the sentences of a text, of which none ends with the title before a name ("Rev.")."""
    found: list[Span] = []
    for start, end in sentences(text):
        joins = found and ABBREVIATED.search(text, max(found[-1][0], found[-1][1] - 8), found[-1][1])
        found[-1:] = [(found[-1][0], end)] if joins else [*found[-1:], (start, end)]
    return found


def _is_aside(text: str, start: int) -> bool:
    return text.rfind("(", 0, start) > text.rfind(")", 0, start)


def _moved(told: Iterable[Told], by: int) -> list[Told]:
    return [each.moved(by) for each in told]


def _in_rows(text: str, asked: Kin) -> Iterator[Told]:
    """Yield the names in a row such as "Father | Bo Lund"; of both parents the one asked for, the father first."""
    for row in re.finditer(rf"^(?:{asked.labels})[ ]*\|[ ]*(?P<cell>[^\n]+)", text, re.I | re.M):
        start, end = row.span("cell")
        if asked.gender and re.match(PARENT, row[0], re.I):
            said = re.search(rf"({RUN}) \({asked.words}\)", row["cell"])
            first = name_at(text, start)
            between = BETWEEN.match(text, first[1]) if first else None
            second = name_at(text, between.end()) if between else None
            if said:
                yield Told(start + said.start(1), start + said.end(1))
            elif first and second and (one := parent_of(text, first[0], (first, second), asked.gender)):
                yield Told(*one)
        elif (name := name_at(text, start)) and name[0] == start:
            others = re.search(r"\w{3}", ASIDES.sub("", text[name[1] : end]))
            yield Told(start, end if others else name[1])


def _owned(sentence: str, title: str, owner: str, kin: str) -> Iterator[Told]:
    """Yield the names behind "her father" and the like, where a pattern finds the `owner`."""
    asked = KINDS[kin]
    nouns = f"{asked.words}|parents" if asked.of == CHILD and asked.gender else asked.words
    for said in re.finditer(rf"{owner} {MODEST}(?:half-)?(?P<kin>{nouns}){BEHIND}", sentence):
        before = sentence[: said.start()]
        # "Jan Orr's father" is not told of Ada Orr, nor is "the son of Bo Lund and his wife Ida" married.
        if said.groupdict().get("owner") and not ends_own_name(sentence[: said.end("owner")], title):
            continue
        if (kin in MARRYING and PARENTS.search(before)) or _is_besides(before, title, said[0].startswith("whose")):
            continue
        if said["kin"] == "parents" and asked.gender:
            yield from _parents(sentence, said.end(), asked.gender, least=2)
            continue
        name = name_at(sentence, said.end(), several=said["kin"].endswith(("s", "children")))
        if name is None or LOST.search(sentence, said.end(), name[0]):
            continue
        # "Through his mother, Ada is a niece": that is whom the page is about.
        is_clause = said[0].endswith(", ") and IS.match(sentence, name[1]) is not None
        if not (is_clause and is_name_of(sentence[slice(*name)], title)):
            yield Told(*name)


def _reversed(sentence: str, title: str, own: str, asked: Kin) -> Iterator[Told]:
    """Yield the names before "was his brother" and the like."""
    name = rf"(?P<name>{RUN}(?:, {CAPITAL} of {RUN})?)"
    is_kin = rf"{name}{ASIDE}(?: was| is|,) (?:{own}) {MODEST}(?:half-)?(?:{asked.words})\b(?!['’])"
    for said in re.finditer(is_kin, sentence):
        if {*answer_tokens(said["name"])}.isdisjoint(answer_tokens(title)) or len(said["name"].split()) > 1:
            yield Told(*said.span("name"))


def _is_besides(before: str, title: str, is_whose: bool) -> bool:
    """Tell whether somebody else is named right before "his" or "whose"."""
    besides = BESIDES.search(before)
    is_own = besides is not None and not {*answer_tokens(besides["run"])}.isdisjoint(answer_tokens(title))
    return is_whose != is_own if is_whose else besides is not None and not is_own


def _said_of(sentence: str, title: str, gender: int, asked: Kin) -> Iterator[Told]:
    """Yield the names behind "son of" and the like, where the page's subject is that."""
    is_kin = rf"(?<![\w-])(?:half-)?(?P<bearer>(?i:{asked.of}))s?(?: and [a-z]+)?{ASIDE} (?:born )?(?:of|to) "
    if asked.of == CHILD:
        is_kin += r"|\b[Bb]orn (?:(?:in|at|on) [^.;,]{1,40}?(?:, [A-Z][\w’' -]{1,30})? to|to|of) "
    for said in re.finditer(is_kin, sentence):
        before, bearer = sentence[: said.start()], said["bearer"] or ""
        is_other_sex = gender * SEXES.get(bearer.lower(), 0) < 0
        # "The Daughter of Time" is a book.
        if is_other_sex or (before and bearer[:1].isupper()) or _is_another(before, title, gender):
            continue
        behind = [*FOLLOWED.finditer(sentence, said.end())] if BEGINS.fullmatch(before) else []
        own = next((each for each in behind if is_subject(each["run"], each["run"], title, gender)), None)
        if behind and own is None:
            continue
        told = sentence[: own.start()] if own else sentence
        if asked.of == CHILD:
            yield from _parents(told, said.end(), asked.gender)
        elif name := name_at(told, said.end(), several=asked.alike):
            yield Told(*name, is_sexed=not asked.alike or not asked.gender)


def _parents(sentence: str, start: int, gender: int, least: int = 1) -> Iterator[Told]:
    """Yield which of the names from `start` on, at `least` so many, is the father's (-1) or mother's (1), all for 0."""
    names = parents_at(sentence, start)
    if len(names) < least:
        return
    if not gender:
        yield Told(names[0][0], names[-1][1])
    elif one := parent_of(sentence, start, names, gender):
        yield Told(*one, other=next((each for each in names if each != one), None))


def _married(sentence: str, title: str, gender: int) -> Iterator[Told]:
    """Yield whom the subject of a page married, one after the other."""
    own = {*answer_tokens(title), "he", "she"}
    for said in MARRIED.finditer(sentence):
        is_own = said["who"] is None or is_subject(sentence[: said.end("who")], said["who"], title, gender)
        name = name_at(sentence, said.end()) if is_own else None
        if name and not {*answer_tokens(sentence[slice(*name)])} <= own:
            yield Told(*name)
            for then in THEN.finditer(sentence, name[1]):
                if other := name_at(sentence, then.end()):
                    yield Told(*other)


def _had(sentence: str, title: str, gender: int, asked: Kin) -> Iterator[Told]:
    """Yield the names behind "a son," and the like in a sentence that says that the page's subject had or left them."""
    a_kin = rf"\b{NUMBER} (?:[a-z-]+ |half-)?(?P<kin>{asked.words})(?:: |, | named | called | )"
    for said in re.finditer(a_kin, sentence):
        before = sentence[: said.start()]
        verbs = [each.start() for each in HAVING.finditer(before)]
        if verbs and not is_had_by_another(before, verbs[-1], title, gender):
            name = name_at(sentence, said.end(), several=said["kin"].endswith(("s", "children")))
            if name and not NO_NAME.search(sentence[said.end() : name[0]]):
                yield Told(*name)


def _is_another(before: str, title: str, gender: int) -> bool:
    """Tell whether what stands before "son of" says that somebody else than the subject of the page is that."""
    before = ASIDES.sub("", before)
    if begins := list(SUBJECT.finditer(before)):
        if begins[-1][1] and gender and SUBJECTS[begins[-1][1].lower()] != gender:
            return True
        before = before[begins[-1].end() :]
    if OTHERS.search(before):
        return ALSO.search(before) is None or re.search(r"\b(?:marr|wed\b|affair)", before) is not None
    apposed = APPOSED.search(before)
    if apposed is None or apposed["article"]:
        return False
    return {*answer_tokens(apposed["run"])}.isdisjoint(answer_tokens(title))
