"""What pickles of plain data call: types that make containers, and byte strings of old protocols.

A call copies its argument. What all calls of a pickle copy is bounded by the
pickle's size, so that a list which is kept once and called upon a million
times costs no more than it took to write.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

SCALARS = (str, bytes, int, float, bool, type(None))
MOST_KEY_BITS = 60
"""Python hashes integers modulo 2**61 - 1: longer ones can be chosen to collide, and make a dictionary quadratic."""
CONTAINERS = (list, tuple, set, frozenset, dict, OrderedDict, defaultdict)


class BadPickle(Exception):
    """The pickle is damaged or asks for what plain data does not need; the message names it."""


class UnknownName(BadPickle):
    """The pickle names something that is no plain data."""


class Call(NamedTuple):
    """Stands for a name that a pickle may call, with the function that is called in its stead."""

    function: Callable[..., object]


Names = Mapping[tuple[str, str], object]


def as_key(value: Any) -> Any:
    """Return what can be a key or an element of a set: a scalar without chosen collisions; else raise ValueError."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and value.bit_length() > MOST_KEY_BITS:
        raise ValueError("a key that is a number of more than 60 bits")
    if not isinstance(value, SCALARS):
        raise ValueError(f"a key that is a {type(value).__name__}")
    return value


def size_of(value: object) -> int:
    """Return how much a call copies of an argument."""
    return len(value) if isinstance(value, (str, bytes, *CONTAINERS)) else 1


def _bytes(text: object = b"", encoding: object = "latin1") -> bytes:
    """Make the byte strings of old pickles, which spell them as calls."""
    if isinstance(text, str) and encoding in ("latin1", "latin-1"):
        return text.encode("latin-1")
    if isinstance(text, (bytes, list)):
        return bytes(text)
    raise ValueError("a byte string that is none")


def _default_dict(factory: object = None) -> defaultdict[Any, object]:
    """Make a dictionary with one of the plain types as default."""
    if factory is None:
        return defaultdict(None)
    if isinstance(factory, Call) and factory.function in TYPES:
        return defaultdict(TYPES[factory.function])
    raise ValueError("a dictionary with a default that is no plain type")


def _scalar(kind: type) -> Callable[..., object]:
    def make(value: object = None) -> object:
        if not isinstance(value, SCALARS):
            raise ValueError(f"a {kind.__name__} made of a {type(value).__name__}")
        return kind() if value is None else kind(value)

    return make


def _sequence(kind: Callable[..., object], element: Callable[[Any], Any]) -> Callable[..., object]:
    def make(values: object = ()) -> object:
        if not isinstance(values, (list, tuple)):
            raise ValueError("a collection made of what is none")
        return kind(map(element, values))

    return make


def _mapping(kind: Callable[..., object]) -> Callable[..., object]:
    def make(pairs: object = ()) -> object:
        if not isinstance(pairs, (list, tuple)) or not all(
            isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in pairs
        ):
            raise ValueError("a dictionary made of what are no pairs")
        return kind((as_key(key), value) for key, value in pairs)

    return make


def _same(value: Any) -> Any:
    return value


BUILTINS: Mapping[str, tuple[type, Callable[..., object]]] = MappingProxyType(
    {
        **{kind.__name__: (kind, _scalar(kind)) for kind in (str, int, float, bool)},
        **{kind.__name__: (kind, _sequence(kind, _same)) for kind in (list, tuple)},
        **{kind.__name__: (kind, _sequence(kind, as_key)) for kind in (set, frozenset)},
        "dict": (dict, _mapping(dict)),
    }
)
TYPES: Mapping[Callable[..., object], type] = MappingProxyType({make: kind for kind, make in BUILTINS.values()})
PLAIN: Names = MappingProxyType(
    {
        **{("builtins", name): Call(make) for name, (_, make) in BUILTINS.items()},
        ("builtins", "bytes"): Call(_bytes),
        ("_codecs", "encode"): Call(_bytes),
        ("collections", "OrderedDict"): Call(_mapping(OrderedDict)),
        ("collections", "defaultdict"): Call(_default_dict),
    }
)
