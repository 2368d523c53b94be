"""What a container says of itself is not believed: the pages before what is wrong are read, then that is on record."""

from __future__ import annotations

import random
import re
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.readers.json_lines import Line, lines_of
from builder.readers.jsonl import items as records
from builder.readers.nq_records import page_title
from builder.readers.registry import ReadOptions
from builder.readers.source import Cut, Item, Reject, Source
from builder.readers.wikitext.dump import items as dump_items
from builder.request import Summary
from builder.streams.archives import DAMAGE, is_archive, members
from tests.hostile_packed import ARTICLE, END, GOOD, HTML, OPENED, member, sparse_member
from tests.worlds import rows, write_records


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (member("b.html", HTML, size=10**15), "it ends within a member"),
        (member("b.html", HTML, pax_headers={"size": "-512"}, format=tarfile.PAX_FORMAT), "negative size"),
        (member("././@LongLink", b"a" * 40_000, type=b"L") + GOOD, "a header of 40,000 bytes"),
        (member("././@PaxHeader", b"7" * 40_000, type=b"x") + GOOD, "a header of 40,000 bytes"),
        (member("././@PaxHeader", b"7" * 9_000 + b" a=b\n", type=b"x") + GOOD, "Exceeds the limit|invalid header"),
        (member("././@LongLink", b"b.html", type=b"L") * 20 + GOOD, "too many headers"),
        (member("././@PaxHeader", b"6 k=v\n", type=b"x") * 20 + GOOD, "too many headers"),
    ],
    ids=["size", "negative", "long name", "record", "digits", "names", "records"],
)  # fmt: skip
def test_a_tar_header_that_asks_for_too_much_ends_the_archive(
    tmp_path: Path, weave: Callable[..., Summary], data: bytes, reason: str
) -> None:
    path = tmp_path / "pages.tar"
    path.write_bytes(member("a.html", b"<h1>Lamp</h1><p>A lamp, <a href='b.html'>b</a>.") + data + END)
    summary = weave(path)
    assert summary.incomplete == ["pages.tar"]
    assert rows(tmp_path / "kb.skb", "SELECT title FROM page") == [("Lamp",)]
    reasons = [str(said) for (said,) in rows(tmp_path / "kb.skb", "SELECT reason FROM source_item WHERE reason <> ''")]
    assert any(re.search(reason, each) for each in reasons), reasons


def test_an_archive_that_ends_within_the_map_of_a_sparse_member_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    path.write_bytes((GOOD + sparse_member(HTML, blocks=3))[: len(GOOD) + 512 * 3])
    read = members(path)
    assert next(read).place == "a.html"
    with pytest.raises(DAMAGE, match="it ends within a header"):
        next(read)


PAX = {"format": tarfile.PAX_FORMAT}
SPARSE_1 = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "b.html"}


@pytest.mark.parametrize(
    "data",
    [
        sparse_member(HTML),
        sparse_member(b""),
        sparse_member(HTML * 100, blocks=2),
        member("b.html", b"1\n0\n9\n".ljust(512, b"\0"), **PAX, pax_headers=SPARSE_1 | {"GNU.sparse.realsize": "9"}),
        member("b.html", b"no map".ljust(512), **PAX, pax_headers=SPARSE_1 | {"GNU.sparse.realsize": "-9"}),
        member("b.html", HTML, **PAX, pax_headers={"GNU.sparse.map": "0,9", "GNU.sparse.size": "9" * 20}),
        member("b.html", HTML, **PAX, pax_headers={"GNU.sparse.size": "9" * 20, "GNU.sparse.numblocks": "0"}),
    ],
    ids=["old", "old and empty", "old with blocks", "1.0", "1.0 without a map", "0.1", "0.0"],
)
def test_a_sparse_member_is_on_record_and_the_others_are_read(
    tmp_path: Path, weave: Callable[..., Summary], data: bytes
) -> None:
    path = tmp_path / "pages.tar"
    path.write_bytes(member("a.html", b"<h1>Lamp</h1><p>A lamp.") + data + member("c.html", b"<h1>Pier</h1>") + END)
    summary = weave(path)
    assert summary.incomplete == []
    assert rows(tmp_path / "kb.skb", "SELECT title FROM page ORDER BY 1") == [("Lamp",), ("Pier",)]
    assert rows(tmp_path / "kb.skb", "SELECT place, reason FROM source_item WHERE state = 'rejected'") == [
        ("b.html", "a sparse file of an archive, which is not read; pack it without --sparse")
    ]


def test_a_sparse_member_of_records_is_on_record_and_the_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "records.tar"
    path.write_bytes(sparse_member(b'{"a": 1}\n') + member("c.ndjson", b'{"b": 2}\n') + END)
    assert list(lines_of(path, 1000)) == [
        Reject("b.html", "a sparse file of an archive, which is not read; pack it without --sparse"),
        Line("c.ndjson line 1", b'{"b": 2}'),
    ]


def test_random_damage_of_tar_headers_is_one_of_the_known_errors(tmp_path: Path) -> None:
    choose = random.Random(9)
    path = tmp_path / "a.tar"
    whole = b"".join(
        (GOOD, member("x" * 300, HTML), member("c.html", HTML, pax_headers={"k": "v"}, format=tarfile.PAX_FORMAT), END)
    )
    for _ in range(300):
        data = bytearray(whole)
        header = choose.randrange(len(data) // 512) * 512
        for _ in range(choose.randrange(1, 4)):
            offset = choose.choice((100, 124, 125, 135, 156, 157, 257, choose.randrange(512)))
            data[header + offset] = choose.randrange(256)
        data[header + 148 : header + 156] = b"%06o\0 " % (
            sum(data[header : header + 148]) + sum(data[header + 156 : header + 512]) + 256
        )
        path.write_bytes(data)
        try:
            found = [(each.place, each.file.read(100_000)) for each in members(path)]
            assert len(found) <= 8
        except DAMAGE as error:
            assert len(str(error)) < 400
        is_archive(path)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("<!-- " + "a" * 1_200_000, "a tag or comment has more than 1,000,000 bytes"),
        ("<a " + "b" * 1_200_000, "a tag or comment has more than 1,000,000 bytes"),
        ("<a>" * 200, "nested deeper than 100"),
    ],
    ids=["comment", "tag", "nested"],
)
def test_a_dump_that_asks_for_too_much_ends_there(tmp_path: Path, data: str, reason: str) -> None:
    path = tmp_path / "a.xml"
    path.write_text(OPENED + ARTICLE + data)
    first, cut = dump_items(Source("a", "wikitext", path), ReadOptions())
    assert isinstance(first, Item) and first.place == "A"
    assert isinstance(cut, Cut) and reason in cut.reason and "after A" in cut.reason


@pytest.mark.parametrize("number", ["9" * 5000, "--5", "-", "٣", "1.5", ""])
def test_numbers_of_namespaces_that_are_none_are_passed_over(tmp_path: Path, number: str) -> None:
    path = tmp_path / "a.xml"
    spaces = f"<namespaces><namespace key='{number}'>N</namespace></namespaces>"
    page = ARTICLE.replace("<ns>0<", f"<ns>{number}<")
    path.write_text(f"<mediawiki><siteinfo>{spaces}</siteinfo>{page}</mediawiki>")
    assert [type(each) for each in dump_items(Source("a", "wikitext", path), ReadOptions())] == [Item]


def test_a_title_of_megabytes_is_no_title(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(OPENED + ARTICLE.replace("<title>A", "<title>" + "A" * 2_000_000) + ARTICLE + "</mediawiki>")
    first, second = dump_items(Source("a", "wikitext", path), ReadOptions())
    assert isinstance(first, Reject) and first.reason == "the page has no title"
    assert isinstance(second, Item) and second.place == "A"


def test_a_target_of_many_fragments_is_taken_as_it_is_spelt(tmp_path: Path) -> None:
    links = [{"start": 0, "end": 1, "target": "A" + "#" * n} for n in (1, 20_000)]
    path = write_records(tmp_path / "r.jsonl", [{"title": "A#", "text": "B", "links": links}])
    (page,) = records(Source("r", "jsonl", path), ReadOptions())
    assert isinstance(page, Item)
    targets = page.payload[0]
    assert isinstance(targets, dict) and list(targets) == ["A#"]


@pytest.mark.parametrize(
    ("source", "title"),
    [("<H1>A <B>b</B></H1>", "A b"), ("<H1><H1>A</H1>", "A"), ("<H1>A", ""), ("</H1><H1>A</H1><H1>B</H1>", "A")],
)
def test_the_first_heading_of_a_record_is_its_title(source: str, title: str) -> None:
    assert page_title("{}", source) == title
