"""The documents on questions, searches and settings: examples run, tables are whole, schemas hold."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from interfaces.cli import main
from retriever.datasets.question_files import read_questions
from retriever.registry import ENTRIES, RANKING, Entry, offered, register, unregister
from tests.conftest import FIXTURES
from tests.examples import blocks, matches, run_console, shown_by
from tests.paths import ROOT

DOCS = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}
SCHEMAS = {path.name.partition(".")[0]: json.loads(path.read_text()) for path in (ROOT / "schemas").glob("*.json")}
QUESTION, SEARCH = SCHEMAS["question"], SCHEMAS["search"]
VARIABLE = re.compile(r"\b(?:WEFT|OPENAI)_[A-Z_]+\b")


@pytest.fixture
def folder(tmp_path: Path, world: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder with what the examples name: the invented world's SKB and the question file shown."""
    (tmp_path / "kb.skb").write_bytes(world.read_bytes())
    (shown,) = blocks(DOCS["questions"], "jsonl")
    (tmp_path / "questions.jsonl").write_text(shown, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["questions", "search"])
def test_the_console_examples_print_what_they_show(folder: Path, name: str) -> None:
    for block in blocks(DOCS[name], "console"):
        run_console(block)


def test_the_python_example_prints_what_it_shows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = blocks(DOCS["search"], "python")
    exec(compile(block, "search.md", "exec"), {})
    shown = "".join(f"{line}\n" for line in re.findall(r"(?m)^# (.*)", block))
    assert matches(shown, capsys.readouterr().out)


def test_the_python_scripts_print_what_they_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    block = "\n".join(blocks(DOCS["python"], "python"))
    exec(compile(block, "python.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == shown_by(block) != []
    assert (tmp_path / "recall.png").read_bytes().startswith(b"\x89PNG")


def _first_column(text: str, header: str) -> set[str]:
    table = text.partition(f"\n| {header} |")[2].partition("\n\n")[0]
    return set(re.findall(r"(?m)^\| `([a-z_]+)`", table))


def test_tables_name_every_key_and_no_other() -> None:
    hit = SEARCH["properties"]["hits"]["items"]
    assert _first_column(DOCS["search"], "key") == set(SEARCH["properties"])
    assert _first_column(DOCS["search"], "key of a hit") == set(hit["properties"])
    assert _first_column(DOCS["search"], "key of a reason") == set(hit["properties"]["why"]["items"]["properties"])
    assert _first_column(DOCS["questions"], "key") == set(QUESTION["properties"])
    required = set(re.findall(r"(?m)^\| `(\w+)` \| required", DOCS["questions"]))
    assert required == set(QUESTION["required"])


@pytest.mark.parametrize("options", [[], ["--explain"], ["-m", "bm25", "--explain"], ["--unit", "entity", "--explain"],
                                     ["-m", "path", "--explain"]], ids=" ".join)  # fmt: skip
def test_searches_are_what_the_schema_declares(world: Path, options: list[str]) -> None:
    command = ["search", str(world), "Who designed the Quillon Bridge?", "--json", *options]
    result = CliRunner().invoke(main, command, catch_exceptions=False)
    jsonschema.validate(json.loads(result.stdout), SEARCH)


def test_question_files_are_what_the_schema_declares(folder: Path) -> None:
    validator = jsonschema.Draft202012Validator(QUESTION)
    for path in (FIXTURES / "questions.jsonl", folder / "questions.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            validator.validate(json.loads(line))
        assert read_questions(path)
    (answers_alone,) = blocks(DOCS["questions"], "json")
    validator.validate(json.loads(answers_alone))


@pytest.mark.parametrize(
    "record",
    [{"id": "1", "question": "q?"}, {"id": " ", "question": "q?", "gold": []}, {"id": 1, "question": "q?", "gold": []},
     {"id": "1", "question": "q?", "gold": [{}]}, {"id": "1", "question": "q?", "gold": [], "answers": "a"},
     {"id": "1", "question": "q?", "gold": [{"text": "x"}]}, {"id": "1", "question": "q?", "gold": [], "hops": "2"},
     {"id": "1", "question": "q?", "gold": {}}, {"id": "1", "question": "q?", "gold": [], "split": 1}],
    ids=str,
)  # fmt: skip
def test_what_the_schema_refuses_is_refused(tmp_path: Path, record: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(record, QUESTION)
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps(record))
    with pytest.raises(Exception, match="line 1"):
        read_questions(path)


def test_every_environment_variable_is_documented_and_no_other() -> None:
    packages = ("weft", "builder", "retriever", "interfaces", "benchmarks")
    modules = (path.read_text(encoding="utf-8") for package in packages for path in (ROOT / package).rglob("*.py"))
    read = {
        node.value
        for text in modules
        if VARIABLE.search(text)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and VARIABLE.fullmatch(node.value)
    }
    rows = re.findall(r"(?m)^\| (`[A-Z].*?) \|", DOCS["settings"])
    documented = {name for row in rows for name in VARIABLE.findall(row)}
    by_openai_itself = {"OPENAI_BASE_URL"}
    assert documented == read | by_openai_itself


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_what_the_document_says(shell: str) -> None:
    assert f"_WEFT_COMPLETE={shell}_source weft" in DOCS["settings"]


def test_a_command_completes() -> None:
    code = "import sys; sys.argv[0] = 'weft'; from interfaces.cli import main; main(prog_name='weft')"
    asked = {"_WEFT_COMPLETE": "fish_complete", "COMP_WORDS": "weft sea", "COMP_CWORD": "sea"}
    command = [sys.executable, "-c", code]
    env = {"PYTHONPATH": str(ROOT), **asked}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("plain,search")


def test_help_and_document_name_every_method_with_its_options() -> None:
    rankers = {name: ENTRIES[name] for name in offered(*RANKING)}
    (option,) = (each for each in main.commands["search"].params if each.name == "method")
    words = set(re.findall(r"[\w-]+", getattr(option, "help", "")))
    assert set(rankers) <= words
    documented: dict[str, set[str]] = {}
    table = DOCS["methods"].partition("| ranker |")[2].partition("\n\n")[0]
    for names, options in re.findall(r"(?m)^\| (`[a-z0-9-]+`(?:, `[a-z0-9-]+`)*) \| .* \| (.*?) ?\|$", table):
        documented |= {name: set(re.findall(r"`(\w+)`: ", options)) for name in re.findall(r"[\w-]+", names)}
    assert documented == {name: set(entry.options) for name, entry in rankers.items()}
    assert all(entry.about for entry in rankers.values())
    assert all(option.about for entry in rankers.values() for option in entry.options.values())


def test_the_document_names_every_expansion_with_its_options() -> None:
    expansions = {name: ENTRIES[name] for name in offered("expansion")}
    before, _, table = DOCS["methods"].partition("| expansion |")
    shared = set(re.findall(r"`(\w+)`: ", before[before.rindex("Before a ranker") :]))
    rows = re.findall(r"(?m)^\| `([a-z]+)` \| .* \| (.*?) ?\|$", table.partition("\n\n")[0])
    documented = {name: set(re.findall(r"`(\w+)`: ", options)) for name, options in rows}
    assert {name: own | shared for name, own in documented.items()} == {
        name: set(entry.options) | shared for name, entry in expansions.items()
    }
    assert shared == {"join", "structure", "n"}
    assert all(entry.about for entry in expansions.values())
    assert all(option.about for entry in expansions.values() for option in entry.options.values())


def test_what_is_to_come_is_offered_nowhere(world: Path) -> None:
    register(Entry("later", "ranker"))
    to_come = {name for name, entry in ENTRIES.items() if entry.maker is None}
    texts = [CliRunner().invoke(main, [name, "--help"]).stdout for name in main.commands]
    for method in ("psychic", "psychic>bm25", "bm25+psychic"):
        result = CliRunner().invoke(main, ["search", str(world), "q", "-m", method])
        assert result.exit_code == 1
        texts.append(result.stderr)
    words = {word for text in texts for word in re.findall(r"[\w-]+", text)}
    unregister("later")
    assert words & (to_come - {"base"}) == set() < to_come


@pytest.mark.parametrize("name", ["architecture", "../CONTRIBUTING", "../README"])
def test_paths_that_are_named_are_there(name: str) -> None:
    text = (ROOT / "docs" / f"{name}.md").resolve().read_text(encoding="utf-8")
    named = re.findall(r"`((?:weft|builder|retriever|interfaces|schemas|tests|benchmarks|docs)/[\w./]*)[ `]", text)
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
