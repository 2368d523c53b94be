"""Weft: documents and facts woven into one SQLite knowledge base, and the evidence for questions found in it."""

from __future__ import annotations


def __getattr__(name: str) -> str:
    """Return the version that is installed; it is read only where it is asked for."""
    if name == "__version__":
        from importlib.metadata import version

        return version("weft")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
