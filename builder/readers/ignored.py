"""The files of a source that are no documents: counted by kind, with examples, so that nothing is left out unsaid."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from builder.readers.formats import FORMATS
from builder.readers.source import (
    ARCHIVE_SUFFIXES,
    DOCUMENT_SUFFIXES,
    HTML_SUFFIXES,
    JSONL_SUFFIXES,
    UNPACK,
    XML_DUMP,
    Source,
    document_format,
    is_beside_pages,
    is_hidden,
    leads_out,
    place_of,
)

MOST_KINDS = 30
"""Kinds beyond these are counted together."""
MOST_EXAMPLES = 3
LONGEST_SUFFIX = 12
OTHER = "other kinds"
HIDDEN = "hidden"
OUTSIDE = "links out of the folder"
LINKED_FOLDER = "links to folders"
LEADS_ON = "pages that only lead to another file"
ARCHIVED_LINK = "links within an archive"
NO_SUFFIX = "files without a suffix"
PAGE_COPY = "sources of pages that are read"
BESIDE_PAGES = "files beside Sphinx's pages"
# Sphinx copies each page's source to _sources/: it repeats the page.
PAGE_SOURCE = re.compile(r"(.*/|)_sources/(.+)")
TITLES = "titles.json"


class Ignored(NamedTuple):
    """A file of a source that its reader does not read; `kind` is the reason, such as its suffix."""

    place: str
    kind: str


class IgnoredFiles:
    """Counts ignored files by source and kind; memory is bounded by the number of sources."""

    def __init__(self) -> None:
        """Count nothing yet."""
        self._kinds: dict[str, dict[str, tuple[int, list[str]]]] = {}

    def add(self, label: str, ignored: Ignored) -> None:
        """Count one more file."""
        kinds = self._kinds.setdefault(label, {})
        kind = ignored.kind if ignored.kind in kinds or len(kinds) < MOST_KINDS else OTHER
        count, examples = kinds.get(kind, (0, []))
        kinds[kind] = count + 1, examples + [ignored.place] * (len(examples) < MOST_EXAMPLES)

    def told(self, source: Source) -> str:
        """Return the counts of a source in one line, and what to do where it is an archive that holds documents."""
        kinds = self._kinds.get(source.label, {})
        counts = ", ".join(f"{count:,} {kind}" for kind, (count, _) in sorted(kinds.items()))
        return f"{counts}; {UNPACK}" if self.archive_notes([source]) else counts

    def archive_notes(self, sources: Iterable[Source]) -> list[str]:
        """Return a note for each archive that holds documents of kinds that are not read from archives."""
        kept = {
            source.label: self._kinds.get(source.label, {}).keys() & {*DOCUMENT_SUFFIXES}
            for source in sources if source.path.is_file()
        }  # fmt: skip
        return [
            f"{label}: holds {', '.join(sorted(kinds))} files, which are not read from an archive; {UNPACK}"
            for label, kinds in kept.items() if kinds
        ]  # fmt: skip

    def records(self) -> list[dict[str, object]]:
        """Return the counts: the source, the kind, how many files, and some of their places."""
        return [
            {"source": label, "kind": kind, "files": count, "examples": examples}
            for label, kinds in self._kinds.items()
            for kind, (count, examples) in sorted(kinds.items())
        ]


def ignored_files(source: Source, own_files: Iterable[Path] = ()) -> Iterator[Ignored]:
    """Yield the files of a source's folder that its format does not read; `own_files` are of the build itself."""
    read = IS_READ.get(source.format)
    if read is not None and source.path.is_dir():
        root = os.path.realpath(source.path)
        own = {place_of(os.path.relpath(path, root)) for path in own_files}
        found = ignored_below(source.path, lambda place: read(source.path, place))
        yield from (each for each in found if each.place not in own)


def is_copy_of_page(folder: Path, place: str) -> bool:
    """Tell whether a text is the source of a page, as generators of manuals lay it in `_sources` beside the page.

    Its name has up to two suffixes more than the page, and the page may be a folder's index.
    """
    found = PAGE_SOURCE.fullmatch(place)
    if found is None:
        return False
    once = PurePosixPath(found[1] + found[2]).with_suffix("")
    names = {found[1] + found[2], once.as_posix(), once.with_suffix("").as_posix()}
    return any((folder / f"{name}{end}").is_file() for name in names for end in (".html", "/index.html"))


def _is_document(folder: Path, place: str) -> bool:
    return document_format(folder / place, place) is not None and not is_copy_of_page(folder, place)


def _is_page(folder: Path, place: str) -> bool:
    return place == TITLES or place.lower().endswith(HTML_SUFFIXES)


def _ends_with(*suffixes: str) -> Callable[[Path, str], bool]:
    return lambda folder, place: place.lower().endswith(suffixes)


IS_READ: dict[str, Callable[[Path, str], bool]] = {
    **{name: _ends_with(*form.suffixes) for name, form in FORMATS.items() if form.suffixes},
    "html": _is_page,
    "jsonl": _ends_with(*JSONL_SUFFIXES),
    "enterprise": _ends_with(*JSONL_SUFFIXES, *ARCHIVE_SUFFIXES),
    "nq": _ends_with(*JSONL_SUFFIXES, *ARCHIVE_SUFFIXES),
    "wikitext": lambda folder, place: XML_DUMP.search(place) is not None,
    "mixed": lambda folder, place: place == TITLES or _is_document(folder, place),
}
"""Which files of a folder each format reads."""


def ignored_below(folder: Path, is_read: Callable[[str], bool]) -> Iterator[Ignored]:
    """Yield the files below a folder that are not read; a hidden folder counts as one.

    `is_read` tells of a place whether its file is read, where it does not lie beside Sphinx's pages.
    """
    beside: set[str] = set()
    for root, folders, names in os.walk(folder):
        beside.update(os.path.join(root, name) for name in folders if root in beside or is_beside_pages(name, names))
        for name in sorted(folders):
            place = place_of(os.path.relpath(os.path.join(root, name), folder))
            if is_hidden(name):
                yield Ignored(place, HIDDEN)
            elif os.path.islink(os.path.join(root, name)):
                yield Ignored(place, LINKED_FOLDER)
        folders[:] = sorted(name for name in folders if not is_hidden(name))
        for name in sorted(names):
            place = place_of(os.path.relpath(os.path.join(root, name), folder))
            kind = _kind_of(folder, Path(root, name), place, is_read)
            if kind is None and root in beside:
                kind = BESIDE_PAGES
            if kind is not None:
                yield Ignored(place, kind)


def _kind_of(folder: Path, path: Path, place: str, is_read: Callable[[str], bool]) -> str | None:
    if is_hidden(path.name):
        return HIDDEN
    if leads_out(path, folder):
        return OUTSIDE
    if is_read(place):
        return None
    return PAGE_COPY if is_copy_of_page(folder, place) else kind_of(place)


def kind_of(place: str) -> str:
    """Return what kind of file lies at a place: its suffix, or that it has none.

    >>> kind_of("img/Logo.PNG"), kind_of("LICENSE")
    ('.png', 'files without a suffix')
    """
    suffix = PurePosixPath(place).suffix.lower()
    return suffix if 1 < len(suffix) <= LONGEST_SUFFIX else NO_SUFFIX
