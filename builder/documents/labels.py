"""Labels, such as "Example:" and "Note", in one chunk with the text that they stand above.

A line that a colon ends, a few words without any end, and an option as it is typed say nothing alone. What holds a
sentence is no label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from builder.documents.chunking import SENTENCE_END, Line, join_lines
from builder.documents.records import Chunk

LONGEST_LABEL, LONGEST_BARE = 80, 40
"""The most characters of a label that ends with a colon, and of one without an end."""
MOST_WORDS = 4
"""Of a label without an end."""
LONGEST_RUN = 200
"""The most characters of labels above one text; a page may be all labels."""
LABELLED = frozenset(("paragraph", "list", "definition", "code"))
"""The kinds of texts that a label is joined to: a table's first line is its header."""
COLONS = (":", "：")
OPTION = re.compile(r"\[?--?[A-Za-z][^\n.]*")
"""A line that is an option: "[--border WIDTH]", "-v, --verbose"."""
SAYS_ALL = re.compile(r"defaults?(?: value)?: |(?:new|added|changed|removed|deprecated) (?:in|since) version\b", re.I)
"""What begins a short line that says something of what stands above: "Default: none", "New in version 3.1"."""


def join_labels(chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """Return the chunks, each label as the first line of the chunk behind it in its section. Linear in the text.

    >>> oil = [Chunk(-1, "paragraph", 0, "Example:"), Chunk(-1, "code", 0, "light --oil")]
    >>> [(chunk.kind, chunk.text) for chunk in join_labels(oil)]
    [('code', 'Example:\\nlight --oil')]
    """
    return tuple(_with_labels(run) for run in _runs(chunks))


def _runs(chunks: Sequence[Chunk]) -> Iterator[list[Chunk]]:
    """Yield each chunk behind the labels that belong to it."""
    run: list[Chunk] = []
    size = 0
    for chunk in chunks:
        if run and (size > LONGEST_RUN or not _is_label_of(run[-1], chunk)):
            yield run
            run, size = [], 0
        run.append(chunk)
        size += len(chunk.text) + 1
    if run:
        yield run


def _with_labels(run: Sequence[Chunk]) -> Chunk:
    if len(run) == 1:
        return run[0]
    text, links = join_lines([Line(chunk.text, chunk.links) for chunk in run])
    return run[-1]._replace(text=text, links=links)


def _is_label_of(label: Chunk, chunk: Chunk) -> bool:
    if label.kind != "paragraph" or label.part or chunk.kind not in LABELLED or chunk.part > 1:
        return False
    if label.section != chunk.section or label.marks_links != chunk.marks_links:
        return False
    # Of short lines behind each other none heads the next one.
    is_of_one = (_is_bare(label) and not _is_bare(chunk)) or (_is_option(label) and not _is_option(chunk))
    return _ends_with_colon(label) or is_of_one


def _is_option(chunk: Chunk) -> bool:
    return len(chunk.text) <= LONGEST_LABEL and OPTION.fullmatch(chunk.text) is not None


def _ends_with_colon(chunk: Chunk) -> bool:
    text = chunk.text
    if len(text) > LONGEST_LABEL or "\n" in text or not text.endswith(COLONS):
        return False
    return SENTENCE_END.search(text) is None


def _is_bare(chunk: Chunk) -> bool:
    text = chunk.text
    if chunk.kind != "paragraph" or len(text) > LONGEST_BARE or "\n" in text:
        return False
    return text[-1].isalnum() and len(text.split()) <= MOST_WORDS and SAYS_ALL.match(text) is None
