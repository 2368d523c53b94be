"""What is built of a checkout installs, holds every file of the packages, and works far from the checkout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.examples import blocks, shown_by
from tests.paths import ROOT

PACKAGES = sorted({path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "benchmarks"})
NOT_SHIPPED = (".*", "__pycache__", "*.egg-info", "build", "tests", "benchmarks", "docs")
HOOK = "import sys, setuptools.build_meta as backend; print(getattr(backend, 'build_' + sys.argv[1])(sys.argv[2]))"


class Installation(NamedTuple):
    """A fresh environment that sees the dependencies of this one, and nothing of the checkout."""

    python: Path
    packages: Path

    def run(self, *command: str, folder: Path) -> str:
        """Run a program of the environment in a folder and return its stdout."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "WEFT_"))}
        program = self.python.parent / command[0]
        done = subprocess.run([program, *command[1:]], cwd=folder, env=clean, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout


def _built(kind: str, source: Path, into: Path) -> Path:
    """Build a wheel or sdist of a source tree with the build backend that pyproject.toml names."""
    done = subprocess.run([sys.executable, "-c", HOOK, kind, str(into)], cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return into / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build a wheel and a sdist of a copy of the checkout, and a wheel of the unpacked sdist."""
    place = tmp_path_factory.mktemp("archives")
    copy = shutil.copytree(ROOT, place / "copy", symlinks=True, ignore=shutil.ignore_patterns(*NOT_SHIPPED))
    wheel, sdist = _built("wheel", copy, place), _built("sdist", copy, place)
    (place / "unpacked").mkdir()
    with tarfile.open(sdist) as archive:
        archive.extractall(place / "unpacked", filter="data")
    (unpacked,) = (place / "unpacked").iterdir()
    (place / "again").mkdir()
    return {"wheel": wheel, "sdist": sdist, "wheel of the sdist": _built("wheel", unpacked, place / "again")}


@pytest.fixture(scope="module")
def installed(archives: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Install the wheel in an environment of its own."""
    place = tmp_path_factory.mktemp("environment")
    python = place / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    # Few of the modules are imported; those compile themselves.
    install = ["install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([sys.executable, "-m", "pip", "--python", str(python), *install, str(archives["wheel"])], check=True)
    (packages,) = place.glob("lib/python*/site-packages")
    # The .pth files over there are not read in turn, so no editable installation of the checkout is found.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return Installation(python, packages)


def _members(archive: Path) -> set[str]:
    if archive.suffix == ".whl":
        return set(zipfile.ZipFile(archive).namelist())
    with tarfile.open(archive) as opened:
        return {member.name.partition("/")[2] for member in opened if member.isfile()}


def _contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def _expected() -> set[str]:
    """Return every file of the packages in the checkout, those behind links too."""
    return {
        os.path.relpath(os.path.join(folder, name), ROOT)
        for package in PACKAGES
        for folder, _, names in os.walk(ROOT / package, followlinks=True)
        if not folder.endswith("__pycache__")
        for name in names
        if not name.startswith(".")
    }


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheel", "sdist", "wheel of the sdist"])
def test_an_archive_holds_every_file_of_the_packages(archives: dict[str, Path], kind: str) -> None:
    members, expected = _members(archives[kind]), _expected()
    assert PACKAGES == ["builder", "interfaces", "retriever", "weft"]
    assert {"weft/schemas/skb.sql", "weft/fixtures/facts.nt", "weft/py.typed"} <= expected
    assert expected - members == set()
    assert any(name.endswith("LICENSE") for name in members)
    extra = {name for name in members - expected if name.split("/")[0] in PACKAGES}
    assert extra == set()


@pytest.mark.slow
def test_the_wheel_of_the_sdist_is_the_wheel(archives: dict[str, Path]) -> None:
    wheel, again = _contents(archives["wheel"]), _contents(archives["wheel of the sdist"])
    assert [name for name in wheel.keys() | again.keys() if wheel.get(name) != again.get(name)] == []


@pytest.mark.slow
def test_an_installation_works_without_the_checkout(installed: Installation, tmp_path: Path) -> None:
    where = "import weft, builder, retriever, interfaces as i; print(weft.__file__, builder.__file__, i.__file__)"
    for found in installed.run("python", "-c", where, folder=tmp_path).split():
        assert Path(found).is_relative_to(installed.packages)

    done = installed.run("weft", "demo", "-o", "kb.skb", folder=tmp_path)
    assert "57 page" in done and "hybrid" in done and "Q: " in done and "done in" in done
    assert (installed.packages / "weft" / "fixtures").is_dir()
    installed.run("weft", "export", "kb.skb", "--to", "nquads", "-o", "kb.nq", folder=tmp_path)
    assert (tmp_path / "kb.nq").stat().st_size > 100_000
    assert installed.run("weft", "check", "kb.skb", folder=tmp_path) == "kb.skb is whole\n"


@pytest.mark.slow
def test_the_python_example_works_without_the_checkout(installed: Installation, tmp_path: Path) -> None:
    (block,) = blocks((ROOT / "README.md").read_text(encoding="utf-8"), "python")
    (tmp_path / "fixtures").symlink_to(installed.packages / "weft" / "fixtures")
    assert installed.run("python", "-c", block, folder=tmp_path).splitlines() == shown_by(block) != []


@pytest.mark.slow
def test_every_step_works_without_the_checkout(installed: Installation, tmp_path: Path) -> None:
    fixtures = installed.packages / "weft" / "fixtures"
    build = ["build", str(fixtures / "encyclopedia"), "--rdf", str(fixtures / "facts.nt"), "-o", "kb.skb"]
    assert "57 pages" in installed.run("weft", *build, folder=tmp_path)
    search = ["search", "kb.skb", "Who designed the Quillon Bridge?", "-m", "bm25", "-k", "1"]
    assert installed.run("python", "-m", "weft", *search, folder=tmp_path).startswith("1. Quillon Bridge##1")
    judge = ["evaluate", "kb.skb", str(fixtures / "questions.jsonl"), "-m", "bm25", "--json"]
    assert json.loads(installed.run("weft", *judge, folder=tmp_path))["methods"]["bm25"]["recall@5"] > 0
