"""Parsing of text that may be nested to any depth.

At the deepest level that is parsed Python can call nothing more. Were garbage collected there,
a finalizer would fail, and what it failed with would go to stderr, past every `except`.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def no_collection() -> Iterator[None]:
    """Collect no garbage meanwhile; threads may be in here at the same time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def parsed_json(text: str | bytes) -> Any:
    """Return what JSON says; raise ValueError for what is none, RecursionError for what is nested too deep."""
    with no_collection():
        return json.loads(text)
