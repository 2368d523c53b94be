"""No command writes over a knowledge base, or over what it reads."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from interfaces.cli import main
from tests.worlds import page, write_pages, write_records

COMMANDS: dict[str, list[str]] = {
    "demo": ["demo", "-o", "{output}"],
    "search": ["search", "{skb}", "lamp", "-m", "bm25", "--trace", "{output}"],
    "search by a fusion": ["search", "{skb}", "lamp", "--fusion", "{fusion}", "--trace", "{output}"],
    "questions": ["questions", "{questions}", "-o", "{output}"],
    "train": ["train", "{skb}", "{questions}", "--model", "logistic", "-o", "{output}"],
    "evaluate": ["evaluate", "{skb}", "{questions}", "-m", "bm25", "--run", "{run}", "-o", "{output}"],
    "export a file": ["export", "{skb}", "--to", "nquads", "--force", "-o", "{output}"],
    "export a folder": ["export", "{skb}", "--to", "beir", "--questions", "{questions}", "--force", "-o", "{output}"],
}
WRITTEN: dict[str, tuple[str, list[str]]] = {
    "trace of a search": ("trace", COMMANDS["search"]),
    "trace of an answer": ("trace", ["ask", "{skb}", "lamp?", "-m", "bm25", "--trace", "{output}"]),
    "questions": ("question file", COMMANDS["questions"]),
    "reviewed set": ("question file", ["testset", "review", "{questions}", "--from-csv", "{table}", "-o", "{output}"]),
    "table": ("table of decisions", ["testset", "review", "{questions}", "--to-csv", "{output}"]),
}
"""What each command writes into one file, and what it is called."""
FOLDERS = {"evaluate", "export a folder"}
INPUTS = ("skb", "other", "questions", "run", "fusion")
CASES = [
    (command, target)
    for command, arguments in COMMANDS.items()
    for target in INPUTS
    if target == "other" or "{" + target + "}" in arguments or (target == "skb" and command == "questions")
]
LINKS: dict[str, Callable[[Path, Path], object]] = {
    "itself": lambda path, real: None,
    "link": lambda path, real: path.symlink_to(real),
    "second name": lambda path, real: path.hardlink_to(real),
}


@pytest.fixture(scope="module")
def two_pages(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Give the bytes of a knowledge base of two pages."""
    folder = tmp_path_factory.mktemp("two")
    pages = write_pages(folder / "pages", {name + ".html": page(name, f"A lamp of {name}.") for name in "AB"})
    CliRunner().invoke(main, ["build", str(pages), "-o", str(folder / "kb.skb"), "--workers", "1"])
    return (folder / "kb.skb").read_bytes()


@pytest.fixture
def files(tmp_path: Path, two_pages: bytes) -> dict[str, Path]:
    """Give two knowledge bases and files that commands read."""
    known = {name: tmp_path / f"{name}.made" for name in INPUTS}
    for name in ("skb", "other"):
        known[name].write_bytes(two_pages)
    write_records(known["questions"], [{"id": "1", "question": "lamp?", "gold": [{"title": "A"}]}])
    known["run"].write_text("1 Q0 A##1 1 1 x\n")
    known["fusion"].write_text("{}")
    return known


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize(("command", "target"), CASES)
def test_an_output_is_neither_a_knowledge_base_nor_an_input(
    files: dict[str, Path], tmp_path: Path, command: str, target: str, link: str
) -> None:
    output = files[target] if link == "itself" else tmp_path / "named"
    LINKS[link](output, files[target])
    before = {path: path.read_bytes() for path in files.values()}
    result = CliRunner().invoke(main, [each.format_map(files | {"output": output}) for each in COMMANDS[command]])
    reason = "is a knowledge base" if target in ("skb", "other") else "is an input of this command"
    if command == "evaluate":
        reason = "is a file; a report is a folder"
    else:
        reason += "; choose another output"
    assert (result.exit_code, result.stderr) == (1, f"Error: {output}: {reason}\n")
    assert {path: path.read_bytes() for path in files.values()} == before


@pytest.mark.parametrize("command", WRITTEN)
def test_what_a_command_wrote_itself_is_replaced_and_nothing_of_another_kind(
    files: dict[str, Path], tmp_path: Path, command: str
) -> None:
    kind, arguments = WRITTEN[command]
    table, output = tmp_path / "table.csv", tmp_path / "output"
    table.write_text("id,type,question,answer,decision,path,evidence\r\n1,,lamp?,,keep,,\r\n")

    def told(path: Path) -> tuple[int, str]:
        named = files | {"table": table, "output": path}
        done = CliRunner().invoke(main, [each.format_map(named) for each in arguments])
        return done.exit_code, done.stderr

    assert [told(output)[0], told(output)[0]] == [0, 0]
    others = {"notes.txt": "buy milk\n", "notes.json": "{}\n", "notes.jsonl": '{"title": "A", "text": "A lamp."}\n'}
    for name, text in others.items():
        (tmp_path / name).write_text(text)
        reason = f"exists and is no {kind}; choose another output, or remove it"
        assert told(tmp_path / name) == (1, f"Error: {tmp_path / name}: {reason}\n")
        assert (tmp_path / name).read_text() == text
    (tmp_path / "empty").touch()
    assert told(tmp_path / "empty")[0] == 0
    assert told(tmp_path / "none" / "x") == (
        1, f"Error: {tmp_path}/none/x: the folder {tmp_path}/none does not exist\n"
    )  # fmt: skip


def test_a_file_of_one_kind_is_not_replaced_by_another(files: dict[str, Path], tmp_path: Path) -> None:
    made = {kind: tmp_path / kind for kind in ("trace", "question file", "table of decisions")}
    for kind, path in made.items():
        arguments = next(arguments for own, arguments in WRITTEN.values() if own == kind)
        CliRunner().invoke(main, [each.format_map(files | {"output": path}) for each in arguments])
    trained = {"fusion file": [], "file of weft train --relations": ["--relations"]}
    for kind, form in zip(trained, ("weft-fusion", "weft-relations"), strict=True):
        made[kind] = tmp_path / form
        made[kind].write_text(f'{{\n "format": "{form}"\n}}\n')
    commands = dict(WRITTEN.values()) | {kind: COMMANDS["train"] + own for kind, own in trained.items()}
    for kind, arguments in commands.items():
        for other, path in made.items():
            named = files | {"table": tmp_path / "none", "output": path}
            done = CliRunner().invoke(main, [each.format_map(named) for each in arguments])
            assert (f"exists and is no {kind}" in done.stderr) == (other != kind), (kind, other)


@pytest.mark.parametrize("command", sorted(FOLDERS))
@pytest.mark.parametrize("target", ["skb", "questions"])
def test_a_folder_that_holds_an_input_is_not_replaced(
    files: dict[str, Path], tmp_path: Path, command: str, target: str
) -> None:
    output = tmp_path / "made"
    within = output / "trec" / "qrels" if command == "evaluate" else output / "queries.jsonl"
    within.parent.mkdir(parents=True)
    files[target] = files[target].rename(within)
    before = within.read_bytes()
    result = CliRunner().invoke(main, [each.format_map(files | {"output": output}) for each in COMMANDS[command]])
    assert (result.exit_code, result.stderr) == (
        1, f"Error: {output}: holds {within}, an input of this command; choose another output\n"
    )  # fmt: skip
    assert within.read_bytes() == before


def test_a_trace_is_not_written_over_the_questions_on_standard_input(files: dict[str, Path], tmp_path: Path) -> None:
    asked = tmp_path / "asked.txt"
    asked.write_text("lamp?\n")
    command = [sys.executable, "-m", "interfaces.cli", "search", files["skb"], "-", "-m", "bm25", "--trace", asked]
    with asked.open("rb") as file:
        done = subprocess.run(command, stdin=file, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (
        1, f"Error: {asked}: is an input of this command; choose another output\n"
    )  # fmt: skip
    assert asked.read_text() == "lamp?\n"


@pytest.mark.parametrize("form", ["damaged", "old", "cut short"])
def test_a_knowledge_base_that_cannot_be_read_is_not_written_over_either(
    files: dict[str, Path], form: str
) -> None:
    data = bytearray(files["other"].read_bytes())
    if form == "old":
        data[60:64] = (1).to_bytes(4, "big")
    data[200:300] = bytes(100)
    files["other"].write_bytes(data := data[:5000] if form == "cut short" else data)
    arguments = COMMANDS["questions"]
    result = CliRunner().invoke(main, [each.format_map(files | {"output": files["other"]}) for each in arguments])
    assert result.stderr == f"Error: {files['other']}: is a knowledge base; choose another output\n"
    assert files["other"].read_bytes() == data


def test_a_device_may_be_read_and_written_at_once(files: dict[str, Path]) -> None:
    command = [sys.executable, "-m", "interfaces.cli", "search", files["skb"], "-", "--trace", "/dev/null"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
