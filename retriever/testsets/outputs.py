"""What making a set may write: checked before any work, since nothing of another kind may be lost by it."""

from __future__ import annotations

import os
from pathlib import Path

from retriever.datasets.question_files import KIND
from retriever.testsets.card import is_card
from retriever.testsets.folder import check_output
from weft.errors import WeftError
from weft.overwriting import check_file, check_overwriting


def card_of(output: Path) -> Path:
    """Return where the data card of a set is."""
    return output.with_suffix(".md")


def check_outputs(skb: Path, output: Path, folder: Path | None) -> None:
    """Raise WeftError where a set, its card or its folder cannot be written, or would take something else away."""
    if output.suffix == ".md":
        raise WeftError(f"{output}: .md is the data card's name; call the set something like set.jsonl")
    check_file(output, KIND, [skb])
    check_overwriting(card_of(output), [skb])
    _check_card(card_of(output))
    if folder is not None:
        check_overwriting(folder, [skb])
        check_output(folder)
        for each in (output, card_of(output)):
            _check_apart(folder, each)


def _check_card(path: Path) -> None:
    if path.exists() and not (path.is_file() and is_card(path)):
        raise WeftError(f"{path}: is to be the data card of the set, but is none yet; call the set something else")


def _check_apart(folder: Path, path: Path) -> None:
    """A folder is replaced as a whole, with whatever was written into it before."""
    if Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise WeftError(f"{folder}: is replaced as a whole, so {path} cannot be in it; choose another folder")
