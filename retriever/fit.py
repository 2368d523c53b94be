"""Whether anything of an SKB fits a question at all: a fact, not a threshold."""

from __future__ import annotations

from retriever.context import Context
from retriever.types import Query, Ranking
from weft.arrays.full_text import holds_any_word

UNFIT = "nothing fits: no text here has a word of the question, and it names nothing known; the hits are guesses"


def misfit(context: Context, query: Query, found: Ranking) -> str | None:
    """Return what to tell the user of hits that have nothing in common with the question but a similarity, else None.

    A hit fits where the question names an entity, or where any unit that may be
    ranked holds one of its words (stop words apart, unless there are no others).
    Scores that are all nothing say nothing either.
    """
    if not len(found.ids):
        return None
    if found.scores.any() and (query.mentions or _holds_a_word(context, query)):
        return None
    return UNFIT


def _holds_a_word(context: Context, query: Query) -> bool:
    return holds_any_word(context.skb.connection, f"{query.unit}_fts", query.text, query.allowed)
