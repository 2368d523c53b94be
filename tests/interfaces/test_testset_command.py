"""`weft testset`: a set is a question file that everything else reads, with its card and other programs' formats."""

from __future__ import annotations

import json
from pathlib import Path

import ir_measures
import jsonschema
import pytest
from click.testing import CliRunner, Result

from interfaces.cli import main
from retriever.datasets.question_files import read_questions
from retriever.evaluation.beir import read_beir
from tests.paths import ROOT
from weft.skb import Skb

SCHEMA = json.loads((ROOT / "schemas" / "testset.schema.json").read_text(encoding="utf-8"))


def _run(*arguments: object, code: int = 0) -> Result:
    result = CliRunner().invoke(main, list(map(str, arguments)))
    assert result.exit_code == code, result.output
    return result


@pytest.fixture(scope="module")
def folder(world: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with a set of the fixtures, its card, its export and the summary that was printed."""
    folder = tmp_path_factory.mktemp("set")
    made = _run("testset", "make", world, "-n", 40, "-o", folder / "set.jsonl", "--folder", folder / "out",
                "--split", "train=0.5,test=0.5", "--json")  # fmt: skip
    (folder / "summary.json").write_text(made.stdout, encoding="utf-8")
    return folder


def test_every_line_is_what_the_schema_declares(folder: Path) -> None:
    lines = (folder / "set.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 40
    for line in lines:
        record = json.loads(line)
        jsonschema.validate(record, SCHEMA)
        if record["type"] != "single":
            assert len({item["uri"] for item in record["gold"]}) >= 2
        if record["type"] != "comparison":
            assert not any(answer.lower() in record["question"].lower() for answer in record["answers"])


def test_gold_is_chunks_of_the_skb(folder: Path, world: Path) -> None:
    with Skb(world) as skb:
        for question in read_questions(folder / "set.jsonl"):
            assert all(item.uri and skb.chunk(item.uri) for item in question.gold)


def test_the_summary_and_the_card_count_alike(folder: Path) -> None:
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    card = (folder / "set.md").read_text(encoding="utf-8")
    assert summary["questions"] == sum(summary["patterns"].values()) == sum(summary["splits"].values()) == 40
    for pattern, n in summary["patterns"].items():
        assert f"| {pattern} | {n} |" in card
    assert summary["settings"]["skb_hash"] in card
    assert any(reason in card for reasons in summary["rejected"].values() for reason in reasons)


def test_a_set_is_evaluated_and_ir_measures_agrees(folder: Path, world: Path, tmp_path: Path) -> None:
    report = tmp_path / "report"
    told = json.loads(_run("evaluate", world, folder / "set.jsonl", "-m", "bm25", "--at", "5", "-o", report,
                           "--json").stdout)  # fmt: skip
    assert (told["questions"], told["unresolved"], told["unjudged"]) == (40, 0, 0)
    run = ir_measures.read_trec_run(str(report / "trec" / "run.bm25"))
    qrels = ir_measures.read_trec_qrels(str(folder / "out" / "qrels.items.trec"))
    measure = ir_measures.R @ 5
    assert ir_measures.calc_aggregate([measure], qrels, run)[measure] == pytest.approx(
        told["methods"]["bm25"]["recall@5"], abs=1e-4
    )


def test_a_beir_loader_finds_the_same_gold(folder: Path, world: Path) -> None:
    with Skb(world) as skb:
        read = {question.id: {item.uri for item in question.gold} for question in read_beir(folder / "out/beir", skb)}
    ours = {question.id: {item.uri for item in question.gold} for question in read_questions(folder / "set.jsonl")}
    assert read == ours
    documents = [json.loads(line)["_id"] for line in (folder / "out/beir/corpus.jsonl").read_text("utf-8").splitlines()]
    assert set.union(*ours.values()) <= set(documents)


def test_mistakes_are_one_line(world: Path, tmp_path: Path) -> None:
    assert "is no pattern" in _run("testset", "make", world, "-o", tmp_path / "a", "--patterns", "x", code=2).output
    assert "data card" in _run("testset", "make", world, "-o", tmp_path / "a.md", code=1).output
    assert "is a knowledge base" in _run("testset", "make", world, "-o", world, code=1).output


def test_what_somebody_wrote_is_never_replaced(world: Path, tmp_path: Path) -> None:
    mine, notes, out = tmp_path / "mine", tmp_path / "notes.md", tmp_path / "out"
    mine.mkdir()
    out.mkdir()
    (mine / "precious.txt").write_text("thesis", encoding="utf-8")
    notes.write_text("# My notes\n", encoding="utf-8")
    make = ("testset", "make", world, "-n", 2, "-o")
    told = _run(*make, tmp_path / "set.jsonl", "--folder", mine, code=1).output
    assert "holds precious.txt, which is no part of an export of a set" in told
    for output in (out / "set.jsonl", out):
        assert _run(*make, output, "--folder", out, code=1).output.startswith("Error: ")
    (tmp_path / "link").symlink_to(out)
    assert "cannot be in it" in _run(*make, tmp_path / "link" / "set.jsonl", "--folder", out, code=1).output
    assert "cannot be in it" in _run(*make, tmp_path / "new", "--folder", tmp_path / "new", code=1).output
    assert "is none yet" in _run(*make, tmp_path / "notes.jsonl", code=1).output
    assert [path.name for path in mine.iterdir()] == ["precious.txt"] and list(out.iterdir()) == []
    assert notes.read_text(encoding="utf-8") == "# My notes\n"
    assert {path.name for path in tmp_path.iterdir()} == {"mine", "notes.md", "out", "link"}


def test_a_set_takes_the_place_of_an_earlier_one(world: Path, tmp_path: Path) -> None:
    for seed in (1, 2):
        _run("testset", "make", world, "-n", 2, "-o", tmp_path / "set.jsonl", "--folder", tmp_path / "out",
             "--seed", seed)  # fmt: skip
    assert "| seed | 2 |" in (tmp_path / "set.md").read_text(encoding="utf-8")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"beir", "qrels.trec", "qrels.items.trec"}


def test_an_skb_without_anything_to_ask_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("nothing here\n", encoding="utf-8")
    _run("build", f"text:{tmp_path / 'a.txt'}", "-o", tmp_path / "kb.skb")
    told = _run("testset", "make", tmp_path / "kb.skb", "-o", tmp_path / "set.jsonl", code=1).output
    assert told == ("Error: no question can be made by bridge, intersection, comparison: 1 chunk gave 0 facts; they are"
                    " read from sentences in English, rows, relations and attributes\n")
    assert not (tmp_path / "set.jsonl").exists()


MANUAL = """The spill gate

The spill gate opens by itself. The upper sluice beam is raised by a hand winch. It is greased in spring.

The lower sluice beam is raised by a hand winch. For this, open the hatch and turn the crank until the pawl clicks.
"""


MANUAL_OF_TWO = MANUAL.replace("a hand winch. For", "an iron windlass. For")


def test_why_nothing_is_made_is_told_by_counts_and_never_as_what_was_done(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(MANUAL, encoding="utf-8")
    _run("build", f"text:{tmp_path / 'a.txt'}", "-o", tmp_path / "kb.skb")

    def told(*options: object) -> str:
        return _run("testset", "make", tmp_path / "kb.skb", "-o", tmp_path / "set.jsonl", *options, code=1).output

    plain = told()
    assert plain.endswith("; --patterns single asks for one fact alone\n") and plain.count("\n") == 1
    single = told("--patterns", "single")
    assert "--patterns" not in single
    assert single == ("Error: none of 2 drafts passed verification (1: another path gives another answer; 1: the answer"
                      " stands in another chunk too)\n")


def test_the_one_fact_of_a_note_is_asked_for(tmp_path: Path) -> None:
    text = "Bicycle\n\nChain: oil every month. The bottom bracket was replaced in June 2025 at the shop. Tyres are new."
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    _run("build", f"text:{tmp_path / 'a.txt'}", "-o", tmp_path / "kb.skb")
    for seed in range(8):
        _run("testset", "make", tmp_path / "kb.skb", "-o", tmp_path / "set.jsonl", "--patterns", "single",
             "--seed", seed)  # fmt: skip
        (record,) = map(json.loads, (tmp_path / "set.jsonl").read_text(encoding="utf-8").splitlines())
        assert record["answers"] == ["June 2025"]


def test_single_questions_are_made_of_a_manual_whose_sentences_begin_with_no_name(tmp_path: Path) -> None:
    text = MANUAL_OF_TWO
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    _run("build", f"text:{tmp_path / 'a.txt'}", "-o", tmp_path / "kb.skb")
    _run("testset", "make", tmp_path / "kb.skb", "-o", tmp_path / "set.jsonl", "--patterns", "single")
    records = [json.loads(line) for line in (tmp_path / "set.jsonl").read_text(encoding="utf-8").splitlines()]
    assert "What raises the lower sluice beam?" in {record["question"] for record in records}
    for record in records:
        assert all(record["answers"][0] in each["text"] for each in record["evidence"])


def test_a_graph_without_text_is_asked_for_its_nodes(tmp_path: Path) -> None:
    names = {"f1": "Red Kite", "f2": "Blue Barge", "f3": "Sea Fog", "p1": "Ann Orr", "p2": "Ben Sykes"}
    nodes = "".join(json.dumps({"uri": uri, "name": name, "type": "film" if uri[0] == "f" else "person"}) + "\n"
                    for uri, name in names.items())  # fmt: skip
    edges = "f1\tdirected_by\tp1\nf2\twritten_by\tp1\nf3\tdirected_by\tp2\nf2\tdirected_by\tp2\n"
    folder = tmp_path / "graph"
    folder.mkdir()
    (folder / "nodes.jsonl").write_text(nodes, encoding="utf-8")
    (folder / "edges.tsv").write_text("subject\tpredicate\tobject\n" + edges, encoding="utf-8")
    _run("build", f"graph:{folder}", "-o", tmp_path / "kb.skb")
    _run("testset", "make", tmp_path / "kb.skb", "-o", tmp_path / "set.jsonl", "-n", 5)
    records = [json.loads(line) for line in (tmp_path / "set.jsonl").read_text(encoding="utf-8").splitlines()]
    asked = {record["question"]: record for record in records}
    found = next(record for question, record in asked.items() if "Red Kite" in question and "directed" in question)
    assert found["gold"] == [{"uri": "f2"}]
    assert found["path"] == ["Red Kite | was directed by | Ann Orr", "Blue Barge | was written by | Ann Orr"]
    for record in records:
        jsonschema.validate(record, SCHEMA)


HANDBOOK = """# Kilns

The raku kiln requires a bottle of propane. The drying cabinet has seven wooden racks. Nobody opens a hot kiln.

| Kiln | Firing temperature | Steward |
|---|---|---|
| Small kiln | 1,060 °C | Ines Varga |
| Large kiln | 1,240 °C | Tom Arkwright |
"""


def test_a_handbook_is_asked_by_its_tables_and_by_what_things_need_and_have(tmp_path: Path) -> None:
    (tmp_path / "kilns.md").write_text(HANDBOOK, encoding="utf-8")
    _run("build", tmp_path / "kilns.md", "-o", tmp_path / "kb.skb")
    _run("testset", "make", tmp_path / "kb.skb", "-o", tmp_path / "set.jsonl", "--patterns", "single")
    records = map(json.loads, (tmp_path / "set.jsonl").read_text(encoding="utf-8").splitlines())
    assert {record["question"]: record["answers"][0] for record in records} == {
        "What does the raku kiln require?": "a bottle of propane",
        "How many wooden racks does the drying cabinet have?": "seven",
        "What is the firing temperature of the Small kiln?": "1,060 °C",
        "What is the firing temperature of the Large kiln?": "1,240 °C",
    }


@pytest.mark.parametrize(
    ("text", "wanted", "why"),
    [
        (HANDBOOK, 40, "36 fewer than asked for: only 4 drafts could be proposed from this SKB\n"),
        (MANUAL_OF_TWO, 40, "39 fewer than asked for: only 2 drafts could be proposed from this SKB;"
                            " the card says why 1 of 2 was rejected\n"),
        (MANUAL_OF_TWO, 2, "1 fewer than asked for: all drafts were looked at;"
                           " the card says why 1 of 2 was rejected\n"),
    ],
)  # fmt: skip
def test_why_fewer_are_made_names_rejections_only_where_there_are_some(
    tmp_path: Path, text: str, wanted: int, why: str
) -> None:
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    _run("build", tmp_path / "a.md", "-o", tmp_path / "kb.skb")
    made = _run("testset", "make", tmp_path / "kb.skb", "-o", tmp_path / "set.jsonl", "--patterns", "single",
                "-n", wanted)  # fmt: skip
    assert made.stderr == why
