"""Answers that are told by their looks: directions, angles, shapes, and numbers in the unit that is asked for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from builder.build import build
from builder.request import Request
from retriever.answers.answering import reading_of
from retriever.answers.fitting.named_forms import ANGLES, COLOUR, COLOURS, DIRECTION, SHAPE
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb

TEXT = (
    "Orvane turns anticlockwise about its star, which lies in the Sallow Way. Its axis leans at 31.5° to the plane. "
    "The path is a flat ellipse, 940 million km (584 million miles) long; one round takes 402 days. It has 12 moons. "
    "From Kell it was watched (1871–1904), from Leith since 1905.\n\nMoons of Orvane:\n\n"
    "| Moon | Days | Name |\n| --- | --- | --- |\n| 1 | 4 | Ibbet |\n| 2 | 9 | Sorrel |\n| 3 | 17 | Vantry |\n"
)


@pytest.fixture(scope="module")
def offered(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], set[str]]:
    folder = tmp_path_factory.mktemp("forms")
    (folder / "Orvane.md").write_text(f"# Orvane\n\n{TEXT}")
    build(Request((str(folder / "Orvane.md"),), folder / "kb.skb", workers=1))
    searcher = Searcher(Session(Context(Skb(folder / "kb.skb"))), "hybrid")
    return lambda question: {each.text for each in reading_of(searcher, question).candidates}


@pytest.mark.parametrize(
    ("question", "answers"),
    [("Which way does Orvane turn?", {"anticlockwise"}), ("The direction of Orvane's turning is", {"anticlockwise"}),
     ("Orvane's axis leans at an angle of", {"31.5°"}), ("At what angle does the axis of Orvane lean?", {"31.5°"}),
     ("During which years was Orvane watched from Kell?", {"1871–1904"})],
)  # fmt: skip
def test_a_direction_an_angle_and_a_span_of_years_are_asked_for(
    offered: Callable[[str], set[str]], question: str, answers: set[str]
) -> None:
    found = offered(question)
    assert answers <= found and all(any(answer in each for answer in answers) for each in found)


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [("How long is the path of Orvane in miles?", "584 million miles", "940 million km"),
     ("How many kilometres long is the path of Orvane?", "940 million km", "584 million miles")],
)  # fmt: skip
def test_a_unit_is_asked_for(offered: Callable[[str], set[str]], question: str, answer: str, other: str) -> None:
    found = offered(question)
    assert answer in found and other not in found
    assert {answer, other} <= offered("How long is the path of Orvane?")


def test_how_long_for_something_to_happen_asks_for_a_time(offered: Callable[[str], set[str]]) -> None:
    found = offered("How long for Orvane to go round its star?")
    assert "402 days" in found and not any("million" in each for each in found)


def test_a_shape_is_asked_for(offered: Callable[[str], set[str]]) -> None:
    found = offered("What is the shape of the path of Orvane?")
    assert "flat ellipse" in found and all("ellipse" in each for each in found)


def test_what_something_is_called_is_no_number(offered: Callable[[str], set[str]]) -> None:
    found = offered("What is the third moon of Orvane called?")
    assert "Vantry" in found and not any(map(str.isdigit, found))


def test_what_has_an_angle_is_none(offered: Callable[[str], set[str]]) -> None:
    assert "anticlockwise" in offered("Which function gives the angle of Orvane?")
    assert not ANGLES.search("Function giving the polar angle of a complex number")


@pytest.mark.parametrize(
    ("text", "is_direction", "is_shape"),
    [("north-east", True, False), ("towards the south", True, False), ("counter clockwise", True, False),
     ("eastward", True, False), ("Milky Way", False, False), ("heart-shaped", False, True), ("star", False, False),
     ("an octagonal tower", False, True)],
)  # fmt: skip
def test_how_directions_and_shapes_look(text: str, is_direction: bool, is_shape: bool) -> None:
    assert (DIRECTION.fullmatch(text) is not None, SHAPE.fullmatch(text) is not None) == (is_direction, is_shape)


@pytest.mark.parametrize("text", ["red", "dark green", "blue and yellow", "greenish", "white with black", "red flag"])
def test_a_colour_is_told_by_its_name(text: str) -> None:
    assert COLOUR.fullmatch(text)


@pytest.mark.parametrize("text", ["flag", "redress", "Blackwater", "one of the flags"])
def test_other_words_are_no_colours(text: str) -> None:
    assert not COLOUR.fullmatch(text)


@pytest.mark.parametrize(
    ("question", "is_asked"),
    [("What colour flag is hoisted?", True), ("the color of the sky is", True),
     ("Which painter loved colours?", False)],
)  # fmt: skip
def test_a_colour_is_asked_for(question: str, is_asked: bool) -> None:
    assert (COLOURS.search(question) is not None) == is_asked
