"""Sentence encoders exported to ONNX, without torch (extra `onnx`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft.arrays.vectors import unit_rows
from weft.embedders.base import Fixed
from weft.errors import WeftError

# As sentence-transformers cuts texts and batches, so that vectors agree with its own.
BATCH = 32
MOST_TOKENS = 256


class OnnxEncoder(Fixed):
    """A folder with `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`; tokens are mean-pooled.

    A model that gives `sentence_embedding` itself is taken at its word.
    """

    def __init__(self, folder: str) -> None:
        self.name = f"onnx:{folder}"
        root = Path(folder)
        models = [path for path in (root / "model.onnx", root / "onnx" / "model.onnx") if path.is_file()]
        if not models or not (root / "tokenizer.json").is_file():
            raise WeftError(f"{folder}: must hold model.onnx and tokenizer.json")
        try:
            from onnxruntime import InferenceSession
            from tokenizers import Tokenizer
        except ImportError as error:
            raise WeftError("onnx needs onnxruntime and tokenizers: pip install 'weft[onnx]'") from error
        self._session: Any = InferenceSession(str(models[0]), providers=["CPUExecutionProvider"])
        self._inputs = {each.name for each in self._session.get_inputs()}
        self._outputs = [each.name for each in self._session.get_outputs()]
        self._tokenizer: Any = Tokenizer.from_file(str(root / "tokenizer.json"))
        self._tokenizer.enable_truncation(MOST_TOKENS)
        self._tokenizer.enable_padding()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows (n, d); texts beyond 256 tokens are cut."""
        # Texts of like length share a batch, so that little of it is padding.
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        rows: dict[int, NDArray[np.float32]] = {}
        for start in range(0, len(order), BATCH):
            indices = order[start : start + BATCH]
            rows.update(zip(indices, self._encode([texts[index] for index in indices]), strict=True))
        stacked = np.stack([rows[index] for index in range(len(texts))]) if texts else np.empty((0, 1), np.float32)
        return unit_rows(stacked)

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        encoded = self._tokenizer.encode_batch(texts)
        mask = np.array([each.attention_mask for each in encoded], np.int64)
        given = {
            "input_ids": np.array([each.ids for each in encoded], np.int64),
            "attention_mask": mask,
            "token_type_ids": np.array([each.type_ids for each in encoded], np.int64),
        }
        results = self._session.run(None, {name: array for name, array in given.items() if name in self._inputs})
        if "sentence_embedding" in self._outputs:
            return np.asarray(results[self._outputs.index("sentence_embedding")], np.float32)
        tokens = np.asarray(results[0], np.float32)
        weights = mask[:, :, None].astype(np.float32)
        pooled: NDArray[np.float32] = (tokens * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9)
        return pooled
