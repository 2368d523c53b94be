"""Which stems may stand for a stem of the question: those that texts say whose word vectors are near."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.context import Cache
from retriever.index.ties import kth_highest
from retriever.session import Session
from retriever.types import Unit
from weft.arrays.vectors import unit_rows
from weft.embedders.word_vectors import word_vectors
from weft.text.stems import stem

NEAREST = 9
"""How many stems a stem is found by at most, itself among them where texts say it."""

LEAST_ALIKE = 0.3
"""Cosines below this say nothing."""

MOST_STEMS = 1 << 16
"""Stems whose neighbours are kept."""


class Near(NamedTuple):
    """A stem that may stand for another, and how much it counts: the square of their cosine."""

    stem: str
    weight: float


class Said(NamedTuple):
    """The stems (n,) that units say and that have a vector: their indices by `word_vectors` and unit vectors (n, d)."""

    stems: list[str]
    indices: NDArray[np.int32]
    units: NDArray[np.float32]


def near_stems(session: Session, unit: Unit, stems: Iterable[str]) -> dict[str, tuple[Near, ...]]:
    """Return what each stem is found by, itself first, the others the nearest first; O(stems that units say) for each.

    One without a vector is found by nothing but itself.
    """
    known: Cache[str, tuple[Near, ...]] = session.part(f"near stems of {unit}", lambda opened: Cache(MOST_STEMS))
    return known.of(stems, lambda missing: _near(_said_by(session, unit), missing))


def _said_by(session: Session, unit: Unit) -> Said:
    return session.part(f"stems of {unit}", lambda opened: _said(opened, unit))


def _near(said: Said, stems: list[str]) -> Iterator[tuple[str, tuple[Near, ...]]]:
    vectors = word_vectors()
    for each, at in zip(stems, vectors.find(each.encode() for each in stems).tolist(), strict=True):
        if at < 0 or not len(said.stems):
            yield each, (Near(each, 1.0),)
            continue
        # Stem by stem, so that the bits do not depend on what is asked together.
        cosines = said.units @ unit_rows(vectors.rows[[at]])[0]
        floor = kth_highest(cosines, NEAREST) if len(cosines) > NEAREST else -1.0
        kept = np.flatnonzero((cosines >= max(LEAST_ALIKE, floor)) & (said.indices != at))
        order = kept[np.argsort(-cosines[kept], kind="stable")]
        others = (Near(said.stems[index], float(cosines[index]) ** 2) for index in order.tolist())
        yield each, (Near(each, 1.0), *others)


def _said(session: Session, unit: Unit) -> Said:
    if unit == "chunk":
        vocabulary = session.stem_table.vocabulary
        stems, found = vocabulary.text.split(b"\n")[:-1], indices_by_number(session)[vocabulary.numbers]
    else:
        words = session.postings(unit).beginning(session.skb.connection, "")
        stems = sorted({stem(word).encode() for word in words})
        found = word_vectors().find(stems)
    known = np.flatnonzero(found >= 0)
    units = unit_rows(word_vectors().rows[found[known]])
    return Said([stems[index].decode() for index in known.tolist()], found[known], units)


def indices_by_number(session: Session) -> NDArray[np.int32]:
    """Return the index of the word vector of each stem of the chunks by its number, -1 for one without."""
    return session.part("stems with word vectors", _indices_by_number)


def _indices_by_number(session: Session) -> NDArray[np.int32]:
    vocabulary = session.stem_table.vocabulary
    indices = np.full(len(vocabulary.numbers), -1, np.int32)
    indices[vocabulary.numbers] = word_vectors().find(vocabulary.text.split(b"\n")[:-1])
    return indices
