"""The README's example gives what it shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from interfaces.cli import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", README, re.S)


def _pattern(shown: str) -> str:
    return ".*".join(re.escape(part) for part in shown.split("..."))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_console_example(folder: Path) -> None:
    (block,) = _blocks("console")
    for step in block.split("$ ")[1:]:
        command, _, shown = step.partition("\n")
        result = CliRunner().invoke(main, shlex.split(command)[1:], catch_exceptions=False)
        assert re.fullmatch(_pattern(shown), result.stdout), f"{command}\n{result.output}"


def test_the_python_example(folder: Path, world: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = _blocks("python")
    (folder / "kb.skb").write_bytes(world.read_bytes())
    exec(compile(block, "README.md", "exec"), {})
    (shown,) = re.findall(r"# (\[.*\])", block)
    assert capsys.readouterr().out.strip() == shown
