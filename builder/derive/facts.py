"""Second reading of the fact files: types, attributes and relations of the entities that exist."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence

from builder.derive.aliases import closure
from builder.derive.co_mention import co_mentioned
from builder.derive.entity_index import EntityResolver
from builder.derive.fact_files import (
    STATE_OF_PROBLEM,
    FactFile,
    forget_problems,
    is_retained,
    record_fates,
    record_problems,
)
from builder.derive.fact_names import speaks
from builder.derive.graph_nodes import write_graphs
from builder.derive.workspace import empty, require
from builder.rdf.literals import language_of, literal
from builder.rdf.predicates import (
    ATTRIBUTE,
    FATE_OF_PREDICATE,
    IGNORED,
    KEPT,
    LABEL,
    MALFORMED,
    NO_CO_MENTION,
    OTHER_LANGUAGE,
    SUBCLASS,
    TYPE,
    UNKNOWN_END,
    is_exported_attribute,
    is_of_export,
    is_repeated,
    local_name,
)
from builder.rdf.reader import read_triples
from builder.storage.bulk_indexes import without_indexes
from builder.streams.lines import Problem
from builder.values import date_in, number_in
from weft.meta import get_meta, set_meta


def write_facts(
    connection: sqlite3.Connection,
    files: Sequence[FactFile],
    languages: tuple[str, ...],
    all_relations: bool,
    memory_mb: float = 1024.0,
) -> None:
    """Replace the facts of the named files about entities that exist; facts of other files stay while they hold.

    `memory_mb` bounds the tables that resolve terms; beyond it they are on disk.
    """
    require(connection, "facts", "fact_file", "topic", "label", "redirect", "page_cites", "spread")
    entity_of = EntityResolver(connection, memory_mb)
    empty(connection, "fact", "fact_attribute")
    # Class hierarchies are stored without their file: they are dropped only where every RDF file is read again.
    superclasses = {} if _all_named(connection) else get_meta(connection, "superclasses", {})
    parents = {name: set(above) for name, above in superclasses.items()}
    write_graphs(connection, files, memory_mb)
    for file in files:
        if file.kind != "rdf":
            continue
        _delete_earlier_facts(connection, file)
        forget_problems(connection, file)
        _read_rdf(connection, file, entity_of, parents, languages, all_relations)
    with without_indexes(connection, "attribute", "temp.fact_attribute"):
        connection.execute(
            "INSERT INTO attribute (entity_id, key, value, number, date, source_id)"
            " SELECT DISTINCT * FROM temp.fact_attribute ORDER BY entity_id, key, value, source_id"
        )
    _write_relations(connection)
    set_meta(connection, "superclasses", {name: sorted(above) for name, above in sorted(parents.items())})


def _delete_earlier_facts(connection: sqlite3.Connection, file: FactFile) -> None:
    """Delete a file's earlier facts; of a truncated file only its attributes, which are joined with those read now."""
    own = (file.source_id,)
    retained = is_retained(connection, file)
    if retained:
        connection.execute(
            "INSERT INTO temp.fact_attribute SELECT entity_id, key, value, number, date, source_id"
            " FROM attribute WHERE source_id = ?",
            own,
        )
    for table in ("attribute",) if retained else ("attribute", "entity_type", "relation_source"):
        connection.execute(f"DELETE FROM {table} WHERE source_id = ?", own)


def superclasses_of(connection: sqlite3.Connection) -> dict[str, set[str]]:
    """Return every class's superclasses, direct and indirect, as the fact files state them."""
    return closure({name: set(above) for name, above in get_meta(connection, "superclasses", {}).items()})


def _all_named(connection: sqlite3.Connection) -> bool:
    row = connection.execute(
        "SELECT count(*) FROM temp.fact_file WHERE NOT named AND kind = 'rdf'"
    ).fetchone()
    return bool(row[0] == 0)


def _read_rdf(
    connection: sqlite3.Connection,
    file: FactFile,
    entity_of: EntityResolver,
    parents: dict[str, set[str]],
    languages: tuple[str, ...],
    all_relations: bool,
) -> None:
    fates: Counter[str] = Counter()
    complete = True
    source = file.source_id
    names: dict[str, str] = {}
    for batch in read_triples(file.path):
        types, attributes, facts = [], [], []
        for subject, predicate, object_ in batch.triples:
            fate = FATE_OF_PREDICATE.get(predicate)
            # A predicate without a declared outcome states an attribute or a relation; anything else is counted below.
            if fate is None:
                name = names.get(predicate)
                if name is None:
                    name = names[predicate] = "" if is_repeated(predicate) else local_name(predicate)
                owner = entity_of[subject]
                if not name:
                    fate = IGNORED
                elif object_[0] == '"':
                    fate = ATTRIBUTE if speaks(language_of(object_), languages) else OTHER_LANGUAGE
                    if owner is not None and fate is ATTRIBUTE:
                        attributes.append((owner, name, *_value(predicate, object_), source))
                else:
                    to_id = None if owner is None else entity_of[object_]
                    if to_id is None:
                        fate = UNKNOWN_END
                    else:
                        # `_count_relations` counts it, after the co-mention filter.
                        facts.append((owner, name, to_id, source))
                        continue
            elif (fate is TYPE or fate is LABEL) and is_of_export(subject, object_):
                fate = IGNORED
            elif fate is TYPE and object_[0] == "<":
                if predicate == SUBCLASS:
                    parents.setdefault(local_name(subject), set()).add(local_name(object_))
                else:
                    owner = entity_of[subject]
                    if owner is not None:
                        types.append((owner, local_name(object_), source))
            fates[fate] += 1
        connection.executemany("INSERT OR IGNORE INTO entity_type VALUES (?, ?, ?)", types)
        connection.executemany("INSERT INTO temp.fact_attribute VALUES (?, ?, ?, ?, ?, ?)", attributes)
        connection.executemany("INSERT INTO temp.fact VALUES (?, ?, ?, ?)", facts)
        malformed, whole = _on_record(connection, file, batch.problems)
        fates[MALFORMED] += malformed
        complete &= whole
    _count_relations(connection, fates, source, all_relations)
    record_fates(connection, file, fates, complete)


def _value(predicate: str, object_: str) -> tuple[str, float | None, str | None]:
    """Return an attribute's text, number and date."""
    text = literal(object_)
    if is_exported_attribute(predicate):
        return text.value, number_in(text.value), date_in(text.value)
    return text.value, text.number, text.date


def _count_relations(
    connection: sqlite3.Connection, fates: Counter[str], source: int, all_relations: bool
) -> None:
    """Drop the relations that no page co-mentions, unless all are kept; count the lines of both outcomes."""
    (lines,) = connection.execute("SELECT count(*) FROM temp.fact WHERE source_id = ?", (source,)).fetchone()
    if not all_relations:
        _keep_co_mentioned(connection, source)
    (kept,) = connection.execute("SELECT count(*) FROM temp.fact WHERE source_id = ?", (source,)).fetchone()
    fates[KEPT] += kept
    fates[NO_CO_MENTION] += lines - kept


def _keep_co_mentioned(connection: sqlite3.Connection, source: int) -> None:
    """Drop a file's facts whose ends no page cites together; most are dropped, so the rest is copied out."""
    execute = connection.execute
    empty(connection, "kept_fact")
    # Those of other files are filtered already, or are edges of graphs, which never are.
    execute("INSERT INTO temp.kept_fact SELECT * FROM temp.fact WHERE source_id <> ?", (source,))
    execute(
        "INSERT INTO temp.kept_fact SELECT * FROM temp.fact WHERE source_id = ? AND "
        + co_mentioned("fact.subject_id", "fact.object_id"),
        (source,),
    )
    execute("DROP TABLE temp.fact")
    execute("ALTER TABLE temp.kept_fact RENAME TO fact")


def _on_record(
    connection: sqlite3.Connection, file: FactFile, problems: Sequence[Problem]
) -> tuple[int, bool]:
    """Record what could not be read; return the number of rejected lines and whether the file was not truncated."""
    states = [STATE_OF_PROBLEM[each.kind] for each in problems]
    record_problems(
        connection, file, ((each.line, state, each.reason) for each, state in zip(problems, states, strict=True))
    )
    return states.count("rejected"), "incomplete" not in states


def _write_relations(connection: sqlite3.Connection) -> None:
    """Add the facts that were kept as relations with their sources, and empty the temporary tables of facts."""
    execute = connection.execute
    empty(connection, "edge")
    execute("INSERT OR IGNORE INTO relation_type (name) SELECT DISTINCT type FROM temp.fact ORDER BY type")
    execute(
        # Sorted once, here: what follows reads and writes its rows, and those of the indexes, in their own order.
        "INSERT OR IGNORE INTO temp.edge SELECT subject_id, relation_type.id, object_id, source_id FROM temp.fact"
        " JOIN relation_type ON relation_type.name = fact.type ORDER BY 1, 2, 3, 4"
    )
    execute("DELETE FROM temp.fact")
    with without_indexes(connection, "relation", "temp.edge"):
        execute(
            # One relation however many files state it; `relation_source` has a row for each file.
            "INSERT OR IGNORE INTO relation (subject_id, type_id, object_id)"
            " SELECT DISTINCT subject_id, type_id, object_id FROM temp.edge ORDER BY 1, 2, 3"
        )
    execute(
        # One row for each file that states the relation; NULL, since a fact file is no page.
        "INSERT OR IGNORE INTO relation_source SELECT relation.id, edge.source_id, NULL"
        " FROM temp.edge CROSS JOIN relation ON relation.subject_id = edge.subject_id"
        " AND relation.type_id = edge.type_id AND relation.object_id = edge.object_id"
        " ORDER BY edge.subject_id, edge.type_id, edge.object_id, edge.source_id"
    )
    execute("DELETE FROM temp.edge")
    execute("DELETE FROM temp.fact_attribute")


def _drop_relations_without_source(connection: sqlite3.Connection, all_relations: bool) -> None:
    """Drop the relations of RDF files not read now that no page co-mentions any more, then those without a source."""
    execute = connection.execute
    # A triple outlives the page it was found on. The update skips a row whose twin without a page exists: it goes.
    gone = "page_id IS NOT NULL AND page_id NOT IN (SELECT id FROM page)"
    execute(f"UPDATE OR IGNORE relation_source SET page_id = NULL WHERE {gone}")
    execute(f"DELETE FROM relation_source WHERE {gone}")
    if not all_relations:
        execute(
            # Files named in this build were filtered line by line already.
            "DELETE FROM relation_source WHERE source_id IN (SELECT id FROM source_item JOIN temp.fact_file"
            " ON fact_file.label = source_item.source WHERE kind = 'rdf' AND NOT named) AND relation_id IN"
            " (SELECT id FROM relation WHERE NOT "
            + co_mentioned("relation.subject_id", "relation.object_id")
            + ")"
        )
    # A look-up for each row, in order: a set of all ids would be built on disk.
    execute("DELETE FROM relation_source WHERE NOT EXISTS (SELECT 1 FROM relation WHERE id = relation_id)")
    execute("DELETE FROM relation WHERE NOT EXISTS (SELECT 1 FROM relation_source WHERE relation_id = relation.id)")
    execute("DELETE FROM relation_type WHERE id NOT IN (SELECT type_id FROM relation)")


def retain_facts(connection: sqlite3.Connection, all_relations: bool) -> None:
    """Delete the facts on record that no longer hold, and count their lines as without co-mention in the records."""
    before = _distinct_relations(connection)
    _drop_relations_without_source(connection, all_relations)
    after = _distinct_relations(connection)
    records = get_meta(connection, "facts", [])
    for record in records:
        lost = before.get(record["label"], 0) - after.get(record["label"], 0)
        fates = record["fates"]
        # The earlier facts of a truncated file are kept without being counted among its lines.
        moved = min(lost, fates.get(KEPT, 0))
        if record["kind"] == "rdf" and moved:
            fates[KEPT] -= moved
            fates[NO_CO_MENTION] = fates.get(NO_CO_MENTION, 0) + moved
    set_meta(connection, "facts", records)


def _distinct_relations(connection: sqlite3.Connection) -> dict[str, int]:
    return dict(
        connection.execute(
            "SELECT source, count(*) FROM relation_source JOIN source_item ON source_item.id = source_id"
            " GROUP BY source"
        )
    )
