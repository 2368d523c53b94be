"""The texts of hits, as they are added to a question or shown to a model."""

from __future__ import annotations

from collections.abc import Sequence

from retriever.session import Session
from retriever.types import Ids, Ranking, Unit
from weft.documents import EMBEDDED_TOKENS, Documents
from weft.text.truncation import Count, count_words, cut_text


def texts_of(session: Session, found: Ranking) -> list[str]:
    """Return the texts of hits: of a chunk its page's title before it, of an entity its document."""
    return unit_texts(session, found.unit, found.ids)


def unit_texts(session: Session, unit: Unit, ids: Ids) -> list[str]:
    """Return the texts of units, each of as many words as are embedded of a document."""
    if unit == "entity":
        documents = Documents(session.skb.connection, relations=False, budget=EMBEDDED_TOKENS)
        return [each.text for each in documents.of(ids.tolist())]
    chunks = session.skb.chunks(ids.tolist())
    pages = session.skb.pages([chunk.page_id for chunk in chunks])
    return [
        cut_text(f"{page.title}\n{chunk.text}", EMBEDDED_TOKENS) for page, chunk in zip(pages, chunks, strict=True)
    ]


def numbered(texts: Sequence[str]) -> str:
    """Return texts with a number and a blank line before each.

    >>> numbered(["Oak", "Elm"])
    '[1] Oak\\n\\n[2] Elm'
    """
    return "\n\n".join(f"[{number}] {text}" for number, text in enumerate(texts, 1))


def shares(room: int, wanted: Sequence[int]) -> list[int]:
    """Return how much of a room each of several gets: an equal share, and what those leave that want less.

    >>> shares(10, [1, 20, 4]), shares(30, [1, 20, 4])
    ([1, 5, 4], [1, 20, 4])
    """
    given = list(wanted)
    for place, number in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        given[number] = min(wanted[number], room // (len(wanted) - place))
        room -= given[number]
    return given


def fitted(texts: Sequence[str], room: int, count: Count = count_words) -> list[str]:
    """Return texts that together have at most `room` tokens, the longest ones cut."""
    given = shares(room, [count(text) for text in texts])
    return [cut_text(text, own, count) for text, own in zip(texts, given, strict=True)]
