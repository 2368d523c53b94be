"""Which uri each node of a graph has in the SKB: its own, or with the graph's label as a prefix where that is taken.

A uri is taken by what is no node: pages, sections, link targets, ends of facts.
Of two graphs with an equal uri, the one named first on the command line has it.
Nodes with and without a text are named alike, and all again whenever the graph
is derived, so that a node gets its own uri back once it is free.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from builder.derive.workspace import empty, require
from builder.source_layer.rows import PENDING_URI

GRAPH_LABEL = " (graph)"
"""Ends the label under which a graph folder's facts are on record, beside the label of its texts."""


def materialize_node_pages(connection: sqlite3.Connection) -> None:
    """Fill `node_page` (page_id, source_id of the graph, own uri) with the pages that are texts of nodes."""
    execute = connection.execute
    require(connection, "node_uris", "fact_file")
    empty(connection, "node_page")
    execute(
        # `graph` is the item of the facts, `item` one text of the same folder; its place is the uri of the node.
        "INSERT INTO temp.node_page SELECT page.id, graph.id, item.place FROM temp.fact_file"
        " JOIN source_item AS graph ON graph.source = fact_file.label AND graph.content_hash IS NOT NULL"
        f" JOIN source_item AS item ON item.source = substr(graph.source, 1, length(graph.source) - {len(GRAPH_LABEL)})"
        " JOIN page ON page.source_id = item.id WHERE fact_file.kind IN ('graph', 'stark')"
    )


def name_nodes(connection: sqlite3.Connection, labels: Sequence[str]) -> None:
    """Give every node its uri, also on its page and entity, and add it to `known`.

    `node` has the nodes of the graphs named; those of other graphs on record are
    added to it. `labels` are the graphs' labels in the order of the command line.
    """
    require(connection, "node_uris", "fact_file", "node", "node_page", "known", "target")
    execute = connection.execute
    _recall_nodes(connection)
    execute("DELETE FROM statement WHERE kind = 'node'")
    if not execute("SELECT 1 FROM temp.node LIMIT 1").fetchone():
        return
    _materialize_taken(connection)
    ids: dict[str, int] = dict(
        execute("SELECT source, id FROM source_item WHERE id IN (SELECT source_id FROM temp.node)")
    )
    order = [(label, ids[label]) for label in dict.fromkeys([*labels, *sorted(ids)]) if label in ids]
    # First every graph gets the uris that are free, then prefixes are repeated until each clash is resolved.
    for _, source in order:
        _try_uris(connection, source, "")
    for label, source in order:
        prefix = own_prefix = label.removesuffix(GRAPH_LABEL) + ":"
        while execute("SELECT 1 FROM temp.node WHERE source_id = ? AND uri IS NULL LIMIT 1", (source,)).fetchone():
            _try_uris(connection, source, prefix)
            prefix += own_prefix
    _rename_pages(connection)
    _rename_entities(connection)
    execute(
        "INSERT INTO statement (source_id, kind, key, value)"
        " SELECT source_id, 'node', own, uri FROM temp.node WHERE uri <> own ORDER BY source_id, own"
    )
    execute(
        "INSERT INTO temp.known SELECT node.uri, name, page_id FROM temp.node"
        " LEFT JOIN temp.node_page USING (source_id, own)"
    )


def _recall_nodes(connection: sqlite3.Connection) -> None:
    """Fill `node_before` (entity_id, source_id, own) with the nodes on record; add unread ones to `node`."""
    execute = connection.execute
    empty(connection, "renamed", "node_before")
    execute("INSERT INTO temp.renamed SELECT source_id, value, key FROM statement WHERE kind = 'node'")
    execute(
        # A node that was renamed has its own uri in a statement; any other has it on the entity.
        "INSERT OR IGNORE INTO temp.node_before SELECT entity.id, graph_id, ifnull(renamed.own, entity.uri)"
        " FROM entity LEFT JOIN temp.renamed ON renamed.source_id = graph_id AND renamed.uri = entity.uri"
        " WHERE graph_id IN (SELECT source_item.id FROM source_item"
        " JOIN temp.fact_file ON fact_file.label = source_item.source)"
    )
    execute(
        # Graphs kept but not read now, or not to their end: their nodes are also those of the last build.
        "INSERT OR IGNORE INTO temp.node SELECT source_id, own, NULL, entity.name, 0 FROM temp.node_before"
        " JOIN entity ON entity.id = entity_id JOIN source_item ON source_item.id = source_id"
        " JOIN temp.fact_file ON fact_file.label = source_item.source WHERE NOT named"
    )
    execute(
        # A text whose node the graph does not list is a node as well.
        "INSERT OR IGNORE INTO temp.node SELECT node_page.source_id, own, NULL, title, 0 FROM temp.node_page"
        " JOIN page ON page.id = page_id"
    )


def _materialize_taken(connection: sqlite3.Connection) -> None:
    """Fill `taken` with the uris that no node may have; titles as written too, since mentions have those as targets."""
    execute = connection.execute
    empty(connection, "taken")
    for names in ("uri FROM temp.known", "name FROM temp.known", "raw FROM temp.target", "uri FROM section"):
        execute(f"INSERT OR IGNORE INTO temp.taken SELECT {names}")


def _try_uris(connection: sqlite3.Connection, source: int, prefix: str) -> None:
    """Give the nodes of a graph that have no uri yet their own behind a prefix, where nothing else has it."""
    connection.execute(
        "UPDATE temp.node SET uri = :prefix || own WHERE source_id = :source AND uri IS NULL"
        " AND :prefix || own NOT IN (SELECT uri FROM temp.taken) AND substr(:prefix || own, 1, 1) <> :aside",
        {"prefix": prefix, "source": source, "aside": PENDING_URI},
    )
    connection.execute(
        "INSERT OR IGNORE INTO temp.taken SELECT uri FROM temp.node WHERE source_id = ? AND uri IS NOT NULL",
        (source,),
    )


def _rename_pages(connection: sqlite3.Connection) -> None:
    """Write the nodes' uris on their pages and chunks; all get a pending uri first, since two may swap theirs."""
    moves = (
        "SELECT page_id, node.uri FROM temp.node_page JOIN temp.node USING (source_id, own)"
        " JOIN page ON page.id = page_id WHERE page.uri <> node.uri"
    )
    execute = connection.execute
    _materialize_moves(connection, moves)
    for table, key in (("chunk", "page_id"), ("page", "id")):
        execute(f"UPDATE {table} SET uri = '{PENDING_URI}' || id WHERE {key} IN (SELECT id FROM temp.move)")
    execute(
        "UPDATE page SET uri = (SELECT uri FROM temp.move WHERE move.id = page.id)"
        " WHERE id IN (SELECT id FROM temp.move)"
    )
    execute(
        "UPDATE chunk SET uri = (SELECT uri FROM temp.move WHERE move.id = page_id) || '##' || position"
        " WHERE page_id IN (SELECT id FROM temp.move)"
    )


def _materialize_moves(connection: sqlite3.Connection, moves: str) -> None:
    empty(connection, "move")
    connection.execute(f"INSERT INTO temp.move {moves}")


def _rename_entities(connection: sqlite3.Connection) -> None:
    """Write the nodes' uris on their entities.

    Another entity with such a uri gets a pending one: it is not in `known`, so `write_entities` deletes it.
    """
    moves = (
        "SELECT entity_id, node.uri FROM temp.node_before JOIN temp.node USING (source_id, own)"
        " JOIN entity ON entity.id = entity_id WHERE entity.uri <> node.uri"
    )
    execute = connection.execute
    _materialize_moves(connection, moves)
    execute(
        f"UPDATE entity SET uri = '{PENDING_URI}' || id"
        " WHERE id IN (SELECT id FROM temp.move) OR uri IN (SELECT uri FROM temp.move)"
    )
    execute(
        "UPDATE entity SET uri = (SELECT uri FROM temp.move WHERE move.id = entity.id)"
        " WHERE id IN (SELECT id FROM temp.move)"
    )
