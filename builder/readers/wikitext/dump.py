"""MediaWiki XML dumps: the articles and redirects of an export, one page in memory at a time.

A dump may be plain, gzip or bzip2; a multistream dump is one bzip2 file of
many streams and is read to its end, so that the index file beside it has
nothing to add. A dump that breaks off or is damaged gives every page before
the break, then a `Cut`.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from builder.documents.records import Document, Redirect, Reject
from builder.readers.distinct_places import DistinctPlaces
from builder.readers.registry import ReadOptions
from builder.readers.source import XML_DUMP, Cut, Item, Source, files_below, too_large
from builder.readers.wikitext.site import Site, read_namespaces
from builder.streams.compression import decompressed
from weft.text.names import title_of

EXTRACTION = b"8"
"""Part of every content hash: a new number makes an update read all pages again."""

SUFFIXES = (".xml", ".gz", ".bz2")
PIECE = 1 << 16
MOST_TOKEN = 1_000_000
DEEPEST = 100
MOST_FIELD = 10_000
"""The bytes of a field that is no text: MediaWiki's titles have at most 255."""
MOST_NAMESPACES = 10_000
NUMBER = re.compile(r"-?[0-9]{1,9}")
# What is read of a page; the texts of other elements are passed over.
PAGE_FIELDS = frozenset(("title", "ns"))
REVISION_FIELDS = frozenset(("timestamp", "model", "text"))
SITE_FIELDS = frozenset(("base", "case", "namespace"))


class NotADump(ValueError):
    """An XML file of another kind; the message names its root element."""


class Revision(NamedTuple):
    """One state of a page: an ISO timestamp, the content model, the wikitext, and its size in bytes."""

    timestamp: str
    model: str
    text: str
    size: int


class Page(NamedTuple):
    """A page as the dump has it; `namespace` is None where the dump does not say it."""

    title: str
    namespace: int | None
    redirect: str | None
    revision: Revision


def items(source: Source, options: ReadOptions) -> Iterator[Item | Reject | Cut]:
    """Yield the articles and redirects of a dump, or of a folder's dumps by name."""
    with closing(DistinctPlaces()) as places:
        for entry in _entries(source, options.max_page_bytes):
            if not isinstance(entry, Cut):
                entry = entry._replace(place=places.free(entry.place))
            yield entry


def _entries(source: Source, limit: int) -> Iterator[Item | Reject | Cut]:
    path = source.path
    if path.is_file():
        yield from _items(path, path.name, limit)
        return
    for found in files_below(path, SUFFIXES) if source.files is None else source.files:
        if isinstance(found, Cut) or (isinstance(found, Reject) and XML_DUMP.search(found.place)):
            yield found
        elif isinstance(found, Reject):
            continue
        elif XML_DUMP.search(found[0]):
            yield from _items(found[1], found[0], limit)


def parse(place: str, payload: tuple[object, ...]) -> Document | Redirect | Reject:
    """Parse what `items` yielded."""
    from builder.readers.wikitext.page import parse as parse_wikitext

    return parse_wikitext(place, payload)


def _items(path: Path, name: str, limit: int) -> Iterator[Item | Reject | Cut]:
    reader = _Reader(limit)
    for pages, reason in _batches(path, reader):
        for page in pages:
            entry = _entry(page, reader.site, limit)
            if entry is not None:
                yield entry
        if reason:
            yield Cut(name, reason)


def _batches(path: Path, reader: _Reader) -> Iterator[tuple[list[Page], str | None]]:
    """Yield the pages that each piece of the file completes, and with the last why reading stopped early."""
    try:
        n_bytes = 0
        for piece in _pieces(path):
            n_bytes += len(piece)
            reader.parser.Parse(piece, False)
            yield reader.take(), None
            # Expat reads an unfinished tag or comment from its beginning with every piece.
            if n_bytes - reader.parser.CurrentByteIndex > MOST_TOKEN:
                raise NotADump(f"a tag or comment has more than {MOST_TOKEN:,} bytes")
        reader.parser.Parse(b"", True)
    except (expat.ExpatError, NotADump) as error:
        yield reader.take(), f"the XML is damaged {reader.where()}: {error}"
    except (EOFError, OSError, zlib.error) as error:
        yield reader.take(), f"the file is damaged {reader.where()}: {error}"


def _pieces(path: Path) -> Iterator[bytes]:
    """Yield a file's bytes, unpacked; what stands before a break comes before the error."""
    with path.open("rb") as file:
        archive = decompressed(file)
        while piece := archive.read1(PIECE):  # type: ignore[attr-defined]
            yield piece


def _entry(page: Page, site: Site, limit: int) -> Item | Reject | None:
    if not site.is_article(page.title, page.namespace):
        return None
    title = title_of(page.title, capital=False)
    if not title:
        return Reject("a page without a title", "the page has no title")
    text, size = page.revision.text, page.revision.size
    if size > limit:
        return Reject(title, too_large(size, limit))
    if page.revision.model not in ("", "wikitext"):
        return Reject(title, f"its content is {page.revision.model}, not wikitext")
    if page.redirect is None and not text.strip():
        return Reject(title, "the page has no text")
    date = page.revision.timestamp[:10]
    content = f"{title}\0{page.redirect}\0{date}\0{site.key}\0{text}"
    digest = blake2b(content.encode("utf-8", "replace"), digest_size=16, key=EXTRACTION)
    return Item(title, digest.hexdigest(), (title, text, page.redirect, date, site))


class _Reader:
    """Gathers pages from the events of the XML parser, which keeps nothing itself."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.site = Site()
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.buffer_size = PIECE
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self._pages: list[Page] = []
        self._namespaces: dict[int, str] = {}
        self._key = ""
        self._last_title = ""
        self._root = ""
        self._depth = 0
        self._in_page = False
        self._in_revision = False
        self._clear()

    def take(self) -> list[Page]:
        """Return the pages completed since the last call."""
        pages, self._pages = self._pages, []
        return pages

    def where(self) -> str:
        """Tell how far reading came."""
        return f"after {self._last_title}" if self._last_title else "before its first page"

    def _clear(self) -> None:
        self._fields: dict[str, str] = {}
        self._revision: Revision | None = None
        self._redirect: str | None = None
        self._parts: list[str] = []
        self._size = self._text_size = 0

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise NotADump(f"its elements are nested deeper than {DEEPEST}")
        if not self._root:
            self._root = name
            if name != "mediawiki":
                raise NotADump(f"its root element is {name}, not mediawiki")
            self.site = self.site._replace(language=attributes.get("xml:lang"))
        elif name == "page":
            self._in_page = True
            self._clear()
        elif name == "revision":
            self._in_revision = True
            self._fields = {key: value for key, value in self._fields.items() if key in PAGE_FIELDS}
        elif name == "redirect" and self._in_page:
            self._redirect = attributes.get("title", "")[:MOST_FIELD]
        elif name in (
            REVISION_FIELDS if self._in_revision else PAGE_FIELDS if self._in_page else SITE_FIELDS
        ):
            self._key = attributes.get("key", "")
            self._parts, self._size = [], 0
            self.parser.CharacterDataHandler = self._characters

    def _characters(self, data: str) -> None:
        self._size += len(data) if data.isascii() else len(data.encode("utf-8", "replace"))
        # A page above the limit is counted to its end, but not kept.
        if self._size <= self.limit:
            self._parts.append(data)

    def _end(self, name: str) -> None:
        self._depth -= 1
        if self.parser.CharacterDataHandler is not None:
            self.parser.CharacterDataHandler = None
            self._finish_field(name, "".join(self._parts))
        elif name == "revision":
            self._finish_revision()
        elif name == "page":
            self._finish_page()
        elif name == "siteinfo":
            self.site = read_namespaces(self.site, self._namespaces)

    def _finish_field(self, name: str, text: str) -> None:
        if name != "text" and self._size > MOST_FIELD:
            text = ""
        if name == "namespace":
            if NUMBER.fullmatch(self._key) and len(self._namespaces) < MOST_NAMESPACES:
                self._namespaces[int(self._key)] = text
        elif name == "base" and not self._in_page:
            self.site = self.site._replace(base=text.strip())
        elif name == "case" and not self._in_page:
            self.site = self.site._replace(is_case_sensitive=text.strip() == "case-sensitive")
        else:
            self._fields[name] = text
            if name == "text":
                self._text_size = self._size

    def _finish_revision(self) -> None:
        self._in_revision = False
        fields = self._fields
        revision = Revision(
            fields.get("timestamp", ""), fields.get("model", ""), fields.get("text", ""), self._text_size
        )
        if self._revision is None or revision.timestamp >= self._revision.timestamp:
            self._revision = revision
        self._text_size = 0

    def _finish_page(self) -> None:
        self._in_page = False
        title, namespace = self._fields.get("title", "").strip(), self._fields.get("ns", "").strip()
        number = int(namespace) if NUMBER.fullmatch(namespace) else None
        revision = self._revision or Revision("", "", "", 0)
        self._pages.append(Page(title, number, self._redirect, revision))
        self._last_title = title
        self._clear()
