"""Whether the network may be used, and how much one answer may take."""

from __future__ import annotations

import os
from typing import NamedTuple


class Limits(NamedTuple):
    """What one answer may take: bytes, compressed or not, and seconds with connecting and all of the body."""

    most_bytes: int = 20_000_000
    seconds: float = 120.0


def is_offline() -> bool:
    """Tell whether the user forbids all use of the network: WEFT_OFFLINE is set and not 0."""
    return os.environ.get("WEFT_OFFLINE", "") not in ("", "0")
