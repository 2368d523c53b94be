"""Kinship: whom the page about somebody says to be a parent, a spouse, a child, a brother or sister of theirs.

>>> text = "Ada Orr was the younger daughter of Count Jan of Kell and his wife Ida. She married the painter Bo Lund."
>>> [[text[slice(*span)] for span in relatives_in(text, "Ada Orr", 1, kin)] for kin in ("father", "mother", "husband")]
[['Count Jan of Kell'], ['Ida'], ['Bo Lund']]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from retriever.answers.text.countries import are_countries
from retriever.answers.text.forms import CAPITAL
from retriever.answers.text.kinds import FEMALE, MALE
from retriever.answers.text.likeness import answer_tokens
from weft.text.sentences import sentences

Span = tuple[int, int]

JOINER = "of|the|de|la|le|los|du|des|del|della|der|den|di|da|dos|das|do|van|von|zu|zur|al|bin|bint|ibn|af|av"
RUN = rf"{CAPITAL}(?:[ ](?:(?:{JOINER})[ ]){{0,2}}{CAPITAL})*"
NAME = re.compile(rf"{RUN}(?:,[ ](?:\d+(?:st|nd|rd|th)[ ])?{CAPITAL}[ ](?:of[ ](?:the[ ])?|d['’]){RUN})?")
"""A name, perhaps with the title behind it that tells namesakes apart: "Karl, Prince of Dune"."""

NO_NOUN = "in|at|from|for|to|and|who|by|with|on|as|or|that|which|when|after|before|he|she|they"
WORD = rf"(?:(?!(?:{NO_NOUN}|{JOINER})\b)[a-z][\w-]*,?[ ])"
SMALL = rf"(?:the[ ]|{WORD})"
DESCRIBED = re.compile(rf"(?:{SMALL}){{0,4}}(?:(?:{CAPITAL}[ ]){{1,2}}{WORD}{{1,4}})?")
"""What may stand before a name: "the Polish nobleman "."""

ASIDE = r"(?:[ ]\([^()]{0,80}\))?"
SECOND = re.compile(
    rf"{ASIDE}(?:,[ ](?!and\b)[^,.;]{{1,60}}){{0,2}},?[ ](?:and|by|with)[ ](?:(?:of|by|with)[ ])?"
    r"(?:(?:his|her)[ ](?:\w+[ ])?(?:wife|husband|consort|spouse),?[ ])?"
)
"""What stands between the names of both parents."""

NO_NAME = re.compile(
    r"\b(?:\w+ed|was|is|had|became|brother|sister|nephew|niece|grand\w+|cousin|uncle|aunt|friend|son|daughter)\b"
)
"""What tells of the name behind it that it is nobody's of that kin: "her husband started"."""

OTHERS = re.compile(
    r"\b(?:marr(?:y|ies|ied|iage)|wed|wife|husband|widow(?:er)?|mother|father|parents|sons?|daughters?|sisters?|brothers?"
    r"|children|uncle|aunt|cousin|niece|nephew|engaged|betrothed|succeeded|affair)\b", re.I,
)  # fmt: skip
"""What tells before "son of" or "wife of" that somebody else is that."""

APPOSED = re.compile(
    r"(?P<article>\b(?:[Aa]n?|[Tt]he|[Aa]t|[Ii]n|[Ff]rom|[Nn]ear|[Oo]f)[ ])?"
    rf"(?P<run>{RUN}){ASIDE},[ ](?:[a-z][\w-]*[ ])*$"
)
"""A name before "the son of", which is no subject behind an article or a preposition."""

ASIDES = re.compile(r"\([^()]*\)")
SUBJECT = re.compile(r"\b(?:(he|she)\b|and (?:is|was)\b)", re.I)
SUBJECTS = {"she": 1, "he": -1}
OWNERS = {1: "[Hh]er", -1: "[Hh]is", 0: "[Hh]is|[Hh]er|[Tt]heir"}
CHILD = "son|daughter|child|heir|heiress|twin|offspring"
BEHIND = r"(?:[ ](?:(?:was|is)[ ])?|,[ ])"


class Kin(NamedTuple):
    """How kin is told: in `words` behind "his" or "her", as what one is `of` them, and in rows with `labels`.

    `gender` is 1 for she, -1 for he, 0 for either.
    """

    gender: int
    words: str
    of: str
    labels: str


PARENT, SPOUSE, SIBLING, YOUNG = (
    r"parents?|parent\(s\)", r"spouses?|spouse\(s\)|partners?", r"siblings?", r"children|child"
)  # fmt: skip
KINDS = {
    "father": Kin(-1, "father", CHILD, f"father|{PARENT}"),
    "mother": Kin(1, "mother", CHILD, f"mother|{PARENT}"),
    "parent": Kin(0, "father|mother", CHILD, f"father|mother|{PARENT}"),
    "husband": Kin(-1, "husband", "wife|widow|consort|spouse", f"husbands?|{SPOUSE}"),
    "wife": Kin(1, "wife", "husband|widower|consort|spouse", f"wife|wives|{SPOUSE}"),
    "spouse": Kin(0, "husband|wife", "wife|widow|husband|widower|consort|spouse", f"husbands?|wife|wives|{SPOUSE}"),
    "son": Kin(-1, "son", "father|mother|parent", f"sons?|{YOUNG}"),
    "daughter": Kin(1, "daughter", "father|mother|parent", f"daughters?|{YOUNG}"),
    "child": Kin(0, "son|daughter|child", "father|mother|parent", f"sons?|daughters?|{YOUNG}"),
    "brother": Kin(-1, "brother", "brother|sister|twin|sibling", f"brothers?|{SIBLING}"),
    "sister": Kin(1, "sister", "brother|sister|twin|sibling", f"sisters?|{SIBLING}"),
    "sibling": Kin(0, "brother|sister", "brother|sister|twin|sibling", f"brothers?|sisters?|{SIBLING}"),
}  # fmt: skip
MARRYING = frozenset(("husband", "wife", "spouse"))
MARRIED = re.compile(
    r"(?P<who>[\w'’-]+|,) (?:(?:was|is|had|has|been|later|then|first|also|once|secretly|finally|subsequently) )*"
    r"(?P<bearer>married) (?:(?:to|with|firstly|first|secondly|again|in (?:[A-Z][a-z]+ )?\d{4},?) ){0,3}"
)


def relatives_in(text: str, title: str, gender: int, kin: str) -> list[Span]:
    """Return where a page of that title names one's `kin`, a key of KINDS, what is surest first.

    `gender` is that of whom the page is about: 1 for she, -1 for he, 0 where it is not known. What is said of somebody
    else is left out: "he married the daughter of Bo Lund" tells of no father.
    """
    asked = KINDS[kin]
    own, words = rf"\b(?:{OWNERS[gender]})", "|".join(map(re.escape, title.split(",")[0].split()))
    named = rf"\b(?P<owner>{words})['’]s?"
    told: list[list[Span]] = [[*_in_rows(text, asked)], [], [], []]
    for start, end in sentences(text):
        sentence = text[start:end]
        told[1] += _moved(_owned(sentence, own, kin), start)
        told[2] += _moved(_said_of(sentence, title, gender, asked), start)
        told[2] += _moved(_married(sentence, title), start) if kin in MARRYING else []
        told[3] += _moved(_owned(sentence, named, kin), start)
    # An aside may say less of a name than the sentence: "Julia (daughter of Drusus) was the daughter of Drusus Julius".
    return sorted(dict.fromkeys(chain.from_iterable(told)), key=lambda span: _is_aside(text, span[0]))


def _is_aside(text: str, start: int) -> bool:
    return text.rfind("(", 0, start) > text.rfind(")", 0, start)


def _moved(spans: Iterable[Span], by: int) -> list[Span]:
    return [(start + by, end + by) for start, end in spans]


def _in_rows(text: str, asked: Kin) -> Iterator[Span]:
    """Yield the name in a row such as "Father | Bo Lund"; none of one for both parents, which tells not who is who."""
    for row in re.finditer(rf"^(?:{asked.labels})[ ]*\|[ ]*", text, re.I | re.M):
        name, line = NAME.match(text, row.end()), text.find("\n", row.end())
        if name and (not asked.gender or not re.match(PARENT, row[0], re.I)):
            rest = text[name.end() : line if line >= 0 else len(text)]
            if not re.search(r"\w{3}", re.sub(r"\([^)]*\)", "", rest)):
                yield name.span()


def _owned(sentence: str, owner: str, kin: str) -> Iterator[Span]:
    """Yield the names behind "her father" and the like, where a pattern finds the `owner`."""
    for said in re.finditer(rf"{owner} (?:{SMALL}){{0,3}}(?:{KINDS[kin].words}){BEHIND}", sentence):
        before = sentence[: said.start()]
        # "Jan Orr's father" is not told of Ada Orr, nor is "the son of Bo Lund and his wife Ida" married.
        if "owner" in said.groupdict() and any(word[0].isupper() for word in before.split()[-1:]):
            continue
        if kin in MARRYING and OTHERS.search(before):
            continue
        if name := _name_at(sentence, said.end()):
            yield name


def _said_of(sentence: str, title: str, gender: int, asked: Kin) -> Iterator[Span]:
    """Yield the names behind "son of" and the like, where the page's subject is that."""
    bearers = rf"(?:(?:{asked.of})s?(?: and [a-z]+)?{ASIDE}" + (r" (?:born )?|born )" if asked.of == CHILD else " )")
    for said in re.finditer(rf"(?<![\w-]){bearers}(?:of|to) ", sentence):
        if _is_another(sentence[: said.start()], title, gender):
            continue
        if asked.of != CHILD:
            yield from filter(None, [_name_at(sentence, said.end())])
        else:
            yield from _parents(sentence, said.end(), asked.gender)


def _parents(sentence: str, start: int, gender: int) -> Iterator[Span]:
    """Yield which of one or two names from `start` on is the father's (-1) or mother's (1), both for 0."""
    first = _name_at(sentence, start)
    if first is None:
        return
    between = SECOND.match(sentence, first[1])
    second = _name_at(sentence, between.end()) if between else None
    said = [sentence[start : first[1]], sentence[between.start() : second[1]] if between and second else ""]
    is_she = [bool(FEMALE.search(each)) and not MALE.search(each) for each in said]
    is_mother_first = is_she[0] and not is_she[1]
    order = [second, first] if is_mother_first else [first, second]
    yield from filter(None, order if not gender else order[gender > 0 :][:1])


def _married(sentence: str, title: str) -> Iterator[Span]:
    """Yield whom the subject of a page married."""
    own = {*answer_tokens(title), "he", "she", "and", ",", "who", "they"}
    for said in MARRIED.finditer(sentence):
        name = _name_at(sentence, said.end()) if said["who"].lower() in own else None
        if name and not {*answer_tokens(sentence[slice(*name)])} <= own:
            yield name


def _name_at(text: str, start: int) -> Span | None:
    """Return the name that begins there, perhaps behind what describes it; None where a verb does not describe."""
    described = DESCRIBED.match(text, start)
    for begin in (described.end() if described else start, start):
        name = NAME.match(text, begin)
        if name and not any(are_countries([name[0]])) and not NO_NAME.search(text[start:begin]):
            return name.span()
    return None


def _is_another(before: str, title: str, gender: int) -> bool:
    """Tell whether what stands before "son of" says that somebody else than the subject of the page is that."""
    before = ASIDES.sub("", before)
    if begins := list(SUBJECT.finditer(before)):
        if begins[-1][1] and gender and SUBJECTS[begins[-1][1].lower()] != gender:
            return True
        before = before[begins[-1].end() :]
    if OTHERS.search(before):
        return True
    apposed = APPOSED.search(before)
    if apposed is None or apposed["article"]:
        return False
    return {*answer_tokens(apposed["run"])}.isdisjoint(answer_tokens(title))
