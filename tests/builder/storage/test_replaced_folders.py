"""A folder that is replaced is there whole at every moment: as it was, or as it is now."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType

import pytest

from weft.output_file import replacing_folder

OLD, NEW = {"a.txt": "old"}, {"a.txt": "new", "b.txt": "new"}


def _made(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def _held(folder: Path) -> dict[str, str]:
    return {each.name: each.read_text() for each in folder.iterdir()} if folder.is_dir() else {}


def _replace(path: Path, ending: str | None, moment: int) -> bool:
    """Replace a folder, with Ctrl-C before or after a system call at its end; tell whether that moment came."""
    left = moment

    def interrupt(frame: FrameType, event: str, argument: object) -> None:
        nonlocal left
        left -= getattr(argument, "__module__", "") == "posix"
        if left == 0:
            raise KeyboardInterrupt

    # shutil closes a folder twice where it is interrupted in between.
    with suppress(KeyboardInterrupt, OSError):
        try:
            with replacing_folder(path, ending) as folder:
                _made(folder, NEW)
                sys.setprofile(interrupt)
        finally:
            sys.setprofile(None)
    return left <= 0


@pytest.mark.parametrize("ending", [None, ".new"])
@pytest.mark.parametrize("before", [OLD, {}], ids=["there", "absent"])
def test_an_interrupt_leaves_the_old_folder_or_the_new(
    tmp_path: Path, ending: str | None, before: dict[str, str]
) -> None:
    path = tmp_path / "report"
    moment, outcomes = 0, []
    while True:
        moment += 1
        if path.exists():
            shutil.rmtree(path)
        if before:
            _made(path, before)
        came = _replace(path, ending, moment)
        assert _held(path) in (before, NEW), moment
        outcomes.append(_held(path) == NEW)
        if not came:
            break
    assert moment > 20 and outcomes == sorted(outcomes) and outcomes[-1] and not outcomes[0]


def test_the_next_run_puts_back_what_a_killed_one_had_taken_aside(tmp_path: Path) -> None:
    path = tmp_path / "report"
    left = tmp_path / "report.new"
    left.mkdir()
    _made(left / "old", OLD)
    _made(left / "new", NEW)
    with suppress(ZeroDivisionError), replacing_folder(path, ".new"):
        raise ZeroDivisionError
    assert _held(path) == OLD and not left.exists()


def test_a_folder_may_take_the_place_of_a_file_in_what_is_replaced(tmp_path: Path) -> None:
    path = _made(tmp_path / "report", {"plots": "a file"})
    path.chmod(0o750)
    with replacing_folder(path) as folder:
        _made(folder / "plots", NEW)
    assert _held(path / "plots") == NEW and path.stat().st_mode & 0o777 == 0o750


@pytest.mark.parametrize("ending", [None, ".new"])
def test_all_of_a_new_folder_is_durable_before_it_is_put_in_place(tmp_path: Path, ending: str | None) -> None:
    path = _made(tmp_path / "report", OLD)
    calls: list[str] = []

    def watch(frame: FrameType, event: str, argument: object) -> None:
        name = getattr(argument, "__name__", "")
        if event == "c_call" and name == "fsync":
            synced = Path(os.readlink(f"/proc/self/fd/{frame.f_locals['descriptor']}"))
            calls.append(synced.name if synced == tmp_path else synced.as_posix().partition("/new")[2])
        if event == "c_call" and name == "rename":
            calls.append("rename")

    try:
        with replacing_folder(path, ending) as folder:
            _made(_made(folder, NEW) / "plots", NEW)
            sys.setprofile(watch)
    finally:
        sys.setprofile(None)
    first = calls.index("rename")
    within = ["", "/a.txt", "/b.txt", "/plots", "/plots/a.txt", "/plots/b.txt"]
    assert (sorted(calls[:first]), calls[first:]) == (within, ["rename", "rename", tmp_path.name])
