"""Where nothing may be written a build is one line, and what is there stays as it is."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from builder.storage.lock import exclusive
from builder.storage.working_copy import working_copy
from interfaces.cli import main
from tests.nobody import as_nobody
from tests.worlds import write_records
from weft.errors import WeftError


@pytest.fixture
def folder() -> Iterator[Path]:
    """Give a folder that everybody can enter."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def _build(folder: Path, output: Path) -> str:
    """Build as nobody, which must end in one line."""
    records = write_records(folder / "r.jsonl", [{"title": "A", "text": "A lamp."}])
    with tempfile.TemporaryDirectory() as other:
        # Imports what a build needs: nobody may have no access to the libraries.
        CliRunner().invoke(main, ["build", str(records), "-o", f"{other}/kb.skb", "--workers", "1"])
    with as_nobody():
        result = CliRunner().invoke(main, ["build", str(records), "-o", str(output), "--workers", "1"])
    assert result.exit_code == 1 and isinstance(result.exception, SystemExit), result.exception
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: "), line
    return line


@pytest.mark.skipif(os.geteuid() != 0, reason="needs files of another user")
@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_a_lock_of_another_user_is_one_line(folder: Path, mode: int) -> None:
    lock = folder / "kb.skb.lock"
    lock.write_text("12345")
    lock.chmod(mode)
    line = _build(folder, folder / "kb.skb")
    assert "kb.skb.lock: the lock of a build cannot be opened (Permission denied)" in line and "remove" not in line
    assert lock.read_text() == "12345"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs files of another user")
@pytest.mark.parametrize(
    ("mode", "reason"),
    [(0o644, f"is being built by process {os.getpid()}"), (0o600, "cannot be opened (Permission denied)")],
    ids=["readable", "unreadable"],
)
def test_a_build_of_another_user_is_waited_for(folder: Path, mode: int, reason: str) -> None:
    with exclusive(folder / "kb.skb"):
        (folder / "kb.skb.lock").chmod(mode)
        line = _build(folder, folder / "kb.skb")
    assert reason in line and "remove" not in line


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a folder of another user")
def test_a_folder_that_may_not_be_written_is_one_line(folder: Path) -> None:
    assert f"{folder / 'kb.skb'}: cannot be written (Permission denied)" in _build(folder, folder / "kb.skb")
    assert os.listdir(folder) == ["r.jsonl"]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a file of another user")
def test_a_file_of_another_user_is_replaced_only_where_its_folder_allows_it(folder: Path) -> None:
    output = folder / "kb.skb"
    records = write_records(folder / "r.jsonl", [{"title": "A", "text": "A lamp."}])
    CliRunner().invoke(main, ["build", str(records), "-o", str(output), "--workers", "1"])
    output.chmod(0o600)
    folder.chmod(0o777)
    before = output.read_bytes()
    assert f"{output}: Permission denied" in _build(folder, output)
    assert output.read_bytes() == before and sorted(os.listdir(folder)) == ["kb.skb", "r.jsonl"]


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/full")], ids=["pipe", "device"])
def test_an_output_that_is_no_file_is_one_line(folder: Path, make: Callable[[Path], object]) -> None:
    output = folder / "kb.skb"
    make(output)
    assert "is a device or a pipe, not a knowledge base" in _build(folder, output)
    assert not stat.S_ISREG(output.stat().st_mode) and not Path("/dev/full.lock").exists()


def test_a_folder_that_is_removed_meanwhile_is_one_line(folder: Path) -> None:
    own = folder / "own"
    own.mkdir()
    with pytest.raises(WeftError, match="see whether its folder is still there"), working_copy(
        own / "kb.skb", "job"
    ) as part:
        shutil.rmtree(own)
        part.connection.execute("INSERT INTO meta VALUES ('a', '1')")
        part.connection.commit()
