"""Question files, gold and measures, on worlds small enough to count by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from interfaces.cli import main
from retriever.context import Context
from retriever.datasets.gold import GoldResolver, GoldSet, bare, holds, joined
from retriever.datasets.question_files import GoldItem, Question, questions_of, read_questions
from retriever.evaluation.measures import judge, measures_at, reciprocal_rank
from retriever.evaluation.outcomes import Rank
from retriever.evaluation.run import evaluate
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.types import Unit
from tests.paths import FIXTURES
from tests.worlds import link, page, write_pages, write_records
from weft.errors import BadQuestionFile
from weft.skb import Skb

RECORDS: list[dict[str, object]] = [
    {"title": "Ondrel", "text": "The ondrel is a water harp."},
    {"title": "Halmophone", "text": "The halmophone is a horn of glass.", "links": []},
    {"title": "Tasker", "text": "Tasker built bridges and one harp."},
]


def _gold(*items: set[int]) -> GoldSet:
    return GoldSet(tuple(frozenset(item) for item in items))


def _rankers(skb: Skb) -> dict[str, Rank]:
    return {method: Searcher(Session(Context(skb)), method).rank for method in ("bm25", "vector")}


def test_a_hit_takes_the_first_free_item_that_it_finds() -> None:
    judged = judge([7, 7, 8, 9], _gold({7, 8}, {7}, {5}))
    assert judged.taken == (0, 1, -1, -1)
    assert reciprocal_rank(judged) == 1.0


def test_measures_by_hand() -> None:
    judged = judge([1, 2, 3], _gold({2}, {3}, {4}))
    at_2, at_3 = measures_at(judged, 2), measures_at(judged, 3)
    assert (at_2["precision@2"], at_2["recall@2"], at_2["recall_capped@2"]) == (0.5, 1 / 3, 0.5)
    assert (at_3["hit@3"], at_3["set_coverage@3"]) == (1.0, 0.0)
    assert at_3["map@3"] == pytest.approx((1 / 2 + 2 / 3) / 3)
    gain = 1 / np.log2(3) + 1 / np.log2(4)
    assert at_3["ndcg@3"] == pytest.approx(gain / (1 + 1 / np.log2(3) + 1 / np.log2(4)))


@pytest.mark.parametrize(
    ("chunk", "gold", "found"),
    [
        ("The Crust[1] is 35 km thick, and more.", "the crust is 35 km THICK", True),
        ("000000000♠7 stars", "7 stars", True),
        ("half of it", "half of it, and half", True),
        ("a part", "a part of something far longer than this", False),
        ("Café", "Cafe\u0301", True),
        ("", "something", False),
        ("something", "…", False),
    ],
)
def test_the_text_rule(chunk: str, gold: str, found: bool) -> None:
    assert holds(bare(chunk), bare(gold)) is found


def test_parts_are_joined_with_their_header_once() -> None:
    assert joined(["Moths\na | b\n1 | 2", "Moths\na | b\n3 | 4"]) == "Moths\na | b\n1 | 2\n3 | 4"
    assert joined(["one\ntwo", "three"]) == "one\ntwo\nthree"


def test_gold_resolves_by_title_redirect_text_and_uri(tmp_path: Path, weave: Callable[..., object]) -> None:
    long_list = "<ul>" + "".join(f"<li>lamp {number} of the long row</li>" for number in range(150)) + "</ul>"
    pages = write_pages(
        tmp_path / "pages",
        {
            "a.html": page("Lamp", f"A lamp by {link('Tasker')}.", "== Rows", "Rows of lamps.").replace(
                "<p>Rows of lamps.</p>", long_list
            ),
            "b.html": page("Tasker", "An engineer."),
        },
    )
    facts = tmp_path / "facts.nt"
    facts.write_text("<http://x.example/resource/Lantern> <http://dbpedia.org/ontology/wikiPageRedirects>"
                     " <http://x.example/resource/Lamp> .\n")
    weave(pages, rdf=(str(facts),))
    with Skb(tmp_path / "kb.skb") as skb:
        chunk, entity = GoldResolver(skb, "chunk"), GoldResolver(skb, "entity")

        def found(resolver: GoldResolver, item: GoldItem) -> list[str]:
            (ids,) = resolver.gold_set(Question("1", "?", (item,))).items
            return sorted(skb.uris(resolver.unit, sorted(ids)))

        rows = ["Lamp#Rows##1", "Lamp#Rows##2"]
        assert found(chunk, GoldItem(title="Tasker")) == ["Tasker##1"]
        assert found(chunk, GoldItem(title="lantern")) == ["Lamp##1", *rows]
        assert found(chunk, GoldItem(title="Lamp", text="lamp 149 of the long row")) == rows
        assert found(chunk, GoldItem(uri="Lamp#Rows")) == rows
        assert found(chunk, GoldItem(uri="Lamp##1")) == ["Lamp##1"]
        assert found(chunk, GoldItem(title="Nothing")) == []
        assert found(entity, GoldItem(title="Lantern")) == ["Lamp"]
        assert found(entity, GoldItem(uri="Lamp##1")) == []


def test_unjudged_questions_are_left_out_and_missing_gold_counts_as_missed(
    tmp_path: Path, weave: Callable[..., object]
) -> None:
    weave(write_records(tmp_path / "records.jsonl", RECORDS))
    questions = [
        Question("1", "what is a water harp?", (GoldItem(title="Ondrel"),)),
        Question("2", "who is nobody?", ()),
        Question("3", "who built the harp?", (GoldItem(title="Tasker"), GoldItem(title="Gone"))),
        Question("4", "…", (GoldItem(title="Ondrel"),)),
    ]
    with Skb(tmp_path / "kb.skb") as skb:
        report = evaluate(skb, questions, _rankers(skb), [1, 5])
    assert (report["questions"], report["unjudged"], report["unresolved"], report["unit"]) == (4, 1, 1, "chunk")
    assert report["methods"]["bm25"]["recall@1"] == pytest.approx((1 + 0.5 + 0) / 3, abs=1e-6)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("[1]", "not an object"),
        ("{", "not JSON"),
        ('{"id": "1", "question": "?"}', "gold is missing"),
        ('{"question": "?"}', "gold is missing, and so are answers"),
        ('{"answers": ["x"]}', "question is missing"),
        ('{"id": null, "question": "?", "gold": []}', "id must be"),
        ('{"question": "?", "gold": [{"text": "x"}]}\n{', "line 1: a gold item must have"),
        ('{"id": "1", "question": " ", "gold": []}', "question must be"),
        ('{"id": "1", "question": "?", "gold": [{"text": "x"}]}', "a gold item must have"),
        ('{"id": "1", "question": "?", "gold": [], "answers": "x"}', "answers must be"),
        ('{"id": "1", "question": "?", "gold": []}\n{"id": "1", "question": "?", "gold": []}', "used before"),
        ("", "no questions"),
    ],
)
def test_a_wrong_question_file_is_one_line(tmp_path: Path, line: str, complaint: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(BadQuestionFile, match=complaint):
        read_questions(path)


def test_a_question_may_have_answers_alone(tmp_path: Path, weave: Callable[..., object]) -> None:
    weave(write_records(tmp_path / "records.jsonl", RECORDS))
    lines = [
        {"question": "Who built the harp?", "answers": ["Tasker"]}, {"question": "A?", "answers": []},
        {"id": "1", "question": "B?", "answers": ["b"]}, {"question": "C?", "answers": ["c"], "gold": []},
    ]  # fmt: skip
    path = write_records(tmp_path / "q.jsonl", lines)
    path.write_text("\n" + path.read_text())
    assert [(each.id, each.gold) for each in read_questions(path)] == [("2", ()), ("3", ()), ("1", ()), ("5", ())]
    assert [each.id for each in questions_of(lines)] == ["line 1", "2", "1", "4"]
    result = CliRunner().invoke(main, ["evaluate", str(tmp_path / "kb.skb"), str(path), "--answers", "-m", "bm25"])
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("4 questions, 4 unjudged")
    written = CliRunner().invoke(main, ["questions", str(path), "--split", "a=1"])
    assert [json.loads(line)["id"] for line in written.stdout.splitlines()] == ["2", "3", "1", "5"]


def test_every_text_of_a_question_can_be_written(tmp_path: Path) -> None:
    lone = "\ud800"
    record = {"id": "1", "question": "?", "gold": [{"title": f"A{lone}", "text": f"b{lone}"}], "answers": [f"c{lone}"],
              "type": f"d{lone}", "path": [f"e{lone}"], "split": f"f{lone}"}  # fmt: skip
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    gold = (GoldItem(title="A?", text="b?"),)
    assert read_questions(path) == [Question("1", "?", gold, ("c?",), None, "d?", ("e?",), "f?")]
    result = CliRunner().invoke(main, ["testset", "review", str(path), "-o", str(tmp_path / "out.jsonl")], input="k\n")
    assert result.exit_code == 0, result.output
    assert json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))["answers"] == ["c?"]


def test_unknown_keys_are_kept_out_of_the_way(tmp_path: Path) -> None:
    path = write_records(tmp_path / "q.jsonl", [{"id": "1", "question": "?", "gold": [], "difficulty": 3}])
    assert read_questions(path) == [Question("1", "?", ())]


def test_ties_are_broken_by_uri_also_at_the_cut(tmp_path: Path, weave: Callable[..., object]) -> None:
    titles = ["Delta", "Alpha", "Charlie", "Bravo"]
    weave(write_records(tmp_path / "records.jsonl", [{"title": title, "text": "A lamp."} for title in titles]))
    with Skb(tmp_path / "kb.skb") as skb:
        hits = Searcher(Session(Context(skb)), "bm25").rank("lamp", 3)
        assert skb.uris("chunk", hits.ids.tolist()) == ["Alpha##1", "Bravo##1", "Charlie##1"]


def test_the_same_question_gives_the_same_bytes(world: Path) -> None:
    with Skb(world) as one, Skb(world) as other:
        questions = read_questions(FIXTURES / "questions.jsonl")
        reports = [evaluate(skb, questions, _rankers(skb), [5]) for skb in (one, other)]
    for report in reports:
        for measured in report["methods"].values():
            del measured["seconds"]
    assert json.dumps(reports[0]) == json.dumps(reports[1])


@pytest.mark.parametrize("method", ["bm25", "vector"])
def test_any_number_of_ties_is_broken_by_uri(tmp_path: Path, weave: Callable[..., object], method: str) -> None:
    """More hits tie than a fixed margin would hold, and their ids run against their uris."""
    dim: list[dict[str, object]] = [{"uri": f"m{n:02}", "name": "Salt", "text": "Only salt."} for n in range(40)]
    lit: list[dict[str, object]] = [{"uri": f"t{n:02}", "name": "Lamp", "text": "A lamp."} for n in range(90)]
    for name, lot in (("b", lit[45:] + dim), ("a", lit[:45])):
        (tmp_path / name).mkdir()
        write_records(tmp_path / name / "nodes.jsonl", lot)
        (tmp_path / name / "edges.tsv").write_text("subject\tpredicate\tobject\n")
        weave(tmp_path / name, add=True)
    with Skb(tmp_path / "kb.skb") as skb:
        for k in (1, 7, 69, 90):
            hits = Searcher(Session(Context(skb)), method).rank("lamp", k)
            assert skb.uris("chunk", hits.ids.tolist()) == [f"t{n:02}##1" for n in range(k)]
            assert len(set(hits.scores.tolist())) == 1


def _gold_uris(skb: Skb, unit: Unit, title: str) -> list[str]:
    (ids,) = GoldResolver(skb, unit).gold_set(Question("1", "?", (GoldItem(title=title),))).items
    return sorted(skb.uris(unit, sorted(ids)))


def test_a_gold_title_is_a_name_as_written_before_its_other_spellings(
    tmp_path: Path, weave: Callable[..., object]
) -> None:
    nodes: list[dict[str, object]] = [{"uri": "n1", "name": "IL2", "text": "A gene."},
                                      {"uri": "n2", "name": "Il2", "text": "Of mice."}]  # fmt: skip
    (tmp_path / "genes").mkdir()
    write_records(tmp_path / "genes" / "nodes.jsonl", nodes)
    (tmp_path / "genes" / "edges.tsv").write_text("subject\tpredicate\tobject\n")
    weave(tmp_path / "genes")
    with Skb(tmp_path / "kb.skb") as skb:
        assert _gold_uris(skb, "entity", "IL2") == ["n1"]
        assert _gold_uris(skb, "entity", "il2") == ["n1", "n2"]
        assert _gold_uris(skb, "chunk", "Il2") == ["n2##1"]


def test_a_gold_title_of_something_without_a_page_goes_on_to_what_has_one(
    tmp_path: Path, weave: Callable[..., object]
) -> None:
    text = "A lantern, a LAMP and a beacon."
    links = [{"start": 2, "end": 9, "target": "lantern"}, {"start": 13, "end": 17, "target": "LAMP"}]
    records: list[dict[str, object]] = [{"title": "Pier", "text": text, "links": links},
                                        {"title": "Lamp", "text": "A light.", "links": []}]  # fmt: skip
    facts = tmp_path / "facts.nt"
    facts.write_text("<http://x.example/resource/Lantern> <http://dbpedia.org/ontology/wikiPageRedirects>"
                     " <http://x.example/resource/Lamp> .\n")
    weave(write_records(tmp_path / "records.jsonl", records), rdf=(str(facts),))
    with Skb(tmp_path / "kb.skb") as skb:
        assert _gold_uris(skb, "chunk", "LAMP") == _gold_uris(skb, "chunk", "lantern") == ["Lamp##1"]
        assert _gold_uris(skb, "entity", "LAMP") == ["LAMP"]
