"""Which module may import which, how large folders and modules are, and that help is quick."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.paths import ROOT

ALLOWED = {
    "weft": {"weft"},
    "builder": {"weft", "builder"},
    "retriever": {"weft", "retriever"},
    "interfaces": {"weft", "builder", "retriever", "interfaces"},
}
STEPS = {
    "builder": "request storage http streams documents values rdf sparql readers source_layer search_arrays derive"
    " readable_facts provenance info dump vector_check check build plan export spark",
    "retriever": "encodings types registry methods context session protocols prompts question index signals candidates"
    " learning features fusion explain rankers expansion rerank focus overlap searcher explanation trace_file"
    " datasets synthesis training answers evaluation testsets",
    "interfaces": "printable streams output trees excerpt explanation_text api commands cli",
}
"""The modules and folders of a package in the order of its work: each imports only what comes before it."""

MOST_MODULES = {"builder/derive": 16, "interfaces/commands": 16}
"""Folders that may hold more than `MOST_IN_A_FOLDER`."""

MOST_IN_A_FOLDER = 12
MOST_LINES = 300
LIGHT = {"click", "interfaces", "weft"}
TABLES = {"builder", "builder.readers", "builder.readers.formats"}
"""What the command line imports of the other packages: their docstrings, and the table of formats."""
FACES = {"weft", "weft.__main__"}
"""What users import and run: these name the other packages too, but import them only when called."""


@cache
def _modules() -> dict[str, Path]:
    """Return every module and package that ships, by its dotted name."""
    files = [path for package in ALLOWED for path in (ROOT / package).rglob("*.py")]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in files}


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(_modules()[module].read_text(encoding="utf-8"))


def _imported(module: str) -> Iterator[tuple[str, str]]:
    """Yield (module, name) of what a module imports of ours, within functions too; of a face what importing it does."""
    for node in _outside_functions(_tree(module)) if module in FACES else ast.walk(_tree(module)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name in _modules())
        elif isinstance(node, ast.ImportFrom) and node.module in _modules():
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield (whole, "") if whole in _modules() else (node.module, alias.name)


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is run when a module is imported: neither functions nor what is for type checkers alone."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and not _is_for_types(child):
            yield child
            yield from _outside_functions(child)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


@pytest.mark.parametrize("package", ALLOWED)
def test_a_package_imports_only_what_is_below_it(package: str) -> None:
    wrong = {
        (module, imported)
        for module in _modules()
        if module.partition(".")[0] == package
        for imported, _ in _imported(module)
        if imported.partition(".")[0] not in ALLOWED[package]
    }
    assert wrong == set()


@pytest.mark.parametrize("package", STEPS)
def test_a_step_imports_only_what_comes_before_it(package: str) -> None:
    steps = STEPS[package].split()
    inner = [module for module in _modules() if module.startswith(f"{package}.")]
    assert {module.split(".")[1] for module in inner} == set(steps)
    wrong = {
        (module, imported)
        for module in inner
        for imported, _ in _imported(module)
        if imported.startswith(f"{package}.")
        and steps.index(imported.split(".")[1]) > steps.index(module.split(".")[1])
    }
    assert wrong == set()


def test_no_module_imports_itself_by_way_of_others() -> None:
    imports = {module: {imported for imported, _ in _imported(module)} - {module} for module in _modules()}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(f"a circle: {' <- '.join(error.args[1])}")


def test_no_module_imports_what_another_keeps_private() -> None:
    wrong = {(module, *each) for module in _modules() for each in _imported(module) if each[1].startswith("_")}
    assert wrong == set()


def test_no_folder_holds_more_than_one_reads_at_once() -> None:
    counts = Counter(str(path.parent.relative_to(ROOT)) for path in _modules().values() if path.name != "__init__.py")
    limits = {folder: MOST_MODULES.get(folder, MOST_IN_A_FOLDER) for folder in counts}
    assert {folder: n for folder, n in counts.items() if n > limits[folder]} == {}


def test_every_folder_says_what_is_in_it() -> None:
    packages = [module for module, path in _modules().items() if path.name == "__init__.py"]
    assert [package for package in packages if not ast.get_docstring(_tree(package))] == []
    unnamed = {
        f"{package}: {path.stem}"
        for package in packages
        for path in _modules()[package].parent.iterdir()
        if path.suffix == ".py" and path.stem not in ("__init__", "__main__")
        and f"`{path.stem}`" not in (ast.get_docstring(_tree(package)) or "")
    }  # fmt: skip
    assert unnamed == set()


def test_no_module_is_longer_than_its_one_idea() -> None:
    lengths = {module: len(path.read_text(encoding="utf-8").splitlines()) for module, path in _modules().items()}
    assert {module: length for module, length in lengths.items() if length > MOST_LINES} == {}


def test_only_the_builder_names_spacy() -> None:
    naming = {module for module in _modules() if "spacy" in {name.partition(".")[0] for name in _outside(module)}}
    assert {module.partition(".")[0] for module in naming} == {"builder"}


def _outside(module: str) -> Iterator[str]:
    """Yield what a module imports by its dotted name, within functions too."""
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_help_imports_only_the_standard_library_and_click() -> None:
    run_help = "sys.argv = ['weft', '--help']\ntry: c.main()\nexcept SystemExit: pass"
    result = _timed(f"import sys, interfaces.cli as c\n{run_help}")
    assert "Usage:" in result.stdout
    modules = {
        line.rpartition("|")[2].strip() for line in result.stderr.splitlines() if line.startswith("import time:")
    }
    loaded = {name.partition(".")[0] for name in modules - TABLES}
    plain = _timed("")
    at_start = {line.rpartition("|")[2].strip().partition(".")[0] for line in plain.stderr.splitlines()}
    outside = {name for name in loaded - at_start if name not in sys.stdlib_module_names} - LIGHT
    assert {name for name in outside if not name.startswith("_")} == set()


def _timed(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-X", "importtime", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True)
