"""A search from the command line loads no library that it can do without: loading takes longer than searching."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HEAVY = (
    "scipy", "sklearn", "spacy", "pandas", "openai", "rdflib", "sqlite_utils", "matplotlib", "numpy.random", "difflib",
)  # fmt: skip


def test_a_search_loads_no_heavy_library(world: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "interfaces.cli", "search", str(world), "Who built it?"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "numpy" in loaded
    assert loaded.intersection(HEAVY) == set()
