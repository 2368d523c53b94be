"""Make the vectors of stems by which `weft ask` tells words of like meaning.

    WEFT_MINILM=FOLDER python -m benchmarks.meanings [--output retriever/answers/text/meanings.npz]

Needs the extra `minilm`; FOLDER holds all-MiniLM-L6-v2. The words are those of the model's vocabulary, three letters
and more of plain ASCII, without `FUNCTION`. Each is embedded by itself; a stem has the mean of its first words.
The mean of all is taken off, the first components are kept, and rows are scaled to unit length.
"""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retriever.answers.text.meanings import FILE
from retriever.answers.text.words import FUNCTION
from weft.embedders.minilm import MiniLm
from weft.text.stems import stem

DIMENSIONS, MOST_WORDS = 96, 4


def words_by_stem(vocabulary: Path) -> dict[str, list[str]]:
    """Return the words of a vocabulary file, a line each, by their stems."""
    found: dict[str, list[str]] = {}
    for word in vocabulary.read_text(encoding="utf-8").split("\n"):
        if re.fullmatch("[a-z]{3,}", word) and word not in FUNCTION:
            found.setdefault(stem(word), []).append(word)
    return found


def shortened(rows: NDArray[np.float32], dimensions: int) -> NDArray[np.int8]:
    """Return the first principal components of rows, of unit length, as 127ths."""
    centred = rows - rows.mean(0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    short = centred @ directions[:dimensions].T
    short /= np.linalg.norm(short, axis=1, keepdims=True)
    return np.round(short * 127).astype(np.int8)


def main() -> None:
    """Embed the words and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=FILE)
    options = parser.parse_args()
    by_stem = words_by_stem(Path(os.environ["WEFT_MINILM"]) / "vocab.txt")
    chosen = [words[:MOST_WORDS] for words in by_stem.values()]
    embedded = MiniLm().encode([word for words in chosen for word in words])
    starts = np.cumsum([0, *map(len, chosen)])[:-1]
    means = np.add.reduceat(embedded, starts, axis=0) / np.array([[len(words)] for words in chosen], np.float32)
    stems = np.frombuffer("\n".join(by_stem).encode(), np.uint8)
    np.savez_compressed(options.output, stems=stems, vectors=shortened(means, DIMENSIONS))
    print(f"{options.output}: {len(by_stem)} stems")


if __name__ == "__main__":
    main()
