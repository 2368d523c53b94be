"""The vectors and the full text of node documents: made where asked for, exact after every update, gone when not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from builder.build import build, remove
from builder.check import problems
from builder.request import Request, Settings, Summary
from interfaces.cli import main
from tests.paths import FIXTURES
from tests.worlds import dumped, link, page, rows, triple, write_pages, write_records
from weft.arrays.full_text import search_full_text
from weft.documents import EMBEDDED_TOKENS, Documents
from weft.embedders.fake import Lengths
from weft.skb import Skb
from weft.text.normalise import words_of

Weave = Callable[..., Summary]
EMBEDDERS = ["tfidf", "lengths"]
"""One that is fitted to the corpus, one whose vectors are kept by the hash of their text."""


def asked_for(embedder: str) -> Settings:
    return Settings(node_documents=True, embedder=embedder)


def world(folder: Path, *, changed: bool) -> Path:
    """Write three pages and a graph; the changed version adds, removes and changes one of each."""
    pages = {"weir.html": page("Weir", f"A weir of {link('Otter Mill')}.", "== Use", "Mills."),
             "mill.html": page("Otter Mill", "A mill."), "gone.html": page("Gone", f"Once at {link('Weir')}.")}
    nodes: list[dict[str, object]] = [
        {"uri": "d1", "name": "Amberin", "type": "drug", "text": "Eases coughs.", "attributes": {"weight": 180.16}},
        {"uri": "d2", "name": "Birchol", "type": "drug"}, {"uri": "g1", "name": "QX1", "type": "gene"}]  # fmt: skip
    edges = ["d1\ttarget\tg1", "d1\treplaces\td2"]
    if changed:
        del pages["gone.html"]
        pages |= {"mill.html": page("Otter Mill", "A mill of oak."), "new.html": page("New Weir", link("Otter Mill"))}
        nodes[0] |= {"attributes": {"weight": 181.0}}
        nodes[1:2] = [{"uri": "d3", "name": "Cedrine", "type": "drug"}]
        edges = ["d1\ttarget\tg1", "d3\treplaces\td1"]
    for path in (folder / "pages").glob("*"):
        path.unlink()
    write_pages(folder / "pages", pages)
    (folder / "drugs").mkdir(exist_ok=True)
    write_records(folder / "drugs" / "nodes.jsonl", nodes)
    (folder / "drugs" / "edges.tsv").write_text("\n".join(["subject\tpredicate\tobject", *edges, ""]))
    facts = [triple("Weir", "servesMill", "Otter_Mill"), *([triple("New_Weir", "near", "Otter_Mill")] * changed)]
    (folder / "facts.nt").write_text("".join(facts))
    return folder


def sources(folder: Path) -> dict[str, Any]:
    return {"sources": (str(folder / "pages"), str(folder / "drugs")), "rdf": (str(folder / "facts.nt"),)}


def searched(path: Path) -> list[tuple[object, ...]]:
    return rows(path, "SELECT uri, entity_text.* FROM entity_text JOIN entity USING (id) ORDER BY uri")


@pytest.mark.parametrize("embedder", EMBEDDERS)
def test_an_update_equals_a_new_build(tmp_path: Path, embedder: str) -> None:
    updated, fresh = tmp_path / "updated.skb", tmp_path / "fresh.skb"
    for path, versions in ((updated, (False, True)), (fresh, (True,))):
        for changed in versions:
            given = sources(world(tmp_path / "in", changed=changed))
            request = Request(output=path, workers=1, settings=asked_for(embedder), **given)
            assert build(request).changed
        assert not build(request).changed
    assert dumped(updated, vectors=True) == dumped(fresh, vectors=True)
    texts = [[(uri, text) for uri, _, _, _, text in searched(path)] for path in (updated, fresh)]
    assert texts[0] == texts[1]
    with Skb(updated) as skb:
        assert list(problems(skb.connection)) == []
        uris = {identity: uri for identity, uri in skb.connection.execute("SELECT id, uri FROM entity")}
        (oak, *others), _ = search_full_text(skb.connection, "entity_fts", "oak 181", 5)
        assert {uris[each] for each in (oak, *others)} == {"Otter Mill", "d1"}


@pytest.mark.parametrize("embedder", EMBEDDERS)
def test_a_removal_equals_a_build_without_the_page(tmp_path: Path, embedder: str) -> None:
    updated, fresh = tmp_path / "updated.skb", tmp_path / "fresh.skb"
    folder = write_pages(tmp_path / "pages", {f"{name}.html": page(name, f"On {link('Sea')}.") for name in ("A", "B")})
    build(Request((str(folder),), updated, workers=1, settings=asked_for(embedder)))
    remove(updated, ["B"])
    (folder / "B.html").unlink()
    build(Request((str(folder),), fresh, workers=1, settings=asked_for(embedder)))
    assert dumped(updated, vectors=True) == dumped(fresh, vectors=True)


def test_the_vectors_are_those_of_the_rendered_documents(tmp_path: Path) -> None:
    path = tmp_path / "kb.skb"
    given = sources(world(tmp_path / "in", changed=False))
    build(Request(output=path, workers=1, settings=asked_for("lengths"), **given))
    with Skb(path) as skb:
        for space, relations in (("document", False), ("document+relations", True)):
            found = skb.vectors(space)
            assert found.ids.tolist() == sorted(each for (each,) in skb.connection.execute("SELECT id FROM entity"))
            renderer = Documents(skb.connection, relations=relations, budget=EMBEDDED_TOKENS)
            texts = [each.text for each in renderer.of(found.ids.tolist())]
            np.testing.assert_array_equal(found.rows, Lengths().encode(texts))
        assert "target: QX1" in "\n".join(texts)


def test_a_text_without_chunks_is_learned_from_the_documents(tmp_path: Path) -> None:
    nodes: list[dict[str, object]] = [{"uri": "f", "name": "Film"}, {"uri": "a", "name": "Ann"}]
    folder = tmp_path / "films"
    folder.mkdir()
    write_records(folder / "nodes.jsonl", nodes)
    (folder / "edges.tsv").write_text("subject\tpredicate\tobject\nf\tstarring\ta\n")
    build(Request((str(folder),), tmp_path / "kb.skb", workers=1, settings=asked_for("tfidf")))
    (words,) = rows(tmp_path / "kb.skb", "SELECT shape FROM embedder_array WHERE name = 'tfidf_words'")
    # film, ann, starring, is, of
    assert words == ("5",)


@pytest.mark.parametrize("embedder", EMBEDDERS)
def test_a_build_that_does_not_ask_has_none_and_takes_out_those_there(tmp_path: Path, embedder: str) -> None:
    plain, path = tmp_path / "plain.skb", tmp_path / "kb.skb"
    given = sources(world(tmp_path / "in", changed=False)) | {"workers": 1}
    build(Request(output=plain, settings=Settings(embedder=embedder), **given))
    build(Request(output=path, settings=asked_for(embedder), **given))
    assert dumped(path) == dumped(plain)
    kept = [line for line in dumped(path, vectors=True) if '"space": "document' not in line]
    assert kept == dumped(plain, vectors=True)
    assert build(Request(output=path, settings=Settings(embedder=embedder), **given)).changed
    assert dumped(path, vectors=True) == dumped(plain, vectors=True)
    assert searched(path) == searched(plain)
    assert rows(path, "SELECT value FROM meta WHERE key = 'node_documents'") == [("false",)]
    assert rows(path, "SELECT count(*) FROM vector_text WHERE space LIKE 'document%'") == [(0,)]


def test_what_is_added_and_removed_later_keeps_the_setting(weave: Weave, tmp_path: Path) -> None:
    one = write_pages(tmp_path / "one", {"a.html": page("A", "first")})
    two = write_pages(tmp_path / "two", {"b.html": page("B", "second")})
    for arguments in ([one, "--node-documents"], [two, "--add"]):
        command = ["build", *map(str, arguments), "-o", str(tmp_path / "kb.skb")]
        assert CliRunner().invoke(main, command).exit_code == 0
    assert documents(tmp_path) == {"document": 2, "document+relations": 2}
    remove(tmp_path / "kb.skb", ["A"])
    assert documents(tmp_path) == {"document": 1, "document+relations": 1}


def documents(tmp_path: Path) -> dict[str, int]:
    """Return how many vectors of documents `weft info` counts."""
    told = json.loads(CliRunner().invoke(main, ["info", str(tmp_path / "kb.skb"), "--json"]).stdout)
    return {space: n for space, n in told["vectors"].items() if space.startswith("document")}


def test_full_text_covers_the_whole_document(tmp_path: Path) -> None:
    folder = tmp_path / "drugs"
    folder.mkdir()
    text = "Amber eases coughs.\n\nA resin of larches."
    node = {"uri": "d1", "name": "Amberin", "type": "drug", "text": text, "attributes": {"form": "syrup"}}
    write_records(folder / "nodes.jsonl", [node])
    (folder / "edges.tsv").write_text("subject\tpredicate\tobject\n")
    found = {}
    for name, settings in (("plain", Settings()), ("documents", Settings(node_documents=True))):
        path = tmp_path / f"{name}.skb"
        build(Request((str(folder),), path, workers=1, settings=settings))
        with Skb(path) as skb:
            words = ("amberin", "coughs", "larches", "syrup", "drug")
            found[name] = [word for word in words if len(search_full_text(skb.connection, "entity_fts", word, 1)[0])]
    assert found["plain"] == ["amberin", "coughs"]
    assert found["documents"] == ["amberin", "coughs", "larches", "syrup", "drug"]


def test_full_text_and_the_renderer_agree_on_what_a_document_is(tmp_path: Path) -> None:
    path = tmp_path / "kb.skb"
    request = Request((str(FIXTURES / "encyclopedia"),), path, rdf=(str(FIXTURES / "facts.nt"),), workers=1)
    build(request._replace(settings=Settings(node_documents=True)))
    with Skb(path) as skb:
        texts = dict(skb.connection.execute("SELECT id, name || ' ' || text FROM entity_text"))
        rendered = {each.entity_id: each.text for each in Documents(skb.connection, relations=False).of(texts)}
    assert {each: set(words_of(text)) for each, text in texts.items()} == {
        each: set(words_of(text)) for each, text in rendered.items()
    }
