"""BM25 of the question's words in any of their forms, and of words of a like meaning.

A question's words are widened by those whose vectors are near (Kuzi, Shtok and
Kurland 2016 expand queries so), each as rare as the one that it stands for, by
the square of its cosine: a translation model within BM25 (Rekabsaz et al. 2016).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.context import Cache
from retriever.index.ties import kth_highest, leading
from retriever.question.reader import content_stems
from retriever.session import Session
from retriever.signals.bm25 import LEAST, best
from retriever.signals.mentioned import mention_with
from retriever.types import Evidence, Ids, Query, Scores, Unit
from weft.arrays.postings import Posting
from weft.arrays.shared import Recent
from weft.arrays.vectors import unit_rows
from weft.embedders.word_vectors import word_vectors
from weft.text.normalise import words_of, written_words
from weft.text.stems import IRREGULAR, stem

NEAREST = 9
"""How many stems a stem of the question is found by, itself among them."""

LEAST_ALIKE = 0.3
"""Cosines below this say nothing."""

LONGEST_ENDING = 7
"""Letters that a word has beyond its stem at most: a doubled one and the longest suffix."""

MOST_STEMS = 1 << 16
"""Stems whose neighbours are kept."""

MOST_ROWS = 6_000_000
"""Rows of stems that are kept, 12 bytes each. Those not asked for the longest are dropped beyond."""

NO_ROWS = Posting(np.empty(0, np.int32), np.empty(0))


class Near(NamedTuple):
    """A stem that may stand for another, and how much it counts, 0 to 1."""

    stem: str
    weight: float


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
        held = {stem(word): word for word in words_of(" ".join(row[1:]))}
        asked = {stem(word): word for word in words_of(query.searched)}
        found = []
        for own, near in _wordings(session, query):
            said = next((each.stem for each in near if each.stem in held), None)
            if said is not None:
                found.append(held[said] if said == own else f"{held[said]} for {asked[own]}")
        if not found:
            return ()
        (uri,) = session.skb.uris(self.unit, [identity])
        score = float(self.score(session, query, np.array([identity]))[0])
        mention = mention_with(query.question, {*asked.values()})
        return (Evidence(self.name, "words", uri, ", ".join(found), score, mention),)

    def _scores(self, session: Session, query: Query) -> NDArray[np.float64]:
        """Return the score of every row of the full-text index, by its id."""
        key = query.question.text, query.searched
        return session.memo.of(f"related {self.unit}", key, lambda: self._computed(session, query))

    def _computed(self, session: Session, query: Query) -> NDArray[np.float64]:
        postings = session.postings(self.unit)
        total = np.zeros(postings.n_ids)
        for own, near in _wordings(session, query):
            n_own = len(_posting(session, self.unit, own).rows)
            rarity = math.log(1 + (postings.n_rows - n_own + 0.5) / (n_own + 0.5))
            for each in near:
                rows, shares = _posting(session, self.unit, each.stem)
                # A row stands once among those of a stem, so that this adds to each what it should.
                total[rows] += rarity * each.weight * shares
        return total


def _wordings(session: Session, query: Query) -> Iterator[tuple[str, tuple[Near, ...]]]:
    """Yield each stem that is searched for with those that may stand for it, itself first."""
    asked = content_stems(written_words(query.question.text))
    known: Cache[str, tuple[Near, ...]] = session.part("stems of a like meaning", lambda own: Cache(MOST_STEMS))
    near = known.of(asked, lambda missing: _near(session, missing))
    for each in dict.fromkeys((*asked, *content_stems(written_words(query.searched)))):
        yield each, near.get(each, (Near(each, 1.0),))


def _near(session: Session, stems: Iterable[str]) -> Iterator[tuple[str, tuple[Near, ...]]]:
    """Yield stems with those that texts say whose vectors are nearest, and that may stand for them."""
    said, vectors = session.part("vectors of stems", _said), word_vectors()
    words = [*stems]
    found = vectors.find(each.encode() for each in words)
    units = unit_rows(vectors.rows[found]) @ said.units.T
    for each, at, cosines in zip(words, found.tolist(), units, strict=True):
        floor = kth_highest(cosines, NEAREST) if len(cosines) > NEAREST else -1.0
        best = np.flatnonzero(cosines >= max(LEAST_ALIKE, floor))
        others = (index for index in best.tolist() if said.indices[index] != at)
        yield each, (Near(each, 1.0), *(Near(said.stems[index], float(cosines[index]) ** 2) for index in others))


class Said(NamedTuple):
    """The stems (n,) that texts say and that have a vector: their indices by `word_vectors` and unit vectors (n, d)."""

    stems: list[str]
    indices: NDArray[np.int32]
    units: NDArray[np.float32]


def _said(session: Session) -> Said:
    stems = session.stem_table.vocabulary.text.split(b"\n")[:-1]
    found = word_vectors().find(stems)
    known = np.flatnonzero(found >= 0)
    units = unit_rows(word_vectors().rows[found[known]])
    return Said([stems[index].decode() for index in known.tolist()], found[known], units)


def _posting(session: Session, unit: Unit, own: str) -> Posting:
    """Return the rows that hold a word of a stem, and what its words add to their scores but for the rarity."""
    kept: Recent[str, Posting] = session.part(
        f"postings of stems in {unit}", lambda own: Recent(MOST_ROWS, lambda posting: 1 + len(posting.rows))
    )
    return kept.of(own, lambda: _read(session, unit, own))


def _read(session: Session, unit: Unit, own: str) -> Posting:
    postings, connection = session.postings(unit), session.skb.connection
    found = [postings.saturated(connection, form) for form in _forms(postings.beginning(connection, own), own)]
    if len(found) == 1:
        return found[0]
    rows, shares = (np.concatenate(each) for each in zip(NO_ROWS, *found, strict=True))
    rows, inverse = np.unique(rows, return_inverse=True)
    return Posting(rows.astype(np.int32), np.bincount(inverse, shares, len(rows)).astype(np.float64))


def _forms(begin: Iterable[str], own: str) -> tuple[str, ...]:
    """Return the words of a stem among those that begin with it; the full-text index itself cuts what is not ASCII."""
    if not own.isascii():
        return (own,)
    regular = (word for word in begin if len(word) <= len(own) + LONGEST_ENDING and stem(word) == own)
    return tuple(dict.fromkeys((*regular, *(word for word, other in IRREGULAR.items() if other == own))))
