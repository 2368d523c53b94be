"""Typed graphs: every node is an entity of its own, every edge a relation, without the co-mention filter."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from math import isfinite

from builder.derive.entity_index import BYTES_A_KEY, keys_of
from builder.derive.fact_files import FactFile, forget_problems, is_retained, record_fates, retain
from builder.derive.workspace import empty
from builder.rdf.predicates import KEPT, MALFORMED, UNKNOWN_END
from builder.readers.graphs.readers import reader_of
from builder.readers.graphs.records import Edges, GraphProblem, Node
from builder.readers.source import place_of

GRAPH_KINDS = ("graph", "stark", "stark-compat")
BATCH = 5000
"""Nodes in memory at once."""


def materialize_nodes(connection: sqlite3.Connection, files: Sequence[FactFile]) -> None:
    """Read the nodes of the named graphs into `node`, `node_type` and `node_attribute`, problems into `node_problem`.

    `node.own` is the uri in the folder, `node.uri` that in the SKB, which
    `name_nodes` fills in. A graph whose nodes break off keeps its earlier ones.
    """
    empty(connection, "node", "node_type", "node_attribute", "node_problem")
    for file in files:
        if file.kind in GRAPH_KINDS:
            nodes = reader_of(file.kind).nodes(file.path)
            while batch := list(islice(nodes, BATCH)):
                _materialize(connection, file.source_id, batch)
                if not all(each.complete for each in batch if isinstance(each, GraphProblem)):
                    retain(connection, file)


def _materialize(connection: sqlite3.Connection, source: int, batch: list[Node | GraphProblem]) -> None:
    nodes = [each for each in batch if isinstance(each, Node)]
    connection.executemany(
        "INSERT OR IGNORE INTO temp.node VALUES (?, ?, NULL, ?, 1)",
        ((source, node.uri, node.name) for node in nodes),
    )
    connection.executemany(
        "INSERT INTO temp.node_type VALUES (?, ?, ?)", ((source, node.uri, node.type) for node in nodes if node.type)
    )
    connection.executemany(
        "INSERT INTO temp.node_attribute VALUES (?, ?, ?, ?, ?)",
        (
            (source, node.uri, key, str(value), _number(value))
            for node in nodes
            for key, value in node.attributes.items()
        ),
    )
    connection.executemany(
        "INSERT INTO temp.node_problem VALUES (?, ?, ?, ?, ?)",
        ((source, *each) for each in batch if isinstance(each, GraphProblem)),
    )


def _number(value: str | int | float) -> float | None:
    """Return an attribute's value as a number, None for text, infinity, NaN and integers beyond a double."""
    if isinstance(value, str):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if isfinite(number) else None


def mark_nodes(connection: sqlite3.Connection) -> None:
    """Write on every entity which graph it is a node of, if any."""
    connection.execute("CREATE INDEX IF NOT EXISTS temp.node_by_uri ON node (uri)")
    connection.execute(
        # Also sets NULL on what was a node and is none any more.
        "UPDATE entity SET graph_id = (SELECT source_id FROM temp.node WHERE node.uri = entity.uri)"
        " WHERE graph_id IS NOT NULL OR uri IN (SELECT uri FROM temp.node)"
    )


def write_graphs(connection: sqlite3.Connection, files: Sequence[FactFile], memory_mb: float = 1024.0) -> None:
    """Write types, attributes and edges of the named graphs; edges go to the temporary table `fact`.

    Where nodes break off, the types and attributes of those not read stay; where edges do, all earlier edges stay.
    The table that resolves the ends of edges takes at most `memory_mb`, else it is on disk.
    """
    for file in files:
        if file.kind not in GRAPH_KINDS:
            continue
        source = (file.source_id,)
        _delete_what_nodes_said(connection, file)
        forget_problems(connection, file)
        # From a row of a node, by its uri in the folder, to its entity.
        owner = "JOIN temp.node USING (source_id, own) JOIN entity ON entity.uri = node.uri WHERE source_id = ?"
        connection.execute(
            "INSERT OR IGNORE INTO entity_type SELECT entity.id, node_type.type, source_id"
            f" FROM temp.node_type {owner}",
            source,
        )
        connection.execute(
            "INSERT INTO attribute (entity_id, key, value, number, date, source_id)"
            " SELECT DISTINCT entity.id, key, value,"
            f" number, date_in(value), source_id FROM temp.node_attribute {owner} ORDER BY 1, 2, 3",
            source,
        )
        if _read_edges(connection, file, memory_mb):
            connection.execute("DELETE FROM relation_source WHERE source_id = ?", source)


def _delete_what_nodes_said(connection: sqlite3.Connection, file: FactFile) -> None:
    """Delete a graph's earlier types and attributes, but for nodes behind the place where its nodes break off."""
    read = " AND entity_id IN (SELECT entity.id FROM temp.node JOIN entity ON entity.uri = node.uri WHERE is_read)"
    for table in ("entity_type", "attribute"):
        connection.execute(
            f"DELETE FROM {table} WHERE source_id = ?{read if is_retained(connection, file) else ''}", (file.source_id,)
        )


def _read_edges(connection: sqlite3.Connection, file: FactFile, memory_mb: float) -> bool:
    """Add the edges between known nodes to `fact`; return whether they were read to their end."""
    fates: Counter[str] = Counter()
    nodes = connection.execute(
        "SELECT own, entity.id FROM temp.node JOIN entity ON entity.uri = node.uri WHERE source_id = ?",
        (file.source_id,),
    )
    ids = keys_of(connection, "node_key", nodes, int(memory_mb * 1e6 / BYTES_A_KEY))
    problems = [
        GraphProblem(row[0], row[1], row[2], bool(row[3]))
        for row in connection.execute(
            "SELECT file, line, reason, complete FROM temp.node_problem WHERE source_id = ?", (file.source_id,)
        )
    ]
    is_whole = True
    for batch in reader_of(file.kind).edges(file.path):
        if not isinstance(batch, Edges):
            problems.append(batch)
            is_whole &= batch.complete
            continue
        facts = [
            (one, predicate, other, file.source_id)
            for subject, predicate, object_ in batch.edges
            if (one := ids.get(subject)) is not None and (other := ids.get(object_)) is not None
        ]
        connection.executemany("INSERT INTO temp.fact VALUES (?, ?, ?, ?)", facts)
        fates[KEPT] += len(facts)
        fates[UNKNOWN_END] += len(batch.edges) - len(facts)
    fates[MALFORMED] += sum(each.complete for each in problems)
    _record_problems(connection, file, problems)
    record_fates(connection, file, fates, all(each.complete for each in problems))
    return is_whole


def _record_problems(connection: sqlite3.Connection, file: FactFile, problems: list[GraphProblem]) -> None:
    """Record what could not be read, each under its file's name and line number."""
    connection.executemany(
        "INSERT OR REPLACE INTO source_item (source, place, state, reason) VALUES (?, ?, ?, ?)",
        (
            (
                file.label,
                f"{place_of(file.path.name)}/{each.file} line {each.line}",
                "rejected" if each.complete else "incomplete",
                each.reason,
            )
            for each in problems
        ),
    )
