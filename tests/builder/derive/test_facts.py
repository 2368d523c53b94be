"""Facts: what every line of a fact file comes to, and which entity it is joined to."""

from __future__ import annotations

import json
import random
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.build import remove
from builder.check import problems
from builder.derive.redirects import ends_of, materialize_redirects
from builder.derive.workspace import create_functions, empty
from builder.info import info
from builder.request import Settings, Summary
from tests.naive_comention import kept_by_hand, violations
from tests.worlds import ONTOLOGY, RESOURCE, dumped, link, page, rows, triple, write_pages, write_records
from weft.package_data import shipped
from weft.schema import open_skb

Weave = Callable[..., Summary]
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
REDIRECT = "http://dbpedia.org/ontology/wikiPageRedirects"
TOPIC_OF = "http://xmlns.com/foaf/0.1/isPrimaryTopicOf"
TOPIC = "http://xmlns.com/foaf/0.1/primaryTopic"


def _iri(name: str) -> str:
    return f"<{RESOURCE}{name}>"


def _line(subject: str, predicate: str, object_: str) -> str:
    return f"{subject} <{predicate if ':' in predicate else ONTOLOGY + predicate}> {object_} .\n"


def _facts(tmp_path: Path, *lines: str, name: str = "f.nt") -> str:
    (tmp_path / name).write_text("".join(lines), encoding="utf-8")
    return str(tmp_path / name)


def _pages(tmp_path: Path, **links: str) -> Path:
    texts = {
        f"{name}.html": page(name, *(f"To {link(target)}." for target in targets.split()))
        for name, targets in links.items()
    }
    return write_pages(tmp_path / "pages", texts)


def _relations(tmp_path: Path) -> list[tuple[object, ...]]:
    return rows(
        tmp_path / "kb.skb",
        "SELECT subject.uri, relation_type.name, object.uri FROM relation JOIN entity AS subject"
        " ON subject.id = subject_id JOIN entity AS object ON object.id = object_id"
        " JOIN relation_type ON relation_type.id = type_id ORDER BY 1, 2, 3",
    )


def _fates(tmp_path: Path) -> dict[str, int]:
    connection = open_skb(tmp_path / "kb.skb")
    try:
        found: dict[str, int] = info(connection, tmp_path / "kb.skb")["triples"]
        return found
    finally:
        connection.close()


def _assert_whole(tmp_path: Path) -> None:
    connection = open_skb(tmp_path / "kb.skb")
    assert list(problems(connection)) == []
    connection.close()


# fates


def test_every_line_has_one_fate(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, A="B C", D="A")
    facts = _facts(
        tmp_path,
        triple("A", "knows", "B"),
        triple("A", "knows", "B"),
        triple("B", "knows", "D"),
        triple("A", "knows", "Nobody"),
        _line(_iri("A"), TYPE, "<http://x/Person>"),
        _line("<http://x/Person>", SUBCLASS, "<http://x/Agent>"),
        _line(_iri("A"), LABEL, '"The A"@en'),
        _line(_iri("A"), LABEL, '"Das A"@de'),
        _line(_iri("Aa"), REDIRECT, _iri("A")),
        _line(_iri("A"), TOPIC_OF, "<http://en.wikipedia.org/wiki/A>"),
        _line(_iri("A"), "height", '"1.8"^^<http://www.w3.org/2001/XMLSchema#double>'),
        _line(_iri("A"), "motto", '"Immer"@de'),
        _line(_iri("A"), "http://dbpedia.org/ontology/wikiPageWikiLink", _iri("B")),
        "nonsense\n",
        "\n",
        "# a comment\n",
    )
    weave(pages, rdf=(facts,))
    assert _fates(tmp_path) == {
        "type": 2, "label": 2, "redirect": 1, "topic": 1, "attribute": 1, "relation kept": 2,
        "relation dropped: no co-mention": 1, "relation dropped: unknown end": 1, "ignored predicate": 1,
        "other language": 1, "malformed": 1, "lines": 14,
    }  # fmt: skip
    assert _relations(tmp_path) == [("A", "knows", "B")]


KINDS: list[Callable[[random.Random], str]] = [
    lambda choose: triple(choose.choice("ABCDEF"), choose.choice(["p", "q"]), choose.choice("ABCDEF")),
    lambda choose: _line(_iri(choose.choice("ABCDEF")), "note", json.dumps(choose.choice(["one", "7", "1999-01-02"]))),
    lambda choose: _line(_iri(choose.choice("ABCDEF")), "note", '"eins"@' + choose.choice(["de", "en", "en-gb"])),
    lambda choose: _line(_iri(choose.choice("ABCDEF")), TYPE, f"<http://x/T{choose.randrange(4)}>"),
    lambda choose: _line(f"<http://x/T{choose.randrange(4)}>", SUBCLASS, f"<http://x/T{choose.randrange(4)}>"),
    lambda choose: _line(_iri(choose.choice("ABCDEFGH")), LABEL, json.dumps(choose.choice("ABCDEFGH"))),
    lambda choose: _line(_iri(choose.choice("ABCDEFGH")), REDIRECT, _iri(choose.choice("ABCDEFGH"))),
    lambda choose: _line(_iri(choose.choice("ABCDEFGH")), REDIRECT, '"A"'),
    lambda choose: _line(_iri(choose.choice("ABQR")), TOPIC_OF, f"<http://w/wiki/{choose.choice('ABCXY')}>"),
    lambda choose: _line(f"<http://w/wiki/{choose.choice('ABCXY')}>", TOPIC, _iri(choose.choice("ABQR"))),
    lambda choose: _line(f"_:b{choose.randrange(3)}", choose.choice(["p", TYPE, LABEL, REDIRECT, TOPIC_OF]), _iri("A")),
    lambda choose: _line(_iri("A"), choose.choice(["p", TYPE, SUBCLASS, REDIRECT, TOPIC, LABEL]), "_:b1"),
    lambda choose: _line(_iri("A"), choose.choice([TYPE, SUBCLASS, REDIRECT, TOPIC, TOPIC_OF]), '"words"@en'),
    lambda choose: choose.choice(["garbage\n", "<a> <b>\n", "<a> <b> <c>\n", '"x" <http://x/p> <http://x/o> .\n',
                                  "<http://x/s> <http://x/p> \"open .\n", ". . .\n", "\ufeff\n"]),
    lambda choose: choose.choice(["\n", "# comment\n", "   \n"]),
]  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_fates_add_up_to_the_lines(weave: Weave, tmp_path: Path, seed: int) -> None:
    choose = random.Random(seed)
    lines = [choose.choice(KINDS)(choose) for _ in range(choose.randrange(1, 80))]
    said = [line for line in lines if line.strip() and not line.startswith("#")]
    pages = _pages(tmp_path, A="B C D", B="A E", C="F")
    settings = Settings(all_relations=choose.random() < 0.3)
    weave(pages, rdf=(_facts(tmp_path, *lines),), settings=settings)
    fates = _fates(tmp_path)
    assert fates.pop("lines") == len(said)
    assert sum(fates.values()) == len(said)
    _assert_whole(tmp_path)
    if not settings.all_relations:
        assert violations(tmp_path / "kb.skb") == []
    before = dumped(tmp_path / "kb.skb")
    assert not weave(pages, rdf=(str(tmp_path / "f.nt"),), settings=settings).changed
    (tmp_path / "kb.skb").unlink()
    choose.shuffle(lines)
    weave(pages, rdf=(_facts(tmp_path, *lines),), settings=settings)
    assert _without_lines(dumped(tmp_path / "kb.skb")) == _without_lines(before)


def _without_lines(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith('{"table": "source_item"')]


# which entity


def test_redirects_are_followed_to_their_end(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, A="Bee", C="A")
    redirects = [("Bee", "Be"), ("Be", "B"), ("Aye", "A")]
    lines = [_line(_iri(source), REDIRECT, _iri(target)) for source, target in redirects]
    weave(pages, rdf=(_facts(tmp_path, triple("Aye", "knows", "Be"), *lines),))
    assert _relations(tmp_path) == [("A", "knows", "B")]
    assert [uri for (uri,) in rows(tmp_path / "kb.skb", "SELECT uri FROM entity ORDER BY 1")] == ["A", "B", "C"]
    aliases = "alias JOIN entity ON entity.id = entity_id WHERE kind = 'redirect'"
    assert rows(tmp_path / "kb.skb", f"SELECT alias.name, uri FROM {aliases} ORDER BY 1") == [
        ("Aye", "A"), ("Be", "B"), ("Bee", "B"),
    ]  # fmt: skip


def test_cycles_are_broken_at_the_smallest_title(weave: Weave, tmp_path: Path) -> None:
    assert ends_of({"c": "b", "b": "a", "a": "c", "d": "b"}) == {"c": "a", "b": "a", "d": "a"}
    pages = _pages(tmp_path, P="Z Y X")
    cycle = [("Z", "Y"), ("Y", "X"), ("X", "Z")]
    weave(pages, rdf=(_facts(tmp_path, *(_line(_iri(one), REDIRECT, _iri(other)) for one, other in cycle)),))
    assert rows(tmp_path / "kb.skb", "SELECT uri FROM entity ORDER BY 1") == [("P",), ("X",)]
    assert rows(tmp_path / "kb.skb", "SELECT sum(count) FROM cites") == [(3,)]


def test_a_page_is_never_redirected(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, A="B", B="A")
    weave(pages, rdf=(_facts(tmp_path, _line(_iri("A"), REDIRECT, _iri("B"))),))
    assert rows(tmp_path / "kb.skb", "SELECT uri FROM entity ORDER BY 1") == [("A",), ("B",)]


def test_what_is_no_resource_redirects_nothing(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, P="Hello A :A")
    lines = [
        _line(_iri("A"), REDIRECT, '"Hello"'), _line("_:A", REDIRECT, _iri("P")), _line(_iri("A"), TOPIC_OF, '"P"'),
    ]  # fmt: skip
    weave(pages, rdf=(_facts(tmp_path, *lines),))
    assert rows(tmp_path / "kb.skb", "SELECT * FROM statement") == []
    assert rows(tmp_path / "kb.skb", "SELECT uri FROM entity ORDER BY 1") == [("A",), ("Hello",), ("P",)]


@pytest.mark.parametrize(
    "topic", [_line(_iri("Q1"), TOPIC_OF, "<http://en.wikipedia.org/wiki/Ada>"),
              _line("<https://en.wikipedia.org/wiki/Ada>", TOPIC, _iri("Q1"))],
)  # fmt: skip
def test_the_primary_topic_comes_before_the_title(weave: Weave, tmp_path: Path, topic: str) -> None:
    pages = _pages(tmp_path, Ada="Q1 Caen")
    weave(pages, rdf=(_facts(tmp_path, triple("Q1", "bornIn", "Caen"), topic),))
    assert _relations(tmp_path) == [("Ada", "bornIn", "Caen")]


def test_a_label_joins_what_no_title_joins(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, Ada="Caen")
    lines = [
        triple("Q1", "bornIn", "Q2"), _line(_iri("Q1"), LABEL, '"ada"@en'), _line(_iri("Q2"), LABEL, '"Caen"'),
        triple("Q1", "diedIn", "Q3"), _line(_iri("Q3"), LABEL, '"Caen"@fr'),
        triple("Caen", "twin", "Ada"), _line(_iri("Caen"), LABEL, '"Ada"@en'),
    ]  # fmt: skip
    weave(pages, rdf=(_facts(tmp_path, *lines),))
    assert _relations(tmp_path) == [("Ada", "bornIn", "Caen"), ("Caen", "twin", "Ada")]
    assert _fates(tmp_path)["relation dropped: unknown end"] == 1


def test_a_label_that_two_things_share_joins_only_the_exact_one(weave: Weave, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"a.html": page("ADA", f"{link('Ada')} {link('Caen')}")})
    lines = [
        triple("Q1", "bornIn", "Caen"), _line(_iri("Q1"), LABEL, '"ada"'),
        triple("Q2", "diedIn", "Caen"), _line(_iri("Q2"), LABEL, '"Ada"'),
    ]  # fmt: skip
    weave(pages, rdf=(_facts(tmp_path, *lines),))
    assert _relations(tmp_path) == [("Ada", "diedIn", "Caen")]


def test_titles_in_resources_are_decoded(weave: Weave, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"a.html": page("Café & Co", f"To {link('Æ/B')}.")})
    weave(pages, rdf=(_facts(tmp_path, triple("Caf%C3%A9_&_Co", "near", "Æ/B")),))
    assert _relations(tmp_path) == [("Café & Co", "near", "Æ/B")]


# types, languages


def test_the_type_is_the_rarest_that_is_no_superclass_then_by_name(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, A="B C D E F")
    given = {"A": "Agent Person Writer", "B": "Agent Person", "C": "Person Painter", "D": "Zebra Yak",
             "E": "Loop1 Loop2", "F": "Rare Agent"}  # fmt: skip
    lines = [_line(_iri(name), TYPE, f"<http://x/{each}>") for name, types in given.items() for each in types.split()]
    above = [("Writer", "Person"), ("Person", "Agent"), ("Loop1", "Loop2"), ("Loop2", "Loop1")]
    lines += [_line(f"<http://x/{low}>", SUBCLASS, f"<http://x/{high}>") for low, high in above]
    weave(pages, rdf=(_facts(tmp_path, *lines),))
    # Painter (1) is rarer than Person (3); Rare (1) than Agent (3); a cycle leaves both, then the name decides.
    assert rows(tmp_path / "kb.skb", "SELECT uri, type, label FROM entity ORDER BY 1") == [
        ("A", "Writer", "A (Writer)"), ("B", "Person", "B (Person)"), ("C", "Painter", "C (Painter)"),
        ("D", "Yak", "D (Yak)"), ("E", "Loop1", "E (Loop1)"), ("F", "Rare", "F (Rare)"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "type_", "label"),
    [
        ("X (acb)", "a_b", "X (acb) (a_b)"), ("X (a-b)", "a-b", "X (a-b)"), ("X (City)", "city", "X (City)"),
        ("X (100)", "1%", "X (100) (1%)"), ("X", "City", "X (City)"), ("City)", "City", "City) (City)"),
    ],
)  # fmt: skip
def test_a_name_that_ends_with_its_type_is_not_given_it_twice(
    weave: Weave, tmp_path: Path, name: str, type_: str, label: str
) -> None:
    pages = write_pages(tmp_path / "pages", {"x.html": page(name, "A weir.")})
    facts = tmp_path / "f.nt"
    kind = ONTOLOGY + type_.replace("%", "%25")
    facts.write_text(_line(_iri(name.replace(" ", "_")), TYPE, f"<{kind}>"))
    weave(pages, rdf=(str(facts),))
    assert rows(tmp_path / "kb.skb", "SELECT label FROM entity WHERE page_id IS NOT NULL") == [(label,)]


def test_languages_choose_attributes_and_labels(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, A="B")
    values = ['"plain"', '"english"@en', '"british"@en-gb', '"deutsch"@de', '"francais"@fr']
    facts = _facts(tmp_path, *(_line(_iri("A"), "note", value) for value in values))
    found = "SELECT value FROM attribute ORDER BY 1"
    for languages, expected in (
        (("en",), ["british", "english", "plain"]),
        (("de", "fr"), ["deutsch", "francais", "plain"]),
        (("en",), ["british", "english", "plain"]),
    ):
        weave(pages, rdf=(facts,), settings=Settings(languages=languages))
        assert [value for (value,) in rows(tmp_path / "kb.skb", found)] == expected


def test_literals_become_numbers_and_dates(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, A="B")
    xsd = "http://www.w3.org/2001/XMLSchema#"
    lines = [
        _line(_iri("A"), "height", f'"1.80"^^<{xsd}double>'),
        _line(_iri("A"), "born", f'"1815-12-10"^^<{xsd}date>'),
        _line(_iri("Nobody"), "height", f'"1.80"^^<{xsd}double>'),
    ]
    weave(pages, rdf=(_facts(tmp_path, *lines),))
    assert rows(tmp_path / "kb.skb", "SELECT key, value, number, date FROM attribute ORDER BY key") == [
        ("born", "1815-12-10", None, "1815-12-10"), ("height", "1.80", 1.8, None),
    ]  # fmt: skip


# relations


def test_all_relations_make_the_ends_entities(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, A="B")
    facts = _facts(tmp_path, triple("A", "knows", "Far_away"), triple("X", "knows", "Y"), triple("B", "knows", "_B"))
    weave(pages, rdf=(facts,), settings=Settings(all_relations=True))
    assert _relations(tmp_path) == [("A", "knows", "Far away"), ("B", "knows", "B"), ("X", "knows", "Y")]
    _assert_whole(tmp_path)
    weave(pages, rdf=(facts,))
    assert _relations(tmp_path) == [("B", "knows", "B")]
    assert rows(tmp_path / "kb.skb", "SELECT uri FROM entity ORDER BY 1") == [("A",), ("B",)]


def test_all_relations_are_joined_by_topic_and_label_too(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, Ada="Caen")
    lines = [
        triple("Q1", "bornIn", "Q2"), triple("Q1", "knows", "Q9"),
        _line(_iri("Q1"), TOPIC_OF, "<http://en.wikipedia.org/wiki/Ada>"), _line(_iri("Q2"), LABEL, '"Caen"@en'),
    ]  # fmt: skip
    weave(pages, rdf=(_facts(tmp_path, *lines),), settings=Settings(all_relations=True))
    assert _relations(tmp_path) == [("Ada", "bornIn", "Caen"), ("Ada", "knows", "Q9")]
    assert rows(tmp_path / "kb.skb", "SELECT uri FROM entity ORDER BY 1") == [("Ada",), ("Caen",), ("Q9",)]
    _assert_whole(tmp_path)


@pytest.mark.parametrize("seed", range(8))
def test_the_co_mention_filter_agrees_with_a_second_program(weave: Weave, tmp_path: Path, seed: int) -> None:
    choose = random.Random(100 + seed)
    names = [f"N{n}" for n in range(14)]
    links = {name: set(choose.sample(names, choose.randrange(0, 5))) - {name} for name in names[:7]}
    asked = {(choose.choice(names), choose.choice(["p", "q"]), choose.choice(names)) for _ in range(60)}
    pages = _pages(tmp_path, **{name: " ".join(sorted(targets)) for name, targets in links.items()})
    facts = _facts(tmp_path, *(triple(*each) for each in sorted(asked)))
    weave(pages, rdf=(facts,))
    expected = kept_by_hand(links, asked)
    assert set(_relations(tmp_path)) == expected
    assert violations(tmp_path / "kb.skb") == []
    fates = _fates(tmp_path)
    assert fates.get("relation kept", 0) == len(expected)
    # What changes on an update is what the second program then says.
    name = choose.choice(sorted(links))
    links[name] = set(choose.sample(names, 3)) - {name}
    _pages(tmp_path, **{name: " ".join(sorted(links[name]))})
    weave(pages, rdf=(facts,))
    assert set(_relations(tmp_path)) == kept_by_hand(links, asked)
    _assert_whole(tmp_path)


def test_two_files_that_say_the_same_are_both_on_record(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, A="B")
    one = _facts(tmp_path, triple("A", "knows", "B"), name="one.nt")
    two = _facts(tmp_path, triple("A", "knows", "B"), triple("B", "knows", "A"), name="two.nt")
    weave(pages, rdf=(one, two))
    join = "relation_source JOIN source_item ON source_item.id = source_id"
    assert rows(tmp_path / "kb.skb", f"SELECT relation_id, source FROM {join} ORDER BY 1, 2") == [
        (1, "one.nt"), (1, "two.nt"), (2, "two.nt"),
    ]  # fmt: skip
    weave(pages, rdf=(one,))
    assert _relations(tmp_path) == [("A", "knows", "B")]


def test_facts_are_joined_anew_when_documents_change_without_them(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, A="B", B="C")
    facts = _facts(tmp_path, triple("A", "knows", "B"), triple("B", "knows", "C"))
    weave(pages, rdf=(facts,))
    _pages(tmp_path, A="C")
    weave(pages, rdf=(facts,), add=True)
    assert _relations(tmp_path) == [("B", "knows", "C")]
    _pages(tmp_path, B="A")
    weave(pages, add=True)
    assert _relations(tmp_path) == []
    fates = _fates(tmp_path)
    assert sum(fates.values()) - fates["lines"] == fates["lines"] == 2
    weave(pages, rdf=(facts,))
    assert _relations(tmp_path) == [("A", "knows", "B")]


# triples


def test_triples_are_kept_whatever_is_mentioned(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, A="B")
    records: list[dict[str, object]] = [
        {"subject": "A", "predicate": "member of", "object": "Far away", "title": "A"},
        {"subject": "a", "predicate": "member of", "object": "b"},
        {"subject": "Far-Away", "predicate": "in", "object": "A", "title": "Nobody"},
        {"subject": "A", "predicate": "member of", "object": "Far away", "title": "A"},
    ]
    weave(pages, triples=(str(write_records(tmp_path / "t.jsonl", records)),))
    # Of two spellings of one new thing the first by code point is its name.
    assert _relations(tmp_path) == [("A", "member of", "B"), ("A", "member of", "Far away"), ("Far away", "in", "A")]
    said_by = "SELECT page.uri FROM relation_source LEFT JOIN page ON page.id = page_id ORDER BY 1"
    assert rows(tmp_path / "kb.skb", said_by) == [(None,), (None,), ("A",)]
    assert _fates(tmp_path) == {"relation kept": 4, "lines": 4}
    _assert_whole(tmp_path)


def test_triples_keep_their_ends_while_they_are_carried(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, A="B", C="B")
    triples = write_records(
        tmp_path / "t.jsonl",
        [{"subject": "A", "predicate": "in", "object": "Far"}, {"subject": "Near", "predicate": "in", "object": "Far"}],
    )
    weave(pages, triples=(str(triples),))
    (pages / "A.html").unlink()
    weave(pages, triples=(str(triples),))
    assert _relations(tmp_path) == [("A", "in", "Far"), ("Near", "in", "Far")]
    more = write_pages(tmp_path / "more", {"D.html": page("D", "Words.")})
    weave(more, add=True)
    assert _relations(tmp_path) == [("A", "in", "Far"), ("Near", "in", "Far")]
    _assert_whole(tmp_path)


def test_a_fact_says_which_file_it_is_from(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, A="B")
    weave(pages, rdf=(_facts(tmp_path, triple("A", "knows", "B"), _line(_iri("A"), "note", '"x"')),))
    found = [json.loads(line) for line in dumped(tmp_path / "kb.skb")]
    sources = Counter(
        (each["table"], each["source"]) for each in found if each["table"] in ("relation_source", "attribute")
    )
    assert sources == {("attribute", "f.nt: f.nt"): 1, ("relation_source", "f.nt: f.nt"): 1}


def test_a_triple_outlives_a_page_that_its_end_was_told_apart_from(weave: Weave, tmp_path: Path) -> None:
    records: list[dict[str, object]] = [
        {"title": "Calder Vale", "text": "vale"}, {"title": "D", "text": "dd"},
        {"title": "E", "text": "the vale", "links": [{"start": 0, "end": 3, "target": "Calder vale"}]},
    ]  # fmt: skip
    said: dict[str, object] = {"subject": "D", "predicate": "knows", "object": "calder vale", "title": "D"}
    triples = write_records(tmp_path / "t.jsonl", [said])
    weave(write_records(tmp_path / "n.jsonl", records), triples=(str(triples),))
    assert _relations(tmp_path) == [("D", "knows", "calder vale")]
    remove(tmp_path / "kb.skb", ["E"])
    assert _relations(tmp_path) == [("D", "knows", "Calder Vale")]
    assert rows(tmp_path / "kb.skb", "SELECT kind, key, value FROM statement") == [
        ("triple", "D", '["knows", "calder vale", "D"]')
    ]
    weave(write_records(tmp_path / "m.jsonl", [{"title": "calder vale", "text": "small"}]), add=True)
    assert _relations(tmp_path) == [("D", "knows", "calder vale")]
    assert _fates(tmp_path) == {"relation kept": 1, "lines": 1}
    _assert_whole(tmp_path)


def test_a_new_redirect_joins_facts_again(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, A="", B="A")
    facts = _facts(tmp_path, _line(_iri("Foo"), TYPE, "<http://x/City>"))
    weave(pages, rdf=(facts,))
    assert rows(tmp_path / "kb.skb", "SELECT type FROM entity_type") == []
    redirected = (
        '<span class="mw-redirectedfrom">(Redirected from <a href="/w/index.php?title=Foo&amp;redirect=no"'
        ' title="Foo">Foo</a>)</span>'
    )
    write_pages(pages, {"A.html": page("A", "To B.").replace("<p>", redirected + "<p>")})
    weave(pages, rdf=(facts,))
    types = "SELECT uri, entity_type.type FROM entity_type JOIN entity ON entity.id = entity_id"
    assert rows(tmp_path / "kb.skb", types) == [("A", "City")]


def test_a_chain_of_redirects_goes_on_where_a_page_was(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, B="", Q="A")
    lines = [_line(_iri(one), REDIRECT, _iri(other)) for one, other in ("AB", "BC", "CD", "XY")]
    weave(pages, rdf=(_facts(tmp_path, *lines),))
    assert rows(tmp_path / "kb.skb", "SELECT uri FROM entity ORDER BY 1") == [("B",), ("Q",)]
    remove(tmp_path / "kb.skb", ["B"])
    assert rows(tmp_path / "kb.skb", "SELECT uri FROM entity ORDER BY 1") == [("D",), ("Q",)]
    assert rows(tmp_path / "kb.skb", "SELECT key, value FROM statement ORDER BY 1") == [
        ("A", "B"), ("B", "C"), ("C", "D"),
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_redirects_laid_out_are_those_followed_by_hand(seed: int) -> None:
    choose = random.Random(seed)
    names = [f"N{n}" for n in range(30)]
    said = {one: choose.choice([each for each in names if each != one]) for one in choose.sample(names, 20)}
    connection = sqlite3.connect(":memory:")
    connection.executescript(shipped("schemas").joinpath("skb.sql").read_text(encoding="utf-8"))
    create_functions(connection)
    empty(connection, "fact_file", "node_page")
    connection.execute("INSERT INTO source_item (id, source, place, state) VALUES (1, 's', 'p', 'ok')")
    connection.executemany(
        "INSERT INTO statement (source_id, kind, key, value) VALUES (1, 'redirect', ?, ?)", said.items()
    )
    materialize_redirects(connection)
    assert dict(connection.execute("SELECT title, target FROM redirect")) == ends_of(said)


def test_facts_without_relations_come_back_after_a_build_without_them(weave: Weave, tmp_path: Path) -> None:
    pages = _pages(tmp_path, A="B")
    facts = _facts(tmp_path, _line(_iri("B"), TYPE, _iri("Harbour")), _line(_iri("B"), "depth", '"12"'))
    types = "SELECT name, entity.type FROM entity WHERE entity.type IS NOT NULL"
    attributes = "SELECT key, value FROM attribute"
    for named in ((facts,), (), (facts,)):
        weave(pages, rdf=named)
        found = rows(tmp_path / "kb.skb", types), rows(tmp_path / "kb.skb", attributes)
        assert found == (([("B", "Harbour")], [("depth", "12")]) if named else ([], []))
