"""The main job on real input, where the real data is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from builder.build import build
from builder.info import info
from builder.request import Request
from retriever.context import Context
from retriever.datasets.gold import GoldResolver, bare, holds, joined, runs
from retriever.datasets.question_files import read_questions
from retriever.evaluation.run import evaluate
from retriever.searcher import Searcher
from retriever.session import Session
from tests.naive_comention import violations
from tests.worlds import rows
from weft.schema import open_skb
from weft.skb import Skb

pytestmark = pytest.mark.slow
Place = Callable[[str], Path]
WHOLE_KINDS = ("table", "list", "infobox", "definition")


def _build(output: Path, *sources: Path, rdf: tuple[Path, ...] = ()) -> dict[str, int]:
    summary = build(Request(tuple(map(str, sources)), output, rdf=tuple(map(str, rdf)), workers=1))
    return summary.documents


@pytest.mark.parametrize(
    ("name", "records", "pages"),
    [
        ("nq_earth/html", None, 19),
        ("wikipedia_html", None, 6),
        ("wikitables/pages.tar.gz", None, 120),
        ("2wiki/corpus.jsonl", 6119, 6119),
        ("musique/corpus.jsonl", 1890, 1764),
        ("hotpotqa/corpus.jsonl", 994, 994),
    ],
)
def test_every_record_is_in(tmp_path: Path, real_data: Place, name: str, records: int | None, pages: int) -> None:
    output = tmp_path / "kb.skb"
    documents = _build(output, real_data(name))
    assert documents["read"] == pages
    assert documents.get("rejected", 0) == documents.get("duplicates", 0) == 0
    if records is not None:
        assert rows(output, "SELECT count(*) FROM chunk") == [(records,)]


def test_every_genuine_triple_has_a_fate(tmp_path: Path, real_data: Place) -> None:
    output = tmp_path / "kb.skb"
    facts = real_data("dbpedia/esbm_dbpedia_125_entities.nt")
    _build(output, real_data("wikipedia_html"), rdf=(facts,))
    triples = info(open_skb(output), output)["triples"]
    assert triples["lines"] == 4436
    assert sum(count for fate, count in triples.items() if fate != "lines") == 4436
    assert "malformed" not in triples


def test_dbpedia_beside_wikitables(tmp_path: Path, real_data: Place) -> None:
    output = tmp_path / "kb.skb"
    facts = tuple(sorted(real_data("dbpedia").glob("*.nt.gz")))
    _build(output, real_data("wikitables/pages.tar.gz"), rdf=facts)
    assert rows(output, "SELECT count(DISTINCT entity_id) >= 1700 FROM entity_type") == [(1,)]
    assert rows(output, "SELECT count(*) >= 300 FROM relation") == [(1,)]
    assert violations(output) == []


def test_dbpedia_beside_2wiki(tmp_path: Path, real_data: Place) -> None:
    output = tmp_path / "kb.skb"
    facts = tuple(sorted(real_data("dbpedia").glob("*.nt.gz")))
    _build(output, real_data("2wiki/corpus.jsonl"), rdf=facts)
    assert rows(output, "SELECT count(DISTINCT entity_id) >= 300 FROM entity_type") == [(1,)]
    with Skb(output) as skb:
        questions = read_questions(real_data("2wiki/questions.jsonl"))
        rankers = {method: Searcher(Session(Context(skb)), method).rank for method in ("bm25", "vector")}
        methods = evaluate(skb, questions, rankers, [5])["methods"]
    assert methods["bm25"]["recall@5"] >= 0.64
    assert methods["vector"]["recall@5"] >= 0.55


def test_long_answers_are_chunks(tmp_path: Path, real_data: Place) -> None:
    output = tmp_path / "kb.skb"
    _build(output, real_data("nq_earth/html"))
    exact = _exactly_matched(real_data("nq_earth/questions.jsonl"))
    with Skb(output) as skb:
        found = sum(_has_chunk(skb, title, text) for title, text in exact)
    assert found >= 0.97 * len(exact)


def _exactly_matched(path: Path) -> list[tuple[str, str]]:
    import json

    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        (item["title"], item["text"]) for line in lines if line.get("match") == "exact" for item in line["gold"]
    ]


def _has_chunk(skb: Skb, title: str, text: str) -> bool:
    page = skb.page(title)
    gold = bare(text)
    for run in runs(skb.chunks_of_page(page.id) if page else []):
        chunk = bare(joined([each.text for each in run]))
        fits = len(chunk) <= 3 * len(gold) + 200 or run[0].kind in WHOLE_KINDS
        if holds(chunk, gold) and (gold not in chunk or fits):
            return True
    return False


def test_gold_of_real_questions_resolves(tmp_path: Path, real_data: Place) -> None:
    output = tmp_path / "kb.skb"
    _build(output, real_data("musique/corpus.jsonl"))
    with Skb(output) as skb:
        resolver = GoldResolver(skb, "chunk")
        questions = read_questions(real_data("musique/questions.jsonl"))
        assert sum(resolver.gold_set(question).unresolved for question in questions) == 0
