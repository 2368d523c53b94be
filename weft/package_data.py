"""Find the declarations and fixtures that ship with Weft, in a wheel as in a working copy."""

from __future__ import annotations

from pathlib import Path


def shipped(folder: str) -> Path:
    """Return the folder `schemas` or `fixtures`.

    Both lie in this package: a working copy links them from where they are
    edited, a wheel and a source distribution hold the files themselves.
    """
    return Path(__file__).parent / folder
