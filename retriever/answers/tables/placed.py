"""Places: who won, or came second, by a table of results with a column of places."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retriever.answers.asked import CHOICE, Asked
from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.passages import Passage
from retriever.answers.tables.rows import Table, table_of
from retriever.answers.text.likeness import normalised
from retriever.answers.text.words import content_in, stem_of, stems_in

PLACES = (
    (1, r"w[oi]ns?|winners?|winning|victors?|champions?|(?:came|finished|placed) first|gold medal(?:list|ist)?s?"),
    (2, r"runners?-up|(?:came|finished|placed|was|were) second|second place|silver medal(?:list|ist)?s?"),
    (3, r"(?:came|finished|placed|was|were) third|third place|bronze medal(?:list|ist)?s?"),
    (4, r"(?:came|finished|placed|was|were) fourth|fourth place"),
    (5, r"(?:came|finished|placed|was|were) fifth|fifth place"),
)
ASKED = tuple((place, re.compile(rf"\b(?:{told})\b", re.I)) for place, told in PLACES)
NO_PLACE = re.compile(r"\b(?:how|most|when|where|why|times|ever|never|first to|prize|goal|toss|against|beat)\b", re.I)
"""What asks for something else than who has a place."""

PLACE = re.compile(r"\W*(?:pos(?:ition)?|place|placing|rank|rk|finish|standing)s?\W*", re.I)
NAMES = (
    "name driver rider player athlete competitor cyclist skater swimmer diver rower sailor skipper wrestler boxer"
    " gymnast singer winner yacht team club nation country noc"
).split()
"""Labels of the column that names who has a place, the likeliest first."""

PART = re.compile(
    r"\b(?:qualifying|practice|grid|heats?|semi-?finals?|quarter-?finals?|preliminar\w+|stage|leg"
    r"|(?:first|second|third|fourth|opening) round|round \d+|rounds?|day \d+)\b", re.I,
)  # fmt: skip
"""A heading above a table of the places in a part alone."""

YEAR = re.compile(r"\b[12]\d{3}\b")
WHICH = re.compile(r"\W*(?:which|what) (\w+)", re.I)
NUMBER = re.compile(r"(\d{1,3})(?:st|nd|rd|th)?[.]?")
CODE = re.compile(r"\s*\([A-Z]{2,3}\)$")
"""A country's code behind its name."""

NO_WORDS = frozenset(
    map(stem_of, "who which what whose name won win winner winning champion place second third race".split())
)
LEAST_SAID = 0.5
"""The least share of the words asked for that must stand above a table."""


def placed(asked: Asked, passages: Sequence[Passage]) -> Candidate | None:
    """Return who has the place that a question asks for, by the table of results of which most is asked, or None."""
    place = next((place for place, told in reversed(ASKED) if told.search(asked.text)), 0)
    if not place or asked.is_polar or CHOICE.search(asked.text) or NO_PLACE.search(asked.text):
        return None
    wanted = content_in(asked.text) - NO_WORDS
    best: tuple[float, Candidate] | None = None
    for index, passage in enumerate(passages):
        table = table_of(passage) if passage.kind == "table" else None
        if table is None or (PART.search(passage.heading) and not PART.search(asked.text)):
            continue
        told = {*stems_in(f"{passage.title} {passage.heading}")} & wanted
        if not {*YEAR.findall(asked.text)} <= {*YEAR.findall(f"{passage.title} {passage.heading}")}:
            continue
        share = len(told) / max(1, len(wanted - {*stems_in(" ".join(table.head))}))
        if share >= LEAST_SAID and (best is None or share > best[0]):
            found = _in_table(asked, table, passage, index, place)
            best = (share, found) if found else best
    return best[1] if best else None


def _in_table(asked: Asked, table: Table, passage: Passage, index: int, place: int) -> Candidate | None:
    """Return the name in the only row of a table with a place, None where there is none."""
    ranks = next((column for column, label in enumerate(table.head) if PLACE.fullmatch(label)), -1)
    names = _column_of_names(asked, table.head)
    if ranks < 0 or names < 0 or names == ranks:
        return None
    own = [row for row, cells in enumerate(table.rows) if _number(cells[ranks]) == place]
    if not own and not any(cells[ranks].strip() for cells in table.rows[:place]):
        # The first places may have pictures of medals.
        own = [place - 1] if place <= len(table.rows) else []
    text = CODE.sub("", table.rows[own[0]][names]).strip() if len(own) == 1 else ""
    start = passage.text.find(text, *table.spans[own[0]]) if text else -1
    return Candidate(text, normalised(text), index, start, start + len(text), NUMBERED["value"], 0) if text else None


def _number(cell: str) -> int:
    found = NUMBER.fullmatch(cell.strip())
    return int(found[1]) if found else 0


def _column_of_names(asked: Asked, head: Sequence[str]) -> int:
    """Return the column whose label is asked for, else the likeliest one of names; -1 for none."""
    labels = [label.strip().lower() for label in head]
    noun = WHICH.match(asked.text)
    wanted = {*asked.focus, stem_of(noun[1].lower()) if noun else ""}
    for column, label in enumerate(labels):
        if stem_of(label) in wanted:
            return column
    return next((labels.index(name) for name in NAMES if name in labels), -1)
