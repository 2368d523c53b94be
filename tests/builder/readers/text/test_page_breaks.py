"""Plain text laid out in printed pages, as RFCs and pdftotext have it."""

from __future__ import annotations

import pytest

from builder.readers.text.files import document_of
from builder.readers.text.plain_text.page_breaks import without_page_breaks
from tests.growth import Run, check_growth

SENTENCES = (
    "The keeper of the lamp trims the wick at dusk and again at midnight, and\nnotes both in the book.",
    "Oil is brought by boat on the first of the month. Where the sea is rough\nthe boat waits at the quay.",
    "A lamp that smokes is put out at once. Its glass is washed with vinegar\nand dried with linen.",
    "Nobody but the keeper and the two assistants may climb to the gallery by\nnight or in a storm.",
)


def printed(pages: int, header: str = "Lamps of Vessany", footer: str = "[Page {}]", end: str = "\f") -> str:
    texts = (SENTENCES[index % len(SENTENCES)].replace("The", f"{index}: The") for index in range(pages))
    return end.join(f"{header}\n\n\n{text}\n\n\n{footer.format(index)}\n" for index, text in enumerate(texts, 1))


def chunks(text: str) -> list[str]:
    return [chunk.text for chunk in document_of(text, "lamps.txt", {}).chunks]


@pytest.mark.parametrize(
    ("footer", "end"),
    [
        ("Orrin Tasker      Informational      [Page {}]", "\f"),
        ("Orrin Tasker      Informational      [Page {}]", "\n\n\n"),
        ("Orrin Tasker                           Page {}", "\n"),
        ("{}", "\f"),
        ("- {} -", "\f"),
        ("{}    Lamps and their keepers", "\f"),
        ("Page {} of 12", "\f"),
    ],
)
def test_headers_footers_and_page_numbers_are_left_out(footer: str, end: str) -> None:
    assert chunks(printed(8, footer=footer, end=end)) == [
        SENTENCES[index % 4].replace("The", f"{index}: The").replace("\n", " ") for index in range(8)
    ]


def test_a_paragraph_goes_on_over_a_page() -> None:
    filled = "The keeper of the lamp at the end of the mole, who has two assistants and"
    pages = [
        f"Lamps\n\nWord {name}.\n\n{filled.replace('who', name)}\n\n{number}"
        for number, name in enumerate("abcd", 7)
    ]
    following = "\f".join(pages) + "\f\n  \nlives above the oil store, trims it at dusk.\n"
    assert chunks(following)[-1] == f"{filled.replace('who', 'd')} lives above the oil store, trims it at dusk."
    assert chunks(following)[-2] == "Word d."


@pytest.mark.parametrize(
    "text",
    [
        "\f".join(f"CHAPTER {number}\n\nThe lamp of keeper {number} burned all night." for number in range(1, 9)),
        "\f".join(f"{number}  Lamps of keeper {chr(96 + number)}\n\nOne {number}." for number in range(1, 9)),
        "\f".join(f"* Changes in Lamps 2.{number}\n\nOil is cheaper by {number * 3}." for number in range(9, 0, -1)),
        "\f".join(f"The log of keeper {name}\nfor the year.\n}}" for name in "abcdef"),
        "Whelk Bay      page 3\nLong Geo      page 9\nGannet Stack      page 4",
    ],
)
def test_what_is_no_header_stays(text: str) -> None:
    assert without_page_breaks(text).split() == text.split()


def test_a_text_without_pages_is_unchanged() -> None:
    text = "Lamps\n\nOne page\fand another, \n\n\n with blanks.  "
    assert without_page_breaks(text) == text


def test_a_table_of_contents_is_left_out_and_a_table_of_values_is_not() -> None:
    contents = "Table of Contents\n\n1. Oil . . . . . . 2\n1.1 Price ........ 3\n\n2. Wicks . . . . . . 12\n\n"
    text = "LAMPS\n\n" + contents + "1. Oil\n\nOil is dear this year, and dearer on the islands.\n"
    document = document_of(text, "lamps.txt", {})
    assert [section.title for section in document.sections] == ["1. Oil"]
    assert [chunk.text for chunk in document.chunks] == ["Oil is dear this year, and dearer on the islands."]
    values = "In 2023 there were 388 pups:\n   Whelk Bay .......... 201\n   Long Geo ........... 122\n"
    assert "Whelk Bay .......... 201" in chunks(values)[0]
    assert chunks("The box.\n\nIts insides are listed.\n\nContents\n")[-1] == "Contents"


def test_a_numbered_heading_may_stand_right_above_its_text() -> None:
    text = "Lamps\n\n1.1 Oil for Lamps\n1.1.1 Where It Comes From\nThe oil is brought by boat.\nIt is dear.\n"
    document = document_of(text, "lamps.txt", {})
    assert [(section.title, section.level) for section in document.sections] == [
        ("1.1 Oil for Lamps", 3),
        ("1.1.1 Where It Comes From", 4),
    ]
    assert [chunk.text for chunk in document.chunks] == ["The oil is brought by boat. It is dear."]


@pytest.mark.parametrize(
    "text",
    [
        "1.1 Lamps\n1.2 Wicks\n1.3 Oil",
        "1.2 Million litres of oil were brought to the islands, which is\nmore than last year.",
        "3.5 litres of oil\nThey are for a week.",
    ],
)
def test_a_list_or_a_sentence_that_begins_with_a_number_is_no_heading(text: str) -> None:
    assert not document_of(f"Lamps\n\n{text}\n", "lamps.txt", {}).sections


@pytest.mark.parametrize(
    "run",
    [
        Run("a  " * 40 + "\f"),
        Run(" " * 150 + "\f"),
        Run("x" + " " * 60 + "page 1\n"),
        Run(" ", "a\f\f\fb", "page 1"),
        Run("\f"),
    ],
)
def test_pages_take_linear_time(run: Run) -> None:
    check_growth(without_page_breaks, run)
