"""Examples in documents: their blocks, and running them."""

from __future__ import annotations

import re
import shlex

from click.testing import CliRunner

from interfaces.cli import main


def blocks(text: str, kind: str) -> list[str]:
    """Return the contents of a document's code blocks of a kind."""
    return re.findall(rf"```{kind}\n(.*?)```", text, re.S)


def shown_by(block: str) -> list[str]:
    """Return the lines that a block of Python says it prints: its comments that stand alone."""
    return re.findall(r"(?m)^ *# (.*)$", block)


def run_console(block: str) -> None:
    """Run each command of a block, and compare what it prints with what is shown; `...` stands for anything."""
    for step in block.split("$ ")[1:]:
        command, _, shown = step.partition("\n")
        result = CliRunner().invoke(main, shlex.split(command)[1:], catch_exceptions=False)
        assert matches(shown, result.stdout), f"{command}\n{result.output}"


def matches(shown: str, printed: str) -> bool:
    """Tell whether something is what a document shows."""
    return re.fullmatch(".*".join(re.escape(part) for part in shown.split("...")), printed, re.S) is not None
