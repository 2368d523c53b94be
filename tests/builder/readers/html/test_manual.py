"""A manual in HTML as its package installs it: every file is in, linked, and no word of its text is lost."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from benchmarks.manual import measure, words_of_page

PLACES = (
    os.environ.get("WEFT_MANUAL", ""),
    "/usr/share/doc/python-django-doc/html",
    "/usr/share/doc/postgresql-doc-15/html",
    "/usr/share/doc/postgresql-doc-17/html",
    "/usr/share/doc/sqlite3",
)
FILES, LEAST = 90, 200
"""How many files are read at least, and how many a manual has."""


@pytest.fixture
def manual(tmp_path: Path) -> Path:
    """Give files from all over an installed manual, or skip where there is none."""
    for place in filter(None, PLACES):
        files = sorted(Path(place).rglob("*.html"))
        if len(files) < LEAST:
            continue
        for file in files[:: len(files) // FILES]:
            copy = tmp_path / "manual" / file.relative_to(place)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
        return tmp_path / "manual"
    pytest.skip(f"no manual of {LEAST} HTML files is installed (python-django-doc, or a folder named by WEFT_MANUAL)")


@pytest.mark.slow
def test_a_manual_is_read_without_loss(manual: Path, tmp_path: Path) -> None:
    kept = measure(manual, tmp_path / "kb.skb")
    assert (kept.pages, kept.links_per_page >= 1) == (kept.files, True)
    assert kept.least_share >= 0.995, kept.worst


def test_the_words_of_a_page_are_those_of_its_main_part() -> None:
    page = b"<nav>Up</nav><main><h1>T</h1><p>a<b>b</b></p><p>c</p><script>d</script></main><footer>e</footer>"
    assert words_of_page(page) == {"T": 1, "ab": 1, "c": 1}


@pytest.mark.parametrize("written", ["2<sup>64</sup>", "10<sup>-9</sup>", "2^64", "7<sup> 2</sup>", "ab<sup>2</sup>"])
def test_a_power_is_kept(tmp_path: Path, written: str) -> None:
    (tmp_path / "manual").mkdir()
    (tmp_path / "manual" / "a.html").write_text(f"<h1>Limits</h1><p>At most {written} rows.</p>", encoding="utf-8")
    assert measure(tmp_path / "manual", tmp_path / "kb.skb").least_share == 1.0
