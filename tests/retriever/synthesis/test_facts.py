"""Facts that sentences and rows say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from builder.request import Summary
from retriever.context import Context
from retriever.session import Session
from retriever.synthesis.facts.definitions import noun_of
from retriever.synthesis.facts.fact import Fact, Thing
from retriever.synthesis.facts.gather import gather
from retriever.synthesis.facts.rows import infobox_facts, keyed_facts, table_facts
from retriever.synthesis.facts.sentences import Passage, facts_of
from retriever.synthesis.facts.store import FactStore
from retriever.synthesis.facts.things import whole_value
from retriever.synthesis.grammar.predicates import Predicate
from tests.worlds import ONTOLOGY, RESOURCE, triple, write_pages
from tests.worlds import page as world_page
from weft.skb import Skb
from weft.text.sentences import sentences

OWN = 7

Said = tuple[str, str, str]


def _passage(text: str, *links: tuple[str, int], title: str = "Veldra") -> Passage:
    spots = [(text.index(anchor), text.index(anchor) + len(anchor), entity) for anchor, entity in links]
    return Passage(1, text, sentences(text), spots, OWN, (title,), frozenset(("river",)))


def _said(passage: Passage) -> list[Said]:
    return [(fact.subject.text, fact.predicate.words, fact.object.text) for fact in facts_of(passage)]


@pytest.mark.parametrize(
    ("text", "title", "said"),
    [
        ("Veldra was named after Orla Vess.", "Veldra", [("", "was named after", "Orla Vess")]),
        ("Veldra also flows into the Saffrine Strait.", "Veldra", [("", "flows into", "the Saffrine Strait")]),
        ("Veldra is a river. It was charted in 1204 by Abe Moss.", "Veldra",
         [("", "was charted in", "1204"), ("", "was charted by", "Abe Moss")]),
        ("Veldra is a river. The river crosses Kellumbra.", "Veldra", [("", "crosses", "Kellumbra")]),
        ("Dusk is a 1990 film directed and written by Ann Orr and starring Ben Sykes and Cid Moss.", "Dusk",
         [("", "was released in", "1990"), ("", "was directed by", "Ann Orr"), ("", "was written by", "Ann Orr"),
          ("", "stars", "Ben Sykes"), ("", "stars", "Cid Moss")]),
        ("Ann Orr (3 May 1870 – 9 June 1931) was a painter.", "Ann Orr",
         [("", "was born on", "3 May 1870"), ("", "died on", "9 June 1931")]),
        ("Kingdom of Kell (1835 – 1887) was a small kingdom.", "Kingdom of Kell", []),
        ("Ann Orr (1835 – 1887) was a Welsh printer, weaver and baker.", "Ann Orr",
         [("", "was born in", "1835"), ("", "died in", "1887")]),
        ("Ann Orr (1835 – 1887) was famous. She is missed.", "Ann Orr",
         [("", "was born in", "1835"), ("", "died in", "1887")]),
        ("Ann Orr was born 3 May 1870.", "Ann Orr", [("", "was born on", "3 May 1870")]),
        ("Ann Orr was the daughter of Abe Moss.", "Ann Orr", [("", "was the daughter of", "Abe Moss")]),
        ("Ann Orr was a painter. Her teacher was Abe Moss.", "Ann Orr", [("", "teacher", "Abe Moss")]),
        ("Veldra is a river. It was charted by Abe Moss, whose long voyage on Lake Orr in 1204 is told.", "Veldra",
         [("", "was charted by", "Abe Moss")]),
        ("Veldra is owned by Reed Light Centre, Inc., and features Abe Moss.", "Veldra",
         [("", "is owned by", "Reed Light Centre, Inc")]),
        ("Veldra is owned by Hochmoor Three, Inc.. Its owner is old.", "Veldra",
         [("", "is owned by", "Hochmoor Three, Inc")]),
        ("Veldra is owned by Ltd.", "Veldra", []),
        ("Veldra is located in Kell, Ostrevane.", "Veldra", [("", "is located in", "Kell")]),
        ("Veldra crosses Kell, Hask and Noss.", "Veldra",
         [("", "crosses", "Kell"), ("", "crosses", "Hask"), ("", "crosses", "Noss")]),
        ("Ann Orr was a painter from Kell, studied at Kellumbra.", "Ann Orr", []),
        ("Ann Orr was a painter. She opened Kellumbra in 1204.", "Ann Orr", [("", "opened", "Kellumbra")]),
        ("Veldra premiered in Kellumbra in 1204.", "Veldra",
         [("", "premiered in", "Kellumbra"), ("", "premiered in", "1204")]),
        ("Veldra is the small republic south of Kellumbra.", "Veldra", []),
        ("Veldra was put up between 1859 and 1862.", "Veldra", []),
        ("Dusk is a film based on a play written by Abe Moss.", "Dusk", []),
        ("Veldra crosses Kellumbra station.", "Veldra", []),
        ("Boats were sold in Kellumbra.", "Veldra", []),
        ("Veldra was dug by Orr & Sons in Kellumbra.", "Veldra", []),
        ("Veldra was dug by Abe Moss, Orr & Sons in 1911.", "Veldra", []),
    ],
)  # fmt: skip
def test_what_is_plain_is_read_and_nothing_else(text: str, title: str, said: list[Said]) -> None:
    assert _said(_passage(text, title=title)) == said


BEACON = "Ossay got a beacon. It was designed by Marian Teague."


@pytest.mark.parametrize(
    ("headings", "text", "designed"),
    [
        ((), BEACON, True),
        (("History",), BEACON, True),
        (("Design and construction", "Later work"), BEACON, True),
        (("History of Ossay",), BEACON, True),
        (("Ossay today",), BEACON, True),
        (("Ossay",), BEACON, True),
        (("Construction",), f"Construction was slow. {BEACON}", True),
        (("Early history",), f"The early history of Ossay is told in songs. {BEACON}", True),
        (("Ossay Beacon",), BEACON, False),
        (("Landmarks", "Ossay Beacon", "Construction"), BEACON, False),
        (("Market hall",), "Ossay has a hall. The market hall is red. It was designed by Marian Teague.", False),
        (("Grindle Lift",), "Ossay has a lift. Grindle Lift is red. It was designed by Marian Teague.", False),
        ((), "Ossay is a town. Ossay Beacon is red. It was designed by Marian Teague.", False),
        ((), "Ossay Stores Ltd. is a chain. It was designed by Marian Teague.", True),
        (("History",), "Ossay Stores Ltd. is a chain. It was designed by Marian Teague.", False),
        ((), "Ossay is a town. Ossay’s beacon is red. It was designed by Marian Teague.", False),
    ],
)
def test_it_is_not_the_page_s_own_thing_where_another_is_spoken_of(
    headings: tuple[str, ...], text: str, designed: bool
) -> None:
    passage = _passage(text, title="Ossay")._replace(headings=headings)
    expected = [("", "was designed by", "Marian Teague")] if designed else []
    assert [each for each in _said(passage) if each[1] == "was designed by"] == expected


def test_its_own_noun_means_the_page_s_thing_below_any_heading() -> None:
    passage = _passage("Veldra has a canal. The river crosses Kellumbra. Its depth is 3 m.")
    assert _said(passage)[:1] == [("", "crosses", "Kellumbra")] != _said(passage)
    assert _said(passage._replace(headings=("Veldra Canal",))) == [("", "crosses", "Kellumbra")]


def test_a_link_at_the_beginning_is_a_subject() -> None:
    passage = _passage("The Ishkemmel joins the Veldra. Nobody lives there.", ("Ishkemmel", 3))
    (fact,) = facts_of(passage)
    assert (fact.subject.entity_id, fact.subject.text, fact.object.text) == (3, "the Ishkemmel", "the Veldra")


def test_a_page_says_what_its_subject_is() -> None:
    assert noun_of(_passage("Veldra is the longest river of Ostrevane.")) == "longest river"
    assert noun_of(_passage("Veldra ran dry.")) == ""
    assert noun_of(_passage("Veldra was a naturalist and the leading student of moths.")) == "naturalist"
    assert noun_of(_passage("Veldra is a blind, milk-white fish in deep wells.")) == "fish"


def test_an_infobox_speaks_of_its_page() -> None:
    text = "Ann Orr\nBorn | 3 May 1870, Leith\nSpouse | Abe Moss\nWorks | one, two, three\nOpened | 1931"
    said = [(fact.predicate.words, fact.object.kind, fact.object.text) for fact in infobox_facts(1, text, OWN)]
    assert said == [("was born in", "name", "Leith"), ("was born on", "date", "3 May 1870"),
                    ("is married to", "name", "Abe Moss"), ("was opened in", "year", "1931")]  # fmt: skip


def test_a_table_speaks_of_the_links_its_rows_begin_with() -> None:
    text = "Light | Keeper | Pld\nCold Candle | Abe Moss | 3\nOld Aunt | Ann Orr | 4"
    links = [(text.index(name), text.index(name) + len(name), entity) for name, entity in (("Cold Candle", 3),)]
    (fact,) = table_facts(1, text, links)
    assert (fact.subject.entity_id, fact.predicate.words, fact.object.text) == (3, "is kept by", "Abe Moss")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Kiln | Firing temperature | Steward\nSmall kiln | 1,060 °C | Ines Varga\nLarge kiln | 1,240 °C | Tom Ark",
         [("the Small kiln", "firing temperature", "1,060 °C"), ("the Large kiln", "firing temperature", "1,240 °C")]),
        ("Tools | Deposit | Notes\nWire cutter | 2 euros | keep dry\nSieve, fine | 9 euros | wash",
         [("the tool “Wire cutter”", "deposit", "2 euros")]),
        ("Course | Teacher | Number of places\nRaku | Maud Ellery | 12\nThrowing | varies | many",
         [("the course “Raku”", "teacher", "Maud Ellery"), ("the course “Raku”", "number of places", "12")]),
        # Twice the same key, keys and columns that say nothing by themselves, a value with a unit elsewhere, a clause.
        ("Clay | Price\nRed clay | 14 euros\nRed clay | 15 euros", []),
        ("Day | Price\nMonday | 14 euros", []),
        ("Tool | Shelf\nWire cutter | A5", []),
        ("Tool | Price (EUR)\nWire cutter | 14", []),
        ("Tool | Price\nWire cutter | as much as it is worth", []),
    ],
)  # fmt: skip
def test_a_plain_table_speaks_of_what_its_rows_begin_with(text: str, said: list[Said]) -> None:
    found = [(fact.subject.text, fact.predicate.words, fact.object.text) for fact in keyed_facts(1, text, [])]
    assert found == said


def test_labels_and_values_below_a_plain_header_are_an_infobox(
    tmp_path: Path, weave: Callable[..., Summary]
) -> None:
    text = "# Veldra\n\n| Fact | Value |\n|---|---|\n| Keeper | Abe Moss |\n| Length (km) | 94 |\n\nVeldra is a lock.\n"
    weave(write_pages(tmp_path / "pages", {"a.md": text}))
    with Skb(tmp_path / "kb.skb") as skb:
        store = gather(Session(Context(skb))).store
        said = [store.thing(fact.object).text for fact in store.facts(store.every())]
    assert said == ["Abe Moss", "94 km"]


def test_a_row_that_begins_with_a_link_is_called_by_it() -> None:
    text = "Tool | Price\nWire cutter | 2 euros\nSieve | 3 euros"
    (fact,) = keyed_facts(1, text, [(13, 24, 3)])
    assert fact.subject.text == "the tool “Sieve”"


def test_one_day_is_one_thing_however_it_is_written() -> None:
    store = FactStore()
    subject, born = Thing("entity", "Abe", 1), Predicate("was born on", False)
    store.add(Fact(subject, born, whole_value(text), 1) for text in ("4 May 1201", "1201-05-04", "May 4, 1201"))
    assert store.count() == 1
    store.close()


def test_the_headings_above_a_sentence_are_known(tmp_path: Path, weave: Callable[..., Summary]) -> None:
    text = (
        "# Ossay\n\nOssay is a town.\n\n## History\n\nOssay grew. It was rebuilt in 1301.\n\n"
        "## Ossay Beacon\n\nOssay paid. It was founded in 1310.\n\n### Use\n\nOssay pays. It was opened in 1400.\n"
    )
    weave(write_pages(tmp_path / "pages", {"a.md": text, "b.md": "# Veldra\n\nA river by [Ossay](a.md)."}))
    with Skb(tmp_path / "kb.skb") as skb:
        store = gather(Session(Context(skb))).store
        words = [words for (words,) in store.connection.execute("SELECT words FROM predicate ORDER BY words")]
    assert words == ["was rebuilt in"]


@pytest.mark.parametrize(
    ("column", "cell", "value"),
    [
        ("Length (km)", "94", "94 km"), ("Length [km]", "1,094.5", "1,094.5 km"), ("Length (km)", "94 km", "94 km"),
        ("Population (1250)", "1,800", "1,800"), ("Length (km)", "unknown", "unknown"), ("Width (%)", "30", "30%"),
    ],
)  # fmt: skip
def test_a_column_s_unit_belongs_to_its_numbers(column: str, cell: str, value: str) -> None:
    text = f"River | {column}\nTammet | {cell}"
    (fact,) = table_facts(1, text, [(text.index("Tammet"), text.index("Tammet") + 6, 3)])
    assert fact.object.text == value
    if not any(sign.isdigit() for sign in column):
        (own,) = infobox_facts(1, f"{column} | {cell}", OWN)
        assert (own.predicate, own.object.text) == (fact.predicate, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("At springs the tidal range reached 9.1 metres.", "9.1 metres"),
        ("At springs the tidal range reached 9.1, or so.", "9.1"),
        ("At springs the tidal range reached 9.1 metres, at neaps never 9.1.", "9.1"),
        ("At springs the tidal range reached 9.1 metres, not 19.1.", "9.1 metres"),
    ],
)
def test_a_bare_value_has_the_unit_of_its_text(
    text: str, value: str, tmp_path: Path, weave: Callable[..., Summary]
) -> None:
    facts = tmp_path / "facts.nt"
    facts.write_text(f'<{RESOURCE}Veldra> <{ONTOLOGY}tidalRange> "9.1" .\n', encoding="utf-8")
    pages = write_pages(tmp_path / "pages", {"a.html": world_page("Veldra", f"Veldra is a strait. {text}")})
    weave(pages, rdf=(str(facts),))
    with Skb(tmp_path / "kb.skb") as skb:
        store = gather(Session(Context(skb))).store
        (found,) = store.connection.execute("SELECT text FROM thing WHERE kind = 'number'").fetchall()
    assert found == (value,)


@pytest.mark.parametrize(
    ("told", "built"),
    [
        ("Patient was built at [Orr](orr.md).", True),
        ("Patient was launched at [Orr](orr.md). It was built of oak.", False),
    ],
)
def test_a_relation_is_said_where_one_sentence_has_its_word_and_its_end(
    told: str, built: bool, tmp_path: Path, weave: Callable[..., Summary]
) -> None:
    facts = tmp_path / "facts.nt"
    facts.write_text(triple("Patient", "builtAt", "Orr"), encoding="utf-8")
    pages = write_pages(tmp_path / "pages", {"patient.md": f"# Patient\n\n{told}\n", "orr.md": "# Orr\n\nA port.\n"})
    weave(pages, rdf=(str(facts),))
    with Skb(tmp_path / "kb.skb") as skb:
        store = gather(Session(Context(skb))).store
        words = {store.predicate(fact.predicate).words for fact in store.facts(store.every())}
    assert ("was built at" in words) == built
