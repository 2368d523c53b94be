"""Full-text search with BM25, over text, section path and title (entities: name, aliases, own text)."""

from __future__ import annotations

import numpy as np

from retriever.context import Context
from retriever.signals.mentioned import mention_with
from retriever.signals.order import first
from retriever.types import Evidence, Ids, Query, Scores, Unit
from weft.full_text import scores_of, search_full_text, searched_words
from weft.text import words_of


class Bm25:
    """BM25 of the question's words, whichever of them a unit holds; 0 for a unit that holds none."""

    name = "bm25"

    def __init__(self, context: Context, unit: Unit) -> None:
        self.context = context
        self.unit = unit
        self._last: tuple[str, Ids, Scores] = ("", np.empty(0, np.int64), np.empty(0, np.float32))

    def propose(self, query: Query, k: int) -> Ids:
        """Return the k units with the highest scores; none that holds no word."""
        table = f"{self.unit}_fts"
        found, scores = search_full_text(self.context.skb.connection, table, query.text, k, query.allowed)
        order = np.argsort(found)
        self._last = (query.text, found[order], scores[order])
        return first(self.context, self.unit, (found, scores), k)[0]

    def score(self, query: Query, ids: Ids) -> Scores:
        """Return the score of each unit, the very one that it is proposed by."""
        text, found, scores = self._last
        if text == query.text and np.isin(ids, found).all():
            return scores[np.searchsorted(found, ids)]
        return scores_of(self.context.skb.connection, f"{self.unit}_fts", query.text, ids)

    def evidence(self, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return the words of the question that the unit holds."""
        (row,) = self.context.skb.connection.execute(f"SELECT * FROM {self.unit}_text WHERE id = ?", (identity,))
        held = set(words_of(" ".join(row[1:])))
        words = [word for word in searched_words(query.text) if held.issuperset(words_of(word))]
        if not words:
            return ()
        (uri,) = self.context.skb.uris(self.unit, [identity])
        mention = mention_with(query, {each for word in words for each in words_of(word)})
        score = float(self.score(query, np.array([identity]))[0])
        return (Evidence(self.name, "words", uri, ", ".join(words), score, mention),)
