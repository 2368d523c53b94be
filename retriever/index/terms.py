"""How rare stems are in an SKB, and the sentences of a chunk as they are written."""

from __future__ import annotations

import math
from collections.abc import Iterable

from retriever.context import Cache
from retriever.session import Session
from weft.rows import Chunk
from weft.text.sentences import sentences, spans

# Stems whose rarity is kept in memory between questions.
MOST_STEMS = 1 << 16


def rarities(session: Session, stems: Iterable[str]) -> dict[str, float]:
    """Return the rarity of each stem: log(n / df), the chunks of any word that begins with it counted."""
    known: Cache[str, float] = session.part("rarities", lambda own: Cache(MOST_STEMS))
    return known.of(stems, lambda missing: ((each, _rarity(session, each)) for each in missing))


def _rarity(session: Session, stem: str) -> float:
    frequency = session.postings("chunk").frequency(session.skb.connection, stem, prefix=len(stem) > 3)
    return math.log(1 + max(2, len(session.chunk_table.chunk_ids)) / (1 + frequency))


def written_sentences(session: Session, chunk: Chunk) -> list[str]:
    """Return the sentences of a chunk, as the builder found them, without blanks around them."""
    ends = session.skb.sentence_table.of(chunk.id)
    found = sentences(chunk.text) if ends is None else spans(chunk.text, ends)
    return [chunk.text[start:end] for start, end in found] or [chunk.text]
