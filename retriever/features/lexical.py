"""Lexical features: which of a question's words candidates say, in their text, their title and their headings."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retriever.candidates.link_expansion import Hops
from retriever.index.stem_finder import Found, stem_finder, weight_of
from retriever.index.terms import rarities
from retriever.question.reader import content_stems, plain_stems
from retriever.session import Session
from retriever.types import Ids, Question
from weft.text.normalise import written_words

Matrix = NDArray[np.float32]
TF_SATURATION, LENGTH_SHARE = 1.2, 0.6
"""BM25's k1 and b, over stems and against the candidates' mean length."""

SURE = 0.5
"""The pages of names as sure as this count as said already."""


class LexicalFeatures:
    """The question's content stems (w) in the texts, titles and headings of its candidates (n).

    `weights` (w,) are the stems' rarities and `open` (w,) marks those
    that no name covers.
    """

    def __init__(self, session: Session, question: Question, ids: Ids) -> None:
        chunk_table = session.chunk_table
        self.chunks = chunk_table.indices(ids)
        words = written_words(question.text)
        self.stems = content_stems(words)
        self._sequence = plain_stems(words)
        said = tuple(dict.fromkeys((*self.stems, *self._sequence)))
        weights = rarities(session, said)
        self._all_weights = np.array([weights[stem] for stem in said], np.float32)
        self.weights = self._all_weights[: len(self.stems)]
        asked = frozenset(question.asked)
        self.open = np.array([stem in asked for stem in self.stems], bool)
        self.entities = chunk_table.entities_of(chunk_table.pages[self.chunks])
        self._table = session.stem_table
        places = {stem: place for place, stem in enumerate(said)}
        self._numbers = np.array([places[stem] for stem in self._sequence], np.int64)
        self._finder = stem_finder(session, said)
        self.pages = np.searchsorted(chunk_table.page_ids, chunk_table.pages[self.chunks])
        self._sections = chunk_table.sections[self.chunks]

    @cached_property
    def _all_in_texts(self) -> Found:
        """Where the texts say any word of the question, stop words too."""
        return self._finder.in_texts(self.chunks)

    @cached_property
    def _in_texts(self) -> Found:
        found = self._all_in_texts
        content = np.flatnonzero(found.stems < len(self.stems))
        return Found(found.rows[content], found.stems[content], found.places[content])

    @cached_property
    def counts(self) -> Matrix:
        """How often each text says each stem (n, w)."""
        return self._finder.counts(self._in_texts, len(self.chunks))[:, : len(self.stems)].astype(np.float32)

    @cached_property
    def said(self) -> Matrix:
        """Whether each text says each stem (n, w)."""
        return np.minimum(self.counts, 1)

    @cached_property
    def titled(self) -> Matrix:
        """Whether each title says each stem (n, w)."""
        return self._titles[:, : len(self.stems)]

    @cached_property
    def headed(self) -> Matrix:
        """Whether the headings above each chunk say each stem (n, w); none stands above a lead."""
        headed = np.zeros((len(self.chunks), len(self.stems)), np.float32)
        headed[self.below] = self._content(self._finder.of_rows(self._table.headings, self.own_sections))
        return headed

    @cached_property
    def _titles(self) -> Matrix:
        """Whether each title says each stem of the question, stop words too (n, m)."""
        return self._finder.of_rows(self._table.titles, self.pages).astype(np.float32)

    @cached_property
    def _under(self) -> Matrix:
        """Whether the heading right above each chunk says each stem, stop words too (n, m); for a lead the title."""
        under = self._titles.copy()
        under[self.below] = self._finder.of_own_headings(self.own_sections)
        return under

    @property
    def under(self) -> Matrix:
        """Whether the heading right above each chunk says each stem (n, w), for a lead the title."""
        return self._under[:, : len(self.stems)]

    @cached_property
    def below(self) -> NDArray[np.bool_]:
        """Which chunks stand below a heading."""
        return self._sections > 0

    @cached_property
    def own_sections(self) -> NDArray[np.int64]:
        return np.searchsorted(self._table.section_ids, self._sections[self.below])

    def _content(self, flags: NDArray[np.bool_]) -> Matrix:
        return flags[:, : len(self.stems)].astype(np.float32)

    @cached_property
    def fitting(self) -> Matrix:
        """Each text's BM25 of each stem (n, w), its rarity apart."""
        starts = self._table.texts.starts
        lengths = (starts[self.chunks + 1] - starts[self.chunks]).astype(np.float32)
        usual = max(1.0, float(lengths.sum()) / max(1, len(lengths)))
        slack = TF_SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * lengths / usual)
        return (self.counts / (self.counts + slack[:, None])).astype(np.float32)

    @property
    def total(self) -> float:
        """The weight of all stems."""
        return float(self.weights.sum()) or 1.0

    @property
    def total_open(self) -> float:
        """The weight of the open stems."""
        return float(self.weights[self.open].sum()) or 1.0

    def columns(self, hops: Hops) -> dict[str, Matrix]:
        """Return the columns that follow from words alone, each (n,), by name."""
        weights, open_ = self.weights, self.open
        return {
            "cover": weighed(np.maximum(self.said, self.titled), weights) / self.total,
            "asked": weighed(self.said[:, open_], weights[open_]) / self.total_open,
            "title_cover": weighed(self.titled, weights) / self.total,
            "title_share": self.titled.sum(1) / np.maximum(1, self._title_sizes()),
            "title_asked": weighed(self.titled[:, open_], weights[open_]) / self.total_open,
            "heading": weighed(self.headed, weights) / self.total,
            **self._headings(),
            "phrase": self._phrases(),
            "opening": weighed(self._openings(), weights) / self.total,
            "stems": weighed(self.fitting, weights),
            "stems_asked": weighed(self.fitting[:, open_], weights[open_]),
            "best_sentence": self._best_sentences() / np.float32(self.total),
            "gain": self._gain(hops),
            "rest": self.rest(hops),
            "has_number": self._table.has_number[self.chunks].astype(np.float32),
            "has_year": self._table.has_year[self.chunks].astype(np.float32),
        }

    def rest(self, hops: Hops) -> Matrix:
        """Return the share (n,) that a text says of what its page is asked for.

        That is the open question, less what the link that leads to the page says already.
        """
        asked = np.tile(self.open, (len(self.chunks), 1))
        is_reached, hop = hops.first.at(self.entities)
        asked[is_reached] &= ~self._finder.of_sentences(hops.first.sentences[hop])[:, : len(self.stems)]
        share = weighed(self.said * asked, self.weights) / np.maximum(1e-6, weighed(asked, self.weights))
        return np.asarray(share, np.float32)

    def completing(self, best: NDArray[np.int64], chance: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the most of the question (n,) that each candidate says and one of the best does not, as a share."""
        said = np.maximum(self.said, self.titled) > 0
        gain: NDArray[np.float64] = np.zeros(len(said))
        for index in best.tolist():
            unmet = ~said[index]
            gain = np.maximum(gain, chance[index] * weighed(said[:, unmet], self.weights[unmet].astype(np.float64)))
        return gain / self.total

    def _gain(self, hops: Hops) -> Matrix:
        """Return the share of the open question that a text says and no page that is named."""
        named = np.array([hops.named.get(entity, 0.0) for entity in self.entities.tolist()]) >= SURE
        unmet = self.open & (self.said[named].max(0, initial=0) == 0)
        return np.asarray(weighed(self.said[:, unmet], self.weights[unmet]) / self.total_open, np.float32)

    def _best_sentences(self) -> Matrix:
        """Return the most that one sentence of each text and its title say together of the question."""
        titled, weights = self.titled > 0, self.weights.tolist()
        best = weight_of(titled, weights)
        found = self._in_texts
        sentences = np.searchsorted(self._table.sentence_ends, found.places, side="right")
        _, first, back = np.unique(sentences, return_index=True, return_inverse=True)
        rows = found.rows[first]
        said = titled[rows]
        said[back, found.stems] = True
        np.maximum.at(best, rows, weight_of(said, weights))
        return best.astype(np.float32)

    def _headings(self) -> dict[str, Matrix]:
        """Return how much of the question the heading above a chunk says, with the title too, and its share in that.

        `under_like` is the likeness of the question to the heading, or to title
        and heading together where that is greater: the share of the question
        that is said times the share that it says of what is above.
        """
        under = weighed(self.under, self.weights) / self.total
        both = weighed(np.maximum(self.under, self.titled), self.weights) / self.total
        sizes, titles = self._under_sizes(), self._title_sizes()
        share = self._under.sum(1) / np.maximum(1, sizes)
        joint = (self._under.sum(1) + self._titles.sum(1)) / np.maximum(1, sizes + titles)
        like = np.maximum(under * share, both * joint)
        return {"under": under, "under_share": share, "under_title": both, "under_like": like}

    def _openings(self) -> Matrix:
        """Return which stems the first sentence of each text says (n, w)."""
        firsts = self._table.sentences[self.chunks]
        some = self._table.sentences[self.chunks + 1] > firsts
        said = np.zeros((len(self.chunks), len(self.stems)), np.float32)
        said[some] = self._content(self._finder.of_sentences(firsts[some]))
        return said

    def _phrases(self) -> Matrix:
        """Return how much of the question each text says in its order: words that stand side by side, by weight."""
        n_stems, weights, sequence = self._finder.n_stems, self._all_weights, self._numbers
        pairs = np.unique(sequence[:-1] * n_stems + sequence[1:])
        if not len(pairs):
            return np.zeros(len(self.chunks), np.float32)
        rarity = weights[pairs // n_stems] + weights[pairs % n_stems]
        rows, stems, places = self._all_in_texts
        beside = np.flatnonzero((np.diff(places) == 1) & (np.diff(rows) == 0))
        met = stems[beside].astype(np.int64) * n_stems + stems[beside + 1]
        found = np.minimum(np.searchsorted(pairs, met), len(pairs) - 1)
        known = pairs[found] == met
        said = np.zeros((len(self.chunks), len(pairs)), np.float32)
        said[rows[beside[known]], found[known]] = 1
        return np.asarray(weighed(said, rarity) / float(rarity.sum() or 1.0), np.float32)

    def _under_sizes(self) -> Matrix:
        sizes = self._title_sizes()
        sizes[self.below] = self._table.own_sizes[self.own_sections]
        return sizes

    def _title_sizes(self) -> Matrix:
        starts = self._table.titles.starts
        return (starts[self.pages + 1] - starts[self.pages]).astype(np.float32)


def lexical_features(session: Session, question: Question, ids: Ids) -> LexicalFeatures:
    """Return the lexical features of a question's candidates, which both passes of a ranking read."""
    key = question.key, ids.tobytes()
    return session.memo.of("lexical features", key, lambda: LexicalFeatures(session, question, ids))


def weighed(said: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
    """Return the weight (n,) of what each row says (n, w).

    BLAS may read beyond a short row; numpy then warns of numbers that no result holds.
    """
    with np.errstate(invalid="ignore"):
        total: NDArray[Any] = said @ weights
    return total
