"""What follows `wikipedia:` on the command line: a title, or @ and a file of titles; neither is read here."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, unquote

from weft.errors import UnreadableSource

MARK = "wikipedia:"


def source_path(name: str) -> Path:
    """Return the source path for `TITLE` or `@FILE`; raise UnreadableSource for neither."""
    if name.startswith("@"):
        path = Path(name[1:])
        if not path.is_file():
            raise UnreadableSource(f"{name[1:] or name}: no such file of titles")
        return path
    if not name.strip():
        raise UnreadableSource("wikipedia: which page? wikipedia:TITLE, or wikipedia:@FILE with a title a line")
    return Path(MARK + quote(name.strip(), safe=" "))


def title_in(path: Path) -> str | None:
    """Return the title that a source path encodes, None where it is a file."""
    return unquote(path.name[len(MARK) :]) if path.name.startswith(MARK) else None
