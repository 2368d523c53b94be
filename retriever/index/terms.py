"""How rare stems are in an SKB and which rows hold them, and the sentences of a chunk as they are written."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from retriever.context import Cache
from retriever.session import Session
from retriever.types import Unit
from weft.arrays.postings import Posting
from weft.arrays.shared import Recent
from weft.rows import Chunk
from weft.text.sentences import sentences, spans
from weft.text.stems import ENDING, IRREGULAR_FORMS, SHORTEST, beginning_of, stem

# Stems whose rarity is kept in memory between questions.
MOST_STEMS = 1 << 16
MOST_ROWS, OVERHEAD = 6_000_000, 40
"""Rows of stems that are kept, 12 bytes each, and how many a stem itself counts as. Those not asked for the longest are
dropped beyond."""

NO_ROWS = Posting(np.empty(0, np.int32), np.empty(0))


def rarities(session: Session, stems: Iterable[str]) -> dict[str, float]:
    """Return the rarity of each stem: log(n / df), the chunks that hold any of its forms counted."""
    known: Cache[str, float] = session.part("rarities", lambda own: Cache(MOST_STEMS))
    return known.of(stems, lambda missing: ((each, _rarity(session, each)) for each in missing))


def _rarity(session: Session, own: str) -> float:
    if own.isascii():
        frequency = len(stem_posting(session, "chunk", own).rows)
    else:
        # The index folds letters in a way of its own, so that forms cannot be told by their letters.
        frequency = session.postings("chunk").frequency(session.skb.connection, own, prefix=len(own) > SHORTEST)
    return math.log(1 + max(2, len(session.chunk_table.chunk_ids)) / (1 + frequency))


def written_sentences(session: Session, chunk: Chunk) -> list[str]:
    """Return the sentences of a chunk, as the builder found them, without blanks around them."""
    return [chunk.text[start:end] for start, end in sentence_spans(session, chunk)] or [chunk.text]


def sentence_spans(session: Session, chunk: Chunk) -> list[tuple[int, int]]:
    """Return where the sentences of a chunk begin and end."""
    ends = session.skb.sentence_table.of(chunk.id)
    return list(sentences(chunk.text) if ends is None else spans(chunk.text, ends))


def stem_posting(session: Session, unit: Unit, own: str) -> Posting:
    """Return the rows that hold a word of a stem, and what its words add to their scores but for the rarity."""
    kept: Recent[str, Posting] = session.part(
        f"postings of stems in {unit}", lambda opened: Recent(MOST_ROWS, lambda posting: OVERHEAD + len(posting.rows))
    )
    return kept.of(own, lambda: _read(session, unit, own))


def _read(session: Session, unit: Unit, own: str) -> Posting:
    postings, connection = session.postings(unit), session.skb.connection
    spelt = len(own) >= SHORTEST and own.isascii()
    forms = _forms(postings.beginning(connection, beginning_of(own)), own) if spelt else [own]
    found = [each for form in forms if len((each := postings.saturated(connection, form)).rows)]
    if len(found) < 2:
        return found[0] if found else NO_ROWS
    rows, shares = (np.concatenate(each) for each in zip(*found, strict=True))
    rows, inverse = np.unique(rows, return_inverse=True)
    return Posting(rows.astype(np.int32), np.bincount(inverse, shares, len(rows)).astype(np.float64))


def _forms(begin: Iterable[str], own: str) -> list[str]:
    """Return the words of a stem, of those that begin with `beginning_of` it and of the irregular ones."""
    length = len(beginning_of(own))
    regular = (word for word in begin if ENDING.fullmatch(word, length) and stem(word) == own)
    return list(dict.fromkeys((*regular, *IRREGULAR_FORMS.get(own, ()))))
