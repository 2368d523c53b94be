"""Full-text search with BM25, over text, section path and title (entities: name, aliases, own text)."""

from __future__ import annotations

import numpy as np

from retriever.context import Context
from retriever.index.ties import first
from retriever.signals.mentioned import mention_with
from retriever.types import Evidence, Ids, Query, Scores, Unit
from weft.arrays.full_text import searched_words
from weft.arrays.postings import Postings
from weft.text.normalise import words_of
from weft.text.pairs import is_single, rejoined


class Bm25Signal:
    """BM25 of the question's words, whichever of them a unit holds; 0 for a unit that holds none."""

    name = "bm25"

    def __init__(self, context: Context, unit: Unit) -> None:
        self.context = context
        self.unit = unit

    @property
    def postings(self) -> Postings:
        """The full-text index as arrays."""
        table = f"{self.unit}_fts"
        return self.context.part(f"postings {table}", lambda own: Postings(own.skb.connection, table))

    def propose(self, query: Query, k: int) -> Ids:
        """Return the k units with the highest scores; none that holds no word."""
        return first(self.context, self.unit, self.postings.best(query.text, k, query.allowed), k)[0]

    def score(self, query: Query, ids: Ids) -> Scores:
        """Return the score of each unit, the very one that it is proposed by."""
        return self.postings.scores(query.text)[ids].astype(np.float32)

    def evidence(self, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return the words of the question that the unit holds."""
        (row,) = self.context.skb.connection.execute(f"SELECT * FROM {self.unit}_text WHERE id = ?", (identity,))
        held = set(words_of(" ".join(row[1:])))
        words = [word for word in searched_words(query.text) if _holds(held, word)]
        if not words:
            return ()
        (uri,) = self.context.skb.uris(self.unit, [identity])
        mention = mention_with(query, {each for word in words for each in words_of(word)})
        score = float(self.score(query, np.array([identity]))[0])
        return (Evidence(self.name, "words", uri, ", ".join(rejoined(words)), score, mention),)


def _holds(held: set[str], word: str) -> bool:
    """Tell whether a text's words hold one of a question's; a single letter without blanks stands within words."""
    if is_single(word):
        return any(word in each for each in held)
    return held.issuperset(words_of(word))
