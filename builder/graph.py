"""Typed graphs: their nodes as entities of their own, their edges as relations that are kept as given."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence

from builder.fact_files import FactFile, forget_problems, record_fates, record_problems
from builder.graph_files import Edges, GraphProblem, Node, read_edges, read_nodes
from builder.predicates import KEPT, MALFORMED, UNKNOWN_END
from builder.values import date_in

GRAPH_KINDS = ("graph", "stark")
GRAPH = " (graph)"
"""Ends the label under which a graph folder's facts are on record, beside the label of its texts."""


def lay_out_nodes(connection: sqlite3.Connection, files: Sequence[FactFile]) -> None:
    """Read the nodes of the named graphs into `node`, `node_type` and `node_attribute`.

    `node.own` is the uri in the folder, `node.uri` what it is in the SKB, which
    `name_nodes` fills in.
    """
    for name, columns in (
        ("node", "source_id INTEGER, own TEXT, uri TEXT, name TEXT, PRIMARY KEY (source_id, own)"),
        ("node_type", "source_id INTEGER, own TEXT, type TEXT"),
        ("node_attribute", "source_id INTEGER, own TEXT, key TEXT, value TEXT, number REAL"),
    ):
        connection.execute(f"CREATE TEMP TABLE IF NOT EXISTS {name} ({columns})")
        connection.execute(f"DELETE FROM temp.{name}")
    for file in files:
        if file.kind in GRAPH_KINDS:
            for lot in _lots(file):
                _lay_out(connection, file.source_id, lot)


def _lay_out(connection: sqlite3.Connection, source: int, nodes: list[Node]) -> None:
    connection.executemany(
        "INSERT OR IGNORE INTO temp.node VALUES (?, ?, NULL, ?)", ((source, node.uri, node.name) for node in nodes)
    )
    connection.executemany(
        "INSERT INTO temp.node_type VALUES (?, ?, ?)", ((source, node.uri, node.type) for node in nodes if node.type)
    )
    connection.executemany(
        "INSERT INTO temp.node_attribute VALUES (?, ?, ?, ?, ?)",
        (
            (source, node.uri, key, str(value), float(value) if isinstance(value, (int, float)) else None)
            for node in nodes
            for key, value in node.attributes.items()
        ),
    )


def _lots(file: FactFile, size: int = 5000) -> Iterator[list[Node]]:
    lot: list[Node] = []
    for node in _nodes(file):
        if isinstance(node, Node):
            lot.append(node)
            if len(lot) >= size:
                yield lot
                lot = []
    yield lot


def _nodes(file: FactFile) -> Iterator[Node | GraphProblem]:
    if file.kind == "stark":
        from builder.stark import read_nodes as read_stark_nodes

        return read_stark_nodes(file.path)
    return read_nodes(file.path)


def _edges(file: FactFile) -> Iterator[Edges | GraphProblem]:
    if file.kind == "stark":
        from builder.stark import read_edges as read_stark_edges

        return read_stark_edges(file.path)
    return read_edges(file.path)


def name_nodes(connection: sqlite3.Connection) -> None:
    """Give every node its uri and make it known: its page's, else its own, else with its source's label before it."""
    execute = connection.execute
    execute(
        "UPDATE temp.node SET uri = (SELECT page.uri FROM page JOIN source_item ON source_item.id = page.source_id"
        " JOIN source_item AS graph ON graph.id = node.source_id"
        f" WHERE source_item.source || '{GRAPH}' = graph.source AND source_item.place = node.own)"
    )
    taken = "SELECT uri FROM temp.known"
    sources = execute("SELECT DISTINCT source_id, source FROM temp.node JOIN source_item ON id = source_id").fetchall()
    for source, label in sorted(sources, key=lambda each: each[1]):
        execute(
            f"UPDATE temp.node SET uri = CASE WHEN own IN ({taken}) THEN ? || ':' || own ELSE own END"
            " WHERE source_id = ? AND uri IS NULL",
            (label.removesuffix(GRAPH), source),
        )
        execute(
            "INSERT OR IGNORE INTO temp.known SELECT uri, name, NULL FROM temp.node WHERE source_id = ?", (source,)
        )
    execute(
        "INSERT OR IGNORE INTO temp.known SELECT uri, name, page_id FROM entity WHERE graph_id IN"
        " (SELECT source_item.id FROM source_item JOIN temp.fact_file ON fact_file.label = source_item.source"
        " AND NOT named)"
    )


def mark_nodes(connection: sqlite3.Connection) -> None:
    """Write on every entity that is a node of a named graph which graph that is."""
    execute = connection.execute
    execute("CREATE INDEX IF NOT EXISTS temp.node_by_uri ON node (uri)")
    execute("UPDATE entity SET graph_id = NULL WHERE graph_id NOT IN (SELECT id FROM source_item)")
    execute(
        "UPDATE entity SET graph_id = (SELECT source_id FROM temp.node WHERE node.uri = entity.uri)"
        " WHERE uri IN (SELECT uri FROM temp.node)"
    )


def write_graphs(connection: sqlite3.Connection, files: Sequence[FactFile]) -> None:
    """Write types, attributes and edges of the named graphs; edges go to the temporary table `fact`."""
    for file in files:
        if file.kind not in GRAPH_KINDS:
            continue
        source = (file.source_id,)
        for table in ("entity_type", "attribute", "relation_source"):
            connection.execute(f"DELETE FROM {table} WHERE source_id = ?", source)
        forget_problems(connection, file)
        connection.create_function("date_in", 1, date_in, deterministic=True)
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
        _read_edges(connection, file)


def _read_edges(connection: sqlite3.Connection, file: FactFile) -> None:
    fates: Counter[str] = Counter()
    ids: dict[str, int] = dict(
        connection.execute(
            "SELECT own, entity.id FROM temp.node JOIN entity ON entity.uri = node.uri WHERE source_id = ?",
            (file.source_id,),
        )
    )
    problems: list[GraphProblem] = [each for each in _nodes(file) if isinstance(each, GraphProblem)]
    for batch in _edges(file):
        if not isinstance(batch, Edges):
            problems.append(batch)
            continue
        facts = [
            (ids[subject], predicate, ids[object_], file.source_id)
            for subject, predicate, object_ in batch.edges
            if subject in ids and object_ in ids
        ]
        connection.executemany("INSERT INTO temp.fact VALUES (?, ?, ?, ?, NULL)", facts)
        fates[KEPT] += len(facts)
        fates[UNKNOWN_END] += len(batch.edges) - len(facts)
    fates[MALFORMED] += len(problems)
    record_problems(connection, file, ((each.line, "rejected", each.reason) for each in problems))
    record_fates(connection, file, fates, True)
