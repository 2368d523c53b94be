"""What all questions share: the arrays of one SKB, and what has been read of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from threading import Lock
from typing import Generic, TypeVar

from weft.arrays.shared import Shared
from weft.skb import Skb

T = TypeVar("T")
Key = TypeVar("Key", bound=Hashable)


class Context:
    """One SKB for all sessions and threads: parts that are made once, when first asked for, and never change."""

    def __init__(self, skb: Skb) -> None:
        self.skb = skb
        self.encoding = Lock()
        """Embedders are not asked by two threads at once."""

        self._parts = Shared()

    def part(self, name: str, make: Callable[[], T]) -> T:
        """Return what all sessions share under a name; it must not hold a session or a connection."""
        return self._parts.of(name, make)


class Cache(Generic[Key, T]):
    """What has been read of an SKB, by key; beyond `most` all is dropped. Threads may share it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[Key, T] = {}

    def of(self, keys: Iterable[Key], read: Callable[[list[Key]], Iterable[tuple[Key, T]]]) -> dict[Key, T]:
        """Return the value of each key, in their order; `read` yields what there is of those that are not known."""
        kept = self._kept
        wanted = dict.fromkeys(keys)
        found = {key: kept[key] for key in wanted if key in kept}
        if len(found) < len(wanted):
            new = dict(read([key for key in wanted if key not in found]))
            if len(kept) + len(new) > self._most:
                # Replaced and not emptied: another thread may be reading it.
                self._kept = kept = {}
            kept.update(new)
            found |= new
            return {key: found[key] for key in wanted if key in found}
        return found
