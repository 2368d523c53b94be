"""Documents that share their title: what each is called, whatever came first, and what an update makes of it."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from builder.build import build, remove
from builder.check import problems
from builder.dump import dump
from builder.request import Request, Summary
from interfaces.cli import main
from tests.worlds import rows
from weft.errors import NotInKnowledgeBase
from weft.skb import Skb


def write(folder: Path, **files: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def built(output: Path, *sources: Path, **options: bool) -> Summary:
    return build(Request(tuple(map(str, sources)), output, workers=1, **options))  # type: ignore[arg-type]


def dumped(path: Path) -> list[str]:
    with Skb(path) as skb:
        assert not list(problems(skb.connection))
        return list(dump(skb.connection))


def called(path: Path) -> dict[str, str]:
    query = "SELECT source || ': ' || place, uri FROM page JOIN source_item ON source_item.id = source_id"
    return dict(rows(path, query))


def states(path: Path) -> list[tuple[str, str, str]]:
    return rows(path, "SELECT place, state, reason FROM source_item WHERE state <> 'ok' ORDER BY 1")


def cited(path: Path) -> list[tuple[str, str]]:
    query = (
        "SELECT chunk.uri, entity.uri FROM cites"
        " JOIN chunk ON chunk.id = chunk_id JOIN entity ON entity.id = entity_id"
    )
    return sorted(rows(path, query))


def test_all_but_the_first_page_of_a_title_have_their_path_behind_it(tmp_path: Path) -> None:
    docs, kb = tmp_path / "docs", tmp_path / "kb.skb"
    write(docs, a="# Overview\n\nThe harbour.\n\n## Use\n\nShips.", b__a="# Overview\n\nThe light.\n\n## Use\n\nLamps.")
    built(kb, docs)
    assert rows(kb, "SELECT uri, title FROM page ORDER BY uri") == [
        ("Overview", "Overview"), ("Overview (b/a.md)", "Overview"),
    ]  # fmt: skip
    assert {uri for (uri,) in rows(kb, "SELECT uri FROM section UNION SELECT uri FROM chunk")} == {
        "Overview##1", "Overview#Use", "Overview#Use##1",
        "Overview (b/a.md)##1", "Overview (b/a.md)#Use", "Overview (b/a.md)#Use##1",
    }  # fmt: skip
    assert rows(kb, "SELECT name FROM entity WHERE uri = 'Overview (b/a.md)'") == [("Overview",)]
    assert not states(kb)
    assert dumped(kb)


def test_pages_of_two_sources_are_told_apart_by_the_source_where_the_path_is_one(tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        write(tmp_path / name, overview=f"# Overview\n\nOf {name}.")
    built(tmp_path / "kb.skb", tmp_path / "two", tmp_path / "one", tmp_path / "three")
    assert called(tmp_path / "kb.skb") == {
        "two: overview.md": "Overview",
        "one: overview.md": "Overview (one/overview.md)",
        "three: overview.md": "Overview (three/overview.md)",
    }


def test_no_page_takes_the_uri_of_a_page_that_is_titled_so(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    write(docs, a="# Overview\n\nOne.", b="# Overview\n\nTwo.", c="# Overview (b.md)\n\nThree.")
    built(tmp_path / "kb.skb", docs)
    assert called(tmp_path / "kb.skb") == {
        "docs: a.md": "Overview", "docs: b.md": "Overview (docs/b.md)", "docs: c.md": "Overview (b.md)",
    }  # fmt: skip
    assert dumped(tmp_path / "kb.skb")


def test_only_equal_content_is_a_duplicate(tmp_path: Path) -> None:
    docs, kb = tmp_path / "docs", tmp_path / "kb.skb"
    write(docs, a="# Licence\n\nFree.", b="# Licence\n\nFree.", c="# Licence\n\nNot free.", d="[the](b.md)\n\nSee.")
    assert built(kb, docs).documents == {"read": 3, "duplicates": 1}
    assert called(kb) == {"docs: a.md": "Licence", "docs: c.md": "Licence (c.md)", "docs: d.md": "D"}
    assert states(kb) == [("b.md", "duplicate", "the same title and content as docs: a.md")]
    assert cited(kb) == [("D##1", "Licence")]
    write(docs, b="# Licence\n\nFree.", c="# Licence\n\nNot free.", d="[the](b.md)\n\nSee.")
    built(kb, docs)
    built(tmp_path / "fresh.skb", docs)
    assert dumped(kb) == dumped(tmp_path / "fresh.skb")
    assert called(kb)["docs: b.md"] == "Licence"


def test_copies_whose_links_lead_to_files_are_duplicates(tmp_path: Path) -> None:
    docs, kb = tmp_path / "docs", tmp_path / "kb.skb"
    text = "# Licence\n\nSee [the terms](terms.md#all), [a](a.md)."
    write(docs, a=text, b=text, terms="# Terms\n\nAll.")
    assert built(kb, docs).documents == {"read": 2, "duplicates": 1}
    write(docs, b=text, terms="# Terms\n\nAll.")
    built(kb, docs)
    built(tmp_path / "fresh.skb", docs)
    assert dumped(kb) == dumped(tmp_path / "fresh.skb")


def test_links_lead_to_the_page_of_their_own_source(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, overview=f"# Overview\n\nOf {name}.", z="# Overview\n\nLast of " + name,
              more=f"# More {name}\n\n[first](overview.md), [last](z.md), [[Overview]].")  # fmt: skip
    built(tmp_path / "kb.skb", tmp_path / "one", tmp_path / "two")
    assert cited(tmp_path / "kb.skb") == [
        ("More one##1", "Overview"), ("More one##1", "Overview (one/z.md)"),
        ("More two##1", "Overview (two/overview.md)"), ("More two##1", "Overview (two/z.md)"),
    ]  # fmt: skip
    assert dumped(tmp_path / "kb.skb")


REJECTED = {
    "too large": "# Moon\n\n" + "word " * 300,
    "no text": "# Moon\n\n\0",
    "control characters": "# Moon\n\n" + "\x01" * 20,
}


@pytest.mark.parametrize("text", REJECTED.values(), ids=REJECTED)
@pytest.mark.parametrize("n_sources", [1, 2])
def test_links_lead_to_a_page_whose_title_a_rejected_file_has_too(tmp_path: Path, text: str, n_sources: int) -> None:
    sources = [tmp_path / name for name in ("one", "two")[:n_sources]]
    for source in sources:
        write(source, a=text, b=f"# Moon\n\nOf {source.name}.", c="# Moon\n\nThe third of " + source.name,
              d=f"# Guide {source.name}\n\n[b](b.md) and [c](c.md).")  # fmt: skip
    kb = tmp_path / "kb.skb"
    build(Request(tuple(map(str, sources)), kb, workers=1, max_page_mb=0.001))
    found = called(kb)
    assert cited(kb) == sorted(
        (f"Guide {each.name}##1", found[f"{each.name}: {file}.md"]) for each in sources for file in "bc"
    )
    assert rows(kb, "SELECT count(*) FROM entity WHERE page_id IS NULL") == [(0,)]
    assert dumped(kb)


@pytest.mark.parametrize("text", REJECTED.values(), ids=REJECTED)
@pytest.mark.parametrize("rejected", ["a", "ab", "abd"])
def test_links_to_a_rejected_file_do_not_lead_to_the_next_one_of_its_title(
    tmp_path: Path, text: str, rejected: str
) -> None:
    docs, kb = tmp_path / "docs", tmp_path / "kb.skb"
    files = dict.fromkeys(rejected, text) | {"c": "# Moon\n\nThe first.", "e": "# Moon\n\nThe second."}
    write(docs, **files, guide="# Guide\n\n" + " ".join(f"[{name}]({name}.md)" for name in sorted(files)))
    build(Request((str(docs),), kb, workers=1, max_page_mb=0.001))
    # Where no document is, an address is a name, as of a page that is yet to be written.
    nowhere = [(name, name.upper()) for name in rejected]
    assert rows(kb, "SELECT anchor, target FROM link ORDER BY 1") == sorted(
        [*nowhere, ("c", "Moon"), ("e", "Moon (e.md)")]
    )
    assert cited(kb) == [("Guide##1", name) for _, name in [*nowhere, ("c", "Moon"), ("e", "Moon (e.md)")]]
    write(docs, **{**files, "a": "# Moon\n\nThe new first."}, guide="# Guide\n\n[a](a.md) [c](c.md)")
    build(Request((str(docs),), kb, workers=1, max_page_mb=0.001))
    assert rows(kb, "SELECT anchor, target FROM link ORDER BY 1") == [("a", "Moon"), ("c", "Moon (c.md)")]
    build(Request((str(docs),), tmp_path / "fresh.skb", workers=1, max_page_mb=0.001))
    assert dumped(kb) == dumped(tmp_path / "fresh.skb")


@pytest.mark.parametrize("packed", [False, True])
def test_links_to_a_page_without_text_do_not_lead_to_the_next_one_of_its_title(tmp_path: Path, packed: bool) -> None:
    docs = tmp_path / "docs"
    pages = {"a/moon.html": "<p></p>", "b/moon.html": "<p>Bright.</p>", "c/moon.html": "<p>Dark.</p>",
             "guide.html": "<h1>Guide</h1><p>" + "".join(f"<a href={each}/moon.html>{each}</a> " for each in "abc"),
             }  # fmt: skip
    for name, text in pages.items():
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(text, encoding="utf-8")
    source = Path(shutil.make_archive(str(docs), "tar", docs)) if packed else docs
    built(tmp_path / "kb.skb", source)
    assert [place for place, *_ in states(tmp_path / "kb.skb")] == ["a/moon.html"]
    assert rows(tmp_path / "kb.skb", "SELECT anchor, target FROM link ORDER BY 1") == [
        ("b", "Moon"), ("c", "Moon (c/moon.html)"),
    ]  # fmt: skip


MARKUP = {
    "html": "<h1>{0}</h1><p>{1}</p><p><a href='a.html'>a</a> <a href='b.html'>b</a></p>",
    "md": "# {0}\n\n{1}\n\n[a](a.md) [b](b.md)",
    "rst": "{0}\n====\n\n{1}\n\n`a <a.rst>`_ `b <b.rst>`_\n",
}


@pytest.mark.parametrize("suffix", [*MARKUP, "tar"])
def test_links_mean_what_they_would_without_the_files_that_are_too_large(tmp_path: Path, suffix: str) -> None:
    kind = "html" if suffix == "tar" else suffix
    found = []
    for folder, names in (("with", "abc"), ("without", "bc")):
        docs = tmp_path / folder / "docs"
        docs.mkdir(parents=True)
        for name in names:
            text = MARKUP[kind].format({"c": "Tide"}.get(name, "Moon"), "word " * (300 if name == "a" else 3))
            (docs / f"{name}.{kind}").write_text(text, encoding="utf-8")
        source = Path(shutil.make_archive(str(docs), "tar", docs)) if suffix == "tar" else docs
        build(Request((str(source),), tmp_path / folder / "kb.skb", workers=1, max_page_mb=0.001))
        found.append(rows(tmp_path / folder / "kb.skb", "SELECT uri FROM entity ORDER BY uri"))
        found.append(rows(tmp_path / folder / "kb.skb", "SELECT anchor, target FROM link ORDER BY 1, 2"))
    assert found[:2] == found[2:]
    assert ("b", "Moon") in found[1]


def test_a_page_whose_title_names_it_by_nature_is_called_by_it(tmp_path: Path) -> None:
    write(tmp_path / "docs", a="# Ondrel\n\nA note.")
    (tmp_path / "wiki.jsonl").write_text(json.dumps({"title": "Ondrel", "text": "A port."}), encoding="utf-8")
    built(tmp_path / "kb.skb", tmp_path / "docs", tmp_path / "wiki.jsonl")
    assert called(tmp_path / "kb.skb") == {"docs: a.md": "Ondrel (a.md)", "wiki.jsonl: Ondrel": "Ondrel"}
    built(tmp_path / "kb.skb", tmp_path / "docs")
    assert called(tmp_path / "kb.skb") == {"docs: a.md": "Ondrel"}


def test_an_alias_leads_to_the_page_that_says_it(tmp_path: Path) -> None:
    write(tmp_path / "docs", a="# Overview\n\nOne.", b="---\naliases: [Second]\n---\n# Overview\n\nTwo.",
          c="# C\n\n[[Second]].")  # fmt: skip
    built(tmp_path / "kb.skb", tmp_path / "docs")
    assert cited(tmp_path / "kb.skb") == [("C##1", "Overview (b.md)")]


WORLD = {
    "a": "# Overview\n\nOne. [[Guide]]", "b": "# Overview\n\nTwo, see [it](c.md).", "c": "# Overview\n\nThree.",
    "d": "# Guide\n\n[a](a.md) [b](b.md) [c](c.md) [e](e.md)", "e": "# Overview\n\nThree.",
    "f": "---\naliases: [Second]\n---\n# Overview\n\nSix", "g": "# Overview (b.md)\n\n[[Second]] and Overview.",
    "sub__a": "# Overview\n\nOne. [[Guide]]", "sub__h": "# Guide\n\n[a](a.md), [top](../a.md)",
}  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_an_update_equals_a_rebuild_whatever_shares_a_title(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for step in range(4):
        sources = []
        for name in chance.sample(["one", "two", "three"], 2):
            kept = {key: text for key, text in WORLD.items() if chance.random() < 0.6} or {"a": WORLD["a"]}
            if chance.random() < 0.5:
                kept = {chance.choice("xyz") + key if "__" not in key else key: text for key, text in kept.items()}
            write(tmp_path / name, **kept)
            sources.append(tmp_path / name)
        built(tmp_path / "kb.skb", *sources)
        fresh = tmp_path / f"fresh{step}.skb"
        build(Request(tuple(map(str, sources)), fresh, workers=2))
        assert dumped(tmp_path / "kb.skb") == dumped(fresh)
        assert not built(tmp_path / "kb.skb", *sources).changed
    built(tmp_path / "kb.skb", *reversed(sources))
    built(tmp_path / "turned.skb", *reversed(sources))
    assert dumped(tmp_path / "kb.skb") == dumped(tmp_path / "turned.skb")


@pytest.mark.parametrize(
    "link",
    ["[[Moon]]", "[moon](https://en.wikipedia.org/wiki/Moon)", "[own](b.md)", "[a](a.md)", "[gone](moon.md)",
     "[gone]\n\n[gone]: <moon.md>"],
)  # fmt: skip
@pytest.mark.parametrize("first", ["# Moon\n\nAnother.", "# Sun\n\nAnother."])
def test_a_link_to_a_pages_own_title_is_read_again_when_another_page_takes_the_title(
    tmp_path: Path, link: str, first: str
) -> None:
    docs, kb = tmp_path / "docs", tmp_path / "kb.skb"
    pages = {"b": f"# Moon\n\nSee {link} and [c](c.md).", "c": "# C\n\nText."}
    for step, texts in enumerate((pages, {**pages, "a": first}, pages)):
        write(docs, **texts)
        built(kb, docs)
        built(tmp_path / f"fresh{step}.skb", docs)
        assert dumped(kb) == dumped(tmp_path / f"fresh{step}.skb")


def test_adding_equals_building_all_at_once(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, **WORLD)
    built(tmp_path / "kb.skb", tmp_path / "one")
    built(tmp_path / "kb.skb", tmp_path / "two", add=True)
    built(tmp_path / "whole.skb", tmp_path / "one", tmp_path / "two")
    assert dumped(tmp_path / "kb.skb") == dumped(tmp_path / "whole.skb")


def test_removing_a_page_takes_the_one_that_is_called_so_and_names_the_others(tmp_path: Path) -> None:
    docs, kb = tmp_path / "docs", tmp_path / "kb.skb"
    write(docs, a="# Overview\n\nOne.", b="# Overview\n\nTwo.", c="# Overview\n\nThree.", e="# Overview\n\nOne.")
    built(kb, docs)
    result = CliRunner().invoke(main, ["remove", str(kb), "Overview"])
    assert result.exit_code == 0
    assert result.stderr.splitlines()[-1].endswith(
        "Overview: other pages of this title stay, the first of which now is called by it:"
        " Overview (b.md), Overview (c.md)"
    )
    assert called(kb) == {"docs: b.md": "Overview", "docs: c.md": "Overview (c.md)"}
    remove(kb, ["Overview (c.md)"])
    assert called(kb) == {"docs: b.md": "Overview"}
    assert dumped(kb)


def test_a_title_in_another_spelling_that_several_pages_have_is_asked_back(tmp_path: Path) -> None:
    write(tmp_path / "docs", a="# Overview\n\nOne.", b="# Overview\n\nTwo.")
    built(tmp_path / "kb.skb", tmp_path / "docs")
    with pytest.raises(NotInKnowledgeBase, match=r"did you mean Overview or Overview \(b\.md\)\?"):
        remove(tmp_path / "kb.skb", ["overview"])
