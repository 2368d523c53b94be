"""Parquet: the tables of an SKB with the uris that their ids stand for beside them, and its vectors."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import NamedTuple

from builder.export.output import Export, new_folder
from builder.export.parquet_sparse import write_sparse_vectors
from builder.export.parquet_vectors import vector_file, write_vectors
from builder.export.rows import batches, read_whole
from builder.request import SILENT, Progress
from weft.arrays.vectors import SPACES
from weft.errors import WeftError
from weft.meta import get_meta
from weft.sparse.sparse_rows import SPARSE

ITEM = "JOIN source_item AS item ON item.id = {}.source_id"
SOURCE = "item.source || ': ' || item.place AS source"
# One query for links and mentions; "end" is quoted as a keyword of SQL.
MENTIONS = (
    "SELECT {0}.*, chunk.uri AS chunk_uri FROM chunk CROSS JOIN {0} ON {0}.chunk_id = chunk.id"
    ' ORDER BY chunk.uri, start, "end"'
)


class Table(NamedTuple):
    """A table of the SKB: how it is read, all its columns first, and what columns of text are added."""

    query: str
    added: tuple[str, ...] = ()


# Every column of a table, ids included, then the uris that they stand for: files join by either. Ordered by uri.
TABLES = {
    "source_item": Table("SELECT * FROM source_item ORDER BY source, place"),
    "page": Table(
        f"SELECT page.*, {SOURCE} FROM page {ITEM.format('page')} ORDER BY page.uri",
        ("source",),
    ),
    "section": Table(
        "SELECT section.*, page.uri AS page_uri, above.uri AS parent_uri FROM section"
        " JOIN page ON page.id = section.page_id LEFT JOIN section AS above ON above.id = section.parent_id"
        " ORDER BY section.uri",
        ("page_uri", "parent_uri"),
    ),
    "chunk": Table(
        "SELECT chunk.*, page.uri AS page_uri, section.uri AS section_uri FROM chunk"
        " JOIN page ON page.id = chunk.page_id LEFT JOIN section ON section.id = chunk.section_id ORDER BY chunk.uri",
        ("page_uri", "section_uri"),
    ),
    "statement": Table(
        f"SELECT statement.*, page.uri AS page_uri, {SOURCE} FROM statement {ITEM.format('statement')}"
        " LEFT JOIN page ON page.id = statement.page_id ORDER BY page.uri, kind, key, value, item.source, item.place",
        ("page_uri", "source"),
    ),
    "link": Table(MENTIONS.format("link"), ("chunk_uri",)),
    "mention": Table(MENTIONS.format("mention"), ("chunk_uri",)),
    "entity": Table(
        "SELECT entity.*, page.uri AS page_uri FROM entity LEFT JOIN page ON page.id = entity.page_id"
        " ORDER BY entity.uri",
        ("page_uri",),
    ),
    "entity_type": Table(
        f"SELECT entity_type.*, entity.uri AS entity_uri, {SOURCE} FROM entity"
        f" CROSS JOIN entity_type ON entity_type.entity_id = entity.id {ITEM.format('entity_type')}"
        " ORDER BY entity.uri, entity_type.type, item.source, item.place",
        ("entity_uri", "source"),
    ),
    "attribute": Table(
        f"SELECT attribute.*, entity.uri AS entity_uri, {SOURCE} FROM entity"
        f" CROSS JOIN attribute ON attribute.entity_id = entity.id {ITEM.format('attribute')}"
        " ORDER BY entity.uri, key, value, item.source, item.place",
        ("entity_uri", "source"),
    ),
    "alias": Table(
        "SELECT alias.*, entity.uri AS entity_uri FROM entity CROSS JOIN alias ON alias.entity_id = entity.id"
        " ORDER BY entity.uri, name_key, kind",
        ("entity_uri",),
    ),
    "cites": Table(
        "SELECT cites.*, chunk.uri AS chunk_uri, entity.uri AS entity_uri FROM chunk"
        " CROSS JOIN cites ON cites.chunk_id = chunk.id JOIN entity ON entity.id = cites.entity_id"
        " ORDER BY chunk.uri, entity.uri",
        ("chunk_uri", "entity_uri"),
    ),
    "relation_type": Table("SELECT * FROM relation_type ORDER BY name"),
    "relation": Table(
        "SELECT relation.*, subject.uri AS subject_uri, relation_type.name AS type, object.uri AS object_uri"
        " FROM entity AS subject CROSS JOIN relation ON relation.subject_id = subject.id"
        " JOIN relation_type ON relation_type.id = type_id JOIN entity AS object ON object.id = object_id"
        " ORDER BY subject.uri, relation_type.name, object.uri",
        ("subject_uri", "type", "object_uri"),
    ),
    "relation_source": Table(
        f"SELECT relation_source.*, {SOURCE}, page.uri AS page_uri FROM entity AS subject"
        " CROSS JOIN relation ON relation.subject_id = subject.id"
        " JOIN relation_type ON relation_type.id = type_id JOIN entity AS object ON object.id = object_id"
        f" JOIN relation_source ON relation_source.relation_id = relation.id {ITEM.format('relation_source')}"
        " LEFT JOIN page ON page.id = relation_source.page_id"
        " ORDER BY subject.uri, relation_type.name, object.uri, item.source, item.place, page.uri",
        ("source", "page_uri"),
    ),
}


def export_parquet(
    connection: sqlite3.Connection, path: Path, *, force: bool = False, progress: Progress = SILENT
) -> Export:
    """Write a folder with a file a table and a file a vector space; raise WeftError where pyarrow is missing."""
    _require_pyarrow()
    names = [*(f"{table}.parquet" for table in TABLES), *(vector_file(space) for space in SPACES)]
    counts: dict[str, int] = {}
    read_whole(connection)
    write = write_sparse_vectors if get_meta(connection, "vector_dtype") == SPARSE else write_vectors
    with new_folder(path, names, force=force) as folder:
        for name, table in TABLES.items():
            progress.stage(name)
            counts[name] = _write_table(connection, folder / f"{name}.parquet", name, table, progress)
        for space in SPACES:
            progress.stage(f"{space} vectors")
            n_vectors = write(connection, folder / vector_file(space), space, progress)
            counts |= {f"{space} vectors": n_vectors} if n_vectors else {}
    return Export("parquet", path, counts)


def _require_pyarrow() -> None:
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as error:
        raise WeftError("parquet needs pyarrow, which is not installed: pip install 'weft[export]'") from error


def _write_table(connection: sqlite3.Connection, path: Path, name: str, table: Table, progress: Progress) -> int:
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    kinds = {"INTEGER": pa.int64(), "REAL": pa.float64(), "TEXT": pa.string()}
    declared = connection.execute(f'SELECT name, type, "notnull" OR pk FROM pragma_table_info(\'{name}\')').fetchall()
    fields = [pa.field(column, kinds[kind], nullable=not required) for column, kind, required in declared]
    schema = pa.schema([*fields, *(pa.field(column, pa.string()) for column in table.added)])
    n_rows = 0
    with ParquetWriter(path, schema, compression="zstd") as writer:
        for rows in batches(connection, table.query):
            columns = zip(zip(*rows, strict=True), schema, strict=True)
            arrays = [pa.array(column, field.type) for column, field in columns]
            writer.write_batch(pa.record_batch(arrays, schema=schema))
            n_rows += len(rows)
            progress.advance(len(rows))
    return n_rows
