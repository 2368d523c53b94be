"""What the system does not let a build read is named, and is on record until it can be read."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interfaces.cli import main
from tests.nobody import as_nobody
from tests.worlds import page, write_pages

LISTED = "weft info {} --rejects says why"
DENIED = "docs: {}.html: incomplete: cannot be read: Permission denied"


@pytest.fixture
def folder() -> Iterator[Path]:
    """Give a folder that everybody can enter and write to, with pages."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        texts = {f"{n}.html": page(n, f"{n} is a mill.") for n in ("Ash", "Elm", "Oak")}
        pages = write_pages(Path(name) / "docs", texts)
        (pages / "more").mkdir()
        (pages / "more" / "Yew.html").write_text(page("Yew", "Yew is a mill."))
        yield Path(name)


def _build(folder: Path, *options: str) -> Result:
    """Build as nobody, by a worker that was started before: nobody may not be allowed to run Python."""
    with tempfile.TemporaryDirectory() as other:
        (Path(other) / "a.html").write_text(page("A", "A lamp."))
        CliRunner().invoke(main, ["build", f"{other}/a.html", "-o", f"{other}/kb.skb", "--workers", "1"])
    with as_nobody():
        command = ["build", str(folder / "docs"), "-o", str(folder / "kb.skb"), "--workers", "1", *options]
        result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    return result


def _rejects(folder: Path) -> list[str]:
    return CliRunner().invoke(main, ["info", str(folder / "kb.skb"), "--rejects"]).stdout.splitlines()


def test_a_first_build_names_the_files_that_it_cannot_read(folder: Path) -> None:
    (folder / "docs" / "Ash.html").chmod(0)
    (folder / "docs" / "Elm.html").chmod(0)
    listed = LISTED.format(folder / "kb.skb")
    assert _build(folder).stderr == f"2 files could not be read: Ash.html, Elm.html; {listed}\n"
    assert _rejects(folder) == [DENIED.format("Ash"), DENIED.format("Elm")]
    assert json.loads(_build(folder, "--json").stdout)["unread"] == ["Ash.html", "Elm.html"]


def test_a_folder_that_is_listed_and_not_entered_stops_nothing(folder: Path) -> None:
    (folder / "docs" / "more").chmod(0o644)
    assert _build(folder).stderr == f"1 file could not be read: more/Yew.html; {LISTED.format(folder / 'kb.skb')}\n"


def test_a_path_that_is_too_long_for_the_system_stops_nothing(folder: Path) -> None:
    before = os.getcwd()
    os.chdir(folder / "docs")
    try:
        for _ in range(30):
            os.mkdir("x" * 150)
            os.chdir("x" * 150)
        Path("a.html").write_text(page("A", "A lamp."))
    finally:
        os.chdir(before)
    stderr = _build(folder).stderr
    assert stderr.count("\n") == 1 and "could not be read" in stderr


def test_an_update_says_that_what_was_known_of_them_stays(folder: Path) -> None:
    _build(folder)
    (folder / "docs" / "Ash.html").chmod(0)
    (folder / "docs" / "more").chmod(0)
    listed = LISTED.format(folder / "kb.skb")
    unread = f"2 files or folders could not be read: Ash.html, more/; {listed}\n"
    result = _build(folder)
    assert result.stderr == f"{unread}docs: not read to its end, so nothing of it was removed; {listed}\n"
    assert "4 pages" in result.stdout
    assert _build(folder, "--add").stderr == unread


@pytest.mark.parametrize("option", [[], ["--add"]])
def test_what_can_be_read_again_is_no_reject_any_more(folder: Path, option: list[str]) -> None:
    docs = folder / "docs"
    (docs / "Ash.html").chmod(0)
    (docs / "Elm.html").chmod(0)
    (docs / "more").chmod(0)
    _build(folder)
    (docs / "Ash.html").chmod(0o644)
    (docs / "more").chmod(0o755)
    _build(folder, *option)
    assert _rejects(folder) == [DENIED.format("Elm")]
    (docs / "Elm.html").chmod(0o644)
    assert _build(folder, *option).stderr == ""
    assert _rejects(folder) == []
