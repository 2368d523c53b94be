"""The chunk table: where every chunk stands, against SQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from builder.build import build
from builder.request import Request
from tests.worlds import link, page, write_pages, write_records
from weft.arrays.chunk_table import ChunkTable, load_chunk_table
from weft.skb import Skb


@pytest.fixture(scope="module")
def odd_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an SKB with a page without text, entities without a page, non-ASCII texts and more than one kind."""
    folder = tmp_path_factory.mktemp("layout")
    pages = write_pages(
        folder / "pages",
        {
            "a.html": page("Órra", f"Ünder the {link('Glass mill')} – naïve.", "== Of old", "Ever.", "Since then."),
            "b.html": page("Empty"),
            "c.html": page("Brook", "</p><table><tr><th>Toll</th><th>Fee</th></tr><tr><td>1</td><td>2</td></tr></table>"
                           "<ul><li>One of all.</li><li>Two of all.</li></ul><p>", "== Far", f"To {link('Órra')}."),
        },
    )  # fmt: skip
    build(Request((str(pages),), folder / "kb.skb", workers=1))
    return folder / "kb.skb"


@pytest.fixture(params=["world", "odd_world"])
def skb(request: pytest.FixtureRequest) -> Iterator[Skb]:
    with Skb(request.getfixturevalue(request.param)) as opened:
        yield opened


@pytest.fixture
def chunk_table(skb: Skb) -> ChunkTable:
    return load_chunk_table(skb.connection)


def test_chunks_stand_where_the_file_says(skb: Skb, chunk_table: ChunkTable) -> None:
    expected = skb.connection.execute(
        "SELECT id, page_id, coalesce(section_id, 0), position, kind, text FROM chunk ORDER BY id"
    ).fetchall()
    kinds = [chunk_table.kind_names[kind] for kind in chunk_table.kinds.tolist()]
    ids, pages, sections, positions, _, lengths, *_ = chunk_table
    found = zip(ids, pages, sections, positions, kinds, lengths, strict=True)
    assert list(found) == [(*row[:5], len(row[5])) for row in expected]
    assert list(chunk_table.kind_names) == sorted({row[4] for row in expected})
    assert chunk_table.chunk_ids.dtype == np.int64 and len(chunk_table.chunk_ids) > 4


def test_indices_are_found_in_any_order(chunk_table: ChunkTable) -> None:
    ids = np.random.default_rng(2).permutation(np.repeat(chunk_table.chunk_ids, 2))
    assert chunk_table.chunk_ids[chunk_table.indices(ids)].tolist() == ids.tolist()
    assert chunk_table.indices(ids[:0]).tolist() == []


def test_pages_and_their_entities(skb: Skb, chunk_table: ChunkTable) -> None:
    entities = skb.connection.execute("SELECT id, coalesce(page_id, 0) FROM entity ORDER BY id DESC").fetchall()
    ids, pages = (np.array(column) for column in zip(*entities, strict=True))
    assert chunk_table.pages_of(ids).tolist() == pages.tolist()
    with_page = {page: entity for entity, page in entities if page}
    every = [each for (each,) in skb.connection.execute("SELECT id FROM page ORDER BY id DESC")]
    assert chunk_table.entities_of(np.array(every)).tolist() == [with_page[page] for page in every]
    assert chunk_table.pages_of(np.array([0, ids.max() + 1, ids.max() + 1000])).tolist() == [0, 0, 0]
    assert 0 in pages.tolist(), "some entity has no page"


def test_an_odd_world_is_odd(odd_world: Path) -> None:
    with Skb(odd_world) as skb:
        chunk_table = load_chunk_table(skb.connection)
    assert len(chunk_table.kind_names) > 1 and len(set(chunk_table.pages.tolist())) == len(chunk_table.page_ids) - 1
    assert (chunk_table.sections == 0).any() and (chunk_table.sections > 0).any()


def test_a_file_without_chunks_or_pages(tmp_path: Path) -> None:
    graph = tmp_path / "graph"
    graph.mkdir()
    write_records(graph / "nodes.jsonl", [{"uri": "1", "name": "Veldra"}, {"uri": "2", "name": "Tamsid"}])
    (graph / "edges.tsv").write_text("subject\tpredicate\tobject\n1\tmeets\t2\n", encoding="utf-8")
    build(Request((str(graph),), tmp_path / "kb.skb", workers=1))
    with Skb(tmp_path / "kb.skb") as skb:
        chunk_table = load_chunk_table(skb.connection)
        assert skb.count("entity") == 2 and skb.count("page") == 0
    assert [len(each) for each in chunk_table] == [0] * len(chunk_table)
    assert chunk_table.pages_of(np.array([1, 2])).tolist() == [0, 0]
