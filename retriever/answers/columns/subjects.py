"""Of whom something is said: of whom a page is about, of a name in it, or of somebody else beside them.

>>> text = "He was born in Kell. Her mother died there; Ida, a smith, died in Leith."
>>> [is_another(text, text.index(word), Subject(("Orm",), "Orm Tove", -1)) for word in ("born", "died", "died in")]
[False, True, True]
"""

from __future__ import annotations

import re
from typing import NamedTuple

from retriever.answers.text.words import UPPER

EVERY = re.compile("")
"""Behind "she" on a page about him it is always somebody else."""

NAME = rf"[{UPPER}][\w’-]+"
ANOTHER = re.compile(
    rf"(?P<name>{NAME}(?: {NAME})*)(?: \([^()]*\))?(?:, [^,.;]{{1,60}},)? "
    r"(?:(?:was|had been|is|has been|later|then|also|who) )*$"
)
"""A name right before "died" or "was born"."""

NAMES = re.compile(rf"{NAME} (?:[a-z]+ )?{NAME}")
VERB = re.compile(r"(?:\b(?:was|were|is|be|been|has|had|and|he|she|later|then|also|now|once|first|still)\b|^|,) $")
"""What stands before "born" where it is no participle of the noun before it: "a violinist born in Kell"."""

READ = 200
SENTENCE = re.compile(r"[.;\n]\s")
SUBJECT = re.compile(r"\b(?:he|she)\b", re.I)
SEXES = {"she": 1, "he": -1}
FAR_KIN = "uncle|aunt|cousin|nephew|niece|grand(?:parent|father|mother|son|daughter|child(?:ren)?)"
"""Kin but for parents, spouses, children, brothers and sisters."""

CHILD_OF = re.compile(rf"\b(?:son|daughter|child|twin|{FAR_KIN}) of\b[^,]*")
KIN = (
    r"\b(?:(?:mother|father|parent|husband|wife|widow(?:er)?|brother|sister|son|daughter|child|children|twin"
    rf"|{FAR_KIN})s?|whose)\b"
)
OTHERS, RELATED, KINDRED = (
    re.compile(pattern, re.I) for pattern in (rf"{KIN}|\b(?:who|married|named)\b", r"\b(?:who|whose|married)\b", KIN)
)
"""What tells before "died" that it was somebody else: behind the beginning of a sentence, behind "he" or a name that a
page is about, and behind another name."""


class Subject(NamedTuple):
    """Whose life is asked about: `words` begin what it is said of, `name` is whole, `gender` 1 for she and -1 for he.

    `is_title` tells that the whole page is about it.
    """

    words: tuple[str, ...] = ()
    name: str = ""
    gender: int = 0
    is_title: bool = True


NOBODY = Subject()


def is_another(text: str, start: int, subject: Subject) -> bool:
    """Tell whether it is somebody else of whom "born" or "died" is said there: "her mother died"."""
    before = text[max(0, start - READ) : start]
    begins = _begins(before, subject)
    last = max(begins, default=0)
    clause = CHILD_OF.sub("", before[last:])
    if begins.get(last, OTHERS).search(clause):
        return True
    told = ANOTHER.search(before)
    if told and begins.get(told.end("name")) is None and not shares(told["name"], subject.name):
        return subject.name != "" and told.start() >= last
    named = NAMES.search(clause) if VERB.search(before) is None else None
    return named is not None and subject.name != "" and not shares(named[0], subject.name)


def _begins(before: str, subject: Subject) -> dict[int, re.Pattern[str]]:
    """Return where a clause may begin that is said of a subject, and what tells behind it that it is not."""
    begins = {each.end(): OTHERS for each in SENTENCE.finditer(before)}
    for each in SUBJECT.finditer(before):
        own = RELATED if subject.is_title else OTHERS
        begins[each.end()] = EVERY if SEXES[each[0].lower()] * subject.gender < 0 else own
    for word in subject.words:
        for each in re.finditer(rf"\b{re.escape(word)}\b(?!['’])", before):
            begins[each.end()] = RELATED if subject.is_title else KINDRED
    return begins


def is_of_kin(question: str, name: str) -> bool:
    """Tell whether a question asks about kin of somebody, and so not about that life.

    >>> asks = "Where was Ada Orr's second husband Bo Orr born?"
    >>> is_of_kin(asks, "Ada Orr"), is_of_kin(asks, "Bo Orr"), is_of_kin("Ada Orr's birthplace?", "Ada Orr")
    (True, False, False)
    """
    whole = re.escape(name.split(" (")[0])
    owner, of = rf"\b{whole}['’]s? (?:[\w-]+ ){{0,2}}{KIN}", rf"{KIN} of (?:[\w-]+ )?{whole}\b"
    return re.search(f"{owner}|{of}", question, re.I) is not None


def shares(name: str, other: str) -> bool:
    return not {*name.split()}.isdisjoint(other.split())
