"""The source layer: the content of each document on its own, replaced document by document."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from builder.documents.records import Document, Redirect
from builder.source_layer.equal_contents import SAME
from builder.source_layer.rows import PENDING_URI, SectionRow, chunk_rows, section_rows, statement_rows
from builder.source_layer.shared_titles import move_page
from weft.text.names import uri_part

DUPLICATE = "its title is taken by another page: "
"""How the reason of a `duplicate` begins; the title follows, so that it can take over later."""


class ItemState(NamedTuple):
    """What is on record about one input document."""

    id: int
    content_hash: str | None
    state: str
    reason: str | None


class DocumentWriter:
    """Writes documents into the source tables, with ids counted in memory and rows sent in batches."""

    def __init__(
        self, connection: sqlite3.Connection, ranks: dict[str, int], graphs: frozenset[str] = frozenset()
    ) -> None:
        """Prepare to write; `ranks` has the index of each source label on the command line, `graphs` graph labels."""
        self.connection = connection
        self.ranks = ranks
        self.graphs = graphs
        self.changed = False
        self.demoted: tuple[str, str] | None = None
        self._naming_is_due = False
        self._next = {
            table: connection.execute(f"SELECT ifnull(max(id), 0) + 1 FROM {table}").fetchone()[0]
            for table in ("source_item", "page", "section", "chunk")
        }

    def state_of(self, source: str, place: str) -> ItemState | None:
        """Return what is on record about an input document, or None."""
        row = self.connection.execute(
            "SELECT id, content_hash, state, reason FROM source_item WHERE source = ? AND place = ?",
            (source, place),
        ).fetchone()
        return None if row is None else ItemState(*row)

    def is_current(self, source: str, place: str, content_hash: str) -> bool:
        """Tell whether a document of this content needs no reading again."""
        known = self.state_of(source, place)
        if known is None or known.content_hash != content_hash:
            return False
        if known.state != "duplicate" or (known.reason or "").startswith(SAME):
            return True
        winner = self.page_by_title(uri_part((known.reason or "")[len(DUPLICATE) :]))
        return winner is not None and self.order(*winner[2:]) < self.order(source, place)

    def record(
        self, source: str, place: str, content_hash: str | None, state: str, reason: str | None
    ) -> int:
        """Record an input document, delete its earlier content, and return its id."""
        known = self.state_of(source, place)
        if state != "ok" and known is not None and known[1:] == (content_hash, state, reason):
            return known.id
        self.changed = True
        if known is None:
            identity = self._take("source_item")
            self.connection.execute(
                "INSERT INTO source_item VALUES (?, ?, ?, ?, ?, ?)",
                (identity, source, place, content_hash, state, reason),
            )
            return identity
        self.forget_content(known.id)
        self.connection.execute(
            "UPDATE source_item SET content_hash = ?, state = ?, reason = ? WHERE id = ?",
            (content_hash, state, reason, known.id),
        )
        return known.id

    def keep_previous(self, source: str, place: str, reason: str) -> None:
        """Record that an input could not be read this time; its earlier content stays."""
        known = self.state_of(source, place)
        if known is None or known.state not in ("ok", "duplicate"):
            self.record(source, place, None, "incomplete", reason)
        elif known.state == "ok" and known.reason != reason:
            self.changed = True
            self.connection.execute(
                "UPDATE source_item SET content_hash = NULL, reason = ? WHERE id = ?", (reason, known.id)
            )

    def write(self, source: str, place: str, content_hash: str, document: Document) -> str:
        """Store a document as the page of its title, or as a duplicate; return its state.

        `demoted` is then the source and place of the document that became its duplicate.
        """
        self.demoted = None
        if document.node_uri is not None:
            return self._write_node(source, place, content_hash, document.node_uri, document)
        if not document.named_by_title:
            return self._write_shared(source, place, content_hash, document)
        uri = uri_part(document.title)
        self._free(uri)
        holder = self._holder(uri)
        if holder is not None and (holder[2], holder[3]) != (source, place):
            if self.order(holder[2], holder[3]) < self.order(source, place):
                self.record(source, place, content_hash, "duplicate", DUPLICATE + document.title)
                return "duplicate"
            self.demoted = holder[2:]
            self.forget_content(holder[1])
            self.connection.execute(
                "UPDATE source_item SET state = 'duplicate', reason = ? WHERE id = ?",
                (DUPLICATE + document.title, holder[1]),
            )
            holder = None
        item = self.record(source, place, content_hash, "ok", document.note)
        # A page read again keeps its id, so that rows that refer to it stay valid.
        self._insert(item, self._take("page") if holder is None else holder[0], uri, document)
        return "ok"

    def _write_shared(self, source: str, place: str, content_hash: str, document: Document) -> str:
        """Store a document whose title others may share; its uri is settled when all are read."""
        known = self.state_of(source, place)
        page = None if known is None else self._page_of(known.id)
        number = self._take("page") if page is None else page[0]
        self.free_of_node(uri_part(document.title))
        item = self.record(source, place, content_hash, "ok", document.note)
        uri = uri_part(document.title)
        self._insert(item, number, f"{PENDING_URI}{number}" if self._is_taken(uri) else uri, document)
        return "ok"

    def _free(self, uri: str) -> None:
        """Give the page with this uri a pending one if it can have another: a node's, or one that shares its title."""
        self.free_of_node(uri)
        row = self.connection.execute(
            "SELECT id FROM page WHERE uri = ? AND NOT named_by_title", (uri,)
        ).fetchone()
        if row is not None:
            move_page(self.connection, row[0], uri, f"{PENDING_URI}{row[0]}")

    def free_of_node(self, uri: str) -> None:
        """Give the graph node that has this uri, if any, a pending one."""
        holder = self._holder(uri)
        if holder is not None and holder[2] in self.graphs:
            self._give_pending_uri(holder[0])

    def _write_node(self, source: str, place: str, content_hash: str, uri: str, node: Document) -> str:
        """Store a graph node's text; its uri is settled with those of all nodes."""
        known = self.state_of(source, place)
        page = None if known is None else self._page_of(known.id)
        if page is None:
            number = self._take("page")
            page = (number, f"{PENDING_URI}{number}" if self._is_taken(uri) else uri)
            self._name_nodes_again()
        self._insert(self.record(source, place, content_hash, "ok", node.note), *page, node)
        return "ok"

    def _page_of(self, item: int) -> tuple[int, str] | None:
        row: tuple[int, str] | None = self.connection.execute(
            "SELECT id, uri FROM page WHERE source_id = ?", (item,)
        ).fetchone()
        return row

    def _is_taken(self, uri: str) -> bool:
        query = "SELECT 1 FROM page WHERE uri = ?1 UNION ALL SELECT 1 FROM section WHERE uri = ?1"
        return uri.startswith(PENDING_URI) or self.connection.execute(query, (uri,)).fetchone() is not None

    def _make_way(self, sections: Sequence[SectionRow]) -> None:
        """Give the nodes whose uri a section has a pending one."""
        if self.graphs:
            for row in sections:
                holder = self._holder(row.uri)
                if holder is not None:
                    self._give_pending_uri(holder[0])

    def _give_pending_uri(self, page: int) -> None:
        """Give a node's page and its chunks a pending uri until all nodes are named; nodes have no sections."""
        pending = f"{PENDING_URI}{page}"
        self.connection.execute("UPDATE page SET uri = ? WHERE id = ?", (pending, page))
        self.connection.execute("UPDATE chunk SET uri = ? || '##' || position WHERE page_id = ?", (pending, page))
        self._name_nodes_again()

    def _name_nodes_again(self) -> None:
        """Make the graph stage run again, which names the nodes; once a run, since the deletion is lasting."""
        if not self._naming_is_due:
            self.connection.execute("DELETE FROM meta WHERE key = 'stage graph'")
            self._naming_is_due = True

    def write_redirect(self, source: str, place: str, content_hash: str, redirect: Redirect) -> None:
        """Store an input document that is only another name for a page."""
        item = self.record(source, place, content_hash, "ok", None)
        self.connection.execute(
            "INSERT INTO statement (source_id, kind, key, value) VALUES (?, 'redirect', ?, ?)",
            (item, redirect.title, redirect.target),
        )

    def forget_content(self, item: int) -> None:
        """Delete every row that an input document made, except its record."""
        execute = self.connection.execute
        for (page,) in execute("SELECT id FROM page WHERE source_id = ?", (item,)).fetchall():
            for table in ("link", "mention"):
                execute(
                    f"DELETE FROM {table} WHERE chunk_id IN (SELECT id FROM chunk WHERE page_id = ?)", (page,)
                )
            execute("DELETE FROM chunk WHERE page_id = ?", (page,))
            execute("DELETE FROM section WHERE page_id = ?", (page,))
            execute("DELETE FROM page WHERE id = ?", (page,))
        execute("DELETE FROM statement WHERE source_id = ?", (item,))
        # Stages compare contents: where a run that was stopped is followed by one over the old contents, which then
        # have other ids, nothing else tells that what was derived is of the ids before.
        execute("DELETE FROM meta WHERE key LIKE 'stage %'")

    def remove(self, item: int) -> None:
        """Delete an input document with all its rows."""
        self.changed = True
        self.forget_content(item)
        self.connection.execute("DELETE FROM source_item WHERE id = ?", (item,))

    def _take(self, table: str) -> int:
        identity: int = self._next[table]
        self._next[table] = identity + 1
        return identity

    def order(self, source: str, place: str) -> tuple[int, str]:
        """Return the sort key of documents: by source on the command line, then by place."""
        return (self.ranks.get(source, len(self.ranks)), place)

    def _holder(self, uri: str) -> tuple[int, int, str, str] | None:
        """Return (page id, item id, source, place) of the page with this uri."""
        row: tuple[int, int, str, str] | None = self.connection.execute(
            "SELECT page.id, source_item.id, source, place FROM page"
            " JOIN source_item ON source_item.id = page.source_id WHERE page.uri = ?",
            (uri,),
        ).fetchone()
        return row

    def page_by_title(self, uri: str) -> tuple[int, int, str, str] | None:
        """Return what `_holder` does, None where it is a graph's node or a page that shares its title."""
        holder = self._holder(uri)
        if holder is None or holder[2] in self.graphs:
            return None
        query = "SELECT named_by_title FROM page WHERE id = ?"
        return holder if self.connection.execute(query, (holder[0],)).fetchone()[0] else None

    def _insert(self, item: int, page: int, uri: str, document: Document) -> None:
        self.connection.execute(
            "INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (page, uri, document.title, item, document.url, document.language, document.modified,
             document.named_by_title),
        )  # fmt: skip
        first_section, sections = self._insert_sections(page, uri, document)
        self._insert_chunks(page, uri, first_section, sections, document)
        self.connection.executemany(
            "INSERT INTO statement (source_id, page_id, kind, key, value) VALUES (?, ?, ?, ?, ?)",
            ((item, None if kind == "redirect" else page, kind, key, value)
             for kind, key, value in statement_rows(uri, document)),
        )  # fmt: skip

    def _insert_sections(self, page: int, uri: str, document: Document) -> tuple[int, list[SectionRow]]:
        rows = section_rows(uri, document)
        self._make_way(rows)
        first = self._next["section"]
        self._next["section"] = first + len(rows)
        self.connection.executemany(
            "INSERT INTO section VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (first + row.position - 1, row.uri, page, None if row.parent < 0 else first + row.parent,
                 row.title, row.level, row.position, row.path_text)
                for row in rows
            ),
        )  # fmt: skip
        return first, rows

    def _insert_chunks(
        self, page: int, uri: str, first_section: int, sections: list[SectionRow], document: Document
    ) -> None:
        first = self._next["chunk"]
        self._next["chunk"] = first + len(document.chunks)
        rows: list[tuple[object, ...]] = []
        links: list[tuple[object, ...]] = []
        for row in chunk_rows(uri, sections, document):
            own = first + row.position - 1
            section = None if row.section < 0 else first_section + row.section
            marks_links = int(row.marks_links)
            rows.append((own, row.uri, page, section, row.position, row.kind, row.part, marks_links, row.text))
            links.extend((own, *link) for link in row.links)
        self.connection.executemany("INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self.connection.executemany("INSERT OR IGNORE INTO link VALUES (?, ?, ?, ?, ?, ?)", links)
