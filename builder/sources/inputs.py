"""Sources as a user names them: a path, its format, and the label it has on record."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from builder.documents import Reject
from builder.sources.sniff import archive_format, lines_format
from builder.sources.wikipedia_names import source_path, title_in
from weft.errors import UnreadableSource

FORMATS = ("auto", "html", "wikitext", "jsonl", "enterprise", "nq", "text", "graph", "stark", "wikipedia")
HTML_SUFFIXES = (".html", ".htm", ".xhtml")
ARCHIVE_SUFFIXES = (".tar.gz", ".tgz", ".tar", ".tar.bz2", ".tar.xz")
NOTHING: Mapping[str, str] = MappingProxyType({})
HERE = Path()
# A dump's parts are named by their pages: `pages-articles1.xml-p1p41242.bz2`.
XML_DUMP = re.compile(r"\.xml(?:-p[0-9]+p[0-9]+)?(?:\.gz|\.bz2)?$", re.I)
TEXT_SUFFIXES = (".txt", ".text", ".md", ".markdown", ".mdown", ".mkd")
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
    if form == "wikipedia":
        return form, source_path(path)
    if not path or not Path(path).exists():
        raise UnreadableSource(f"{path or name}: no such file or folder")
    if not Path(path).is_file() and not Path(path).is_dir():
        raise UnreadableSource(f"{path}: neither a file nor a folder; save it as a file first")
    return form, Path(path)


def files_below(folder: Path, suffixes: tuple[str, ...]) -> Iterator[tuple[str, Path] | Reject | Cut]:
    """Yield (place, file) of the regular files of these suffixes, by place, then what cannot be read.

    Links to folders are not followed.
    """
    unlisted: list[OSError] = []
    found = sorted(
        (place_of(os.path.relpath(os.path.join(root, name), folder)), Path(root, name))
        for root, _, names in os.walk(folder, onerror=unlisted.append)
        for name in names
        if name.lower().endswith(suffixes)
    )
    for place, file in found:
        yield (place, file) if file.is_file() else Reject(place, "not a regular file")
    for error in unlisted:
        yield Cut(place_of(os.path.relpath(error.filename, folder)), f"cannot be listed: {error.strerror}")


def place_of(path: str) -> str:
    """Return a relative path as it stands on record: with `/`, and bytes that are no UTF-8 spelt out."""
    return path.replace(os.sep, "/").encode("utf-8", "backslashreplace").decode()


def labels_of(paths: list[Path], taken: Mapping[str, str] = NOTHING, base: Path = HERE) -> list[str]:
    """Return one label a path: its name, with as many parent folders before it as make it unique.

    `taken` has the labels of sources already on record, each with its
    `origin_of`: another source never gets one of them.
    """
    whole = [path.resolve() for path in paths]
    if len(set(whole)) < len(whole):
        twice = next(path for path, own in zip(paths, whole, strict=True) if whole.count(own) > 1)
        raise UnreadableSource(f"{twice}: named twice; name every source once")
    depth = [1] * len(whole)
    origins = [origin_of(path, base) for path in paths]
    while True:
        labels = [_label(own, deep) for own, deep in zip(whole, depth, strict=True)]
        clashes = [
            index
            for index, label in enumerate(labels)
            if labels.count(label) > 1 or taken.get(label, origins[index]) != origins[index]
        ]
        if not clashes:
            return labels
        for index in clashes:
            depth[index] += 1


def _label(path: Path, depth: int) -> str:
    """Return the last parts of a path, never its root; where there are no more of them the label is numbered."""
    parts = path.relative_to(path.anchor).parts or ("root",)
    label = place_of("/".join(parts[-depth:]))
    return label if depth <= len(parts) else f"{label} ({depth - len(parts) + 1})"


def origin_of(path: Path, base: Path) -> str:
    """Return a hash of where a source lies, seen from the SKB's folder: the same wherever both are moved together."""
    way = os.path.relpath(path.resolve(), base.resolve()) if title_in(path) is None else path.name
    return blake2b(os.fsencode(way), digest_size=8).hexdigest()


def format_of(path: Path) -> str:
    """Tell a source's format from its name or its first bytes; raise UnreadableSource when it cannot be told."""
    name = path.name.lower()
    if path.is_dir():
        return _format_of_folder(path)
    if name.endswith(JSONL_SUFFIXES):
        return lines_format(path)
    if XML_DUMP.search(name):
        return "wikitext"
    if name.endswith(ARCHIVE_SUFFIXES):
        return archive_format(path)
    if name.endswith(HTML_SUFFIXES):
        return "html"
    if name.endswith(TEXT_SUFFIXES):
        return "text"
    with path.open("rb") as file:
        head = file.read(512).lstrip(b"\xef\xbb\xbf \t\r\n")
    if b"<mediawiki" in head:
        return "wikitext"
    if head.startswith(b"<"):
        return "html"
    if head.startswith(b"{"):
        return lines_format(path)
    raise UnreadableSource(f"{path}: its format cannot be told; say it, as in html:{path.name}")


def _format_of_folder(path: Path) -> str:
    if (path / "nodes.jsonl").is_file() and (path / "edges.tsv").is_file():
        return "graph"
    if list(path.rglob("node_info.pkl"))[:1]:
        return "stark"
    found = {"html": False, "wikitext": False, "jsonl": False, "text": False}
    for file in path.rglob("*"):
        name = file.name.lower()
        found["html"] |= name.endswith(HTML_SUFFIXES)
        found["wikitext"] |= bool(XML_DUMP.search(name))
        found["jsonl"] |= name.endswith(JSONL_SUFFIXES)
        found["text"] |= name.endswith(TEXT_SUFFIXES)
        if found["html"]:
            return "html"
    if found["wikitext"]:
        return "wikitext"
    if found["jsonl"]:
        return lines_format(min(file for file in path.rglob("*") if file.name.lower().endswith(JSONL_SUFFIXES)))
    if found["text"]:
        return "text"
    raise UnreadableSource(f"{path}: holds no .html, .xml, .jsonl, .txt and .md file")
