"""Full-text search with BM25, over text, section path and title (entities: name, aliases, own text)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retriever.index.ties import kth_highest, leading
from retriever.session import Session
from retriever.signals.mentioned import mention_with
from retriever.types import Evidence, Ids, Query, Scores, Unit
from weft.arrays.full_text import searched_words
from weft.text.normalise import words_of
from weft.text.pairs import is_single, rejoined

LEAST = 80
"""So many are ranked at least: steps of one question ask for 20 and for 80."""


class Bm25Signal:
    """BM25 of the question's words, whichever of them a unit holds; 0 for a unit that holds none."""

    name = "bm25"

    def __init__(self, unit: Unit) -> None:
        self.unit = unit

    def propose(self, session: Session, query: Query, k: int) -> Ids:
        """Return the k units with the highest scores; none that holds no word."""
        return leading(
            session, self.unit, ("bm25", query.key),
            lambda n: best(self._scores(session, query), n, query.allowed), k, LEAST, held=query,
        )[0]  # fmt: skip

    def score(self, session: Session, query: Query, ids: Ids) -> Scores:
        """Return the score of each unit, the very one that it is proposed by."""
        return self._scores(session, query)[ids].astype(np.float32)

    def _scores(self, session: Session, query: Query) -> NDArray[np.float64]:
        """Return the score of every row of the full-text index, by its id."""
        table, words = session.postings(self.unit), query.searched
        return session.memo.of(f"bm25 {self.unit}", words, lambda: table.scores(session.skb.connection, words))

    def evidence(self, session: Session, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return the words searched for that the unit holds."""
        (row,) = session.skb.connection.execute(f"SELECT * FROM {self.unit}_text WHERE id = ?", (identity,))
        held = set(words_of(" ".join(row[1:])))
        words = [word for word in searched_words(query.searched) if holds(held, word)]
        if not words:
            return ()
        (uri,) = session.skb.uris(self.unit, [identity])
        mention = mention_with(query.question, {each for word in words for each in words_of(word)})
        score = float(self.score(session, query, np.array([identity]))[0])
        return (Evidence(self.name, "words", uri, ", ".join(rejoined(words)), score, mention),)


def best(total: NDArray[np.float64], k: int, allowed: Ids | None = None) -> tuple[Ids, Scores]:
    """Return what `search_full_text` does, from the scores of all rows by id, ranking only rows that are `allowed`."""
    ids, scores = (np.arange(len(total)), total) if allowed is None else (allowed, total[allowed])
    floor = kth_highest(scores, k) if 0 < k < len(ids) else 0.0
    top = np.flatnonzero(scores >= floor if floor > 0 else scores > 0)
    ids, scores = ids[top], scores[top]
    order = np.lexsort((ids, -scores))[: len(ids) if k > 0 else 0]
    return ids[order], scores[order].astype(np.float32)


def holds(held: set[str], word: str) -> bool:
    """Tell whether a text's words hold one of a question's; a single letter without blanks stands within words."""
    if is_single(word):
        return any(word in each for each in held)
    return held.issuperset(words_of(word))
