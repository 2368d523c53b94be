"""A folder of several formats: every file is read as what it is, and all are one source.

The readers of the formats do the work; here files are shared out to them, and
the places that two of them give to different documents are told apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from builder.documents.records import Document, Redirect, Reject
from builder.readers.distinct_places import DistinctPlaces
from builder.readers.formats import FORMATS
from builder.readers.html import files as html_files
from builder.readers.ignored import Ignored, is_copy_of_page
from builder.readers.links.title_index import TitleIndex
from builder.readers.registry import Entry, ReadOptions, parse_whole
from builder.readers.registry import items as read_items
from builder.readers.source import DOCUMENT_SUFFIXES, Cut, Item, Source, document_format, files_below
from builder.readers.text import files as plain_text


def items(source: Source, options: ReadOptions) -> Iterator[Entry]:
    """Yield the pages and texts of a folder, by place, then what its dumps and JSON Lines files hold."""
    files: dict[str, list[tuple[str, Path]]] = {}
    for found in files_below(source.path, DOCUMENT_SUFFIXES):
        if isinstance(found, (Cut, Reject)):
            yield found
        elif form := document_format(found[1], found[0]):
            files.setdefault(form, []).append(found)
    with closing(DistinctPlaces()) as places:
        for form, entry in _entries(source, files, options):
            if isinstance(entry, (Cut, Ignored)):
                yield entry
                continue
            place = places.free(entry.place)
            if isinstance(entry, Item):
                yield Item(place, entry.content_hash, (form, entry.place, *entry.payload))
            else:
                yield entry._replace(place=place)


def parse(place: str, payload: tuple[object, ...]) -> Document | Redirect | Reject:
    """Parse what `items` yielded, as the format that it is of."""
    form, own_place, *rest = payload
    assert isinstance(form, str) and isinstance(own_place, str)
    outcome = parse_whole((form, Item(own_place, "", tuple(rest))))
    return outcome._replace(place=place) if isinstance(outcome, Reject) else outcome


def _entries(
    source: Source, files: dict[str, list[tuple[str, Path]]], options: ReadOptions
) -> Iterator[tuple[str, Entry]]:
    pages = files.get("html", [])
    texts = [each for each in files.get("text", []) if not is_copy_of_page(source.path, each[0])]
    titles = html_files.given_titles(source.path)
    plain_text.check_options(options)
    with closing(TitleIndex([*pages, *texts], titles, options.map_heads, options.max_page_bytes)) as index:
        read_pages = html_files.file_items(pages, titles, index, options.max_page_bytes)
        yield from (("html", entry) for entry in read_pages)
        yield from (("text", entry) for entry in plain_text.file_items(texts, index, options))
    # Pages and texts link to each other's files; those of any other format are read on their own, at once.
    for form in [each for each in FORMATS if each in files and each not in ("html", "text")]:
        read_files = read_items(source._replace(format=form, files=tuple(files[form])), options)
        yield from ((form, entry) for entry in read_files)
