"""What is said on stderr and of hits is true, names what is wrong, and reads well for one thing as for many."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import weft
from builder.export.ntriples import export_rdf
from interfaces.cli import main, stopped
from interfaces.explanation_text import SENTENCES, explanation_lines
from tests.hostile_server import HostileServer, silent
from tests.worlds import page, write_pages, write_records
from weft.errors import UnreadableSource
from weft.skb import Skb


def _weft(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments], input=stdin)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["build", "--help"], ["info"]], ids=" ".join)
def test_what_cannot_be_printed_is_one_line(
    world: Path, arguments: list[str], unbuffered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "interfaces.cli", *arguments, *([str(world)] if arguments == ["info"] else [])],
            stdout=full, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "Error: the disk is full (No space left on device)\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name)
def test_a_command_that_is_stopped_says_so(world: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-m", "interfaces.cli", "search", str(world), "-", "-m", "bm25"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:  # fmt: skip
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write("lamp\n" * 10_000)
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(number)
        process.stdout.read()
        assert process.stderr.read().splitlines()[-1] == "Error: stopped"
    assert process.returncode == 130


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name)
def test_a_build_that_is_stopped_tells_how_to_go_on(tmp_path: Path, number: signal.Signals) -> None:
    def stop(server: HostileServer) -> Iterator[bytes]:
        process.send_signal(number)
        return silent(server)

    with HostileServer(stop) as server:
        command = [sys.executable, "-m", "interfaces.cli", "build", "wikipedia:Lamp", "-o", str(tmp_path / "kb.skb")]
        process = subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "WEFT_WIKIPEDIA": server.url, "WEFT_CACHE": str(tmp_path), "WEFT_OFFLINE": ""},
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )  # fmt: skip
        told = process.communicate(timeout=60)[1]
    assert (process.returncode, told.splitlines()[-1]) == (
        130,
        "Error: stopped; what was there is unchanged, and the build goes on when the same command is run again",
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name)
def test_a_command_that_is_stopped_within_a_function_of_sql_says_so(number: signal.Signals) -> None:
    code = (
        "import os, signal, sqlite3; from interfaces.cli import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "@main.command()\n"
        "def work():\n"
        "    connection = sqlite3.connect(':memory:')\n"
        f"    connection.create_function('long_work', 0, lambda: os.kill(os.getpid(), {int(number)}))\n"
        "    connection.execute('SELECT long_work()').fetchall()\n"
        "main(['work'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "Error: stopped\n")


@pytest.mark.parametrize(("command", "goes_on"), [
    ("build", True), ("load", True), ("search", False), ("info", False), ("remove", False), ("export", False),
    ("evaluate", False), ("train", False), (None, False),
])  # fmt: skip
def test_only_what_is_resumed_is_said_to_go_on(command: str | None, goes_on: bool) -> None:
    assert (f"the {command} goes on" in stopped(command)) is goes_on and stopped(command).startswith("stopped")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["show", "{world}", ""], "the uri is empty; name a page, section, chunk or entity"),
        (["evaluate", "{world}", "{folder}/nofile"], "{folder}/nofile: cannot be read (No such file or directory)"),
        (["build", "mixed:{folder}/notes.tar.gz", "-o", "{folder}/kb.skb"],
         "{folder}/notes.tar.gz: mixed is a format of folders, and this is a file; name its own format"),
        (["build", "html:{folder}/notes.tar.gz", "-o", "{folder}/kb.skb"],
         "{folder}/notes.tar.gz: holds no documents of the format html; ignored: 1 .md; unpack it and name the"
         " folder"),
        (["build", "{folder}/brackets.md", "-o", "{folder}/kb.skb"],
         "nothing was read: 1 rejected, the first brackets.md: the file has no letter and no digit;"
         " {folder}/kb.skb was not written"),
        (["build", "{folder}/deep.jsonl", "-o", "{folder}/kb.skb"],
         "nothing was read: 1 rejected, the first deep.jsonl line 1: not JSON that can be read: nested too"
         " deep; {folder}/kb.skb was not written"),
        (["build", "{folder}/brackets.md", "-o", "{folder}/kb.skb", "--master", "local"],
         "--master goes with --engine spark"),
    ],
)  # fmt: skip
def test_an_error_names_what_is_wrong(world: Path, tmp_path: Path, arguments: list[str], line: str) -> None:
    (tmp_path / "brackets.md").write_text("[" * 5000)
    (tmp_path / "deep.jsonl").write_text('{"title": ' + "[" * 100_000 + "\n")
    (tmp_path / "note.md").write_text("# A\n\nText.\n")
    with tarfile.open(tmp_path / "notes.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "note.md", "note.md")
    known = {"world": world, "folder": tmp_path}
    result = _weft(*(each.format_map(known) for each in arguments))
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"Error: {line.format_map(known)}\n")


def test_every_reason_is_told_where_nothing_at_all_was_read(tmp_path: Path) -> None:
    folder = tmp_path / "bad"
    folder.mkdir()
    for number in range(12):
        (folder / f"{number:02}.md").write_text("[" * (number + 5))
    result = _weft("build", folder, "-o", tmp_path / "kb.skb")
    lines = result.stderr.splitlines()
    assert (result.exit_code, len(lines), (tmp_path / "kb.skb").exists()) == (1, 11, False)
    assert lines[:2] == [f"rejected bad: 0{n}.md: the file has no letter and no digit" for n in range(2)]
    assert lines[-1].startswith("Error: nothing was read: 12 rejected, the first bad: 00.md")
    with pytest.raises(UnreadableSource) as error:
        weft.build(folder, output=tmp_path / "kb.skb")
    assert len(error.value.rejects) == 10


def test_an_output_that_was_cut_short_is_to_be_removed_first(world: Path, tmp_path: Path) -> None:
    half = tmp_path / "half.skb"
    half.write_bytes(world.read_bytes()[: world.stat().st_size // 2])
    (tmp_path / "a.txt").write_text("The spill gate opens by itself.\n")
    result = _weft("build", tmp_path / "a.txt", "-o", half)
    assert result.exit_code == 1
    assert result.stderr.endswith("bytes; copy it again, or remove it (or name another output) and build again\n")


def test_a_title_that_begins_alike_is_suggested(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Lisbon trip, May 2027\n\nThe host is called Joana.\n")
    _weft("build", tmp_path / "a.md", "-o", tmp_path / "kb.skb")
    for name in ("Lisbn", "Lisbon"):
        result = _weft("search", tmp_path / "kb.skb", "host", "--page", name)
        assert result.stderr == (
            f"Error: {name}: no page of that title; did you mean Lisbon trip, May 2027?"
            f" weft info {tmp_path / 'kb.skb'} --pages lists all\n"
        )


@pytest.mark.parametrize("command", [["remove", "{kb}"], ["search", "{kb}", "wash", "--page"]], ids=" ".join)
@pytest.mark.parametrize(("name", "is_meant"), [
    ("faq.md", True), ("help/faq.md", True), ("./notes/help/faq.md", True), ("https://lamp.example/faq", True),
    ("Questions we are asked#Lamps##1", True), ("aq.md", False), ("md", False),
])  # fmt: skip
def test_a_file_is_told_which_page_it_is(tmp_path: Path, command: list[str], name: str, is_meant: bool) -> None:
    (tmp_path / "notes" / "help").mkdir(parents=True)
    text = "---\nurl: https://lamp.example/faq\n---\n# Questions we are asked\n\n## Lamps\n\nWe do not wash lamps.\n"
    (tmp_path / "notes" / "help" / "faq.md").write_text(text)
    (tmp_path / "notes" / "other.md").write_text("# Piers\n\nA pier.\n")
    kb = tmp_path / "kb.skb"
    _weft("build", tmp_path / "notes", "-o", kb)
    result = _weft(*(each.format(kb=kb) for each in command), name)
    meant = "did you mean Questions we are asked? " if is_meant else ""
    assert result.stderr == f"Error: {name}: no page of that title; {meant}weft info {kb} --pages lists all\n"


@pytest.mark.parametrize(("command", "nothing"), [
    ("search", "nothing found"), ("ask", "not answerable from this knowledge base"),
])  # fmt: skip
@pytest.mark.parametrize(("question", "why"), [
    (" ", "the question is empty"),
    ("???", "the question '???' has no letter or digit; ask in words"),
])  # fmt: skip
def test_a_question_without_words_is_said_to_have_none(
    world: Path, command: str, nothing: str, question: str, why: str
) -> None:
    result = _weft(command, world, question)
    assert (result.exit_code, result.stdout, result.stderr) == (0, f"{nothing}: {why}\n", "")


def test_a_long_question_is_shortened_in_what_is_said_of_it(world: Path) -> None:
    result = _weft("search", world, "-", "-m", "vector", "--json", stdin="x" * 3000 + "\nlamp\n")
    assert result.exit_code == 0 and all(len(line) < 300 for line in result.stderr.splitlines()), result.stderr


@pytest.mark.parametrize(("signal_name", "kind"), [key for key, form in SENTENCES.items() if "{score" in form])
@pytest.mark.parametrize(("score", "figure"), [(0.504, "0.50"), (-0.001, "0.00"), (-0.3, "-0.30")])
def test_a_cosine_is_told_as_the_figure_that_it_is(signal_name: str, kind: str, score: float, figure: str) -> None:
    (line, *_) = explanation_lines({"why": [_row(signal_name, kind, "One", score)], "signals": {}})
    assert f"has a cosine of {figure} with the question" in line


@pytest.mark.parametrize("uri", ["One##1", "One"])
def test_only_an_entity_is_where_the_search_of_the_graph_begins(uri: str) -> None:
    why = [_row("graph", "score", "its graph", 0.5) | {"uri": uri}]
    (line, *_) = explanation_lines({"uri": uri, "why": why, "signals": {}})
    assert "is ranked by its graph" in line


def _row(signal_name: str, kind: str, text: str, score: float) -> dict[str, Any]:
    return {"signal": signal_name, "kind": kind, "uri": "A", "text": text, "score": score, "mention": None,
            "contribution": 1.0}  # fmt: skip


@pytest.mark.parametrize("quads", [False, True])
def test_an_export_of_triples_counts_the_things_told_of(world: Path, tmp_path: Path, quads: bool) -> None:
    with Skb(world) as skb:
        counts = export_rdf(skb.connection, tmp_path / "kb.nq", quads=quads).counts
        tables = {"pages": "page", "sections": "section", "chunks": "chunk", "entities": "entity", "cites": "cites",
                  "relations": "relation"}  # fmt: skip
        for name, table in tables.items():
            assert counts[name] == skb.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0], name
    assert counts["triples"] == len((tmp_path / "kb.nq").read_text("utf-8").splitlines())


def test_one_thing_is_told_of_as_one(tmp_path: Path, weave: Callable[..., Any]) -> None:
    records = write_records(tmp_path / "r.jsonl", [{"title": "A", "text": "A lamp."}])
    (tmp_path / "q.jsonl").write_text(json.dumps({"id": "1", "question": "A?", "gold": []}) + "\n")
    _weft("build", records, "-o", tmp_path / "kb.skb", "--workers", "1")
    result = _weft("export", tmp_path / "kb.skb", "--to", "beir", "--questions", tmp_path / "q.jsonl",
                   "-o", tmp_path / "beir")  # fmt: skip
    assert f"{tmp_path / 'beir'}: 1 chunk, 1 question, 1 unjudged question in " in result.stderr
    _weft("remove", tmp_path / "kb.skb", "A")
    result = _weft("export", tmp_path / "kb.skb", "--to", "beir", "-o", tmp_path / "none")
    assert f"{tmp_path / 'none'}: nothing in " in result.stderr


def test_an_update_counts_what_stays_rejected_as_rejected(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nText.\n")
    (folder / "b.md").write_text("[[[")
    first, second = (
        json.loads(_weft("build", folder, "-o", tmp_path / "kb.skb", "--workers", "1", "--json").stdout)["documents"]
        for _ in range(2)
    )
    assert (first, second) == ({"read": 1, "rejected": 1}, {"unchanged": 1, "rejected": 1})


def test_the_counts_of_ignored_files_read_as_lines(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nText.\n")
    (folder / "LICENSE").write_text("Free.")
    _weft("build", folder, "-o", tmp_path / "kb.skb", "--workers", "1")
    assert "    notes: files without a suffix: 1\n" in _weft("info", tmp_path / "kb.skb").stdout


def test_the_examples_of_a_command_work_on_the_fixtures(world: Path) -> None:
    assert '"Quillon Bridge##1"' in _weft("show", "--help").stdout
    assert _weft("show", world, "Quillon Bridge##1").exit_code == 0


def test_the_package_has_its_version() -> None:
    assert weft.__version__ in _weft("--version").stdout


@pytest.mark.parametrize(("name", "text", "option"), [
    ("facts.nt", "<http://x/A> <http://x/near> <http://x/B> .\n", "rdf"),
    ("facts.ttl.gz", "", "rdf"),
    ("facts.jsonl", '{"subject": "A", "predicate": "near", "object": "B", "title": "A"}\n', "triples"),
])  # fmt: skip
def test_facts_that_are_given_as_documents_are_told_how_to_give(
    tmp_path: Path, name: str, text: str, option: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    told = _weft("build", path, "-o", tmp_path / "kb.skb")
    assert (told.exit_code, told.stderr.count("\n")) == (1, 1)
    assert told.stderr.endswith(f"not documents; give it by --{option} {path}\n")


def test_records_about_triples_are_documents(tmp_path: Path) -> None:
    record = {"title": "A", "text": "A lamp.", "subject": "A", "predicate": "near", "object": "B"}
    done = _weft("build", write_records(tmp_path / "a.jsonl", [record]), "-o", tmp_path / "kb.skb")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("command", [["info"], ["show", "A"], ["search", "lamp?"], ["ask", "lamp?"]], ids="-".join)
def test_an_unfinished_build_is_told_where_there_is_nothing_else(tmp_path: Path, command: list[str]) -> None:
    name, *rest = command
    kb = tmp_path / "kb.skb"
    assert f"no such file; build one with weft build SOURCE -o {kb}\n" in _weft(name, kb, *rest).stderr
    (tmp_path / "kb.skb.part").write_bytes(b"what a killed build left")
    assert _weft(name, kb, *rest).stderr == (
        f"Error: {kb}: no such file; kb.skb.part is of a build that was not finished; the same weft build again goes on"
        " where it was\n"
    )


def test_a_large_number_is_shown_in_full(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"A.html": page("A", "A lamp.")})
    facts = tmp_path / "f.nt"
    double = "http://www.w3.org/2001/XMLSchema#double"
    facts.write_text(f'<http://dbpedia.org/resource/A> <http://x/area> "4.12e5"^^<{double}> .\n')
    _weft("build", pages, "--rdf", facts, "-o", tmp_path / "kb.skb")
    shown = _weft("show", tmp_path / "kb.skb", "A").stdout
    assert "number 412,000," in shown and "number 4.12e+05" not in shown


def test_a_file_that_is_not_natural_questions_is_an_error_and_is_told_briefly(tmp_path: Path) -> None:
    given, output = tmp_path / "questions.jsonl", tmp_path / "out.jsonl"
    given.write_text('{"question": "Who?", "answers": ["A"]}\n' * 30)
    done = _weft("questions", f"nq:{given}", "-o", output)
    told = done.stderr.splitlines()
    assert (done.exit_code, output.exists(), len(told)) == (1, False, 12)
    assert told[0] == "questions.jsonl line 1: no question; left out"
    assert told[10] == f"{given}: 30 lines are left out; the first 10 of them are shown"
    assert told[11].startswith(f"Error: {given}: no line is a question of Natural Questions")
