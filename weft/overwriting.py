"""Keep a command from writing over a knowledge base, over what it reads, and over files of another kind than its own.

>>> check_overwriting(Path("kb.skb"), [Path("kb.skb")])          # doctest: +SKIP
weft.errors.WeftError: kb.skb: is a knowledge base; choose another output
"""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from weft.errors import WeftError
from weft.file_format.header import is_skb
from weft.output_file import wrapped_errors
from weft.text.json_text import parsed_json

HEAD = 1 << 20
"""Bytes of a file from which its kind is told; a line of JSON that is longer is taken for none."""


class Kind(NamedTuple):
    """What a command writes: what it is called, and what tells by a file's first bytes whether it is one."""

    name: str
    begins: Callable[[bytes], bool]


def json_lines(name: str, *keys: str) -> Kind:
    """Return the kind of JSON Lines whose first object has all of some keys."""

    def begins(head: bytes) -> bool:
        try:
            record = parsed_json(head.partition(b"\n")[0].decode())
        except (ValueError, RecursionError):
            return False
        return isinstance(record, dict) and record.keys() >= set(keys)

    return Kind(name, begins)


def json_file(name: str, form: str) -> Kind:
    """Return the kind of JSON files that Weft writes and that say first what `form` they have."""
    return Kind(name, lambda head: b"".join(head[:100].split()).startswith(f'{{"format":"{form}"'.encode()))


def check_file(output: Path, kind: Kind, inputs: Iterable[Path] = ()) -> None:
    """Raise WeftError where a file cannot be written, or would destroy an SKB, an input or a file of another kind."""
    if output.is_dir():
        raise WeftError(f"{output}: is a folder; name a file")
    if not output.absolute().parent.is_dir():
        raise WeftError(f"{output}: the folder {output.absolute().parent} does not exist")
    check_overwriting(output, inputs)
    # A device or a pipe loses nothing by being written to.
    if not output.is_file():
        return
    with wrapped_errors(output), output.open("rb") as file:
        head = file.read(HEAD).removeprefix(codecs.BOM_UTF8).lstrip()
    if head and not kind.begins(head):
        raise WeftError(f"{output}: exists and is no {kind.name}; choose another output, or remove it")


def check_overwriting(output: Path, inputs: Iterable[Path] = ()) -> None:
    """Raise WeftError where `output`, once written, would destroy an SKB or one of a command's `inputs`.

    Links and second names are followed. An output that is a folder is replaced
    with all in it, so it may hold no input either.
    """
    if is_skb(output):
        raise WeftError(f"{output}: is a knowledge base; choose another output")
    for each in inputs:
        if _is_same_file(output, each):
            raise WeftError(f"{output}: is an input of this command; choose another output")
        if _holds(output, each):
            raise WeftError(f"{output}: holds {each}, an input of this command; choose another output")


def check_folder(path: Path, own: Collection[str], kind: str) -> None:
    """Raise WeftError where a folder cannot be written, or holds what is none of the names that are its `own`.

    `kind` says what it is to be, such as "a report".
    """
    if path.exists() and not path.is_dir():
        raise WeftError(f"{path}: is a file; {kind} is a folder")
    if not path.name or path.name == "..":
        raise WeftError(f"{path}: is no name for {kind}; give a folder of its own")
    if not path.absolute().parent.is_dir():
        raise WeftError(f"{path}: the folder {path.absolute().parent} does not exist")
    strangers = sorted(each.name for each in path.iterdir() if each.name not in own) if path.is_dir() else []
    if strangers:
        raise WeftError(f"{path}: holds {strangers[0]}, which is no part of {kind}; choose another folder")


def _holds(folder: Path, path: Path) -> bool:
    return folder.is_dir() and Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _is_same_file(one: Path, other: Path) -> bool:
    """Tell whether two paths lead to one regular file; devices and pipes are read and written without harm."""
    try:
        status = one.stat()
        return stat.S_ISREG(status.st_mode) and os.path.samestat(status, other.stat())
    except (OSError, ValueError):
        return False
