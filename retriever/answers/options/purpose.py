"""What a page about an option, a module or a command says that it is for, where it does not begin by saying so.

>>> [subject_of(title) for title in ("lampd: the lamp daemon", "lampd - lights lamps", "lampd(8)", "Lamp-lung")]
['lampd', 'lampd', 'lampd', 'Lamp-lung']
"""

from __future__ import annotations

import re

from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.passages import Passage
from retriever.answers.patterns.definitions import SENTENCE
from retriever.answers.questions.terms import term_asked
from retriever.answers.ranker import Ranked, single_candidate
from retriever.answers.reading import Reading
from retriever.answers.text.likeness import normalised
from retriever.candidates.verbatim import without_number
from weft.text.sentences import Span

TOLD = 0.8
"""The chance of what a page about a term says below such a heading or behind such a label."""

TAIL = re.compile(r":\s.*|\s[-–—]\s.*|\s*\(\d\w*\)\Z", re.S)
"""What stands behind the subject of a title: what it is, or the section of a Unix manual."""

ABOUT = re.compile(r"(?:purpose|description|overview|summary|synopsis|introduction)\W*", re.I)
LABEL = re.compile(r"^(?:purpose|description|summary|function)[ ]*:\s*", re.I | re.M)


def purpose(reading: Reading) -> Ranked | None:
    """Return the first sentence below "Purpose" or behind "Description:" on the page of what is to be explained.

    None where a question asks else, or what is read of that page begins with a sentence.
    """
    term = term_asked(reading.asked.text)
    passages = reading.passages
    own = [index for index, each in enumerate(passages) if subject_of(each.title).casefold() == term.casefold()]
    own.sort(key=lambda index: passages[index].chunk)
    if not term or not own or _sentence(passages[own[0]], passages[own[0]].bounds[0][0]):
        return None
    for index in own:
        passage = passages[index]
        if (found := _told(passage)) is not None:
            text = passage.text[slice(*found)].rstrip(" .;:")
            only = Candidate(text, normalised(text), index, found[0], found[0] + len(text), NUMBERED["clause"], 0)
            return single_candidate(reading, only, TOLD)
    return None


def subject_of(title: str) -> str:
    """Return what a page is about by its title, without what the title says of it."""
    return TAIL.sub("", title, count=1)


def _told(passage: Passage) -> Span | None:
    if passage.kind != "paragraph":
        return None
    if label := LABEL.search(passage.text):
        return _sentence(passage, label.end())
    is_below = ABOUT.fullmatch(without_number(passage.heading))
    return _sentence(passage, passage.bounds[0][0]) if is_below else None


def _sentence(passage: Passage, start: int) -> Span | None:
    """Return the rest of the sentence in which a character stands, if it is a whole one."""
    if start >= len(passage.text):
        return None
    end = passage.sentence_at(start)[1]
    return (start, end) if SENTENCE.fullmatch(passage.text, start, end) else None
