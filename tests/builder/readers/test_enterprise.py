"""Wikimedia Enterprise dumps: archives of articles as JSON Lines."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Callable, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from builder.build import build
from builder.documents.records import Document, Reject, Statement
from builder.readers.enterprise import items, parse
from builder.readers.ignored import Ignored
from builder.readers.registry import ReadOptions
from builder.readers.source import Cut, Item, Source, format_of
from builder.request import Request, Summary
from tests.conftest import FIXTURES
from tests.worlds import dumped, page, rows
from weft.errors import UnreadableSource

OPTIONS = ReadOptions()


def parsoid(*paragraphs: str) -> str:
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    return (
        '<!DOCTYPE html><html prefix="dc: http://purl.org/dc/terms/"><head><title>x</title>'
        '<base href="//en.wikipedia.org/wiki/"/></head><body class="mw-parser-output">'
        f'<section data-mw-section-id="0">{body}</section></body></html>'
    )


def article(name: str, *paragraphs: str, **fields: Any) -> dict[str, Any]:
    return {
        "name": name,
        "identifier": 7,
        "date_modified": "2024-01-01T00:00:00Z",
        "version": {"identifier": 100},
        "url": "https://en.wikipedia.org/wiki/" + name.replace(" ", "_"),
        "namespace": {"identifier": 0},
        "in_language": {"identifier": "en"},
        "article_body": {"html": parsoid(*paragraphs), "wikitext": "x"},
        **fields,
    }


def as_lines(records: Sequence[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def archive(path: Path, **members: bytes) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for name, data in members.items():
            member = tarfile.TarInfo(f"{name}.ndjson")
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return path


def entries(path: Path, options: ReadOptions = OPTIONS) -> list[Item | Reject | Cut | Ignored]:
    return list(items(Source("dump", "enterprise", path), options))


def documents(path: Path) -> list[Document | Reject]:
    return [parse(entry.place, entry.payload) for entry in entries(path) if isinstance(entry, Item)]


def texts(path: Path) -> dict[str, str]:
    return {
        page.title: "\n".join(chunk.text for chunk in page.chunks)
        for page in documents(path)
        if isinstance(page, Document)
    }


def test_the_record_says_title_address_language_date_and_statements(tmp_path: Path) -> None:
    record = article(
        "Quillon Bridge",
        'It spans the <a rel="mw:WikiLink" href="./Veldra_(river)#Course">Veldra</a>.',
        date_modified="2024-05-06T07:08:09Z",
        main_entity={"identifier": "Q42", "url": "http://www.wikidata.org/entity/Q42"},
        categories=[{"name": "Category:Stone bridges"}, {"name": "Kategorie:Brücke"}, {"url": "x"}],
        redirects=[{"name": "Old bridge", "url": "x"}, {"name": "Quillon Bridge"}],
        in_language={"identifier": "de"},
    )
    (page,) = documents(archive(tmp_path / "dump.tar.gz", enwiki_0=as_lines([record])))
    assert isinstance(page, Document)
    assert (page.title, page.language, page.modified) == ("Quillon Bridge", "de", "2024-05-06T07:08:09Z")
    assert page.url == "https://en.wikipedia.org/wiki/Quillon_Bridge"
    assert page.statements == (
        Statement("redirect", "Old bridge", "Quillon Bridge"),
        Statement("category", "", "Stone bridges"),
        Statement("category", "", "Brücke"),
        Statement("wikidata", "", "Q42"),
    )
    assert [
        (chunk.text, [(link.target, link.fragment) for link in chunk.links]) for chunk in page.chunks
    ] == [("It spans the Veldra.", [("Veldra (river)", "Course")])]


def test_all_files_of_an_archive_and_a_folder_of_plain_files_are_read(tmp_path: Path) -> None:
    packed = archive(
        tmp_path / "dump.tar.gz",
        enwiki_0=as_lines([article("A", "one"), article("B", "two")]),
        enwiki_1=as_lines([article("C", "three")])[:-1],
    )
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "0.ndjson").write_bytes(as_lines([article("A", "one"), article("B", "two")]))
    (folder / "1.ndjson.gz").write_bytes(gzip.compress(as_lines([article("C", "three")])))
    assert texts(packed) == texts(folder) == {"A": "one", "B": "two", "C": "three"}


@pytest.mark.parametrize(
    "differing",
    [
        [{"date_modified": "2024-01-01T00:00:00Z"}, {"date_modified": "2024-01-01T01:30:00+02:00"}],
        [{"version": {"identifier": 10}}, {"version": {"identifier": 9}}],
        [{"date_modified": "2023-12-31T00:00:00Z"}, {}, {"date_modified": "not a date"}],
    ],
)
def test_the_newest_version_wins_in_any_order(tmp_path: Path, differing: list[dict[str, Any]]) -> None:
    versions = [article("A", f"text {number}", **fields) for number, fields in enumerate(differing)]
    newest = "text 1" if len(differing) == 3 else "text 0"
    for number, order in enumerate(permutations(versions)):
        path = archive(tmp_path / f"{number}.tar.gz", enwiki_0=as_lines([*order, article("B", "other")]))
        assert texts(path) == {"A": newest, "B": "other"}


def test_versions_that_agree_in_date_and_revision_are_chosen_alike_in_any_order(tmp_path: Path) -> None:
    one, other = article("A", "one"), article("A", "other")
    first = texts(archive(tmp_path / "1.tar.gz", a=as_lines([one, other])))
    assert first == texts(archive(tmp_path / "2.tar.gz", a=as_lines([other]), b=as_lines([one])))


def test_other_namespaces_are_passed_over(tmp_path: Path) -> None:
    records = [article("Talk:A", "x", namespace={"identifier": 1}), article("2001: A Space Odyssey", "film")]
    assert texts(archive(tmp_path / "dump.tar.gz", a=as_lines(records))) == {"2001: A Space Odyssey": "film"}


def test_broken_lines_are_rejected_by_file_and_line(tmp_path: Path) -> None:
    lines = b"".join(
        (
            as_lines([article("A", "one")]),
            b'{"name": "B", "article_body"\n',
            b"[1]\n\n",
            as_lines(
                [article("C", article_body={"wikitext": "x"}), article("", "x"), article("D", "y" * 3000)]
            ),
        )
    )
    path = archive(tmp_path / "dump.tar.gz", enwiki_0=lines)
    found = entries(path, ReadOptions(max_page_bytes=2000))
    assert [
        (entry.place, entry.reason.partition(":")[0]) for entry in found if isinstance(entry, Reject)
    ] == [
        ("enwiki_0.ndjson line 2", "not JSON"),
        ("enwiki_0.ndjson line 3", "not an object"),
        ("enwiki_0.ndjson line 5", "article_body.html is missing or empty"),
        ("enwiki_0.ndjson line 6", "name is missing or no string"),
        ("enwiki_0.ndjson line 7", "D"),
    ]
    assert [entry.place for entry in found if isinstance(entry, Item)] == ["A"]


def test_lines_of_many_megabytes_are_read_and_longer_ones_named(tmp_path: Path) -> None:
    long = article("Long", "word " * 800_000)
    monster = article("Monster", "x", article_body={"html": "<p>x</p>", "wikitext": "w" * 8_100_000})
    path = archive(
        tmp_path / "dump.tar.gz", a=as_lines([article("A", "one"), monster, long, article("B", "two")])
    )
    found = entries(path, ReadOptions(max_page_bytes=4_500_000))
    assert [entry.place for entry in found] == ["A", "Monster", "Long", "B"]
    found = entries(path, ReadOptions(max_page_bytes=100_000))
    assert [(type(entry), entry.place) for entry in found] == [
        (Reject, "a.ndjson line 2"),
        (Reject, "a.ndjson line 3"),
        (Item, "A"),
        (Item, "B"),
    ]


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.999])
def test_a_truncated_archive_gives_what_stands_before_the_break_and_says_so(
    tmp_path: Path, share: float
) -> None:
    # Words that do not repeat, so that the archive is long and breaks off in its articles.
    records = [article(f"Page {n}", " ".join(str(hash((n, m))) for m in range(400))) for n in range(300)]
    whole = archive(tmp_path / "dump.tar.gz", a=as_lines(records[:150]), b=as_lines(records[150:]))
    data = whole.read_bytes()
    whole.write_bytes(data[: int(len(data) * share)])
    found = entries(whole)
    pages = [entry.place for entry in found if isinstance(entry, Item)]
    assert pages == [f"Page {n}" for n in range(len(pages))]
    assert len(pages) >= int(300 * share) - 40
    (cut,) = [entry for entry in found if not isinstance(entry, Item)]
    assert isinstance(cut, Cut)
    assert cut.place == "dump.tar.gz"


def _packed(path: Path, members: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return path


def test_an_archive_of_what_is_read_from_folders_is_told_to_be_unpacked_in_one_line(tmp_path: Path) -> None:
    record = b'{"title": "Veldra", "text": "A town."}\n'
    path = _packed(tmp_path / "n.tar.gz", {"n/t.jsonl": record, "n/a.md": b"# A\n\nA lamp.\n"})
    for name, line in {
        str(path): "holds no documents of the format html; ignored: 1 .jsonl, 1 .md; unpack it and name the folder",
        f"jsonl:{path}": "jsonl is not read from an archive; unpack it and name the folder",
    }.items():
        with pytest.raises(UnreadableSource) as error:
            build(Request((name,), tmp_path / "kb.skb"))
        assert str(error.value).startswith(f"{path}: {line}")


def test_what_an_archive_of_its_own_format_holds_is_read_beside_documents_of_other_kinds(tmp_path: Path) -> None:
    others = {"a.md": b"# A\n\nA lamp.\n", "b.txt": b"Lamps."}
    articles = _packed(tmp_path / "dump.tar.gz", {**others, "part-1.0-x": as_lines([article("B", "one")])})
    source = Source("dump", "enterprise", articles)
    assert texts(articles) == {"B": "one"}
    assert [each for each in items(source, OPTIONS) if not isinstance(each, Item)] == [
        Ignored("a.md", ".md"), Ignored("b.txt", ".txt"),
    ]  # fmt: skip
    record = b'{"title": "Veldra", "text": "A town."}\n'
    pages = _packed(tmp_path / "pages.tar.gz", {"t.jsonl": record, "C.html": page("C", "A pier.").encode(), **others})
    summary = build(Request((str(pages),), tmp_path / "kb.skb"))
    assert (summary.documents, summary.notes) == (
        {"read": 1},
        ("pages.tar.gz: holds .jsonl, .md, .txt files, which are not read from an archive; unpack it and name the"
         " folder",),
    )  # fmt: skip


def test_a_tar_of_json_lines_is_told_from_a_tar_of_pages(tmp_path: Path) -> None:
    assert format_of(archive(tmp_path / "lines.tar.gz", enwiki_0=b"{}\n")) == "enterprise"
    with tarfile.open(tmp_path / "pages.tar.gz", "w:gz") as tar:
        for name in ("titles.json", "a.html"):
            tar.addfile(tarfile.TarInfo(name))
    assert format_of(tmp_path / "pages.tar.gz") == "html"
    for name, line, form in (
        ("articles.ndjson", as_lines([article("A", "one")]), "enterprise"),
        ("notes.jsonl", b'{"title": "A", "text": "about \\"article_body\\": and \\"name\\":"}\n', "jsonl"),
    ):
        (tmp_path / name).write_bytes(line)
        assert format_of(tmp_path / name) == form


def test_a_build_is_the_same_whatever_the_workers_the_order_and_the_packing(tmp_path: Path) -> None:
    pages = sorted((FIXTURES / "encyclopedia").glob("*.html"))
    records = [
        {**article(page.stem.replace("_", " ")), "article_body": {"html": page.read_text("utf-8")}}
        for page in pages
    ]
    old = [
        {**record, "date_modified": "2020-01-01T00:00:00Z", "article_body": {"html": "<p>old</p>"}}
        for record in records
    ]
    kinds: list[tuple[list[dict[str, Any]], int]] = [(records, 1), (records[::-1] + old, 2)]
    built = []
    for number, (lines, workers) in enumerate(kinds):
        half = len(lines) // 2
        path = archive(tmp_path / str(number), a=as_lines(lines[:half]), b=as_lines(lines[half:]))
        path = path.rename(tmp_path / "dump.tar.gz")
        build(Request((str(path),), tmp_path / f"{number}.skb", workers=workers))
        built.append(dumped(tmp_path / f"{number}.skb"))
    assert built[0] == built[1]
    assert rows(tmp_path / "0.skb", "SELECT count(*) FROM page") == [(len(pages),)]
    ((links,),) = rows(tmp_path / "0.skb", "SELECT count(*) FROM link")
    assert isinstance(links, int) and links > 600


def test_reading_again_parses_only_what_changed(tmp_path: Path, weave: Callable[..., Summary]) -> None:
    path = archive(tmp_path / "dump.tar.gz", a=as_lines([article("A", "one"), article("B", "two")]))
    assert weave(path).documents["read"] == 2
    archive(path, a=as_lines([article("A", "one"), article("B", "three")]))
    summary = weave(path)
    assert (summary.documents["read"], summary.documents["unchanged"]) == (1, 1)
