"""Entities and citations: which things exist, and which chunk mentions which of them.

Everything here is a set operation over the said layer and the redirects laid
out by `builder.derive.redirects`.
"""

from __future__ import annotations

import sqlite3

from builder.source_layer.shared_titles import lay_out_own_targets
from weft.text.names import name_key, resource_title, uri_text


def lay_out_known(connection: sqlite3.Connection, rdf_ends: bool) -> None:
    """Fill `known` (uri, name, page_id) with every thing that exists, and `target` (raw, uri) with where links lead.

    Things exist while they are a page, what a link or a document's redirect
    leads to, an end of a fact of a triples file (temporary table `triple_end`)
    or, with `rdf_ends`, of an RDF relation (`rdf_end`). Redirects of fact files
    make nothing: a dump has millions of them, most to what no document names.
    """
    execute = connection.execute
    connection.create_function("uri_text", 1, uri_text, deterministic=True)
    execute("CREATE TEMP TABLE IF NOT EXISTS target (raw TEXT PRIMARY KEY, uri TEXT) WITHOUT ROWID")
    execute(
        "CREATE TEMP TABLE IF NOT EXISTS known (uri TEXT PRIMARY KEY, name TEXT, page_id INTEGER) WITHOUT ROWID"
    )
    execute("DELETE FROM target")
    execute("DELETE FROM known")
    lay_out_own_targets(connection)
    execute(
        "INSERT INTO target SELECT raw, uri_part(ifnull(redirect.target, raw))"
        " FROM (SELECT raw FROM temp.plain_target UNION SELECT value FROM statement WHERE kind = 'redirect'"
        "  AND key <> value AND key IN (SELECT title FROM redirect) AND source_id NOT IN"
        "  (SELECT id FROM source_item WHERE source IN (SELECT label FROM fact_file)))"
        " LEFT JOIN redirect ON redirect.title = raw"
    )
    execute("INSERT INTO known SELECT uri, title, id FROM page WHERE id NOT IN (SELECT page_id FROM temp.node_page)")
    execute("INSERT OR IGNORE INTO known SELECT DISTINCT uri, uri_text(uri), NULL FROM target")
    _know_triple_ends(connection)
    if rdf_ends:
        _know_carried_ends(connection)
        _drop_joined_ends(connection)
        execute(
            "INSERT OR IGNORE INTO known SELECT DISTINCT uri_part(ifnull(redirect.target, rdf_end.title)),"
            " ifnull(redirect.target, rdf_end.title), NULL FROM rdf_end"
            " LEFT JOIN redirect ON redirect.title = rdf_end.title"
        )


def _know_carried_ends(connection: sqlite3.Connection) -> None:
    """Know, as what they are, the ends of relations of RDF files that are not read this time."""
    connection.execute(
        "INSERT OR IGNORE INTO known SELECT DISTINCT entity.uri, entity.name, NULL FROM relation_source"
        " JOIN source_item ON source_item.id = relation_source.source_id"
        " JOIN temp.fact_file ON fact_file.label = source_item.source AND NOT named AND kind = 'rdf'"
        " JOIN relation ON relation.id = relation_id"
        " JOIN entity ON entity.id IN (subject_id, object_id) AND graph_id IS NULL"
    )


def _drop_joined_ends(connection: sqlite3.Connection) -> None:
    """Take off `rdf_end` the resources that are things already known, by their page or by their label."""
    execute = connection.execute
    connection.create_function("title_of_term", 1, lambda term: resource_title(term[1:-1]), deterministic=True)
    execute(
        "DELETE FROM temp.rdf_end WHERE title IN (SELECT title_of_term(term) FROM temp.topic"
        " LEFT JOIN redirect ON redirect.title = topic.title"
        " WHERE uri_part(ifnull(redirect.target, topic.title)) IN (SELECT uri FROM known))"
    )
    if execute("SELECT 1 FROM temp.label LIMIT 1").fetchone():
        execute(
            "WITH named AS (SELECT name, uri FROM known UNION SELECT title, uri_part(target) FROM redirect"
            " WHERE uri_part(target) IN (SELECT uri FROM known) UNION SELECT title, uri_part(title) FROM temp.rdf_end),"
            " keyed AS (SELECT name_key(name) AS key FROM named GROUP BY key HAVING count(DISTINCT uri) = 1)"
            " DELETE FROM temp.rdf_end WHERE title IN (SELECT title_of_term(term) FROM temp.label"
            " WHERE name IN (SELECT name FROM known) OR name_key(name) IN"
            " (SELECT name_key(known.name) FROM known INTERSECT SELECT key FROM keyed))"
        )


def _know_triple_ends(connection: sqlite3.Connection) -> None:
    """Join the ends of triples by exact title, by redirect, by name key, or know them as new things."""
    execute = connection.execute
    names = execute("SELECT name FROM triple_end ORDER BY name").fetchall()
    if not names:
        return
    redirects: dict[str, str] = dict(execute("SELECT title, target FROM redirect"))
    by_key: dict[str, set[str]] = {}
    exact = set()
    for (title,) in execute("SELECT name FROM known ORDER BY uri"):
        exact.add(title)
        by_key.setdefault(name_key(title), set()).add(title)
    for title, end in redirects.items():
        if end in exact:
            by_key.setdefault(name_key(title), set()).add(end)
    joined = []
    for (name,) in names:
        title = name if name in exact else redirects.get(name, name)
        if title not in exact:
            candidates = by_key.setdefault(name_key(name), set())
            title = next(iter(candidates)) if len(candidates) == 1 else name
            if not candidates:
                candidates.add(name)
        joined.append((title, name))
    connection.executemany("UPDATE triple_end SET title = ? WHERE name = ?", joined)
    execute("INSERT OR IGNORE INTO known SELECT DISTINCT uri_part(title), title, NULL FROM triple_end")


def write_entities(connection: sqlite3.Connection) -> None:
    """Make the entity table equal `known`: ids of things that stay are kept, what is gone takes its rows along."""
    execute = connection.execute
    execute("DELETE FROM entity WHERE uri NOT IN (SELECT uri FROM known)")
    execute(
        "INSERT INTO entity (uri, name, label, page_id) SELECT uri, name, name, page_id FROM known WHERE true"
        " ORDER BY uri ON CONFLICT (uri) DO UPDATE SET name = excluded.name, page_id = excluded.page_id"
    )
    for table in ("entity_type", "attribute", "alias", "cites"):
        execute(f"DELETE FROM {table} WHERE entity_id NOT IN (SELECT id FROM entity)")
    execute(
        "DELETE FROM relation WHERE subject_id NOT IN (SELECT id FROM entity)"
        " OR object_id NOT IN (SELECT id FROM entity)"
    )
    # Before a new relation is given the id of one that is gone.
    execute("DELETE FROM relation_source WHERE relation_id NOT IN (SELECT id FROM relation)")


def write_citations(connection: sqlite3.Connection) -> None:
    """Write anew which chunk cites which entity, how often; a page does not cite itself."""
    connection.execute("DELETE FROM cites")
    connection.execute(
        "INSERT INTO cites SELECT spot.chunk_id, entity.id, count(*)"
        " FROM (SELECT chunk_id, uri FROM temp.linked"
        "  UNION ALL SELECT chunk_id, uri FROM mention JOIN target ON target.raw = mention.target) AS spot"
        " JOIN chunk ON chunk.id = spot.chunk_id"
        " JOIN entity ON entity.uri = spot.uri"
        " WHERE entity.page_id IS NULL OR entity.page_id <> chunk.page_id"
        " GROUP BY spot.chunk_id, entity.id"
    )


def lay_out_reachable(connection: sqlite3.Connection) -> None:
    """Fill `reachable` (title) with all that may be named when pages go: what exists or is linked, and onwards.

    A page stands for itself only while it is there; then the redirect of its
    title holds, and the redirect of that one's target.
    """
    execute = connection.execute
    execute("CREATE TEMP TABLE IF NOT EXISTS reachable (title TEXT PRIMARY KEY) WITHOUT ROWID")
    execute("DELETE FROM temp.reachable")
    execute(
        "INSERT INTO temp.reachable WITH RECURSIVE onwards (title) AS ("
        " SELECT name FROM known UNION SELECT raw FROM target UNION SELECT name FROM temp.triple_end"
        " UNION SELECT value FROM onwards JOIN statement ON kind = 'redirect' AND key = onwards.title"
        ") SELECT title FROM onwards"
    )


def prune_statements(connection: sqlite3.Connection) -> None:
    """Forget the fact files' redirects and labels that name nothing that exists or may be named when pages go."""
    connection.execute(
        "DELETE FROM statement WHERE kind IN ('redirect', 'label') AND source_id IN"
        " (SELECT id FROM source_item WHERE source IN (SELECT label FROM fact_file))"
        " AND ifnull((SELECT target FROM redirect WHERE title = statement.value), statement.value)"
        "  NOT IN (SELECT title FROM temp.reachable)"
        " AND (kind = 'label' OR key NOT IN (SELECT title FROM temp.reachable))"
    )
