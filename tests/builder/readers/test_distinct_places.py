"""Documents of one source that have one name are all read, wherever a numbered name stands among them."""

from __future__ import annotations

import io
import itertools
import json
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.build import Summary
from builder.readers.distinct_places import DistinctPlaces
from tests.worlds import dumped, rows

Weave = Callable[..., Summary]
ORDERS = sorted(set(itertools.permutations(("A", "A", "A (2)"))))


def _dump(folder: Path, names: tuple[str, ...]) -> Path:
    pages = "".join(
        f"<page><title>{name}</title><ns>0</ns><revision><text>Text {number}.</text></revision></page>"
        for number, name in enumerate(names)
    )
    (folder / "wiki.xml").write_text(f"<mediawiki>{pages}</mediawiki>", encoding="utf-8")
    return folder / "wiki.xml"


def _archive(folder: Path, names: tuple[str, ...]) -> Path:
    with tarfile.open(folder / "pages.tar", "w") as archive:
        for number, name in enumerate(names):
            data = f"<h1>Page {number}</h1><p>Text {number}.".encode()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return folder / "pages.tar"


def _mixed(folder: Path, names: tuple[str, ...]) -> Path:
    (folder / "mixed").mkdir()
    for number, name in enumerate(names):
        record = json.dumps({"title": name, "text": f"Text {number}."})
        (folder / "mixed" / f"{number}.jsonl").write_text(record, encoding="utf-8")
    (folder / "mixed" / "a.md").write_text("# Own\n\nText.", encoding="utf-8")
    _dump(folder / "mixed", names)
    return folder / "mixed"


@pytest.mark.parametrize("names", ORDERS, ids=", ".join)
@pytest.mark.parametrize("make", [_dump, _archive, _mixed])
def test_every_document_is_on_record_and_a_second_build_reads_none(
    tmp_path: Path, weave: Weave, make: Callable[[Path, tuple[str, ...]], Path], names: tuple[str, ...]
) -> None:
    source = make(tmp_path, names)
    counts = weave(source).documents
    [(n_items,)] = rows(tmp_path / "kb.skb", "SELECT count(*) FROM source_item")
    assert n_items == sum(counts.values()) == {"_dump": 3, "_archive": 3, "_mixed": 6}[make.__name__]
    first = dumped(tmp_path / "kb.skb")
    again = weave(source).documents
    assert again.get("read", 0) == 0 and dumped(tmp_path / "kb.skb") == first


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("A", "A", "A"), ["A", "A (2)", "A (3)"]),
        (("A (2)", "A", "A"), ["A (2)", "A", "A (3)"]),
        (("A", "A (2)", "A"), ["A", "A (2)", "A (3)"]),
        (("A", "A", "A (2)"), ["A", "A (2)", "A (2) (2)"]),
        (("A (2)", "A (2)", "A", "A"), ["A (2)", "A (2) (2)", "A", "A (3)"]),
    ],
)
def test_a_number_that_is_taken_is_passed_over(names: tuple[str, ...], found: list[str]) -> None:
    places = DistinctPlaces()
    assert [places.free(name) for name in names] == found
    places.close()
