"""BM25 of the question's words in any of their forms, and of words of a like meaning.

A question's words are widened by those whose vectors are near (Kuzi, Shtok and
Kurland 2016 expand queries so), each as rare as the one that it stands for, by
the square of its cosine: a translation model within BM25 (Rekabsaz et al. 2016).
Every form of a stem saturates by itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.index.near_stems import Near, near_stems
from retriever.index.terms import stem_posting
from retriever.index.ties import leading
from retriever.question.reader import content_stems, plain_stems
from retriever.session import Session
from retriever.signals.bm25 import LEAST, best, holds
from retriever.signals.mentioned import mention_with
from retriever.types import Evidence, Ids, Query, Scores, Unit
from weft.text.normalise import words_of, written_words
from weft.text.pairs import rejoined
from weft.text.stems import stem


class Wording(NamedTuple):
    """A word as it is asked for, and the stems that it is found by, its own first.

    A word that is not ASCII is its own stem: the full-text index folds it in its own way.
    """

    word: str
    near: tuple[Near, ...]


class RelatedSignal:
    """BM25 of a question's stems, each found by words of a like meaning too; 0 for a unit that holds none.

    Words that an expansion adds are found by their forms alone.
    """

    name = "related"

    def __init__(self, unit: Unit) -> None:
        self.unit = unit

    def propose(self, session: Session, query: Query, k: int) -> Ids:
        """Return the k units with the highest scores; none that holds no such word."""
        return leading(
            session, self.unit, ("related", query.key),
            lambda n: best(self._scores(session, query), n, query.allowed), k, LEAST, held=query,
        )[0]  # fmt: skip

    def score(self, session: Session, query: Query, ids: Ids) -> Scores:
        """Return the score of each unit, the very one that it is proposed by."""
        return self._scores(session, query)[ids].astype(np.float32)

    def evidence(self, session: Session, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return the words that the unit holds, each with the word of the question that it stands for."""
        (row,) = session.skb.connection.execute(f"SELECT * FROM {self.unit}_text WHERE id = ?", (identity,))
        words = words_of(" ".join(row[1:]))
        held, by_stem = set(words), {stem(word): word for word in reversed(words)}
        found = {wording.word: said for wording in self._wordings(session, query)
                 if (said := _said(wording, held, by_stem)) is not None}  # fmt: skip
        if not found:
            return ()
        (uri,) = session.skb.uris(self.unit, [identity])
        score = float(self.score(session, query, np.array([identity]))[0])
        mention = mention_with(query.question, {each for word in found for each in words_of(word)})
        return (Evidence(self.name, "words", uri, ", ".join(rejoined([*found.values()])), score, mention),)

    def _scores(self, session: Session, query: Query) -> NDArray[np.float64]:
        """Return the score of every row of the full-text index, by its id."""
        key = query.question.text, query.searched
        return session.memo.of(f"related {self.unit}", key, lambda: self._computed(session, query))

    def _computed(self, session: Session, query: Query) -> NDArray[np.float64]:
        postings = session.postings(self.unit)
        total = np.zeros(postings.n_ids)
        for _, near in self._wordings(session, query):
            n_own = len(stem_posting(session, self.unit, near[0].stem).rows)
            rarity = math.log(1 + (postings.n_rows - n_own + 0.5) / (n_own + 0.5))
            for each in near:
                rows, shares = stem_posting(session, self.unit, each.stem)
                # A row stands once among those of a stem, so that this adds to each what it should.
                total[rows] += rarity * each.weight * shares
        return total

    def _wordings(self, session: Session, query: Query) -> Iterator[Wording]:
        """Yield what is searched for, the question's words first."""
        asked = _words_by_stem(query.question.text)
        near = near_stems(session, self.unit, (each for each in asked if each.isascii()))
        for each, word in (asked | _words_by_stem(query.searched)).items():
            yield Wording(asked.get(each, word), near.get(each, (Near(each, 1.0),)))


def _words_by_stem(text: str) -> dict[str, str]:
    """Return the words of a text by their stems: those that say what it is about, or all where none does."""
    words, found = written_words(text), dict[str, str]()
    for stems_of in (content_stems, plain_stems):
        for word in words:
            for each in stems_of([word]) if word.isascii() else (word.lower(),):
                found.setdefault(each, word)
        if found:
            break
    return found


def _said(wording: Wording, held: set[str], by_stem: dict[str, str]) -> str | None:
    """Return the word of a text that stands for a question's, with it where they differ; None where there is none."""
    if not wording.word.isascii():
        return wording.word if holds(held, wording.word) else None
    for place, each in enumerate(wording.near):
        said = by_stem.get(each.stem)
        if said is not None:
            return f"{said} for {wording.word}" if place else wording.word if said == wording.word.lower() else said
    return None
