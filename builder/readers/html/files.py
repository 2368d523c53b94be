"""HTML as people keep it: single files, folders, tar archives; one page at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import cast

from builder.documents.records import Document, Redirect, Reject
from builder.readers.distinct_places import DistinctPlaces
from builder.readers.html.head import MDBOOK
from builder.readers.html.page import BadPage, decode, parse_page
from builder.readers.ignored import ARCHIVED_LINK, LEADS_ON, Ignored, kind_of
from builder.readers.links.archive_titles import ArchiveTitles
from builder.readers.links.page_links import linked_files
from builder.readers.links.refresh import refresh_address
from builder.readers.links.title_index import Pairs, TitleIndex
from builder.readers.registry import ReadOptions
from builder.readers.source import HTML_SUFFIXES, Cut, Item, Source, files_below, leads_out, place_of, too_large, unread
from builder.streams.archives import DAMAGE, is_archive, members
from weft.errors import UnreadableSource
from weft.text.json_text import parsed_json
from weft.text.normalise import encodable

EXTRACTION = b"21"
"""Part of every content hash: a new number makes an update read all pages again."""
TITLES = "titles.json"
MOST_TITLES_BYTES = 100_000_000


def items(source: Source, options: ReadOptions) -> Iterator[Item | Reject | Cut | Ignored]:
    """Yield the pages of a file, folder or tar archive, by place where the source is a folder."""
    titles = given_titles(source.path)
    max_page_bytes = options.max_page_bytes
    if source.path.is_dir():
        found = list(files_below(source.path, HTML_SUFFIXES))
        files = (each for each in found if not isinstance(each, (Reject, Cut)))
        with closing(TitleIndex(files, titles, options.map_heads, max_page_bytes)) as index:
            yield from file_items(found, titles, index, max_page_bytes)
    elif source.path.name.lower().endswith(HTML_SUFFIXES) or not is_archive(source.path):
        if _looks_like_archive(source.path):
            yield Cut(place_of(source.path.name), "not a readable tar archive")
            return
        yield _file(source.path, place_of(source.path.name), titles, max_page_bytes)
    else:
        yield from _archive(source.path, titles, options)


def parse(place: str, payload: tuple[object, ...]) -> Document | Redirect | Reject:
    """Parse what `items` yielded; a wiki's page that says nothing but where it leads is a redirect."""
    data, title, files, own = payload
    assert isinstance(data, bytes) and isinstance(title, str | None) and isinstance(own, str | None)
    try:
        page = parse_page(data, name=place, title=title, files=dict(cast(Pairs, files)), own=own)
    except BadPage as error:
        return Reject(place, str(error))
    target = redirect_target(page)
    return page if target is None else Redirect(page.title, target)


def redirect_target(page: Document) -> str | None:
    """Return the title that a redirect's own page in a wiki leads to, None for any other page."""
    if page.chunks or page.sections:
        return None
    said = ((each.key, each.value) for each in page.statements if each.kind == "redirect")
    return next((target for title, target in said if title == page.title), None)


def file_items(
    found: Iterable[tuple[str, Path] | Reject | Cut], titles: dict[str, str], index: TitleIndex, limit: int
) -> Iterator[Item | Reject | Cut | Ignored]:
    """Yield these files of a source as documents.

    `titles` are given ones by path, `index` resolves links to other files of the source.
    """
    for each in found:
        yield each if isinstance(each, (Reject, Cut)) else _file(each[1], each[0], titles, limit, index)


def _file(
    file: Path, place: str, titles: dict[str, str], limit: int, index: TitleIndex | None = None
) -> Item | Reject | Cut | Ignored:
    try:
        size = file.stat().st_size
        if size > limit:
            return Reject(place, too_large(size, limit))
        return _item(place, file.read_bytes(), titles, index)
    except OSError as error:
        return unread(place, error)


def _archive(path: Path, titles: dict[str, str], options: ReadOptions) -> Iterator[Item | Reject | Cut | Ignored]:
    place = "its start"
    limit = options.max_page_bytes
    index = ArchiveTitles(path, _is_page, titles, options.map_heads, limit)
    places = DistinctPlaces()
    try:
        for member in members(path):
            place = place_of(member.place)
            if member.is_link or not _is_page(place):
                yield Ignored(place, ARCHIVED_LINK if member.is_link else kind_of(place))
                continue
            place = places.free(place)
            if member.problem:
                yield Reject(place, member.problem)
                continue
            if member.size > limit:
                yield Reject(place, too_large(member.size, limit))
                continue
            data = member.file.read()
            if len(data) < member.size:
                yield Cut(place_of(path.name), f"the archive ends within {place}")
                return
            yield _item(place, data, titles, index)
    except DAMAGE as error:
        yield Cut(place_of(path.name), f"the archive is damaged after {place}: {error}")
    finally:
        places.close()
        index.close()


def _is_page(place: str) -> bool:
    return place.lower().endswith(HTML_SUFFIXES) or "." not in PurePosixPath(place).name


def _item(place: str, data: bytes, titles: dict[str, str], index: TitleIndex | None = None) -> Item | Ignored:
    if index and refresh_address(data) and index.leads_on(place):
        return Ignored(place, LEADS_ON)
    title = titles.get(place)
    files = _linked_files(place, data, index) if index else ()
    own = index.target(place) if index and files else None
    digest = blake2b(data, digest_size=16, key=EXTRACTION)
    digest.update(b"\0" + (title or "").encode())
    if files:
        # Without `own`: copies are equal, whatever each is called.
        digest.update(repr(files).encode("utf-8", "backslashreplace"))
    return Item(place, digest.hexdigest(), (data, title, files, own))


def _linked_files(place: str, data: bytes, index: TitleIndex) -> Pairs:
    try:
        text = decode(data)[0]
    except BadPage:
        return ()
    # A page of mdBook leads to no other where its menu is a script; the first chapter tells that there are some.
    first = index.targets(place, ("index.html",)) if MDBOOK in text else ()
    return tuple(sorted({*first, *linked_files(text, place, index)}))


def _looks_like_archive(path: Path) -> bool:
    name = path.name.lower()
    return not name.endswith(HTML_SUFFIXES) and (".tar" in name or name.endswith(".tgz"))


def given_titles(path: Path) -> dict[str, str]:
    """Read `titles.json` (member path to title) in the folder or beside the archive or folder.

    Within the source a link that leads out of it is passed over, as for any
    other file. Raise UnreadableSource for a file that is none, or too large.
    """
    inside, beside = path / TITLES, path.parent / TITLES
    if inside.is_file() and not leads_out(inside, path):
        return _titles_in(inside)
    if not beside.is_file():
        return {}
    if leads_out(beside, path.parent):
        raise UnreadableSource(f"{beside}: a link that leads out of its folder; put the file itself there")
    return _titles_in(beside)


def _titles_in(file: Path) -> dict[str, str]:
    try:
        if (size := file.stat().st_size) > MOST_TITLES_BYTES:
            raise UnreadableSource(f"{file}: {size / 1e6:.1f} MB, more than {MOST_TITLES_BYTES / 1e6:g}")
        titles = parsed_json(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError, OSError) as error:
        raise UnreadableSource(f"{file}: not JSON ({error})") from error
    if not isinstance(titles, dict):
        raise UnreadableSource(f"{file}: must be an object of member path to title")
    return {place: encodable(title) for place, title in titles.items() if isinstance(title, str)}
