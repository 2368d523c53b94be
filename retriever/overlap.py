"""Whether anything of an SKB fits a question at all: a fact, not a threshold."""

from __future__ import annotations

from collections.abc import Sequence

from retriever.session import Session
from retriever.types import Ids, Question, Ranking, Unit
from weft.arrays.full_text import holds_any_word

UNFIT = "nothing fits: no text here has a word of the question, and it names nothing known; the hits are guesses"
UNSCORED = "nothing ranks one hit above another: all scores are 0; the hits are guesses"

Texts = Sequence[tuple[Unit, Ids | None]]
"""Indexes of full text, each with the sorted ids of its rows that may be ranked, None for every one."""


def without_overlap(session: Session, question: Question, found: Ranking, texts: Texts) -> str | None:
    """Return what to tell the user of hits that have nothing in common with the question but a similarity, else None.

    A hit fits where the question names an entity, or where any of the `texts`
    holds one of its words (stop words apart, unless there are no others).
    Scores that are all nothing say nothing either.
    """
    if not len(found.ids):
        return None
    connection = session.skb.connection
    if question.mentions or any(holds_any_word(connection, f"{unit}_fts", question.text, ids) for unit, ids in texts):
        return None if found.scores.any() else UNSCORED
    return UNFIT
