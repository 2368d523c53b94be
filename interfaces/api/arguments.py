"""Check what Python calls are given, so that a wrong argument is one line that names it."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from os import PathLike, fspath
from pathlib import Path
from typing import SupportsIndex

from weft.errors import WeftError
from weft.text.normalise import LONE_SURROGATE


def check_text(name: str, value: object) -> None:
    """Raise WeftError unless a value is a text."""
    if not isinstance(value, str):
        raise WeftError(f"{name}={value!r}: must be a str")


def name_of(name: str, value: object) -> str:
    """Return a text to look up, with U+FFFD for what is no UTF-8 and names nothing; raise WeftError for no text."""
    check_text(name, value)
    return LONE_SURROGATE.sub("\ufffd", str(value))


def check_count(name: str, value: object) -> None:
    """Raise WeftError unless a value is a whole number above 0, also one of NumPy's, or None."""
    if value is None:
        return
    if not isinstance(value, SupportsIndex) or isinstance(value, bool):
        raise WeftError(f"{name}={value!r}: must be a whole number from 1, or None for all")
    if index(value) < 1:
        raise WeftError(f"{name}={value}: must be at least 1, or None for all")


def counts_of(name: str, given: object) -> list[int]:
    """Return whole numbers above 0 in their order, each once; raise WeftError for anything else, and for none."""
    numbers = list(given) if isinstance(given, Iterable) and not isinstance(given, str | bytes) else []
    if not numbers or not all(_is_count(each) for each in numbers):
        raise WeftError(f"{name}={given!r}: cut-offs are whole numbers from 1, such as [1, 5]")
    return sorted({index(each) for each in numbers})


def _is_count(value: object) -> bool:
    # True is a number to Python, and a mistake here.
    return isinstance(value, SupportsIndex) and not isinstance(value, bool) and index(value) >= 1


def check_share(name: str, value: object) -> None:
    """Raise WeftError unless a value is a number from 0 to 1, or None."""
    if value is None:
        return
    if isinstance(value, bool | str | bytes) or not hasattr(value, "__float__") or not 0 <= float(value) <= 1:
        raise WeftError(f"{name}={value!r}: must be from 0 to 1")


def texts_of(name: str, given: str | Iterable[str]) -> tuple[str, ...]:
    """Return one text or several as a tuple; raise WeftError for anything else."""
    if isinstance(given, str):
        return (given,)
    texts = tuple(given) if isinstance(given, Iterable) else ()
    if not isinstance(given, Iterable) or not all(isinstance(each, str) for each in texts):
        raise WeftError(f"{name}={given!r}: must be a str or several")
    return texts


def path_of(name: str, given: object) -> Path:
    """Return a path; raise WeftError for what is none, and for an empty one."""
    return Path(_path_text(name, given, "must be a str or a path"))


def paths_of(name: str, given: str | PathLike[str] | Iterable[str | PathLike[str]]) -> tuple[str, ...]:
    """Return one or several paths, addresses or tags as strings; raise WeftError for anything else."""
    wanted = "must be a str, a path or several"
    if isinstance(given, str | PathLike):
        return (_path_text(name, given, wanted),)
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise WeftError(f"{name}={given!r}: {wanted}")
    return tuple(_path_text(name, each, wanted) for each in given)


def _path_text(name: str, given: object, wanted: str) -> str:
    text = fspath(given) if isinstance(given, str | PathLike) else None
    if not isinstance(text, str):
        raise WeftError(f"{name}={given!r}: {wanted}")
    if not text:
        raise WeftError(f"{name}={given!r}: is empty")
    return text
