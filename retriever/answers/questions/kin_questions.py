"""Questions for kin in other words, as "Who was the uncle of Ada Orr?"."""

from __future__ import annotations

import re

from retriever.answers.text.kind_asked import asks_person

KIN = (
    r"(?:(?:paternal|maternal|step|half-|grand|great-grand)-?\s?)*"
    r"(?:father|mother|parent|son|daughter|child|brother|sister|sibling|husband|wife|spouse|uncle|aunt|nephew|niece"
    r"|cousin)(?:-in-law)?"
)
WHICH = re.compile(
    rf"\W*(?:(?:(?:which|what) |name the )(?:[\w’'-]+ ){{0,3}}?(?P<noun>[\w’'-]+) (?:who )?(?:was|is|became)"
    rf"|who became) (?:(?:the|an?) (?P<kin>{KIN}) of (?P<whom>[^?]+?)"
    rf"|(?P<owner>[^?]+?)(?:['’]s|(?<=s)['’]) (?P<own>{KIN}))\W*", re.I,
)  # fmt: skip
"""What asks by a noun who somebody's kin is: "Which actress was the sister of Ada Orr?"."""

WHOSE = re.compile(r"\W*whose (?P<kin>son|daughter|child) (?:is|was) (?P<whom>[^?]+?)\W*", re.I)
SIDE = re.compile(
    r"\b(?P<kin>grand(?:mother|father)|uncle|aunt)(?P<of> of [^,?]+?)?,? (?:on|in|from) (?:his|her|their|the) "
    r"(?P<side>father|mother)(?:['’]s)? side\b", re.I,
)  # fmt: skip
SIDES = {"father": "paternal", "mother": "maternal"}
LONGEST = 200
"""Characters of a question that may ask so."""


def asked_for_kin(text: str) -> str:
    """Return a question for kin as one with "who" and the noun that says whom, others as they are.

    >>> asked_for_kin("Which actress was the sister of Ada Orr?"), asked_for_kin("Whose son was Bo Lund?")
    ('Who was the sister of Ada Orr?', 'Who was the parent of Bo Lund?')
    >>> asked_for_kin("Which town was the sister of Ada Orr born in?")
    'Which town was the sister of Ada Orr born in?'
    >>> asked_for_kin("Who was Ada Orr's grandmother on her father's side?")
    "Who was Ada Orr's paternal grandmother?"
    """
    if len(text) > LONGEST:
        return text
    text = SIDE.sub(lambda each: f"{SIDES[each['side'].lower()]} {each['kin']}{each['of'] or ''}", text)
    found = WHICH.fullmatch(text)
    if found and (found["noun"] is None or asks_person(found["noun"].lower())):
        return f"Who was the {found['kin'] or found['own']} of {found['whom'] or found['owner']}?"
    found = WHOSE.fullmatch(text)
    return f"Who was the parent of {found['whom']}?" if found else text
