"""Weft: documents and facts woven into one SQLite knowledge base, and the evidence for questions found in it.

This package is the ground that building and retrieval share, and imports neither. Read `skb` (the reader) with
`rows` first, then `schema` and `meta`; `show` renders what is in an SKB, `documents` an entity as a text, `errors` are
what users see, `output_file` and `overwriting` keep what is written whole, `beir` writes its folders, `package_data`
finds what ships.
Folders: `text`, `arrays`, `embedders`, `chat`, `file_format`, `http`.
"""

from __future__ import annotations


def __getattr__(name: str) -> str:
    """Return the version that is installed; it is read only where it is asked for."""
    if name == "__version__":
        from importlib.metadata import version

        return version("weft")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
