"""Every byte of a finished SKB is vouched for: a flipped bit is found, an edit by another program is told from it."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from builder.build import remove
from builder.request import Summary
from tests.worlds import dumped, page, rows, write_pages
from weft.errors import NotAKnowledgeBase, OldSchema
from weft.file_format.checksums import BLOCK_BYTES, differences
from weft.file_format.header import read_header
from weft.schema import open_for_writing, open_skb
from weft.skb import Skb

Weave = Callable[..., Summary]


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return write_pages(tmp_path / "pages", {name + ".html": page(name, f"A lamp of {name}.") for name in "AB"})


def _flip(path: Path, bit: int) -> None:
    with path.open("r+b") as file:
        file.seek(bit // 8)
        (byte,) = file.read(1)
        file.seek(bit // 8)
        file.write(bytes([byte ^ 1 << bit % 8]))


def test_a_built_file_is_what_was_built(world: Path) -> None:
    assert list(differences(world)) == []
    assert len(rows(world, "SELECT * FROM checksum")) == -(-world.stat().st_size // BLOCK_BYTES) + 1


def test_any_flipped_bit_is_found(world: Path, tmp_path: Path) -> None:
    choose = random.Random(1)
    path = tmp_path / "kb.skb"
    shutil.copy(world, path)
    own = _own_pages(path)
    page_size = read_header(path).page_size
    for bit in choose.sample(range(8 * path.stat().st_size), 60):
        # The counters of the header, and what is unused in the table's own pages, say nothing.
        if bit // 8 in (*range(24, 28), *range(92, 100)) or bit // 8 // page_size + 1 in own:
            continue
        _flip(path, bit)
        try:
            assert list(differences(path)) != [], bit
        except NotAKnowledgeBase:
            assert bit < 800
        _flip(path, bit)
    assert list(differences(path)) == []


def test_a_flipped_bit_of_a_checksum_is_found(world: Path, tmp_path: Path) -> None:
    path = tmp_path / "kb.skb"
    shutil.copy(world, path)
    for (found,) in rows(path, "SELECT hash FROM checksum"):
        assert isinstance(found, bytes)
        place = path.read_bytes().index(found)
        _flip(path, 8 * place + 3)
        assert list(differences(path)) != []
        _flip(path, 8 * place + 3)


def _own_pages(path: Path) -> set[int]:
    with closing(open_skb(path)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'checksum'").fetchone()
    return {root}


def test_files_of_many_blocks_are_vouched_for(tmp_path: Path) -> None:
    from weft.file_format.checksums import write_checksums
    from weft.schema import create

    path = tmp_path / "large.skb"
    with closing(create(path)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        rowful = ((f"key {n}", '"' + "x" * 30_000 + '"') for n in range(700))
        connection.executemany("INSERT INTO meta VALUES (?, ?)", rowful)
        write_checksums(connection, path)
        assert list(differences(path)) == []
        write_checksums(connection, path)
    assert list(differences(path)) == []
    _flip(path, 8 * 15_000_000)
    assert list(differences(path)) == ["bytes 14,680,064 to 15,728,639 are not those that were built"]


def test_the_last_block_ends_where_the_file_does(weave: Weave, tmp_path: Path, pages: Path) -> None:
    path = tmp_path / "kb.skb"
    weave(pages)
    size = path.stat().st_size
    _flip(path, 8 * (size - 5_000))
    assert list(differences(path)) == [f"bytes 0 to {size - 1:,} are not those that were built"]


def test_updates_and_removals_write_new_checksums(weave: Weave, tmp_path: Path, pages: Path) -> None:
    path = tmp_path / "kb.skb"
    weave(pages)
    remove(path, ["A"])
    assert list(differences(path)) == []
    weave(pages)
    assert list(differences(path)) == []


def test_an_edit_by_another_program_is_told_and_mended_by_a_build(weave: Weave, tmp_path: Path, pages: Path) -> None:
    path = tmp_path / "kb.skb"
    weave(pages)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE INDEX of_my_own ON page (title)")
        connection.commit()
    (told,) = differences(path)
    assert told.startswith("another program changed it after it was built")
    summary = weave(pages)
    assert summary.changed and [told in note for note in summary.notes] == [True]
    assert list(differences(path)) == []
    assert not weave(pages).changed


def test_a_damaged_file_is_neither_updated_nor_replaced(weave: Weave, tmp_path: Path, pages: Path) -> None:
    path = tmp_path / "kb.skb"
    weave(pages)
    place = path.read_bytes().index(b"A lamp of B.")
    _flip(path, 8 * place)
    before = path.read_bytes()
    write_pages(pages, {"C.html": page("C", "A bay.")})
    for update in (lambda: weave(pages), lambda: weave(pages, add=True), lambda: remove(path, ["A"])):
        with pytest.raises(NotAKnowledgeBase, match=r"damaged, and left as it is: bytes 0 to .* build it from"):
            update()
        assert path.read_bytes() == before
        assert sorted(each.name for each in tmp_path.iterdir()) == ["kb.skb", "pages"]


def test_a_file_of_an_earlier_schema_gets_its_checksums(weave: Weave, tmp_path: Path, pages: Path) -> None:
    path = tmp_path / "kb.skb"
    weave(pages)
    fresh = dumped(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "DROP VIEW relation_text; DROP VIEW attribute_text; DROP TABLE checksum; DROP TABLE sentence_end;"
            " DROP TABLE array;"
            " ALTER TABLE page DROP COLUMN named_by_title; PRAGMA user_version = 1"
        )
    with pytest.raises(OldSchema, match="schema version 1 is old; run weft build"):
        open_skb(path)
    summary = weave(pages)
    assert summary.changed and "brought from schema version 1 to 3" in summary.notes[0]
    assert (list(differences(path)), dumped(path)) == ([], fresh)
    assert not weave(pages).changed


def test_an_error_over_a_damaged_file_is_the_files_and_over_a_whole_one_ours(world: Path, tmp_path: Path) -> None:
    path = tmp_path / "kb.skb"
    shutil.copy(world, path)
    with pytest.raises(KeyError), Skb(path) as skb:
        skb.pages([10**9])
    _flip(path, 8 * (path.stat().st_size - 5000))
    with pytest.raises(NotAKnowledgeBase, match=r"damaged \(KeyError: 1000000000\); bytes .* copy"), Skb(path) as skb:
        skb.pages([10**9])
    with pytest.raises(FileNotFoundError), Skb(path):
        raise FileNotFoundError


OWN_MISTAKES = (KeyError("mine"), StopIteration(), ZeroDivisionError(), ValueError("mine"), sqlite3.OperationalError())


@pytest.mark.parametrize("mistake", OWN_MISTAKES, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("state", ["whole", "edited", "damaged"])
def test_a_callers_own_mistake_stays_what_it_is(world: Path, tmp_path: Path, mistake: Exception, state: str) -> None:
    path = tmp_path / "kb.skb"
    shutil.copy(world, path)
    if state == "edited":
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE of_my_own (id)")
            connection.commit()
    if state == "damaged":
        _flip(path, 8 * (path.stat().st_size - 5000))
    is_of_sqlite = isinstance(mistake, sqlite3.Error)
    with pytest.raises(NotAKnowledgeBase if state == "damaged" and is_of_sqlite else type(mistake)), Skb(path):
        raise mistake


OTHER_DATABASES = {"is no database": b"no database at all" * 99, "is malformed": b""}


@pytest.mark.parametrize("kind", OTHER_DATABASES)
@pytest.mark.parametrize("state", ["whole", "edited"])
def test_the_error_of_a_callers_other_database_stays_what_it_is(
    world: Path, tmp_path: Path, state: str, kind: str
) -> None:
    path, other = tmp_path / "kb.skb", tmp_path / "other.db"
    shutil.copy(world, path)
    if state == "edited":
        _run(path, "CREATE TABLE of_my_own (id)")
    _run(other, "CREATE TABLE t AS SELECT 1")
    other.write_bytes(OTHER_DATABASES[kind] or other.read_bytes()[:4096] + bytes(4096))
    with pytest.raises(sqlite3.DatabaseError), Skb(path), closing(sqlite3.connect(other)) as connection:
        connection.execute("SELECT * FROM t").fetchall()


def test_a_callers_own_query_over_a_damaged_file_blames_the_file(world: Path, tmp_path: Path) -> None:
    path = tmp_path / "kb.skb"
    shutil.copy(world, path)
    with pytest.raises(NotAKnowledgeBase, match="damaged"), Skb(path) as skb:
        with path.open("r+b") as file:
            file.seek(8192)
            file.write(bytes(path.stat().st_size - 8192))
        skb.connection.execute("SELECT sum(length(text)) FROM chunk").fetchall()


@pytest.mark.parametrize("mistake", [UnicodeDecodeError("utf-8", b"x", 0, 1, "mine"), sqlite3.DatabaseError("mine")])
def test_where_the_file_is_gone_a_callers_error_stays_what_it_is(
    world: Path, tmp_path: Path, mistake: Exception
) -> None:
    path = tmp_path / "kb.skb"
    shutil.copy(world, path)
    with pytest.raises(type(mistake)) as raised, Skb(path):
        path.unlink()
        raise mistake
    assert raised.value is mistake


def test_where_the_file_is_gone_an_error_within_stays_what_it_is(world: Path, tmp_path: Path) -> None:
    path = tmp_path / "kb.skb"
    shutil.copy(world, path)
    with pytest.raises(KeyError), Skb(path) as skb:
        path.unlink()
        skb.pages([10**9])


def _run(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


def test_an_id_of_nothing_is_no_damage_of_a_file_that_another_program_changed(world: Path, tmp_path: Path) -> None:
    path = tmp_path / "kb.skb"
    shutil.copy(world, path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE of_my_own (id)")
        connection.commit()
    with pytest.raises(KeyError), Skb(path) as skb:
        skb.pages([10**9])


@pytest.mark.parametrize("version", [0, -7])
def test_a_version_that_no_weft_wrote_is_refused(weave: Weave, tmp_path: Path, pages: Path, version: int) -> None:
    path = tmp_path / "kb.skb"
    weave(pages)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    for use in (lambda: open_skb(path), lambda: open_for_writing(path), lambda: weave(pages)):
        with pytest.raises(NotAKnowledgeBase, match=f"schema version {version}, which no Weft wrote"):
            use()
