"""The structure of an SKB: the tables, indexes and views that its schema declares, as they stand in a file."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path

from weft.errors import NotAKnowledgeBase
from weft.package_data import shipped

Key = tuple[str, str]
"""The kind and the name of an object."""

SHADOW = re.compile(r"\w+_fts_\w+")
"""Tables that FTS5 makes for itself; another version of it may declare them otherwise."""

COLUMNS = (
    'SELECT tables.name, own.name, own.type, own."notnull", own.pk, own.hidden FROM sqlite_schema AS tables'
    " JOIN pragma_table_xinfo(tables.name) AS own WHERE tables.type = 'table' AND tables.sql LIKE 'CREATE TABLE%'"
    " ORDER BY tables.name, own.name"
)
"""The columns of ordinary tables, whatever their order: a migration appends."""

ADVICE = "copy it again from where it is whole, or move it away and build it from its sources"


def declarations() -> str:
    """Return the SQL that makes an empty SKB."""
    return shipped("schemas").joinpath("skb.sql").read_text(encoding="utf-8")


def check_structure(connection: sqlite3.Connection, path: Path) -> None:
    """Raise NotAKnowledgeBase where a table, index or view is missing or not as declared, or a trigger would run.

    Tables, views and indexes of others are no matter.
    """
    try:
        statements = _statements(connection)
        if _is_as_made(statements):
            return
        found = _objects(connection, statements)
    except (sqlite3.DatabaseError, ValueError) as error:
        raise NotAKnowledgeBase(f"{path}: not a knowledge base, or damaged ({error})") from error
    for (kind, name), declared in _made()[1].items():
        if (kind, name) not in found:
            raise NotAKnowledgeBase(f"{path}: damaged, or changed by another program: the {kind} {name} is missing;"
                                    f" {ADVICE}")  # fmt: skip
        if not SHADOW.fullmatch(name) and found[kind, name] != declared:
            raise NotAKnowledgeBase(f"{path}: damaged, or changed by another program: the {kind} {name} is not as Weft"
                                    f" makes it; {ADVICE}")  # fmt: skip
    for kind, name in found:
        if kind == "trigger":
            raise NotAKnowledgeBase(f"{path}: holds the trigger {name}, which would run as the file is written;"
                                    " Weft makes none: drop it, or build again from the sources")  # fmt: skip


@cache
def _made() -> tuple[dict[Key, str], dict[Key, object]]:
    """Return what declares each object of a new SKB, as written and as compared."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(declarations())
        statements = _statements(connection)
        return statements, _objects(connection, statements)


def _is_as_made(statements: dict[Key, str]) -> bool:
    """Tell whether a file's statements are those of a new SKB and of nothing else: none need be compared by columns."""
    made, _ = _made()
    return statements.keys() == made.keys() and all(
        statements[key] == sql or SHADOW.fullmatch(key[1]) for key, sql in made.items()
    )


def _statements(connection: sqlite3.Connection) -> dict[Key, str]:
    rows = connection.execute("SELECT type, name, sql FROM sqlite_schema")
    return {(kind, name): str(sql) for kind, name, sql in rows}


def _objects(connection: sqlite3.Connection, statements: dict[Key, str]) -> dict[Key, object]:
    """Return what declares each object: columns of a table, whose SQL migrations put together, else its SQL."""
    found: dict[Key, object] = {key: " ".join(sql.split()) for key, sql in statements.items()}
    columns: dict[Key, list[tuple[object, ...]]] = {}
    for table, *column in connection.execute(COLUMNS):
        columns.setdefault(("table", table), []).append(tuple(column))
    return found | columns
