"""Sources as a user names them: a path, its format, and the label it has on record."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from builder.documents.records import Reject
from builder.rdf.reader import is_named_rdf
from builder.readers.formats import FORMATS, format_by_name
from builder.readers.wikipedia.names import source_path, title_in
from builder.streams.detect import archive_format, is_dump, is_triples, lines_format
from builder.streams.foreign import foreign_kind
from weft.errors import UnreadableSource

AUTO = "auto"
FORMAT_NAMES = (AUTO, *FORMATS)
HTML_SUFFIXES, TEXT_SUFFIXES = FORMATS["html"].suffixes, FORMATS["text"].suffixes
ARCHIVE_SUFFIXES = (".tar.gz", ".tgz", ".tar", ".tar.bz2", ".tar.xz")
OF_ARCHIVES = ("html", "enterprise", "nq")
"""The formats that are read from an archive too."""
UNPACK = "unpack it and name the folder"
NOTHING: Mapping[str, str] = MappingProxyType({})
HERE = Path()
# A dump's parts are named by their pages: `pages-articles1.xml-p1p41242.bz2`.
XML_DUMP = re.compile(r"\.xml(?:-p[0-9]+p[0-9]+)?(?:\.gz|\.bz2)?$", re.I)
XML_SUFFIXES = (".xml", ".gz", ".bz2")
JSONL_SUFFIXES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonl.bz2", ".ndjson.bz2")
OWN_SUFFIXES = tuple(suffix for each in FORMATS.values() for suffix in each.suffixes)
DOCUMENT_SUFFIXES = (*OWN_SUFFIXES, *JSONL_SUFFIXES, *XML_SUFFIXES)

# What Sphinx writes into a folder of its pages, and the folders there that hold none of them.
SPHINX_FILES = frozenset(("searchindex.js", "objects.inv", "genindex.html"))
SPHINX_FOLDERS = frozenset(("_static", "_sources"))


class Source(NamedTuple):
    """One input of a build: `label` is its name on record, unique among the build's inputs.

    `files` (place, path) are those of a folder that are to be read, None: all of its format.
    """

    label: str
    format: str
    path: Path
    files: tuple[tuple[str, Path], ...] | None = None


class Item(NamedTuple):
    """One input document, not yet parsed; `payload` is what its format's parser takes."""

    place: str
    content_hash: str
    payload: tuple[object, ...]


class Cut(NamedTuple):
    """Says that a source could not be read to its end, from `place` on."""

    place: str
    reason: str


UNREAD, UNLISTED = "cannot be read: ", "cannot be listed: "
"""How the reason begins of a file, and of a folder, that the system does not let us read."""


def unread(place: str, error: OSError) -> Cut:
    """Return what to say of a file of which nothing can be read."""
    return Cut(place, f"{UNREAD}{error.strerror}")


def sources_of(names: list[str], default_format: str = AUTO) -> list[Source]:
    """Turn the command line's `[FORMAT:]PATH` arguments into sources; raise UnreadableSource on a wrong one."""
    pairs = [_format_and_path(name, default_format) for name in names]
    labels = labels_of([path for _, path in pairs])
    return [
        Source(label, format_of(path) if form == AUTO else form, path)
        for label, (form, path) in zip(labels, pairs, strict=True)
    ]


def _format_and_path(name: str, default_format: str) -> tuple[str, Path]:
    head, colon, tail = name.partition(":")
    form, path = (head, tail) if colon and head in FORMAT_NAMES else (default_format, name)
    if form not in FORMAT_NAMES:
        raise UnreadableSource(_no_format(form))
    if form == "wikipedia":
        return form, source_path(path)
    if not path or not Path(path).exists():
        if colon and tail and Path(tail).exists():
            raise UnreadableSource(_no_format(head))
        raise UnreadableSource(f"{path or name}: no such file or folder")
    if not Path(path).is_file() and not Path(path).is_dir():
        raise UnreadableSource(f"{path}: neither a file nor a folder; save it as a file first")
    if form == "mixed" and not Path(path).is_dir():
        raise UnreadableSource(f"{path}: mixed is a format of folders, and this is a file; name its own format")
    if form not in (AUTO, *OF_ARCHIVES) and Path(path).is_file() and path.lower().endswith(ARCHIVE_SUFFIXES):
        raise UnreadableSource(f"{path}: {form} is not read from an archive; {UNPACK}")
    return form, Path(path)


def _no_format(name: str) -> str:
    return f"{name}: no such format; choose one of {', '.join(FORMAT_NAMES)}"


def too_large(size: int, limit: int) -> str:
    """Return why a page of `size` bytes is rejected."""
    return f"{size / 1e6:.1f} MB, more than --max-page-mb {limit / 1e6:g}"


def files_of(source: Source) -> Iterator[tuple[str, Path] | Reject | Cut]:
    """Yield (place, file) of a source: the files of a mixed folder, the one file, or those below a folder by suffix."""
    if source.files is not None:
        yield from source.files
    elif source.path.is_dir():
        yield from files_below(source.path, FORMATS[source.format].suffixes)
    else:
        yield place_of(source.path.name), source.path


def files_below(folder: Path, suffixes: tuple[str, ...]) -> Iterator[tuple[str, Path] | Reject | Cut]:
    """Yield (place, file) of the regular files of these suffixes, by place, then what cannot be read.

    Hidden files and folders are passed over, links to folders or out of this one, and what lies beside Sphinx's pages.
    """
    unlisted: list[OSError] = []
    found = sorted(
        (place_of(os.path.relpath(path, folder)), path)
        for path in _visible_files(folder, unlisted)
        if path.name.lower().endswith(suffixes)
    )
    for place, file in found:
        try:
            if not leads_out(file, folder):
                yield (place, file) if file.is_file() else Reject(place, "not a regular file")
        except OSError as denied:
            # Its folder may be listed and not entered, or its path is too long for the system.
            yield unread(place, denied)
    for error in unlisted:
        yield Cut(place_of(os.path.relpath(error.filename, folder)), f"{UNLISTED}{error.strerror}")


def _visible_files(folder: Path, unlisted: list[OSError]) -> Iterator[Path]:
    for root, folders, names in os.walk(folder, onerror=unlisted.append):
        folders[:] = [name for name in folders if not is_hidden(name) and not is_beside_pages(name, names)]
        yield from (Path(root, name) for name in names if not is_hidden(name))


def is_beside_pages(folder: str, files: Iterable[str]) -> bool:
    """Tell whether a folder beside these files holds none of Sphinx's pages, but their sources or its theme's files.

    >>> is_beside_pages("_static", ["index.html", "searchindex.js"]), is_beside_pages("_static", ["index.html"])
    (True, False)
    """
    return folder in SPHINX_FOLDERS and not SPHINX_FILES.isdisjoint(files)


def is_hidden(name: str) -> bool:
    """Tell whether a file or folder of this name is hidden, as those of version control and editors are."""
    return name.startswith(".")


def leads_out(path: Path, folder: Path) -> bool:
    """Tell whether a file is a link to what lies outside a folder."""
    if not os.path.islink(path):
        return False
    root = os.path.realpath(folder)
    return os.path.commonpath((root, os.path.realpath(path))) != root


def place_of(path: str | Path) -> str:
    """Return a relative path as it is recorded: with `/`, and bytes that are no UTF-8 escaped."""
    return str(path).replace(os.sep, "/").encode("utf-8", "backslashreplace").decode()


def labels_of(paths: list[Path], taken: Mapping[str, str] = NOTHING, base: Path = HERE) -> list[str]:
    """Return one label a path: its name, with as many parent folders before it as make it unique.

    Raises UnreadableSource for a path that is named twice.

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
    if is_named_rdf(path):
        raise UnreadableSource(f"{path}: holds facts by its name, not documents; give it by --rdf {path}")
    if name.endswith(JSONL_SUFFIXES):
        if is_triples(path):
            raise UnreadableSource(f"{path}: holds facts, not documents; give it by --triples {path}")
        return lines_format(path)
    if XML_DUMP.search(name):
        return "wikitext"
    if name.endswith(ARCHIVE_SUFFIXES):
        return archive_format(path)
    if form := format_by_name(name):
        return form
    if name.endswith(".csv"):
        raise UnreadableSource(f"{path}: CSV is not read; make JSON Lines of it, an object a row")
    with path.open("rb") as file:
        head = file.read(512)
    if kind := foreign_kind(head):
        raise UnreadableSource(f"{path}: it is {kind}")
    head = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if b"<mediawiki" in head:
        return "wikitext"
    if head.startswith(b"<"):
        return "html"
    if head.startswith(b"{"):
        return lines_format(path)
    raise UnreadableSource(f"{path}: its format cannot be told; say it, as in html:{path}")


def _format_of_folder(path: Path) -> str:
    if (path / "nodes.jsonl").is_file() and (path / "edges.tsv").is_file():
        return "graph"
    if any("node_info.pkl" in names for _, _, names in os.walk(path)):
        return "stark"
    found = {form for place, file in documents_below(path) if (form := document_format(file, place))}
    if not found:
        raise UnreadableSource(f"{path}: holds no {', '.join(OWN_SUFFIXES)}, .jsonl or .xml file")
    return found.pop() if len(found) == 1 else "mixed"


def documents_below(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield (place, file) of the files below a folder whose names are a document's, by place."""
    for each in files_below(folder, DOCUMENT_SUFFIXES):
        if not isinstance(each, (Reject, Cut)):
            yield each


def document_format(path: Path, place: str) -> str | None:
    """Return the format of a file of a folder, None where it is no document: an .xml file may be anything."""
    name = place.lower()
    if form := format_by_name(name):
        return form
    if name.endswith(JSONL_SUFFIXES):
        return lines_format(path)
    return "wikitext" if XML_DUMP.search(name) and is_dump(path) else None
