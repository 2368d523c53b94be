"""A duplicate whose page goes is read again, or on record as what is missing, with a line that says so."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from builder.build import build, remove
from builder.check import problems
from builder.request import Request, Summary
from interfaces.cli import main
from tests.worlds import dumped, page, rows, write_pages

Weave = Callable[..., Summary]
ITEMS = "SELECT source || '/' || place, state, content_hash IS NULL FROM source_item ORDER BY 1"
WIKI = page("X", "lamp")
TEXT = "# X\n\nlamp"
NOTE = "s2: 1 document whose page is gone; build again with all of s2 named"


def _sources(tmp_path: Path, text: str, suffix: str) -> tuple[Path, Path]:
    one = write_pages(tmp_path / "s1", {f"a{suffix}": text})
    return one, write_pages(tmp_path / "s2", {f"b{suffix}": text})


@pytest.mark.parametrize(("text", "suffix"), [(WIKI, ".html"), (TEXT, ".md")], ids=["by title", "by content"])
@pytest.mark.parametrize(
    ("names", "options"), [(["s1"], {"add": True}), (["s1", "s2"], {"limit": 1})], ids=["add", "limit"]
)
def test_a_page_that_goes_while_its_duplicate_is_not_read_is_on_record(
    weave: Weave, tmp_path: Path, text: str, suffix: str, names: list[str], options: dict[str, Any]
) -> None:
    one, two = _sources(tmp_path, text, suffix)
    weave(one, two)
    write_pages(one, {f"a{suffix}": text.replace("X", "Y")})
    assert weave(*(tmp_path / name for name in names), **options).notes == (NOTE,)
    assert rows(tmp_path / "kb.skb", ITEMS) == [(f"s1/a{suffix}", "ok", 0), (f"s2/b{suffix}", "incomplete", 1)]
    assert weave(two, add=True).notes == ()
    assert rows(tmp_path / "kb.skb", "SELECT title FROM page ORDER BY 1") == [("X",), ("Y",)]
    build(Request((str(one), str(two)), tmp_path / "new.skb", workers=1))
    assert dumped(tmp_path / "kb.skb") == dumped(tmp_path / "new.skb")


@pytest.mark.parametrize(
    ("text", "suffix", "problem"),
    [
        (WIKI, ".html", "a duplicate's title has no page: s2: b.html"),
        (TEXT, ".md", "a duplicate's page is gone: s2: b.md"),
    ],
    ids=["by title", "by content"],
)
def test_check_finds_a_duplicate_without_its_page(
    weave: Weave, tmp_path: Path, text: str, suffix: str, problem: str
) -> None:
    weave(*_sources(tmp_path, text, suffix))
    with closing(sqlite3.connect(tmp_path / "kb.skb")) as connection:
        assert list(problems(connection)) == []
        connection.execute("UPDATE page SET uri = 'Z'")
        connection.execute("UPDATE source_item SET place = 'z' WHERE state = 'ok'")
        assert problem in list(problems(connection))


def test_documents_are_named_without_ambiguity(weave: Weave, tmp_path: Path) -> None:
    one = write_pages(tmp_path / "a: b", {"c.md": "# X\n\nlamp"})
    two = write_pages(tmp_path / "a", {"b: c.md": "# U\n\nlens"})
    three = write_pages(tmp_path / "z", {"d.md": "# X\n\nlamp"})
    weave(one, two, three)
    remove(tmp_path / "kb.skb", ["U"])
    assert rows(tmp_path / "kb.skb", "SELECT source, state, reason FROM source_item ORDER BY 1") == [
        ("a: b", "ok", None),
        ("z", "duplicate", "the same title and content as a:: b: c.md"),
    ]


def test_a_build_that_reads_nothing_says_what_was_removed(weave: Weave, tmp_path: Path) -> None:
    one = write_pages(tmp_path / "s1", {"a.html": WIKI})
    two = write_pages(tmp_path / "s2", {"b.html": page("B", "lens")})
    weave(one, two)
    (one / "a.html").write_bytes(b"\0\1\2" * 100)
    result = CliRunner().invoke(main, ["build", str(one), "--add", "-o", str(tmp_path / "kb.skb"), "--workers", "1"])
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == (
        "Error: nothing was read: 1 rejected (1 of them had text until now, which is removed), the first"
        f" s1: a.html: not HTML: it has no HTML element; {tmp_path / 'kb.skb'} keeps what it held of other documents"
    )
    assert rows(tmp_path / "kb.skb", "SELECT title FROM page") == [("B",)]
