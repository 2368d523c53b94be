"""Bring the source layer up to date with its sources: read what changed, forget what is gone."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import Any

from builder.documents.records import Redirect, Reject
from builder.readers.formats import FORMATS
from builder.readers.ignored import Ignored, IgnoredFiles, ignored_files
from builder.readers.registry import Entry, Outcome, ReadOptions, Task, items, parse
from builder.readers.source import Cut, Item, Source
from builder.source_layer.duplicates import give_up_orphans, orphans, settle_titles
from builder.source_layer.unread import forget_mended, unread_place
from builder.source_layer.writer import DocumentWriter
from builder.storage.commits import Commits
from builder.storage.process_pool import Lost, Workers, may_be_in_time
from weft.errors import UnreadableSource
from weft.text.normalise import is_visible


class Reading:
    """One pass over the sources of a build."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        ranks: dict[str, int],
        graphs: frozenset[str],
        *,
        workers: int,
        document_seconds: float,
        options: ReadOptions,
        limit: int | None,
        advance: Callable[[int], None],
    ) -> None:
        """Prepare to read; `advance` is called with the number of documents handled since the last call."""
        self.writer = DocumentWriter(connection, ranks, graphs)
        self.connection = connection
        self.workers = workers
        self.document_seconds = document_seconds
        self.options = options
        self.limit = limit
        self.advance = advance
        self.counts: Counter[str] = Counter()
        self.ignored = IgnoredFiles()
        self._named: set[str] = set()
        self._broken = 0
        self.incomplete: list[str] = []
        self.broken_off: list[str] = []
        self.unread: list[str] = []
        self._duplicates: set[tuple[str, str]] = set()
        self._freed: set[tuple[str, str]] = set()
        self._commits = Commits(connection)
        connection.execute("CREATE TEMP TABLE IF NOT EXISTS seen (id INTEGER PRIMARY KEY, is_read INTEGER)")
        connection.execute("DELETE FROM seen")

    def read(self, sources: Sequence[Source]) -> None:
        """Read every changed document of the sources; raise UnreadableSource for a source without any."""
        with self._workers() as workers:
            self._read_all(sources, workers)
        self.connection.commit()

    def _workers(self) -> Workers:
        return Workers(self.workers, self.document_seconds)

    def _read_all(self, sources: Sequence[Source], workers: Workers) -> None:
        for source in sources:
            before = sum(self.counts.values())
            if self.limit is not None and before >= self.limit:
                break
            self._read(source, workers)
            if self.limit is None:
                forget_mended(self.writer, source.label)
            self._named.add(source.label)
            for file in ignored_files(source, self.options.own_files):
                self.ignored.add(source.label, file)
            # A graph may be all names and edges, without any text.
            is_empty = sum(self.counts.values()) == before and source.label not in self.writer.graphs
            if is_empty and source.label not in self.incomplete:
                ignored = self.ignored.told(source)
                message = f"{source.path}: holds no documents of the format {source.format}"
                raise UnreadableSource(f"{message}; ignored: {ignored}" if ignored else message)

    def remove_unseen(self, kept: set[str], gone_from: Mapping[str, Set[str]]) -> int:
        """Remove every input not seen, of the sources `kept` only what is `gone_from` them; count the documents."""
        gone = [
            (identity, state)
            for identity, label, place, state in self.connection.execute(
                "SELECT id, source, place, state FROM source_item WHERE id NOT IN (SELECT id FROM seen)"
            ).fetchall()
            if label not in kept or place in gone_from.get(label, ())
        ]
        for identity, _ in gone:
            self.writer.remove(identity)
        self.connection.commit()
        return sum(state in ("ok", "duplicate") for _, state in gone)

    def settle_duplicates(self, sources: Sequence[Source]) -> None:
        """Read again the duplicates whose title has become free, until every title has its page."""
        while freed := orphans(self.writer):
            labels = {each.source for each in freed}
            readable = [source for source in sources if source.label in labels]
            if not readable:
                return
            named = {source.label for source in readable}
            self.connection.executemany(
                "UPDATE source_item SET content_hash = NULL WHERE id = ?",
                ((each.id,) for each in freed if each.source in named),
            )
            before = len(freed)
            with self._workers() as workers:
                for source in readable:
                    self._read(source, workers, again=True)
            self.connection.commit()
            if len(orphans(self.writer)) >= before:
                return

    def settle_titles(self) -> None:
        """Settle the uris of pages that share their title; pages of equal content become duplicates."""
        for item in settle_titles(self.writer):
            query = "SELECT is_read FROM seen WHERE id = ?"
            row = self.connection.execute(query, (item,)).fetchone()
            self.counts["read" if row is None or row[0] else "unchanged"] -= 1
            self.counts["duplicates"] += 1

    def orphan_notes(self) -> list[str]:
        """Give up the duplicates whose page is gone and that were not read again; return a note a source."""
        return [
            f"{label}: {count:,} document{'s' * (count != 1)} whose page is gone; build again with all of {label} named"
            for label, count in sorted(give_up_orphans(self.writer).items())
        ]

    def failure(self) -> str | None:
        """Say that nothing was read and why, in one line; None where any document of the sources is in the SKB."""
        query = "SELECT 1 FROM seen JOIN source_item USING (id) WHERE state IN ('ok', 'duplicate') LIMIT 1"
        if self.writer.graphs or self._one(query):
            return None
        first, number = self.rejects(1), self._one("SELECT count(*) FROM seen")
        if not first or number is None:
            return "nothing was read"
        left = "stays" if self.is_empty() else "is removed"
        gone = f" ({self._broken:,} of them had text until now, which {left})" if self._broken else ""
        return f"nothing was read: {number[0]:,} rejected{gone}, the first {first[0]}"

    def rejects(self, most: int) -> list[str]:
        """Return the first documents that were rejected in this run, each with its reason, in one line."""
        rows = self.connection.execute(
            "SELECT iif(substr(place || ' ', 1, length(source) + 1) = source || ' ', '', source || ': ')"
            " || place || ': ' || reason FROM seen JOIN source_item USING (id)"
            " WHERE reason IS NOT NULL ORDER BY id LIMIT ?", (most,)
        )
        return [row[0] for row in rows]

    def is_empty(self) -> bool:
        """Tell whether the SKB would hold no document at all."""
        return self._one("SELECT 1 FROM source_item WHERE state = 'ok' AND id IN (SELECT source_id FROM page)") is None

    def sources_kept(self) -> list[str]:
        """Return the labels of the sources on record that were not named, and are kept."""
        return [label for label in self.writer.ranks if label not in self._named]

    def _one(self, query: str) -> tuple[Any, ...] | None:
        row: tuple[Any, ...] | None = self.connection.execute(query).fetchone()
        return row

    def _read(self, source: Source, workers: Workers, *, again: bool = False) -> None:
        options = self.options._replace(map_heads=workers.map)
        entries = self._documents(source, items(source, options), again)
        if self.limit is not None:
            entries = islice(entries, max(0, self.limit - sum(self.counts.values())))
        tasks = ((source.format, item) for item in self._changed(source, entries, again))
        in_order = workers.map(parse, tasks) if FORMATS[source.format].parallel else _in_process(tasks)
        for (_, item), outcome in in_order:
            before = "duplicates" if (source.label, item.place) in self._duplicates else "unchanged"
            self._store(source, item, _usable(item, outcome))
            if again:
                self.counts[before] -= 1
            self._commits.commit_when_due()

    def _documents(
        self, source: Source, entries: Iterator[Entry], again: bool
    ) -> Iterator[Item | Reject | Cut]:
        """Pass on what may be a document; count the rest."""
        for entry in entries:
            if not isinstance(entry, Ignored):
                yield entry
            elif not again:
                self.ignored.add(source.label, entry)

    def _changed(self, source: Source, entries: Iterator[Item | Reject | Cut], again: bool) -> Iterator[Item]:
        """Pass on what must be parsed; put the rest on record."""
        for entry in entries:
            if isinstance(entry, (Cut, Reject)):
                if not again:
                    self._record_problem(source, entry)
            elif self._is_settled(source, entry):
                self._seen(source.label, entry.place)
                if not again:
                    known = self.writer.state_of(source.label, entry.place)
                    is_rejected = known is not None and known.state == "rejected"
                    self.counts["rejected" if is_rejected else "unchanged"] += 1
                    self.advance(1)
            else:
                yield entry

    def _is_settled(self, source: Source, item: Item) -> bool:
        """Tell whether a document need not be read: unchanged, or kept as it is on record."""
        if self._may_lack_records(source, item):
            return True
        known = self.writer.state_of(source.label, item.place)
        if known is not None and known.state == "rejected" and may_be_in_time(known.reason, self.document_seconds):
            return False
        return self.writer.is_current(source.label, item.place, item.content_hash)

    def _store(self, source: Source, item: Item, outcome: Outcome) -> None:
        if isinstance(outcome, Reject):
            self._reject(source, outcome, item.content_hash)
            return
        if isinstance(outcome, Redirect):
            self.writer.write_redirect(source.label, item.place, item.content_hash, outcome)
            counted = "redirects"
        else:
            known = self.writer.state_of(source.label, item.place)
            if known is not None and known.state == "duplicate":
                self._freed.add((source.label, item.place))
            state = self.writer.write(source.label, item.place, item.content_hash, outcome)
            counted = "duplicates" if state == "duplicate" else "read"
            if state == "duplicate":
                self._duplicates.add((source.label, item.place))
            self._count_demoted()
        self._seen(source.label, item.place, is_read=True)
        self.counts[counted] += 1
        self.advance(1)

    def _count_demoted(self) -> None:
        """Count a document that was read, and that another one made its duplicate, as what it is now."""
        demoted = self.writer.demoted
        if demoted is None:
            return
        query = "SELECT 1 FROM seen JOIN source_item USING (id) WHERE is_read AND source = ? AND place = ?"
        if self.connection.execute(query, demoted).fetchone() is not None:
            self.counts["read"] -= 1
            # It was the page only until the present one was read.
            self.counts["unchanged" if demoted in self._freed else "duplicates"] += 1

    def _reject(self, source: Source, reject: Reject, content_hash: str | None) -> None:
        known = self.writer.state_of(source.label, reject.place)
        self._broken += known is not None and known.state == "ok"
        self.writer.record(source.label, reject.place, content_hash, "rejected", reject.reason)
        self._seen(source.label, reject.place)
        self.counts["rejected"] += 1
        self.advance(1)

    def _record_problem(self, source: Source, entry: Reject | Cut) -> None:
        if isinstance(entry, Reject):
            self._reject(source, entry, None)
            return
        self.writer.keep_previous(source.label, entry.place, entry.reason)
        self._seen(source.label, entry.place)
        if place := unread_place(entry):
            self.unread.append(place)
        labels = [self.incomplete] if place else [self.incomplete, self.broken_off]
        for each in labels:
            if source.label not in each:
                each.append(source.label)

    def _may_lack_records(self, source: Source, item: Item) -> bool:
        """Tell whether a page on record may lack records that follow where its source is truncated."""
        is_jsonl = "jsonl" in (source.format, item.payload[0])
        if not is_jsonl or source.label not in self.incomplete:
            return False
        known = self.writer.state_of(source.label, item.place)
        return known is not None and known.state == "ok"

    def _seen(self, label: str, place: str, *, is_read: bool = False) -> None:
        self.connection.execute(
            "INSERT OR REPLACE INTO seen SELECT id, ? FROM source_item WHERE source = ? AND place = ?",
            (is_read, label, place),
        )


def _in_process(tasks: Iterator[Task]) -> Iterator[tuple[Task, Outcome]]:
    for task in tasks:
        yield task, parse(task)


def _usable(item: Item, outcome: Outcome | Lost) -> Outcome:
    """Return what was parsed, or a Reject for a document that was lost or has no name."""
    if isinstance(outcome, Lost):
        return Reject(item.place, outcome.reason)
    if not isinstance(outcome, Reject) and not is_visible(outcome.title):
        return Reject(item.place, "its title has no visible character")
    if isinstance(outcome, Redirect) and not is_visible(outcome.target):
        return Reject(item.place, "a redirect to a title without a visible character")
    return outcome
