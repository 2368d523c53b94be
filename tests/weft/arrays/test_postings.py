"""Postings: the scores of whole tables against FTS5's own."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import weft.arrays.postings
from builder.request import Summary
from retriever.context import Context
from retriever.session import Session
from retriever.signals.bm25 import Bm25Signal, best
from retriever.types import NO_VECTORS, Unit
from tests.asking import query_with
from tests.worlds import write_records
from weft.arrays.blobs import read_array
from weft.arrays.full_text import document_frequency, score_query, search_full_text, searched_words
from weft.arrays.postings import Postings
from weft.errors import NotAKnowledgeBase
from weft.schema import open_skb
from weft.skb import Skb

EVERYTHING = 1_000_000
ODD = ["?", "", "the", "Who was it?", "Veldra veldra VELDRA", 'a "b" OR NOT (c)', "\u00e9t\u00e9 \u00b2", "zzzz Veldra"]


def questions(skb: Skb) -> list[str]:
    """Return random words of the SKB's own texts, rare and frequent ones, and odd questions."""
    draw = random.Random(3)
    words = " ".join(text for (text,) in skb.connection.execute("SELECT text FROM chunk ORDER BY id")).split()
    return ODD + [" ".join(draw.choices(words, k=draw.randint(1, 12))) for _ in range(40)]


@pytest.mark.parametrize("table", ["chunk_fts", "entity_fts"])
def test_scores_are_those_of_fts5(skb: Skb, table: str) -> None:
    postings = Postings(skb.connection, table)
    for question in questions(skb):
        ids, scores = search_full_text(skb.connection, table, question, EVERYTHING)
        expected = np.zeros(len(postings.scores(skb.connection, question)), np.float32)
        expected[ids] = scores
        assert postings.scores(skb.connection, question).astype(np.float32).tolist() == expected.tolist()
        some = np.arange(0, len(expected), 3)
        every = postings.scores(skb.connection, question)
        assert postings.scores_of(skb.connection, question, some).tolist() == every[some].tolist()
        for k in (0, 1, 3, 10, EVERYTHING):
            found, own = search_full_text(skb.connection, table, question, k)
            first, values = best(postings.scores(skb.connection, question), k)
            assert (first.tolist(), values.tolist()) == (found.tolist(), own.tolist())


def test_rows_are_counted_as_the_index_counts_them(skb: Skb) -> None:
    for table in ("chunk_fts", "entity_fts"):
        postings = Postings(skb.connection, table)
        asked = {word for question in questions(skb) for word in searched_words(question)}
        for word in asked | {"\u00e9t\u00e9", "zz"}:
            for given, prefix in ((word, False), (word.casefold()[:4], True), (word, True)):
                expected = document_frequency(skb.connection, table, given, prefix=prefix, most=EVERYTHING)
                assert postings.frequency(skb.connection, given, prefix=prefix) == expected


def test_no_more_rows_are_counted_than_are_asked_for(skb: Skb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weft.arrays.postings, "MOST_COUNTED", 2)
    postings = Postings(skb.connection, "chunk_fts")
    assert [postings.frequency(skb.connection, "Veldra", prefix=prefix) for prefix in (False, True)] == [2, 2]


def test_a_word_that_fills_a_text_scores_as_in_the_index(tmp_path: Path, weave: Callable[..., Summary]) -> None:
    texts = ["hum " * n + "drum" for n in (1, 127, 128, 300)]
    weave(write_records(tmp_path / "hum.jsonl", [{"title": f"Hum {n}", "text": each} for n, each in enumerate(texts)]))
    with Skb(tmp_path / "kb.skb") as skb:
        ids, expected = search_full_text(skb.connection, "chunk_fts", "hum", 9)
        rows, scores = Postings(skb.connection, "chunk_fts").of(skb.connection, "hum")
        assert rows.tolist() == sorted(ids.tolist())
        assert scores.astype(np.float32).tolist() == expected[np.argsort(ids)].tolist()


def test_a_file_without_the_arrays_of_words_is_searched_all_the_same(world: Path, tmp_path: Path) -> None:
    path = tmp_path / "kb.skb"
    shutil.copy(world, path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM array WHERE name LIKE 'word.%'")
        connection.commit()
    with Skb(world) as skb, Skb(path) as older:
        own, others = (Postings(each.connection, "chunk_fts") for each in (skb, older))
        for question in questions(skb):
            scores = own.scores(skb.connection, question)
            assert others.scores(older.connection, question).tolist() == scores.tolist()
        counted = [each.frequency(skb.connection, "brid", prefix=True) for each in (own, others)]
        assert counted[0] == counted[1] > 1


def test_only_allowed_rows_are_ranked(skb: Skb) -> None:
    postings = Postings(skb.connection, "chunk_fts")
    allowed = np.array([each for (each,) in skb.connection.execute("SELECT id FROM chunk ORDER BY id")])[1::3]
    for question in questions(skb):
        ids, scores = search_full_text(skb.connection, "chunk_fts", question, EVERYTHING)
        kept = np.isin(ids, allowed)
        found, own = best(postings.scores(skb.connection, question), EVERYTHING, allowed)
        assert (found.tolist(), own.tolist()) == (ids[kept].tolist(), scores[kept].tolist())
        assert best(postings.scores(skb.connection, question), 3, allowed[:0])[0].tolist() == []


def test_words_beyond_the_bound_are_dropped_and_read_again(skb: Skb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weft.arrays.postings, "MOST", 20)
    bounded, asked = Postings(skb.connection, "chunk_fts"), questions(skb)
    monkeypatch.undo()
    postings = Postings(skb.connection, "chunk_fts")
    expected = [postings.scores(skb.connection, question).tolist() for question in asked]
    assert [bounded.scores(skb.connection, question).tolist() for question in asked] == expected


@pytest.mark.parametrize("unit", ["chunk", "entity"])
def test_the_signal_scores_any_row_as_the_search_does(skb: Skb, unit: Unit) -> None:
    session = Session(Context(skb))
    query = query_with("Who tuned the harp of the toll bridge?", NO_VECTORS, unit)
    found, scores = search_full_text(skb.connection, f"{unit}_fts", query.searched, EVERYTHING)
    ids = np.array([each for (each,) in skb.connection.execute(f"SELECT id FROM {unit}")])
    ids = np.random.default_rng(2).permutation(np.concatenate([ids, found]))
    expected = dict(zip(found.tolist(), scores.tolist(), strict=True))
    assert len(expected) >= 3
    signal = Bm25Signal(unit)
    assert signal.score(session, query, ids).tolist() == [expected.get(each, 0.0) for each in ids.tolist()]
    assert signal.score(session, query._replace(searched="?"), ids).tolist() == [0.0] * len(ids)
    assert signal.score(session, query, ids[:0]).tolist() == []


@pytest.mark.parametrize("table", ["chunk_fts", "entity_fts"])
def test_a_word_adds_what_fts5_gives_it_alone(skb: Skb, table: str) -> None:
    postings = Postings(skb.connection, table)
    for word in {word for question in questions(skb) for word in searched_words(question)}:
        found = skb.connection.execute(*score_query(table, f'"{word}"')).fetchall()
        rows, scores = postings.of(skb.connection, word)
        assert rows.tolist() == [row for row, _ in found]
        np.testing.assert_array_max_ulp(scores, np.array([score for _, score in found]), 1)


@pytest.mark.parametrize("planted", [2**40, 2**62, 11_000_000, -5])
@pytest.mark.parametrize("table", ["chunk_fts", "entity_fts"])
def test_a_planted_row_id_sizes_no_array(world: Path, tmp_path: Path, table: str, planted: int) -> None:
    path = tmp_path / "kb.skb"
    shutil.copy(world, path)
    with closing(sqlite3.connect(path)) as connection:
        name = f"{table.removesuffix('_fts')}.id"
        ids = read_array(connection, name).copy()
        ids[-1 if planted > 0 else 0] = planted
        connection.execute("UPDATE array SET dtype = '<i8', data = ? WHERE name = ?", (ids.tobytes(), name))
        connection.commit()
    reason = f"kb.skb: damaged, .* has the row {planted:,} of"
    with closing(open_skb(path)) as connection, pytest.raises(NotAKnowledgeBase, match=reason):
        Postings(connection, table)


def test_the_connection_stays_closed_to_writing(skb: Skb) -> None:
    Postings(skb.connection, "chunk_fts").scores(skb.connection, "Veldra")
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        skb.connection.execute("CREATE TEMP TABLE more (id)")
