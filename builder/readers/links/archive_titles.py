"""The titles of an archive's pages, for links between them, in passes of their own that most archives never need.

An archive is a stream: which pages follow one is known only after all of it
has been read. Its members are listed when a page first has an address that may
name one, and their titles are read when an address first does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO

from builder.readers.links.file_heads import PAGE_HEAD, FileHead, MapHeads, in_this_process, read_head
from builder.readers.links.title_index import SCHEME, Pairs, TitleIndex
from builder.readers.source import HTML_SUFFIXES, place_of
from builder.streams.archives import DAMAGE, Member, members
from weft.text.names import ARTICLE


class ArchiveTitles(TitleIndex):
    """What links to the pages of an archive lead to; memory holds the heads that are being parsed.

    Of members of one path the first counts. Members after damage are not in
    the index, as they become no documents either.
    """

    def __init__(
        self,
        archive: Path,
        is_page: Callable[[str], bool],
        given: Mapping[str, str],
        map_heads: MapHeads = in_this_process,
        max_page_bytes: int | None = None,
    ) -> None:
        """Index the members that `is_page` takes by their path; `given` has titles that stand beside the archive.

        Members larger than `max_page_bytes` become no documents, so links lead to none of them.
        """
        super().__init__((), given, map_heads)
        self._archive = archive
        self._is_page = is_page
        self._max_page_bytes = max_page_bytes
        self._is_listed = False

    def targets(self, place: str, addresses: Iterable[str]) -> Pairs:
        """Return (address as given, link target) of those relative addresses that lead to pages of the archive."""
        return super().targets(place, filter(may_name_a_page, addresses))

    def holds(self, place: str) -> bool:
        """Tell whether a page of the archive lies at a path; the first question lists all members."""
        self._list()
        return super().holds(place)

    def holds_below(self, folder: str) -> bool:
        """Tell whether a page of the archive lies in a folder or below it; the first question lists all members."""
        self._list()
        return super().holds_below(folder)

    def _list(self) -> None:
        if not self._is_listed:
            self._is_listed = True
            self._shelf.executemany("INSERT OR IGNORE INTO file (place) VALUES (?)", self._places())

    def _places(self) -> Iterator[tuple[str]]:
        return ((place,) for place, _ in self._pages())

    def _heads(self) -> Iterator[FileHead]:
        return self._of_pages(lambda _, file: read_head(file, PAGE_HEAD))

    def _suspects(self) -> Iterator[FileHead]:
        return self._of_pages(lambda place, file: file.read() if self._is_open(place) else None)

    def _is_open(self, place: str) -> bool:
        query = "SELECT 1 FROM suspect WHERE place = ? AND reason IS NULL"
        return self._shelf.execute(query, (place,)).fetchone() is not None

    def _of_pages(self, read: Callable[[str, IO[bytes]], bytes | None]) -> Iterator[FileHead]:
        for place, member in self._pages():
            try:
                data = read(place, member.file)
            except DAMAGE:
                return
            if data is not None:
                yield FileHead(place, data, True, self._given.get(place))

    def _pages(self) -> Iterator[tuple[str, Member]]:
        """Yield (path, member) of the pages before the first damage."""
        most = self._max_page_bytes
        try:
            for member in members(self._archive):
                place = place_of(member.place)
                if not member.is_link and self._is_page(place) and (most is None or member.size <= most):
                    yield place, member
        except DAMAGE:
            return


def may_name_a_page(address: str) -> bool:
    """Tell whether an address may name another file; a wiki's own kinds of address are titles.

    >>> [may_name_a_page(each) for each in ("../oil.html", "sub/", "/wiki/Oil", "/w/load.php?x=1", "//a.example/b")]
    [True, True, False, False, False]
    """
    path = address.strip().partition("#")[0].partition("?")[0]
    if not path or SCHEME.match(path):
        return False
    name = path.rpartition("/")[2]
    if "." in name.strip("."):
        return name.lower().endswith(HTML_SUFFIXES)
    prefix = None if path.startswith("./") else ARTICLE.match(path)
    return prefix is None or prefix.end() == len(path)
