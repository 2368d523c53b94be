"""What the packages import is what pyproject.toml declares, no more and no less."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from functools import cache

import pytest
from packaging.requirements import Requirement

from tests.paths import ROOT

PACKAGES = sorted({path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "benchmarks"})
DISTRIBUTIONS = {
    "bs4": "beautifulsoup4", "faiss": "faiss-cpu", "markdown_it": "markdown-it-py",
    "mdit_py_plugins": "mdit-py-plugins", "py4j": "pyspark", "sentence_transformers": "sentence-transformers",
    "sklearn": "scikit-learn", "sqlite_utils": "sqlite-utils", "yaml": "PyYAML",
}  # fmt: skip
"""What brings a module, where the name is another one."""

NEEDED_BY_OTHERS = {"pandas"}
"""What no module imports, but pyspark does when it exchanges tables."""

DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def _names(requirements: list[str]) -> set[str]:
    return {Requirement(each).name for each in requirements}


HARD = _names(DECLARED["dependencies"])
EXTRAS = {name: _names(each) for name, each in DECLARED["optional-dependencies"].items() if name != "dev"}


@cache
def _imports() -> tuple[tuple[str, str, bool], ...]:
    """Return a module, what it imports from outside, and whether importing the module imports that."""
    return tuple(_found_imports())


def _found_imports() -> Iterator[tuple[str, str, bool]]:
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            inside = {
                node for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) for node in ast.walk(each)
            }
            for node in ast.walk(tree):
                for name in _roots(node):
                    if name not in sys.stdlib_module_names and name not in PACKAGES:
                        yield str(path.relative_to(ROOT)), DISTRIBUTIONS.get(name, name), node not in inside


def _roots(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    return [node.module.partition(".")[0]] if isinstance(node, ast.ImportFrom) and node.module else []


@pytest.mark.slow
def test_what_is_imported_is_declared() -> None:
    declared = HARD.union(*EXTRAS.values())
    assert {(module, name) for module, name, _ in _imports() if name not in declared} == set()


def test_what_is_declared_is_imported() -> None:
    imported = {name for _, name, _ in _imports()}
    assert HARD - imported == set()
    assert set().union(*EXTRAS.values()) - HARD - imported == NEEDED_BY_OTHERS


def test_what_an_extra_brings_is_imported_inside_functions() -> None:
    """So that a module can be imported without it, and its use can say which extra is missing."""
    only_extra = set().union(*EXTRAS.values()) - HARD
    outside = {(module, name) for module, name, at_import in _imports() if at_import and name in only_extra}
    assert {(module, name) for module, name in outside if not module.startswith("builder/spark/")} == set()
