"""What `weft show` tells of a page, section, chunk or entity, and what it suggests where there is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interfaces.cli import main
from tests.worlds import rows, write_records


def _weft(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("Quilon Bridge", "Quillon Bridge"),
        ("Tamsidere", "Tamsiderre"),
        ("xQuillon Bridge", "Quillon Bridge"),
        ("Quilon Bridge#History", "Quillon Bridge"),
        ("Quilon Bridge##1", "Quillon Bridge"),
        ("Quillon Bridge##99", "Quillon Bridge##1"),
        ("Orrin Tasker#Personal lif", "Orrin Tasker#Personal life"),
        ("Orrin Tasker#Personal life##77", "Orrin Tasker#Personal life##1"),
    ],
)
def test_a_near_uri_is_suggested_for_every_kind_of_miss(world: Path, asked: str, near: str) -> None:
    result = _weft("show", world, asked)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    suggested = result.stderr.partition("did you mean ")[2].rstrip("?\n").split(" or ")
    assert near in suggested and len(suggested) <= 5


def test_nothing_near_is_not_suggested(world: Path) -> None:
    assert _weft("show", world, "qqq").stderr == "Error: qqq: nothing has this uri\n"


def test_names_that_mean_several_are_suggested_too(tmp_path: Path) -> None:
    source = write_records(tmp_path / "a.jsonl", [{"title": "Lamp", "text": "x"}, {"title": "LAMP", "text": "y"}])
    assert _weft("build", source, "-o", tmp_path / "kb.skb").exit_code == 0
    assert "lamp: nothing has this uri; did you mean LAMP or Lamp?" in _weft("show", tmp_path / "kb.skb", "lamp").stderr


def test_json_holds_texts_whole_and_people_see_a_line(tmp_path: Path) -> None:
    text = "A very long paragraph. " * 40
    source = write_records(tmp_path / "a.jsonl", [{"title": "Lamp", "text": text.strip()}])
    assert _weft("build", source, "-o", tmp_path / "kb.skb").exit_code == 0
    shown = json.loads(_weft("show", tmp_path / "kb.skb", "Lamp", "--json").stdout)
    assert [chunk["text"] for chunk in shown["chunks"]] == [text.strip()]
    (line,) = [line for line in _weft("show", tmp_path / "kb.skb", "Lamp").stdout.splitlines() if "Lamp##1: " in line]
    assert line.startswith("  Lamp##1: paragraph: A very long paragraph.") and line.endswith("…") and len(line) < 150


def test_a_text_of_several_lines_stands_below_its_key(world: Path) -> None:
    (uri, text) = rows(world, "SELECT uri, text FROM chunk WHERE kind = 'table' ORDER BY uri LIMIT 1")[0]
    shown = _weft("show", world, str(uri)).stdout
    assert "text:\n" + "".join(f"  {line}\n" for line in str(text).split("\n")) in shown


# info


def test_pages_are_listed(world: Path) -> None:
    uris = [str(uri) for (uri,) in rows(world, "SELECT uri FROM page ORDER BY uri")]
    assert _weft("info", world, "--pages").stdout.splitlines() == uris
    listed = [json.loads(line) for line in _weft("info", world, "--pages", "--json").stdout.splitlines()]
    assert [page["uri"] for page in listed] == uris
    assert listed[0] == {
        "uri": "1187", "title": "1187", "source": "encyclopedia", "url": None, "language": None, "modified": None,
    }  # fmt: skip
    assert _weft("info", world, "--pages", "--rejects").exit_code == 2


def test_info_reads_as_lines(world: Path) -> None:
    shown = _weft("info", world).stdout
    assert not set("{}[]'") & set(shown)
    assert "\nfacts:\n  facts.nt:\n    complete: yes\n    kind: rdf\n" in shown
    assert "\n  Ostrevane: 32 chunks\n" in shown and "\nrejects: none\n" in shown


def test_no_rejects_are_told(tmp_path: Path, weave_texts: Callable[..., object]) -> None:
    weave_texts({"Lamp": "A lamp glows."})
    result = _weft("info", tmp_path / "kb.skb", "--rejects")
    assert (result.stdout, result.stderr) == ("", "no rejects: every input was taken as it is\n")
    assert _weft("info", tmp_path / "kb.skb", "--rejects", "--json").stdout == ""


def test_facts_that_are_left_out_are_listed_by_their_outcome(world: Path) -> None:
    assert _weft("info", world, "--rejects").stdout.splitlines() == [
        "facts.nt: relation dropped: no co-mention: ignored: 57 lines: no page cites both ends; --all-relations keeps"
        " them",
        "facts.nt: relation dropped: unknown end: ignored: 12 lines: an end is nothing that the SKB has",
        "facts.nt: other language: ignored: 2 lines: --lang names the languages to take",
    ]


def test_a_source_that_is_one_file_is_named_once_in_the_list_of_rejects(
    tmp_path: Path, weave: Callable[..., object]
) -> None:
    dump = tmp_path / "cut.xml"
    dump.write_text("<mediawiki><page><title>Lamp</title><ns>0</ns><revision><text>A lamp.</text></revision></page><pa")
    notes = tmp_path / "notes.jsonl"
    notes.write_text('{"title": "Port", "text": "A port."}\nno record\n')
    weave(dump, notes)
    lines = _weft("info", tmp_path / "kb.skb", "--rejects").stdout.splitlines()
    assert [line.partition(": ")[0] for line in lines] == ["cut.xml", "notes.jsonl line 2"]
    assert lines[0].startswith("cut.xml: incomplete: the XML is damaged after Lamp")


def test_front_matter_that_is_not_used_is_listed_by_its_field(tmp_path: Path, weave: Callable[..., object]) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("---\ntitle: Lamp\nAuthor: [Ann, Ben]\ndate: 2020-01-01\n---\nA lamp.\n")
    (notes / "b.md").write_text("---\nauthor: Ann\nsite: {lang: en}\ntags: [port]\n---\nA port.\n")
    weave(notes)
    kb = tmp_path / "kb.skb"
    assert _weft("info", kb, "--rejects").stdout.splitlines() == [
        "notes: front matter: author: ignored: 2 documents, such as a.md; the field is on record and of no other use",
        "notes: front matter: site: ignored: 1 document, such as b.md; the field is on record and of no other use",
    ]
    assert rows(kb, "SELECT key, value FROM statement WHERE kind = 'front matter' ORDER BY id") == [
        ("author", "Ann; Ben"), ("author", "Ann"), ("site", ""),
    ]  # fmt: skip


@pytest.mark.parametrize("uri", ["Quillon Bridge", "quillon bridge"])
def test_the_document_of_an_entity_is_printed_as_it_is_embedded(world: Path, uri: str) -> None:
    result = _weft("show", world, uri, "--document")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert (lines[0], lines[1], lines[-1]) == (
        "Quillon Bridge (Bridge, Place, Structure)", "Arches: 11", "located in: Tamsiderre"
    )  # fmt: skip
    told = json.loads(_weft("show", world, uri, "--document", "--json").stdout)
    assert (told["uri"], told["document+relations"].splitlines()) == ("Quillon Bridge", lines)
    assert told["document"] == "\n".join(lines[:-5])
    assert (told["is_cut"], told["neighbours_left_out"]) == (False, 0)


def test_a_document_that_is_cut_says_so(tmp_path: Path) -> None:
    records = [{"title": "Long", "text": "word " * 300}]
    assert _weft("build", write_records(tmp_path / "a.jsonl", records), "-o", tmp_path / "kb.skb").exit_code == 0
    result = _weft("show", tmp_path / "kb.skb", "Long", "--document")
    assert result.stdout.split() == ["Long", *["word"] * 255]
    assert result.stderr == "attributes or text are cut: the document has as many words as are embedded\n"


def test_only_an_entity_has_a_document(world: Path) -> None:
    for uri, error in (("Quillon Bridge##1", "a chunk, which has no document; name a page or another entity"),
                       ("qqq", "nothing has this uri")):  # fmt: skip
        result = _weft("show", world, uri, "--document")
        assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"Error: {uri}: {error}\n")
