"""Facts of expository prose: noun phrases as subjects and objects, and relative clauses behind links."""

from __future__ import annotations

import pytest

from retriever.synthesis.facts.clauses import clause_facts
from retriever.synthesis.facts.definitions import description_behind, said_of
from retriever.synthesis.grammar.predicates import Predicate
from retriever.synthesis.grammar.wording import Asked, ask_object

Said = tuple[str, str, str]


def _said(text: str, *links: str) -> list[Said]:
    spots = [(text.index(link), text.index(link) + len(link), number) for number, link in enumerate(links, 1)]
    facts = clause_facts(1, text, [(0, len(text))], spots)
    return [(fact.subject.text, fact.predicate.words, fact.object.text) for fact in facts]


@pytest.mark.parametrize(
    ("text", "links", "said"),
    [
        ("The upper and lower mantle are separated by the transition zone.", ("transition zone",),
         [("the upper and lower mantle", "are separated by", "the transition zone")]),
        ("In modern times, the crust of Earth consists of rigid plates.", ("Earth",),
         [("Earth", "consists of", "rigid plates")]),
        ("In modern times, the crust of Earth consists of several rigid plates.", ("Earth",), []),
        ("It lies above the core, which generates the magnetic field.", ("core",),
         [("the core", "generates", "the magnetic field")]),
        ("The outer core was determined to be molten.", ("core",), []),
        ("These plates are moved by convection.", ("convection",), []),
        ("Nothing is linked here: the crust consists of plates.", (), []),
    ],
)  # fmt: skip
def test_clauses_say_what_is_plain(text: str, links: tuple[str, ...], said: list[Said]) -> None:
    assert _said(text, *links) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The spray booth needs an air filter.", [("the spray booth", "needs", "an air filter")]),
        ("The raku kiln requires a bottle of propane.", [("the raku kiln", "requires", "a bottle of propane")]),
        ("The drying cabinet has seven wooden racks.", [("the drying cabinet", "wooden racks", "seven")]),
        ("The lawn mower has 4 wheels which turn.", [("the lawn mower", "wheels", "4")]),
        # One of several, what is of no number, what is done, and what a subject in the plural has.
        ("The front desk has two telephones and a fax.", []),
        ("The night shift has three breaks of ten minutes.", []),
        ("The goods lift needs to be checked.", []),
        ("The main pump needs the operator to press a button.", []),
        ("The store room needs the door closed.", []),
        ("The small kilns have two doors.", []),
        ("The basic needs of the members are met.", []),
    ],
)
def test_what_is_needed_and_how_many_there_are_is_read(text: str, said: list[Said]) -> None:
    assert _said(text) == said


def test_a_text_tells_in_passing_what_something_is() -> None:
    text = "minerals such as olivine"
    assert said_of(text, text.index("olivine"), len(text)) == "mineral"
    assert said_of("the olivine is green", 4, 11) == ""


@pytest.mark.parametrize(
    ("text", "links", "said"),
    [
        # An answer ends where another prepositional phrase of the verb begins, and is no clause's subject.
        ("The theory was presented in Rome by the old Theon as an alternative.", ("theory",),
         [("the theory", "was presented in", "Rome")]),
        ("The Huygens probe landed on the moon Titan on 14 January.", ("Huygens probe",),
         [("the Huygens probe", "landed on", "the moon Titan")]),
        ("The core formed as cells within colonies became special.", ("core",), []),
        ("The mantle extends to a depth of 2,890 km, which is much.", ("mantle",),
         [("the mantle", "extends to", "2,890 km")]),
        ("The core has lost about 2.3 parts.", ("core",), []),
        # One of many is no answer, nor what a verb needs more than a preposition for.
        ("The core is composed of hot iron (most of it), molten oxygen, and other things.", ("core",), []),
        ("The ocean films about whales are many.", ("ocean",), []),
        ("The stomata observed on old fossil plants vary.", ("stomata",), []),
        # Participles behind a noun are no verbs.
        ("The heat left over from accretion is lost.", ("accretion",), []),
        # Subjects that were spoken of before are told from others.
        ("The probe consists of tungsten.", ("tungsten",), []),
        ("Plates moves the mantle.", ("mantle",), []),
    ],
)  # fmt: skip
def test_what_is_cut_or_misread_is_left_out(text: str, links: tuple[str, ...], said: list[Said]) -> None:
    assert _said(text, *links) == said


def test_something_of_a_link_is_said_of_the_link() -> None:
    text = "The polarity of the field is recorded in rocks."
    begin = text.index("field")
    (fact,) = clause_facts(1, text, [(0, len(text))], [(begin, begin + 5, 3), (41, 46, 4)])
    assert fact.subject.entity_id == 3
    assert fact.predicate == Predicate("is recorded in", False, "the polarity of")
    assert ask_object(fact.predicate, "the magnet", Asked()) == ["Where is the polarity of the magnet recorded?"]


def test_numbers_tell_of_dimensions_and_of_what_is_spoken_of() -> None:
    assert _said("The crust is about 100 km thick.", "crust") == [("the crust", "thickness", "100 km")]
    said = _said("The mean height of the land is about 797 metres.", "land")
    assert said == [("the land", "mean height", "797 metres")]
    assert _said("The ocean has a mean depth of 3682 m.", "ocean") == [("the ocean", "mean depth", "3682 m")]


@pytest.mark.parametrize(
    ("text", "description"),
    [
        (" is the boundary between the crust and the mantle.", "the boundary between the crust and the mantle"),
        (" are mechanical waves of acoustic energy.", "the mechanical waves of acoustic energy"),
        (", a stream of charged particles from the Sun.", "the stream of charged particles from the Sun"),
        (" is the highly viscous, weak region of the upper mantle, but thin.",
         "the highly viscous, weak region of the upper mantle"),
        (" is a type of rock.", None),
        (" is it.", None),
        (" is a rock.", None),
        (", a mountain, and the lake of Aune.", None),
        (" are composed of rocks of iron.", None),
        (" was an astronomer and, from 1934 to 1956, the director of Corvane Heights.", None),
        (", the crust is the outermost shell of a planet.", None),
    ],
)  # fmt: skip
def test_descriptions_fit_one_thing(text: str, description: str | None) -> None:
    found = description_behind(text, 0, "Moho")
    assert (found and found.text) == description


def test_a_description_that_has_the_name_tells_nothing() -> None:
    assert description_behind(" is the slow motion of the mantle by heat.", 0, "Mantle convection") is None


def test_it_means_the_page_s_own_thing_where_the_sentence_before_spoke_of_that() -> None:
    text = "The crust surrounds the mantle. It covers the whole mantle."
    links = [(4, 9, 5), (24, 30, 6)]
    found = {own: [(fact.subject.entity_id, fact.predicate.words) for fact in
                   clause_facts(1, text, [(0, 31), (32, 59)], links, own=own)] for own in (5, 6)}  # fmt: skip
    assert found == {5: [(5, "surrounds"), (5, "covers")], 6: [(5, "surrounds")]}


def test_words_that_mean_an_entity_need_no_link() -> None:
    facts = list(clause_facts(1, "Dust drives the wind.", [(0, 21)], [], {"Dust": 7, "dust": 7}.get))
    assert [(fact.subject.entity_id, fact.predicate.words, fact.object.text) for fact in facts] == []
    facts = list(clause_facts(1, "Dust drives the strong winds.", [(0, 29)], [], {"Dust": 7, "dust": 7}.get))
    assert [(fact.subject.entity_id, fact.predicate.words, fact.object.text) for fact in facts] == [
        (7, "drives", "the strong winds")
    ]


def test_one_of_two_years_tells_nothing() -> None:
    text = "The Mill House is a building in Kell. It was put up between 1859 and 1861 to plans by Ada Orr."
    links = [(4, 14, 5)]
    facts = clause_facts(1, text, [(0, 37), (38, len(text))], links, own=5)
    assert [fact for fact in facts if fact.object.text == "1859"] == []
