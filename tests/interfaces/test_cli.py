"""The command line: data on stdout, the rest on stderr, and one line for every mistake."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result

import weft
from interfaces.cli import main
from tests.worlds import page, rows, triple, write_pages, write_records

WEFT = [sys.executable, "-m", "interfaces.cli"]


def _weft(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments], input=stdin)


def _mistake(*arguments: str | Path) -> str:
    """Run a command that must end with one line and exit code 1; return the line."""
    result = _weft(*arguments)
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("Error: "), result.stderr
    return lines[0]


def _json(*arguments: str | Path) -> object:
    result = _weft(*arguments)
    assert result.exit_code == 0, result.output
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Write two pages."""
    return write_pages(tmp_path / "pages", {"A.html": page("A", "A lamp."), "B.html": page("B", "A harbour.")})


# help and usage


def test_every_command_has_help_and_json() -> None:
    assert _weft("--help").exit_code == _weft("-h").exit_code == _weft("--version").exit_code == 0
    for name, command in sorted(main.commands.items()):
        inner = [(name, own) for own in command.commands] if isinstance(command, click.Group) else [(name,)]
        for path in inner:
            result = _weft(*path, "--help")
            assert result.exit_code == 0 and "--json" in result.stdout, path
            assert result.stdout.startswith(f"Usage: main {' '.join(path)}")


@pytest.mark.parametrize(
    "arguments",
    [[], ["nonsense"], ["build"], ["build", "x"], ["build", "-o", "x"], ["search", "kb.skb"], ["remove", "kb.skb"],
     ["search", "kb.skb", "q", "-k", "0"], ["search", "kb.skb", "q", "--unit", "page"], ["info"],
     ["build", "x", "-o", "y", "--workers", "0"], ["build", "x", "-o", "y", "--format", "pdf"], ["show", "kb.skb"],
     ["build", "x", "-o", "y", "--lang", "de,,en"], ["build", "x", "-o", "y", "--lang", "d"],
     ["build", "x", "-o", "y", "--lang", "*"], ["build", "x", "-o", "y", "--lang", "german language"],
     ["build", "x", "-o", "y", "--nonsense"], ["dump", "kb.skb", "more"]],
    ids=" ".join,
)  # fmt: skip
def test_wrong_usage_ends_with_2(arguments: Sequence[str]) -> None:
    result = _weft(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("group", [[], ["llm"], ["testset"]], ids=" ".join)
def test_a_group_without_a_command_shows_its_help(group: Sequence[str]) -> None:
    result = _weft(*group)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == _weft(*group, "--help").stdout


def test_help_imports_only_click() -> None:
    done = subprocess.run([sys.executable, "-X", "importtime", "-m", "interfaces.cli", "--help"], capture_output=True,
                          text=True, check=True)  # fmt: skip
    packages = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines() if "|" in line}
    foreign = {name for name in packages if name not in sys.stdlib_module_names}
    allowed = {"click", "interfaces", "weft", "imported package", "sitecustomize", "usercustomize", "_virtualenv",
               "site", "builder"}  # fmt: skip
    assert not {name for name in foreign - allowed if not name.startswith(("__editable__", "_distutils", "distutils"))}


# mistakes


def test_a_missing_or_foreign_skb_is_one_line_for_every_command(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a knowledge base")
    questions = write_records(tmp_path / "q.jsonl", [{"id": "1", "question": "q?", "gold": []}])
    for path, reason in ((tmp_path / "missing.skb", "no such file"), (tmp_path / "notes.txt", "not a knowledge base"),
                         (tmp_path, "is a folder")):  # fmt: skip
        for command in (["info"], ["check"], ["dump"], ["show", "A"], ["search", "q"], ["remove", "A"],
                        ["evaluate", questions]):  # fmt: skip
            name, *rest = map(str, command)
            assert reason in _mistake(name, path, *rest)
    assert not list(tmp_path.glob("*.part"))


def test_mistakes_in_a_build_are_one_line(tmp_path: Path, pages: Path) -> None:
    output = tmp_path / "kb.skb"
    (tmp_path / "empty").mkdir()
    (tmp_path / "f.rdf").write_text("<rdf/>")
    assert "no such file or folder" in _mistake("build", tmp_path / "none", "-o", output)
    assert "no such file or folder" in _mistake("build", f"htm:{tmp_path / 'none'}", "-o", output)
    assert "htm: no such format; choose one of auto, mixed, html" in _mistake("build", f"htm:{pages}", "-o", output)
    assert "holds no .html" in _mistake("build", tmp_path / "empty", "-o", output)
    assert "named twice" in _mistake("build", pages, pages, "-o", output)
    assert "no such embedder" in _mistake("build", pages, "-o", output, "--embedder", "nonsense")
    assert "no such file" in _mistake("build", pages, "-o", output, "--rdf", tmp_path / "none.nt")
    assert "convert it to .nt" in _mistake("build", pages, "-o", output, "--rdf", tmp_path / "f.rdf")
    assert "no such folder" in _mistake("build", pages, "-o", tmp_path / "none" / "kb.skb")
    assert "is a folder" in _mistake("build", pages, "-o", tmp_path / "empty")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "f.rdf", "pages"]


def test_what_a_failed_build_leaves_is_told(tmp_path: Path, pages: Path) -> None:
    output = tmp_path / "kb.skb"
    line = _mistake("build", pages, "-o", output, "--sparql", "http://127.0.0.1:9/sparql")
    assert line.endswith("; kb.skb.part keeps what was done until then, and the same command goes on from there")
    assert (tmp_path / "kb.skb.part").exists()


def test_what_the_system_refuses_is_one_line(tmp_path: Path, pages: Path) -> None:
    (tmp_path / "kb.skb.lock").mkdir()
    assert "kb.skb.lock" in _mistake("build", pages, "-o", tmp_path / "kb.skb")
    long = "x" * 300
    assert "File name too long" in _mistake("build", pages, "-o", tmp_path / long)
    assert "File name too long" in _mistake("info", tmp_path / long)


def test_a_damaged_skb_is_one_line(tmp_path: Path, world: Path) -> None:
    path = tmp_path / "kb.skb"
    data = bytearray(world.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(data)
    for command in (["info"], ["show", "A"], ["search", "lamp"], ["dump"]):
        assert "damaged" in _mistake(command[0], path, *command[1:])


def test_removing_an_unknown_title_names_what_is_meant(tmp_path: Path, pages: Path) -> None:
    output = tmp_path / "kb.skb"
    _weft("build", pages, "-o", output)
    assert "C: no page of that title" in _mistake("remove", output, "A", "C")
    result = _weft("remove", output, "a", "B")
    assert (result.exit_code, result.stdout) == (0, "2 pages removed, 0 left\n")


# building


def test_a_build_prints_a_summary_and_warns_on_stderr(tmp_path: Path, pages: Path) -> None:
    output = tmp_path / "kb.skb"
    write_pages(pages, {"Bad.html": ""})
    facts = tmp_path / "f.nt"
    facts.write_text(triple("A", "knows", "A"))
    result = _weft("build", pages, "-o", output, "--rdf", facts)
    assert result.exit_code == 0
    assert result.stdout.startswith("documents: 2 read, 1 rejected")
    assert "rejected 1 document; weft info" in result.stderr
    (pages / "B.html").unlink()
    again = _weft("build", pages, "-o", output)
    assert "removed 1 document no longer in the sources" in again.stderr
    assert "removed 1 fact file no longer named" in again.stderr
    assert _weft("build", pages, "-o", output).stdout.startswith(f"{output} is up to date")


def test_facts_that_are_carried_are_said_in_one_line(tmp_path: Path, pages: Path) -> None:
    output = tmp_path / "kb.skb"
    for name in ("f.nt", "g.nt"):
        (tmp_path / name).write_text(triple("A", "knows", "A"))
    _weft("build", pages, "-o", output, "--rdf", tmp_path / "f.nt")
    more = write_records(tmp_path / "more.jsonl", [{"title": "C", "text": "A pier."}])
    for arguments in ([], ["--rdf", str(tmp_path / "g.nt")]):
        result = _weft("build", more, "-o", output, "--add", *arguments)
        assert result.stderr.count("joined only among what was already there") == 1
    named = ["--rdf", str(tmp_path / "f.nt"), "--rdf", str(tmp_path / "g.nt")]
    assert _weft("build", more, "-o", output, "--add", *named).stderr == ""


def test_adding_keeps_the_settings(tmp_path: Path, pages: Path) -> None:
    output = tmp_path / "kb.skb"
    _weft("build", pages, "-o", output, "--embedder", "lengths", "--lang", "de")
    more = write_records(tmp_path / "more.jsonl", [{"title": "C", "text": "A pier."}])
    assert _weft("build", more, "-o", output, "--add").exit_code == 0
    settings = json.loads(str(rows(output, "SELECT value FROM meta WHERE key = 'settings'")[0][0]))
    assert (settings["embedder"], settings["languages"]) == ("lengths", ["de"])


def test_languages_are_parted_by_commas_or_named_one_by_one(tmp_path: Path, pages: Path) -> None:
    facts = tmp_path / "f.nt"
    tags = ("de", "de-AT", "pt", "pt-BR", "pt-PT", "en")
    lines = [f'<http://a/resource/A> <http://a/says> "{tag}"@{tag} .\n' for tag in tags]
    facts.write_text("".join(lines) + '<http://a/resource/A> <http://a/says> "plain" .\n')
    for number, given in enumerate((["--lang", "DE, pt-br"], ["--lang", "de", "--lang", "pt-BR"])):
        output = tmp_path / f"{number}.skb"
        assert _weft("build", pages, "--rdf", facts, "-o", output, *given).exit_code == 0
        assert [row[0] for row in rows(output, "SELECT value FROM attribute ORDER BY value")] == [
            "de", "de-AT", "plain", "pt-BR",
        ]  # fmt: skip


def test_a_source_can_name_its_format(tmp_path: Path) -> None:
    notes = write_records(tmp_path / "notes.txt", [{"title": "A", "text": "A lamp."}])
    (tmp_path / "page.txt").write_text(page("B", "A pier."))
    result = _weft("build", f"jsonl:{notes}", f"html:{tmp_path / 'page.txt'}", "-o", tmp_path / "kb.skb")
    assert result.exit_code == 0, result.output
    assert rows(tmp_path / "kb.skb", "SELECT title FROM page ORDER BY 1") == [("A",), ("B",)]


@pytest.mark.parametrize("more", [[], ["--dry-run"], ["--dry-run", "--json"], ["--engine", "local", "--dry-run"]])
def test_a_master_without_spark_is_a_mistake_in_a_dry_run_too(tmp_path: Path, pages: Path, more: list[str]) -> None:
    result = _weft("build", pages, "-o", tmp_path / "kb.skb", "--master", "local", *more)
    assert (result.exit_code, result.stdout, result.stderr) == (
        1, "", "Error: --master goes with --engine spark\n"
    )  # fmt: skip


def test_a_dry_run_writes_nothing(tmp_path: Path, pages: Path) -> None:
    output = tmp_path / "kb.skb"
    result = _weft("build", pages, "-o", output, "--dry-run")
    assert result.stdout == f"would read pages as html (2 files, 0.0 MB)\nwould make {output}\n"
    plan = _json("build", pages, "-o", output, "--dry-run", "--json")
    assert isinstance(plan, dict) and plan["sources"] == [
        {"label": "pages", "format": "html", "files": 2, "bytes": sum(each.stat().st_size for each in pages.iterdir()),
         "too_large": 0, "unlisted": 0, "ignored": {}}
    ]  # fmt: skip
    assert list(tmp_path.iterdir()) == [pages]
    _weft("build", pages, "-o", output)
    before = output.read_bytes(), output.stat().st_mtime_ns
    write_pages(pages, {"C.html": page("C", "New.")})
    assert f"would update {output}" in _weft("build", pages, "-o", output, "--dry-run").stdout
    assert (output.read_bytes(), output.stat().st_mtime_ns) == before


def test_a_dry_run_counts_what_is_not_named_any_more(tmp_path: Path, pages: Path) -> None:
    output = tmp_path / "kb.skb"
    facts = tmp_path / "f.nt"
    facts.write_text("<http://facts.example/a> <http://facts.example/b> <http://facts.example/c> .\n")
    other = write_pages(tmp_path / "other", {"O.html": page("O", "A weir.")})
    _weft("build", pages, "--rdf", facts, "-o", output)
    again = ("build", other, "-o", output, "--dry-run")
    assert _weft(*again).stdout.splitlines() == [
        "would read other as html (1 file, 0.0 MB)",
        "would remove 2 documents of pages, which is not named; --add keeps what is there",
        "would remove the facts of f.nt, which is not named; --add keeps what is there",
        f"would update {output}",
    ]
    plan = _json(*again, "--json")
    assert isinstance(plan, dict)
    assert (plan["removed"], plan["removed_sources"]) == (2, [{"label": "pages", "documents": 2}])
    assert plan["facts_removed"] == ["f.nt"]
    for more in (("--add",), ("--limit", "1")):
        assert _weft(*again, *more).stdout == f"would read other as html (1 file, 0.0 MB)\nwould update {output}\n"
    assert "would remove" not in _weft("build", pages, "--rdf", facts, "-o", output, "--dry-run").stdout


def test_a_dry_run_names_the_documents_whose_files_are_gone(tmp_path: Path, pages: Path) -> None:
    output = tmp_path / "kb.skb"
    (pages / "notes").mkdir()
    for name in "abcdef":
        (pages / "notes" / f"{name}.md").write_text(f"# Note {name}\n\nA lamp of kind {name}.\n")
    (pages / "g.md").write_text("# Note g\n\nA lamp of kind g.\n")
    write_records(pages / "town.jsonl", [{"title": "Veldra.md", "text": "A town."}, {"title": "Os", "text": "A sea."}])
    again = ("build", pages, "-o", output, "--dry-run")
    assert _weft(*again[:-1]).exit_code == 0
    assert "would remove" not in _weft(*again).stdout
    (pages / "B.html").unlink()
    shutil.rmtree(pages / "notes")
    plan = _json(*again, "--json")
    assert isinstance(plan, dict) and (plan["removed"], plan["removed_documents"]) == (
        7, [{"label": "pages", "documents": 7, "places": ["B.html", *(f"notes/{name}.md" for name in "abcd")]}]
    )  # fmt: skip
    shown = "B.html, notes/a.md, notes/b.md, notes/c.md, notes/d.md, ..."
    assert f"would remove 7 documents of pages, no longer there: {shown}\n" in _weft(*again).stdout
    assert "would remove" not in _weft(*again, "--add").stdout
    assert "removed 7 documents no longer in the sources" in _weft(*again[:-1]).stderr
    write_pages(pages, {"New.html": page("New", "New.")})
    for name in ("g.md", "town.jsonl"):
        (pages / name).unlink()
    # The folder is one of pages only now, so that titles are known to be gone too.
    assert _json(*again, "--json")["removed_documents"] == [  # type: ignore[call-overload]
        {"label": "pages", "documents": 3, "places": ["Os", "Veldra.md", "g.md"]}
    ]


def test_a_dry_run_tells_what_would_not_be_read(tmp_path: Path) -> None:
    port = tmp_path / "port"
    (port / "img").mkdir(parents=True)
    (port / "a.md").write_text("# A\n")
    (port / "b.txt").write_text("x" * 1_200_000)
    for name in ("l.png", "m.png", "LICENSE"):
        (port / "img" / name).write_text("x")
    os.mkfifo(port / "c.md")
    command = ("build", port, "-o", tmp_path / "kb.skb", "--dry-run")
    assert _weft(*command).stdout.splitlines()[:2] == [
        "would read port as text (2 files, 1.2 MB)",
        "would pass over files of port: .png 2, files without a suffix 1",
    ]
    assert _weft(*command, "--max-page-mb", "1").stdout.splitlines()[1] == (
        "would reject 1 file of port, larger than --max-page-mb"
    )
    plan = _json("build", "wikipedia:Moon", "-o", tmp_path / "kb.skb", "--dry-run", "--json")
    assert isinstance(plan, dict) and plan["sources"] == [{"label": "wikipedia:Moon", "format": "wikipedia"}]


def test_json_of_every_command_parses(tmp_path: Path, pages: Path) -> None:
    output = tmp_path / "kb.skb"
    write_pages(pages, {"Bad.html": ""})
    questions = write_records(tmp_path / "q.jsonl", [{"id": "1", "question": "lamp?", "gold": [{"title": "A"}]}])
    built = _json("build", pages, "-o", output, "--json")
    assert isinstance(built, dict) and built["documents"] == {"read": 2, "rejected": 1}
    told = _json("info", output, "--json")
    assert isinstance(told, dict) and told["counts"]["page"] == 2
    assert _json("info", output, "--rejects", "--json") == {
        "source": "pages", "place": "Bad.html", "state": "rejected", "reason": "the file is empty",
    }  # fmt: skip
    shown = _json("show", output, "A", "--json")
    assert isinstance(shown, dict) and shown["kind"] == "page"
    assert _json("check", output, "--json") == {"ok": True, "problems": []}
    found = _json("search", output, "lamp", "--json")
    assert isinstance(found, dict) and set(found) == {"question", "method", "unit", "seconds", "warnings", "hits"}
    assert found["method"] == "hybrid" and found["hits"][0]["uri"] == "A##1"
    judged = _json("evaluate", output, questions, "--json")
    assert isinstance(judged, dict) and judged["questions"] == 1
    dump = _weft("dump", output, "--vectors", "--json").stdout.splitlines()
    assert all(isinstance(json.loads(line), dict) for line in dump)
    removed = _json("remove", output, "A", "--json")
    assert isinstance(removed, dict) and removed["removed"] == 1


def test_show_finds_what_a_uri_names(world: Path) -> None:
    for uri, kind in (("Quillon Bridge", "page"), ("Quillon Bridge##1", "chunk")):
        shown = _json("show", world, uri, "--json")
        assert isinstance(shown, dict) and (shown["kind"], shown["uri"]) == (kind, uri)
    (section,) = rows(world, "SELECT uri FROM section ORDER BY uri LIMIT 1")[0]
    shown = _json("show", world, str(section), "--json")
    assert isinstance(shown, dict) and (shown["kind"], shown["uri"]) == ("section", section)
    assert "nothing has this uri" in _mistake("show", world, "No such thing at all")


# searching

QUESTIONS = [
    "", " ", "\t\n", '"', "'", '"""', "AND", "OR", "NOT", "NEAR(", "NEAR(a b, 3)", "a AND", "*", "^", "a*", "{a}: b",
    "text:lamp", "-lamp", "+", "?!.,;:", "((((", "lamp)", "\U0001f600", "\U0001f600 lamp", "\u200d", "²", "ß", "日本語",
    "a\0b", "\ud800", "%s %d", "'; DROP TABLE page; --", "_", "\u0301", "the of and", "x" * 100_000,
    " ".join(f"word{n}" for n in range(2_000)), "lamp " * 10_000,
]  # fmt: skip


@pytest.mark.parametrize(
    "options",
    [["-m", "bm25"], ["-m", "vector"], ["--fusion", "rrf"], ["-m", "bm25", "--unit", "entity"], ["--unit", "entity"]],
    ids=" ".join,
)
def test_no_question_is_an_error(world: Path, options: list[str]) -> None:
    for question in QUESTIONS:
        result = _weft("search", world, "--json", *options, "--", question)
        assert result.exit_code == 0, (question[:40], result.output[-300:])
        told = json.loads(result.stdout)["warnings"]
        assert result.stderr == "".join(f"{line}\n" for line in told) and len(told) <= 1
        assert isinstance(json.loads(result.stdout)["hits"], list)


def test_a_question_of_marks_finds_what_its_words_find(world: Path) -> None:
    def hits(question: str) -> object:
        found = _json("search", world, question, "-m", "bm25", "--json")
        assert isinstance(found, dict)
        return [(hit["uri"], hit["score"]) for hit in found["hits"]]

    assert hits('("Quillon" AND bridge*)') == hits("quillon BRIDGE") != []


def test_questions_from_stdin_are_answered_line_by_line(world: Path) -> None:
    result = _weft("search", world, "-", "--json", stdin=b"bridge\n\ncaf\xe9 \xff\nriver\n")
    assert result.exit_code == 0, result.output
    assert [json.loads(line)["question"] for line in result.stdout.splitlines()] == [
        "bridge", "caf\ufffd \ufffd", "river",
    ]  # fmt: skip


def test_a_question_that_begins_with_a_dash_is_told_where_to_stand(world: Path) -> None:
    for command in ("search", "ask"):
        result = _weft(command, world, "--keep")
        assert result.exit_code == 2 and "A question that begins with a dash stands behind --." in result.output
        assert _weft(command, world, "--", "--keep").exit_code == 0
    assert "dash" not in _weft("info", world, "--keep").output


def test_an_answer_comes_before_the_next_question(world: Path) -> None:
    command = [*WEFT, "search", str(world), "-", "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        for question in ("bridge", "river"):
            process.stdin.write(question + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["question"] == question
        process.stdin.close()
    assert process.returncode == 0


def test_arguments_that_are_no_utf8_are_no_traceback(world: Path) -> None:
    question = os.fsdecode(b"br\xfccke bridge")
    done = subprocess.run([*WEFT, "search", str(world), question, "--json"], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["question"] == "br\ufffdcke bridge"
    lost = subprocess.run([*WEFT, "show", str(world), os.fsdecode(b"br\xfccke")], capture_output=True)
    assert (lost.returncode, lost.stderr.count(b"\n"), lost.stderr[:7]) == (1, 1, b"Error: ")


def test_a_hit_that_ends_with_a_colon_is_shown_with_what_it_introduces(tmp_path: Path) -> None:
    lead, section = "To restart the kiln, hold the lever:", "It is locked. To restart it at night, type:"
    (tmp_path / "kiln.md").write_text(f"# Kiln\n\n{lead}\n\n## Levers\n\n{section}\n\n    relight --slow\n")
    skb = tmp_path / "kb.skb"
    assert _weft("build", tmp_path / "kiln.md", "-o", skb).exit_code == 0
    found = _json("search", skb, "How do I restart it at night?", "-m", "bm25", "--json")
    assert isinstance(found, dict)
    followed = {hit["uri"]: hit.get("following") for hit in found["hits"]}
    # What stands below the next heading is introduced by that heading.
    assert followed == {"Kiln#Levers##1": "relight --slow", "Kiln##1": None}
    shown = _weft("search", skb, "How do I restart it at night?", "-m", "bm25", "-k", "1").stdout
    assert "restart it at night, type:\n   relight --slow\n" in shown
    with weft.open(skb) as kb:
        assert [hit.following for hit in kb.search("restart at night", method="bm25")] == ["relight --slow", None]


def test_what_may_help_is_shown_with_its_lines(tmp_path: Path) -> None:
    (tmp_path / "kiln.md").write_text("# Kiln\n\nIt is old.\n\n## Locks\n\n    unlock the lid\n      lift it slowly\n")
    assert _weft("build", tmp_path / "kiln.md", "-o", tmp_path / "kb.skb").exit_code == 0
    shown = _weft("ask", tmp_path / "kb.skb", "How do I unlock the lid?", "--least-confidence", "1").stdout
    assert "Kiln#Locks##1:\n    unlock the lid\n      lift it slowly\n" in shown


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["dump", "search"])
def test_a_reader_that_has_seen_enough_gets_no_traceback(
    world: Path, command: str, unbuffered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    rest = f"dump {world} --vectors" if command == "dump" else f"search {world} - --json"
    feed = "yes bridge | " if command == "search" else ""
    script = f"{feed}{' '.join(WEFT)} {rest} | head -n 1 > {os.devnull}; echo ${{PIPESTATUS[-2]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("0\n", "")


# checking


def _damage(world: Path, tmp_path: Path, statement: str, *values: object) -> Path:
    path = tmp_path / "kb.skb"
    shutil.copy(world, path)
    connection = sqlite3.connect(path)
    assert connection.execute(statement, values).rowcount > 0
    connection.commit()
    connection.close()
    return path


DAMAGES = {
    "a span": 'UPDATE link SET "end" = "end" + 1 WHERE chunk_id = (SELECT min(chunk_id) FROM link)',
    "all chunk vectors": "DELETE FROM vector WHERE space = 'chunk'",
    "all relation type vectors": "DELETE FROM vector WHERE space = 'relation_type'",
    "a block cut short": "UPDATE vector SET rows = substr(rows, 1, length(rows) - 3) WHERE space = 'label'",
    "ids cut short": "UPDATE vector SET ids = substr(ids, 1, length(ids) - 3) WHERE space = 'label'",
    "an empty block": "UPDATE vector SET rows = x'' WHERE space = 'label'",
    "numbers that are none": "UPDATE vector SET rows = x'0000c07f' || substr(rows, 5) WHERE space = 'label'",
    "long rows": "UPDATE vector SET rows = x'0000803f0000803f0000803f' || substr(rows, 13) WHERE space = 'label'",
    "no postings": "DELETE FROM array WHERE name = 'posting.label.row'",
    "other postings": "UPDATE array SET data = CAST(x'00000000' || substr(data, 5) AS BLOB)"
    " WHERE name = 'posting.chunk.weight' AND block = 1",
    "postings that go on": "UPDATE array SET data = CAST(data || x'00000000' AS BLOB)"
    " WHERE name = 'posting.chunk.row' AND block = 1",
    "other words": "UPDATE array SET data = CAST(x'00000000' || substr(data, 5) AS BLOB)"
    " WHERE name = 'posting.chunk.word'",
    "postings of nothing": "INSERT INTO array SELECT replace(name, 'label', 'document'), block, dtype, data FROM array"
    " WHERE name GLOB 'posting.label.*'",
    "rows twice": "INSERT INTO vector SELECT space, block + 1, ids, rows FROM vector WHERE space = 'chunk'",
    "a chunk that is not indexed": "INSERT INTO chunk SELECT id + 100000, 'x##9', page_id, section_id, 9, kind, 0, 1,"
    " text FROM chunk LIMIT 1",
    "a section of another page": "UPDATE chunk SET page_id = (SELECT max(id) FROM page) WHERE id ="
    " (SELECT min(id) FROM chunk WHERE section_id IS NOT NULL)",
    "a lost page": "DELETE FROM page WHERE id = (SELECT min(id) FROM page)",
    "a title": "UPDATE page SET title = 'Other' WHERE id = (SELECT min(id) FROM page)",
    "a lost source": "DELETE FROM relation_source WHERE relation_id = (SELECT min(id) FROM relation)",
    "an entity without reason": "INSERT INTO entity (uri, name, label) VALUES ('Ghost', 'Ghost', 'Ghost')",
    "settings": "UPDATE meta SET value = '{' WHERE key = 'vector_dtype'",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_check_finds_damage(world: Path, tmp_path: Path, damage: str) -> None:
    path = _damage(world, tmp_path, DAMAGES[damage])
    result = _weft("check", path)
    assert result.exit_code == 1
    assert result.stdout and "is whole" not in result.stdout and "Traceback" not in result.output


def test_check_finds_damaged_bytes(world: Path, tmp_path: Path) -> None:
    data = world.read_bytes()
    choose = np.random.default_rng(5)
    for place in choose.integers(2, len(data) // 4096, 6).tolist():
        path = tmp_path / "kb.skb"
        path.write_bytes(data[: place * 4096] + choose.bytes(4096) + data[(place + 1) * 4096 :])
        result = _weft("check", path)
        assert result.exit_code == 1, place
        assert not isinstance(result.exception, sqlite3.Error)


def test_check_passes_what_is_whole(world: Path) -> None:
    assert _weft("check", world).stdout == f"{world} is whole\n"


def test_an_output_that_is_a_folder_is_a_mistake(
    pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for output in (".", "..", "pages", "/"):
        assert "is a folder" in _mistake("build", pages, "-o", output)
        assert "is a folder" in _mistake("build", pages, "--add", "-o", output)
    (tmp_path / "loop.skb").symlink_to("loop.skb")
    assert "leads back to itself" in _mistake("build", pages, "-o", "loop.skb")


def test_a_label_of_another_place_is_told_on_stderr(pages: Path, tmp_path: Path) -> None:
    other = write_pages(tmp_path / "other" / "pages", {"C.html": page("C", "A pier.")})
    assert _weft("build", pages, "-o", tmp_path / "kb.skb").stderr == ""
    told = _weft("build", other, "--add", "-o", tmp_path / "kb.skb").stderr
    assert told.splitlines() == [
        f"pages: that label is on record for another place; what {other} says is under other/pages"
    ]


def test_questions_without_gold_are_measured_by_nothing(pages: Path, tmp_path: Path) -> None:
    kb = tmp_path / "kb.skb"
    _weft("build", pages, "-o", kb)
    questions = write_records(tmp_path / "q.jsonl", [{"id": "1", "question": "where is the lamp?", "gold": []}])
    report = {"questions": 1, "unjudged": 1, "unresolved": 0, "unresolved_questions": 0, "unit": "chunk",
              "methods": {}, "paired": {}}  # fmt: skip
    assert _json("evaluate", kb, questions, "--json") == report
    assert _weft("evaluate", kb, questions).stdout.splitlines() == [
        "1 question, 1 unjudged, 0 gold items not in the SKB, unit chunk",
        "no question has gold, so there is nothing to measure",
    ]
    assert "no ranker is named psychic" in _mistake("evaluate", kb, questions, "-m", "psychic")
