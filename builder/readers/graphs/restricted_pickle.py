"""Read pickles of plain data: containers, text and numbers. Nothing that a pickle names is ever run.

A pickle is a program for a small machine. This machine knows the instructions
and the names that plain data needs, calls nothing but what is below, and does
work in proportion to the file: a length is compared with what is left of it,
the memo holds what was put into it, and keys are hashed only where that is
quick. The worst that a foreign file can do is not to be read.

>>> import io, pickle
>>> load(io.BytesIO(pickle.dumps({0: {"name": "aspirin"}})))
{0: {'name': 'aspirin'}}
"""

from __future__ import annotations

import mmap
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any

from builder.readers.graphs.pickle_calls import PLAIN, BadPickle, Names, UnknownName
from builder.readers.graphs.pickle_machine import Machine
from weft.errors import UnreadableSource


class UnsafePickle(UnreadableSource):
    """The pickle names something that is not on the allow-list of plain data; the message has the name."""


def load(
    file: IO[bytes],
    name: str = "pickle",
    *,
    names: Names = MappingProxyType({}),
    storage_of: Callable[[Any], object] | None = None,
) -> Any:
    """Return the object in a pickle of plain data; see `load_bytes`."""
    return load_bytes(file.read(), name, names=names, storage_of=storage_of)


def load_bytes(
    data: bytes | mmap.mmap,
    name: str = "pickle",
    *,
    names: Names = MappingProxyType({}),
    storage_of: Callable[[Any], object] | None = None,
) -> Any:
    """Return the object in the bytes of a pickle of plain data.

    `names` are further (module, name) pairs that it may use, with what they
    stand for here; `storage_of` takes its persistent ids. Raise UnsafePickle,
    which names what else the pickle wanted, or UnreadableSource for a damaged
    one; `name` begins both messages. Time and memory are linear in the data.
    """
    try:
        return Machine(data, {**PLAIN, **names}, storage_of).run()
    except UnknownName as error:
        raise UnsafePickle(
            f"{name}: wants {shortened(error)}, and only plain data is read: dictionaries, lists, text, numbers"
        ) from error
    except BadPickle as error:
        raise UnreadableSource(f"{name}: not a pickle that can be read ({shortened(error)})") from error


def shortened(error: Exception) -> str:
    """Return the beginning of an error's message, in one line."""
    return " ".join(str(error).split())[:200]


def load_file(path: Path) -> Any:
    """Return the object in a file; see `load_bytes`. UnreadableSource when it cannot be opened."""
    try:
        with path.open("rb") as file:
            if not path.stat().st_size:
                return load_bytes(b"", str(path))
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return load_bytes(data, str(path))
    except OSError as error:
        raise UnreadableSource(f"{path}: cannot be read ({error.strerror})") from error
