"""What most tests stand on: the fixtures, a place for real data, and an SKB of the invented world."""

from __future__ import annotations

import gc
import os
import re
import shutil
import signal
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from pathlib import Path

import pytest

from builder.build import build
from builder.request import Request, Settings, Summary
from retriever.context import Context
from retriever.datasets.question_files import read_questions
from retriever.fusion.shipped import fusion_named
from retriever.fusion.store import save
from retriever.session import Session
from retriever.training.dataset import corpus_of, fit
from tests.paths import DATA, ROOT
from tests.worlds import link, page, triple, write_pages
from weft.errors import WeftError
from weft.skb import Skb

LONE = re.compile("[\ud800-\udfff]")
FIXTURES = ROOT / "fixtures"
MEMORY_DISK = Path("/dev/shm")
ROOM_BYTES = 4 << 30
"""Several times what the tests hold at once."""


def pytest_configure() -> None:
    """Let tests interrupt what they start, and write to memory where there is room.

    A shell ignores SIGINT in what it runs in the background. An SKB of a page waits for the disk
    several times longer than it is computed.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if MEMORY_DISK.is_dir() and shutil.disk_usage(MEMORY_DISK).free >= ROOM_BYTES:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY_DISK))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Hand files with slow tests to the workers first, then those of many tests, so that all workers end together."""
    if not hasattr(config, "workerinput"):
        return
    slow = Counter(item.path for item in items if item.get_closest_marker("slow"))
    all_tests = Counter(item.path for item in items)
    items.sort(key=lambda item: (-slow[item.path], -all_tests[item.path]))


def pytest_collection() -> None:
    """Look for no garbage among thousands of tests and all modules: they live to the end."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Look for garbage among what tests make alone."""
    gc.freeze()
    gc.enable()


def pytest_report_header() -> str:
    """Name what decides how the file behaves."""
    return f"sqlite {sqlite3.sqlite_version}, real data: {DATA if DATA.is_dir() else 'absent'}"


@pytest.fixture(scope="session")
def real_data() -> Callable[[str], Path]:
    """Give a file or folder of the real data, or skip where it is absent."""

    def place(name: str) -> Path:
        path = DATA / name
        if not path.exists():
            pytest.skip(f"real data {name} is absent (looked in {DATA})")
        return path

    return place


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the SKB of the fixtures, built once; tests only read it."""
    path = tmp_path_factory.mktemp("world") / "world.skb"
    build(Request((str(FIXTURES / "encyclopedia"),), path, rdf=(str(FIXTURES / "facts.nt"),), workers=1))
    return path


@pytest.fixture(scope="session")
def lengths_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an SKB whose vectors count the words of each length; many rows are equal."""
    folder = tmp_path_factory.mktemp("lengths")
    pages = write_pages(
        folder / "pages",
        {
            "a.html": page(
                "Oak toll", f"An oak by {link('Red mill')}.", "== Of old", "It is a toll.", f"By {link('Tolls')} too."
            ),
            "b.html": page("Red mill", f"A mill on {link('Oak toll')}.", "== In use", f"No {link('Ash')} is on it."),
            "c.html": page("Ash mint", f"A big ash at {link('Oak toll')}.", "== Of now", "As it is.", "== Empty"),
            "d.html": page("Elm cart", f"{link('Ash')} and {link('Red mill')} go.", "== By foot", "No one is by it."),
        },
    )
    facts = folder / "facts.nt"
    facts.write_text(triple("Oak_toll", "near", "Red_mill") + triple("Red_mill", "owner", "Ash"), encoding="utf-8")
    build(Request((str(pages),), folder / "kb.skb", (str(facts),), settings=Settings(embedder="lengths"), workers=1))
    return folder / "kb.skb"


@pytest.fixture(scope="session")
def small_fusion(world: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a fusion of few questions."""
    path = tmp_path_factory.mktemp("fusion") / "small.json"
    questions = read_questions(FIXTURES / "questions.jsonl")[::5]
    with Skb(world) as skb:
        save(path, fit([corpus_of("fixtures", "", Session(Context(skb)), questions)], "logistic", ratio=3.0))
    return path


@pytest.fixture(scope="session", autouse=True)
def _default_fusion(request: pytest.FixtureRequest) -> None:
    """Stand in for the fusion that ships where its features are no longer those of this Weft."""
    try:
        fusion_named(None, "tfidf")
    except WeftError:
        os.environ["WEFT_FUSION"] = str(request.getfixturevalue("small_fusion"))


@pytest.fixture
def skb(world: Path) -> Skb:
    """Open the SKB of the fixtures."""
    return Skb(world)


@pytest.fixture
def without_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let reports have no plots, as where matplotlib is not installed: these take longer than all the rest."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)


@pytest.fixture
def weave(tmp_path: Path) -> Callable[..., Summary]:
    """Build `kb.skb` in the test's folder from the given sources."""

    def build_it(*sources: Path | str, **options: object) -> Summary:
        return build(
            Request(tuple(map(str, sources)), tmp_path / "kb.skb", workers=1)._replace(**options)  # type: ignore[arg-type]
        )

    return build_it


@pytest.fixture
def weave_texts(tmp_path: Path, weave: Callable[..., Summary]) -> Callable[[Mapping[str, str]], Summary]:
    """Build `kb.skb` in the test's folder from texts by their titles."""

    def build_it(texts: Mapping[str, str]) -> Summary:
        for title, text in texts.items():
            (tmp_path / f"{title}.txt").write_text(text, encoding="utf-8")
        return weave(*(f"text:{tmp_path / f'{title}.txt'}" for title in texts))

    return build_it


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a test of a lone surrogate in ASCII, which other processes can be told."""
    return ascii(val) if isinstance(val, str) and LONE.search(val) else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Take lone surrogates out of captured output, which is sent from one process to another."""
    report = yield
    report.sections = [(name, LONE.sub("\ufffd", text)) for name, text in report.sections]
    return report
