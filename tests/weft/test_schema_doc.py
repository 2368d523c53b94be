"""`docs/schema.md` says what is in a built file, no more and no less, and its examples run as shown."""

from __future__ import annotations

import contextlib
import io
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from builder.request import Settings, Summary
from tests.conftest import FIXTURES
from tests.paths import ROOT
from weft.arrays.blobs import ARRAYS, may_be_kept
from weft.embedders.fake import Lengths
from weft.sparse.vector_postings import posting_arrays

TEXT = (ROOT / "docs" / "schema.md").read_text("utf-8")
EXAMPLE = re.compile(r"^```(sql|python)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.M | re.S)
HEADING = re.compile(r"^### `(\w+)`$", re.M)
CODE = re.compile(r"`([^`]+)`")


class Example(NamedTuple):
    """A block of the document and the output that it shows, if any."""

    language: str
    code: str
    output: str | None


EXAMPLES = [Example(*found.groups()) for found in EXAMPLE.finditer(TEXT)]
NAMES = [f"{place}-{each.language}" for place, each in enumerate(EXAMPLES)]


def documented() -> dict[str, list[list[str]]]:
    """Return, by table or view, the cells of the first Markdown table under its heading."""
    pieces = HEADING.split(TEXT)
    found = {}
    for name, body in zip(pieces[1::2], pieces[2::2], strict=True):
        lines = body.partition("| column |")[2].partition("\n\n")[0].splitlines()[2:]
        found[name] = [cells(line) for line in lines]
    return found


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("| "))]


def rows_under(header: str) -> list[list[str]]:
    """Return the rows of the Markdown table that begins with this header."""
    return [cells(line) for line in TEXT.partition(header)[2].partition("\n\n")[0].splitlines()[2:]]


@pytest.fixture
def file(world: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(f"file:{world}?mode=ro", uri=True)
    yield connection
    connection.close()


def objects(file: sqlite3.Connection) -> dict[str, str]:
    """Return tables and views with their SQL, without the tables that FTS5 keeps for itself."""
    found = dict(file.execute("SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view')"))
    searched = [name for name, sql in found.items() if sql.startswith("CREATE VIRTUAL TABLE")]
    return {
        name: sql
        for name, sql in found.items()
        if not any(name.startswith(f"{each}_") for each in searched) and not name.startswith("sqlite_")
    }


def test_every_table_and_view_is_documented_and_no_other(file: sqlite3.Connection) -> None:
    assert sorted(documented()) == sorted(objects(file))


def test_every_column_is_documented_in_its_order_and_no_other(file: sqlite3.Connection) -> None:
    for name, rows in documented().items():
        columns = [row[1] for row in file.execute(f'PRAGMA table_info("{name}")')]
        assert [CODE.fullmatch(row[0])[1] for row in rows] == columns, name  # type: ignore[index]


def test_types_and_nulls_are_those_of_the_file(file: sqlite3.Connection) -> None:
    for name, sql in objects(file).items():
        if sql.startswith("CREATE TABLE"):
            declared = [
                kind if required or in_key else f"{kind}?"
                for _, _, kind, required, _, in_key in file.execute(f'PRAGMA table_info("{name}")')
            ]
            assert [row[1] for row in documented()[name]] == declared, name


def test_arrows_are_the_foreign_keys(file: sqlite3.Connection) -> None:
    for name in objects(file):
        real = {(row[3], row[2]) for row in file.execute(f'PRAGMA foreign_key_list("{name}")')}
        said = set()
        for row in documented()[name]:
            arrow = re.match(r"→ `(\w+)`", row[-1])
            if arrow:
                said.add((row[0].strip("`"), arrow[1]))
        assert said == real, name


def test_every_meta_key_is_documented_and_no_other(file: sqlite3.Connection) -> None:
    values = dict(file.execute("SELECT key, value FROM meta"))
    assert sorted(row[0].strip("`") for row in rows_under("| meta key |")) == sorted(values)
    assert all(json.dumps(json.loads(value)) for value in values.values())


def test_every_index_is_documented_with_its_columns(file: sqlite3.Connection) -> None:
    made = file.execute("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    real = {}
    for name, table, sql in made:
        columns = re.search(r" ON \w+ \((.*)\)( WHERE .*)?$", sql)
        assert columns, sql
        real[name] = (table, columns[1] + (columns[2] or ""))
    assert {row[0].strip("`"): (row[1], row[2]) for row in rows_under("| index |")} == real


def test_the_header_is_as_documented(file: sqlite3.Connection) -> None:
    for row in rows_under("| where |"):
        (value,) = file.execute(row[0].strip("`")).fetchone()
        assert row[1].split()[0] == str(value), row[0]


def test_kinds_and_states_in_the_file_are_documented(file: sqlite3.Connection) -> None:
    for table, column in (
        ("source_item", "state"), ("chunk", "kind"), ("statement", "kind"), ("alias", "kind"),
    ):  # fmt: skip
        meaning = next(row[-1] for row in documented()[table] if row[0] == f"`{column}`")
        used = {value for (value,) in file.execute(f'SELECT DISTINCT "{column}" FROM {table}')}
        assert used and used <= set(CODE.findall(meaning)), table


def test_every_space_in_the_file_is_documented(file: sqlite3.Connection) -> None:
    spaces = {space for row in rows_under("| space |") for space in row[0].split(", ")}
    assert {space for (space,) in file.execute("SELECT DISTINCT space FROM vector")} <= spaces


def test_every_array_in_the_file_is_documented_and_no_other(file: sqlite3.Connection) -> None:
    spaces = [space for (space,) in file.execute("SELECT DISTINCT space FROM vector")]
    named = {
        name.replace("SPACE", space)
        for row in rows_under("| array |")
        for name in CODE.findall(row[0])
        for space in spaces
    }
    kept = file.execute("SELECT DISTINCT name, dtype FROM array").fetchall()
    types = ARRAYS | posting_arrays(spaces)
    assert len(spaces) == 4 and named == {name for name, _ in kept} == types.keys()
    assert all(may_be_kept(dtype, types[name]) for name, dtype in kept)
    assert {dtype for _, dtype in kept} - set(types.values()) == {"<u2"}


def test_uris_that_the_document_shows_are_in_the_file(file: sqlite3.Connection) -> None:
    shown = {uri.strip("`") for row in rows_under("| thing |") for uri in row[2:]}
    real = {uri for table in ("page", "section", "chunk") for (uri,) in file.execute(f"SELECT uri FROM {table}")}
    assert len(shown) == 3
    assert shown <= real


@pytest.mark.parametrize("place", range(len(EXAMPLES)), ids=NAMES)
def test_an_example_runs_and_gives_what_is_shown(place: int, world: Path, file: sqlite3.Connection) -> None:
    example = EXAMPLES[place]
    output = rows_of(file, example.code) if example.language == "sql" else printed(place, world)
    assert output == example.output


def test_every_example_shows_what_it_gives() -> None:
    assert len(EXAMPLES) >= 10
    assert [example.code for example in EXAMPLES if not (example.output or "").strip()] == []
    assert len(re.findall(r"^```(?:sql|python)$", TEXT, re.M)) == len(EXAMPLES)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_the_recipe_reads_vectors_of_either_type(dtype: str, weave: Callable[..., Summary], tmp_path: Path) -> None:
    settings = Settings(embedder="lengths", vector_dtype=dtype)
    weave(FIXTURES / "encyclopedia", settings=settings)
    scope = python_scope(tmp_path / "kb.skb", lambda code: "load_space" not in code or "def load_space" in code)
    ids, rows = scope["load_space"](scope["connection"], "section")
    paths = dict(scope["connection"].execute("SELECT id, path_text FROM section"))
    assert sorted(ids.tolist()) == sorted(paths)
    expected = Lengths().encode([paths[each] for each in ids.tolist()])
    np.testing.assert_allclose(rows, expected, atol=1e-6 if dtype == "float32" else 1e-3)
    hashes = dict(scope["connection"].execute("SELECT id, hash FROM vector_text WHERE space = 'section'"))
    scope["connection"].close()
    for each, text in paths.items():
        digest = blake2b(text.encode(), digest_size=8).digest()
        assert hashes[each] == int.from_bytes(digest, "little", signed=True)


def test_the_recipe_to_open_a_file_lets_nothing_be_written(world: Path, tmp_path: Path) -> None:
    scope = python_scope(world, lambda code: "def open_skb" in code)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        scope["connection"].execute("DELETE FROM page")
    scope["connection"].close()
    (tmp_path / "other.db").touch()
    with pytest.raises(ValueError, match="no SKB"):
        scope["open_skb"](tmp_path / "other.db")


def rows_of(file: sqlite3.Connection, query: str) -> str:
    return "".join(" | ".join(map(str, row)) + "\n" for row in file.execute(query))


def printed(place: int, world: Path) -> str:
    """Return what a python example prints; it goes on from the python examples before it."""
    shown = io.StringIO()
    before = [each.code for each in EXAMPLES[:place]]
    scope = python_scope(world, before.__contains__)
    with contextlib.redirect_stdout(shown):
        exec(EXAMPLES[place].code, scope)
    scope["connection"].close()
    return shown.getvalue()


def python_scope(path: Path, wanted: Callable[[str], bool]) -> dict[str, Any]:
    """Return the names that the wanted python examples define, with `path` bound."""
    scope: dict[str, Any] = {"path": path}
    for example in EXAMPLES:
        if example.language == "python" and wanted(example.code):
            with contextlib.redirect_stdout(io.StringIO()):
                exec(example.code, scope)
    return scope
