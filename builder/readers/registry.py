"""The reading of any format, by the module that the table of formats names, imported when it is needed.

A format's module has `items(source, options)`, which yields what a source
holds, unparsed and one at a time, and `parse(place, payload)`, which makes a
document of one item and may run in another process.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from builder.documents.chunking import cut_long
from builder.documents.labels import join_labels
from builder.documents.records import Document, Redirect, Reject
from builder.readers.formats import FORMATS
from builder.readers.ignored import Ignored
from builder.readers.links.file_heads import MapHeads, in_this_process
from builder.readers.source import Cut, Item, Source

Entry = Item | Reject | Cut | Ignored
Outcome = Document | Redirect | Reject
Task = tuple[str, Item]


class ReadOptions(NamedTuple):
    """What a user can say about how sources are read; `map_heads` calls the parsers of files that others link to.

    `own_files` are the real paths of what the build itself writes, which is no part of any source.
    """

    max_page_bytes: int = 20_000_000
    spacy_model: str | None = None
    map_heads: MapHeads = in_this_process
    own_files: frozenset[Path] = frozenset()


def items(source: Source, options: ReadOptions) -> Iterator[Entry]:
    """Yield a source's documents, unparsed, and what it holds that cannot be read."""
    entries: Iterator[Entry] = _module(source.format).items(source, options)
    return entries


def parse(task: Task) -> Outcome:
    """Parse one (format, item), join its labels to their texts, cut its overlong chunks; runs in worker processes."""
    outcome = parse_whole(task)
    if not isinstance(outcome, Document):
        return outcome
    # An encyclopedia's short line is a sentence about its subject, such as "Veldra may refer to:".
    chunks = outcome.chunks if outcome.named_by_title else join_labels(outcome.chunks)
    return outcome._replace(chunks=cut_long(chunks))


def parse_whole(task: Task) -> Outcome:
    """Parse one (format, item); its chunks may be overlong."""
    form, item = task
    outcome: Outcome = _module(form).parse(item.place, item.payload)
    return outcome


def _module(form: str) -> Any:
    return import_module(FORMATS[form].module)
