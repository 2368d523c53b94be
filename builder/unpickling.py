"""Read pickles of plain data: containers, text and numbers. Nothing that a pickle names is ever run.

A pickle is a program. Here the only names that it can use are the plain ones
below, so the worst that a foreign file can do is not to be read.

>>> load(io.BytesIO(pickle.dumps({0: {"name": "aspirin"}})))
{0: {'name': 'aspirin'}}
"""

from __future__ import annotations

import pickle
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any

from weft.errors import UnreadableSource

Names = Mapping[tuple[str, str], object]


class UnsafePickle(UnreadableSource):
    """The pickle holds something else than plain data; the message names it."""


class _Bytes:
    """Makes the byte strings of old pickles, which spell them as calls."""

    __slots__ = ()

    def __call__(self, text: object = b"", encoding: object = "latin1") -> bytes:
        """Return bytes given as Latin-1 characters, as bytes, or as a list of numbers."""
        if isinstance(text, str) and encoding in ("latin1", "latin-1"):
            return text.encode("latin-1")
        if isinstance(text, (bytes, list)):
            return bytes(text)
        raise pickle.UnpicklingError("a byte string that is none")


class _DefaultDict:
    """Makes dictionaries with one of the plain types as default."""

    __slots__ = ()

    def __call__(self, factory: object = None) -> defaultdict[object, object]:
        """Return an empty dictionary."""
        if factory is None or factory in (dict, list, set, tuple, int, float, str, bool):
            return defaultdict(factory)
        raise pickle.UnpicklingError("a dictionary with a default that is no plain type")


PLAIN: Names = MappingProxyType(
    {
        **{("builtins", kind.__name__): kind for kind in (dict, list, tuple, set, frozenset, str, int, float, bool)},
        ("builtins", "bytes"): _Bytes(),
        ("_codecs", "encode"): _Bytes(),
        ("collections", "OrderedDict"): OrderedDict,
        ("collections", "defaultdict"): _DefaultDict(),
    }
)
OLD_NAMES = {"__builtin__": "builtins", "unicode": "str", "long": "int"}
# What a pickle's own instructions can raise when bytes of it are wrong; it is a program for a small machine.
BROKEN = (
    pickle.UnpicklingError, EOFError, ValueError, TypeError, AttributeError, LookupError, ImportError, OverflowError,
    AssertionError, RecursionError, MemoryError,
)  # fmt: skip


class _Unpickler(pickle.Unpickler):
    """An unpickler that knows its names by heart and imports nothing."""

    def __init__(self, file: IO[bytes], names: Names, storage_of: Callable[[Any], object] | None) -> None:
        super().__init__(file)
        self._names = names
        self._storage_of = storage_of

    def find_class(self, module: str, name: str, /) -> Any:
        own = (OLD_NAMES.get(module, module), OLD_NAMES.get(name, name))
        for names in (PLAIN, self._names):
            if own in names:
                return names[own]
        raise UnsafePickle(f"{module}.{name}")

    def persistent_load(self, pid: Any, /) -> object:
        if self._storage_of is None:
            raise pickle.UnpicklingError("it refers to data outside of it")
        return self._storage_of(pid)


def load(
    file: IO[bytes],
    place: str = "pickle",
    *,
    names: Names = MappingProxyType({}),
    storage_of: Callable[[Any], object] | None = None,
) -> Any:
    """Return the object in a pickle of plain data.

    `names` are further (module, name) pairs that it may use, with what they
    stand for here; `storage_of` takes its persistent ids. Raise UnsafePickle,
    which names what else the pickle wanted, or UnreadableSource for a damaged
    one; `place` begins both messages.
    """
    try:
        return _Unpickler(file, names, storage_of).load()
    except UnsafePickle as error:
        raise UnsafePickle(
            f"{place}: wants {error}, and only plain data is read: dictionaries, lists, text, numbers"
        ) from error
    except BROKEN as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise UnreadableSource(f"{place}: not a pickle that can be read ({reason[:200]})") from error


def load_file(path: Path) -> Any:
    """Return the object in a file; see `load`. UnreadableSource when it cannot be opened."""
    try:
        with path.open("rb") as file:
            return load(file, str(path))
    except OSError as error:
        raise UnreadableSource(f"{path}: cannot be read ({error.strerror})") from error
