"""Natural Questions as documents: each distinct page of its JSON Lines, original or simplified.

One page occurs with several questions and in several revisions: the first line
in the order of the files is the page. What is asked about the pages is read by
`weft questions`.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from builder.documents.records import Document, Reject
from builder.readers.html.page import BadPage, parse_page
from builder.readers.ignored import Ignored
from builder.readers.json_lines import Line, lines_of
from builder.readers.nq_records import Page, page_of
from builder.readers.registry import ReadOptions
from builder.readers.source import Cut, Item, Source, too_large
from weft.text.normalise import encodable

EXTRACTION = b"4"
LINE_TO_PAGE = 20
"""A line holds its page's HTML escaped and a table of its tokens: its limit is so many times a page's."""
LINE_AT_LEAST = 64_000_000


def items(source: Source, options: ReadOptions) -> Iterator[Item | Reject | Cut | Ignored]:
    """Yield each distinct page of a file or folder, in its order; memory holds a line and 12 bytes a title."""
    met: set[bytes] = set()
    for entry in lines_of(source.path, max_line_of(options.max_page_bytes), source.files):
        if not isinstance(entry, Line):
            yield entry
            continue
        page = record_page(entry)
        if isinstance(page, Reject):
            yield page
            continue
        key = blake2b(page.title.encode(), digest_size=12).digest()
        if key in met:
            continue
        met.add(key)
        yield _item(page, options.max_page_bytes)


def max_line_of(max_page: int) -> int:
    """Return how long a line may be when a page may have so many bytes."""
    return max(LINE_AT_LEAST, LINE_TO_PAGE * max_page)


def record_page(line: Line) -> Page | Reject:
    """Return the page of a record's line, or what is wrong with it."""
    text = line.data.decode("utf-8", "replace").strip()
    try:
        page = page_of(text)
    except (ValueError, RecursionError) as error:
        return Reject(line.place, f"not JSON: {error}")
    if not (text.startswith("{") and text.endswith("}")):
        return Reject(line.place, "not JSON: no object, or cut short")
    if page is None:
        return Reject(line.place, "neither document_html nor document_text is a string")
    if not page.title:
        return Reject(line.place, "no title: document_title, document_url and the heading are missing")
    return page._replace(title=encodable(page.title))


def parse(place: str, payload: tuple[object, ...]) -> Document | Reject:
    """Make a document of a page's HTML; where the format has lost the links, names are found in the text."""
    data, url, has_links = payload
    assert isinstance(data, bytes)
    try:
        page = parse_page(data.decode(), name=place, title=place, wiki=True)
    except BadPage as error:
        return Reject(place, str(error))
    own = page.url or (url if isinstance(url, str) else None)
    return page._replace(title=place, url=own, marks_links=bool(has_links))


def _item(page: Page, limit: int) -> Item | Reject:
    data = page.html.encode("utf-8", "replace")
    if len(data) > limit:
        return Reject(page.title, too_large(len(data), limit))
    digest = blake2b(data, digest_size=16, key=EXTRACTION)
    digest.update(f"\0{page.url}".encode("utf-8", "replace"))
    return Item(page.title, digest.hexdigest(), (data, page.url, page.has_links))
