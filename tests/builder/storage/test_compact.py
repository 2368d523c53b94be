"""A file keeps no dead space and no text of what was taken out."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from builder.build import remove
from builder.check import problems
from builder.request import Summary
from builder.storage.fingerprints import hash_of_rows
from tests.worlds import RESOURCE, dumped, page, rows, write_pages
from weft.schema import create, open_for_writing, open_skb

REDIRECTS = "http://dbpedia.org/ontology/wikiPageRedirects"


def _free_share(path: Path) -> float:
    with closing(open_skb(path)) as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    return float(free / pages)


def test_pages_that_went_leave_no_dead_space(tmp_path: Path, weave: Callable[..., Summary]) -> None:
    texts = {f"{n:03}.html": page(f"Weir {n}", f"Weir {n} is one. " * 60) for n in range(170)}
    folder = write_pages(tmp_path / "pages", texts)
    weave(folder)
    size = (tmp_path / "kb.skb").stat().st_size
    for n in range(160):
        (folder / f"{n:03}.html").unlink()
    weave(folder)
    assert _free_share(tmp_path / "kb.skb") < 0.25
    assert (tmp_path / "kb.skb").stat().st_size < size / 2
    compacted = dumped(tmp_path / "kb.skb", vectors=True)
    with closing(open_skb(tmp_path / "kb.skb")) as connection:
        assert list(problems(connection)) == []
        assert connection.execute("PRAGMA user_version").fetchone()[0] > 1
    (tmp_path / "kb.skb").unlink()
    weave(folder)
    assert dumped(tmp_path / "kb.skb", vectors=True) == compacted


def test_redirects_that_lead_nowhere_leave_no_dead_space(tmp_path: Path, weave: Callable[..., Summary]) -> None:
    facts = tmp_path / "redirects.nt"
    lines = (f"<{RESOURCE}Old_{n}> <{REDIRECTS}> <{RESOURCE}New_{n}> .\n" for n in range(30_000))
    facts.write_text("".join(lines))
    folder = write_pages(tmp_path / "pages", {"a.html": page("Weir", "A weir.")})
    weave(folder, rdf=(str(facts),))
    assert _free_share(tmp_path / "kb.skb") < 0.25


def test_text_that_was_removed_is_nowhere_in_the_file(tmp_path: Path, weave: Callable[..., Summary]) -> None:
    texts = {f"{n}.html": page(f"Weir {n}", f"Weir {n} is one. " * 20) for n in range(20)}
    secret = {"s.html": page("Secret", "The unforgettable passphrase lies under the weir. " * 40)}
    weave(write_pages(tmp_path / "pages", texts | secret))
    assert b"unforgettable" in (tmp_path / "kb.skb").read_bytes()
    remove(tmp_path / "kb.skb", ["Secret"])
    assert b"unforgettable" not in (tmp_path / "kb.skb").read_bytes()


def test_every_writer_overwrites_what_it_deletes(tmp_path: Path) -> None:
    with closing(create(tmp_path / "kb.skb")) as connection:
        assert connection.execute("PRAGMA secure_delete").fetchone() == (1,)
    with closing(open_for_writing(tmp_path / "kb.skb")) as connection:
        assert connection.execute("PRAGMA secure_delete").fetchone() == (1,)


def test_a_hash_of_rows_tells_them_apart_across_batches() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE said (number INTEGER, text TEXT)")
        connection.executemany("INSERT INTO said VALUES (?, 'a')", ((n,) for n in range(9_999)))
        query = "SELECT text FROM said ORDER BY number"
        connection.executemany("INSERT INTO said VALUES (?, ?)", [(9_999, "b"), (10_000, "c")])
        apart = hash_of_rows(connection, query)
        connection.execute("DELETE FROM said WHERE number > 9998")
        connection.execute("INSERT INTO said VALUES (9999, 'bc')")
        assert hash_of_rows(connection, query) != apart


def test_relations_and_attributes_are_shown_with_names(world: Path) -> None:
    said = "SELECT relation, object, said_by FROM relation_text WHERE subject_uri = 'Quillon Bridge' ORDER BY 1, 2"
    assert rows(world, said) == [
        ("crosses", "Veldra (river)", "facts.nt"),
        ("designer", "Orrin Tasker", "facts.nt"),
        ("locatedIn", "Tamsiderre", "facts.nt"),
    ]
    length = "uri = 'Quillon Bridge' AND key = 'Total length'"
    assert rows(world, f"SELECT key, value, number, said_by FROM attribute_text WHERE {length}") == [
        ("Total length", "418 m", 418.0, "Quillon Bridge"),
    ]
    assert rows(world, "SELECT (SELECT count(*) FROM relation_text) = (SELECT count(*) FROM relation)") == [(1,)]
    assert rows(world, "SELECT (SELECT count(*) FROM attribute_text) = (SELECT count(*) FROM attribute)") == [(1,)]


def test_an_old_file_gets_the_schema_of_a_new_one(tmp_path: Path) -> None:
    schema = "SELECT type, name, sql FROM sqlite_schema WHERE type = 'view' OR name = 'page' ORDER BY name"
    with closing(create(tmp_path / "kb.skb")) as connection:
        columns = connection.execute("PRAGMA table_info(page)").fetchall()
        views = connection.execute(schema).fetchall()
        connection.execute("DROP VIEW relation_text")
        connection.execute("DROP VIEW attribute_text")
        connection.execute("DROP TABLE checksum")
        connection.execute("DROP TABLE sentence_end")
        connection.execute("DROP TABLE array")
        connection.execute("ALTER TABLE page DROP COLUMN named_by_title")
        connection.execute("PRAGMA user_version = 1")
    with closing(open_for_writing(tmp_path / "kb.skb")) as connection:
        assert connection.execute("PRAGMA table_info(page)").fetchall() == columns
        assert [row for row in connection.execute(schema).fetchall() if row[0] == "view"] == [
            row for row in views if row[0] == "view"
        ]
