"""Names in what tells of kin: where one, or a list of them, begins behind what describes it, and whose it is.

>>> text = "the Vessian painter Bo van Lund, Count of Kell, and Ida"
>>> text[slice(*name_at(text, 0))], text[slice(*name_at(text, 0, several=True))]
('Bo van Lund, Count of Kell', 'Bo van Lund, Count of Kell, and Ida')
>>> [text[slice(*each)] for each in parents_at(text, 0)]
['Bo van Lund, Count of Kell', 'Ida']
>>> [is_name_of(name, "Ada Orr") for name in ("Ada", "Lady Orr", "A. Orr", "Ada Mary Orr", "Mia Orr")]
[True, True, True, True, False]
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retriever.answers.columns.subjects import FAR_KIN
from retriever.answers.text.countries import are_countries
from retriever.answers.text.forms import CAPITAL
from retriever.answers.text.kinds import FEMALE, MALE
from retriever.answers.text.lexicon.given_names import sex_of
from retriever.answers.text.lexicon.hypernyms import is_person
from retriever.answers.text.likeness import answer_tokens
from retriever.answers.text.words import FUNCTION, UPPER

Span = tuple[int, int]

JOINER = (
    "of|the|de|la|le|los|du|des|del|della|der|den|di|da|dos|das|do|van|von|zu|zur|al|bin|bint|ibn|af|av|ter|ten|dal|lo|y"
    "|mac|ap|ferch|und"
)
RUN = rf"{CAPITAL}(?:[ ](?:(?:{JOINER})[ ]){{0,2}}(?:[ae]l-)?{CAPITAL})*"
NAME = re.compile(
    r"(?:(?:Rev|Capt|Col|Gen|Hon|Prof|Lt|Sgt|Adm|\d+(?:st|nd|rd|th))[.]?[ ])*"
    rf"(?:\d{{1,3}}[ ](?=[{UPPER}]))?{RUN}(?:[ ]and[ ][IVX]+\b)?"
    rf"(?:,[ ](?:\d+(?:st|nd|rd|th)[ ])?{CAPITAL}[ ](?:of[ ](?:the[ ])?|d['’]){RUN}"
    rf"(?:[ ]and[ ]{CAPITAL}(?=,?[ ]and[ ]))?)?"
)
"""A name, perhaps with the title behind it that tells namesakes apart: "Karl, Prince of Dune"."""

NO_NOUN = "in|at|from|for|to|and|who|whom|whose|by|with|on|as|or|that|which|when|after|before|he|she|they"
WORD = rf"(?:(?!(?:{NO_NOUN}|{JOINER})\b)[a-z][\w-]*,?[ ])"
SMALL = rf"(?:the[ ]|{WORD})"
PLAIN = re.compile(rf"(?:{SMALL}(?:and[ ](?=[a-z]))?){{0,4}}")
FOREIGN = re.compile(rf"(?:{CAPITAL}[ ]){{1,2}}{WORD}{{1,4}}")
"""What may stand before a name: "the ", and "Polish nobleman " behind that."""

TRADES = re.compile(rf"(?:[ ](?!(?:{NO_NOUN}|{JOINER})\b)([a-z][\w-]*)(?:[ ]and(?=[ ][a-z]))?){{1,4}},?[ ]")
ENDED = re.compile(r"(?<=[IVX])[.] (?:He|She|His|Her|It|They|The|In)\b")
"""What stands behind what only describes the name behind it, "Kell Prize laureate, Bo", and the end of a sentence
behind a numeral, which looks like an initial: "Jan I. He"."""

NO_NAME = re.compile(rf"\b(?:\w+ed|was|is|had|became|brother|sister|friend|son|daughter|{FAR_KIN})\b")
"""What tells of the name behind it that it is nobody's of that kin: "her husband started"."""

ASIDE = r"(?:[ ]\([^()]{0,80}\))?"
MORE = re.compile(rf"{ASIDE}(?:,? and |, )")
"""What stands between the names of a list."""

HONORIFICS = frozenset(
    """admiral ambassador archbishop archduke archduchess baronet bishop brigadier captain cardinal chancellor chief
    colonel commander commodore czar doctor don doña dr elector emir general governor herr judge kaiser khan landgrave
    lieutenant madame major margrave marshal mayor miss monsieur ms pope president professor rabbi reverend saint
    senator sergeant sheikh st viscount viscountess""".split()
)
JOINT = re.compile(r"\b(?:and|by|with)\b|[;\n]")
BLOOD = rf"mother|father|parents|sons?|daughters?|sisters?|brothers?|children|{FAR_KIN}"
SPOUSES = r"wife|husband|widow(?:er)?"
OTHERS = re.compile(rf"\b(?:marr(?:y|ies|ied|iage)|wed|{SPOUSES}|{BLOOD}|engaged|betrothed|succeeded|affair)\b", re.I)
"""What tells before "son of" or "wife of" that somebody else is that."""

SUBJECTS = {"she": 1, "he": -1}
MODEST = (
    r"(?:(?!(?:was|were|is|are|had|has|the|an?|and)\b|father|mother|parent|wife|husband|brother|sister|son\b|daughter)"
    r"[a-z][\w-]* ){0,3}"
)
"""Adjectives between "his" and "brother"."""

CLAUSES = re.compile(r";|, (?:and|but|while|when|where|though)\b")
KINSFOLK, KINSFOLK_OR_SPOUSE = (
    re.compile(rf"\W*(?:[Hh]is|[Hh]er|[Tt]heir|{RUN}['’]s?) {MODEST}(?:half-|step)?(?:{kin})\b")
    for kin in (f"{BLOOD}|twin", f"{BLOOD}|twin|{SPOUSES}")
)
"""What a clause begins with whose subject is kin of whom a page is about."""

BEGINS = re.compile(rf"\W*(?P<run>{RUN})(?=,? (?!(?:by|in|to|at|on|from|with|for)\b)[a-z(])")
BEARER = re.compile(rf"(?:\b(?:In|At|On)[ ]\w+[ ])?(?P<run>{RUN})(?:{ASIDE},? who)? ?$")
"""The name that a clause begins with, and one right before a verb."""

NAMESAKE = re.compile(rf"\b(?:{BLOOD}|{SPOUSES}),? $")
TOGETHER = re.compile(rf"\b(?:and|with|by|to|couple|{SPOUSES}),? $")
"""What tells of the name behind it that it is somebody else's, and that it is not the only subject."""

SECOND = re.compile(
    rf"{ASIDE}(?:,[ ](?!and of\b)(?:(?!\b(?:was|were|is|are|had|has)\b)[^,.;]){{1,60}}){{0,4}}?,?[ ]"
    r"(?:and|by|with)[ ](?:(?:of|by|with)[ ])?"
    r"(?:(?:his|her)[ ](?:\w+[ ])?(?:wife|husband|consort|spouse),?[ ])?"
)
"""What stands between the names of both parents."""


def name_at(text: str, start: int, *, several: bool = False) -> Span | None:
    """Return the name that begins there, perhaps behind what describes it; None where a verb does not describe.

    With `several` it is the whole list of names.
    """
    found = _name_at(text, start)
    while several and found and (more := MORE.match(text, found[1])):
        other = _name_at(text, more.end())
        if other is None:
            break
        found = found[0], other[1]
    return found


def _name_at(text: str, start: int) -> Span | None:
    plain = PLAIN.match(text, start)
    behind = plain.end() if plain else start
    foreign = FOREIGN.match(text, behind)
    for begin in (foreign.end() if foreign else behind, behind):
        name = NAME.match(text, begin)
        if name is None or NO_NAME.search(text[start:begin]):
            continue
        trades = TRADES.match(text, name.end())
        if trades and is_person(trades[1]) and (bearer := NAME.match(text, trades.end())):
            name = bearer
        if not any(are_countries([name[0]])):
            ended = ENDED.search(text, *name.span())
            return name.start(), ended.start() if ended else name.end()
    return None


def is_honorific(word: str) -> bool:
    """Tell whether a word before a name is none of it: "King", "Captain", "Dr."."""
    return word.lower().strip(".") in HONORIFICS or bool(FEMALE.fullmatch(word) or MALE.fullmatch(word))


def is_name_of(name: str, title: str) -> bool:
    """Tell whether a name is a part of that of a page, or has all of it and more."""
    own, words = ({*answer_tokens(each)} - FUNCTION for each in (title, name))
    others = [word for word in words - own if not is_honorific(word)]
    initials = {word[0] for word in own}
    is_part = all(len(word) == 1 and word in initials for word in others)
    return not words.isdisjoint(own) and (is_part or (len(own) > 1 and own <= words))


def ends_own_name(before: str, title: str) -> bool:
    """Tell whether the name that ends there is the title's or a part of it: "Orr", but not that of "Jan Orr"."""
    named = re.search(rf"{RUN}$", before)
    return named is None or is_name_of(named[0], title)


def is_subject(before: str, who: str, title: str, gender: int) -> bool:
    """Tell whether whom a page is about does what stands behind `who`, the last word or comma before that."""
    if who.lower() in SUBJECTS:
        return SUBJECTS[who.lower()] * gender >= 0
    if named := _bearer(before):
        return is_name_of(named["run"], title) and NAMESAKE.search(before[: named.start()]) is None
    # "Her husband, the physicist Bo Lund, married Ida."
    if who in (",", "who") and OTHERS.search(before):
        return False
    return who in (",", "who", "and", "They", "they") and not _is_of_another(before, title, gender, KINSFOLK_OR_SPOUSE)


def is_had_by_another(before: str, verb: int, title: str, gender: int) -> bool:
    """Tell whether it is somebody else who had or left a child, by what is said before it, where a verb begins."""
    named = _bearer(before[:verb])
    if named and (is_name_of(named["run"], title) or TOGETHER.search(before[: named.start()]) is None):
        return not is_subject(before[:verb], "", title, gender)
    return _is_of_another(before, title, gender, KINSFOLK)


def _bearer(before: str) -> re.Match[str] | None:
    named = BEARER.search(before)
    return None if named is None or named["run"].lower() in FUNCTION else named


def _is_of_another(before: str, title: str, gender: int, others: re.Pattern[str]) -> bool:
    """Tell whether the last clause with a subject has another one: "Bo, the youngest, went to Kell and married".

    What begins with one of `others` has.
    """
    for clause in reversed(CLAUSES.split(before)):
        if pronouns := re.findall(r"\b(?:he|she)\b", clause, re.I):
            return SUBJECTS[pronouns[-1].lower()] * gender < 0
        if others.match(clause):
            return True
        begins = BEGINS.match(clause)
        if begins and begins["run"].split()[0].lower() not in FUNCTION:
            return not is_name_of(begins["run"], title)
    return False


def parents_at(text: str, start: int) -> list[Span]:
    """Return the names of one or both parents, which begin there, perhaps behind what describes them."""
    first = name_at(text, start)
    between = SECOND.match(text, first[1]) if first else None
    second = name_at(text, between.end()) if between else None
    return [each for each in (first, second) if each]


def parent_of(text: str, start: int, names: Sequence[Span], gender: int) -> Span | None:
    """Return which of one or two parents is the father (-1) or the mother (1), None where only the other is named.

    The first one is the father, unless titles or else given names tell otherwise; what describes that one begins at
    `start`. Titles of the second stand behind the "and" or "by" between both.
    """
    first, second = names[0], names[1] if len(names) > 1 else None
    cut = first[1]
    for joint in JOINT.finditer(text, first[1], second[0] if second else first[1]):
        cut = joint.end()
    words = text[start:cut], text[cut : second[1]] if second else ""
    is_she, is_he = ([bool(sex.search(each)) for each in words] for sex in (FEMALE, MALE))
    sexes = [sex_of(text[slice(*each)]) if each else 0 for each in (first, second)]
    if not any((*is_she, *is_he)) and sexes[0] != sexes[1]:
        is_she, is_he = ([sex == own for own in sexes] for sex in (1, -1))
    is_mother_first = (is_she[0] and not is_he[0] and not is_she[1]) or (is_he[1] and not is_she[1] and not is_he[0])
    order = [second, first] if is_mother_first else [first, second]
    return order[gender > 0]
