"""Which embedder a name means, a user's or one that stands in a file."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from weft.embedders.base import Embedder, Fixed
from weft.errors import NotAKnowledgeBase, WeftError
from weft.http.addresses import without_secrets

OWN = frozenset({"tfidf", "lsa", "lengths"})
"""Embedders that are wholly in this package and in the SKB."""


def embedder_of(name: str) -> Embedder:
    """Return the embedder that a user names: tfidf, lsa, minilm, onnx:DIR, openai:MODEL or lengths.

    `lengths` is the public fake. Raises WeftError for other names and for
    libraries that are not installed.
    """
    kind, _, argument = name.partition(":")
    if name == "tfidf":
        from weft.embedders.tfidf import Tfidf

        return Tfidf()
    if name == "lsa":
        from weft.embedders.lsa import Lsa

        return Lsa()
    if name == "minilm":
        from weft.embedders.minilm import MiniLm

        return MiniLm()
    if kind == "onnx" and argument:
        from weft.embedders.onnx import OnnxEncoder

        return OnnxEncoder(argument)
    if kind == "openai" and argument:
        from weft.embedders.openai import OpenAiEmbedder

        return OpenAiEmbedder(argument)
    if name == "lengths":
        from weft.embedders.fake import Lengths

        return Lengths()
    raise WeftError(f"{name}: no such embedder; choose tfidf, lsa, minilm, onnx:DIR or openai:MODEL")


def embedder_on_record(name: object) -> Embedder:
    """Return the embedder that an SKB names: whoever made the file may make nothing be sent, fetched or loaded.

    One that sends texts to a service, or loads a model from a folder, refuses to
    encode unless the user named it too, in WEFT_ALLOW_EMBEDDER; a model that
    would be downloaded is used only where it is on this machine. Raise
    NotAKnowledgeBase for what is no embedder's name.
    """
    if not isinstance(name, str):
        raise NotAKnowledgeBase(f"its embedder is no name but {str(name)[:80]!r}; build it anew")
    if is_allowed(name):
        return embedder_of(name)
    if name == "minilm":
        from weft.embedders.minilm import MiniLm

        return MiniLm(may_download=False)
    if name in OWN:
        return embedder_of(name)
    return NotAllowed(name)


def is_allowed(name: str) -> bool:
    """Tell whether the user names this embedder in WEFT_ALLOW_EMBEDDER, alone or among others with commas between."""
    given = os.environ.get("WEFT_ALLOW_EMBEDDER", "")
    return bool(given) and (name == given or name in [each.strip() for each in given.split(",")])


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
            from weft.http.service import service_host

            would = f"send texts to {service_host()}"
        elif kind != "onnx":
            embedder_of(self.name)
        name = without_secrets(self.name)
        return f"{name}: the knowledge base names it, and it would {would}; WEFT_ALLOW_EMBEDDER={name} allows it"
