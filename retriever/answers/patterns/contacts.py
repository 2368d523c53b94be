"""Contacts: the telephone number, extension or address of what a question asks for, by a row, a line or a sentence."""

from __future__ import annotations

from retriever.answers.asked import Asked
from retriever.answers.candidates import Candidate
from retriever.answers.columns.labels import alike_to
from retriever.answers.fitting.named_forms import CONTACTS
from retriever.answers.passages import Passage
from retriever.answers.ranker import Ranked, single_candidate
from retriever.answers.reading import Reading
from retriever.answers.text.words import content_in, stem_of, stems_in

TOLD = 0.8
"""The chance of the one contact beside which all that is asked is said."""

LEAST = 0.7
"""How like it by vectors a word must be that stands for one that is asked."""

SAYS_HOW = frozenset(
    map(stem_of, "phone telephone fax mobile extension number email mail address contact call ring dial reach".split())
)
"""Stems that say what kind of contact is asked for, and not whose."""


def contact(reading: Reading) -> Ranked | None:
    """Return the contact beside which, or above which, every word is said that tells whose is asked for.

    None where several are, or only the title of a page says whose it is.
    """
    asked = reading.asked
    told = next((told for asks, told in CONTACTS if asks.search(asked.text)), None)
    wanted = content_in(asked.text) - SAYS_HOW
    if told is None or not wanted:
        return None
    found: dict[str, list[Candidate]] = {}
    for each in reading.candidates:
        if told(each.text) and _is_beside(asked, reading.passages[each.passage], each, wanted):
            found.setdefault("".join(filter(str.isalnum, each.text)), []).append(each)
    if len(found) != 1:
        return None
    return single_candidate(reading, next(iter(found.values()))[0], TOLD)


def _is_beside(asked: Asked, passage: Passage, candidate: Candidate, wanted: frozenset[str]) -> bool:
    """Tell whether a contact's sentence or row, its heading and its title say whose it is, not the title alone."""
    start, end = passage.sentence_at(candidate.start)
    own = stems_in(passage.text[start:end])
    near = _meant(asked, (*own, *stems_in(passage.heading)))
    return wanted <= near | {*stems_in(passage.title)} and bool(wanted & near)


def _meant(asked: Asked, stems: tuple[str, ...]) -> set[str]:
    """Return the stems that some others say or mean."""
    alike = alike_to(stems, asked)
    return {*stems} | {stem for stem, share in zip(asked.stems, alike.tolist(), strict=True) if share >= LEAST}
