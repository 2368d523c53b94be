"""mdBook's print.html, which repeats all chapters, has no text of its own where the chapters are read too."""

from __future__ import annotations

import pytest

from builder.readers.html.page import parse_page

CHAPTERS = "<ol><li><a href='oil.html'>Oil</a></li></ol>"
MADE_BY = "<!-- Book generated using mdBook -->"


@pytest.mark.parametrize(
    ("made_by", "name", "files", "sections"),
    [
        (MADE_BY, "book/print.html", {"oil.html": "Oil"}, []),
        (MADE_BY, "print.html", {}, ["Oil"]),
        (MADE_BY, "reprint.html", {"oil.html": "Oil"}, ["Oil"]),
        ("", "print.html", {"oil.html": "Oil"}, ["Oil"]),
    ],
)
def test_a_whole_book_is_read_where_nothing_else_holds_it(
    made_by: str, name: str, files: dict[str, str], sections: list[str]
) -> None:
    text = f"<html><head>{made_by}<title>Lamps</title></head><body>{CHAPTERS}<main><h2>Oil</h2><p>It burns.</p></main>"
    document = parse_page(text, name=name, files=files)
    assert document.title == "Lamps"
    assert [section.title for section in document.sections] == sections
    assert bool(document.chunks) == bool(sections)
