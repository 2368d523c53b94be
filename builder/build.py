"""Build, update and trim an SKB: the one place where reading and deriving meet.

>>> build(Request(sources=("encyclopedia/",), output=Path("kb.skb")))      # doctest: +SKIP
Summary(...)
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from builder.derive.fact_files import empty_notes, labels_on_record, malformed_notes
from builder.derive.graph_nodes import GRAPH_KINDS
from builder.derive.node_uris import GRAPH_LABEL
from builder.derive.pipeline import Derivation, Facts
from builder.info import counts_of
from builder.provenance import known_origins, relabelled_inputs, truncated_inputs, write_record
from builder.readable_facts import check_file, check_format, check_readable
from builder.readers.registry import ReadOptions
from builder.readers.source import NOTHING, Source, labels_of, sources_of
from builder.request import SILENT, FactInput, Progress, Request, Settings, Summary
from builder.source_layer.duplicates import settle_titles
from builder.source_layer.gone import gone_files, listed_files
from builder.source_layer.ingest import Reading
from builder.source_layer.left_out import ignored_kept, left_out
from builder.source_layer.removal import forget_titles, removal_of
from builder.source_layer.writer import DocumentWriter
from builder.sparql.fact_file import fetch_facts
from builder.storage.leftover import own_files
from builder.storage.process_pool import cores
from builder.storage.working_copy import WorkingCopy, real_output, working_copy
from weft.embedders.base import Embedder, Fixed
from weft.embedders.registry import NotAllowed, embedder_of, embedder_on_record
from weft.errors import UnreadableSource, WeftError
from weft.http.addresses import without_secrets
from weft.meta import get_meta, set_meta
from weft.skb import Skb

MOST_REJECTS = 10
"""Rejected documents that an error names."""


def build(request: Request, progress: Progress = SILENT) -> Summary:
    """Make or update `request.output`; raise a WeftError where the request itself is wrong.

    What is wrong within a source is on record in `source_item` afterwards. A
    build after which the SKB would hold nothing raises UnreadableSource and
    leaves everything as it was.
    """
    request = request._replace(output=real_output(request.output))
    origins = known_origins(request)
    sources, facts = inputs_of(request, origins)
    notes = relabelled_inputs(request, sources, facts, origins)
    embedder = embedder_of(request.settings.embedder)
    if isinstance(embedder, Fixed):
        embedder.check()
    with working_copy(request.output, _job(request)) as part:
        connection = part.connection
        start = time.perf_counter()
        reading = _read(connection, request, sources, progress)
        removed = _remove_what_is_gone(reading, request, sources, facts)
        reading.settle_duplicates(sources)
        reading.settle_titles()
        notes += [*reading.orphan_notes(), *reading.ignored.archive_notes(sources)]
        seconds = {"reading": time.perf_counter() - start}
        failure = reading.failure()
        is_empty = failure is not None and reading.is_empty()
        if is_empty:
            part.keep = False
            rejects = tuple(reading.rejects(MOST_REJECTS))
        else:
            inputs = _Inputs(sources, facts, origins, tuple(notes), embedder)
            summary = _derive(request, inputs, part, reading, removed, failure, seconds, progress)
    if is_empty:
        as_it_was = "is as it was" if request.output.exists() else "was not written"
        raise UnreadableSource(f"{failure}; {request.output} {as_it_was}", rejects)
    return summary


class _Inputs(NamedTuple):
    sources: list[Source]
    facts: list[FactInput]
    origins: Mapping[str, str]
    notes: tuple[str, ...]
    embedder: Embedder


def _derive(
    request: Request, inputs: _Inputs, part: WorkingCopy, reading: Reading, removed: int, failure: str | None,
    seconds: dict[str, float], progress: Progress,
) -> Summary:  # fmt: skip
    """Bring the derived layer up to date with what was read, and record what was done."""
    connection = part.connection
    facts = inputs.facts + _fetched(connection, request, progress)
    derivation = Derivation(
        connection, Facts(facts, request.keeps_others), request.settings, progress.stage, request.memory_mb
    )
    derivation.run(inputs.embedder, progress.advance)
    truncated = truncated_inputs(connection, facts)
    ignored = [*ignored_kept(connection, reading.sources_kept()), *reading.ignored.records()]
    changed = bool(
        reading.writer.changed or derivation.changed or part.resumed or part.outdated
        or get_meta(connection, "sources") != list(reading.writer.ranks)
        or get_meta(connection, "build", {}).get("ignored", []) != ignored
    )  # fmt: skip
    summary = Summary(
        request.output,
        changed=changed,
        resumed=part.resumed,
        documents=dict(+reading.counts),
        removed=removed,
        facts_removed=derivation.facts_gone,
        facts_retained=derivation.facts_retained,
        incomplete=[*reading.incomplete, *truncated],
        counts=counts_of(connection),
        seconds={name: round(s, 3) for name, s in (seconds | derivation.seconds).items()},
        notes=(
            *part.notes, *inputs.notes, *malformed_notes(connection, [each.label for each in facts]),
            *empty_notes(connection, [each.label for each in inputs.facts]),
        ),
        left_out=left_out(connection, ignored),
        failure=failure,
        unread=reading.unread,
        broken_off=[*reading.broken_off, *truncated],
    )
    part.keep = changed or not request.output.exists()
    if part.keep:
        write_record(connection, request, inputs.sources, facts, inputs.origins)
        record = {"seconds": summary.seconds, "documents": summary.documents, "ignored": ignored}
        set_meta(connection, "build", record)
        set_meta(connection, "sources", list(reading.writer.ranks))
        connection.commit()
    return summary


def remove(output: Path, titles: Sequence[str], progress: Progress = SILENT) -> Summary:
    """Remove pages from an SKB without a trace; raise NotInKnowledgeBase when a title names none.

    The sources are not read: a page that is still in them comes back with the
    next full build.
    """
    # Raises for a title of no page before anything is copied.
    removal_of(output, titles)
    with working_copy(output, f"remove {list(titles)}", must_exist=True) as part:
        # Again under the lock, of the SKB itself: a stopped remove may have taken some out of the working copy.
        items, n_pages, notes = removal_of(output, titles)
        connection = part.connection
        settings = settings_of(connection)
        writer = DocumentWriter(
            connection, {label: rank for rank, label in enumerate(get_meta(connection, "sources", []))},
            _graph_labels(connection, []),
        )  # fmt: skip
        forget_titles(connection, items)
        for item in items:
            writer.remove(item)
        settle_titles(writer)
        derivation = Derivation(connection, Facts((), True), settings, progress.stage)
        derivation.run(embedder_on_record(settings.embedder), progress.advance)
        return Summary(
            output,
            changed=True,
            resumed=part.resumed,
            documents={},
            removed=n_pages,
            facts_removed=0,
            facts_retained=0,
            incomplete=[],
            counts=counts_of(connection),
            seconds=derivation.seconds,
            notes=(*part.notes, *notes),
        )


def inputs_of(
    request: Request, taken: Mapping[str, str] = NOTHING
) -> tuple[list[Source], list[FactInput]]:
    """Return the sources and the fact files that a request names, each labelled uniquely.

    Raises UnreadableSource for an input that is missing or of an unknown format, and for a fact file without a
    well-formed line.
    """
    sources = sources_of(list(request.sources), request.format)
    named = [("rdf", Path(name)) for name in request.rdf] + [
        ("triples", Path(name)) for name in request.triples
    ]
    for kind, path in named:
        check_file(path, kind)
        if kind == "rdf":
            check_format(path)
    paths = [source.path for source in sources] + [path for _, path in named]
    labels = labels_of(paths, taken, request.output.parent)
    sources = [source._replace(label=label) for source, label in zip(sources, labels, strict=False)]
    facts = [FactInput(label, *pair) for label, pair in zip(labels[len(sources) :], named, strict=True)]
    check_readable(facts)
    graphs = [each for each in sources if each.format in GRAPH_KINDS]
    return sources, facts + [FactInput(each.label + GRAPH_LABEL, each.format, each.path) for each in graphs]


def settings_for(output: Path | None, **given: Any) -> Settings:
    """Return the settings for a build: those given, else those of the SKB that is added to, else the defaults.

    Raise WeftError where the SKB's embedder needs the user's explicit permission.
    """
    known = Settings()
    if output is not None and output.exists():
        with Skb(output) as skb:
            known = settings_of(skb.connection)
        if given.get("embedder") is None and isinstance(own := embedder_on_record(known.embedder), NotAllowed):
            raise WeftError(f"{own.reason()}, and so does --embedder")
    chosen = {name: value for name, value in given.items() if value is not None}
    return known._replace(**chosen)


def settings_of(connection: sqlite3.Connection) -> Settings:
    """Return the settings that an SKB was built with."""
    known = get_meta(connection, "settings", {})
    return Settings(**{**known, "languages": tuple(known.get("languages", ("en",)))})


def _fetched(
    connection: sqlite3.Connection, request: Request, progress: Progress
) -> list[FactInput]:
    if not request.sparql:
        return []
    progress.stage("asking endpoints")
    return fetch_facts(
        connection, request.sparql, request.settings.languages, request.resource_prefix, progress.advance,
        int(request.max_page_mb * 1e6),
    )  # fmt: skip


def _job(request: Request) -> str:
    """Return the job's name, which a stopped build must share to be resumed; a full build compares all inputs."""
    if request.keeps_others:
        return (
            f"add {request.sources} {request.rdf} {request.triples} {request.limit}"
            f" {tuple(map(without_secrets, request.sparql))} {request.format}"
        )
    return "build"


def _read(
    connection: sqlite3.Connection,
    request: Request,
    sources: list[Source],
    progress: Progress,
) -> Reading:
    labels = [source.label for source in sources]
    if request.keeps_others:
        labels = [*dict.fromkeys([*get_meta(connection, "sources", []), *labels])]
    progress.stage("reading")
    reading = Reading(
        connection, {label: rank for rank, label in enumerate(labels)}, _graph_labels(connection, sources),
        workers=request.workers or cores(), document_seconds=request.document_seconds,
        options=ReadOptions(
            int(request.max_page_mb * 1e6), request.spacy_model, own_files=own_files(request.output)
        ),
        limit=request.limit, advance=progress.advance,
    )  # fmt: skip
    reading.read(sources)
    return reading


def _graph_labels(connection: sqlite3.Connection, sources: list[Source]) -> frozenset[str]:
    """Return the labels of all sources whose documents are a graph's nodes."""
    recorded = (each["label"] for each in get_meta(connection, "facts", []) if each["kind"] in GRAPH_KINDS)
    named = (source.label for source in sources if source.format in GRAPH_KINDS)
    return frozenset([*(label.removesuffix(GRAPH_LABEL) for label in recorded), *named])


def _remove_what_is_gone(
    reading: Reading, request: Request, sources: list[Source], facts: list[FactInput]
) -> int:
    """Remove what no source has any more; return how many documents.

    Of a source that was not read to its end only the files are removed that are gone from its folder.
    """
    if request.keeps_others:
        return 0
    kept = set(reading.incomplete) | {each.label for each in facts} | labels_on_record(reading.connection)
    gone = {
        each.label: set(gone_files(reading.connection, each, listed_files(each)))
        for each in sources
        if each.label in reading.incomplete and each.path.is_dir() and each.format not in GRAPH_KINDS
    }
    return reading.remove_unseen(kept, gone)
