"""Entities and citations: which things exist, and which chunk mentions which of them.

Everything here is a set operation over the source layer and the temporary table
`redirect`, which `builder.derive.redirects` fills.
"""

from __future__ import annotations

import sqlite3
from itertools import groupby

from builder.derive.workspace import create_view, empty, require
from builder.source_layer.equal_contents import NAME, SAME, duplicates_of
from builder.storage.bulk_indexes import without_indexes
from weft.text.names import name_key, uri_part

# Title and page of every duplicate by content. MATERIALIZED, since a computed name has no index to join by.
DUPLICATES = f"""
WITH kept AS MATERIALIZED (SELECT {NAME} AS name, title, uri FROM page
                           JOIN source_item ON source_item.id = page.source_id WHERE NOT named_by_title)
SELECT source, place, title, uri FROM source_item JOIN kept ON kept.name = substr(reason, length(?1) + 1)
WHERE state = 'duplicate' AND substr(reason, 1, length(?1)) = ?1
"""
# Links that name a file as "Title (path)" because an earlier file of the source has the title, though that file became
# no page: this file is then called otherwise, and nothing else has the uri that the link names.
REJECTED_BEFORE = """
INSERT OR IGNORE INTO temp.own_target
SELECT source, title || ' (' || place || ')' AS raw, uri FROM page JOIN source_item ON source_item.id = source_id
WHERE NOT named_by_title AND uri <> uri_part(title || ' (' || place || ')')
      AND title || ' (' || place || ')' IN (SELECT target FROM link WHERE target LIKE '%)')
      AND NOT EXISTS (SELECT 1 FROM page AS named WHERE named.uri = uri_part(title || ' (' || place || ')'))
"""
# Each view in two forms: without targets that mean another page within their source, and with them. Most SKBs have
# none, and the second form joins each link to its source item.
LINK_VIEWS = {
    "linked": (
        "SELECT chunk_id, anchor, entity_id FROM link JOIN temp.meaning ON meaning.raw = link.target",
        "SELECT chunk_id, anchor, entity.id AS entity_id FROM link JOIN chunk ON chunk.id = chunk_id"
        " JOIN page ON page.id = chunk.page_id JOIN source_item ON source_item.id = source_id"
        " LEFT JOIN temp.own_target AS own"
        " ON own.source = source_item.source AND own.raw = link.target"
        " LEFT JOIN temp.target ON target.raw = link.target"
        " JOIN entity ON entity.uri = ifnull(own.uri, target.uri)",
    ),
    "plain_target": (
        "SELECT target AS raw FROM link",
        "SELECT target AS raw FROM link WHERE target NOT IN (SELECT raw FROM temp.own_target) UNION"
        " SELECT target FROM link JOIN chunk ON chunk.id = chunk_id JOIN page ON page.id = page_id"
        " JOIN source_item ON source_item.id = source_id WHERE target IN (SELECT raw FROM temp.own_target)"
        " AND (source, target) NOT IN (SELECT source, raw FROM temp.own_target)",
    ),
}


def materialize_known(connection: sqlite3.Connection, rdf_ends: bool) -> None:
    """Fill `known` (uri, name, page_id) with every thing that exists, and `target` (raw, uri) with where links lead.

    Things exist while they are a page, what a link or a document's redirect
    leads to, an end of a fact of a triples file (temporary table `triple_end`)
    or, with `rdf_ends`, of an RDF relation (`rdf_end`). Redirects of fact files
    make nothing: a dump has millions of them, most to what no document names.
    """
    execute = connection.execute
    require(connection, "entities", "fact_file", "node_page", "redirect", "triple_end", "rdf_end")
    empty(connection, "target", "known")
    materialize_own_targets(connection)
    execute(
        # Links, and the targets of documents' redirects that hold; every one is followed to the end of its redirects.
        "INSERT INTO temp.target SELECT raw, uri_part(ifnull(redirect.target, raw))"
        " FROM (SELECT raw FROM temp.plain_target UNION ALL SELECT value FROM statement WHERE kind = 'redirect'"
        "  AND key <> value AND key IN (SELECT title FROM temp.redirect) AND source_id NOT IN"
        "  (SELECT id FROM source_item WHERE source IN (SELECT label FROM temp.fact_file)))"
        " LEFT JOIN temp.redirect ON redirect.title = raw"
        # Sorted, where DISTINCT or UNION would look up each of a million links in a tree that no cache holds.
        " GROUP BY raw"
    )
    execute(
        "INSERT INTO temp.known SELECT uri, title, id FROM page"
        " WHERE id NOT IN (SELECT page_id FROM temp.node_page)"
    )
    execute("INSERT OR IGNORE INTO temp.known SELECT DISTINCT uri, uri_text(uri), NULL FROM temp.target")
    _know_triple_ends(connection)
    if rdf_ends:
        _know_carried_ends(connection)
        _drop_joined_ends(connection)
        execute(
            # After pages and link targets: an end that is known already keeps its page's name.
            "INSERT OR IGNORE INTO temp.known SELECT DISTINCT uri_part(ifnull(redirect.target, rdf_end.title)),"
            " ifnull(redirect.target, rdf_end.title), NULL FROM temp.rdf_end"
            " LEFT JOIN temp.redirect ON redirect.title = rdf_end.title"
        )


def materialize_own_targets(connection: sqlite3.Connection) -> None:
    """Fill `own_target` (source, raw, uri): the pages that links of one source mean, where their target names another.

    Readers know the files of one source alone: there a link's target is the
    title of a file, or `Title (path)` where an earlier file of the source has
    that title. Among all sources the page may have another uri, also where the
    earlier file became no page. Make the views `linked` (chunk_id, anchor,
    entity_id) of all links with what they lead to, and `plain_target` (raw) of the
    targets that mean the page of that title.
    """
    execute = connection.execute
    empty(connection, "shared_title", "own_target")
    for (_, title), group in groupby(_documents_of_shared_titles(connection), lambda row: row[:2]):
        for number, (source, _, is_free, place, uri) in enumerate(group):
            raw = f"{title} ({place})" if number else title
            if is_free and uri != uri_part(raw):
                execute("INSERT OR IGNORE INTO temp.own_target VALUES (?, ?, ?)", (source, raw, uri))
    execute(REJECTED_BEFORE)
    has_own = execute("SELECT 1 FROM temp.own_target LIMIT 1").fetchone() is not None
    for view, queries in LINK_VIEWS.items():
        create_view(connection, view, queries[has_own])


def _documents_of_shared_titles(connection: sqlite3.Connection) -> list[tuple[str, str, int, str, str]]:
    """Return (source, title, whether documents can share it, place, page's uri), also of duplicates by content."""
    execute = connection.execute
    execute("INSERT INTO temp.shared_title SELECT DISTINCT title FROM page"
            " WHERE NOT named_by_title AND uri <> uri_part(title)")  # fmt: skip
    duplicates = duplicates_of(connection)
    if duplicates:
        execute(f"INSERT OR IGNORE INTO temp.shared_title SELECT title FROM ({DUPLICATES})", (SAME,))
    rows = execute(
        # A page that its title names by nature takes part only where it has the uri of that title.
        "SELECT source, title, NOT named_by_title, place, uri FROM page"
        " JOIN source_item ON source_item.id = page.source_id WHERE title IN (SELECT title FROM temp.shared_title)"
        " AND (NOT named_by_title OR uri = uri_part(title))"
    ).fetchall()
    if duplicates:
        rows += execute(f"SELECT source, title, 1, place, uri FROM ({DUPLICATES})", (SAME,)).fetchall()
    return sorted(rows)


def _know_carried_ends(connection: sqlite3.Connection) -> None:
    """Add to `known` the ends of relations of RDF files that are kept but not read in this build."""
    connection.execute(
        # The files' relations on record replace reading them; nodes of graphs are named by `builder.derive.node_uris`.
        "INSERT OR IGNORE INTO temp.known SELECT DISTINCT entity.uri, entity.name, NULL FROM relation_source"
        " JOIN source_item ON source_item.id = relation_source.source_id"
        " JOIN temp.fact_file ON fact_file.label = source_item.source AND NOT named AND kind = 'rdf'"
        " JOIN relation ON relation.id = relation_id"
        " JOIN entity ON entity.id IN (subject_id, object_id) AND graph_id IS NULL"
    )


def _drop_joined_ends(connection: sqlite3.Connection) -> None:
    """Delete from `rdf_end` the resources that are known things already, by their page or by their label."""
    execute = connection.execute
    execute(
        # First those whose page (primary topic) is known under another title than the resource has.
        "DELETE FROM temp.rdf_end WHERE title IN (SELECT title_of_term(term) FROM temp.topic"
        " LEFT JOIN temp.redirect ON redirect.title = topic.title"
        " WHERE uri_part(ifnull(redirect.target, topic.title)) IN (SELECT uri FROM temp.known))"
    )
    if execute("SELECT 1 FROM temp.label LIMIT 1").fetchone():
        execute(
            # Then those whose label is the name of a known thing: exactly, or by a name key (`keyed`) of one uri only,
            # counting known things, redirects to them and the resources themselves. Ambiguous keys join nothing.
            "WITH named AS (SELECT name, uri FROM temp.known UNION SELECT title, uri_part(target) FROM temp.redirect"
            " WHERE uri_part(target) IN (SELECT uri FROM temp.known)"
            " UNION SELECT title, uri_part(title) FROM temp.rdf_end),"
            " keyed AS (SELECT name_key(name) AS key FROM named GROUP BY key HAVING count(DISTINCT uri) = 1)"
            " DELETE FROM temp.rdf_end WHERE title IN (SELECT title_of_term(term) FROM temp.label"
            " WHERE name IN (SELECT name FROM temp.known) OR name_key(name) IN"
            " (SELECT name_key(known.name) FROM temp.known INTERSECT SELECT key FROM keyed))"
        )


def _know_triple_ends(connection: sqlite3.Connection) -> None:
    """Join the ends of triples by exact title, by redirect, by unique name key, or add them to `known`."""
    execute = connection.execute
    names = execute("SELECT name FROM temp.triple_end ORDER BY name").fetchall()
    if not names:
        return
    redirects: dict[str, str] = dict(execute("SELECT title, target FROM temp.redirect"))
    by_key: dict[str, set[str]] = {}
    exact = set()
    for (title,) in execute("SELECT name FROM temp.known ORDER BY uri"):
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
            # A later end in another spelling is the same new thing.
            if not candidates:
                candidates.add(name)
        joined.append((title, name))
    connection.executemany("UPDATE temp.triple_end SET title = ? WHERE name = ?", joined)
    execute("INSERT OR IGNORE INTO temp.known SELECT DISTINCT uri_part(title), title, NULL FROM temp.triple_end")


def write_entities(connection: sqlite3.Connection) -> None:
    """Make the entity table equal `known`: things that remain keep their ids, rows of deleted ones are deleted."""
    execute = connection.execute
    execute("DELETE FROM entity WHERE uri NOT IN (SELECT uri FROM temp.known)")
    execute(
        # "WHERE true" is required by SQLite: without it ON CONFLICT after SELECT is read as the ON of a join.
        "INSERT INTO entity (uri, name, label, page_id) SELECT uri, name, name, page_id FROM temp.known WHERE true"
        " ORDER BY uri ON CONFLICT (uri) DO UPDATE SET name = excluded.name, page_id = excluded.page_id"
    )
    for table in ("entity_type", "attribute", "alias", "cites"):
        execute(f"DELETE FROM {table} WHERE entity_id NOT IN (SELECT id FROM entity)")
    execute(
        "DELETE FROM relation WHERE subject_id NOT IN (SELECT id FROM entity)"
        " OR object_id NOT IN (SELECT id FROM entity)"
    )
    # Before a new relation is given the id of one that is gone.
    execute("DELETE FROM relation_source WHERE NOT EXISTS (SELECT 1 FROM relation WHERE id = relation_id)")


def write_citations(connection: sqlite3.Connection) -> None:
    """Write anew which chunk cites which entity, how often; a page does not cite itself."""
    connection.execute("DELETE FROM cites")
    materialize_meanings(connection)
    with without_indexes(connection, "cites", "link"):
        connection.execute(
            # Links and mentions are counted together, by chunk and entity. Few entities are pages: a million others
            # are not looked up.
            "WITH own AS MATERIALIZED (SELECT id, page_id FROM entity WHERE page_id IS NOT NULL)"
            " INSERT INTO cites SELECT chunk_id, entity_id, uses FROM"
            " (SELECT chunk_id, entity_id, count(*) AS uses FROM"
            "  (SELECT chunk_id, entity_id FROM temp.linked UNION ALL"
            "   SELECT chunk_id, entity_id FROM mention JOIN temp.meaning ON meaning.raw = target) GROUP BY 1, 2)"
            " JOIN chunk ON chunk.id = chunk_id LEFT JOIN own ON own.id = entity_id"
            " WHERE own.page_id IS NOT chunk.page_id"
        )


def materialize_meanings(connection: sqlite3.Connection) -> None:
    """Fill `meaning` (raw, entity_id) with the entity that each target leads to.

    A million links are then looked up in one small tree, not in those of the targets and of all entities.
    """
    require(connection, "citations", "target")
    empty(connection, "meaning")
    connection.execute(
        "INSERT INTO temp.meaning SELECT raw, entity.id FROM temp.target JOIN entity ON entity.uri = target.uri"
        " ORDER BY raw"
    )


def materialize_reachable(connection: sqlite3.Connection) -> None:
    """Fill `reachable` (title) with all that may be named after pages are removed: what exists or is linked, and on.

    A page hides the redirect of its title. Once the page is removed that redirect
    holds, and then the redirect of its target.
    """
    execute = connection.execute
    empty(connection, "reachable")
    execute(
        # Recursive over the raw redirects, not over `redirect`: that leaves out those whose title is now a page.
        "INSERT INTO temp.reachable WITH RECURSIVE onwards (title) AS ("
        " SELECT name FROM temp.known UNION SELECT raw FROM temp.target UNION SELECT name FROM temp.triple_end"
        " UNION SELECT value FROM onwards JOIN statement ON kind = 'redirect' AND key = onwards.title"
        ") SELECT title FROM onwards"
    )


def prune_statements(connection: sqlite3.Connection) -> None:
    """Delete the fact files' redirects and labels that name nothing in `reachable`: most of a dump's name nothing."""
    connection.execute(
        # A redirect is kept where its title or its end is reachable, a label where its entity is.
        "DELETE FROM statement WHERE kind IN ('redirect', 'label') AND source_id IN"
        " (SELECT id FROM source_item WHERE source IN (SELECT label FROM temp.fact_file))"
        " AND ifnull((SELECT target FROM temp.redirect WHERE title = statement.value), statement.value)"
        "  NOT IN (SELECT title FROM temp.reachable)"
        " AND (kind = 'label' OR key NOT IN (SELECT title FROM temp.reachable))"
    )
