"""Pages that are one long preformatted text have its headings, paragraphs and examples; program code stays as it is."""

from __future__ import annotations

import pytest

from builder.documents.records import Chunk, Document
from builder.readers.html.page import parse_page
from builder.readers.preformatted import LEAST_LENGTH, with_plain_text

PARAGRAPH = "The keeper lights the lamp an hour before the sun is down, and\ntrims it when it smokes.  He logs both.\n"
EXAMPLE = "    light --oil whale\n        --hours 8\n"
TEXT = f"*lamp.txt*  For Lamp 2\n\n{PARAGRAPH}\n1. Oil\n\n{PARAGRAPH}\n{EXAMPLE}\n" + f"{PARAGRAPH}\n" * 40
CODE = "def light(oil):\n    return oil.burn()\n\n\n" * 200


def preformatted(text: str) -> str:
    return f"<html><head><title>Lamps</title></head><body><h1>Lamps</h1><p>Next</p><pre>{text}</pre><p>End</p></body>"


def test_a_help_file_has_sections_paragraphs_and_examples() -> None:
    document = parse_page(preformatted(TEXT), name="lamps.html")
    assert (document.title, [section.title for section in document.sections]) == ("Lamps", ["1. Oil"])
    said = " ".join(PARAGRAPH.split())
    kinds = [(chunk.section, chunk.kind, chunk.text) for chunk in document.chunks]
    assert kinds[:5] == [
        (-1, "paragraph", "Next"),
        (-1, "paragraph", "*lamp.txt* For Lamp 2"),
        (-1, "paragraph", said),
        (0, "paragraph", said),
        (0, "code", EXAMPLE.strip("\n")),
    ]
    assert kinds[5:] == [(0, "paragraph", said)] * 40 + [(0, "paragraph", "End")]


@pytest.mark.parametrize(
    "entry",
    ['127.0.0.1 - - [09/May/2024] "GET /lamps/{} HTTP/1.1" 200 "curl"', "2024-05-09 INFO keeper: lit lamp {} again."],
)  # fmt: skip
def test_a_log_keeps_its_lines(entry: str) -> None:
    log = "\n".join(map(entry.format, range(30)))
    document = parse_page(preformatted(TEXT + f"\n{log}\n"), name="lamps.html")
    assert [chunk.text for chunk in document.chunks if chunk.kind == "code"] == [EXAMPLE.strip("\n"), log]


def test_one_line_set_in_is_an_example() -> None:
    document = parse_page(preformatted(f"{TEXT}\nAnd then:\n\n    $ light -v\n\n{PARAGRAPH}"), name="lamps.html")
    assert [(chunk.kind, chunk.text) for chunk in document.chunks][-4:-2] == [
        ("paragraph", "And then:"),
        ("code", "    $ light -v"),
    ]


@pytest.mark.parametrize("text", [CODE, PARAGRAPH, CODE + f"{PARAGRAPH}\n" * 5])
def test_program_code_and_short_texts_stay_preformatted(text: str) -> None:
    document = parse_page(preformatted(text), name="lamps.html")
    assert not document.sections
    assert [chunk.kind for chunk in document.chunks] == ["paragraph", "code", "paragraph"]


def test_a_page_with_sections_or_more_text_is_left_as_it_is() -> None:
    text = Chunk(-1, "code", 0, f"{PARAGRAPH}\n" * 60)
    other = Chunk(-1, "paragraph", 0, "oil " * LEAST_LENGTH)
    document = Document("Lamps", (), (text, other))
    assert with_plain_text(document) is document
    assert len(with_plain_text(Document("Lamps", (), (text,))).chunks) == 60
