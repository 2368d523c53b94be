"""What commands write: through no link, over nothing else, with the mode that was there."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from builder.storage.working_copy import working_copy
from interfaces.cli import main
from tests.conftest import FIXTURES
from tests.worlds import page, rows, write_pages, write_records
from weft.output_file import create_beside

PRECIOUS = b"dear diary"
LOCKS = (".lock",)
OTHERS = (
    ".part", ".part.new", ".part-journal", ".part-wal", ".part-shm", ".part.new-journal", ".new", ".tmp",
    ".exporting", "-journal", "-wal", "-shm",
)  # fmt: skip
"""Endings of the names that a command may use beside its output."""

PLANTS: dict[str, Callable[[Path, Path], object]] = {
    "link": lambda path, precious: path.symlink_to(precious),
    "link to nothing": lambda path, precious: path.symlink_to(precious.with_name("unborn")),
    "hard link": lambda path, precious: path.hardlink_to(precious),
    "pipe": lambda path, precious: os.mkfifo(path),
}

COMMANDS: dict[str, list[str]] = {
    "build": ["build", "{pages}", "-o", "{output}"],
    "remove": ["remove", "{output}", "A"],
    "demo": ["demo", "-o", "{output}"],
    "export a file": ["export", "{skb}", "--to", "nquads", "--force", "-o", "{output}"],
    "export a folder": ["export", "{skb}", "--to", "neo4j", "--force", "-o", "{output}"],
    "questions": ["questions", "{questions}", "-o", "{output}"],
    "evaluate": ["evaluate", "{skb}", "{questions}", "-m", "bm25", "-o", "{output}"],
    "train": ["train", "{world}", "{asked}", "--model", "logistic", "-o", "{output}"],
    "search": ["search", "{skb}", "lamp", "-m", "bm25", "--trace", "{output}"],
}
FOLDERS = {"export a folder", "evaluate"}
SLOW = {"train", "demo"}


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture(autouse=True)
def _plots_of_one_report(request: pytest.FixtureRequest) -> None:
    """Draw plots in one test alone, where the modes of all files are looked at."""
    if request.node.name != "test_what_is_replaced_keeps_its_mode[evaluate-416]":
        request.getfixturevalue("without_plots")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the SKB of two pages, built once."""
    folder = tmp_path_factory.mktemp("small")
    pages = write_pages(folder / "pages", {name + ".html": page(name, f"A lamp of {name}.") for name in "AB"})
    CliRunner().invoke(main, ["build", str(pages), "-o", str(folder / "small.skb"), "--workers", "1"])
    return folder / "small.skb"


@pytest.fixture
def run(tmp_path: Path, world: Path, small: Path) -> Callable[..., Result]:
    """Run a command by its name in the test's folder, over a small SKB."""
    pages = write_pages(tmp_path / "pages", {name + ".html": page(name, f"A lamp of {name}.") for name in "AB"})
    questions = write_records(tmp_path / "q.jsonl", [{"id": "1", "question": "lamp?", "gold": [{"title": "A"}]}])
    asked = tmp_path / "asked.jsonl"
    asked.write_text("".join((FIXTURES / "questions.jsonl").read_text("utf-8").splitlines(True)[:4]), "utf-8")

    def run_it(command: str, output: Path) -> Result:
        if command == "remove" and not output.exists():
            output.write_bytes(small.read_bytes())
        known = {"pages": pages, "questions": questions, "asked": asked, "skb": small, "world": world, "output": output}
        arguments = [each.format_map(known) for each in COMMANDS[command]]
        return CliRunner().invoke(main, arguments)

    return run_it


def _cases() -> Iterator[Any]:
    for command in COMMANDS:
        for plant in PLANTS:
            for names in (LOCKS, OTHERS):
                if command not in SLOW or (plant, names) == ("link", OTHERS):
                    kind = "lock" if names is LOCKS else "rest"
                    yield pytest.param(command, plant, names, id=f"{command}-{plant}-{kind}")


@pytest.mark.parametrize(("command", "plant", "names"), list(_cases()))
def test_what_is_planted_beside_an_output_is_neither_read_nor_written(
    run: Callable[..., Result], tmp_path: Path, command: str, plant: str, names: tuple[str, ...]
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    precious = tmp_path / "precious.txt"
    precious.write_bytes(PRECIOUS)
    output = folder / "made"
    for ending in names:
        PLANTS[plant](output.with_name(output.name + ending), precious)
    result = run(command, output)
    assert precious.read_bytes() == PRECIOUS
    assert not (tmp_path / "unborn").exists()
    _assert_one_line_or_success(result)


def _assert_one_line_or_success(result: Result) -> None:
    if result.exit_code:
        lines = result.stderr.splitlines()
        assert result.exit_code == 1 and lines[-1].startswith("Error: "), result.output
        assert isinstance(result.exception, SystemExit), result.exception


def test_a_file_of_another_kind_at_the_locks_name_is_left_as_it_is(run: Callable[..., Result], tmp_path: Path) -> None:
    lock = tmp_path / "kb.skb.lock"
    lock.write_bytes(PRECIOUS)
    result = run("build", tmp_path / "kb.skb")
    assert (result.exit_code, lock.read_bytes()) == (1, PRECIOUS)
    assert "is not the lock of a build but something else" in result.stderr


def test_the_lock_of_a_killed_build_is_no_hindrance(run: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "kb.skb.lock").write_text("123456")
    assert run("build", tmp_path / "kb.skb").exit_code == 0
    assert not (tmp_path / "kb.skb.lock").exists()


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - SLOW))
def test_an_output_that_is_a_link_is_followed(run: Callable[..., Result], tmp_path: Path, command: str) -> None:
    real, named = tmp_path / "store" / "real", tmp_path / "named"
    real.parent.mkdir()
    assert run(command, real).exit_code == 0
    named.symlink_to(real)
    assert run(command, named).exit_code == (1 if command == "remove" else 0)
    assert named.is_symlink() and os.listdir(real.parent) == ["real"]


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
@pytest.mark.parametrize("command", sorted(set(COMMANDS) - SLOW - {"remove"}))
def test_what_is_new_follows_the_umask(
    run: Callable[..., Result], tmp_path: Path, command: str, umask: int
) -> None:
    os.umask(umask)
    assert run(command, tmp_path / "made").exit_code == 0
    assert _mode(tmp_path / "made") == (0o777 if command in FOLDERS else 0o666) & ~umask


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
@pytest.mark.parametrize("command", sorted(set(COMMANDS) - SLOW))
def test_what_is_replaced_keeps_its_mode(
    run: Callable[..., Result], tmp_path: Path, command: str, mode: int
) -> None:
    made = tmp_path / "made"
    run(command if command != "remove" else "build", made)
    mode = mode | 0o100 if command in FOLDERS else mode
    made.chmod(mode)
    for each in made.rglob("*.*") if command in FOLDERS else ():
        each.chmod(0o600)
    if command == "build":
        write_pages(tmp_path / "pages", {"C.html": page("C", "A bay.")})
    result = run(command, made)
    assert result.exit_code == 0, result.output
    assert _mode(made) == mode
    assert {_mode(each) for each in made.rglob("*.*")} <= {0o600}


def test_an_updated_skb_is_what_it_was_made_of(run: Callable[..., Result], tmp_path: Path) -> None:
    made = tmp_path / "made.skb"
    run("build", made)
    made.chmod(0o444)
    assert run("remove", made).exit_code == 0
    assert (_mode(made), rows(made, "SELECT title FROM page")) == (0o444, [("B",)])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_what_is_replaced_keeps_its_owner_and_group_where_that_is_allowed(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    for command in ("build", "questions"):
        made = tmp_path / command
        run(command, made)
        os.chown(made, 4321, 8765)
        write_pages(tmp_path / "pages", {"C.html": page("C", "A bay.")})
        assert run(command, made).exit_code == 0
        assert (made.stat().st_uid, made.stat().st_gid) == (4321, 8765)


REPLACE = """
import os, sys
from pathlib import Path
from weft.output_file import replacing
before = os.listdir("/proc/self/fd")
with replacing(Path(sys.argv[1])) as file:
    file.write(b"new")
assert os.listdir("/proc/self/fd") == before
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize(("user", "group", "mode"), [(4242, 0, 0o666), (0, 4242, 0o626), (4242, 4242, 0o666)])
def test_a_file_of_a_user_without_a_number_in_the_namespace_is_replaced(
    tmp_path: Path, user: int, group: int, mode: int
) -> None:
    if subprocess.run(["unshare", "-Ur", "true"], capture_output=True).returncode:
        pytest.skip("user namespaces cannot be made here")
    path = tmp_path / "made"
    path.write_bytes(b"old")
    path.chmod(mode)
    os.chown(path, user, group)
    done = subprocess.run(["unshare", "-Ur", sys.executable, "-c", REPLACE, path], capture_output=True, text=True)
    assert (done.stderr, path.read_bytes(), os.listdir(tmp_path)) == ("", b"new", ["made"])
    assert _mode(path) == (0o666 if mode == 0o626 else mode)


NO_FILES: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "device": lambda path: os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3)),
    "open pipe": lambda path: path.symlink_to(f"/proc/self/fd/{os.pipe()[1]}"),
}
"""What is no regular file; the last is what /dev/stdout is before a `|`."""


@pytest.mark.parametrize("linked", [False, True], ids=["itself", "link"])
@pytest.mark.parametrize("kind", sorted(NO_FILES))
@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {"search"}))
def test_a_pipe_or_a_device_is_never_replaced(
    run: Callable[..., Result], tmp_path: Path, command: str, kind: str, linked: bool
) -> None:
    if kind == "device" and os.geteuid():
        pytest.skip("only root makes devices")
    real = output = tmp_path / "out" / "real"
    real.parent.mkdir()
    NO_FILES[kind](real)
    before = real.stat()
    if linked:
        output = tmp_path / "out" / "named"
        output.symlink_to(real)
    names = os.listdir(real.parent)
    result = run(command, output)
    assert isinstance(result.exception, SystemExit) and result.exit_code == 1, result.output
    (line,) = result.stderr.splitlines()
    known = "is a file" if command in FOLDERS else "is a device or a pipe"
    assert line.startswith(f"Error: {output}: {known}"), line
    assert (real.stat(), os.listdir(real.parent)) == (before, names)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_working_copy_is_never_open_to_more_people(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.write_bytes(PRECIOUS)
    private.chmod(0o600)
    descriptor = create_beside(tmp_path / "private.part", private)
    assert stat.S_IMODE(os.fstat(descriptor).st_mode) == 0o600
    os.close(descriptor)
    with pytest.raises(InterruptedError), working_copy(tmp_path / "kb.skb", "job"):
        raise InterruptedError
    assert [_mode(each) for each in sorted(tmp_path.glob("kb.skb*"))] == [0o644]
    os.replace(tmp_path / "kb.skb.part", tmp_path / "kb.skb")
    (tmp_path / "kb.skb").chmod(0o600)
    with pytest.raises(InterruptedError), working_copy(tmp_path / "kb.skb", "job") as part:
        part.connection.execute("INSERT INTO meta VALUES ('a', '1')")
        assert sorted(each.name for each in tmp_path.glob("kb.skb*")) == [
            "kb.skb", "kb.skb.lock", "kb.skb.part", "kb.skb.part-journal"
        ]  # fmt: skip
        assert {_mode(each) for each in tmp_path.glob("kb.skb*") if each.suffix != ".lock"} == {0o600}
        raise InterruptedError
