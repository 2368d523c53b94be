"""Sources as a user names them: a path, its format, and the label it has on record."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from weft.errors import UnreadableSource

FORMATS = ("auto", "html", "jsonl")
HTML_SUFFIXES = (".html", ".htm", ".xhtml")
ARCHIVE_SUFFIXES = (".tar.gz", ".tgz", ".tar", ".tar.bz2", ".tar.xz")
JSONL_SUFFIXES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonl.bz2", ".ndjson.bz2")


class Source(NamedTuple):
    """One input of a build: `label` is its name on record, unique among the build's inputs."""

    label: str
    format: str
    path: Path


class Item(NamedTuple):
    """One input document, not yet parsed; `payload` is what its format's parser takes."""

    place: str
    content_hash: str
    payload: tuple[object, ...]


class Cut(NamedTuple):
    """Says that a source could not be read to its end, from `place` on."""

    place: str
    reason: str


def sources_of(names: list[str], default_format: str = "auto") -> list[Source]:
    """Turn the command line's `[FORMAT:]PATH` arguments into sources; raise UnreadableSource on a wrong one."""
    pairs = [_format_and_path(name, default_format) for name in names]
    labels = labels_of([path for _, path in pairs])
    return [
        Source(label, format_of(path) if form == "auto" else form, path)
        for label, (form, path) in zip(labels, pairs, strict=True)
    ]


def _format_and_path(name: str, default_format: str) -> tuple[str, Path]:
    head, colon, tail = name.partition(":")
    form, path = (head, tail) if colon and head in FORMATS else (default_format, name)
    if form not in FORMATS:
        raise UnreadableSource(f"{form}: no such format; choose one of {', '.join(FORMATS)}")
    if not path or not Path(path).exists():
        raise UnreadableSource(f"{path or name}: no such file or folder")
    return form, Path(path)


def labels_of(paths: list[Path]) -> list[str]:
    """Return one label a path: its name, with as many parent folders before it as make it unique."""
    parts = [path.resolve().parts for path in paths]
    if len(set(parts)) < len(parts):
        twice = next(path for path, own in zip(paths, parts, strict=True) if parts.count(own) > 1)
        raise UnreadableSource(f"{twice}: named twice; name every source once")
    depth = [1] * len(parts)
    while True:
        labels = ["/".join(own[-deep:]) for own, deep in zip(parts, depth, strict=True)]
        clashes = [index for index, label in enumerate(labels) if labels.count(label) > 1]
        if not clashes:
            return labels
        for index in clashes:
            depth[index] += 1


def format_of(path: Path) -> str:
    """Tell a source's format from its name or its first bytes; raise UnreadableSource when it cannot be told."""
    name = path.name.lower()
    if path.is_dir():
        return _format_of_folder(path)
    if name.endswith(JSONL_SUFFIXES):
        return "jsonl"
    if name.endswith((*HTML_SUFFIXES, *ARCHIVE_SUFFIXES)):
        return "html"
    with path.open("rb") as file:
        head = file.read(512).lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"<"):
        return "html"
    if head.startswith(b"{"):
        return "jsonl"
    raise UnreadableSource(f"{path}: its format cannot be told; say it, as in html:{path.name}")


def _format_of_folder(path: Path) -> str:
    found = {"html": False, "jsonl": False}
    for file in path.rglob("*"):
        name = file.name.lower()
        found["html"] |= name.endswith(HTML_SUFFIXES)
        found["jsonl"] |= name.endswith(JSONL_SUFFIXES)
        if found["html"]:
            return "html"
    if found["jsonl"]:
        return "jsonl"
    raise UnreadableSource(f"{path}: holds no .html and no .jsonl file")
