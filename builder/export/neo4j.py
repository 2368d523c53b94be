"""CSV files for `neo4j-admin database import`: a header and a data file for every kind of node and relationship."""

from __future__ import annotations

import math
import shlex
import sqlite3
from pathlib import Path
from typing import NamedTuple

from builder.export import queries
from builder.export.output import Export, new_folder, open_text
from builder.export.rows import FIELD, Row, RowWriter, read_whole, write_rows
from builder.request import SILENT, Progress

SPLIT = f"char({ord(FIELD)})"


class Table(NamedTuple):
    """A kind of node or relationship: its header and a query with the same columns."""

    name: str
    option: str
    header: str
    query: str


def export_neo4j(
    connection: sqlite3.Connection, path: Path, *, force: bool = False, progress: Progress = SILENT
) -> Export:
    """Write the folder `path`; `import_command` tells how to load it.

    Raises WeftError where the folder exists (without `force`) or cannot be written.
    """
    counts: dict[str, int] = {}
    read_whole(connection)
    with new_folder(path, [file for table in TABLES for file in _files(table)], force=force) as folder:
        for table in TABLES:
            head, data = _files(table)
            (folder / head).write_text(table.header + "\n", encoding="utf-8")
            with open_text(folder / data) as out:
                counts |= write_rows(connection, out, [RowWriter(table.name, table.query, csv_line)], progress)
    return Export("neo4j", path, counts)


def import_command(done: Export, database: str = "neo4j") -> str:
    """Return the command that makes a new Neo4j 5 database of an exported folder."""
    tables = (
        f"{table.option}={','.join(shlex.quote(str(done.path / each)) for each in _files(table))}"
        for table in TABLES
        if done.counts[table.name]
    )
    options = f"--multiline-fields=true --array-delimiter=U+{ord(FIELD):04X}"
    return " \\\n  ".join((f"neo4j-admin database import full {database}", options, *tables))


def csv_line(row: Row) -> str:
    """Return a line of CSV: strings always in quotes, so that an empty one is told from none."""
    return ",".join(map(_cell, row)) + "\n"


def _cell(value: object) -> str:
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return "" if value is None else repr(value)


def _files(table: Table) -> tuple[str, str]:
    return f"{table.name}-header.csv", f"{table.name}.csv"


def _array(query: str, column: str) -> str:
    """Return SQL for a column's values as one array; no rows give NULL."""
    return f"(SELECT group_concat(replace({column}, {SPLIT}, ' '), {SPLIT}) FROM ({query}))"


TYPES = "SELECT DISTINCT entity_type.type AS type FROM entity_type WHERE entity_type.entity_id = entity.id ORDER BY 1"
# The page that states a relation, else the fact file.
SOURCES = (
    "SELECT DISTINCT ifnull(page.uri, item.source || ': ' || item.place) AS origin FROM relation_source"
    " JOIN source_item AS item ON item.id = relation_source.source_id"
    " LEFT JOIN page ON page.id = relation_source.page_id WHERE relation_source.relation_id = relation.id ORDER BY 1"
)
# Attributes have no uri: `n` numbers them in the order of the export, for their nodes and for their edges alike.
ATTRIBUTES = (
    "SELECT row_number() OVER (ORDER BY entity.uri, key, value, source, place) AS n, entity.uri AS entity, key, value,"
    f" number, date, ifnull({queries.page_of_source('attribute')}, source || ': ' || place) AS origin"
    " FROM attribute JOIN entity ON entity.id = attribute.entity_id"
    " JOIN source_item AS item ON item.id = attribute.source_id"
)


def _below(name: str, kind: str, above: str, query: str) -> Table:
    """Return the relationships of one of the two kinds of parents, from a query of both."""
    condition = "NOT NULL" if above == "section" else "NULL"
    return Table(
        f"{name}_{above}",
        "--relationships",
        f":START_ID({kind}),:END_ID({above}),:TYPE",
        f"SELECT uri, {above}, '{name.upper()}' FROM ({query})"
        f" WHERE section IS {condition} ORDER BY uri",
    )


# All ordered by uri, so that equal SKBs give equal files.
TABLES = (
    Table(
        "pages",
        "--nodes",
        "uri:ID(page),title,url,language,modified,source,:LABEL",
        "SELECT page.uri, title, url, language, modified, source || ': ' || place, 'Page'"
        " FROM page JOIN source_item AS item ON item.id = page.source_id ORDER BY page.uri",
    ),
    Table(
        "sections",
        "--nodes",
        "uri:ID(section),title,level:int,position:int,path,:LABEL",
        "SELECT uri, title, level, position, path_text, 'Section' FROM section ORDER BY uri",
    ),
    Table(
        "chunks",
        "--nodes",
        "uri:ID(chunk),text,kind,part:int,position:int,:LABEL",
        "SELECT uri, text, kind, part, position, 'Chunk' FROM chunk ORDER BY uri",
    ),
    Table(
        "entities",
        "--nodes",
        "uri:ID(entity),name,type,label,aliases:string[],:LABEL",
        f"SELECT uri, name, type, label, {_array(queries.ALIASES_OF_ENTITY, 'name')},"
        f" 'Entity' || ifnull({SPLIT} || {_array(TYPES, 'type')}, '') FROM entity ORDER BY uri",
    ),
    Table(
        "attributes",
        "--nodes",
        ":ID(attribute),key,value,number:double,date,source,:LABEL",
        f"SELECT n, key, value, number, date, origin, 'Attribute' FROM ({ATTRIBUTES}) ORDER BY n",
    ),
    _below("section_of", "section", "page", queries.SECTION_OF),
    _below("section_of", "section", "section", queries.SECTION_OF),
    _below("chunk_of", "chunk", "page", queries.CHUNK_OF),
    _below("chunk_of", "chunk", "section", queries.CHUNK_OF),
    Table(
        "next",
        "--relationships",
        ":START_ID(chunk),:END_ID(chunk),:TYPE",
        f"SELECT uri, following, 'NEXT' FROM ({queries.NEXT}) ORDER BY uri",
    ),
    Table(
        "about",
        "--relationships",
        ":START_ID(page),:END_ID(entity),:TYPE",
        f"SELECT page, entity, 'ABOUT' FROM ({queries.ABOUT}) ORDER BY page, entity",
    ),
    Table(
        "has_attribute",
        "--relationships",
        ":START_ID(entity),:END_ID(attribute),:TYPE",
        f"SELECT entity, n, 'HAS_ATTRIBUTE' FROM ({ATTRIBUTES}) ORDER BY n",
    ),
    Table(
        "cites",
        "--relationships",
        ":START_ID(chunk),:END_ID(entity),count:int,:TYPE",
        "SELECT chunk.uri, entity.uri, cites.count, 'CITES' FROM chunk CROSS JOIN cites ON cites.chunk_id = chunk.id"
        " JOIN entity ON entity.id = cites.entity_id ORDER BY chunk.uri, entity.uri",
    ),
    Table(
        "relations",
        "--relationships",
        ":START_ID(entity),:END_ID(entity),sources:string[],:TYPE",
        f"SELECT subject.uri, object.uri, {_array(SOURCES, 'origin')}, relation_type.name FROM entity AS subject"
        " CROSS JOIN relation ON relation.subject_id = subject.id"
        " JOIN relation_type ON relation_type.id = relation.type_id"
        " JOIN entity AS object ON object.id = relation.object_id ORDER BY subject.uri, relation_type.name, object.uri",
    ),
)
