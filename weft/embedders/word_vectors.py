"""Word vectors that ship: what English words mean, by their stems, so that "delete" is found by "remove".

They were trained for Weft (`benchmarks/word_vectors.py`): the sum of a text's
vectors approximates, but for a rotation and fewer dimensions, the embedding of
the text by a sentence encoder, which is needed for training alone (Reimers and
Gurevych 2020 train one encoder to repeat another's vectors). Frequent words
have short vectors (Arora et al. 2017), stop words none.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

OUTLINE = 48
"""Of so many first components a text's length is computed exactly; in the others, the lesser ones, words count as
orthogonal to one another."""

FILE = Path(__file__).with_suffix(".npz")


class WordVectors(NamedTuple):
    """Vectors of stems: the index of each stem, in UTF-8, in `rows` (n + 1, d); the last row is zero.

    Index -1, that of a stem without a vector, so gives zero.
    """

    indices: dict[bytes, int]
    rows: NDArray[np.float32]
    lengths: NDArray[np.float32]
    outlines: NDArray[np.float32]
    """The first OUTLINE components, and the square of the length of what the others are (n + 1, OUTLINE + 1)."""

    def find(self, stems: Iterable[bytes]) -> NDArray[np.int32]:
        """Return the index of each stem, -1 for one without a vector."""
        known = self.indices
        return np.array([known.get(stem, -1) for stem in stems], np.int32)

    def cosines(self, words: NDArray[np.int32], others: NDArray[np.integer]) -> NDArray[np.float32]:
        """Return the cosine (w, m) of each word with each of others, by index; 0 where one has no vector."""
        lengths = np.maximum(self.lengths, np.float32(1e-9))
        cosines: NDArray[np.float32] = (self.rows[words] / lengths[words, None]) @ self.rows[others].T
        cosines /= lengths[others]
        return cosines


@lru_cache(maxsize=1)
def word_vectors() -> WordVectors:
    """Read the vectors that ship: 4 MB, 15 MB in memory."""
    with np.load(FILE) as arrays:
        stems = arrays["stems"].tobytes().split(b"\n")
        rows = np.zeros((len(stems) + 1, arrays["rows"].shape[1]), np.float32)
        np.multiply(arrays["rows"], arrays["scales"][:, None], out=rows[:-1])
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    rest = np.einsum("ij,ij->i", rows[:, OUTLINE:], rows[:, OUTLINE:])
    outlines = np.column_stack([rows[:, :OUTLINE], rest])
    return WordVectors({stem: index for index, stem in enumerate(stems)}, rows, lengths, outlines)


def write_word_vectors(path: Path, stems: Iterable[str], vectors: NDArray[np.float32]) -> None:
    """Write the vectors (n, d) of stems; each component is rounded to a 127th of its row's greatest."""
    scales = np.maximum(np.abs(vectors).max(1), np.float32(1e-12)) / np.float32(127)
    rows = np.rint(vectors / scales[:, None]).astype(np.int8)
    text = np.frombuffer("\n".join(stems).encode(), np.uint8)
    np.savez(path, stems=text, rows=rows, scales=scales.astype(np.float32))
