"""Names in what tells of kin: where one, or a list of them, begins behind what describes it.

>>> text = "the Vessian painter Bo van Lund, Count of Kell, and Ida"
>>> text[slice(*name_at(text, 0))], text[slice(*name_at(text, 0, several=True))]
('Bo van Lund, Count of Kell', 'Bo van Lund, Count of Kell, and Ida')
"""

from __future__ import annotations

import re

from retriever.answers.text.countries import are_countries
from retriever.answers.text.forms import CAPITAL

Span = tuple[int, int]

JOINER = (
    "of|the|de|la|le|los|du|des|del|della|der|den|di|da|dos|das|do|van|von|zu|zur|al|bin|bint|ibn|af|av|ter|ten|dal|lo|y"
)
RUN = rf"{CAPITAL}(?:[ ](?:(?:{JOINER})[ ]){{0,2}}(?:[ae]l-)?{CAPITAL})*"
NAME = re.compile(
    r"(?:(?:Rev|Capt|Col|Gen|Hon|Prof|Lt|Sgt|Adm|\d+(?:st|nd|rd|th))[.]?[ ])*"
    rf"{RUN}(?:,[ ](?:\d+(?:st|nd|rd|th)[ ])?{CAPITAL}[ ](?:of[ ](?:the[ ])?|d['’]){RUN})?"
)
"""A name, perhaps with the title behind it that tells namesakes apart: "Karl, Prince of Dune"."""

NO_NOUN = "in|at|from|for|to|and|who|whom|whose|by|with|on|as|or|that|which|when|after|before|he|she|they"
WORD = rf"(?:(?!(?:{NO_NOUN}|{JOINER})\b)[a-z][\w-]*,?[ ])"
SMALL = rf"(?:the[ ]|{WORD})"
PLAIN = re.compile(rf"(?:{SMALL}){{0,4}}")
FOREIGN = re.compile(rf"(?:{CAPITAL}[ ]){{1,2}}{WORD}{{1,4}}")
"""What may stand before a name: "the ", and "Polish nobleman " behind that."""

NO_NAME = re.compile(
    r"\b(?:\w+ed|was|is|had|became|brother|sister|nephew|niece|grand\w+|cousin|uncle|aunt|friend|son|daughter)\b"
)
"""What tells of the name behind it that it is nobody's of that kin: "her husband started"."""

ASIDE = r"(?:[ ]\([^()]{0,80}\))?"
MORE = re.compile(rf"{ASIDE}(?:,? and |, )")
"""What stands between the names of a list."""


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
        if name and not any(are_countries([name[0]])) and not NO_NAME.search(text[start:begin]):
            return name.span()
    return None
