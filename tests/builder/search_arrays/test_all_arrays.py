"""The arrays that a build writes: what they hold, how updates keep them, and that another content is found."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from builder.build import build, remove
from builder.check import problems
from builder.request import Request, Settings, Summary
from builder.search_arrays.all_arrays import array_problems, write_search_arrays
from tests.worlds import ONTOLOGY, RESOURCE, link, page, triple, write_pages, write_records
from weft.arrays import blobs
from weft.arrays.blobs import (
    ARRAYS,
    BYTES,
    IDS,
    IN_PARTS,
    NUMBERS,
    WEIGHTS,
    narrowed,
    read_array,
    read_slice,
    starts_of,
    widened,
    width_of,
)
from weft.schema import create, open_skb

Weave = Callable[..., Summary]
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

PAGES = {
    "a.html": page(
        "Sill Weir", f"The {link('Sallow Mill')} was built in 1290. It stands.", "== Old tolls", "Two tolls."
    ),
    "b.html": page("Sallow Mill", f"A mill by {link('Orrin Tasker')}, near {link('Sill Weir')} (7 km)."),
}


@pytest.fixture
def mill(tmp_path: Path, weave: Weave) -> Path:
    facts = tmp_path / "facts.nt"
    facts.write_text(triple("Sallow_Mill", "architect", "Orrin_Tasker"), encoding="utf-8")
    weave(write_pages(tmp_path / "pages", PAGES), rdf=(str(facts),))
    return tmp_path / "kb.skb"


def _rows(connection: sqlite3.Connection, name: str, values: str) -> list[list[int]]:
    starts = starts_of(read_array(connection, f"{name}.size")).tolist()
    flat = read_array(connection, f"{name}.{values}").tolist()
    return [flat[start:end] for start, end in pairwise(starts)]


def test_arrays_hold_what_the_pages_say(mill: Path) -> None:
    with closing(open_skb(mill)) as connection:
        stems = read_array(connection, "stem.text").tobytes().decode().splitlines()
        said = dict(zip(read_array(connection, "stem.number").tolist(), stems, strict=True))
        uris = [uri for (uri,) in connection.execute("SELECT uri FROM entity ORDER BY id")]
        texts = [" ".join(map(said.__getitem__, row)) for row in _rows(connection, "text", "stem")]
        cited = [[uris[each] for each in row] for row in _rows(connection, "cites", "entity")]
        links = [[uris[each] for each in row] for row in _rows(connection, "link", "entity")]
        around = [sorted(said[each] for each in row) for row in _rows(connection, "context", "stem")]
        chunks = [uri for (uri,) in connection.execute("SELECT uri FROM chunk ORDER BY id")]
        flags = {name: read_array(connection, f"chunk.{name}").tolist() for name in ("has_number", "has_year")}
        lengths = _rows(connection, "sentence", "stems")
        headings = [[said[each] for each in row] for row in _rows(connection, "heading", "stem")]
    assert chunks == ["Sill Weir##1", "Sill Weir#Old tolls##1", "Sallow Mill##1"]
    assert texts == [
        "the sallow mill was build in 1290 it stand", "two toll", "a mill by orrin task near sill weir 7 km",
    ]  # fmt: skip
    assert lengths == [[7, 2], [2], [10]]
    assert [sorted(row) for row in cited] == [["Sallow Mill"], [], ["Orrin Tasker", "Sill Weir"]]
    assert links == [["Sallow Mill"], [], ["Orrin Tasker", "Sill Weir"]]
    assert around == [
        ["1290", "build", "in", "it", "stand", "the", "was"], ["7", "a", "by", "km", "mill", "near", "sill", "weir"],
        ["7", "a", "by", "km", "mill", "near", "orrin", "task"],
    ]  # fmt: skip
    assert flags == {"has_number": [1, 0, 1], "has_year": [1, 0, 0]}
    assert sorted(headings[0]) == ["old", "toll"]


def test_uris_are_ranked_in_their_order(mill: Path) -> None:
    with closing(open_skb(mill)) as connection:
        for table in ("chunk", "entity"):
            uris = [uri for (uri,) in connection.execute(f"SELECT uri FROM {table} ORDER BY id")]
            ranks = read_array(connection, f"{table}.uri_rank").tolist()
            assert [sorted(uris)[rank] for rank in ranks] == uris


def test_words_of_the_full_text_index_stand_with_their_chunks(mill: Path) -> None:
    with closing(open_skb(mill)) as connection:
        words = read_array(connection, "word.text").tobytes().decode().splitlines()
        held = dict(zip(words, _rows(connection, "word", "chunk"), strict=True))
        starts = starts_of(read_array(connection, "word.size")).tolist()
        times = read_array(connection, "word.times").tolist()
    assert words == sorted(set(words))
    assert {word: held[word] for word in ("mill", "tolls", "weir", "1290")} == {
        "mill": [0, 2], "tolls": [1], "weir": [0, 1, 2], "1290": [0],
    }  # fmt: skip
    # In halves: a text or a title counts 1, a heading a half.
    assert times[starts[words.index("tolls")]] == 3
    assert times[starts[words.index("mill")] :][:2] == [2, 4]


def test_arrays_of_many_blocks_are_those_of_one(mill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(sqlite3.connect(mill)) as connection:
        whole = {name: read_array(connection, name) for name in ARRAYS}
        monkeypatch.setattr(blobs, "BLOCK_BYTES", 8)
        write_search_arrays(connection)
        assert connection.execute("SELECT max(block) FROM array").fetchone()[0] > 1
        for name, values in whole.items():
            assert read_array(connection, name).tolist() == values.tolist()
        assert list(problems(connection)) == []


def test_a_part_of_an_array_is_read_across_its_blocks(mill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blobs, "PART_BYTES", 16)
    with closing(sqlite3.connect(mill)) as connection:
        write_search_arrays(connection)
        for name in IN_PARTS:
            whole = read_array(connection, name).tolist()
            parts = [(start, end) for end in range(len(whole) + 1) for start in range(end + 1)]
            assert [read_slice(connection, name, *part).tolist() for part in parts] == [
                whole[slice(*part)] for part in parts
            ]
            with pytest.raises(ValueError, match="buffer"):
                read_slice(connection, name, len(whole) - 1, len(whole) + 1)
        assert list(array_problems(connection)) == []


@pytest.mark.parametrize(
    ("values", "dtype", "kept"),
    [
        ([0, 255], NUMBERS, "|u1"),
        ([256], NUMBERS, "<u2"),
        ([65_535, 0], IDS, "<u2"),
        ([65_536, 3, 197_121], NUMBERS, "|V3"),
        ([2**24 - 1], IDS, "|V3"),
        ([2**24, 1], NUMBERS, "<i4"),
        ([2**31 - 1], IDS, "<i4"),
        ([2**31], IDS, "<i8"),
        ([-1, 4], NUMBERS, "<i4"),
        ([-1], IDS, "<i8"),
        ([9, 0], BYTES, "|u1"),
        ([1, 2], WEIGHTS, "<f4"),
        ([], IDS, "|u1"),
    ],
)
def test_numbers_are_kept_in_the_fewest_bytes(values: list[int], dtype: str, kept: str) -> None:
    given = np.array(values, dtype)
    found, data = narrowed(given)
    assert (found, len(data)) == (kept, len(values) * width_of(kept, dtype))
    back = widened(data, found, dtype)
    assert (back.tolist(), back.dtype) == (values, given.dtype)
    with pytest.raises(ValueError, match="buffer of <f8 in place of"):
        widened(data, "<f8", dtype)


@pytest.mark.parametrize("change", ["longer", "another number", "gone", "no whole numbers", "another type"])
def test_arrays_of_another_content_are_found(mill: Path, change: str) -> None:
    with closing(sqlite3.connect(mill)) as connection:
        whole = connection.execute("SELECT * FROM array").fetchall()
        for name in ARRAYS:
            _change(connection, name, change)
            assert list(array_problems(connection)) == [f"array {name}: not what follows from the tables"]
            connection.execute("DELETE FROM array WHERE name = ?", (name,))
            connection.executemany("INSERT INTO array VALUES (?, ?, ?, ?)", (row for row in whole if row[0] == name))
        assert list(problems(connection)) == []
        _change(connection, "walk.node", change)
        assert list(problems(connection)) == ["array walk.node: not what follows from the tables"]


def _change(connection: sqlite3.Connection, name: str, change: str) -> None:
    values = read_array(connection, name)
    other = np.append(values, values[-1:]) if change == "longer" else values.copy()
    if change == "another number":
        other[-1] += 1
    data = other.tobytes() + b"\1" * (change == "no whole numbers")
    connection.execute("UPDATE array SET dtype = ?, data = ? WHERE name = ?", (ARRAYS[name], data, name))
    if change == "gone":
        connection.execute("DELETE FROM array WHERE name = ?", (name,))
    if change == "another type":
        connection.execute("UPDATE array SET dtype = '<f8' WHERE name = ?", (name,))


def test_updates_and_removals_keep_the_arrays(tmp_path: Path, mill: Path, weave: Weave) -> None:
    folder = tmp_path / "pages"
    write_pages(folder, {"c.html": page("Dun Ford", f"A ford below {link('Sill Weir')}.")})
    assert "search arrays" in weave(folder, rdf=(str(tmp_path / "facts.nt"),)).seconds
    assert not weave(folder, rdf=(str(tmp_path / "facts.nt"),)).changed
    more = write_records(tmp_path / "more.jsonl", [{"title": "Lea", "text": "A lea by Dun Ford."}])
    build(Request((str(more),), mill, add=True, workers=1))
    remove(mill, ["Sallow Mill"])
    with closing(open_skb(mill)) as connection:
        assert list(problems(connection, mill)) == []
        assert b"sallow\n" in read_array(connection, "stem.text").tobytes()
        assert b"orrin\n" not in read_array(connection, "stem.text").tobytes()


def test_words_are_counted_anew_where_entities_are_searched_by_their_documents(
    tmp_path: Path, mill: Path, weave: Weave
) -> None:
    def words_of(uri: str) -> int:
        with closing(open_skb(mill)) as connection:
            uris = [each for (each,) in connection.execute("SELECT uri FROM entity ORDER BY id")]
            assert list(problems(connection)) == []
            return int(read_array(connection, "entity.words")[uris.index(uri)])

    facts = (str(tmp_path / "facts.nt"),)
    before = words_of("Sill Weir")
    weave(tmp_path / "pages", rdf=facts, settings=Settings(node_documents=True))
    assert words_of("Sill Weir") == before
    (tmp_path / "facts.nt").write_text(f"<{RESOURCE}Sill_Weir> <{RDF_TYPE}> <{ONTOLOGY}OldWeir> .\n", encoding="utf-8")
    weave(tmp_path / "pages", rdf=facts, settings=Settings(node_documents=True))
    assert words_of("Sill Weir") == before + 1


def test_a_file_that_was_never_built_has_arrays_without_numbers(tmp_path: Path) -> None:
    with closing(create(tmp_path / "kb.skb")) as connection:
        assert [len(read_array(connection, name)) for name in ARRAYS] == [0] * len(ARRAYS)
        write_search_arrays(connection)
        assert [len(read_array(connection, name)) for name in ARRAYS] == [0] * len(ARRAYS)
