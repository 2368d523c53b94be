"""Whole names: where the best candidate is a part of a name, the name is the answer.

"M. Orr" of "Grace M. Orr", and "North Tammel" of "North Tammel River"; not "Bo Lund" of "Bo Lund House", where somebody
is asked for, nor a name behind a title.
"""

from __future__ import annotations

import re

from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.hops.kin.names import is_honorific
from retriever.answers.ranker import Ranked
from retriever.answers.text.countries import are_countries
from retriever.answers.text.lexicon.hypernyms import senses_of
from retriever.answers.text.words import FUNCTION

PART_ASKED = re.compile(r"\b(?:first|last|given|family|middle|sur|maiden)[ -]?names?\b|\bsurname|\bnickname", re.I)
INITIAL = re.compile(r"[^\W\d_]\. ")


def with_whole_name(found: Ranked) -> Ranked:
    """Return a reading whose best candidate is the whole of a name of which it lacks one word."""
    part, reading = found.candidate, found.reading
    if part.form != NUMBERED["name"] or part.end <= part.start or PART_ASKED.search(reading.asked.text):
        return found
    text, is_who = reading.passages[part.passage].text, reading.asked.kind == "person"
    for index, each in enumerate(reading.candidates):
        if each.passage == part.passage and each.form == part.form and _is_whole(text, each, part, is_who=is_who):
            return found._replace(best=index)
    return found


def _is_whole(text: str, whole: Candidate, part: Candidate, *, is_who: bool) -> bool:
    if not (whole.start <= part.start < part.end <= whole.end):
        return False
    before, behind = text[whole.start : part.start].split(), text[part.end : whole.end].split()
    if len(before) + len(behind) != 1:
        return False
    (word,) = (*before, *behind)
    if behind:
        # "Kell University" is whole without "College".
        last = part.text.split()[-1]
        is_cut = not senses_of(last.lower()) or any(are_countries([last]))
        return not is_who and is_cut and word.isalpha() and bool(senses_of(word.lower()))
    if not is_who or not word.isalpha() or word.lower() in FUNCTION or any(are_countries([word])):
        return False
    if INITIAL.match(part.text):
        return not is_honorific(word)
    return " " not in part.text and not senses_of(word.lower())
