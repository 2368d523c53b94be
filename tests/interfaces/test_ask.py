"""`weft ask` and `kb.ask`: what they print, and that both say the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

import weft
from interfaces.api.answers import below
from interfaces.cli import main
from retriever.answers.answering import THRESHOLD
from tests.paths import ROOT
from tests.retriever.focus.graphs import write_graph

DESIGNER = "Who designed the Quillon Bridge?"
SCHEMA = json.loads((ROOT / "schemas" / "ask.schema.json").read_text(encoding="utf-8"))


def _run(*arguments: str, stdin: str | None = None) -> str:
    result = CliRunner().invoke(main, list(arguments), input=stdin)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_command_prints_the_answer_with_its_sentences(world: Path) -> None:
    answer, *cited, last = _run("ask", str(world), DESIGNER).splitlines()
    assert answer == "Orrin Tasker"
    assert cited[0].startswith("[1] ")
    found = json.loads(_run("ask", str(world), DESIGNER, "--json"))
    assert last == f"confidence {found['confidence']:.2f}" and 0 < found["confidence"] <= found["chance"]


def test_over_a_graph_it_prints_nodes_with_the_edges_that_lead_to_them(
    tmp_path: Path, weave: Callable[..., object]
) -> None:
    weave(write_graph(tmp_path / "graph"))
    printed = _run("ask", str(tmp_path / "kb.skb"), "who sang the songs written by [Emil Stroud]").splitlines()
    assert sorted(printed[0].split("; ")) == ["Bram Kell", "Cato Lunn"]
    assert sorted(line.partition(": ")[2] for line in printed[1:]) == [
        "Far Ferry | written_by | Emil Stroud; Far Ferry | sung_by | Bram Kell",
        "Reed Bell | written_by | Emil Stroud; Reed Bell | sung_by | Cato Lunn",
    ]


def test_the_json_is_what_its_schema_declares(world: Path) -> None:
    for question in (DESIGNER, "zzzz"):
        jsonschema.validate(json.loads(_run("ask", str(world), question, "--json")), SCHEMA)


def test_what_cannot_be_answered_is_said(world: Path) -> None:
    assert _run("ask", str(world), "zzzz") == "not answerable from this knowledge base\n"
    found = json.loads(_run("ask", str(world), "zzzz", "--json"))
    assert (found["answer"], found["answerable"], found["citations"]) == (None, False, [])


def test_a_question_without_a_likely_answer_is_shown_the_nearest_passages(tmp_path: Path) -> None:
    said = "To leave out a folder, give its name to the exclude option."
    (tmp_path / "files.md").write_text(f"# Files\n\n{said}\n\n## Speed\n\nIt is fast.\n", encoding="utf-8")
    kb, question = str(tmp_path / "kb.skb"), "Why does nobody name the folder after the queen?"
    weft.build(tmp_path / "files.md", output=kb)
    found = json.loads(_run("ask", kb, question, "--json"))
    assert (found["answer"], found["citations"]) == (None, [])
    near = found["nearest"][0]
    assert near["text"][slice(*near["span"])] == said
    first, *shown = _run("ask", kb, question).splitlines()
    assert first == f"no answer is likely enough (chance {found['chance']:.2f} below 0.40); the nearest passages:"
    assert shown[0] == f"[1] {near['uri']}: {said}"
    assert f"{found['reason']}; the nearest passages:" == first
    with weft.open(kb) as opened:
        assert opened.ask(question).reason == found["reason"]


def test_what_fits_no_text_is_warned_of_in_json_too(world: Path) -> None:
    found = json.loads(_run("ask", str(world), "zzzz", "--json"))
    assert found["reason"] == "not answerable from this knowledge base"
    assert [line for line in found["warnings"] if "nothing fits" in line]
    sure = json.loads(_run("ask", str(world), DESIGNER, "--json"))
    assert (sure["reason"], sure["warnings"]) == (None, [])


def test_the_threshold_decides_what_is_withheld(world: Path) -> None:
    chance = json.loads(_run("ask", str(world), DESIGNER, "--json"))["chance"]
    above, below = (str(round(chance + shift, 4)) for shift in (0.0005, -0.0005))
    withheld = json.loads(_run("ask", str(world), DESIGNER, "--json", "--threshold", above))
    assert (withheld["answer"], withheld["others"][0]) == (None, "Orrin Tasker")
    assert json.loads(_run("ask", str(world), DESIGNER, "--json", "--threshold", below))["answer"] == "Orrin Tasker"
    with weft.open(world) as kb:
        assert kb.ask(DESIGNER, threshold=float(above)).answer is None
        with pytest.raises(weft.WeftError, match=r"^threshold=1\.5: must be from 0 to 1$"):
            kb.ask(DESIGNER, threshold=1.5)


def test_what_is_less_sure_than_asked_for_is_withheld(world: Path) -> None:
    sure = json.loads(_run("ask", str(world), DESIGNER, "--json"))["confidence"]
    above = str(round(sure + 0.001, 3))
    withheld = json.loads(_run("ask", str(world), DESIGNER, "--json", "--least-confidence", above))
    assert (withheld["answer"], withheld["others"][0]) == (None, "Orrin Tasker")
    assert withheld["reason"] == f"no answer is likely enough (confidence {below(sure, float(above))})"
    given = json.loads(_run("ask", str(world), DESIGNER, "--json", "--least-confidence", str(round(sure - 0.001, 3))))
    assert given["answer"] == "Orrin Tasker"
    with weft.open(world) as kb:
        assert kb.ask(DESIGNER, least_confidence=float(above)).answer is None
        with pytest.raises(weft.WeftError, match=r"^least_confidence=-1: must be from 0 to 1$"):
            kb.ask(DESIGNER, least_confidence=-1)


def test_a_chance_just_below_the_threshold_is_told_apart_from_it(world: Path) -> None:
    chance = json.loads(_run("ask", str(world), DESIGNER, "--json"))["chance"]
    least = round(chance + 0.0002, 4)
    shown = _run("ask", str(world), DESIGNER, "--threshold", str(least)).splitlines()[0]
    assert shown == f"no answer is likely enough (chance {below(chance, least)}); the nearest passages:"
    assert (below(0.449, 0.45), below(0.44996, 0.45)) == ("0.449 below 0.45", "just below 0.45")


@pytest.mark.parametrize(
    ("stdin", "told"),
    [
        ("\n", "no question: the only line is blank\n"),
        (" \n\t\n", "no question: each of the 2 lines is blank\n"),
        ("", ""),
        ("\nbridge\n", ""),
    ],
)
@pytest.mark.parametrize("command", ["ask", "search"])
def test_blank_lines_alone_are_told(world: Path, command: str, stdin: str, told: str) -> None:
    result = CliRunner().invoke(main, [command, str(world), "-"], input=stdin)
    assert (result.exit_code, result.stderr) == (0, told)


def test_the_default_threshold_is_the_one_that_help_tells() -> None:
    assert f"[default: {THRESHOLD}]" in " ".join(_run("ask", "--help").split())


def test_of_the_nearest_passages_the_sentence_is_shown_that_means_what_is_asked(tmp_path: Path) -> None:
    cleaned = "To clean it, rub it with ash and rinse it in cold water."
    (tmp_path / "cup.md").write_text(f"# Cup\n\nThe cup is made of tin. {cleaned}\n", encoding="utf-8")
    weft.build(tmp_path / "cup.md", output=tmp_path / "kb.skb")
    with weft.open(tmp_path / "kb.skb") as kb:
        near = kb.ask("How do I polish the cup?", threshold=1).nearest[0]
    assert near.text[slice(*near.span)] == cleaned


def test_an_answer_has_no_nearest_passages_beside_it(world: Path) -> None:
    assert json.loads(_run("ask", str(world), DESIGNER, "--json"))["nearest"] == []


def test_questions_from_stdin_are_answered_line_by_line(world: Path) -> None:
    printed = _run("ask", str(world), "-", stdin=f"{DESIGNER}\n\nzzzz\n")
    one = _run("ask", str(world), DESIGNER)
    assert printed == f"Q: {DESIGNER}\n{one}\nQ: zzzz\nnot answerable from this knowledge base\n"
    lines = _run("ask", str(world), "-", "--json", stdin=f"zzzz\n{DESIGNER}").splitlines()
    alone = [_run("ask", str(world), text, "--json") for text in ("zzzz", DESIGNER)]
    assert [_answer(line) for line in lines] == [_answer(line) for line in alone]


def _answer(line: str) -> dict[str, object]:
    """Return an answer's JSON without what differs from run to run."""
    return {key: value for key, value in json.loads(line).items() if key not in ("seconds", "trace")}


def test_python_gives_what_the_command_prints(world: Path) -> None:
    printed = json.loads(_run("ask", str(world), DESIGNER, "--json"))
    with weft.open(world) as kb:
        found = kb.ask(DESIGNER)
    assert (found.answer, found.chance, found.method) == (printed["answer"], printed["chance"], printed["method"])
    assert [each.uri for each in found.citations] == [each["uri"] for each in printed["citations"]]


def test_the_trace_has_the_reading(world: Path, tmp_path: Path) -> None:
    path = tmp_path / "steps.jsonl"
    _run("ask", str(world), DESIGNER, "--trace", str(path))
    steps = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [each["name"] for each in steps][-2:] == ["read", "answer"]
    assert steps[-1]["stand_in"] == "extracted"


def test_short_keeps_questions_with_a_short_answer(tmp_path: Path) -> None:
    source, kept = tmp_path / "all.jsonl", tmp_path / "short.jsonl"
    answers = {"a": ["Sill"], "b": [], "c": ["YES"], "d": ["no", "71 metres"]}
    records = [{"id": key, "question": f"{key}?", "gold": [], "answers": own} for key, own in answers.items()]
    source.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    _run("questions", str(source), "--short", "-o", str(kept))
    assert [json.loads(line)["id"] for line in kept.read_text(encoding="utf-8").splitlines()] == ["a", "d"]


def test_a_question_needs_no_quotation_marks(world: Path) -> None:
    assert _run("ask", str(world), *DESIGNER.split()) == _run("ask", str(world), DESIGNER)
    words = _run("search", str(world), *DESIGNER.split(), "-k", "2")
    assert words == _run("search", str(world), DESIGNER, "-k", "2")
