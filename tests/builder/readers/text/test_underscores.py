"""An underscore of a title stays where it is no blank: in all but MediaWiki's titles and file names."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.request import Summary
from tests.worlds import page, rows, triple
from weft.skb import Skb

Weave = Callable[..., Summary]

SHOWN = {
    "a.md": ("# snake_case_note\n\nText.", "snake_case_note"),
    "code.md": ("# The `mod_rewrite` module\n\nText.", "The mod_rewrite module"),
    "strong.md": ("# __Strong__ name\n\nText.", "Strong name"),
    "head.md": ("---\ntitle: a_given_title\n---\n\nText.", "a_given_title"),
    "a.txt": ("snake_case_note\n===============\n\nText.", "snake_case_note"),
    "a.rst": ("snake_case_note\n===============\n\nText.", "snake_case_note"),
    "h1.html": ("<h1>Apache Module mod_rewrite</h1><p>Text.", "Apache Module mod_rewrite"),
    "title.html": ("<title>Apache Module mod_rewrite</title><p>Text.", "Apache Module mod_rewrite"),
    "a_file_name.md": ("Text.", "A file name"),
    "a_page_name.html": ("<p>Text.</p>", "A page name"),
    "wiki.html": (page("Snake_case", "Text."), "Snake case"),
}

PAGES = {
    "one.html": '<h1>use mod_one</h1><p>See <a href="sub/two.html">the other</a>.',
    "sub/two.html": '<h1>use mod_two</h1><p>Back to <a href="../one.html">the first</a>.',
}
LINKS = "SELECT chunk.uri, entity.uri FROM cites JOIN chunk ON chunk.id = chunk_id" \
        " JOIN entity ON entity.id = entity_id ORDER BY 1"


@pytest.mark.parametrize("name", SHOWN)
def test_titles_are_as_shown(weave: Weave, tmp_path: Path, name: str) -> None:
    text, title = SHOWN[name]
    (tmp_path / name).write_text(text, "utf-8")
    weave(tmp_path / name)
    assert rows(tmp_path / "kb.skb", "SELECT title FROM page") == [(title,)]


@pytest.mark.parametrize("is_packed", [False, True])
def test_links_between_files_lead_to_titles_with_underscores(weave: Weave, tmp_path: Path, is_packed: bool) -> None:
    folder = tmp_path / "pages"
    (folder / "sub").mkdir(parents=True)
    for name, text in PAGES.items():
        (folder / name).write_text(text, "utf-8")
    source = folder
    if is_packed:
        source = tmp_path / "pages.tar.gz"
        with tarfile.open(source, "w:gz") as archive:
            for name, text in PAGES.items():
                member = tarfile.TarInfo(name)
                member.size = len(text)
                archive.addfile(member, io.BytesIO(text.encode()))
    weave(source)
    assert rows(tmp_path / "kb.skb", LINKS) == [("use mod_one##1", "use mod_two"), ("use mod_two##1", "use mod_one")]


def test_what_spells_a_title_with_blanks_means_its_page(weave: Weave, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# snake_case_note\n\nOf [[other_note]] and [[snake_case_note]].", "utf-8")
    (folder / "b.md").write_text("# other_note\n\nBack to [the first](a.md).", "utf-8")
    facts, triples = tmp_path / "facts.nt", tmp_path / "facts.jsonl"
    facts.write_text(triple("snake_case_note", "before", "other_note"), "utf-8")
    record = {"subject": "other_note", "predicate": "after", "object": "snake case note"}
    triples.write_text(json.dumps(record), "utf-8")
    weave(folder, rdf=(facts,), triples=(triples,))
    kb = tmp_path / "kb.skb"
    assert rows(kb, LINKS) == [("other_note##1", "snake_case_note"), ("snake_case_note##1", "other_note")]
    assert rows(kb, "SELECT uri, page_id IS NOT NULL FROM entity ORDER BY 1") == [
        ("other_note", 1), ("snake_case_note", 1),
    ]  # fmt: skip
    query = (
        "SELECT one.uri, relation_type.name, two.uri FROM relation"
        " JOIN relation_type ON relation_type.id = type_id"
        " JOIN entity AS one ON one.id = subject_id"
        " JOIN entity AS two ON two.id = object_id ORDER BY 2"
    )
    assert rows(kb, query) == [
        ("other_note", "after", "snake_case_note"), ("snake_case_note", "before", "other_note"),
    ]  # fmt: skip


def test_a_page_of_the_title_with_blanks_has_it(weave: Weave, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# one_note\n\nText.", "utf-8")
    (folder / "b.md").write_text("# one note\n\nText.", "utf-8")
    (folder / "c.md").write_text("# C\n\nOf [[one note]].", "utf-8")
    weave(folder)
    assert rows(tmp_path / "kb.skb", LINKS) == [("C##1", "one note")]
    with Skb(tmp_path / "kb.skb") as skb:
        found = skb.page("one_note")
        assert found is not None and found.title == "one_note"
