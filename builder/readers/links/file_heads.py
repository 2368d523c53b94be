"""The title of a file by its first bytes, as each kind of file tells it, and whether a whole file is a document.

A parser that breaks or does not end must not be part of the build's own
process, so whoever needs titles is given the function that calls `title_of`.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import IO, NamedTuple

from builder.documents.records import Reject
from builder.storage.process_pool import Lost
from builder.streams.encodings import text_encoding

HEAD = 1 << 15
PAGE_HEAD = 1 << 20
"""Bytes read for the title: of a text its first heading, of a page its `<h1>`, which scripts and styles precede."""


class FileHead(NamedTuple):
    """The first bytes of a file, or all; `given` is a title from titles.json."""

    place: str
    data: bytes
    is_page: bool
    given: str | None = None


MapHeads = Callable[[Callable[[FileHead], str], Iterable[FileHead]], Iterator[tuple[FileHead, str | Lost]]]
"""Yields (head, result) of each head, in order; a Lost for one that ended its worker process."""


def read_head(file: IO[bytes], most: int) -> bytes:
    """Return at most so many bytes of a file, without the part of a character that the cut leaves at their end."""
    data = file.read(most + 1)
    if len(data) <= most:
        return data
    decoder = codecs.getincrementaldecoder(text_encoding(data).removesuffix("-sig"))("replace")
    decoder.decode(data[:most])
    return data[: most - len(decoder.getstate()[0])]


def title_of(head: FileHead) -> str:
    """Return the title of the file that begins so, an empty string where it has none."""
    # Found by name, as formats are: these modules import this one.
    if head.is_page:
        return str(import_module("builder.readers.links.html_titles").title_of_page(head.data, head.place, head.given))
    return str(import_module("builder.readers.text.files").head_title(head.data, head.place))


def title_at_sight(head: FileHead) -> str:
    """Return the title of a file that shows it without a parser, an empty string for any other."""
    if head.is_page:
        return ""
    return str(import_module("builder.readers.text.files").title_at_sight(head.data, head.place))


def reason_of_reject(file: FileHead) -> str:
    """Return why a whole file becomes no document, an empty string where it becomes one."""
    if file.is_page:
        found = import_module("builder.readers.html.files").parse(file.place, (file.data, file.given, (), None))
    else:
        found = import_module("builder.readers.text.files").parse(file.place, (file.data, (), None, (), None))
    return found.reason if isinstance(found, Reject) else ""


def in_this_process(
    function: Callable[[FileHead], str], heads: Iterable[FileHead]
) -> Iterator[tuple[FileHead, str | Lost]]:
    """Call the function here, for a caller that is a worker itself."""
    for head in heads:
        yield head, function(head)
