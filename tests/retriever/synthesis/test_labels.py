"""Labels as predicates, and the questions that attributes give."""

from __future__ import annotations

import pytest

from retriever.synthesis.facts.rows import counted_kind, infobox_facts
from retriever.synthesis.facts.things import whole_value
from retriever.synthesis.grammar.attributes import Asked, ask_attribute
from retriever.synthesis.grammar.comparing import compare
from retriever.synthesis.grammar.labels import dated, predicate_of
from retriever.synthesis.grammar.predicates import Predicate
from retriever.synthesis.grammar.wording import (
    ask_object,
    ask_subject,
    clause,
    object_described,
    subject_described,
)


@pytest.mark.parametrize(
    ("label", "value", "words"),
    [
        ("laid down", "11 March 1887", "was laid down on"), ("ceased", "1969", "ceased in"),
        ("in service", "2 July 1994", "entered service on"), ("participants", "38 keepers", "participants"),
        ("participants", "Abe Moss", "participant"), ("films", "88", "films"), ("awards", "Reed Medal", "award"),
        ("date", "1 May 1251", "date"), ("aboard", "312", ""), ("homeless", "about 3,700", ""),
        ("for union with Hask", "33,268", ""), ("deaths if untreated", "25 %", ""), ("disestablished", "closed", ""),
    ],
)  # fmt: skip
def test_a_label_is_said_as_its_value_has_it(label: str, value: str, words: str) -> None:
    assert dated(predicate_of(label), label, counted_kind(whole_value(value))).words == words


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("received independence from", "received independence from"),
        ("explored the coast of", "explored the coast of"),
        ("located in", "is located in"),
        ("located west of", "is located west of"), ("killed in action in", "was killed in action in"),
        ("written and produced by", "was written and produced by"),
        ("lived near", "lived near"), ("claimed as native son by", "was claimed as native son by"),
        ("performed in", ""), ("elected president of", ""), ("acquired the rights by", ""), ("chosen to host", ""),
        ("received Reed Medal from", ""), ("achieved fewest wins", ""), ("was born", ""), ("has seat in", ""),
        ("installed capacity", "installed capacity"), ("see city is", "see city"),
        ("has a mean depth of", "mean depth"),
    ],
)  # fmt: skip
def test_a_label_is_said_in_the_voice_that_it_has(label: str, words: str) -> None:
    assert predicate_of(label).words == words


def test_what_a_thing_did_is_worded_so() -> None:
    received = predicate_of("received independence from")
    country = Asked(noun="country")
    assert object_described(received, "Tarn", country) == ["the country from which Tarn received independence"]
    assert ask_subject(received, "Gallia", country)[0] == "Which country received independence from Gallia?"
    assert ask_object(received, "Tarn", Asked())[0] == "What did Tarn receive independence from?"


@pytest.mark.parametrize(
    "row", ["Restored | 2003–2006", "Commissioned | 19.5.1871", "Railway | since 1888", "Valves | none"]
)
def test_a_value_that_is_no_thing_is_not_asked_for(row: str) -> None:
    assert list(infobox_facts(1, row, 7)) == []


@pytest.mark.parametrize(
    ("noun", "subject", "asked", "question"),
    [
        ("elevation", "Lake Orr", Asked("number"), "What is the elevation of Lake Orr?"),
        ("height", "Ann Orr", Asked("number", of_person=True), "How tall is Ann Orr?"),
        ("length", "the Orr Heights", Asked("number"), "How long are the Orr Heights?"),
        ("date", "Nine Lamps", Asked("date", of="opera"), "What is the date of Nine Lamps?"),
        ("date", "the mutiny", Asked("date", of="mutiny"), "When did the mutiny take place?"),
        ("visitors", "the fair", Asked("number", is_over=True), "How many visitors did the fair have?"),
        ("members", "the Orr Isles", Asked("number"), "How many members do the Orr Isles have?"),
        ("number of deaths", "the flood", Asked("number", of="flood"), "How many people died in the flood?"),
        ("crew", "the barque", Asked("number"), "How large is the crew of the barque?"),
        ("species", "the moth", Asked("name"), "What is the species of the moth?"),
        ("rector", "the school", Asked("name"), "Who is the rector of the school?"),
        ("first lit", "the light", Asked("year"), "When was the light first lit?"),
    ],
)
def test_attributes_are_asked_as_one_says_them(noun: str, subject: str, asked: Asked, question: str) -> None:
    assert ask_attribute(Predicate(noun, True), subject, asked)[0] == question


@pytest.mark.parametrize(
    ("words", "asked", "question"),
    [
        ("is owned by", Asked("name"), "Who owns Orr?"), ("was opened by", Asked("name"), "Who opened Orr?"),
        ("was set up by", Asked("name"), "Who set up Orr?"), ("was released by", Asked("name"), "Who released Orr?"),
        ("was formed by", Asked("phrase"), "What formed Orr?"),
        ("was founded on", Asked("entity", "lake"), "Where was Orr founded?"),
        ("is based on", Asked("entity"), "What is Orr based on?"),
        ("are kept for", Asked("number", unit="years"), "How long are Orr kept?"),
        ("covers", Asked("number", unit="square kilometres"), "How many square kilometres does Orr cover?"),
        ("created", Asked("entity"), "What did Orr create?"),
    ],
)  # fmt: skip
def test_who_acts_and_what_is_measured_is_told_by_the_verb(words: str, asked: Asked, question: str) -> None:
    assert ask_object(Predicate(words, False), "Orr", asked)[0] == question


def test_what_a_text_calls_by_common_nouns_is_no_person() -> None:
    assert ask_object(Predicate("is recorded by", False), "Orr", Asked())[0] == "Who records Orr?"
    assert ask_object(Predicate("is recorded by", False), "Orr", Asked(is_named=False))[0] == "What records Orr?"


def test_a_number_behind_a_preposition_is_not_asked_for() -> None:
    assert ask_object(Predicate("extends to", False), "Orr", Asked("number", unit="km")) == []


def test_persons_are_who_and_whom() -> None:
    named = ask_subject(Predicate("was married to", False), "Abe Orr", Asked(noun="soprano", is_person=True))
    assert "What is the name of the soprano who was married to Abe Orr?" in named
    described = subject_described(Predicate("copied", False), "the stone", "engraver", is_person=True)
    assert described == ["the engraver who copied the stone"]
    assert object_described(Predicate("is named for", False), "Orrite", Asked(noun="chemist", is_person=True)) == [
        "the chemist whom Orrite is named for"
    ]


@pytest.mark.parametrize(
    ("predicate", "asked", "described"),
    [
        (Predicate("headquarters", True), Asked(noun="city"), "the city where Orr has its headquarters"),
        (Predicate("lies on", False), Asked(noun="river", is_place=True), "the river on which Orr lies"),
        (Predicate("was set up by", False), Asked(noun="baker", is_person=True), "the baker who set up Orr"),
        (Predicate("place", True), Asked(of="battle"), "the place where Orr took place"),
    ],
)
def test_what_leads_on_is_described_as_one_says_it(predicate: Predicate, asked: Asked, described: str) -> None:
    assert object_described(predicate, "Orr", asked)[0] == described


def test_the_architect_of_a_country_does_not_make_it_a_person() -> None:
    assert not Predicate("was the leading architect of", False).is_of_people
    assert Predicate("was the son of", False).is_of_people


def test_one_of_several_is_not_the_one() -> None:
    assert clause(Predicate("illustrator", True), "the Survey", is_subject=False) == "is an illustrator of the Survey"


def test_elevations_are_no_heights() -> None:
    asking = compare(Predicate("elevation", True), "town", "number", ("A", "B"), is_person=False)
    assert asking[0] == ("Which town has the higher elevation, A or B?", True)
