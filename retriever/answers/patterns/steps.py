"""Steps: what to do, by the list below a heading that says what a question asks, or by a sentence for just that case.

"How do I load the kiln?" is answered by all steps below "How to load the kiln", and "What should I do if a pot
explodes?" by all that stands behind "If a pot explodes,".
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

import numpy as np

from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.passages import Passage
from retriever.answers.ranker import Ranked, single_candidate
from retriever.answers.reading import Reading
from retriever.answers.tables.rows import table_of
from retriever.answers.text.lexicon.meanings import meant, vectors_of
from retriever.answers.text.likeness import normalised
from retriever.answers.text.words import content_in, stem_of, stems_in
from weft.text.sentences import Span

HOW = re.compile(
    r"\W*(?:how (?:do|can|could|should|must|would|does|to)\b|what are the steps\b"
    r"|[^?]{3,120}[,;.] what (?:now|next|(?:can|do|must|should) (?:I|we) do)\W*$)", re.I,
)  # fmt: skip
WHAT_IF = re.compile(
    r"\W*what (?:(?:can|do|does|must|shall|should|to|would)\b[^?]{0,40}?\b(?:do|be done)|happens)"
    r" (?:if|when|in case of|in the event of|(?<!happens )for)\s+(?P<case>[^?]+)", re.I,
)  # fmt: skip
IF = re.compile(
    r"\W*(?:If|When|Whenever|For|In case of|In the event of)\s+(?P<case>[^,;:]{2,120}),\s+(?P<then>.+)", re.S
)
REMEDY = re.compile(r"\b(?:what (?:to|you can) do|remed(?:y|ies)|solutions?|actions?|fix|cure)\b", re.I)
"""The label of a column that tells what is to be done in the case of its row."""

CODE, HAPPENS = re.compile(r"[A-Za-z]{1,4}[- ]?\d{1,5}[A-Za-z]?"), re.compile(r"\W*what happens\b", re.I)
ASKING = frozenset(map(stem_of, ("step", "properly", "correctly", "best", "do", "case", "event", "happen", "there")))
MOST_TOLD = 600
"""Characters of a paragraph that is told whole, below a heading for the case that is asked about."""

ALIKE = 0.62
"""How like what a heading says to do a verb must be: above what tightening is like loosening."""

TOLD = 0.8
"""The chance of steps below a heading, or for a case, that says all that is asked, with its page's title."""


def steps(reading: Reading) -> Ranked | None:
    """Return the list or the rest of a sentence that tells what a question asks how to do; None where nothing does."""
    text = reading.asked.text
    case = WHAT_IF.match(text)
    wanted = content_in(case["case"] if case else text) - ASKING
    if not wanted or not (case or HOW.match(text)):
        return None
    deed = next((stem for stem in stems_in(text) if stem in wanted), "")
    for index, passage in enumerate(reading.passages):
        heading = {*stems_in(passage.heading)}
        other = wanted - heading - {*stems_in(passage.title)}
        if not wanted & heading or (other and not (other == {deed} and _is_alike(deed, heading - wanted))):
            continue
        is_short = passage.kind == "paragraph" and len(passage.text) <= MOST_TOLD
        if case and is_short and content_in(passage.heading) - ASKING <= wanted:
            return _alone(reading, passage.text.rstrip(" ."), index, passage.bounds[0])
        if passage.kind == "list":
            lines = [line.strip() for line in passage.text.split("\n") if line.strip()]
            told = " ".join(line if line[-1] in ".!?;:" else f"{line};" for line in lines).rstrip(";")
            return _alone(reading, told, index, passage.bounds[0])
    if case is None:
        return None
    remedy = None if HAPPENS.match(text) else _remedy(reading, wanted)
    return remedy or _for_case(reading, wanted, reading.passages)


def _remedy(reading: Reading, wanted: Set[str]) -> Ranked | None:
    """Return what a table of errors tells to do in the row of a case: by its code, or by a cell that says all of it."""
    for index, passage in enumerate(reading.passages):
        table = table_of(passage)
        column = next((at for at, label in enumerate(table.head) if REMEDY.search(label)), 0) if table else 0
        above = {*stems_in(passage.title), *stems_in(passage.heading)}
        for cells, span in zip(table.rows, table.spans, strict=True) if table and column else ():
            said = {*stems_in(" ".join(cells[:column]))}
            is_said = bool(wanted & said) and wanted <= said | above
            is_code = CODE.fullmatch(cells[0].strip()) is not None and {*stems_in(cells[0])} <= wanted
            if cells[column].strip() and (is_said or is_code):
                return _alone(reading, cells[column].strip(), index, span)
    return None


def _is_alike(deed: str, others: Set[str]) -> bool:
    """Tell whether a word means nearly the same as one of others: to change, where to replace is asked."""
    words = tuple(sorted(others))
    likes = meant(words, vectors_of(words), (deed,), vectors_of((deed,))) if words else np.zeros(1)
    return bool(likes.max() >= ALIKE)


def _for_case(reading: Reading, wanted: Set[str], passages: Sequence[Passage]) -> Ranked | None:
    """Return what a sentence says is to be done or happens in a case, of which it says no less and hardly more."""
    for index, passage in enumerate(passages):
        for start, end in passage.bounds:
            said = IF.match(passage.text, start, end)
            own = content_in(said["case"]) - ASKING if said else frozenset[str]()
            if said and wanted <= own | {*stems_in(passage.title)} and wanted & own and len(own) <= len(wanted) + 1:
                return _alone(reading, said["then"].rstrip(" .;"), index, said.span("then"))
    return None


def _alone(reading: Reading, text: str, passage: int, span: Span) -> Ranked:
    key = normalised(text)
    return single_candidate(reading, Candidate(text, key, passage, *span, NUMBERED["clause"], 0), TOLD)
