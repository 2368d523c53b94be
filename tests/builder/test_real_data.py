"""The main job on real input, where the real data is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

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


class Built(NamedTuple):
    """An SKB, and how many documents were read, rejected and found twice."""

    path: Path
    documents: Mapping[str, int]


FACTS = {"wikipedia_html": "esbm_dbpedia_125_entities.nt", "wikitables/pages.tar.gz": "*.nt.gz",
         "2wiki/corpus.jsonl": "*.nt.gz"}  # fmt: skip
"""The facts of DBpedia that are built beside some sources."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, real_data: Place) -> Callable[[str], Built]:
    """Build a source of the real data with its facts, once."""

    @cache
    def build_once(name: str) -> Built:
        source, output = real_data(name), tmp_path_factory.mktemp("real") / "kb.skb"
        facts = sorted(real_data("dbpedia").glob(FACTS[name])) if name in FACTS else []
        made = build(Request((str(source),), output, rdf=tuple(map(str, facts)), workers=1))
        return Built(output, made.documents)

    return build_once


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
def test_every_record_is_in(built: Callable[[str], Built], name: str, records: int | None, pages: int) -> None:
    output, documents = built(name)
    assert documents["read"] == pages
    assert documents.get("rejected", 0) == documents.get("duplicates", 0) == 0
    if records is not None:
        assert rows(output, "SELECT count(*) FROM chunk") == [(records,)]


def test_every_genuine_triple_has_a_fate(built: Callable[[str], Built]) -> None:
    output = built("wikipedia_html").path
    triples = info(open_skb(output), output)["triples"]
    assert triples["lines"] == 4436
    assert sum(count for fate, count in triples.items() if fate != "lines") == 4436
    assert "malformed" not in triples


def test_dbpedia_beside_wikitables(built: Callable[[str], Built]) -> None:
    output = built("wikitables/pages.tar.gz").path
    assert rows(output, "SELECT count(DISTINCT entity_id) >= 1700 FROM entity_type") == [(1,)]
    assert rows(output, "SELECT count(*) >= 300 FROM relation") == [(1,)]
    assert violations(output) == []


def test_dbpedia_beside_2wiki(built: Callable[[str], Built], real_data: Place) -> None:
    output = built("2wiki/corpus.jsonl").path
    assert rows(output, "SELECT count(DISTINCT entity_id) >= 300 FROM entity_type") == [(1,)]
    with Skb(output) as skb:
        questions = read_questions(real_data("2wiki/questions.jsonl"))
        rankers = {method: Searcher(Session(Context(skb)), method).rank for method in ("bm25", "vector")}
        methods = evaluate(skb, questions, rankers, [5])["methods"]
    assert methods["bm25"]["recall@5"] >= 0.64
    assert methods["vector"]["recall@5"] >= 0.55


def test_long_answers_are_chunks(built: Callable[[str], Built], real_data: Place) -> None:
    exact = _exactly_matched(real_data("nq_earth/questions.jsonl"))
    with Skb(built("nq_earth/html").path) as skb:
        found = sum(_has_chunk(skb, title, text) for title, text in exact)
    assert found >= 0.97 * len(exact)


def _exactly_matched(path: Path) -> list[tuple[str, str]]:
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


def test_gold_of_real_questions_resolves(built: Callable[[str], Built], real_data: Place) -> None:
    with Skb(built("musique/corpus.jsonl").path) as skb:
        resolver = GoldResolver(skb, "chunk")
        questions = read_questions(real_data("musique/questions.jsonl"))
        assert sum(resolver.gold_set(question).unresolved for question in questions) == 0
