"""Facts of expository prose: noun phrases as subjects and objects, and relative clauses behind links."""

from __future__ import annotations

import pytest

from retriever.synthesis.facts.appositions import said_of
from retriever.synthesis.facts.clauses import clause_facts

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
        ("In modern times, the crust consists of several rigid plates.", ("plates",),
         [("the crust", "consists of", "several rigid plates")]),
        ("It lies above the core, which generates the magnetic field.", ("core",),
         [("the core", "generates", "the magnetic field")]),
        ("The outer core was determined to be molten.", ("core",), []),
        ("These plates are moved by convection.", ("convection",), []),
        ("Nothing is linked here: the crust consists of plates.", (), []),
    ],
)  # fmt: skip
def test_clauses_say_what_is_plain(text: str, links: tuple[str, ...], said: list[Said]) -> None:
    assert _said(text, *links) == said


def test_a_text_tells_in_passing_what_something_is() -> None:
    text = "minerals such as olivine"
    assert said_of(text, text.index("olivine"), len(text)) == "mineral"
    assert said_of("the olivine is green", 4, 11) == ""
