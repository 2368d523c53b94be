"""`docs/security.md` names a test behind each promise, and every test that it names exists."""

from __future__ import annotations

import ast
import re

import pytest

from tests.paths import ROOT

TEXT = (ROOT / "docs" / "security.md").read_text("utf-8")
PARTS = ("Input from strangers", "Files from strangers", "The network", "Secrets")
HEAD = ["promise", "how", "test"]
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def _tables() -> dict[str, list[list[str]]]:
    """Return the rows of each part's table without its head."""
    tables: dict[str, list[list[str]]] = {}
    for part in re.split(r"^## ", TEXT, flags=re.M)[1:]:
        lines = [line for line in part.splitlines() if line.startswith("|")]
        rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
        if rows:
            assert rows[0] == HEAD, part.splitlines()[0]
            tables[part.splitlines()[0]] = rows[2:]
    return tables


TABLES = _tables()
NAMES = sorted(set(NAMED.findall(TEXT)))


def test_every_part_has_its_table() -> None:
    assert set(PARTS) <= set(TABLES)


@pytest.mark.parametrize("part", TABLES)
def test_every_promise_says_how_and_names_a_test(part: str) -> None:
    for row in TABLES[part]:
        assert len(row) == 3 and all(row), row
        assert NAMED.search(row[2]), row


@pytest.mark.parametrize("path", sorted({path for path, _ in NAMES}))
def test_every_test_that_is_named_exists(path: str) -> None:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert {name for file, name in NAMES if file == path} - functions == set()
