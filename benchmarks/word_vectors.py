"""Train the word vectors that ship, with a sentence encoder as teacher.

    python -m benchmarks.word_vectors FOLDER [--output FILE] [--sentences N]

FOLDER keeps packages and the teacher's vectors, so that a stopped run goes on.
Needs the extra `minilm`, and some 20 minutes. The steps:

1. sentences of dictionaries and documentation (`word_vector_texts`), and how often they say each stem;
2. the teacher's embedding of every frequent word, and of the sentences;
3. these embeddings' principal components, of which the first --dimensions are kept;
4. a ridge regression from the stems of a sentence to its embedding, towards the words' own embeddings, shortened
   for frequent words (Arora et al. 2017): what they lack is what the sentences teach.

What is printed at the end is the mean cosine to the teacher's vectors over sentences that were kept apart.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags
from sklearn.decomposition import PCA
from sklearn.linear_model import Ridge
from tqdm import tqdm

from benchmarks.word_vector_texts import mixed, sentences
from weft.embedders.minilm import MiniLm
from weft.embedders.word_vectors import FILE, write_word_vectors
from weft.text.normalise import STOP_WORDS, words_of
from weft.text.stems import stem

Matrix = NDArray[np.float32]
WORD = re.compile(r"[a-z][a-z0-9'+.-]*")
MOST_WORDS, RAREST = 40_000, 4
FREQUENT = 1e-3
"""A word said as often as this has half the length of a rare one: the constant a of Arora et al."""

PENALTY = 1.0
HELD_OUT, BATCH = 4_000, 4_096
STOPPED = frozenset(map(stem, STOP_WORDS)) | STOP_WORDS


class Words(NamedTuple):
    """Stems (n,), how often each is said, and the teacher's embedding of its words (n, 384), of unit length."""

    stems: list[str]
    counts: NDArray[np.float64]
    vectors: Matrix


def embedded(texts: Sequence[str], path: Path) -> Matrix:
    """Return the teacher's embeddings (n, 384) of texts; those in the file are not computed again."""
    known: dict[str, Matrix] = {}
    if path.exists():
        with np.load(path) as arrays:
            known = dict(zip(arrays["texts"].tobytes().decode().split("\0"), arrays["rows"], strict=True))
    teacher, missing = MiniLm(), [text for text in dict.fromkeys(texts) if text not in known]
    for start in tqdm(range(0, len(missing), BATCH), path.name, disable=None):
        batch = missing[start : start + BATCH]
        known |= zip(batch, teacher.encode(batch).astype(np.float16), strict=True)
        data = np.frombuffer("\0".join(known).encode(), np.uint8)
        np.savez(path.with_suffix(".part.npz"), texts=data, rows=np.array(list(known.values())))
        path.with_suffix(".part.npz").replace(path)
    return np.array([known[text] for text in texts], np.float32)


def words_by_stem(texts: Sequence[str], folder: Path) -> Words:
    """Return the frequent stems of texts; a stem's vector is the mean of its words', by the root of their counts."""
    said = Counter(word for text in texts for word in words_of(text))
    frequent = [word for word, count in said.most_common() if count >= RAREST and WORD.fullmatch(word)][:MOST_WORDS]
    stems = [stem(word) for word in frequent]
    distinct = [each for each in dict.fromkeys(stems) if each not in STOPPED]
    index = {each: place for place, each in enumerate(distinct)}
    vectors, counts = np.zeros((len(distinct), 384), np.float32), np.zeros(len(distinct))
    for word, own, row in zip(frequent, stems, embedded(frequent, folder / "words.npz"), strict=True):
        if own in index:
            vectors[index[own]] += said[word] ** 0.5 * row
            counts[index[own]] += said[word]
    return Words(distinct, counts, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def counted(texts: Sequence[str], stems: Sequence[str]) -> csr_matrix:
    """Return how often each text says each stem (texts, stems)."""
    index = {each: place for place, each in enumerate(stems)}
    found = [[index[each] for word in words_of(text) if (each := stem(word)) in index] for text in texts]
    starts = np.cumsum([0, *map(len, found)])
    places = np.array([place for own in found for place in own], np.int32)
    return csr_matrix((np.ones(len(places), np.float32), places, starts), (len(texts), len(stems)))


def fitted(words: Words, counts: csr_matrix, embeddings: Matrix, components: PCA) -> Matrix:
    """Return the vectors (stems, d) whose sums approximate the components of embeddings, but for their length."""
    target = components.transform(embeddings)
    prior = (words.vectors - words.vectors.mean(0)) @ components.components_.T
    prior *= (FREQUENT / (FREQUENT + words.counts / words.counts.sum()))[:, None]
    lengths = np.linalg.norm(counts @ prior, axis=1)
    kept = lengths > 1e-6
    shares, target = diags(1 / lengths[kept]) @ counts[kept], target[kept]
    said = shares @ prior
    prior *= (target * said).sum() / (said**2).sum()
    ridge = Ridge(PENALTY, fit_intercept=False, solver="sparse_cg").fit(shares, target - shares @ prior)
    return np.asarray(prior + ridge.coef_.T, np.float32)


def cosine(vectors: Matrix, counts: csr_matrix, target: Matrix, whole: Matrix) -> float:
    """Return the mean cosine of sums of vectors to the teacher's centred embeddings, whose components are `target`."""
    sums = counts @ vectors
    lengths = np.linalg.norm(sums, axis=1) * np.linalg.norm(whole, axis=1)
    return float(((sums * target).sum(1) / np.maximum(lengths, 1e-9)).mean())


def main() -> None:
    """Train and write."""
    options = parser().parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    found = sentences(options.folder)
    words = words_by_stem([each for own in found.values() for each in own], options.folder)
    texts = list(mixed(found, options.sentences * 5 // 13, options.sentences * 2 // 13, options.sentences * 6 // 13))
    embeddings = embedded(texts, options.folder / "sentences.npz")
    counts, n = counted(texts, words.stems), len(texts) - HELD_OUT
    components = PCA(options.dimensions, svd_solver="covariance_eigh").fit(embeddings[:n])
    vectors = fitted(words, counts[:n], embeddings[:n], components)
    held_out = embeddings[n:]
    measured = cosine(vectors, counts[n:], components.transform(held_out), held_out - components.mean_)
    write_word_vectors(options.output, words.stems, vectors)
    print(f"{len(words.stems):,} stems, {n:,} sentences; cosine over {HELD_OUT:,} others: {measured:.3f}")


def parser() -> argparse.ArgumentParser:
    """Return the options."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--output", type=Path, default=FILE)
    options.add_argument("--sentences", type=int, default=65_000)
    options.add_argument("--dimensions", type=int, default=128)
    return options


if __name__ == "__main__":
    main()
