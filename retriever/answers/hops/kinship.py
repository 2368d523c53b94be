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

from retriever.answers.hops.kin_names import ASIDE, NO_NAME, RUN, Span, name_at
from retriever.answers.text.kinds import FEMALE, MALE
from retriever.answers.text.likeness import answer_tokens
from retriever.answers.text.words import FUNCTION
from weft.text.sentences import sentences


class Told(NamedTuple):
    """Characters `start` to `end` name one's kin; `is_sexed` tells that they are surely of the sex asked for."""

    start: int
    end: int
    is_sexed: bool = True


class Kin(NamedTuple):
    """How kin is told: in `words` behind "his" or "her", as what one is `of` them, and in rows with `labels`.

    `gender` is 1 for she, -1 for he, 0 for either. `alike` are kin of whom each sentence may say it of several:
    children, brothers and sisters.
    """

    gender: int
    words: str
    of: str
    labels: str
    alike: bool = False


CHILD = "son|daughter|child|children|heir|heiress|twin|offspring"
PARENTING, BESIDE = "father|mother|parent", "brother|sister|twin|sibling"
PARENT, SPOUSE = r"parents?|parent\(s\)", r"spouses?|spouse\(s\)|partners?|consorts?"
SIBLING, YOUNG = "siblings?", "children|child"
KINDS = {
    "father": Kin(-1, "father", CHILD, f"father|{PARENT}"),
    "mother": Kin(1, "mother", CHILD, f"mother|{PARENT}"),
    "parent": Kin(0, "parents?", CHILD, PARENT),
    "husband": Kin(-1, "husband|widower", "wife|widow|spouse", f"husbands?|{SPOUSE}"),
    "wife": Kin(1, "wife|widow", "husband|widower|spouse", f"wife|wives|{SPOUSE}"),
    "spouse": Kin(0, "husband|wife|widow(?:er)?", "wife|widow(?:er)?|husband|spouse", f"husbands?|wife|wives|{SPOUSE}"),
    "son": Kin(-1, "sons?", PARENTING, "sons?", alike=True),
    "daughter": Kin(1, "daughters?", PARENTING, "daughters?", alike=True),
    "child": Kin(0, "sons?|daughters?|child|children|twins", PARENTING, f"sons?|daughters?|{YOUNG}", alike=True),
    "brother": Kin(-1, "brothers?", BESIDE, "brothers?", alike=True),
    "sister": Kin(1, "sisters?", BESIDE, "sisters?", alike=True),
    "sibling": Kin(0, "brothers?|sisters?|siblings?", BESIDE, f"brothers?|sisters?|{SIBLING}", alike=True),
}  # fmt: skip
MARRYING = frozenset(("husband", "wife", "spouse"))

JOINT = re.compile(r"\b(?:and|by|with)\b|[;\n]")
BETWEEN = re.compile(rf"{ASIDE}(?:;|,|,? and|\n)[ ]?")
SECOND = re.compile(
    rf"{ASIDE}(?:,[ ](?!and of\b)[^,.;]{{1,60}}){{0,4}}?,?[ ](?:and|by|with)[ ](?:(?:of|by|with)[ ])?"
    r"(?:(?:his|her)[ ](?:\w+[ ])?(?:wife|husband|consort|spouse),?[ ])?"
)
"""What stands between the names of both parents."""

OTHERS = re.compile(
    r"\b(?:marr(?:y|ies|ied|iage)|wed|wife|husband|widow(?:er)?|mother|father|parents|sons?|daughters?|sisters?|brothers?"
    r"|children|uncle|aunt|cousin|niece|nephew|engaged|betrothed|succeeded|affair)\b", re.I,
)  # fmt: skip
"""What tells before "son of" or "wife of" that somebody else is that."""

PARENTS = re.compile(
    r"\b(?:born (?:to|of)|(?:son|daughter|child|children)s? of|father|mother|brother|sister|uncle|aunt)\b", re.I
)
"""What tells before "his wife" that he is a father or an uncle: "the son of Bo Lund and his wife Ida"."""

ALSO = re.compile(r"\band the (?:[a-z]+ )?$")
"""What goes on about the same subject: "the brother of Bo and the father of Mia"."""

APPOSED = re.compile(
    r"(?P<article>\b(?:[Aa]n?|[Tt]he|[Aa]t|[Ii]n|[Ff]rom|[Nn]ear|[Oo]f)[ ])?"
    rf"(?P<run>{RUN}){ASIDE},[ ](?:[a-z][\w-]*[ ])*$"
)
"""A name before "the son of", which is no subject behind an article or a preposition."""

BESIDES = re.compile(rf"(?P<run>{RUN}){ASIDE}(?:,? and|,| to) $")
"""A name before "his sister", which is that one's."""

LONGEST = 1_000
"""Characters of a sentence that are read: more is a list, or no prose."""

ABBREVIATED = re.compile(r"\b(?:Rev|Mrs|Mr|Dr|Capt|Col|Gen|Hon|Prof|Lt|Sgt|Adm|St|[A-Z])[.]\s*$")
ASIDES = re.compile(r"\([^()]*\)")
SUBJECT = re.compile(r"\b(?:(he|she)\b|and (?:is|was)\b)", re.I)
SUBJECTS = {"she": 1, "he": -1}
SEXES = dict.fromkeys(("wife", "widow", "daughter", "heiress", "mother", "sister"), 1) | dict.fromkeys(
    ("husband", "widower", "son", "father", "brother"), -1
)
OWNERS = {1: "[Hh]er", -1: "[Hh]is", 0: "[Hh]is|[Hh]er|[Tt]heir"}
MODEST = (
    r"(?:(?!(?:was|were|is|are|had|has|the|an?|and)\b|father|mother|parent|wife|husband|brother|sister|son\b|daughter)"
    r"[a-z][\w-]* ){0,3}"
)
"""Adjectives between "his" and "brother"."""

BEHIND = r"(?: (?:(?:was|is|were|are) )?|: |, )"
HAVING = re.compile(r"\b(?:had|has|have|leaves?|leaving|left|survived by|bore|couple|parents of)\b", re.I)
NUMBER = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+)"
MARRIED = re.compile(
    r"by (?:his |her )?marriage (?:to|with) |(?P<who>[\w'’-]+|,) "
    r"(?:(?:was|is|had|has|been|later|then|first|also|once|secretly|finally|subsequently) )*"
    r"(?:married|wed|remarried|eloped)(?:,? (?:twice|three times|four times)[,:]?)? "
    r"(?:(?:to|with|firstly|first|secondly|again|in (?:[A-Z][a-z]+ )?\d{4},?),? ){0,4}"
)
THEN = re.compile(r"\b(?:then|secondly|second|finally|again)\b[^.;A-Z]{0,30}?(?:\b(?:to|with) )?(?=[A-Z]|the |an? )")
"""What tells of a further marriage: "and then, in 1864, to "."""



def relatives_in(text: str, title: str, gender: int, kin: str) -> list[Told]:
    """Return where a page of that title names one's `kin`, a key of KINDS, what is surest first.

    `gender` is that of whom the page is about: 1 for she, -1 for he, 0 where it is not known. What is said of somebody
    else is left out: "he married the daughter of Bo Lund" tells of no father.
    """
    asked = KINDS[kin]
    own = OWNERS[gender] + ("|[Tt]heir" if asked.alike else "")
    names = "|".join(map(re.escape, title.split(",")[0].split()))
    told: list[list[Told]] = [[*_in_rows(text, asked)], [], [], []]
    for start, end in _whole(text):
        sentence = text[start:end][:LONGEST]
        told[1] += _moved(_owned(sentence, title, rf"\b(?:{own}|(?<=, )whose)", kin), start)
        told[2] += _moved(_said_of(sentence, title, gender, asked), start)
        told[2] += _moved(_married(sentence, title), start) if kin in MARRYING else []
        told[2] += _moved(_had(sentence, asked), start) if asked.alike else []
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
    return [each._replace(start=each.start + by, end=each.end + by) for each in told]


def _in_rows(text: str, asked: Kin) -> Iterator[Told]:
    """Yield the names in a row such as "Father | Bo Lund"; of both parents the one asked for, the father first."""
    for row in re.finditer(rf"^(?:{asked.labels})[ ]*\|[ ]*(?P<cell>[^\n]+)", text, re.I | re.M):
        start, end = row.span("cell")
        if asked.gender and re.match(PARENT, row[0], re.I):
            said = re.search(rf"({RUN}) \({asked.words}\)", row["cell"])
            first, second = name_at(text, start), None
            if between := first and BETWEEN.match(text, first[1]):
                second = name_at(text, between.end())
            if said:
                yield Told(start + said.start(1), start + said.end(1))
            elif first and second and (one := _chosen(text, first, second, asked.gender)):
                yield Told(*one)
        elif (name := name_at(text, start)) and name[0] == start:
            others = re.search(r"\w{3}", ASIDES.sub("", text[name[1] : end]))
            yield Told(start, end if others else name[1])


def _owned(sentence: str, title: str, owner: str, kin: str) -> Iterator[Told]:
    """Yield the names behind "her father" and the like, where a pattern finds the `owner`."""
    for said in re.finditer(rf"{owner} {MODEST}(?:half-)?(?P<kin>{KINDS[kin].words}){BEHIND}", sentence):
        before = sentence[: said.start()]
        # "Jan Orr's father" is not told of Ada Orr, nor is "the son of Bo Lund and his wife Ida" married.
        if said.groupdict().get("owner") and any(word[0].isupper() for word in before.split()[-1:]):
            continue
        if (kin in MARRYING and PARENTS.search(before)) or _is_besides(before, title, said[0].startswith("whose")):
            continue
        if name := name_at(sentence, said.end(), several=said["kin"].endswith(("s", "children"))):
            yield Told(*name)


def _reversed(sentence: str, title: str, own: str, asked: Kin) -> Iterator[Told]:
    """Yield the names before "was his brother" and the like."""
    is_kin = rf"(?P<name>{RUN}){ASIDE}(?: was| is|,) (?:{own}) {MODEST}(?:half-)?(?:{asked.words})\b(?!['’])"
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
    is_kin = rf"(?<![\w-])(?:half-)?(?P<bearer>{asked.of})s?(?: and [a-z]+)?{ASIDE} (?:born )?(?:of|to) "
    if asked.of == CHILD:
        is_kin += r"|\b[Bb]orn (?:(?:in|at|on) [^.;,]{1,40}? to|to|of) "
    for said in re.finditer(is_kin, sentence):
        is_other_sex = gender * SEXES.get(said["bearer"] or "", 0) < 0
        if is_other_sex or _is_another(sentence[: said.start()], title, gender):
            continue
        if asked.of == CHILD:
            yield from (Told(*span) for span in _parents(sentence, said.end(), asked.gender))
        elif name := name_at(sentence, said.end(), several=asked.alike):
            yield Told(*name, is_sexed=not asked.alike or not asked.gender)


def _parents(sentence: str, start: int, gender: int) -> Iterator[Span]:
    """Yield which of one or two names from `start` on is the father's (-1) or mother's (1), all for 0."""
    first = name_at(sentence, start)
    if first is None:
        return
    between = SECOND.match(sentence, first[1])
    second = name_at(sentence, between.end()) if between else None
    if not gender:
        yield first[0], (second or first)[1]
    elif one := _chosen(sentence, (start, first[1]), second, gender):
        yield first if one[0] == start else one


def _chosen(text: str, first: Span, second: Span | None, gender: int) -> Span | None:
    """Return which of both parents is asked for: the first one is the father, unless titles tell otherwise.

    `first` begins with what describes that one. Titles of the second stand behind the "and" or "by" between both.
    """
    cut = first[1]
    for joint in JOINT.finditer(text, first[1], second[0] if second else first[1]):
        cut = joint.end()
    words = text[first[0] : cut], text[cut : second[1]] if second else ""
    is_she, is_he = ([bool(sex.search(each)) for each in words] for sex in (FEMALE, MALE))
    is_mother_first = (is_she[0] and not is_he[0] and not is_she[1]) or (is_he[1] and not is_she[1] and not is_he[0])
    order = [second, first] if is_mother_first else [first, second]
    return order[gender > 0]


def _married(sentence: str, title: str) -> Iterator[Told]:
    """Yield whom the subject of a page married, one after the other."""
    own = {*answer_tokens(title), "he", "she", "and", ",", "who", "they"}
    for said in MARRIED.finditer(sentence):
        # "Her husband, the physicist Bo Lund, married Ida."
        before = sentence[: said.start()]
        is_own = said["who"] != "," or OTHERS.search(before) is None
        is_own = is_own and (said["who"] not in (",", "and") or not _begins_with_another(before, title))
        name = name_at(sentence, said.end()) if is_own and (said["who"] or "and").lower() in own else None
        if name and not {*answer_tokens(sentence[slice(*name)])} <= own:
            yield Told(*name)
            for then in THEN.finditer(sentence, name[1]):
                if other := name_at(sentence, then.end()):
                    yield Told(*other)


def _begins_with_another(before: str, title: str) -> bool:
    """Tell whether a clause begins with another name: "Bo, the youngest, went to Kell and married"."""
    begins = re.match(rf"\W*(?P<run>{RUN})", before[before.rfind(";") + 1 :])
    if begins is None or begins["run"].split()[0].lower() in FUNCTION:
        return False
    return {*answer_tokens(begins["run"])}.isdisjoint((*answer_tokens(title), "he", "she"))


def _had(sentence: str, asked: Kin) -> Iterator[Told]:
    """Yield the names behind "a son," and the like in a sentence that says who had or left them."""
    a_kin = rf"\b{NUMBER} (?:[a-z-]+ |half-)?(?P<kin>{asked.words})(?:: |, | named | called | )"
    for said in re.finditer(a_kin, sentence):
        if HAVING.search(sentence[: said.start()]):
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
