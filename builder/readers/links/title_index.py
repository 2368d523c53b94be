"""The titles of a source's files, for links between them and for names found in them.

Both sides of a relative link need them: a link leads to a title, and of files
that share a title all but the first are called `Title (path)`.
"""

from __future__ import annotations

import os
import posixpath
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import IO
from urllib.parse import unquote

from builder.readers.links.file_heads import (
    HEAD,
    PAGE_HEAD,
    FileHead,
    MapHeads,
    in_this_process,
    read_head,
    reason_of_reject,
    title_at_sight,
    title_of,
)
from builder.readers.links.labels import Labelled, labelled, write_labels
from builder.readers.links.refresh import ends_of, refresh_address
from builder.readers.source import HTML_SUFFIXES
from builder.readers.text.names import DOCUMENT_SUFFIXES, file_title
from builder.storage.process_pool import Lost
from weft.text.names import name_key

LINKED_SUFFIXES = (*DOCUMENT_SUFFIXES, *HTML_SUFFIXES)
# An absolute address, or one with a host.
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
WORD = re.compile(r"\w+")

MOST_FOLDERS = 10_000
"""Of so many folders, as addresses name them, it is remembered whether they hold any file."""

Pairs = tuple[tuple[str, str], ...]

# The first files of shared titles, which have them alone, and where such a file is no document, those behind it.
SUSPECTS = (
    "SELECT min(place), title, NULL FROM file GROUP BY title HAVING count(*) > 1",
    "SELECT place, title, NULL FROM file WHERE title IN (SELECT title FROM suspect WHERE reason <> '')"
    " AND place NOT IN (SELECT place FROM suspect)",
)
EVERY_FILE = "SELECT place, path FROM file WHERE place > ? ORDER BY place LIMIT 1000"
OPEN_SUSPECTS = (
    "SELECT place, path FROM suspect JOIN file USING (place) WHERE reason IS NULL AND place > ?"
    " ORDER BY place LIMIT 1000"
)


class TitleIndex:
    """What links to the files of a source lead to; all titles are read when the first one is asked for.

    They are kept on disk; memory holds a batch of them, and all only for `within`.
    """

    def __init__(
        self,
        files: Iterable[tuple[str, Path]],
        given: Mapping[str, str] | None = None,
        map_heads: MapHeads = in_this_process,
        max_page_bytes: int | None = None,
    ) -> None:
        """Index the files (place, path) of a source; files of other kinds than documents may be among them.

        `given` has titles by place that stand beside the files (`titles.json`),
        for files that have none of their own; `map_heads` calls the parsers of their heads.
        Files larger than `max_page_bytes` become no documents, so links lead to none of them; nor do they to files
        of a shared title that their parsers reject.
        """
        self._map_heads = map_heads
        self._given = given or {}
        self._shelf = sqlite3.connect("")
        self._shelf.execute(
            "CREATE TABLE file (place TEXT PRIMARY KEY, path BLOB, stem TEXT, title TEXT, target TEXT, leads_to TEXT)"
            " WITHOUT ROWID"
        )
        self._shelf.executemany(
            "INSERT OR IGNORE INTO file (place, path, stem) VALUES (?, ?, ?)",
            (
                (place, os.fsencode(path), _stem(place))
                for place, path in files
                if place.lower().endswith(LINKED_SUFFIXES) and _has_at_most(path, max_page_bytes)
            ),
        )
        self._shelf.execute("CREATE INDEX file_stem ON file (stem, place)")
        self._shelf.execute("CREATE TABLE suspect (place TEXT PRIMARY KEY, title TEXT, reason TEXT) WITHOUT ROWID")
        self._is_read = self._has_labels = False
        self._refreshed: dict[str, str] = {}
        self._leads_to_files: dict[tuple[str, str], bool] = {}

    def close(self) -> None:
        """Give the disk space back."""
        self._shelf.close()

    def holds(self, place: str) -> bool:
        """Tell whether a file of the source, which is a document, lies at a place."""
        return self._shelf.execute("SELECT 1 FROM file WHERE place = ?", (place,)).fetchone() is not None

    def holds_below(self, folder: str) -> bool:
        """Tell whether any document lies in a folder of the source or below it; `folder` has no slash at its ends."""
        # What is below a folder stands between these two, as "0" follows "/".
        query = "SELECT 1 FROM file WHERE place >= ? AND place < ?"
        return not folder or self._shelf.execute(query, (f"{folder}/", f"{folder}0")).fetchone() is not None

    def target(self, place: str) -> str | None:
        """Return what a link to the file at a place has as its target, None where no document of the source is there.

        It is the file's title; of files that share a title all but the first by
        place have `Title (place)`. A page that only leads on has the one of where it leads.
        """
        if not self._is_read:
            self._read()
        row = self._shelf.execute("SELECT target FROM file WHERE place = ?", (place,)).fetchone()
        return None if row is None or row[0] is None else str(row[0])

    def leads_on(self, place: str) -> bool:
        """Tell whether a page of the source does nothing but lead on to another file of it."""
        if not self.holds(place):
            return False
        if not self._is_read:
            self._read()
        query = "SELECT 1 FROM file WHERE place = ? AND leads_to IS NOT NULL"
        return self._shelf.execute(query, (place,)).fetchone() is not None

    def targets(self, place: str, addresses: Iterable[str]) -> Pairs:
        """Return (address as given, link target) of those relative addresses in the file at `place` that lead to files.

        An address may be percent-encoded and have a query and a fragment; one
        that ends with `/` means the folder's index page.
        """
        found = {}
        for address in dict.fromkeys(addresses):
            linked = self.place_of_link(place, address)
            target = None if linked is None else self.target(linked)
            if target is not None:
                found[address] = target
        return tuple(sorted(found.items()))

    def place_of_link(self, place: str, address: str) -> str | None:
        """Return the place of the file that a relative address in the file at `place` leads to, if there is one."""
        path = address.strip().partition("#")[0].partition("?")[0]
        if not path or SCHEME.match(path):
            return None
        folder = posixpath.join("/", posixpath.dirname(place))
        if not self._may_lead_to_a_file(folder, path):
            return None
        linked = posixpath.normpath(posixpath.join(folder, unquote(path))).lstrip("/")
        if path.endswith("/") or not posixpath.basename(path).strip("."):
            names = [posixpath.join(linked, f"index{suffix}") for suffix in HTML_SUFFIXES]
        else:
            # Servers add the rest of such an address.
            rest = () if "." in posixpath.basename(linked) else HTML_SUFFIXES
            indexes = [posixpath.join(linked, f"index{suffix}") for suffix in rest]
            names = [linked, *(linked + suffix for suffix in rest), *indexes]
        return next((name for name in names if self.holds(name)), None)

    def _may_lead_to_a_file(self, folder: str, path: str) -> bool:
        """Tell whether the folder that a path names holds files: most are a wiki's own, which the source has not."""
        name = path.rpartition("/")[2]
        # A name that may have an encoded slash or full stop is no name yet.
        if not name.strip(".") or "%2" in name:
            return True
        key = folder, path[: len(path) - len(name)]
        if key not in self._leads_to_files:
            if len(self._leads_to_files) > MOST_FOLDERS:
                self._leads_to_files.clear()
            named = posixpath.normpath(posixpath.join(folder, unquote(key[1])))
            self._leads_to_files[key] = self.holds_below(named.strip("/"))
        return self._leads_to_files[key]

    def target_of_stem(self, stem: str) -> str | None:
        """Return what a link to a file by its name without suffix has as its target; of several files, the first's."""
        query = "SELECT place FROM file WHERE stem = ? ORDER BY place LIMIT 1"
        row = self._shelf.execute(query, (stem.lower(),)).fetchone()
        return None if row is None else self.target(row[0])

    def labelled(self, name: str) -> Labelled | None:
        """Return the file and the heading of a label of reStructuredText; all are read when one is asked for."""
        if not self._has_labels:
            self._has_labels = write_labels(self._shelf, self._files(EVERY_FILE))
        return labelled(self._shelf, name)

    def within(self, text: str) -> Pairs:
        """Return (name key, title) of every file whose title's first word is in the text."""
        words = set(WORD.findall(name_key(text)))
        return tuple(sorted({pair for word in words for pair in self._by_word.get(word, ())}))

    def _read(self) -> None:
        """Read the titles of all files; of those that share one all but the first get their path as a suffix."""
        for head, found in self._map_heads(title_of, self._heads_to_parse()):
            self._write_title(head, self._name_of(head.place) if isinstance(found, Lost) or not found else found)
        self._shelf.create_function("name_of", 1, self._name_of)
        self._shelf.execute("UPDATE file SET title = name_of(place) WHERE title IS NULL")
        self._leave_out_pages_that_lead_on()
        self._shelf.execute("CREATE INDEX file_title ON file (title, place)")
        self._leave_out_rejects()
        self._shelf.execute(
            # The first path of a title has it alone; the index on (title, place) makes min() one lookup.
            "UPDATE file SET target = CASE WHEN place = (SELECT min(place) FROM file AS same"
            " WHERE same.title = file.title) THEN title ELSE title || ' (' || place || ')' END"
        )
        self._shelf.execute(
            "UPDATE file SET target = (SELECT target FROM file AS last WHERE last.place = file.leads_to)"
            " WHERE leads_to IS NOT NULL"
        )
        self._is_read = True

    def _write_title(self, head: FileHead, title: str) -> None:
        self._shelf.execute("UPDATE file SET title = ? WHERE place = ? AND title IS NULL", (title, head.place))

    def _leave_out_pages_that_lead_on(self) -> None:
        """Take their titles from pages that only lead on to other files, and note where each leads in the end."""
        linked = {place: self.place_of_link(place, address) for place, address in self._refreshed.items()}
        leads = {place: found for place, found in linked.items() if found is not None}
        query = "UPDATE file SET title = NULL, leads_to = ? WHERE place = ?"
        self._shelf.executemany(query, ((end, place) for place, end in ends_of(leads).items()))

    def _leave_out_rejects(self) -> None:
        """Take their titles from files that become no documents, so that the next document of a title has it alone."""
        execute = self._shelf.execute
        for chosen in SUSPECTS:
            if execute(f"INSERT INTO suspect {chosen}").rowcount:
                for file, found in self._map_heads(reason_of_reject, self._suspects()):
                    reason = found.reason if isinstance(found, Lost) else found
                    execute("UPDATE suspect SET reason = ? WHERE place = ? AND reason IS NULL", (reason, file.place))
        execute("UPDATE file SET title = NULL WHERE place IN (SELECT place FROM suspect WHERE reason <> '')")

    def _heads_to_parse(self) -> Iterator[FileHead]:
        """Yield the heads whose titles are to be looked for; those that show them are written."""
        for head in self._heads():
            if head.is_page and (address := refresh_address(head.data)):
                self._refreshed[head.place] = address
            if title := title_at_sight(head):
                self._write_title(head, title)
            else:
                yield head

    def _heads(self) -> Iterator[FileHead]:
        """Yield the first bytes of the files that can be read."""
        return self._loaded(EVERY_FILE, lambda place, file: read_head(file, PAGE_HEAD if _is_page(place) else HEAD))

    def _suspects(self) -> Iterator[FileHead]:
        """Yield the suspects that are not judged yet, whole."""
        return self._loaded(OPEN_SUSPECTS, lambda _, file: file.read())

    def _loaded(self, query: str, read: Callable[[str, IO[bytes]], bytes]) -> Iterator[FileHead]:
        for place, path in self._files(query):
            try:
                with Path(os.fsdecode(path)).open("rb") as file:
                    data = read(place, file)
            except OSError:
                continue
            yield FileHead(place, data, _is_page(place), self._given.get(place))

    def _files(self, query: str) -> Iterator[tuple[str, bytes]]:
        """Yield (place, path) in batches, as what is found of the files is written in between."""
        last = ""
        while batch := self._shelf.execute(query, (last,)).fetchall():
            yield from batch
            last = batch[-1][0]

    def _name_of(self, place: str) -> str:
        """Return what a file is called that does not tell its title, or whose parser did not live to tell it."""
        return self._given.get(place) or file_title(place)

    @cached_property
    def _by_word(self) -> dict[str, list[tuple[str, str]]]:
        if not self._is_read:
            self._read()
        found: dict[str, list[tuple[str, str]]] = {}
        for (title,) in self._shelf.execute("SELECT DISTINCT title FROM file WHERE title IS NOT NULL ORDER BY title"):
            key = name_key(title)
            if key:
                found.setdefault(key.partition(" ")[0], []).append((key, title))
        return found


def _is_page(place: str) -> bool:
    return place.lower().endswith(HTML_SUFFIXES)


def _has_at_most(path: Path, most: int | None) -> bool:
    try:
        return most is None or path.stat().st_size <= most
    except OSError:
        return False


def _stem(place: str) -> str:
    return posixpath.splitext(posixpath.basename(place))[0].lower()
