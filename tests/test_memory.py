"""Key tables go to disk when they would be too large, and nothing else changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.conftest import FIXTURES
from tests.worlds import dumped


def test_key_tables_on_disk_give_the_same_knowledge(
    tmp_path: Path, world: Path, weave: Callable[..., object]
) -> None:
    weave(FIXTURES / "encyclopedia", rdf=(str(FIXTURES / "facts.nt"),), memory_mb=0.01)
    assert dumped(tmp_path / "kb.skb") == dumped(world)
