"""Aliases, infobox attributes, types and labels of the entities that exist."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from builder.derive.workspace import require
from weft.text.names import name_key

LONGEST_ALIAS = 120
"""Longest anchor, in characters, that becomes an alias: longer ones are linked sentences, not names."""


def write_aliases(connection: sqlite3.Connection) -> None:
    """Write anew the names of every entity, each with the weight of its meaning this entity.

    Kinds: `name` (the entity's own), `redirect`, `label`, `short` (without the
    last parenthesis), `anchor`. A weight is 1 for the first three, one over the
    number of entities that share a short form, and for an anchor the share of
    its uses that mean this entity.
    """
    require(connection, "aliases", "redirect", "linked")
    connection.execute("DELETE FROM alias")
    connection.execute(
        "INSERT OR IGNORE INTO alias SELECT name_key(name), id, 'name', 1.0, name FROM entity ORDER BY name"
    )
    for kind in ("redirect", "label"):
        connection.execute(
            # A redirect names the end of its chain, and nothing where a page has its title. A label counts always:
            # it names its entity beside the title.
            "INSERT OR IGNORE INTO alias SELECT name_key(key), entity.id, kind, 1.0, key FROM statement"
            " LEFT JOIN temp.redirect ON redirect.title = statement.value"
            " JOIN entity ON entity.uri = uri_part(ifnull(redirect.target, statement.value))"
            " WHERE kind = ? AND (kind = 'label' OR key IN (SELECT title FROM temp.redirect))"
            " AND key <> entity.name ORDER BY key",
            (kind,),
        )
    connection.execute(
        # The window counts the entities of one short form: each gets an equal share of its meaning.
        "INSERT OR IGNORE INTO alias SELECT name_key(short), id, 'short',"
        " 1.0 / count(*) OVER (PARTITION BY name_key(short)), short"
        " FROM (SELECT id, short_name(name) AS short FROM entity) WHERE short IS NOT NULL ORDER BY short"
    )
    connection.executemany("INSERT OR IGNORE INTO alias VALUES (?, ?, 'anchor', ?, ?)", _anchors(connection))
    connection.execute("DELETE FROM alias WHERE name_key = '' OR NOT is_visible(name)")


def _anchors(connection: sqlite3.Connection) -> Iterator[tuple[str, int, float, str]]:
    """Yield (key, entity, weight, most used spelling) of every anchor that is no name already."""
    rows = connection.execute(
        # Ordered by key, so that one key at a time is in memory; links are counted by anchor before the join.
        "SELECT name_key(anchor) AS key, entity_id, anchor, uses, name FROM"
        " (SELECT entity_id, anchor, count(*) AS uses FROM temp.linked WHERE length(anchor) <= ? GROUP BY 1, 2)"
        " JOIN entity ON id = entity_id ORDER BY key, entity_id, anchor",
        (LONGEST_ALIAS,),
    )
    key: str | None = None
    uses: dict[int, list[tuple[int, str]]] = {}
    own: dict[int, str] = {}
    for row_key, entity, anchor, count, name in rows:
        if row_key != key:
            yield from _weighed(key, uses, own)
            key, uses, own = row_key, {}, {}
        uses.setdefault(entity, []).append((count, anchor))
        own[entity] = name
    yield from _weighed(key, uses, own)


def _weighed(
    key: str | None, uses: dict[int, list[tuple[int, str]]], own: dict[int, str]
) -> Iterator[tuple[str, int, float, str]]:
    if not key:
        return
    total = sum(count for each in uses.values() for count, _ in each)
    for entity, each in uses.items():
        # Most anchors are the name itself, as it is written.
        if all(anchor != own[entity] for _, anchor in each) and name_key(own[entity]) != key:
            spelling = min(each, key=lambda use: (-use[0], use[1]))[1]
            yield key, entity, sum(count for count, _ in each) / total, spelling


def write_infobox_attributes(connection: sqlite3.Connection) -> None:
    """Write anew the attributes that come from infobox rows."""
    connection.execute(
        # Attributes of documents only: those of fact files are written by `builder.derive.facts`.
        "DELETE FROM attribute WHERE source_id NOT IN"
        " (SELECT id FROM source_item WHERE source IN (SELECT label FROM temp.fact_file))"
    )
    connection.execute(
        "INSERT INTO attribute (entity_id, key, value, number, date, source_id)"
        " SELECT entity.id, key, value, number_in(value), date_in(value), statement.source_id"
        " FROM statement JOIN entity ON entity.page_id = statement.page_id WHERE kind = 'infobox'"
        " ORDER BY statement.id"
    )


def write_types_and_labels(connection: sqlite3.Connection, superclasses: dict[str, set[str]]) -> None:
    """Choose each entity's type and write its label, "name (type)".

    The type is, among the types given that are no superclass of another one
    given, the rarest in this SKB, then the first by name. A name that already
    ends with its type in parentheses is not given it twice.
    """
    counts: dict[str, int] = dict(
        connection.execute("SELECT type, count(DISTINCT entity_id) FROM entity_type GROUP BY type")
    )
    # An entity whose types are all gone must lose its old one too.
    connection.execute("UPDATE entity SET type = NULL WHERE type IS NOT NULL")
    rows = connection.execute("SELECT DISTINCT entity_id, type FROM entity_type ORDER BY entity_id, type")
    connection.executemany(
        "UPDATE entity SET type = ? WHERE id = ?",
        (
            (most_specific([name for _, name in types], superclasses, counts), entity)
            for entity, types in groupby(rows, key=itemgetter(0))
        ),
    )
    connection.execute(
        # substr with a negative start takes the end of the name; LIKE would read "_" in a type as a wildcard.
        "UPDATE entity SET label = CASE WHEN type IS NULL"
        " OR lower(substr(name, -length(type) - 2)) = lower('(' || type || ')') THEN name"
        " ELSE name || ' (' || type || ')' END"
    )


def most_specific(types: list[str], superclasses: dict[str, set[str]], counts: dict[str, int]) -> str:
    """Return the type that is no other's superclass, the rarest such, then the first by name."""
    above = set().union(*(superclasses.get(each, set()) - {each} for each in types))
    # Where the classes form a cycle every type is above another one.
    lowest = [each for each in types if each not in above] or types
    return min(lowest, key=lambda each: (counts[each], each))


def closure(parents: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return every class's superclasses, direct and indirect."""
    above: dict[str, set[str]] = {}
    for start in parents:
        reached: set[str] = set()
        waiting = list(parents[start])
        while waiting:
            each = waiting.pop()
            if each not in reached:
                reached.add(each)
                waiting.extend(parents.get(each, ()))
        above[start] = reached
    return above
