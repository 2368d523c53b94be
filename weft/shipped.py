"""Find the declarations and fixtures that ship with Weft, in a wheel as in a working copy."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def shipped(folder: str) -> Path:
    """Return the folder `schemas` or `fixtures` as it was installed.

    A wheel carries it as `weft.<folder>`; an editable installation leaves it
    beside the packages, where it is edited.
    """
    beside = Path(__file__).parent.parent / folder
    return beside if beside.is_dir() else Path(str(files(f"weft.{folder}")))
