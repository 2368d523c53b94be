"""The workspace declares every temporary table and SQL function, who fills it and who reads it."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from builder.derive.entities import materialize_known
from builder.derive.workspace import FUNCTIONS, TABLES, VIEWS, MissingTable, empty, require
from tests.paths import ROOT

STAGES = [path for path in (ROOT / "builder" / "derive").glob("*.py") if path.stem not in ("__init__", "workspace")]
MADE = re.compile(r'\b(?:empty|keys_of|create_view)\(connection,([^)]*)\)')
NAMED = re.compile(r"\btemp\.(\w+)")


def _made(path: Path) -> set[str]:
    """Return the tables and views that a stage begins to fill."""
    return {name for call in MADE.findall(path.read_text(encoding="utf-8")) for name in re.findall(r'"(\w+)"', call)}


def _named(path: Path) -> set[str]:
    return set(NAMED.findall(path.read_text(encoding="utf-8"))) & {*TABLES, *VIEWS}


@pytest.mark.parametrize("path", STAGES, ids=lambda path: path.stem)
def test_a_stage_makes_no_table_and_no_function_of_its_own(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"CREATE TEMP\w*|create_function\(\w+\.|create_function\(\"", text) == []


@pytest.mark.parametrize("table", [*TABLES, *VIEWS])
def test_a_table_is_used_by_the_stages_that_are_declared(table: str) -> None:
    declared = (TABLES | VIEWS)[table]
    users = {path.stem for path in STAGES if table in _named(path)}
    assert users - {declared.writer} == set(declared.readers)
    makers = {path.stem for path in STAGES if table in _made(path)}
    # The keys on disk, and the views, are made by a name in a variable.
    assert makers - {"graph_nodes"} <= {declared.writer}


@pytest.mark.parametrize("name", sorted({*TABLES, *VIEWS}))
def test_sql_names_a_temporary_table_as_one(name: str) -> None:
    bare = re.compile(rf"\b(?:FROM|JOIN|INTO|UPDATE) {name}\b(?!\()")
    assert [path.stem for path in STAGES if bare.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_that_is_declared_is_called(name: str) -> None:
    called = re.compile(rf'"[^"]*\b{name}\([a-z_.]+')
    assert [path.stem for path in STAGES if called.search(path.read_text(encoding="utf-8"))]


def test_a_stage_that_is_run_too_early_says_what_it_needs() -> None:
    connection = sqlite3.connect(":memory:")
    with pytest.raises(MissingTable, match=r"entities reads temp\.fact_file: run builder\.derive\.fact_files before"):
        materialize_known(connection, rdf_ends=False)


def test_a_table_that_is_emptied_is_there_and_empty() -> None:
    connection = sqlite3.connect(":memory:")
    for _ in range(2):
        empty(connection, "redirect", "known")
        require(connection, "test", "redirect", "known")
        assert connection.execute("SELECT count(*) FROM temp.redirect").fetchone() == (0,)
        connection.execute("INSERT INTO temp.redirect VALUES ('a', 'b')")


@pytest.mark.parametrize("table", TABLES)
def test_every_declaration_can_be_made(table: str) -> None:
    connection = sqlite3.connect(":memory:")
    empty(connection, table)
    (sql,) = connection.execute("SELECT sql FROM temp.sqlite_schema WHERE name = ?", (table,)).fetchone()
    assert sql.startswith(f"CREATE TABLE {table} (")
