"""Whatever is wrong with an input is on record with its reason, and the rest of it goes on."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import shutil
import sqlite3
import sys
import tarfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from builder.build import build, remove
from builder.plan import plan
from builder.readers.ignored import ARCHIVED_LINK
from builder.request import Progress, Request, Settings, Summary
from interfaces.cli import main
from tests.worlds import dumped, link, page, rows, triple, write_pages, write_records
from weft.errors import NotAKnowledgeBase, NotInKnowledgeBase, UnreadableSource, WeftError
from weft.schema import open_skb

Weave = Callable[..., Summary]
GOOD = page("Good", "A good page about a lamp.")


def _items(tmp_path: Path) -> dict[str, tuple[str, str | None]]:
    found = rows(tmp_path / "kb.skb", "SELECT place, state, reason FROM source_item")
    return {str(place): (str(state), None if reason is None else str(reason)) for place, state, reason in found}


def _titles(tmp_path: Path) -> list[object]:
    return [title for (title,) in rows(tmp_path / "kb.skb", "SELECT title FROM page ORDER BY title")]


def _texts(tmp_path: Path) -> list[object]:
    return [text for (text,) in rows(tmp_path / "kb.skb", "SELECT text FROM chunk ORDER BY uri")]


def _archive(path: Path, members: list[tuple[str, bytes]]) -> Path:
    with tarfile.open(path, "w:gz" if path.suffix in (".gz", ".tgz") else "w") as tar:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return path


def _linked_archive(path: Path, name: str, data: bytes, links: Sequence[str]) -> Path:
    """Write an archive of one member and of links to it, in turn a hard and a symbolic one."""
    _archive(path, [(name, data)])
    with tarfile.open(path, "a") as tar:
        for number, link in enumerate(links):
            info = tarfile.TarInfo(link)
            info.type, info.linkname = (tarfile.LNKTYPE, tarfile.SYMTYPE)[number % 2], name
            tar.addfile(info)
    return path


def _noise(seed: int, size: int) -> str:
    choose = random.Random(seed)
    return " ".join(f"{choose.getrandbits(64):x}" for _ in range(size))


# pages


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty"),
        (b" \n\t ", "the file is empty"),
        (random.Random(1).randbytes(5000), "not HTML"),
        (b"\x1f\x8b\x08\x00" + random.Random(2).randbytes(3000), "not HTML"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not HTML"),
        (b"only words, no markup", "not HTML"),
        (b"<h1>Deep</h1>" + b"<b>" * 20_001, "nested too deep, and it has more than 20,000 tags"),
        (b"<html><body><p>" + b"x" * 120_000 + b"</p></body></html>", "0.1 MB, more than --max-page-mb 0.1"),
    ],
    ids=["empty", "blank", "garbage", "gzip", "png", "text", "very deep", "large"],
)
def test_a_bad_page_is_rejected_with_its_reason(weave: Weave, tmp_path: Path, data: bytes, reason: str) -> None:
    pages = write_pages(tmp_path / "pages", {"Good.html": GOOD})
    (pages / "Bad.html").write_bytes(data)
    summary = weave(pages, max_page_mb=0.1)
    assert summary.documents == {"read": 1, "rejected": 1}
    state, said = _items(tmp_path)["Bad.html"]
    assert (state, _titles(tmp_path)) == ("rejected", ["Good"])
    assert said is not None and reason in said and "\n" not in said


def test_nesting_of_500_is_read(weave: Weave, tmp_path: Path) -> None:
    deep = "<h1>Deep</h1>" + "<div>" * 480 + "<p>At the bottom.</p>" + "</div>" * 480
    weave(write_pages(tmp_path / "pages", {"Deep.html": deep}))
    assert _texts(tmp_path) == ["At the bottom."]


def test_invalid_utf8_is_replaced_and_noted(weave: Weave, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "A.html").write_bytes(b"<meta charset=utf-8><h1>A</h1><p>one \xff two \xe9 three</p>")
    weave(pages)
    assert _texts(tmp_path) == ["one \ufffd two \ufffd three"]
    assert _items(tmp_path)["A.html"] == ("ok", "2 invalid UTF-8 bytes replaced")


def test_null_characters_and_control_characters_are_taken(weave: Weave, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "A.html").write_bytes(b"<h1>A\x01B</h1><p>" + b"word " * 300 + b"a\0b\x02c</p>")
    weave(pages)
    (uri,) = rows(tmp_path / "kb.skb", "SELECT uri FROM page")[0]
    assert "\x01" not in str(uri)
    assert len(_texts(tmp_path)) == 1


def test_what_is_no_regular_file_is_on_record_and_never_waited_for(weave: Weave, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"Good.html": GOOD})
    os.mkfifo(pages / "Pipe.html")
    (pages / "Folder.html").mkdir()
    write_pages(pages / "Folder.html", {"Inner.html": page("Inner", "Inside a folder.")})
    (pages / "Gone.html").symlink_to(pages / "nothing")
    weave(pages)
    items = _items(tmp_path)
    assert _titles(tmp_path) == ["Good", "Inner"]
    assert items["Pipe.html"] == ("rejected", "not a regular file")
    assert items["Gone.html"][0] == "rejected"
    assert "Folder.html" not in items


def test_a_pipe_or_folder_among_records_is_never_waited_for(weave: Weave, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    write_records(folder / "good.jsonl", [{"title": "Good", "text": "A lamp."}])
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "folder.jsonl").mkdir()
    weave(folder)
    assert _titles(tmp_path) == ["Good"]
    assert _items(tmp_path)["pipe.jsonl"] == ("rejected", "not a regular file")


def test_a_pipe_as_source_is_a_mistake(weave: Weave, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.html")
    with pytest.raises(UnreadableSource, match="neither a file nor a folder"):
        weave(tmp_path / "pipe.html")


def test_a_page_that_cannot_be_read_from_disk_is_on_record_and_stays(weave: Weave, tmp_path: Path) -> None:
    memory = Path("/proc/self/mem")
    if not memory.exists():
        pytest.skip("no file here that opens but cannot be read")
    # A source is called by what a link to it leads to.
    real = write_pages(tmp_path / "real", {"mem": GOOD}) / "mem"
    other = write_pages(tmp_path, {"Other.html": page("Other", "More.")}) / "Other.html"
    good = tmp_path / "Good.html"
    good.symlink_to(memory)
    weave(good, other)
    assert _items(tmp_path)["Good.html"] == ("incomplete", "cannot be read: Input/output error")
    for target in (real, memory):
        good.unlink()
        good.symlink_to(target)
        assert weave(good, other).incomplete == (["mem"] if target == memory else [])
    assert _items(tmp_path)["Good.html"] == ("ok", "cannot be read: Input/output error")
    assert len(_titles(tmp_path)) == 2
    good.unlink()
    good.symlink_to(real)
    weave(good, other)
    assert _items(tmp_path)["Good.html"] == ("ok", None)


def test_file_names_that_are_no_utf8_are_taken(weave: Weave, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for name, title in ((b"caf\xe9.html", "One"), (b"caf\xe8.html", "Two")):
        (pages / os.fsdecode(name)).write_text(page(title, "Words."), encoding="utf-8")
    weave(pages)
    assert _titles(tmp_path) == ["One", "Two"]
    assert len(_items(tmp_path)) == 2
    assert not weave(pages).changed


@pytest.mark.parametrize("name", ["kb.skb", ".kb.skb", "kb"])
def test_what_a_build_writes_into_its_source_is_no_part_of_it(tmp_path: Path, name: str) -> None:
    pages = write_pages(tmp_path / "pages", {"A.html": page("A", "A lamp."), "kb.skb.txt": "Not read."})
    request = Request((f"html:{pages}",), pages / name, workers=1)
    assert build(request).left_out["ignored files"] == 1
    assert plan(request)["sources"][0]["ignored"] == {".txt": 1}
    (tmp_path / "link").symlink_to(pages)
    for output in (pages / name, tmp_path / "link" / name):
        again = build(request._replace(output=output))
        assert (again.changed, again.left_out["ignored files"]) == (False, 1)


@pytest.mark.parametrize(
    "titles", ["{", "[]", '"x"', "[" * 100_000, '{"Good.html": ' + "9" * 5000 + "}", b"\xff\xfe"],
    ids=["cut", "list", "string", "deep", "long number", "no UTF-8"],
)  # fmt: skip
def test_a_broken_titles_file_is_one_line(weave: Weave, tmp_path: Path, titles: str | bytes) -> None:
    pages = write_pages(tmp_path / "pages", {"Good.html": GOOD})
    (pages / "titles.json").write_bytes(titles if isinstance(titles, bytes) else titles.encode())
    with pytest.raises(UnreadableSource, match=r"titles\.json"):
        weave(pages)


def test_a_titles_file_that_is_a_link_out_of_its_folder_is_not_read(weave: Weave, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "in" / "pages", {"a.html": "<div><p>Words only.</p></div>"})
    (tmp_path / "secret.json").write_text('{"a.html": "Secret"}')
    (pages / "titles.json").symlink_to(tmp_path / "secret.json")
    assert weave(pages).left_out["ignored files"] == 1
    assert _titles(tmp_path) == ["A"]
    (tmp_path / "in" / "titles.json").symlink_to(tmp_path / "secret.json")
    with pytest.raises(UnreadableSource, match=r"in/titles\.json: a link that leads out of its folder"):
        weave(pages)


def test_a_titles_file_that_is_a_link_within_its_folder_is_read(weave: Weave, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"a.html": "<div><p>Words only.</p></div>"})
    (pages / "t.json").write_text('{"a.html": "Told"}')
    (pages / "titles.json").symlink_to("t.json")
    weave(pages)
    assert _titles(tmp_path) == ["Told"]


def test_a_titles_file_beyond_the_limit_is_refused_before_it_is_read(weave: Weave, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"Good.html": GOOD})
    with (pages / "titles.json").open("wb") as file:
        file.truncate(10**8 + 1)
    with pytest.raises(UnreadableSource, match=r"titles\.json: 100\.0 MB, more than 100$"):
        weave(pages)


def test_odd_titles_in_a_titles_file_are_left_out_or_mended(weave: Weave, tmp_path: Path) -> None:
    untitled = "<div><p>Words only.</p></div>"
    pages = write_pages(tmp_path / "pages", {"a.html": untitled, "b.html": untitled})
    (pages / "titles.json").write_text('{"a.html": "Lone \\ud800 half", "b.html": null, "c": [1]}')
    weave(pages)
    assert _titles(tmp_path) == ["B", "Lone ? half"]


# archives


def test_a_truncated_archive_gives_what_it_holds_and_removes_nothing(weave: Weave, tmp_path: Path) -> None:
    members = [(f"P{n:02}.html", page(f"P{n:02}", _noise(n, 2000)).encode()) for n in range(20)]
    archive = _archive(tmp_path / "pages.tar.gz", members)
    whole = archive.read_bytes()
    weave(archive)
    assert len(_titles(tmp_path)) == 20
    before = dumped(tmp_path / "kb.skb")
    archive.write_bytes(whole[: len(whole) // 2])
    summary = weave(archive)
    assert (summary.incomplete, summary.removed) == (["pages.tar.gz"], 0)
    assert len(_titles(tmp_path)) == 20
    state, reason = _items(tmp_path)["pages.tar.gz"]
    assert state == "incomplete" and reason is not None
    archive.write_bytes(whole)
    assert weave(archive).incomplete == []
    assert dumped(tmp_path / "kb.skb") == before


def test_a_new_truncated_archive_gives_its_beginning(weave: Weave, tmp_path: Path) -> None:
    members = [(f"P{n:02}.html", page(f"P{n:02}", _noise(n, 2000)).encode()) for n in range(20)]
    archive = _archive(tmp_path / "pages.tar.gz", members)
    archive.write_bytes(archive.read_bytes()[: archive.stat().st_size // 2])
    assert weave(archive).incomplete == ["pages.tar.gz"]
    assert 0 < len(_titles(tmp_path)) < 20


def test_of_a_truncated_archive_the_command_that_lists_why_is_told(tmp_path: Path) -> None:
    members = [(f"P{n}.html", page(f"P{n}", _noise(n, 2000)).encode()) for n in range(9)]
    archive = _archive(tmp_path / "pages.tar.gz", members)
    archive.write_bytes(archive.read_bytes()[: archive.stat().st_size // 2])
    kb = tmp_path / "kb.skb"
    for kept in ("", ", so nothing of it was removed"):
        result = CliRunner().invoke(main, ["build", str(archive), "-o", str(kb), "--workers", "1"])
        assert result.stderr.splitlines()[0] == (
            f"pages.tar.gz: not read to its end{kept}; weft info {kb} --rejects says why"
        )


@pytest.mark.parametrize("damage", ["no tar", "gzip of no tar", "flipped"])
def test_a_damaged_archive_is_on_record(weave: Weave, tmp_path: Path, damage: str) -> None:
    pages = write_pages(tmp_path / "good", {"Good.html": GOOD})
    members = [(f"P{n}.html", page(f"P{n}", _noise(n, 2000)).encode()) for n in range(5)]
    archive = _archive(tmp_path / "pages.tar.gz", members)
    data = bytearray(archive.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 50] = b"\xaa" * 50
    archive.write_bytes(
        {"no tar": b"plain words\n" * 500, "gzip of no tar": gzip.compress(b"plain words\n" * 500)}.get(damage, data)
    )
    summary = weave(pages, archive)
    assert summary.incomplete == ["pages.tar.gz"]
    assert "Good" in _titles(tmp_path)
    assert _items(tmp_path)["pages.tar.gz"][0] == "incomplete"


def test_two_members_of_one_name_are_two_items(weave: Weave, tmp_path: Path) -> None:
    members = [("A.html", page("A", "First.").encode()), ("./A.html", page("A", "Second.").encode())]
    archive = _archive(tmp_path / "pages.tar", members)
    weave(archive)
    assert _texts(tmp_path) == ["First."]
    assert sorted(state for state, _ in _items(tmp_path).values()) == ["duplicate", "ok"]
    assert not weave(archive).changed


def test_places_in_archives_are_never_absolute(weave: Weave, tmp_path: Path) -> None:
    weave(_archive(tmp_path / "pages.tar", [("/home/me/A.html", page("A", "First.").encode())]))
    assert list(_items(tmp_path)) == ["home/me/A.html"]


def test_places_in_archives_lead_to_nothing_outside(weave: Weave, tmp_path: Path) -> None:
    names = ("A.html", "../Evil.html", "x/../../y/./Z.html")
    weave(_archive(tmp_path / "pages.tar", [(name, f"<h1>A</h1><p>{name}</p>".encode()) for name in names]))
    assert list(_items(tmp_path)) == ["A.html", "Evil.html", "y/Z.html"]
    uris = [uri for (uri,) in rows(tmp_path / "kb.skb", "SELECT uri FROM page ORDER BY id")]
    assert uris == ["A", "A (Evil.html)", "A (y/Z.html)"]


def test_links_in_archives_are_counted_and_not_read(weave: Weave, tmp_path: Path) -> None:
    linked = b"<h1>A</h1><p>See <a href='hard.html'>that</a>.</p>"
    pages = _linked_archive(tmp_path / "pages.tar", "A.html", linked, ["hard.html", "soft.html", "soft.txt"])
    record = json.dumps({"name": "B", "namespace": {"identifier": 0}, "article_body": {"html": "<p>B.</p>"}}).encode()
    dump = _linked_archive(tmp_path / "dump.tar", "0.ndjson", record, ["1.ndjson"])
    weave(pages, dump)
    assert list(_items(tmp_path)) == ["A.html", "B"]
    [(build,)] = rows(tmp_path / "kb.skb", "SELECT value FROM meta WHERE key = 'build'")
    assert json.loads(str(build))["ignored"] == [
        {"source": "pages.tar", "kind": ARCHIVED_LINK, "files": 3, "examples": ["hard.html", "soft.html", "soft.txt"]},
        {"source": "dump.tar", "kind": ARCHIVED_LINK, "files": 1, "examples": ["1.ndjson"]},
    ]
    assert rows(tmp_path / "kb.skb", "SELECT count(*) FROM link") == [(0,)]


# records


BAD_RECORDS: list[tuple[bytes, str]] = [
    (b"[1, 2]", "not an object"),
    (b"null", "not an object"),
    (b'"text"', "not an object"),
    (b"{", "not JSON"),
    (b'{"title": "A"}', "text is missing"),
    (b'{"text": "A"}', "title is missing"),
    (b'{"title": 7, "text": "A"}', "title is missing or no string"),
    (b'{"subject": "A", "predicate": "near", "object": "B"}', "a triple, no document; name its file with --triples"),
    (b'{"title": "A", "text": ["A"]}', "text is missing or no string"),
    (b'{"title": "", "text": "A"}', "title is empty"),
    (b'{"title": " \\t\\u001f ", "text": "A"}', "title is empty"),
    (b"[" * 200_000, "not JSON"),
    (b'{"title": "A", "text": "B", "id": ' + b"9" * 5000 + b"}", "not JSON"),
    (b'{"title": "A", "text": "' + b"x" * 20_000_000 + b'"}', "the limit is 20,000,000"),
    (b"\xff\xfe{\0}\0", "not JSON"),
]


def test_bad_records_are_rejected_line_by_line(weave: Weave, tmp_path: Path) -> None:
    good = b'{"title": "Good", "text": "A lamp."}'
    (tmp_path / "r.jsonl").write_bytes(b"\n".join(b"\n".join((line, good)) for line, _ in BAD_RECORDS) + b"\n\n")
    summary = weave(tmp_path / "r.jsonl")
    assert summary.documents == {"read": 1, "rejected": len(BAD_RECORDS)}
    assert _texts(tmp_path) == ["A lamp."]
    items = _items(tmp_path)
    for number, (_, reason) in enumerate(BAD_RECORDS):
        state, said = items[f"r.jsonl line {2 * number + 1}"]
        assert state == "rejected" and said is not None
        assert reason in said


def test_records_nested_near_the_limit_are_read_or_rejected(weave: Weave, tmp_path: Path) -> None:
    lines = [f'{{"title": "T{n}", "text": "A lamp.", "extra": {"[" * n}{"]" * n}}}' for n in range(880, 1000, 3)]
    (tmp_path / "r.jsonl").write_text("\n".join(lines))
    summary = weave(tmp_path / "r.jsonl")
    assert sum(summary.documents.values()) == len(lines)


def test_odd_characters_in_records_are_replaced(weave: Weave, tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_bytes(
        b'{"title": "Lone \\ud800", "text": "half \\udfff, null \\u0000, whole \\ud83d\\ude00", "url": "u\\ud800"}\n'
        b'{"title": "Bytes", "text": "caf\xe9 \xff"}\n'
        b'{"title": "A#B;C%D\\u0001", "text": "Signs."}\n'
    )
    weave(tmp_path / "r.jsonl")
    assert _titles(tmp_path) == ["A#B;C%D\x01", "Bytes", "Lone \ufffd"]
    assert _texts(tmp_path) == ["Signs.", "caf\ufffd \ufffd", "half \ufffd, null \ufffd, whole \U0001f600"]
    assert _items(tmp_path)["Bytes"] == ("ok", "2 invalid UTF-8 bytes replaced")
    assert _items(tmp_path)["Lone \ufffd"] == ("ok", "2 lone surrogates replaced")
    assert rows(tmp_path / "kb.skb", "SELECT uri FROM chunk WHERE text = 'Signs.'") == [("A%23B%3BC%25D%01##1",)]


def test_unusable_links_are_left_out_and_noted(weave: Weave, tmp_path: Path) -> None:
    text = "Ada met Bo in Caen."
    bad: list[object] = [
        None, 5, "Ada", {"start": -3, "end": 3, "target": "X"}, {"start": 0, "end": 99, "target": "X"},
        {"start": 3, "end": 3, "target": "X"}, {"start": 7, "end": 3, "target": "X"},
        {"start": True, "end": 3, "target": "X"}, {"start": 0.0, "end": 3, "target": "X"},
        {"start": "0", "end": 3, "target": "X"}, {"start": 0, "end": 3}, {"start": 0, "end": 3, "target": ""},
        {"start": 0, "end": 3, "target": "_ "}, {"start": 0, "end": 3, "target": "#part"},
        {"start": 0, "end": 3, "target": "\u200e"}, {"start": 1, "end": 5, "target": "X"},
    ]  # fmt: skip
    good = [{"start": 0, "end": 3, "target": "Ada_Lovelace#Life"}, {"start": 14, "end": 18, "target": "Caen"}]
    write_records(tmp_path / "r.jsonl", [{"title": "T", "text": text, "links": [*bad, *good]}])
    weave(tmp_path / "r.jsonl")
    assert rows(tmp_path / "kb.skb", 'SELECT start, "end", target, fragment, anchor FROM link ORDER BY start') == [
        (0, 3, "Ada Lovelace", "Life", "Ada"),
        (14, 18, "Caen", "", "Caen"),
    ]
    note = "links left out: 10 outside the text, 1 overlapping another one, 5 without a title"
    assert _items(tmp_path)["T"] == ("ok", note)
    assert rows(tmp_path / "kb.skb", "SELECT count(*) FROM entity WHERE uri = ''") == [(0,)]


@pytest.mark.parametrize("links", ["Ada", 7, {"start": 0}])
def test_links_that_are_no_list_are_left_out(weave: Weave, tmp_path: Path, links: object) -> None:
    write_records(tmp_path / "r.jsonl", [{"title": "T", "text": "Ada.", "links": links}])
    weave(tmp_path / "r.jsonl")
    assert _items(tmp_path)["T"] == ("ok", "links left out: 1 of `links` that is no list")


def test_a_link_to_the_page_itself_is_none(weave: Weave, tmp_path: Path) -> None:
    links = [{"start": 0, "end": 3, "target": "Ada"}]
    write_records(tmp_path / "r.jsonl", [{"title": "Ada", "text": "Ada.", "links": links}])
    weave(tmp_path / "r.jsonl")
    assert rows(tmp_path / "kb.skb", "SELECT * FROM link") == []


def test_truncated_records_take_nothing_away(weave: Weave, tmp_path: Path) -> None:
    records = [{"title": f"T{n % 30}", "text": f"{n} {_noise(n, 200)}"} for n in range(90)]
    path = tmp_path / "r.jsonl.gz"
    whole = gzip.compress("".join(json.dumps(each) + "\n" for each in records).encode())
    path.write_bytes(whole)
    weave(path)
    texts = _texts(tmp_path)
    assert len(texts) == 90
    path.write_bytes(whole[: len(whole) * 2 // 3])
    summary = weave(path)
    assert (summary.incomplete, summary.removed) == (["r.jsonl.gz"], 0)
    assert _texts(tmp_path) == texts


# facts


def test_wrong_lines_of_facts_are_on_record(weave: Weave, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"A.html": page("A", f"To {link('B')}.")})
    long = triple("A", "note", "x" * 1_000_001)
    (tmp_path / "f.nt").write_text(
        triple("A", "knows", "B") + "<A> <knows> .\n" + long + "garbage\n" + triple("B", "knows", "A")
    )
    weave(pages, rdf=(str(tmp_path / "f.nt"),))
    items = _items(tmp_path)
    assert [items[f"f.nt line {n}"][0] for n in (2, 3, 4)] == ["rejected"] * 3
    assert "the limit is 1,000,000" in (items["f.nt line 3"][1] or "")
    assert rows(tmp_path / "kb.skb", "SELECT count(*) FROM relation") == [(2,)]


def test_wrong_lines_of_triples_are_on_record(weave: Weave, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"A.html": page("A", "Words.")})
    lines = [
        b'{"subject": "A", "predicate": "knows", "object": "B"}',
        b'{"subject": "A", "predicate": "knows"}',
        b'{"subject": "", "predicate": "knows", "object": "B"}',
        b'["A", "knows", "B"]',
        b"null",
        b"{",
        b'{"subject": "A", "predicate": 7, "object": "B"}',
        b'{"subject": "A", "predicate": "p", "object": "B", "n": ' + b"9" * 5000 + b"}",
        b"[" * 100_000,
        b'{"subject": "A", "predicate": "p", "object": "caf\xe9"}',
    ]
    (tmp_path / "t.jsonl").write_bytes(b"\n".join(lines))
    weave(pages, triples=(str(tmp_path / "t.jsonl"),))
    items = _items(tmp_path)
    assert [items.get(f"t.jsonl line {n}", ("",))[0] for n in range(1, 11)] == ["", *["rejected"] * 8, "noted"]
    assert rows(tmp_path / "kb.skb", "SELECT name FROM entity ORDER BY uri") == [("A",), ("B",), ("caf\ufffd",)]


@pytest.mark.parametrize(("name", "option"), [("f.nt.gz", "rdf"), ("f.jsonl.gz", "triples")])
@pytest.mark.parametrize("n_bytes", [3, 5, 12, 40])
def test_facts_cut_before_their_first_line_ends_are_told(
    weave: Weave, tmp_path: Path, name: str, option: str, n_bytes: int
) -> None:
    pages = write_pages(tmp_path / "pages", {"A.html": page("A", "A lamp.")})
    lines = [triple("A", "note", _noise(seed, 200)) for seed in range(3)]
    if option == "triples":
        lines = [json.dumps({"subject": "A", "predicate": "b", "object": _noise(seed, 20)}) + "\n" for seed in range(3)]
    (tmp_path / name).write_bytes(gzip.compress("".join(lines).encode(), mtime=0)[:n_bytes])
    summary = weave(pages, **{option: (str(tmp_path / name),)})
    assert summary.incomplete == [name]
    assert summary.notes == (f"{name}: breaks off before any line of it is complete; fetch or pack it anew",)


def test_truncated_facts_take_nothing_away(weave: Weave, tmp_path: Path) -> None:
    names = [f"N{n}" for n in range(60)]
    pages = write_pages(tmp_path / "pages", {"A.html": page("A", *(f"To {link(name)}." for name in names))})
    lines = [triple("A", f"knows{n % 7}", name) for n, name in enumerate(names)]
    lines += [
        f'<http://facts.example/resource/{name}> <http://facts.example/ontology/note> "{_noise(n, 50)}" .\n'
        for n, name in enumerate(names)
    ]
    random.Random(5).shuffle(lines)
    path = tmp_path / "f.nt.gz"
    whole = gzip.compress("".join(lines).encode())
    path.write_bytes(whole)
    weave(pages, rdf=(str(path),))
    query = "SELECT count(*) FROM relation UNION ALL SELECT count(*) FROM attribute"
    assert rows(tmp_path / "kb.skb", query) == [(60,), (60,)]
    before = dumped(tmp_path / "kb.skb")
    path.write_bytes(whole[: len(whole) // 2])
    summary = weave(pages, rdf=(str(path),))
    assert summary.incomplete == ["f.nt.gz"]
    assert rows(tmp_path / "kb.skb", query) == [(60,), (60,)]
    assert not weave(pages, rdf=(str(path),)).changed
    path.write_bytes(whole)
    assert weave(pages, rdf=(str(path),)).incomplete == []
    assert dumped(tmp_path / "kb.skb") == before


@pytest.mark.parametrize("name", ["f.rdf", "f.jsonld", "f.trig", "page.html"])
def test_a_fact_file_of_another_format_is_a_mistake(weave: Weave, tmp_path: Path, name: str) -> None:
    pages = write_pages(tmp_path / "pages", {"Good.html": GOOD})
    (tmp_path / name).write_text("<html><p>no facts</p></html>")
    with pytest.raises(UnreadableSource, match=r"convert it to \.nt"):
        weave(pages, rdf=(str(tmp_path / name),))


XML = b'<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="x"></rdf:RDF>\n'


@pytest.mark.parametrize("suffix", [".nt", ".nq", ".ttl", ".nt.gz", ""])
@pytest.mark.parametrize(
    ("data", "what"),
    [
        (XML, "XML"), (b"\xef\xbb\xbf" + XML, "XML"), (b"\n<rdf:RDF xmlns:rdf='x'/>", "XML"),
        (triple("a", "b", "c").encode("utf-16"), "UTF-16"), (triple("a", "b", "c").encode("utf-16-be"), "UTF-16"),
        (b"<!DOCTYPE html><html></html>", "HTML"),
    ],
)  # fmt: skip
def test_a_fact_file_that_begins_as_another_format_is_a_mistake_whatever_its_name(
    weave: Weave, tmp_path: Path, data: bytes, what: str, suffix: str
) -> None:
    path = tmp_path / f"facts{suffix}"
    path.write_bytes(gzip.compress(data) if suffix.endswith(".gz") else data)
    with pytest.raises(UnreadableSource, match=f"facts.* is {what}"):
        weave(write_pages(tmp_path / "pages", {"Good.html": GOOD}), rdf=(str(path),))


@pytest.mark.parametrize("name", ["f.nt", "f.nq", "f.ttl", "f"])
@pytest.mark.parametrize("text", ["", "\n \n", "# nothing yet\n"])
def test_an_empty_fact_file_is_no_mistake_and_told(weave: Weave, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "t.jsonl").write_bytes(b"\n")
    pages = write_pages(tmp_path / "pages", {"Good.html": GOOD})
    summary = weave(pages, rdf=(str(tmp_path / name),), triples=(str(tmp_path / "t.jsonl"),))
    why = "holds no facts; it is empty, or all comments and declarations"
    assert (summary.counts["relation"], summary.notes) == (0, (f"{name}: {why}", f"t.jsonl: {why}"))
    facts = rows(tmp_path / "kb.skb", "SELECT value FROM meta WHERE key = 'facts'")
    assert [record["lines"] for record in json.loads(str(facts[0][0]))] == [0, 0]


# The parser that is installed says in its own words what is wrong with a line.
REASONS = ("Subject must be uriref or nodeID", "expected a term or ' .' at 'one'")


@pytest.mark.parametrize(
    ("option", "name", "text", "note"),
    [
        ("rdf", "f.nt", "one\n" + triple("a", "b", "c") + "two\n",
         "f.nt: 2 of 3 lines are malformed; the first is f.nt line 1: {reason}"),
        ("rdf", "f.ttl", "@prefix a: <http://a/> .\na:b a:c a:d .\na:b a:c .\n",
         "f.ttl: 1 of 2 lines is malformed; the first is f.ttl line 3: "),
        ("triples", "f.jsonl", '{"subject": "a"}\n{"subject": "a", "predicate": "b", "object": "c"}\n',
         "f.jsonl: 1 of 2 lines is malformed; the first is f.jsonl line 1: predicate is missing, empty or no string"),
    ],
)  # fmt: skip
def test_malformed_facts_are_said_in_one_line(
    weave: Weave, tmp_path: Path, option: str, name: str, text: str, note: str
) -> None:
    (tmp_path / name).write_text(text)
    summary = weave(
        write_pages(tmp_path / "pages", {"Good.html": GOOD}), **{option: (str(tmp_path / name),)}
    )
    assert len(summary.notes) == 1
    assert summary.notes[0].startswith(tuple(note.replace("{reason}", reason) for reason in REASONS))


RDF_ADVICE = "correct it, convert it to .nt, give JSON Lines by --triples, or leave it out"
WITHOUT_A_FACT = {
    "N-Triples": ("rdf", "f.nt", "one\n\ntwo\n", 
                  f"all 2 lines are malformed; the first is line 1: {{reason}}; {RDF_ADVICE}"),
    "one line": ("rdf", "f.nt", "# facts\none\n", f"its only line is malformed, line 2: {{reason}}; {RDF_ADVICE}"),
    "Turtle": ("rdf", "f.ttl", "@prefix a: <http://a/> .\na:b a:c .\n", "its only line is malformed, line 2: "),
    "triples": ("triples", "f.jsonl", '{"subject": "a"}\n[]\n',
                "all 2 lines are malformed; the first is line 1: predicate is missing, empty or no string;"
                " correct it, give RDF by --rdf, or leave it out"),
    "a line too long": ("rdf", "f.nt", "a" * 1_000_001 + "\n",
                        "its only line is malformed, line 1: line of 1,000,001 bytes, the limit is 1,000,000; correct"),
}  # fmt: skip


@pytest.mark.parametrize(("option", "name", "text", "what"), WITHOUT_A_FACT.values(), ids=list(WITHOUT_A_FACT))
def test_a_fact_file_without_a_well_formed_line_is_a_mistake(
    weave: Weave, tmp_path: Path, option: str, name: str, text: str, what: str
) -> None:
    pages = write_pages(tmp_path / "pages", {"Good.html": GOOD})
    weave(pages)
    before = (tmp_path / "kb.skb").read_bytes()
    (tmp_path / name).write_text(text)
    with pytest.raises(UnreadableSource) as error:
        weave(pages, **{option: (str(tmp_path / name),)})
    message = str(error.value)
    assert message.startswith(tuple(f"{tmp_path / name}: {what.replace('{reason}', each)}" for each in REASONS))
    assert message.count("\n") == 0 and (tmp_path / "kb.skb").read_bytes() == before
    assert not (tmp_path / "kb.skb.part").exists()


CSV = "subject,predicate,object\nAda,knows,Bob\nBob,knows,Ada\n"
NO_RDF = "is no N-Triples, N-Quads or Turtle (line 1: the file ends within the statement); convert it to .nt, give JSON"
MISNAMED = {
    "CSV": ("rdf", "f.csv", "is a table (.csv), which is not read as facts; convert it to .nt, give JSON"),
    "a name that tells nothing": ("rdf", "f", NO_RDF),
    "no gzip": ("rdf", "f.nt.gz", "is not gzip, whatever its name, and no line of it is a fact (line 1: "),
    "no bzip2": ("triples", "f.jsonl.BZ2", "is not bzip2, whatever its name, and no line of it is a fact (line"),
}


@pytest.mark.parametrize(("option", "name", "what"), MISNAMED.values(), ids=list(MISNAMED))
def test_a_fact_file_that_is_no_such_thing_is_told_so(
    weave: Weave, tmp_path: Path, option: str, name: str, what: str
) -> None:
    (tmp_path / name).write_text(CSV)
    with pytest.raises(UnreadableSource) as error:
        weave(write_pages(tmp_path / "pages", {"Good.html": GOOD}), **{option: (str(tmp_path / name),)})
    assert str(error.value).startswith(f"{tmp_path / name}: {what}")


@pytest.mark.parametrize("option", ["rdf", "triples"])
def test_a_folder_of_fact_files_is_told_as_one(weave: Weave, tmp_path: Path, option: str) -> None:
    pages = write_pages(tmp_path / "pages", {"Good.html": GOOD})
    with pytest.raises(UnreadableSource) as error:
        weave(pages, **{option: (str(pages),)})
    assert str(error.value) == f"{pages}: is a folder; name its files, each behind a --{option} of its own"


def test_of_several_fact_files_each_one_without_a_well_formed_line_is_named(tmp_path: Path) -> None:
    write_pages(tmp_path / "pages", {"Good.html": GOOD})
    for name, text in {"good.nt": triple("a", "b", "c"), "one.nt": "one\n", "two.jsonl": "two\n"}.items():
        (tmp_path / name).write_text(text)
    command = ["build", f"{tmp_path}/pages", "-o", f"{tmp_path}/kb.skb", "--rdf", f"{tmp_path}/good.nt"]
    result = CliRunner().invoke(main, [*command, "--rdf", f"{tmp_path}/one.nt", "--triples", f"{tmp_path}/two.jsonl"])
    lines = result.stderr.splitlines()
    assert (result.exit_code, len(lines), (tmp_path / "kb.skb").exists()) == (1, 3, False)
    assert lines[0].startswith(f"rejected {tmp_path}/one.nt: its only line is malformed, line 1: ")
    assert lines[1].startswith(f"rejected {tmp_path}/two.jsonl: its only line is malformed, line 1: not JSON: ")
    assert lines[2].startswith(f"Error: 2 fact files cannot be read, the first {tmp_path}/one.nt: its only line")


def test_facts_that_break_off_before_their_first_are_incomplete(weave: Weave, tmp_path: Path) -> None:
    facts = tmp_path / "f.nt.gz"
    facts.write_bytes(gzip.compress(triple("a", "b", _noise(1, 99)).encode())[:60])
    summary = weave(write_pages(tmp_path / "pages", {"Good.html": GOOD}), rdf=(str(facts),))
    assert (summary.incomplete, summary.failure) == (["f.nt.gz"], None)


@pytest.mark.parametrize(("option", "name"), [("rdf", "f.nt.gz"), ("rdf", "f.ttl.gz"), ("triples", "f.jsonl.gz")])
def test_malformed_lines_before_a_break_are_a_mistake(weave: Weave, tmp_path: Path, option: str, name: str) -> None:
    pages = write_pages(tmp_path / "pages", {"Good.html": GOOD})
    weave(pages)
    before = (tmp_path / "kb.skb").read_bytes()
    facts = tmp_path / name
    # The line at the break is as malformed as the others, and counted as none.
    facts.write_bytes(gzip.compress(f"one .\ntwo .\n{_noise(1, 3000)}".encode())[:-600])
    with pytest.raises(UnreadableSource, match="all 2 lines are malformed; the first is line 1: "):
        weave(pages, **{option: (str(facts),)})
    assert (tmp_path / "kb.skb").read_bytes() == before


@pytest.mark.parametrize(("option", "name"), [("rdf", "f.nt.gz"), ("rdf", "f.ttl.gz"), ("triples", "f.jsonl.gz")])
def test_facts_without_a_whole_line_are_incomplete(weave: Weave, tmp_path: Path, option: str, name: str) -> None:
    facts = tmp_path / name
    facts.write_bytes(gzip.compress(_noise(1, 3000).encode())[:-600])
    summary = weave(write_pages(tmp_path / "pages", {"Good.html": GOOD}), **{option: (str(facts),)})
    assert (summary.incomplete, summary.failure) == ([name], None)


def test_malformed_lines_of_a_graph_are_said_in_one_line(weave: Weave, tmp_path: Path) -> None:
    graph = tmp_path / "graph"
    graph.mkdir()
    (graph / "nodes.jsonl").write_text('{"uri": "a", "text": "A weir."}\nnone\n')
    (graph / "edges.tsv").write_text("subject\tpredicate\tobject\na\tb\n")
    assert weave(graph).notes == (
        "graph (graph): 2 lines are malformed; the first is graph/nodes.jsonl line 2: not JSON: Expecting value:"
        " line 1 column 1 (char 0)",
    )


# sources and outputs


def test_sources_that_hold_nothing_are_mistakes(weave: Weave, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.bin").write_text("words")
    (tmp_path / "empty.jsonl").write_bytes(b"")
    (tmp_path / "blank.jsonl").write_bytes(b"\n\n  \n")
    (tmp_path / "odd.bin").write_bytes(b"\0\1\2")
    _archive(tmp_path / "empty.tar", [])
    for name in ("none", "notes", "empty.jsonl", "blank.jsonl", "odd.bin", "missing", "empty.tar", "html:", "xml:none"):
        with pytest.raises(UnreadableSource):
            weave(tmp_path / name if ":" not in name else name)
        assert not (tmp_path / "kb.skb").exists()
    pages = write_pages(tmp_path / "pages", {"Good.html": GOOD})
    for facts in ("missing.nt", "none"):
        with pytest.raises(UnreadableSource):
            weave(pages, rdf=(str(tmp_path / facts),))
        with pytest.raises(UnreadableSource):
            weave(pages, triples=(str(tmp_path / facts),))


def test_a_source_named_twice_is_a_mistake(weave: Weave, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"Good.html": GOOD})
    with pytest.raises(UnreadableSource, match="named twice"):
        weave(pages, tmp_path / "pages" / ".." / "pages")


def test_folders_of_one_name_are_told_apart(weave: Weave, tmp_path: Path) -> None:
    one = write_pages(tmp_path / "one" / "pages", {"A.html": page("A", "First.")})
    two = write_pages(tmp_path / "two" / "pages", {"A.html": page("B", "Second.")})
    weave(one, two)
    assert rows(tmp_path / "kb.skb", "SELECT source FROM source_item ORDER BY 1") == [("one/pages",), ("two/pages",)]
    assert _titles(tmp_path) == ["A", "B"]


def test_a_limit_reached_before_the_last_source_is_no_mistake(weave: Weave, tmp_path: Path) -> None:
    one = write_pages(tmp_path / "one", {"A.html": page("A", "First."), "B.html": page("B", "Second.")})
    two = write_pages(tmp_path / "two", {"C.html": page("C", "Third.")})
    assert weave(one, two, limit=2).documents == {"read": 2}
    assert _titles(tmp_path) == ["A", "B"]


def _foreign(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE guests (name TEXT)")
    connection.close()


def _newer(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


OUTPUTS: list[tuple[str, Callable[[Path], object], str]] = [
    ("zero bytes", lambda path: path.write_bytes(b""), "empty"),
    ("text", lambda path: path.write_bytes(b"notes about lamps\n" * 99), "not a knowledge base"),
    ("foreign", lambda path: (path.unlink(), _foreign(path)), "another program"),
    ("newer", _newer, "schema version 99"),
    ("folder", _make_folder, "is a folder"),
    ("header only", lambda path: path.write_bytes(path.read_bytes()[:100]), "not a knowledge base|damaged"),
    ("cut", _cut, "not a knowledge base|damaged"),
]


@pytest.mark.parametrize(("break_it", "reason"), [each[1:] for each in OUTPUTS], ids=[each[0] for each in OUTPUTS])
def test_an_output_that_is_no_skb_is_left_as_it_is(
    weave: Weave, tmp_path: Path, break_it: Callable[[Path], object], reason: str
) -> None:
    pages = write_pages(tmp_path / "pages", {"Good.html": GOOD})
    output = tmp_path / "kb.skb"
    weave(pages)
    break_it(output)
    before = output.read_bytes() if output.is_file() else None
    with pytest.raises(NotAKnowledgeBase, match=reason):
        weave(pages)
    with pytest.raises(NotAKnowledgeBase, match=reason):
        remove(output, ["Good"])
    with pytest.raises(NotAKnowledgeBase, match=reason):
        rows(output, "SELECT count(*), max(text) FROM chunk")
    assert (output.read_bytes() if output.is_file() else None) == before
    assert not (tmp_path / "kb.skb.lock").exists()


def test_an_output_in_a_missing_folder_is_a_mistake(weave: Weave, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"Good.html": GOOD})
    with pytest.raises(UnreadableSource, match="no such folder"):
        weave(pages, output=tmp_path / "missing" / "kb.skb")


@pytest.mark.parametrize("leftover", [b"", b"garbage" * 1000, "cut", "foreign"], ids=["empty", "noise", "cut", "other"])
def test_a_leftover_that_is_no_working_copy_is_thrown_away(
    weave: Weave, tmp_path: Path, leftover: bytes | str
) -> None:
    pages = write_pages(tmp_path / "pages", {"Good.html": GOOD})
    part = tmp_path / "kb.skb.part"
    if leftover == "cut":
        weave(pages, output=tmp_path / "other.skb")
        part.write_bytes((tmp_path / "other.skb").read_bytes()[:9000])
    elif leftover == "foreign":
        _foreign(part)
    else:
        assert isinstance(leftover, bytes)
        part.write_bytes(leftover)
    weave(pages)
    assert _titles(tmp_path) == ["Good"]
    assert not part.exists()


def test_a_working_copy_that_is_damaged_within_is_thrown_away(weave: Weave, tmp_path: Path) -> None:
    texts = {f"P{n}.html": page(f"P{n}", _noise(n, 300)) for n in range(30)}
    pages = write_pages(tmp_path / "pages", texts)
    weave(pages, output=tmp_path / "whole.skb")
    part = tmp_path / "kb.skb.part"
    shutil.copy(tmp_path / "whole.skb", part)
    connection = sqlite3.connect(part)
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('job', '\"build\"')")
    (root,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'chunk'").fetchone()
    connection.commit()
    connection.close()
    data = part.read_bytes()
    part.write_bytes(data[: (root - 1) * 4096] + b"\xa5" * 4096 + data[root * 4096 :])
    write_pages(pages, {"P3.html": page("P3", "Changed.")})
    (note,) = weave(pages).notes
    assert "what a stopped build left is damaged (" in note and not part.exists()
    assert len(_titles(tmp_path)) == 30


def test_a_page_that_breaks_is_rejected_and_on_record_at_once(weave: Weave, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"Good.html": GOOD, "Other.html": page("Other", "More.")})
    weave(pages)
    write_pages(pages, {"New.html": ""})
    weave(pages)
    assert _items(tmp_path)["New.html"] == ("rejected", "the file is empty")
    assert not weave(pages).changed
    write_pages(pages, {"Good.html": ""})
    weave(pages)
    assert (_titles(tmp_path), _items(tmp_path)["Good.html"][0]) == (["Other"], "rejected")
    write_pages(pages, {"Good.html": GOOD})
    (pages / "New.html").unlink()
    assert weave(pages).removed == 0
    shutil.copy(tmp_path / "kb.skb", tmp_path / "kept.skb")
    (tmp_path / "kb.skb").unlink()
    weave(pages)
    assert dumped(tmp_path / "kb.skb") == dumped(tmp_path / "kept.skb")


def test_removing_what_is_not_there_names_what_is_meant(weave: Weave, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"A.html": page("Red Lamp", "One."), "B.html": page("RED LAMP", "Two.")})
    weave(pages)
    with pytest.raises(NotInKnowledgeBase, match="did you mean RED LAMP or Red Lamp"):
        remove(tmp_path / "kb.skb", ["red lamp"])
    with pytest.raises(NotInKnowledgeBase, match="Nobody: no page of that title"):
        remove(tmp_path / "kb.skb", ["Red Lamp", "Nobody"])
    assert len(_titles(tmp_path)) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kb.skb", "pages"]


def test_an_unknown_embedder_is_a_mistake(weave: Weave, tmp_path: Path) -> None:
    with pytest.raises(WeftError, match="no such embedder"):
        weave(write_pages(tmp_path / "pages", {"Good.html": GOOD}), settings=_settings("nonsense"))


@pytest.mark.parametrize(
    ("embedder", "message"),
    [
        ("minilm", r"^minilm needs sentence-transformers: pip install 'weft\[minilm\]'$"),
        ("onnx:{}", "must hold model.onnx and tokenizer.json$"), ("onnx:{}/none", "must hold model.onnx"),
        ("openai:tiny", "^openai:tiny: .*OPENAI_API_KEY"), ("onnx", "no such embedder"),
        ("openai:", "no such embedder"),
    ],
)  # fmt: skip
def test_an_embedder_that_lacks_something_says_so_before_a_document_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedder: str, message: str
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    pages = write_pages(tmp_path / "pages", {"Good.html": GOOD})
    stages: list[str] = []
    settings = Settings(embedder=embedder.format(tmp_path))
    with pytest.raises(WeftError, match=message):
        build(Request((str(pages),), tmp_path / "kb.skb", settings=settings), Progress(stages.append, lambda n: None))
    assert stages == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pages"]


def _settings(embedder: str) -> object:
    return Settings(embedder=embedder)


def test_the_file_is_a_reader_s_file(weave: Weave, tmp_path: Path) -> None:
    weave(write_pages(tmp_path / "pages", {"Good.html": GOOD}))
    connection = open_skb(tmp_path / "kb.skb")
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    with pytest.raises(sqlite3.OperationalError):
        connection.execute("DELETE FROM page")
    connection.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kb.skb", "pages"]


# links and titles of records


def _linked(tmp_path: Path, table: str = "link") -> list[tuple[object, ...]]:
    query = f"SELECT uri, target, fragment, anchor FROM {table} JOIN chunk ON id = chunk_id ORDER BY uri, start"
    return rows(tmp_path / "kb.skb", query)


def test_whether_links_are_marked_is_said_record_by_record(weave: Weave, tmp_path: Path) -> None:
    record = {"title": "T", "text": "Quillon met Brask."}
    quillon, brask = ({"start": 0, "end": 7, "target": "Quillon"}, {"start": 12, "end": 17, "target": "Brask"})
    records = [
        record | {"links": [quillon]}, record | {"links": [brask, quillon]}, record,
        {"title": "T", "text": "Brask met Quillon.", "links": None},
        {"title": "T", "text": "Nobody met Quillon."}, {"title": "T", "text": "Quillon is not marked.", "links": []},
        {"title": "Quillon", "text": "A bridge."}, {"title": "Brask", "text": "A bay."},
    ]  # fmt: skip
    weave(write_records(tmp_path / "r.jsonl", records))
    assert _linked(tmp_path) == [("T##1", "Quillon", "", "Quillon"), ("T##1", "Brask", "", "Brask")]
    assert _linked(tmp_path, "mention") == [
        ("T##2", "Brask", "", "Brask"), ("T##2", "Quillon", "", "Quillon"), ("T##3", "Quillon", "", "Quillon"),
    ]  # fmt: skip
    assert _items(tmp_path)["T"] == ("ok", None)


@pytest.mark.parametrize(
    ("title", "target", "fragment"),
    [
        ("snake_case", "snake_case", ""),
        ("snake_case", "snake case", ""),
        ("AT&amp;T", "AT&amp;T", ""),
        ("AT&amp;T", "AT&T", ""),
        ("AT&T", "AT&amp;T#Bell", "Bell"),
        ("C#", "C#", ""),
        ("C#", "C##History", "History"),
        ("Opus #9", "Opus #9", ""),
        ("C", "C#History", "History"),
        ("__init__", "__init__", ""),
        ("New Quay", "New_Quay#Port", "Port"),
    ],
)
def test_a_target_is_a_title_of_its_source_however_spelt(
    weave: Weave, tmp_path: Path, title: str, target: str, fragment: str
) -> None:
    text = "Here it is."
    link = {"start": 0, "end": 4, "target": target}
    records = [{"title": name, "text": text, "links": [link]} for name in ("Other", title)]
    weave(write_records(tmp_path / "r.jsonl", records))
    assert _linked(tmp_path) == [("Other##1", title, fragment, "Here")]
    cited = "SELECT entity.page_id IS NOT NULL, name FROM cites JOIN entity ON entity.id = entity_id"
    assert rows(tmp_path / "kb.skb", cited) == [(1, title)]


def test_a_title_that_comes_later_changes_what_a_link_means(weave: Weave, tmp_path: Path) -> None:
    first = {"title": "A", "text": "In C# it is.", "links": [{"start": 3, "end": 5, "target": "C#"}]}
    weave(write_records(tmp_path / "r.jsonl", [first]))
    assert _linked(tmp_path) == [("A##1", "C", "", "C#")]
    weave(write_records(tmp_path / "r.jsonl", [first, {"title": "C#", "text": "A language."}]))
    assert _linked(tmp_path) == [("A##1", "C#", "", "C#")]
