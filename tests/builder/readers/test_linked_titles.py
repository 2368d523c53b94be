"""Titles of linked files are read in worker processes, as documents are."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from builder.readers.links import html_titles
from builder.readers.links.archive_titles import ArchiveTitles
from builder.readers.links.file_heads import MapHeads, title_of
from builder.readers.links.title_index import TitleIndex
from builder.readers.text import files as plain_text
from builder.readers.text.rst import document as rst
from builder.request import Summary
from builder.storage.process_pool import Workers
from tests.calls import killed_at_bang
from tests.worlds import rows

Weave = Callable[..., Summary]
HTML = {"a.html": "<h1>A</h1><p>See <a href='b.html'>it</a>.", "b.html": "<h1>Bells!</h1><p>Here."}
TEXT = {"a.md": "# A\n\nSee [it](b.rst).", "b.rst": "Bells!\n======\n\nHere."}


def _folder(path: Path, files: dict[str, str]) -> Path:
    path.mkdir()
    for name, text in files.items():
        (path / name).write_text(text, encoding="utf-8")
    return path


def _archive(path: Path, files: dict[str, str]) -> Path:
    with tarfile.open(path.with_suffix(".tar"), "w") as archive:
        archive.add(_folder(path, files), ".")
    return path.with_suffix(".tar")


@pytest.mark.parametrize(
    ("pack", "files"), [(_folder, HTML), (_archive, HTML), (_folder, TEXT), (_folder, HTML | TEXT)],
    ids=["html", "archive", "text", "mixed"],
)  # fmt: skip
def test_no_parser_runs_in_the_builds_own_process(
    weave: Weave,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pack: Callable[[Path, dict[str, str]], Path],
    files: dict[str, str],
) -> None:
    def parsed_here(*arguments: Any) -> NoReturn:
        raise AssertionError("a parser was called in the build's own process")

    for module, name in ((html_titles, "open_tree"), (rst, "heading_title"), (plain_text, "markdown_blocks")):
        monkeypatch.setattr(module, name, parsed_here)
    weave(pack(tmp_path / "pages", files))
    assert set(rows(tmp_path / "kb.skb", "SELECT target FROM link")) >= {("Bells!",)}


def _killing(pool: Workers) -> MapHeads:
    """Call what is asked for in workers, some of which reading a title ends."""
    return lambda function, heads: pool.map(killed_at_bang if function is title_of else function, heads)


def test_a_file_whose_parser_is_killed_is_called_by_its_name(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "pages", HTML | TEXT)
    files = [(path.name, path) for path in sorted(folder.iterdir())]
    with Workers(1, 30.0) as pool:
        index = TitleIndex(files, map_heads=_killing(pool))
        assert [index.target(name) for name, _ in files] == ["A", "A (a.md)", "B.html", "B"]


def test_a_member_whose_parser_is_killed_is_called_by_its_name(tmp_path: Path) -> None:
    archive = _archive(tmp_path / "pages", HTML)
    with Workers(1, 30.0) as pool:
        index = ArchiveTitles(archive, lambda place: place.endswith(".html"), {}, _killing(pool))
        assert dict(index.targets("a.html", ["b.html"])) == {"b.html": "B.html"}
