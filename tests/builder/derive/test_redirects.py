"""A document's redirect makes what it leads to a thing of that name; a fact file's redirect makes nothing."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.build import build, remove
from builder.check import problems
from builder.request import Request, Summary
from tests.builder.readers.wikitext.test_wikitext import dump, page
from tests.worlds import RESOURCE, dumped, rows, triple, write_pages, write_records
from tests.worlds import link as html_link
from tests.worlds import page as html_page
from weft.schema import open_skb
from weft.text.names import name_key

Weave = Callable[..., Summary]
REDIRECT = "http://dbpedia.org/ontology/wikiPageRedirects"


def _wiki(path: Path, pages: dict[str, str], redirects: dict[str, str]) -> Path:
    """Write a MediaWiki dump of pages and redirect pages."""
    led = {title: f"#REDIRECT [[{target}]]" for title, target in redirects.items()}
    return dump(path, *(page(title, text) for title, text in (pages | led).items())).path


def _facts(path: Path, *redirects: str) -> str:
    """Write a fact file of redirects between things of one letter, "AB" from A to B."""
    lines = [f"<{RESOURCE}{each[0]}> <{REDIRECT}> <{RESOURCE}{each[1]}> .\n" for each in redirects]
    path.write_text("".join(lines), encoding="utf-8")
    return str(path)


def _entities(tmp_path: Path) -> list[object]:
    return [uri for (uri,) in rows(tmp_path / "kb.skb", "SELECT uri FROM entity ORDER BY 1")]


def _aliases(tmp_path: Path) -> list[tuple[object, ...]]:
    return rows(
        tmp_path / "kb.skb",
        "SELECT alias.name, entity.name FROM alias JOIN entity ON entity.id = entity_id"
        " WHERE kind = 'redirect' ORDER BY 1, 2",
    )


def _assert_as_rebuilt(tmp_path: Path, *sources: Path, **options: object) -> None:
    rebuilt = tmp_path / "rebuilt.skb"
    rebuilt.unlink(missing_ok=True)
    build(Request(tuple(map(str, sources)), rebuilt, workers=1)._replace(**options))  # type: ignore[arg-type]
    assert dumped(tmp_path / "kb.skb") == dumped(rebuilt)
    connection = open_skb(tmp_path / "kb.skb")
    assert list(problems(connection)) == []
    connection.close()


@pytest.mark.parametrize("href", ["/wiki/Tarn", "Tarn.html"])
def test_a_saved_page_of_a_redirect_is_an_alias(weave: Weave, tmp_path: Path, href: str) -> None:
    where = f'<ul class="redirectText"><li><a href="{href}">Tarn</a></ul>'
    pages = {
        "Old_Tarn.html": html_page("Old Tarn", f'<div class="redirectMsg"><p>Redirect to:</p>{where}</div>'),
        "Tarn.html": html_page("Tarn", "A town."),
        "Orb.html": html_page("Orb", f"Near {html_link('Old Tarn', 'the town')}."),
    }
    summary = weave(write_pages(tmp_path / "pages", pages))
    assert summary.documents == {"read": 2, "redirects": 1}
    assert (_entities(tmp_path), _aliases(tmp_path)) == (["Orb", "Tarn"], [("Old Tarn", "Tarn")])
    cited = "SELECT entity.uri FROM cites JOIN entity ON entity.id = entity_id JOIN chunk ON chunk.id = chunk_id"
    assert rows(tmp_path / "kb.skb", f"{cited} WHERE chunk.uri LIKE 'Orb%' AND entity.uri <> 'Orb'") == [("Tarn",)]


def test_a_redirect_names_what_is_neither_page_nor_linked(weave: Weave, tmp_path: Path) -> None:
    redirects = {"B": "C", "D": "B", "E": "F", "X": "Y", "Y": "X", "All": "100%"}
    source = _wiki(tmp_path / "w.xml", {"A": "To [[E]]."}, redirects)
    weave(source)
    assert _entities(tmp_path) == ["100%25", "A", "C", "F", "X"]
    assert _aliases(tmp_path) == [("All", "100%"), ("B", "C"), ("D", "C"), ("E", "F"), ("Y", "X")]
    assert rows(tmp_path / "kb.skb", "SELECT DISTINCT page_id FROM entity WHERE uri <> 'A'") == [(None,)]
    _assert_as_rebuilt(tmp_path, source)


def test_a_fact_files_redirect_makes_nothing_but_leads_on(weave: Weave, tmp_path: Path) -> None:
    source = _wiki(tmp_path / "w.xml", {"A": "Alone."}, {"B": "C"})
    facts = _facts(tmp_path / "f.nt", "CD", "XY", "YX", "GH")
    weave(source, rdf=(facts,))
    assert _entities(tmp_path) == ["A", "D"]
    assert _aliases(tmp_path) == [("B", "D"), ("C", "D")]
    weave(source)
    assert _entities(tmp_path) == ["A", "C"]
    assert _aliases(tmp_path) == [("B", "C")]
    _assert_as_rebuilt(tmp_path, source)


def test_of_two_redirects_both_name_what_they_lead_to(weave: Weave, tmp_path: Path) -> None:
    one = _wiki(tmp_path / "one.xml", {"A": "Alone."}, {"B": "C"})
    two = _wiki(tmp_path / "two.xml", {}, {"B": "D"})
    weave(one, two)
    assert _aliases(tmp_path) == [("B", "C"), ("B", "D")]
    _assert_as_rebuilt(tmp_path, one, two)
    weave(one)
    assert _aliases(tmp_path) == [("B", "C")]
    _assert_as_rebuilt(tmp_path, one)


def test_the_redirect_of_a_title_that_is_a_page_waits(weave: Weave, tmp_path: Path) -> None:
    notes = write_records(tmp_path / "n.jsonl", [{"title": "B", "text": "A page."}, {"title": "A", "text": "Alone."}])
    source = _wiki(tmp_path / "w.xml", {"Z": "Alone."}, {"B": "C"})
    facts = _facts(tmp_path / "f.nt", "CD", "CE", "DF")
    weave(notes, source, rdf=(facts,))
    assert _entities(tmp_path) == ["A", "B", "Z"]
    remove(tmp_path / "kb.skb", ["B"])
    assert _entities(tmp_path) == ["A", "F", "Z"]
    assert ("B", "F") in _aliases(tmp_path)
    write_records(notes, [{"title": "A", "text": "Alone."}])
    _assert_as_rebuilt(tmp_path, notes, source, rdf=(facts,))


def test_a_removed_page_that_a_redirect_names_is_a_thing_without_page(weave: Weave, tmp_path: Path) -> None:
    source = _wiki(tmp_path / "w.xml", {"A": "Alone.", "C": "Alone."}, {"B": "C"})
    weave(source)
    remove(tmp_path / "kb.skb", ["C"])
    assert rows(tmp_path / "kb.skb", "SELECT uri, page_id IS NULL FROM entity ORDER BY 1") == [("A", 0), ("C", 1)]
    assert _aliases(tmp_path) == [("B", "C")]
    _wiki(source, {"A": "Alone."}, {"B": "C"})
    _assert_as_rebuilt(tmp_path, source)
    _wiki(source, {"A": "Alone."}, {})
    weave(source)
    assert _entities(tmp_path) == ["A"]
    _assert_as_rebuilt(tmp_path, source)


def test_facts_and_mentions_find_what_a_redirect_names(weave: Weave, tmp_path: Path) -> None:
    source = _wiki(tmp_path / "w.xml", {"A": "Alone."}, {"Old Mill Weir": "Upper Mill Weir"})
    notes = write_records(tmp_path / "n.jsonl", [{"title": "Z", "text": "They swam below Old Mill Weir until noon."}])
    facts = tmp_path / "f.nt"
    facts.write_text(triple("Z", "near", "Upper_Mill_Weir") + triple("A", "near", "Old_Mill_Weir"), encoding="utf-8")
    weave(source, notes, rdf=(str(facts),))
    cited = "SELECT chunk.uri, entity.uri FROM cites JOIN chunk ON chunk.id = chunk_id"
    assert rows(tmp_path / "kb.skb", f"{cited} JOIN entity ON entity.id = entity_id") == [("Z##1", "Upper Mill Weir")]
    ends = "SELECT one.uri, two.uri FROM relation JOIN entity AS one ON one.id = subject_id"
    assert rows(tmp_path / "kb.skb", f"{ends} JOIN entity AS two ON two.id = object_id") == [("Z", "Upper Mill Weir")]


@pytest.mark.parametrize("seed", range(4))
def test_random_redirects_leave_what_a_rebuild_gives(weave: Weave, tmp_path: Path, seed: int) -> None:
    choose, letters = random.Random(seed), "ABCDEFGH"
    one, two, facts = tmp_path / "one.xml", tmp_path / "two.xml", tmp_path / "f.nt"
    for _ in range(6):
        # No title is a page of both, so that a removed page is in one dump alone.
        titles = choose.sample(letters, 4)
        pages = {title: f"To [[{choose.choice(letters)}]]." for title in titles}
        redirects = [
            {each: choose.choice(letters.replace(each, "")) for each in choose.sample(letters, 4) if each not in own}
            for own in (titles[:2], titles[2:])
        ]
        said = _facts(facts, *("".join(choose.sample(letters, 2)) for _ in range(4)))
        for gone in ("", titles[0]):
            _wiki(one, {title: pages[title] for title in titles[:2] if title != gone}, redirects[0])
            _wiki(two, {title: pages[title] for title in titles[2:]}, redirects[1])
            if gone:
                remove(tmp_path / "kb.skb", [gone])
            else:
                weave(one, two, rdf=(said,))
            _assert_as_rebuilt(tmp_path, one, two, rdf=(said,))


@pytest.mark.slow
def test_every_redirect_of_a_real_dump_is_an_alias(
    weave: Weave, tmp_path: Path, real_data: Callable[[str], Path]
) -> None:
    weave(real_data("wikitext/enwiki_shortened.xml.bz2"))
    said = rows(tmp_path / "kb.skb", "SELECT key, value FROM statement WHERE kind = 'redirect'")
    assert len(said) == 99
    named = rows(
        tmp_path / "kb.skb",
        "SELECT name_key, entity.name FROM alias JOIN entity ON entity.id = entity_id WHERE kind = 'redirect'",
    )
    assert {(name_key(str(key)), value) for key, value in said} == set(named)
    # "AbeL" and "Abel" have one key, and lead to one title.
    assert len(named) == 98
