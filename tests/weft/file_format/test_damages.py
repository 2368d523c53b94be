"""No damage of an SKB brings a traceback, and `weft check` finds it: a sample of what benchmarks/damages.py runs."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.damages import COMMANDS, trial
from interfaces.cli import main
from tests.worlds import page, write_pages, write_records

QUICK = [name for name in COMMANDS if name != "train"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """Give a small SKB, and what the commands are run with."""
    folder = tmp_path_factory.mktemp("small")
    titles = ("Lamp", "Harbour", "Quillon Bridge", "Bay")
    texts = {f"{n}.html": page(each, f"The {each} of the harbour.", "== Use", f"A lamp of {each}.") for n, each in
             enumerate(titles)}  # fmt: skip
    pages = write_pages(folder / "pages", texts)
    skb = folder / "kb.skb"
    assert CliRunner().invoke(main, ["build", str(pages), "-o", str(skb), "--workers", "1"]).exit_code == 0
    write_pages(pages, {"5.html": page("Pier", "The pier.")})
    questions = write_records(folder / "q.jsonl", [{"id": "1", "question": "lamp?", "gold": [{"title": "Lamp"}]}])
    return skb, {"questions": str(questions), "source": str(pages), "title": "Bay", "question": "a lamp?"}


@pytest.mark.parametrize("seed", range(20))
def test_no_damage_brings_a_traceback_and_check_finds_it(
    small: tuple[Path, dict[str, str]], tmp_path: Path, seed: int, request: pytest.FixtureRequest
) -> None:
    if seed % 10:
        request.getfixturevalue("without_plots")
    kind, what, outcomes = trial(seed, small[0], tmp_path, small[1], QUICK)
    broken = {name: outcome.line for name, outcome in outcomes.items() if outcome.kind in ("traceback", "hang")}
    assert broken == {}, (kind, what)
    # The counters of the header are no knowledge, and unused bytes of the checksums' own pages no more.
    assert outcomes["check"].kind in ("problems", "one line"), (kind, what)


def _sql(script: str) -> Callable[[Path], None]:
    def edit(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(script)

    return edit


def _overwrite(start: int, data: bytes) -> Callable[[Path], None]:
    def edit(path: Path) -> None:
        with path.open("r+b") as file:
            file.seek(start)
            file.write(data)

    return edit


KINDS: dict[str, tuple[Callable[[Path], object], str]] = {
    "no table": (_sql("DROP TABLE cites"), "the table cites is missing"),
    "no column": (_sql("ALTER TABLE source_item DROP COLUMN reason"), "the table source_item is not as Weft makes it"),
    "another column": (_sql("ALTER TABLE chunk ADD COLUMN mood TEXT"), "the table chunk is not as Weft makes it"),
    "no index": (_sql("DROP INDEX chunk_page"), "the index chunk_page is missing"),
    "no view": (_sql("DROP VIEW chunk_text"), "the view chunk_text is missing"),
    "another view": (
        _sql("DROP VIEW entity_text; CREATE VIEW entity_text (id, name, aliases, text) AS WITH RECURSIVE n (i) AS"
             " (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, 'a', 'b', 'c' FROM n"),
        "the view entity_text is not as Weft makes it",
    ),
    "a trigger": (_sql("CREATE TRIGGER t AFTER UPDATE ON meta BEGIN DELETE FROM page; END"), "holds the trigger t"),
    "no meta": (_sql("DROP TABLE meta"), "the table meta is missing"),
    "version 0": (_sql("PRAGMA user_version = 0"), "schema version 0, which no Weft wrote"),
    "a newer version": (_sql("PRAGMA user_version = 99"), "upgrade Weft"),
    "another application": (_sql("PRAGMA application_id = 1"), "of another program"),
    "write-ahead log": (_sql("PRAGMA journal_mode = WAL"), "not in the journal mode that Weft writes"),
    "page size": (_overwrite(16, b"\x12\x34"), "pages of 4660 bytes"),
    "page count": (_overwrite(28, b"\x7f\xff\xff\xff"), "damaged or cut short"),
    "truncated": (lambda path: os.truncate(path, path.stat().st_size - 4096), "damaged or cut short"),
    "header only": (lambda path: os.truncate(path, 50), "not a knowledge base, or damaged"),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_wrong_with_a_file_is_one_line_that_says_what_to_do(
    small: tuple[Path, dict[str, str]], tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "kb.skb"
    path.write_bytes(small[0].read_bytes())
    edit, reason = KINDS[kind]
    edit(path)
    before = path.read_bytes()
    for name, command in COMMANDS.items():
        values = small[1] | {"skb": str(path), "folder": str(tmp_path)}
        result = CliRunner().invoke(main, [each.format_map(values) for each in command])
        assert result.exit_code == 1 and isinstance(result.exception, SystemExit), (name, result.exception)
        (line,) = result.stderr.splitlines()
        assert line.startswith(f"Error: {path}: ") and reason in line, name
    assert path.read_bytes() == before


SILENT: dict[str, str] = {
    "invalid text": "UPDATE chunk SET text = CAST(x'fffe' AS TEXT)",
    "invalid titles": "UPDATE page SET title = CAST(x'ff' || id AS TEXT)",
    "settings": "UPDATE meta SET value = '{' WHERE key = 'settings'",
    "wrong types in meta": "UPDATE meta SET value = '[3]'",
    "blobs as text": "UPDATE vector SET rows = 'abc', ids = 'abc'",
    "short vectors": "UPDATE vector SET rows = substr(rows, 1, 11)",
    "ids of nothing": "UPDATE vector SET ids = zeroblob(length(ids))",
    "no arrays": "DELETE FROM embedder_array",
    "arrays of another shape": "UPDATE embedder_array SET shape = '[1000000000000]'",
    "sections in a circle": "UPDATE section SET parent_id = id",
    "numbers as text": "UPDATE cites SET count = 'many'",
}


@pytest.mark.parametrize("kind", SILENT)
def test_values_that_cannot_be_read_never_bring_a_traceback(
    small: tuple[Path, dict[str, str]], tmp_path: Path, kind: str
) -> None:
    for name, command in COMMANDS.items():
        if name in ("train", "neo4j"):
            continue
        path = tmp_path / f"{name}.skb"
        path.write_bytes(small[0].read_bytes())
        _sql(SILENT[kind])(path)
        values = small[1] | {"skb": str(path), "folder": str(tmp_path)}
        result = CliRunner().invoke(main, [each.format_map(values) for each in command])
        assert result.exception is None or isinstance(result.exception, SystemExit), (name, result.exception)
        if result.exit_code and name != "check":
            assert result.stderr.splitlines()[-1].startswith("Error: "), name
