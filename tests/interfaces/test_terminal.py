"""What a terminal gets: no control character of a document, one line for a mistake, also with closed streams."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from termios import tcsetwinsize

import click
import pytest
from click.testing import CliRunner, Result

from interfaces.cli import main
from interfaces.output import counted
from interfaces.printable import json_line, printable, printable_json
from tests.paths import ROOT
from tests.worlds import page, rows, write_pages, write_records

WEFT = f"{sys.executable} -m interfaces.cli"
HOSTILE = "\x1b]0;owned\x07 \x1b[2J\b\x7f\x9b31m\x85\u2028\u202eabc\u2066"
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def _weft(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments], input=stdin)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("Lamp – 灯 é", "Lamp – 灯 é"), ("\x1b[31mred", r"\x1b[31mred"), ("a\x07b\x00", r"a\x07b\x00"),
     ("a\nb\tc", r"a\x0ab\x09c"), ("\x9b1m\x85", r"\x9b1m\x85"), ("\u202egpj.exe", r"\u202egpj.exe"),
     ("a\u2028b", r"a\u2028b"), ("\ud800", r"\ud800"), ("\u2067x\u2069", r"\u2067x\u2069")],
)  # fmt: skip
def test_controls_are_shown_and_nothing_else_changes(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_json_says_the_same_without_controls() -> None:
    value = {HOSTILE: [HOSTILE, "\ud800", "\n", 1]}
    assert json.loads(json_line(value)) == value
    assert not CONTROL.search(json_line(value)) and "\n" not in json_line(value)
    assert printable_json('{"a": "é\x7f"}') == '{"a": "é\\u007f"}'


@pytest.mark.parametrize("number", range(0x20), ids=hex)
def test_no_control_character_is_printed(number: int) -> None:
    assert not CONTROL.search(printable(chr(number) + chr(0x80 + number)))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build an SKB whose every text holds controls, of sources whose names hold them too."""
    folder = tmp_path_factory.mktemp("hostile")
    name = f"{HOSTILE.replace('/', '')}lamp"
    records = [
        {"title": f"Lamp {HOSTILE}", "text": f"A harbour lamp {HOSTILE} of Ondrel Quay.\n\nSecond {HOSTILE} lamp.",
         "links": [{"start": 2, "end": 14, "target": f"Harbour {HOSTILE}"}]},
        {"title": "Pier", "text": "A pier."},
    ]  # fmt: skip
    source = write_records(folder / f"{name}.jsonl", records)
    with source.open("a", encoding="utf-8") as file:
        file.write(f'{{"title": "{name}\n')
    markdown = folder / "notes"
    markdown.mkdir()
    (markdown / f"{name}.md").write_text(f"# Lamp {HOSTILE}\n\n## Part {HOSTILE}\n\nA lamp {HOSTILE}.\n")
    (markdown / f"{name}.txt").write_bytes(b"\xff\xfe\x00 lamp")
    facts = folder / f"{name}.jsonl2"
    triple = {"subject": "Pier", "predicate": f"near {HOSTILE}", "object": f"Lamp {HOSTILE}", "title": "Pier"}
    write_records(facts, [triple])
    built = _weft("build", source, markdown, "--triples", facts, "-o", folder / "kb.skb")
    assert built.exit_code == 0, built.output
    assert not CONTROL.search(built.stdout + built.stderr)
    return folder / "kb.skb"


def test_no_command_prints_a_control_of_a_document(hostile: Path, tmp_path: Path) -> None:
    questions = write_records(
        tmp_path / "q.jsonl",
        [{"id": HOSTILE, "question": f"lamp {HOSTILE}?", "gold": [{"title": f"Lamp {HOSTILE}"}], "type": HOSTILE}],
    )
    tables = ("page", "section", "chunk", "entity")
    uris = [str(uri) for table in tables for (uri,) in rows(hostile, f"SELECT uri FROM {table}")]
    file = HOSTILE.replace("/", "")
    commands = [
        ["info", hostile], ["info", hostile, "--rejects"], ["info", hostile, "--pages"], ["check", hostile],
        ["dump", hostile], ["evaluate", hostile, questions, "-m", "bm25"], ["questions", questions],
        ["search", hostile, f"lamp {HOSTILE}", "--explain"],
        ["search", hostile, "pier", "-m", "bm25", "--unit", "entity"],
        ["search", hostile, "lamp", "--page", HOSTILE], ["search", hostile, "lamp", "-m", HOSTILE],
        ["search", tmp_path / f"none{file}", "lamp"], ["build", HOSTILE, "-o", tmp_path / "x.skb"],
        [f"no{HOSTILE}"], [f"--no{HOSTILE}"], ["info", hostile, f"--no{HOSTILE}"],
        ["search", hostile, "q", "-k", HOSTILE],
        ["show", hostile, HOSTILE], *(["show", hostile, uri] for uri in uris),
        ["export", hostile, "--to", "neo4j", "-o", tmp_path / f"neo{file}"],
    ]  # fmt: skip
    for command in commands:
        for arguments in (command, [*command, "--json"]):
            result = _weft(*arguments)
            assert not isinstance(result.exception, UnicodeError | AttributeError), command
            printed = result.stdout + result.stderr
            assert printed and not CONTROL.search(printed), (command, CONTROL.search(printed))
    several = _weft("search", hostile, "-", stdin=f"lamp {HOSTILE}".replace("\x85", "").replace("\u2028", ""))
    assert several.exit_code == 0 and not CONTROL.search(several.stdout)


def test_everything_is_printed_by_one_module() -> None:
    """So that no command can print text that was not looked at."""
    found = {
        f"{path.name}:{node.lineno}"
        for path in (ROOT / "interfaces").rglob("*.py")
        if path.name != "output.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in (
            "print", "click.echo", "click.secho", "sys.stdout.write", "sys.stderr.write", "tqdm.write")
    }  # fmt: skip
    assert found == set()


@pytest.mark.parametrize(
    ("n", "names", "text"),
    [(0, ("page",), "0 pages"), (1, ("page",), "1 page"), (2000, ("page",), "2,000 pages"),
     (1, ("entity", "entities"), "1 entity"), (2, ("entity", "entities"), "2 entities")],
)  # fmt: skip
def test_a_number_goes_with_what_it_counts(n: int, names: tuple[str, ...], text: str) -> None:
    assert counted(n, *names) == text


def test_one_of_a_kind_is_singular(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"A.html": page("A", "A lamp.")})
    built = _weft("build", pages, "-o", tmp_path / "kb.skb")
    assert "1 page, 0 sections, 1 chunk, 1 entity, 0 citations" in built.stdout
    more = write_pages(tmp_path / "pages", {"B.html": page("B", "A lamp."), "C.html": ""})
    assert "rejected 1 document;" in _weft("build", more, "-o", tmp_path / "kb.skb").stderr
    assert _weft("remove", tmp_path / "kb.skb", "A").stdout == "1 page removed, 1 left\n"
    notes = write_pages(tmp_path / "notes", {"a.md": "# A\n\nA lamp.", "b.md": "# A\n\nA lamp."})
    built = _weft("build", notes, "-o", tmp_path / "notes.skb")
    assert built.stdout.startswith("documents: 1 read, 1 duplicate, ")


def _number_options() -> list[tuple[str, str]]:
    return [
        (name, option.opts[0])
        for name, command in main.commands.items()
        for option in command.params
        if isinstance(option, click.Option)
        and (isinstance(option.default, float) or isinstance(option.type, click.FloatRange | type(click.FLOAT)))
    ]


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "-5", "-0.1", "1e400", "1e305", "1e19", "", "ten"])
@pytest.mark.parametrize(("command", "option"), _number_options())
def test_an_amount_is_a_number_that_can_be_counted_in(command: str, option: str, value: str, tmp_path: Path) -> None:
    arguments = {"build": ["x", "-o", "y"], "load": ["x", "-o", "y"], "questions": ["x"],
                 "train": ["x", "y", "-o", "z", "--features", "thesis"], "ask": ["x", "y"]}[command]  # fmt: skip
    result = _weft(command, *arguments, f"{option}={value}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert option in result.stderr


@pytest.mark.parametrize("command", ["build", "questions"])
def test_a_limit_of_no_megabytes_is_refused(command: str) -> None:
    result = _weft(command, "x", "-o", "y", "--max-page-mb", "0")
    assert (result.exit_code, result.stdout) == (2, "")


def test_a_question_file_is_copied_whatever_its_texts_hold(tmp_path: Path) -> None:
    record = {"id": "1", "question": "lamp \ud800?", "gold": [{"title": "A\u2028"}], "own": "\udc80é"}
    source = tmp_path / "q.jsonl"
    source.write_text("\ufeff" + json.dumps(record) + "\n", encoding="utf-8")
    shown = _weft("questions", source)
    assert shown.exit_code == 0 and [json.loads(line) for line in shown.stdout.splitlines()] == [record]
    assert _weft("questions", source, "-o", tmp_path / "copy.jsonl").exit_code == 0
    assert json.loads((tmp_path / "copy.jsonl").read_text(encoding="utf-8")) == record


# closed streams


def _shell(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=folder)


def test_closed_streams(world: Path, tmp_path: Path) -> None:
    write_pages(tmp_path / "pages", {"A.html": page("A", "A lamp."), "B.html": ""})
    mute = _shell(f"{WEFT} build pages -o kb.skb 2>&-", tmp_path)
    assert (mute.returncode, mute.stdout.split(",")[0]) == (0, "documents: 1 read")
    assert _weft("check", tmp_path / "kb.skb").exit_code == 0
    unheard = _shell(f"{WEFT} info {world} >&-", tmp_path)
    assert (unheard.returncode, unheard.stderr) == (1, "Error: stdout: is closed, so the result cannot be printed\n")
    unasked = _shell(f"{WEFT} search {world} - <&-", tmp_path)
    assert (unasked.returncode, unasked.stderr) == (1, "Error: stdin: is closed, so no question can be read\n")
    assert _shell(f"{WEFT} search {world} lamp -m bm25 -k 1 <&-", tmp_path).stdout.startswith("1. ")
    assert _shell(f"{WEFT} info nothing.skb <&- >&- 2>&-", tmp_path).returncode == 1


@pytest.mark.parametrize("encoding", ["latin-1", "shift-jis", "utf-8"])
def test_every_encoding_of_stdout_will_do(tmp_path: Path, encoding: str) -> None:
    record = {"title": "Lamp", "text": "A lamp – 灯, café, \U0001f600."}
    assert _weft("build", write_records(tmp_path / "a.jsonl", [record]), "-o", tmp_path / "kb.skb").exit_code == 0
    command = [sys.executable, "-m", "interfaces.cli", "search", str(tmp_path / "kb.skb"), "lamp", "-m", "bm25"]
    env = os.environ | {"PYTHONIOENCODING": encoding}
    done = subprocess.run([*command, "--json"], env=env, capture_output=True, check=True)
    assert json.loads(done.stdout.decode(encoding))["hits"][0]["text"] == record["text"]
    assert subprocess.run(command, env=env, capture_output=True, check=True).stdout.startswith(b"1. Lamp##1")


# progress


@pytest.mark.parametrize("size", [(0, 0), (24, 80)])
def test_a_terminal_shows_the_stages_of_a_build(tmp_path: Path, size: tuple[int, int]) -> None:
    """Where `script` runs without a terminal of its own, the one that it makes has no size."""
    write_pages(tmp_path / "pages", {"A.html": page("A", "A lamp.")})
    ours, theirs = os.openpty()
    tcsetwinsize(theirs, size)
    subprocess.run([*WEFT.split(), "build", "pages", "-o", "kb.skb"], stderr=theirs, cwd=tmp_path, check=True,
                   env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE)  # fmt: skip
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "reading: 0 done" in shown and "vectors: 0 done" in shown
    assert shown.rpartition("\r")[2] == "" and not CONTROL.search(shown.replace("\r", ""))


def test_what_is_no_terminal_shows_no_progress(tmp_path: Path) -> None:
    write_pages(tmp_path / "pages", {"A.html": page("A", "A lamp.")})
    assert _shell(f"{WEFT} build pages -o kb.skb", tmp_path).stderr == ""


# several questions


def test_several_questions_are_told_apart(world: Path) -> None:
    result = _weft("search", world, "-", "-m", "bm25", "-k", "1", stdin="Quillon Bridge\n\nxyzzy\n")
    assert re.fullmatch(r"Q: Quillon Bridge\n1\. .*\n(?:   .*\n)+\nQ: xyzzy\nnothing found\n", result.stdout)
    assert _weft("search", world, "xyzzy", "-m", "bm25").stdout == "nothing found\n"
