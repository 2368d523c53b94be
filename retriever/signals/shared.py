"""What several signals of one context need: made once, kept as long as the context."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from retriever.context import Context

T = TypeVar("T")

_PARTS: WeakKeyDictionary[Context, dict[str, Any]] = WeakKeyDictionary()


def shared(context: Context, name: str, make: Callable[[Context], T]) -> T:
    """Return what the signals of a context share under a name, made when first asked for."""
    parts = _PARTS.setdefault(context, {})
    if name not in parts:
        parts[name] = make(context)
    made: T = parts[name]
    return made
