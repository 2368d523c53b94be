"""One table of formats: every row names a module that reads it, and the command line offers what the table has."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from builder.documents.records import Chunk, Document, Reject
from builder.readers.formats import FORMATS, Format
from builder.readers.registry import ReadOptions
from builder.readers.source import Cut, Item, Source, document_format, files_of, format_of
from interfaces.cli import main
from tests.paths import ROOT
from weft.errors import UnreadableSource

ROWS = [pytest.param(name, form, id=name) for name, form in FORMATS.items()]
SUFFIXES = [(suffix, name) for name, form in FORMATS.items() for suffix in form.suffixes]


@pytest.mark.parametrize(("name", "form"), ROWS)
def test_a_format_names_a_module_that_reads_it(name: str, form: Format) -> None:
    module = import_module(form.module)
    assert callable(module.items) and callable(module.parse)
    assert form.about and "\n" not in form.about


def test_no_suffix_is_of_two_formats() -> None:
    assert len(dict(SUFFIXES)) == len(SUFFIXES)
    assert [(one, other) for one, _ in SUFFIXES for other, _ in SUFFIXES if one != other and one.endswith(other)] == []


@pytest.mark.parametrize(("suffix", "name"), SUFFIXES)
def test_a_suffix_tells_the_format_of_a_file_and_of_a_file_in_a_folder(tmp_path: Path, suffix: str, name: str) -> None:
    file = tmp_path / f"A{suffix.upper()}"
    file.touch()
    assert (format_of(file), document_format(file, file.name), format_of(tmp_path)) == (name, name, name)


@pytest.mark.parametrize(("name", "form"), ROWS)
def test_the_files_of_a_source_are_found_by_their_suffixes(tmp_path: Path, name: str, form: Format) -> None:
    names = [f"b{suffix}" for suffix in form.suffixes] + ["a.other"]
    for each in names:
        (tmp_path / each).touch()

    def places(source: Source) -> list[str]:
        return [each[0] for each in files_of(source) if not isinstance(each, (Reject, Cut))]

    assert places(Source("a", name, tmp_path)) == sorted(names[:-1])
    assert places(Source("a", name, tmp_path / "a.other")) == ["a.other"]
    assert places(Source("a", name, tmp_path, (("c", tmp_path / "a.other"),))) == ["c"]


def test_the_command_line_offers_and_describes_every_format() -> None:
    shown = CliRunner().invoke(main, ["build", "--help"], terminal_width=100).output
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert [f"{name} {form.about}" for name, form in FORMATS.items()] == [
        line for line in lines if any(line == f"{name} {form.about}" for name, form in FORMATS.items())
    ]
    for name, form in FORMATS.items():
        result = CliRunner().invoke(main, ["build", "nowhere", "-o", "kb.skb", "--format", name])
        assert (result.exit_code == 2) is not form.is_path, result.output


def test_an_unknown_format_and_a_folder_of_none_name_what_there_is(tmp_path: Path) -> None:
    (tmp_path / "a.other").touch()
    with pytest.raises(UnreadableSource) as caught:
        format_of(tmp_path)
    assert all(suffix in str(caught.value) for suffix, _ in SUFFIXES)


def test_of_csv_it_is_told_what_to_make(tmp_path: Path) -> None:
    (tmp_path / "staff.CSV").write_text("name,since\nAda Orr,2011\n", encoding="utf-8")
    with pytest.raises(UnreadableSource, match=r"staff\.CSV: CSV is not read; make JSON Lines of it, an object a row"):
        format_of(tmp_path / "staff.CSV")


def test_the_format_that_the_documentation_adds_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"```python\n(.+?)```", (ROOT / "docs" / "architecture.md").read_text(), re.S)
    (tmp_path / "comma_separated.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    reader = import_module("comma_separated")
    sys.modules.pop("comma_separated")
    files = {
        "a.csv": b'Lamp,Year,Place\nOil lamp,1251,"Dray\nHollin"\n,1,2\n',
        "b.csv": b"Lamp,Year\nGas lamp,1300\nTo\xff",
    }
    entries = []
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        entries += list(reader.items(Source(name, "csv", tmp_path / name), ReadOptions()))
    assert [reader.parse(each.place, each.payload) if isinstance(each, Item) else each.place for each in entries] == [
        Document("Oil lamp", (), (Chunk(-1, "table", 0, "Year: 1251\nPlace: Dray\nHollin"),), named_by_title=False),
        Reject("a.csv:4", "the first column, which is the title, is empty"),
        "b.csv",
    ]
