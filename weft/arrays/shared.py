"""What several readers of one file share: arrays by name, each made once by whoever asks for it first."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, TypeVar

T = TypeVar("T")


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
