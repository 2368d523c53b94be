"""A folder whose files are of several formats, and what a build leaves out."""

from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from builder.build import build
from builder.check import problems
from builder.dump import dump
from builder.info import info, rejects
from builder.readers.source import format_of
from builder.request import Request, Summary
from interfaces.cli import main
from tests.worlds import rows
from weft.errors import UnreadableSource
from weft.skb import Skb

DUMP = (
    '<mediawiki xml:lang="en"><page><title>Lens</title><ns>0</ns><revision><text>A [[glass]].</text></revision>'
    "</page><page><title>Tide</title><ns>0</ns><revision><text>Water.</text></revision></page></mediawiki>"
)
ARTICLE = {"name": "Pier", "article_body": {"html": "<p>A <a href='/wiki/Lens'>lens</a>.</p>"}, "namespace":
           {"identifier": 0}, "date_modified": "2024-01-01T00:00:00Z", "in_language": {"identifier": "en"}}  # fmt: skip
FILES = {
    "a.md": "# Harbour\n\nSee [the plan](docs/plan.html) and [notes](notes.txt).",
    "notes.txt": "Notes of the port\n\nHigh water at noon, low water at six in the evening.",
    "docs/plan.html": "<html><head><title>The plan</title></head><body><p>Dig.</p></body></html>",
    "docs/_sources/plan.rst.txt": "The plan\n========\n\nDig.",
    "docs/_sources/own.rst.txt": "Own text\n========\n\nNo page is made of this one.",
    "records.jsonl": json.dumps({"title": "Tide", "text": "The sea's."}),
    "articles.ndjson": json.dumps(ARTICLE),
    "dump.xml": DUMP,
    "sitemap.xml": "<urlset/>",
    "img/light.PNG": "x", "img/lamp.png": "x", "LICENSE": "Free.", ".hidden/b.md": "# B\n\nb", ".c.md": "# C\n\nc",
}  # fmt: skip


def write(folder: Path, files: dict[str, str] | None = None) -> Path:
    for place, text in (files or FILES).items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text, encoding="utf-8")
    return folder


def built(output: Path, *sources: str | Path, workers: int = 1, form: str = "auto", add: bool = False) -> Summary:
    return build(Request(tuple(map(str, sources)), output, workers=workers, format=form, add=add))


def _ignored(summary: Summary) -> int:
    assert summary.left_out is not None
    return summary.left_out["ignored files"]


def dumped(path: Path) -> list[str]:
    with Skb(path) as skb:
        assert not list(problems(skb.connection))
        return list(dump(skb.connection))


def weft(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def items(path: Path) -> dict[str, str]:
    return dict(rows(path, "SELECT place, ifnull(title, state) FROM source_item LEFT JOIN page"
                           " ON page.source_id = source_item.id"))  # fmt: skip


def test_every_file_of_a_folder_is_read_as_what_it_is(tmp_path: Path) -> None:
    kb = tmp_path / "kb.skb"
    summary = built(kb, write(tmp_path / "port"))
    assert items(kb) == {
        "a.md": "Harbour", "notes.txt": "Notes of the port", "docs/plan.html": "The plan",
        "docs/_sources/own.rst.txt": "Own text", "Lens": "Lens", "Tide": "Tide", "Tide (2)": "duplicate",
        "Pier": "Pier",
    }  # fmt: skip
    assert {source for (source,) in rows(kb, "SELECT source FROM source_item")} == {"port"}
    assert summary.documents == {"read": 7, "duplicates": 1}
    assert rows(kb, "SELECT chunk.uri, entity.uri FROM cites JOIN chunk ON chunk.id = chunk_id"
                    " JOIN entity ON entity.id = entity_id WHERE marks_links ORDER BY 1, 2") == [
        ("Harbour##1", "Notes of the port"), ("Harbour##1", "The plan"), ("Lens##1", "Glass"), ("Pier##1", "Lens"),
    ]  # fmt: skip
    assert summary.left_out == {
        "duplicates by title": 1, "duplicates by content": 0, "pages without text": 0,
        "pages read as flat text": 0, "documents read with a note": 0, "ignored files": 7,
    }  # fmt: skip
    with Skb(kb) as skb:
        assert info(skb.connection, kb)["build"]["ignored"] == [
            {"source": "port", "kind": ".png", "files": 2, "examples": ["img/lamp.png", "img/light.PNG"]},
            {"source": "port", "kind": ".xml", "files": 1, "examples": ["sitemap.xml"]},
            {"source": "port", "kind": "files without a suffix", "files": 1, "examples": ["LICENSE"]},
            {"source": "port", "kind": "hidden", "files": 2, "examples": [".hidden", ".c.md"]},
            {"source": "port", "kind": "sources of pages that are read", "files": 1,
             "examples": ["docs/_sources/plan.rst.txt"]},
        ]  # fmt: skip
        assert rejects(skb.connection)[1] == {
            "source": "port", "place": ".png", "state": "ignored",
            "reason": "2 files, no documents: img/lamp.png, img/light.PNG",
        }  # fmt: skip


@pytest.mark.parametrize(
    ("copy", "page", "is_copy"),
    [
        ("_sources/plan.rst.txt", "plan.html", True),
        ("_sources/plan.rst", "plan.html", True),
        ("_sources/plan.txt", "plan.html", True),
        ("docs/_sources/sub/plan.md.txt", "docs/sub/plan.html", True),
        ("_sources/sub/plan.rst.txt", "sub/plan/index.html", True),
        ("_sources/sub/plan.rst", "sub/plan/index.html", True),
        ("_sources/sub/index.rst.txt", "sub/index.html", True),
        ("_sources/release-1.2.rst", "release-1.2.html", True),
        ("_sources/release-1.2.rst.txt", "release-1.2.html", True),
        ("_sources/release-1.2.rst", "release-1.2/index.html", True),
        ("_sources/release-1.2.rst.txt", "release-1.2/index.html", True),
        ("_sources/release-1.2.rst.txt", "release-1.html", False),
        ("_sources/plan.rst.txt", "planning.html", False),
        ("sources/plan.rst.txt", "plan.html", False),
    ],
)
def test_a_copy_of_a_page_is_known_by_the_page_and_no_other_text_is(
    tmp_path: Path, copy: str, page: str, is_copy: bool
) -> None:
    files = {copy: "The plan\n========\n\nDig here.", page: "<title>The plan</title><p>Dig there."}
    summary = built(tmp_path / "kb.skb", write(tmp_path / "port", files))
    assert (sorted(items(tmp_path / "kb.skb")), _ignored(summary)) == (
        ([page], 1) if is_copy else (sorted(files), 0)
    )


SPHINX = {
    "docs/plan.html": FILES["docs/plan.html"], "docs/_static/readme.html": "<h1>A font</h1><p>Of many forms.",
    "docs/_static/fonts/a/readme.md": "# Another font", "docs/_static/a.css": "",
    "docs/_sources/own.rst.txt": "Own text", "docs/_sources/plan.rst.txt": "Dig.",
    "_static/lamp.md": "# Lamp\n\nNo page of Sphinx lies beside this one.",
}  # fmt: skip


@pytest.mark.parametrize("mark", ["searchindex.js", "objects.inv", "genindex.html"])
def test_what_lies_beside_the_pages_of_sphinx_is_left_out_and_counted(tmp_path: Path, mark: str) -> None:
    port = write(tmp_path / "port", SPHINX | {f"docs/{mark}": "<h1>Index</h1><p>Lamps, oil"})
    summary = built(tmp_path / "kb.skb", port)
    assert set(items(tmp_path / "kb.skb")) - {"docs/genindex.html"} == {"_static/lamp.md", "docs/plan.html"}
    with Skb(tmp_path / "kb.skb") as skb:
        ignored = info(skb.connection, tmp_path / "kb.skb")["build"]["ignored"]
    assert {each["kind"]: each["examples"] for each in ignored}.items() >= {
        "files beside Sphinx's pages": [
            "docs/_sources/own.rst.txt", "docs/_static/readme.html", "docs/_static/fonts/a/readme.md",
        ],
        "sources of pages that are read": ["docs/_sources/plan.rst.txt"], ".css": ["docs/_static/a.css"],
    }.items()  # fmt: skip
    assert _ignored(summary) == (5 if mark == "genindex.html" else 6)
    assert set(items(tmp_path / "kb.skb")) == set(_read_as(tmp_path, "html")) | set(_read_as(tmp_path, "text"))


def _read_as(folder: Path, form: str) -> dict[str, str]:
    built(folder / f"{form}.skb", f"{form}:{folder / 'port'}")
    return items(folder / f"{form}.skb")


def test_a_folder_that_is_only_called_as_one_of_sphinx_is_read(tmp_path: Path) -> None:
    built(tmp_path / "kb.skb", write(tmp_path / "port", SPHINX))
    assert set(items(tmp_path / "kb.skb")) == set(SPHINX) - {"docs/_static/a.css", "docs/_sources/plan.rst.txt"}


@pytest.mark.parametrize("form", ["html", "auto"])
def test_only_the_file_of_titles_of_a_folder_is_read_and_others_of_its_name_are_counted(
    tmp_path: Path, form: str
) -> None:
    port = write(tmp_path / "port", {"a.html": "<p>A lamp.", "titles.json": '{"a.html": "Lamp"}',
                                     "img/titles.json": "{}", "img/subtitles.json": "{}", "b.md": "B"})  # fmt: skip
    summary = built(tmp_path / "kb.skb", port, form=form)
    with Skb(tmp_path / "kb.skb") as skb:
        found = info(skb.connection, tmp_path / "kb.skb")["build"]["ignored"]
    assert found[0] == {
        "source": "port", "kind": ".json", "files": 2, "examples": ["img/subtitles.json", "img/titles.json"],
    }  # fmt: skip
    assert _ignored(summary) == (3 if form == "html" else 2)
    assert items(tmp_path / "kb.skb")["a.html"] == "Lamp"


def test_the_order_and_the_number_of_workers_do_not_show_and_a_second_build_does_nothing(tmp_path: Path) -> None:
    port = write(tmp_path / "port")
    built(tmp_path / "one.skb", port)
    built(tmp_path / "two.skb", port, workers=2)
    assert dumped(tmp_path / "one.skb") == dumped(tmp_path / "two.skb")
    assert not built(tmp_path / "one.skb", port).changed


def test_a_folder_that_changes_its_formats_is_what_a_new_build_makes_of_it(tmp_path: Path) -> None:
    port = write(tmp_path / "port", {"docs/plan.html": FILES["docs/plan.html"]})
    built(tmp_path / "kb.skb", port)
    for change in ("a.md", "dump.xml", "records.jsonl", "-dump.xml", "-docs/plan.html", "-a.md"):
        if change.startswith("-"):
            (port / change[1:]).unlink()
        else:
            write(port, {change: FILES[change]})
        built(tmp_path / "kb.skb", port)
        built(tmp_path / f"{change.replace('/', '')}.skb", port)
        assert dumped(tmp_path / "kb.skb") == dumped(tmp_path / f"{change.replace('/', '')}.skb")


def test_documents_are_counted_as_what_they_are_in_the_end(tmp_path: Path) -> None:
    page = '<h1 id="firstHeading">Lens</h1><div id="mw-content-text"><p>Glass.</p></div>'
    port = write(tmp_path / "port", {"z.html": page, "dump.xml": DUMP})
    assert built(tmp_path / "kb.skb", port).documents == {"read": 2, "duplicates": 1}
    assert items(tmp_path / "kb.skb") == {"Lens": "Lens", "Tide": "Tide", "z.html": "duplicate"}


@pytest.mark.parametrize(
    ("form", "places", "ignored"),
    [
        ("html", ["docs/plan.html"], 12),
        ("text", ["a.md", "docs/_sources/own.rst.txt", "docs/_sources/plan.rst.txt", "notes.txt"], 9),
        ("wikitext", ["Lens", "Tide"], 12),
    ],
)
def test_a_format_that_is_named_reads_its_own_files_and_counts_the_others(
    tmp_path: Path, form: str, places: list[str], ignored: int
) -> None:
    port = write(tmp_path / "port")
    (port / "sitemap.xml").unlink()
    summary = built(tmp_path / "kb.skb", f"{form}:{port}")
    assert sorted(items(tmp_path / "kb.skb")) == places
    assert _ignored(summary) == ignored


@pytest.mark.parametrize(
    ("names", "form"),
    [(["a.md"], "text"), (["docs/plan.html", "img/lamp.png"], "html"), (["dump.xml", "sitemap.xml"], "wikitext"),
     (["a.md", "docs/plan.html"], "mixed"), (["records.jsonl", "articles.ndjson"], "mixed"),
     (["articles.ndjson"], "enterprise")],
)  # fmt: skip
def test_a_folder_of_one_format_is_of_that_format(tmp_path: Path, names: list[str], form: str) -> None:
    assert format_of(write(tmp_path / "port", {name: FILES[name] for name in names})) == form


def test_links_that_lead_out_of_a_folder_are_not_read(tmp_path: Path) -> None:
    port = write(tmp_path / "port", {"a.md": "# A\n\na", "sub/b.md": "# B\n\nb"})
    (tmp_path / "secret.md").write_text("# Secret\n\nkeys", encoding="utf-8")
    os.symlink(tmp_path / "secret.md", port / "out.md")
    os.symlink(port / "sub" / "b.md", port / "within.md")
    os.symlink(tmp_path, port / "loop")
    summary = built(tmp_path / "kb.skb", port)
    assert items(tmp_path / "kb.skb") == {"a.md": "A", "sub/b.md": "B", "within.md": "duplicate"}
    assert _ignored(summary) == 2


def test_members_of_an_archive_that_are_no_pages_are_counted(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "pages.tar", "w") as archive:
        for name, text in {"a.html": "<h1>A</h1><p>a</p>", "a.png": "x", "b.md": "# B"}.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    summary = built(tmp_path / "kb.skb", tmp_path / "pages.tar")
    assert (summary.documents, _ignored(summary)) == ({"read": 1}, 2)


def test_kinds_beyond_a_limit_are_counted_together(tmp_path: Path) -> None:
    port = write(tmp_path / "port", {"a.md": "# A\n\na"} | {f"{n:03}.x{n:03}": "" for n in range(100)})
    assert _ignored(built(tmp_path / "kb.skb", port)) == 100
    with Skb(tmp_path / "kb.skb") as skb:
        kinds = info(skb.connection, tmp_path / "kb.skb")["build"]["ignored"]
    assert (len(kinds), kinds[-1]["kind"], kinds[-1]["files"]) == (31, "other kinds", 70)


def test_the_command_says_what_was_left_out_and_what_lists_it(tmp_path: Path) -> None:
    kb = tmp_path / "kb.skb"
    port = write(tmp_path / "port", FILES | {"d.md": FILES["a.md"], "empty.html": "<h1>Nothing</h1>"})
    result = weft("build", port, "-o", kb)
    lines = [line for line in result.stderr.splitlines() if str(kb) in line]
    assert lines == [
        f"duplicates by title: 1; weft info {kb} --rejects lists them",
        f"duplicates by content: 1; weft info {kb} --rejects lists them",
        f"pages without text: 1; weft info {kb} --rejects lists them",
        f"ignored files: 7; weft info {kb} --rejects lists them",
    ]
    assert weft("info", kb, "--rejects").stdout.splitlines()[:3] == [
        "port: Tide (2): duplicate: its title is taken by another page: Tide",
        "port: d.md: duplicate: the same title and content as port: a.md",
        "port: empty.html: ok: the page has no text",
    ]


def test_documents_that_are_read_with_a_note_are_counted(tmp_path: Path) -> None:
    kb = tmp_path / "kb.skb"
    port = write(tmp_path / "port", {"a.md": "# A\n\nIn UTF-8."})
    (port / "b.md").write_bytes("# 港\n\n灯台は明るい。".encode("shift-jis"))
    (port / "c.txt").write_bytes("港口的灯塔很亮。".encode("gb18030"))
    (port / "d.html").write_bytes("<meta charset=utf-8><h1>D</h1><p>Straße".encode("latin-1"))
    result = weft("build", port, "-o", kb)
    assert f"documents read with a note: 3; weft info {kb} --rejects lists them" in result.stderr.splitlines()
    assert json.loads(weft("info", kb, "--json").stdout)["left out"]["documents read with a note"] == 3
    assert weft("info", kb, "--rejects").stdout.splitlines() == [
        "port: b.md: ok: not UTF-8; read as Windows-1252",
        "port: c.txt: ok: not UTF-8; read as Latin-1",
        "port: d.html: ok: 1 invalid UTF-8 byte replaced",
    ]
    again = json.loads(weft("build", port, "-o", kb, "--json").stdout)
    assert (again["changed"], again["left_out"]["documents read with a note"]) == (False, 3)


def test_pages_that_are_read_as_flat_text_are_counted_and_their_links_work(tmp_path: Path) -> None:
    kb = tmp_path / "kb.skb"
    deep = "<h1>Deep</h1><p>To <a href='c.html'>C</a>." + "<div>" * 2_000 + "x"
    files = {"a.html": deep, "b.md": "# B\n\nTo [deep](a.html).", "c.html": "<h1>See</h1>" + "<div>" * 19_990 + "x"}
    result = weft("build", write(tmp_path / "port", files), "-o", kb)
    lines = [line for line in result.stderr.splitlines() if str(kb) in line]
    assert lines == [f"pages read as flat text: 2; weft info {kb} --rejects lists them"]
    assert weft("info", kb, "--rejects").stdout.splitlines() == [
        f"port: {name}: ok: read as flat text: elements are nested too deep" for name in ("a.html", "c.html")
    ]
    assert rows(kb, "SELECT title, chunk.text, link.target FROM page JOIN chunk ON page_id = page.id LEFT JOIN link"
                    " ON chunk_id = chunk.id ORDER BY chunk.id") == [
        ("Deep", "To C.", "See"), ("Deep", "x", None), ("See", "x", None), ("B", "To deep.", "Deep"),
    ]  # fmt: skip


def test_what_other_sources_left_out_stays_on_record_when_one_is_added(tmp_path: Path) -> None:
    one = write(tmp_path / "one", {"a.md": "# A\n\na", "a.png": ""})
    two = write(tmp_path / "two", {"b.md": "# B\n\nb", "b.css": ""})
    built(tmp_path / "kb.skb", one)
    summary = built(tmp_path / "kb.skb", two, add=True)
    assert _ignored(summary) == 2
    built(tmp_path / "kb.skb", two)
    with Skb(tmp_path / "kb.skb") as skb:
        assert [each["kind"] for each in info(skb.connection, tmp_path / "kb.skb")["build"]["ignored"]] == [".css"]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        (
            "broken.tar.gz",
            gzip.compress(b"x" * 2000, mtime=0)[:40],
            "nothing was read: 1 rejected, the first broken.tar.gz: ",
        ),
        ("pages.html", b"no markup at all", "nothing was read: 1 rejected, the first pages.html: not HTML"),
        ("lines.jsonl", b"{}\n[]\n", "nothing was read: 2 rejected, the first lines.jsonl line 1: title"),
        ("dump.xml", b"<mediawiki><page>", "nothing was read: 1 rejected, the first dump.xml: the XML is"),
        ("zeros.txt", b"\0" * 9, "nothing was read: 1 rejected, the first zeros.txt: not text"),
    ],
)  # fmt: skip
def test_a_build_that_read_nothing_fails_in_one_line_and_writes_nothing(
    tmp_path: Path, name: str, data: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(data)
    result = weft("build", tmp_path / name, "-o", tmp_path / "kb.skb")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].startswith(f"Error: {said}")
    assert result.stderr.rstrip().endswith("kb.skb was not written")
    assert os.listdir(tmp_path) == [name] or sorted(os.listdir(tmp_path)) == sorted([name, "kb.skb.lock"])


def test_a_build_that_would_empty_a_knowledge_base_leaves_it_as_it_was(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<h1>A</h1><p>a</p>", encoding="utf-8")
    built(tmp_path / "kb.skb", page)
    before = dumped(tmp_path / "kb.skb")
    page.write_text("no markup", encoding="utf-8")
    with pytest.raises(UnreadableSource, match=r"kb\.skb is as it was"):
        built(tmp_path / "kb.skb", page)
    assert dumped(tmp_path / "kb.skb") == before


def test_adding_nothing_fails_and_keeps_what_is_there(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n\na", "b.html": "no markup"})
    assert weft("build", tmp_path / "a.md", "-o", tmp_path / "kb.skb").exit_code == 0
    result = weft("build", tmp_path / "b.html", "--add", "-o", tmp_path / "kb.skb")
    assert result.exit_code == 1
    assert "Error: nothing was read: 1 rejected, the first b.html: not HTML" in result.stderr
    assert items(tmp_path / "kb.skb") == {"a.md": "A", "b.html": "rejected"}


@pytest.mark.parametrize("name", ["facts.nt", "facts.ttl", "facts.nq"])
def test_an_empty_fact_file_is_fine(tmp_path: Path, name: str) -> None:
    write(tmp_path, {"a.md": "# A\n\na", name: ""})
    result = weft("build", tmp_path / "a.md", "--rdf", tmp_path / name, "-o", tmp_path / "kb.skb")
    assert (result.exit_code, items(tmp_path / "kb.skb")["a.md"]) == (0, "A")


def test_an_empty_triples_file_is_fine(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n\na", "t.jsonl": ""})
    result = weft("build", tmp_path / "a.md", "--triples", tmp_path / "t.jsonl", "-o", tmp_path / "kb.skb")
    assert result.exit_code == 0


def test_a_record_may_be_as_long_as_a_page(tmp_path: Path) -> None:
    text = "word " * 400_000
    write(tmp_path, {"a.jsonl": json.dumps({"title": "Long", "text": text}) + '\n{"title": "Short", "text": "x"}\n'})
    built(tmp_path / "kb.skb", tmp_path / "a.jsonl")
    assert items(tmp_path / "kb.skb") == {"Long": "Long", "Short": "Short"}
    build(Request((str(tmp_path / "a.jsonl"),), tmp_path / "small.skb", max_page_mb=1, workers=1))
    assert items(tmp_path / "small.skb") == {"a.jsonl line 1": "rejected", "Short": "Short"}


def test_a_tar_whose_first_member_is_named_like_a_packed_file_is_a_tar(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "pages.tar", "w") as archive:
        for name in ("BZh9.html", "BZone.html"):
            member = tarfile.TarInfo(name)
            data = f"<h1>{name}</h1><p>text</p>".encode()
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    built(tmp_path / "kb.skb", tmp_path / "pages.tar")
    assert items(tmp_path / "kb.skb") == {"BZh9.html": "BZh9.html", "BZone.html": "BZone.html"}


@pytest.mark.parametrize(("data", "state"), [(bytes(range(1, 32)) * 9, "rejected"), ("中文".encode("gbk"), "Notes")])
def test_bytes_named_text_are_rejected_and_what_was_guessed_is_noted(
    tmp_path: Path, data: bytes, state: str
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "notes.md").write_bytes(data)
    write(tmp_path / "docs", {"a.md": "# A\n\na"})
    built(tmp_path / "kb.skb", tmp_path / "docs")
    assert items(tmp_path / "kb.skb") == {"a.md": "A", "notes.md": state}
    [(reason,)] = rows(tmp_path / "kb.skb", "SELECT reason FROM source_item WHERE place = 'notes.md'")
    assert reason in ("not text: it has control characters", "not UTF-8; read as Latin-1")
