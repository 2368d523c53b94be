"""Which package may import which, and that help is quick."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT

ALLOWED = {
    "weft": {"weft"},
    "builder": {"weft", "builder"},
    "retriever": {"weft", "retriever"},
    "interfaces": {"weft", "builder", "retriever", "interfaces"},
}
LIGHT = {"click", "interfaces", "weft"}
FACES = {"weft/__init__.py", "weft/__main__.py"}
"""What users import and run: these name the other packages too, but import them only when called."""


def _imports(path: Path) -> set[str]:
    """Return the packages that a module imports, of a face those that importing it imports."""
    found = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in _outside_functions(tree) if str(path.relative_to(ROOT)) in FACES else ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield child
            yield from _outside_functions(child)


@pytest.mark.parametrize("package", ALLOWED)
def test_a_package_imports_only_what_is_below_it(package: str) -> None:
    wrong = {
        str(path.relative_to(ROOT)): sorted(_imports(path) & set(ALLOWED) - ALLOWED[package])
        for path in (ROOT / package).rglob("*.py")
        if _imports(path) & set(ALLOWED) - ALLOWED[package]
    }
    assert wrong == {}


def test_help_imports_only_the_standard_library_and_click() -> None:
    run_help = "sys.argv = ['weft', '--help']\ntry: c.main()\nexcept SystemExit: pass"
    result = _timed(f"import sys, interfaces.cli as c\n{run_help}")
    assert "Usage:" in result.stdout
    loaded = {
        line.rpartition("|")[2].strip().partition(".")[0]
        for line in result.stderr.splitlines()
        if line.startswith("import time:")
    }
    plain = _timed("")
    at_start = {line.rpartition("|")[2].strip().partition(".")[0] for line in plain.stderr.splitlines()}
    outside = {name for name in loaded - at_start if name not in sys.stdlib_module_names} - LIGHT
    assert {name for name in outside if not name.startswith("_")} == set()


def _timed(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-X", "importtime", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True)


def test_no_module_is_longer_than_its_one_idea() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for package in ALLOWED
        for path in (ROOT / package).rglob("*.py")
    }
    assert {name: length for name, length in lengths.items() if length > 300} == {}
