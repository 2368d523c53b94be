"""A full disk is one line that says so, and what was there stays as it was."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interfaces.cli import main
from retriever.fusion.shipped import MODELS
from retriever.fusion.store import load, save
from tests.conftest import FIXTURES
from tests.worlds import page, write_pages
from weft.errors import DiskFull
from weft.output_file import write_whole

MOST_BYTES = 40_000
"""A file may grow no larger than this in these tests, as with `ulimit -f`."""

COMMANDS: dict[str, list[str]] = {
    "build": ["build", "{pages}", "-o", "{output}"],
    "update": ["build", "{pages}", "-o", "{skb}"],
    "remove": ["remove", "{skb}", "A"],
    "export a file": ["export", "{world}", "--to", "nquads", "-o", "{output}"],
    "export a folder": ["export", "{world}", "--to", "neo4j", "-o", "{output}"],
    "questions": ["questions", "{questions}", "-o", "{output}"],
    "evaluate": ["evaluate", "{world}", "{few}", "-m", "bm25", "-o", "{output}"],
    "search": ["search", "{world}", "lamp", "-m", "bm25", "--trace", "/dev/full"],
}


@pytest.fixture
def run(tmp_path: Path, world: Path) -> Callable[[str], Result]:
    """Run a command by its name where no file may grow large."""
    pages = write_pages(tmp_path / "pages", {name + ".html": page(name, f"A lamp of {name}.") for name in "AB"})
    skb = tmp_path / "kb.skb"
    assert CliRunner().invoke(main, ["build", str(pages), "-o", str(skb), "--workers", "1"]).exit_code == 0
    write_pages(pages, {"C.html": page("C", "A bay. " * 9000)})
    asked = (FIXTURES / "questions.jsonl").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "few.jsonl").write_text("".join(asked[:3]), "utf-8")
    (tmp_path / "many.jsonl").write_text("".join(
        line.replace('"id": "', f'"id": "{n}-') for n in range(20) for line in asked
    ), "utf-8")  # fmt: skip
    known = {"pages": pages, "skb": skb, "world": world, "output": tmp_path / "made", "few": tmp_path / "few.jsonl",
             "questions": tmp_path / "many.jsonl"}  # fmt: skip

    def run_it(command: str) -> Result:
        with _small_files():
            return CliRunner().invoke(main, [each.format_map(known) for each in COMMANDS[command]])

    return run_it


@contextmanager
def _small_files(most_bytes: int = MOST_BYTES) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("command", COMMANDS)
def test_where_nothing_more_can_be_written_a_command_ends_in_one_line(
    run: Callable[[str], Result], tmp_path: Path, command: str
) -> None:
    before = (tmp_path / "kb.skb").read_bytes()
    result = run(command)
    assert result.exit_code == 1 and isinstance(result.exception, SystemExit), result.exception
    last = result.stderr.splitlines()[-1]
    assert last.startswith("Error: ") and ("disk is full" in last or "may grow so large" in last), last
    assert (tmp_path / "kb.skb").read_bytes() == before
    assert not (tmp_path / "made").exists()
    assert "damaged" not in last


def test_a_fusion_that_does_not_fit_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "fusion.json"
    path.write_text("the old one")
    with _small_files(), pytest.raises(DiskFull, match=r"fusion\.json: the disk is full"):
        save(path, load(MODELS / "mlp.json"))
    assert (os.listdir(tmp_path), path.read_text()) == (["fusion.json"], "the old one")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["dump", "info", "check", "show"])
def test_a_full_standard_output_is_one_line(
    world: Path, command: str, unbuffered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    arguments = [command, str(world), *(["Quillon Bridge"] if command == "show" else [])]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "interfaces.cli", *arguments], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 1
    assert done.stderr.splitlines() == ["Error: the disk is full (No space left on device)"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of 1 MB, or skip where that is not allowed."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    if os.geteuid() or not mount:
        pytest.skip("only root mounts disks")
    if subprocess.run([mount, "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True).returncode:
        pytest.skip("disks cannot be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_build_goes_on_once_a_full_disk_has_room(small_disk: Path, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {f"{n}.html": page(f"P{n}", f"Lamp {n}. " * 900) for n in range(60)})
    arguments = ["build", str(pages), "-o", str(small_disk / "kb.skb"), "--workers", "1"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1
    assert "the disk is full" in result.stderr and "free space and run the same command again" in result.stderr
    subprocess.run(["mount", "-o", "remount,size=40m", str(small_disk)], check=True)
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert os.listdir(small_disk) == ["kb.skb"]


@pytest.mark.parametrize("command", ["build", "remove"])
def test_a_disk_without_any_room_is_told_with_the_file_and_what_became_of_it(
    small_disk: Path, tmp_path: Path, command: str
) -> None:
    pages = write_pages(tmp_path / "pages", {name + ".html": page(name, f"A lamp of {name}.") for name in "AB"})
    skb = small_disk / "kb.skb"
    build = ["build", str(pages), "-o", str(skb), "--workers", "1"]
    assert CliRunner().invoke(main, build).exit_code == 0
    before = skb.read_bytes()
    with (small_disk / "all").open("wb", buffering=0) as full, suppress(OSError):
        while full.write(bytes(4096)):
            pass
    result = CliRunner().invoke(main, build if command == "build" else ["remove", str(skb), "A"])
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (
        1, f"Error: {skb}: the disk is full ([Errno 28] No space left on device); nothing was changed:"
           " free space and run the same command again",
    )  # fmt: skip
    assert (skb.read_bytes(), sorted(os.listdir(small_disk))) == (before, ["all", "kb.skb"])


def test_a_trace_that_a_full_disk_cuts_short_is_called_that(world: Path) -> None:
    result = CliRunner().invoke(main, ["search", str(world), "lamp", "-m", "bm25", "--trace", "/dev/full"])
    assert result.stderr == "Error: /dev/full: the disk is full (No space left on device); the trace ends there\n"


@pytest.mark.parametrize("most_bytes", [0, 1, 40, 41, 50, 81])
def test_a_file_without_a_buffer_takes_all_bytes_or_raises(tmp_path: Path, most_bytes: int) -> None:
    lines = [b"a" * 40 + b"\n", b"b" * 40 + b"\n"]
    path = tmp_path / "trace.jsonl"
    with _small_files(most_bytes), path.open("wb", buffering=0) as file, pytest.raises(OSError, match="too large"):
        for line in lines:
            write_whole(file, line)
    assert path.read_bytes() == b"".join(lines)[:most_bytes]


@pytest.mark.parametrize("most_bytes", [100, 2000])
def test_a_trace_that_grows_beyond_what_a_file_may_hold_is_called_cut_short(
    world: Path, tmp_path: Path, most_bytes: int
) -> None:
    trace = tmp_path / "trace.jsonl"
    with _small_files(most_bytes):
        arguments = ["search", str(world), "-", "-m", "bm25", "--trace", str(trace)]
        result = CliRunner().invoke(main, arguments, input="lamp\n" * 20)
    assert (result.exit_code, result.stderr) == (
        1, f"Error: {trace}: the disk is full (File too large); the trace ends there\n"
    )  # fmt: skip
    assert trace.stat().st_size == most_bytes
