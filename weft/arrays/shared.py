"""What several readers of one file share: arrays by name, each made once by whoever asks for it first."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock, RLock
from typing import Any, Generic, TypeVar

T = TypeVar("T")
Key = TypeVar("Key", bound=Hashable)


class Shared:
    """Values by name, which threads share; while one makes a value, the others wait for it."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}
        self._lock = RLock()

    def of(self, name: str, make: Callable[[], T]) -> T:
        """Return the value of a name, made when first asked for; `make` may ask for others."""
        if name not in self._made:
            with self._lock:
                if name not in self._made:
                    self._made[name] = make()
        made: T = self._made[name]
        return made


class Recent(Generic[Key, T]):
    """Values by key, which threads share; those not asked for the longest are dropped beyond a size in all."""

    def __init__(self, most: int, size: Callable[[T], int]) -> None:
        self._most = most
        self._size = size
        self._kept: dict[Key, T] = {}
        self._n_kept = 0
        self._lock = Lock()

    def of(self, key: Key, make: Callable[[], T]) -> T:
        """Return the value of a key; two threads that ask at once may both make it."""
        with self._lock:
            known = self._kept.pop(key, None)
            if known is not None:
                self._kept[key] = known
                return known
        made = make()
        with self._lock:
            self._n_kept += self._size(made) if key not in self._kept else 0
            self._kept[key] = made
            while self._n_kept > self._most and len(self._kept) > 1:
                self._n_kept -= self._size(self._kept.pop(next(iter(self._kept))))
        return made
