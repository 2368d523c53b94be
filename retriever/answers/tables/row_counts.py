"""How many rows a table has of what a question counts: "How many tunnels has the railway?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retriever.answers.asked import Asked
from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.passages import Passage
from retriever.answers.tables.whole import ASKING, Found, above, place_of, whole_table
from retriever.answers.text.likeness import normalised
from retriever.answers.text.measures import NUMERALS
from retriever.answers.text.words import content_in, stem_of, stems_in
from retriever.session import Session

HOW_MANY = re.compile(r"^\W*how many ((?:[a-z][a-z-]* ){1,2})", re.I)
DURATIONS = frozenset("days hours minutes weeks months years seconds times people percent".split())
"""What may be many without being rows: a table of opening hours has a row for a day that is closed."""

NUMERAL = rf"(?:\d[\d,]*|{'|'.join(sorted(NUMERALS - {'and'}))})"
LEAST_VERB = 4
"""Letters of a verb with which a label begins: a "Handler" handles."""


def row_count(session: Session, asked: Asked, passages: Sequence[Passage]) -> Found | None:
    """Return how many rows a table has of what a question counts; None where no table lists that.

    Every other word must be of the row, of a label or of what stands above the table. What the page's sentences say
    there are comes before.
    """
    counts = HOW_MANY.match(asked.text)
    nouns = {stem_of(word): word for word in (counts[1].split() if counts else ()) if word not in DURATIONS}
    for passage in passages if nouns else ():
        table = whole_table(session, passage)
        noun = next((stem for stem in nouns if table and stem in stems_in(table.head[0])), None)
        if table is None or noun is None:
            continue
        wanted = content_in(asked.text) - nouns.keys() - ASKING - above(passage) - _labelled(asked, table.head)
        rows = [row for row in table.rows if wanted <= {*stems_in(" ".join(row.cells))}]
        if not wanted and (said := _stated(nouns[noun], passages, passage.page)):
            return said
        if rows:
            text, (index, read) = str(len(rows)), place_of(rows[0].passage, passages)
            return Found(Candidate(text, text, index, *rows[0].span, NUMBERED["number"], 0), read)
    return None


def _labelled(asked: Asked, head: Sequence[str]) -> set[str]:
    """Return the words of a question that labels have, or with which one begins: a "Handler" handles."""
    labels, stems = {stem for label in head for stem in stems_in(label)}, content_in(asked.text)
    begun = {stem for stem in stems if len(stem) >= LEAST_VERB and any(label.startswith(stem) for label in labels)}
    return begun | (labels & stems)


def _stated(noun: str, passages: Sequence[Passage], page: int) -> Found | None:
    """Return the one number of what is counted that a page's sentences say, None where they say several or none."""
    says = re.compile(rf"(?<![\w.,])({NUMERAL}) (?:[a-z-]+ )?{re.escape(noun)}\b", re.I)
    own = [(index, each.text) for index, each in enumerate(passages) if each.page == page and each.kind == "paragraph"]
    found = [(match, index) for index, text in own for match in says.finditer(text)]
    if len({match[1].lower() for match, _ in found}) != 1:
        return None
    match, index = found[0]
    return Found(Candidate(match[1], normalised(match[1]), index, *match.span(1), NUMBERED["number"], 0), passages)
