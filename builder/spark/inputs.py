"""The inputs of a Spark build: the request's sources and fact files, on disks or in an object store."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from builder.build import inputs_of
from builder.rdf.reader import OTHER_SUFFIXES, SUFFIXES
from builder.readers.formats import FORMATS, format_by_name
from builder.readers.source import (
    ARCHIVE_SUFFIXES,
    AUTO,
    FORMAT_NAMES,
    JSONL_SUFFIXES,
    XML_DUMP,
    labels_of,
    origin_of,
    sources_of,
)
from builder.request import Request
from builder.spark.places import is_remote, name_of, size_of
from builder.streams.lines import plain_name
from weft.errors import UnreadableSource


class DocumentSource(NamedTuple):
    """A source of documents; `rank` is its index on the command line, `place` its path or uri."""

    rank: int
    label: str
    format: str
    place: str


class FactSource(NamedTuple):
    """A fact file; `kind` is rdf or triples, `number` its index on the command line,
    `place` its path or uri.
    """

    number: int
    label: str
    kind: str
    place: str


class Inputs(NamedTuple):
    """All that a build reads, and by label a hash of where each lies, seen from the Parquet folder's own."""

    documents: list[DocumentSource]
    facts: list[FactSource]
    origins: dict[str, str]


def inputs_for(request: Request) -> Inputs:
    """Return a request's inputs, labelled as a local build labels them; raise UnreadableSource on a wrong one."""
    named = [*request.sources, *request.rdf, *request.triples]
    if not any(map(is_remote, named)):
        sources, facts = inputs_of(request._replace(add=False))
        documents = [
            DocumentSource(rank, source.label, source.format, str(source.path.resolve()))
            for rank, source in enumerate(sources)
        ]
        files = [FactSource(n, label, kind, str(path.resolve())) for n, (label, kind, path) in enumerate(facts)]
    else:
        documents, files = _of_stores(request)
    for source in documents:
        if not FORMATS[source.format].is_distributed:
            raise UnreadableSource(
                f"{source.label}: {source.format} sources are for builds on one machine; leave out --engine spark"
            )
    here = request.output.parent
    places = [(each.label, each.place) for each in documents] + [(each.label, each.place) for each in files]
    return Inputs(documents, files, {label: origin_of(Path(place), here) for label, place in places})


def _of_stores(request: Request) -> tuple[list[DocumentSource], list[FactSource]]:
    """Return inputs of which some are in a store, where only files are read, their format known by their names."""
    documents = [_format_and_place(name, request.format) for name in request.sources]
    facts = [("rdf", _absolute(name)) for name in request.rdf]
    facts += [("triples", _absolute(name)) for name in request.triples]
    for place in (place for _, place in (*documents, *facts)):
        _check(place)
    for _, place in facts[: len(request.rdf)]:
        _check_format(place)
    paths = [urlsplit(place).path if is_remote(place) else place for _, place in (*documents, *facts)]
    labels = labels_of([Path(path) for path in paths])
    return (
        [DocumentSource(n, labels[n], *each) for n, each in enumerate(documents)],
        [FactSource(n, labels[len(documents) + n], *each) for n, each in enumerate(facts)],
    )


def _absolute(name: str) -> str:
    return name if is_remote(name) else str(Path(name).resolve())


def _format_and_place(name: str, default: str) -> tuple[str, str]:
    if not is_remote(name):
        (source,) = sources_of([name], default)
        return source.format, str(source.path.resolve())
    head, _, tail = name.partition(":")
    form, place = (head, tail) if head in FORMAT_NAMES else (default, name)
    if form != AUTO:
        return form, place
    if place.lower().endswith(JSONL_SUFFIXES):
        return "jsonl", place
    if by_name := format_by_name(place):
        return by_name, place
    if place.lower().endswith(ARCHIVE_SUFFIXES):
        return "html", place
    if XML_DUMP.search(place):
        return "wikitext", place
    raise UnreadableSource(f"{place}: its format cannot be told; say it, as in html:{place}")


def _check(place: str) -> None:
    try:
        empty = size_of(place) == 0
    except (OSError, ValueError) as error:
        raise UnreadableSource(f"{place}: no such file ({error})") from error
    if empty:
        raise UnreadableSource(f"{place}: holds nothing")


def _check_format(place: str) -> None:
    suffix = Path(plain_name(Path(name_of(place)))).suffix.lower()
    if suffix in OTHER_SUFFIXES or suffix not in SUFFIXES:
        raise UnreadableSource(f"{place}: is no .nt, .nq or .ttl file by its name; convert or rename it")
