"""Features by what words mean: how near the words of candidates are to a question's, by the word vectors that ship.

Each stem of a question is matched by the nearest one of a text, and a text by
the sum of these matches by rarity (late interaction: Khattab and Zaharia 2020,
with vectors that do not depend on the context). Whole texts and sentences are
compared by the sums of their words' vectors.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.features.lexical import LexicalFeatures, weighed
from retriever.index.near_stems import indices_by_number
from retriever.session import Session
from weft.arrays.blobs import ranges
from weft.arrays.stem_table import Rows, StemTable
from weft.embedders.word_vectors import OUTLINE, word_vectors

Matrix = NDArray[np.float32]
Indices = NDArray[np.int64]


class Segments(NamedTuple):
    """Words that have a vector, in their order: those of segment i (n,) are `words[starts[i]:starts[i + 1]]`."""

    starts: Indices
    words: NDArray[np.int32]

    def most(self, values: Matrix) -> Matrix:
        """Return the greatest value of a word of each segment (n, w), of values (w, table); at least 0."""
        most = np.zeros((len(values), len(self.starts) - 1), np.float32)
        filled = np.flatnonzero(np.diff(self.starts))
        if len(filled):
            own = np.take(values, self.words, axis=1)
            most[:, filled] = np.maximum.reduceat(own, self.starts[filled], axis=1)
        return np.maximum(most, 0).T

    def total(self, rows: Matrix) -> Matrix:
        """Return the sum of the words' rows (d,) in each segment (n, d)."""
        total = np.zeros((len(self.starts) - 1, rows.shape[1]), np.float32)
        filled = np.flatnonzero(np.diff(self.starts))
        if len(filled):
            total[filled] = np.add.reduceat(np.take(rows, self.words, axis=0), self.starts[filled], axis=0)
        return total


def segments(known: NDArray[np.int32], rows: Rows, begins: Indices, sizes: Indices) -> Segments:
    """Return the words with a vector (their index by stem is `known`) among the sizes (n,) stems behind begins (n,)."""
    words = known[rows.numbers[ranges(begins, sizes)]]
    kept = words >= 0
    before = np.concatenate([[0], np.cumsum(kept)])
    return Segments(before[np.concatenate([[0], np.cumsum(sizes)])], words[kept])


class MeaningFeatures:
    """The nearness of a question's content stems (w) to what its candidates (n) say."""

    def __init__(self, session: Session, lexical: LexicalFeatures) -> None:
        self._lexical = lexical
        self._table = table = session.stem_table
        self._vectors = word_vectors()
        self._known = indices_by_number(session)
        self._sentence_rows, self._sentences = self._sentences_of(table, lexical.chunks)
        self._titles = self._segments(table.titles, lexical.pages)
        self._headings = self._segments(table.headings, lexical.own_sections)
        self._asked = self._vectors.find(stem.encode() for stem in lexical.stems)
        question = self._vectors.rows[self._asked].sum(0)
        self._question = question / max(1e-9, float(np.linalg.norm(question)))
        self._near = self._cosines_of(self._sentences.words, self._titles.words, self._headings.words)

    def columns(self) -> dict[str, Matrix]:
        """Return the columns, each (n,), by name."""
        return self._matched() | self._likeness()

    def _cosines_of(self, *said: NDArray[np.int32]) -> Matrix:
        """Return the cosines of the question's stems with all words (w, n + 1), 0 with those that nothing says."""
        cosines = np.zeros((len(self._asked), len(self._vectors.rows)), np.float32)
        is_said = np.zeros(len(self._vectors.rows), bool)
        for words in said:
            is_said[words] = True
        self._said = np.flatnonzero(is_said)
        cosines[:, self._said] = self._vectors.cosines(self._asked, self._said)
        return cosines

    @cached_property
    def titled(self) -> Matrix:
        """How near each title comes to each stem (n, w), 1 where it says it."""
        return np.maximum(self._titles.most(self._near), self._lexical.titled)

    @cached_property
    def sentences(self) -> Matrix:
        """How near each sentence comes to each stem (s, w), the sentences of one candidate after those of another."""
        return self._sentences.most(self._near)

    @cached_property
    def whole(self) -> Matrix:
        """How near each text with its title and its headings comes to each stem (n, w)."""
        whole = np.maximum(self._above, self._lexical.said)
        np.maximum.at(whole, self._sentence_rows, self.sentences)
        return whole

    @cached_property
    def _above(self) -> Matrix:
        above, below = self.titled.copy(), self._lexical.below
        above[below] = np.maximum(above[below], self._headings.most(self._near))
        return np.maximum(above, self._lexical.headed)

    def _matched(self) -> dict[str, Matrix]:
        """Return the columns of stems matched one by one; a stem that is said matches itself, with a vector or not."""
        lexical = self._lexical
        weights, open_, total = lexical.weights, lexical.open, lexical.total
        each = weighed(np.maximum(self.sentences, self.titled[self._sentence_rows]), weights)
        best = np.zeros(len(self.whole), np.float32)
        np.maximum.at(best, self._sentence_rows, each)
        return {
            "near": weighed(self.whole, weights) / total,
            "near_asked": weighed(self.whole[:, open_], weights[open_]) / lexical.total_open,
            "near_sentence": best / total,
            "near_above": weighed(self._above, weights) / total,
        }

    def _likeness(self) -> dict[str, Matrix]:
        """Return the columns of whole texts compared: the chunk, its best sentence, and what stands above it."""
        product = np.zeros(len(self._vectors.rows), np.float32)
        product[self._said] = weighed(self._vectors.rows[self._said], self._question)
        titles, headings, sentences = (
            np.hstack([each.total(self._vectors.outlines), each.total(product[:, None])])
            for each in (self._titles, self._headings, self._sentences)
        )
        above = titles.copy()
        above[self._lexical.below] += headings
        whole = above.copy()
        np.add.at(whole, self._sentence_rows, sentences)
        best = np.zeros(len(whole), np.float32)
        np.maximum.at(best, self._sentence_rows, self._cosines(sentences + titles[self._sentence_rows]))
        text, outline = self._cosines(whole), self._likeness_above()
        return {"meaning": text, "meaning_sentence": best, "meaning_above": outline, "meaning_both": text + best}

    def _likeness_above(self) -> Matrix:
        """Return the cosines (n,) of what stands above each text with the question, 0 where they are negative."""
        above = self._titles.total(self._vectors.rows)
        above[self._lexical.below] += self._headings.total(self._vectors.rows)
        squares = np.einsum("ij,ij->i", above, above)
        return np.clip(_cosines(weighed(above, self._question), squares), 0, 1)

    def _cosines(self, sums: Matrix) -> Matrix:
        """Return the cosines (n,) of texts with the question from sums of outlines and, last, of products."""
        outlines = sums[:, :OUTLINE]
        return _cosines(sums[:, -1], np.einsum("ij,ij->i", outlines, outlines) + sums[:, OUTLINE])

    def _segments(self, rows: Rows, indices: Indices) -> Segments:
        begins = rows.starts[indices]
        return segments(self._known, rows, begins, rows.starts[indices + 1] - begins)

    def _sentences_of(self, table: StemTable, chunks: Indices) -> tuple[Indices, Segments]:
        """Return the sentences of chunks, and which chunk each is of."""
        firsts = table.sentences[chunks]
        counts = table.sentences[chunks + 1] - firsts
        own = ranges(firsts, counts)
        begins = np.where(own > 0, table.sentence_ends[own - 1], 0)
        found = segments(self._known, table.texts, begins, table.sentence_ends[own] - begins)
        return np.repeat(np.arange(len(chunks)), counts), found


def _cosines(products: Matrix, squares: Matrix) -> Matrix:
    return np.asarray(products / np.sqrt(np.maximum(squares, 1e-12)), np.float32)
