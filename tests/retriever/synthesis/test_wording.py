"""Wording: number, tense, definitions, and several ways to ask."""

from __future__ import annotations

import pytest

from retriever.synthesis.grammar.attributes import Asked
from retriever.synthesis.grammar.comparing import compare
from retriever.synthesis.grammar.labels import dated
from retriever.synthesis.grammar.predicates import DEFINITIONS, Predicate
from retriever.synthesis.grammar.wording import ask_object, ask_subject, clause, subject_described


def test_what_describes_a_thing_alone_stands_for_it() -> None:
    one, several = (Predicate(words, False) for words in DEFINITIONS)
    assert subject_described(one, "the boundary of the core", "", is_person=False) == ["the boundary of the core"]
    assert ask_subject(one, "the boundary of the core", Asked())[0] == "What is the boundary of the core called?"
    assert ask_subject(several, "the waves of the core", Asked())[0] == "What are the waves of the core called?"
    assert ask_object(one, "the Moho", Asked()) == []


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("is caused by", "What causes the wind?"),
        ("was caused by", "What caused the wind?"),
        ("is written by", "Who wrote the wind?"),
        ("is bounded above by", "What is the wind bounded above by?"),
        ("is enriched in", "What is the wind enriched in?"),
        ("was born in", "Where was the wind born?"),
    ],
)
def test_agents_and_places_are_asked_for_as_their_verbs_need(words: str, asked: str) -> None:
    assert ask_object(Predicate(words, False), "the wind", Asked("phrase"))[0] == asked


def test_a_date_is_asked_for_once() -> None:
    dates = dated(Predicate("release dates", True), "release dates", "date")
    assert ask_object(dates, "Dusk", Asked("date")) == ["What is the release date of Dusk?"]


@pytest.mark.parametrize(
    ("label", "kind", "asked"),
    [
        ("construction began", "year", ["When did the construction of the bridge begin?"]),
        ("first mentioned", "year", ["When was the bridge first mentioned?"]),
        ("first mentioned", "number", []),
    ],
)
def test_labels_that_are_clauses_are_asked_by_their_verb(label: str, kind: str, asked: list[str]) -> None:
    assert ask_object(Predicate(label, True), "the bridge", Asked(kind)) == asked


def test_verbs_agree_with_what_is_asked_for() -> None:
    assert ask_subject(Predicate("drive", False), "the wind", Asked())[0] == "What drives the wind?"
    assert subject_described(Predicate("are joined by", False), "an isthmus", "land", is_person=False)[0] == (
        "the land joined by an isthmus"
    )
    assert Predicate("is formed of", False).behind(is_plural=True).words == "are formed of"


def test_common_verbs_do_not_tell_their_subject() -> None:
    assert ask_subject(Predicate("includes", False), "the wind", Asked()) == []
    told = ask_subject(Predicate("includes", False), "the wind", Asked(noun="belt"))
    assert told == ["Which belt includes the wind?"]


def test_comparisons_are_asked_in_several_ways() -> None:
    found = compare(Predicate("was built in", False), "", "year", ("A", "B"), is_person=False)
    assert ("Which was built earlier, A or B?", False) in found
    assert ("Of A and B, which was built earlier?", False) in found


def test_a_clause_says_nothing_of_what_is_framed() -> None:
    assert clause(Predicate("is recorded in", False, "the polarity of"), "rocks", is_subject=True) == ""
