"""Questions that are made of a manual's structure, on one of three pages: what is asked, and that the gold is there."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.keyword_questions import Keywords
from benchmarks.manual_questions import (
    by_heading,
    by_name,
    by_question,
    by_titled_heading,
    manual_questions,
    resolved,
)
from benchmarks.manual_sections import Asked, Heading, headings_of, name_of, passages_of, without_number
from tests.worlds import write_pages
from weft.skb import Skb

MANUAL = {
    "pumps.html": """<h1>Pumps</h1><h2>2. Options</h2><p>Speed and head are set at the panel.</p>
        <h2>2.1. Priming the pump</h2><p>Fill the casing. A casing without water runs hot; water cools the casing.</p>
        <h2>prime_pump(speed)</h2><p>Starts the motor at a low speed.</p>""",
    "sluices.html": """<h1>Sluices</h1><h2>Options</h2><p>Height and angle of the sluice gate.</p>
        <h2>How do I keep silt out?</h2><p>Lower the sluice before the tide turns.</p>
        <dl><dt>flush_lines(hard)</dt><dd>Opens all valves for a minute.</dd><dt>Weir</dt><dd>A low wall.</dd></dl>""",
    "faq.html": """<h1>Questions</h1><p>(1) Why does the pump hum?</p><p>It has lost a phase.</p>
        <p>(2) May the gate freeze in?</p><p>Yes, salt it.</p><p>(3) Who paints the wheel house?</p><p>Nobody.</p>""",
}


@pytest.fixture
def skb(tmp_path: Path, weave: Callable[..., object]) -> Skb:
    weave(write_pages(tmp_path / "manual", MANUAL))
    return Skb(tmp_path / "kb.skb")


def test_a_heading_asks_for_its_section_where_no_other_has_it(skb: Skb) -> None:
    assert list(by_heading(headings_of(skb))) == [Asked("Priming the pump", ("Pumps#2.1. Priming the pump",))]


def test_a_heading_that_several_pages_have_is_asked_for_with_its_page(skb: Skb) -> None:
    assert list(by_titled_heading(headings_of(skb))) == [
        Asked("Pumps Options", ("Pumps#2. Options",)),
        Asked("Pumps Priming the pump", ("Pumps#2.1. Priming the pump",)),
        Asked("Sluices Options", ("Sluices#Options",)),
    ]


def test_questions_are_headings_and_lines_of_an_faq(skb: Skb) -> None:
    assert list(by_question(headings_of(skb), passages_of(skb))) == [
        Asked("How do I keep silt out?", ("Sluices#How do I keep silt out?",)),
        Asked("Why does the pump hum?", ("Questions##1", "Questions##2")),
        Asked("May the gate freeze in?", ("Questions##3", "Questions##4")),
        Asked("Who paints the wheel house?", ("Questions##5", "Questions##6")),
    ]


def test_a_name_asks_for_the_heading_or_term_that_defines_it(skb: Skb) -> None:
    assert list(by_name(headings_of(skb), passages_of(skb))) == [
        Asked("prime_pump", ("Pumps#prime_pump(speed)",)),
        Asked("flush_lines", ("Sluices#How do I keep silt out?##2",)),
    ]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("class Pump(speed)", "Pump"), ("-n, --dry-run", "--dry-run"), ("--level=LEVEL", "--level"),
        ("MAX_HEAD", "MAX_HEAD"),
        ("Features (extras)", None), ("Use COPY", None), ("Weir", None), ("R-44155-30417", None), ("1.2.3", None),
    ],
)  # fmt: skip
def test_what_a_name_is(line: str, name: str | None) -> None:
    assert name_of(line) == name


@pytest.mark.parametrize(
    ("title", "bare"),
    [
        ("14.4.2. Use COPY", "Use COPY"), ("F.38.1. Options", "Options"), ("Chapter 4. Joins", "Joins"),
        ("2009-07-25 - News", "2009-07-25 - News"), ("(5) BUSY", "(5) BUSY"), ("3D plots", "3D plots"),
        ("Name ##", "Name"),
    ],
)  # fmt: skip
def test_a_heading_without_its_number(title: str, bare: str) -> None:
    assert without_number(title) == bare


def test_keywords_are_asked_only_where_their_section_has_them_best() -> None:
    texts = ["casing casing casing water water", "water water water wheel", "casing wheel wheel", *["gate"] * 37]
    keywords = Keywords([Heading(f"P#{n}", 1, "P", f"{n}", text) for n, text in enumerate(texts)])
    assert keywords.is_best(0, ["casing"])
    assert keywords.is_best(0, ["casing", "water"])
    assert not keywords.is_best(0, ["water"]), "another section has it more often"
    assert not keywords.is_best(2, ["wheel"]), "a single word must stand three times"
    asked = {each.gold: set(each.question.split()) for each in keywords.asked(random.Random(1))}
    assert set(asked) <= {("P#0",), ("P#1",)}
    assert asked["P#0",] <= {"casing", "water"}


def test_the_gold_of_every_question_is_in_the_skb_and_other_questions_are_dropped(skb: Skb) -> None:
    lines = list(manual_questions(skb, "locks"))
    assert {line["type"] for line in lines} >= {"heading", "titled heading", "faq", "name"}
    assert resolved(skb, lines) == (lines, 0)
    lost = {"id": "x", "question": "Where?", "gold": [{"uri": "Pumps#Options"}, {"uri": "Sluices#Options"}]}
    assert resolved(skb, [*lines, lost]) == (lines, 1)


def test_one_seed_gives_one_set_of_no_more_than_is_wanted(skb: Skb) -> None:
    lines = list(manual_questions(skb, "locks", seed=3, most=2))
    assert lines == list(manual_questions(skb, "locks", seed=3, most=2))
    assert [line["type"] for line in lines].count("titled heading") == 2
