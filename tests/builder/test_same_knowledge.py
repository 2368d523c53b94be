"""Equal knowledge gives equal dumps, however it came about."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from builder.build import build, remove
from builder.request import Request
from interfaces.cli import main
from tests.paths import FIXTURES, ROOT
from tests.worlds import dumped

ENCYCLOPEDIA = FIXTURES / "encyclopedia"
FACTS = str(FIXTURES / "facts.nt")


def _weave(output: Path, source: Path, **options: object) -> Path:
    build(Request((str(source),), output, rdf=(FACTS,), workers=1)._replace(**options))  # type: ignore[arg-type]
    return output


def _command(output: Path) -> list[str]:
    return [
        sys.executable, "-m", "interfaces.cli", "build", str(ENCYCLOPEDIA), "--rdf", FACTS, "-o", str(output),
    ]  # fmt: skip


def _without_source_names(lines: list[str]) -> list[str]:
    return sorted(line.replace("pages.tar.gz", "encyclopedia") for line in lines)


@pytest.mark.slow
def test_workers_and_hash_seed_change_nothing(tmp_path: Path, world: Path) -> None:
    for workers, seed in (("1", "1"), ("2", "2")):
        output = tmp_path / f"{workers}.skb"
        command = _command(output)
        environment = os.environ | {"PYTHONHASHSEED": seed}
        subprocess.run([*command, "--workers", workers], env=environment, check=True, capture_output=True)
        assert dumped(output) == dumped(world)


def test_the_order_of_files_changes_nothing(tmp_path: Path, world: Path) -> None:
    names = sorted(path.name for path in ENCYCLOPEDIA.glob("*.html"))
    random.Random(7).shuffle(names)
    archive = tmp_path / "pages.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        for name in names:
            tar.add(ENCYCLOPEDIA / name, name)
    output = _weave(tmp_path / "kb.skb", archive)
    assert _without_source_names(dumped(output)) == sorted(dumped(world))


@pytest.mark.slow
def test_changes_and_removals_leave_what_a_rebuild_gives(tmp_path: Path) -> None:
    choose = random.Random(11)
    pages = tmp_path / "encyclopedia"
    pages.mkdir()
    for file in sorted(ENCYCLOPEDIA.glob("*.html"))[::3]:
        shutil.copy(file, pages)
    output = _weave(tmp_path / "kb.skb", pages)
    for _ in range(6):
        files = sorted(pages.glob("*.html"))
        changed, gone, swapped = choose.sample(files, 3)
        text = changed.read_text(encoding="utf-8")
        changed.write_text(text.replace("</p>", " Added words.</p>", 2), encoding="utf-8")
        gone.unlink()
        # One page in three rounds takes the title of another: a duplicate that later rounds may free.
        if choose.random() < 0.33:
            swapped.write_bytes(choose.choice([file for file in files if file != gone]).read_bytes())
        _weave(output, pages)
        rebuilt = _weave(tmp_path / "rebuilt.skb", pages)
        assert dumped(output) == dumped(rebuilt)
        _assert_vectors_agree(output, rebuilt)
        rebuilt.unlink()


def _assert_vectors_agree(one: Path, other: Path) -> None:
    pairs = zip(_vectors(one).items(), _vectors(other).items(), strict=True)
    for (uri, row), (other_uri, other_row) in pairs:
        assert uri == other_uri
        assert row.keys() == other_row.keys()
        np.testing.assert_allclose([*row.values()], [*other_row.values()], atol=1e-5)


def _vectors(path: Path) -> dict[tuple[str, str], dict[str, float]]:
    records = (json.loads(line) for line in dumped(path, vectors=True))
    return {(each["space"], each["uri"]): each["row"] for each in records if each["table"] == "vector"}


def test_removed_pages_leave_no_trace(tmp_path: Path) -> None:
    pages = tmp_path / "encyclopedia"
    shutil.copytree(ENCYCLOPEDIA, pages)
    output = _weave(tmp_path / "kb.skb", pages)
    remove(output, ["Quillon Bridge", "Veldra (river)", "1187"])
    for name in ("Quillon_Bridge", "Veldra_(river)", "1187"):
        (pages / f"{name}.html").unlink()
    rebuilt = _weave(tmp_path / "rebuilt.skb", pages)
    assert dumped(output) == dumped(rebuilt)


def test_a_second_build_does_nothing(tmp_path: Path) -> None:
    output = _weave(tmp_path / "kb.skb", ENCYCLOPEDIA)
    before = output.read_bytes(), output.stat().st_mtime_ns
    summary = build(Request((str(ENCYCLOPEDIA),), output, rdf=(FACTS,), workers=1))
    assert not summary.changed
    assert (output.read_bytes(), output.stat().st_mtime_ns) == before
    assert [path.name for path in tmp_path.iterdir()] == ["kb.skb"]


TWENTY_KILLS = """
import os, random, signal, sys, time
from pathlib import Path
from interfaces.cli import main

def started(output):
    child = os.fork()
    if not child:
        main([*sys.argv[1:], "-o", output], standalone_mode=False)
        os._exit(0)
    return child

main([*sys.argv[1:], "-o", "warm.skb"], standalone_mode=False)
start = time.monotonic()
os.waitpid(started("timed.skb"), 0)
whole = time.monotonic() - start
choose = random.Random(3)
kills = 0
while kills < 20:
    child = started("kb.skb")
    time.sleep(choose.uniform(0, whole))
    os.kill(child, signal.SIGKILL)
    if os.waitpid(child, 0)[1] == signal.SIGKILL:
        kills += 1
    else:
        Path("kb.skb").unlink()
"""
"""Each build is a fork of a process that has imported all: a kill meets the build, not its imports."""


@pytest.mark.slow
def test_twenty_kills_change_nothing(tmp_path: Path, world: Path) -> None:
    command = _command(tmp_path / "kb.skb")
    options = command[command.index("build") : command.index("-o")]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    script = [sys.executable, "-c", TWENTY_KILLS, *options]
    subprocess.run(script, cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert CliRunner().invoke(main, command[command.index("build") :]).exit_code == 0
    assert dumped(tmp_path / "kb.skb") == dumped(world)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kb.skb", "timed.skb", "warm.skb"]
