"""mdBook's print.html, which repeats all chapters, has no text of its own where the chapters are read too."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.documents.records import Document
from builder.readers.html import files
from builder.readers.html.page import parse_page
from builder.readers.registry import ReadOptions
from builder.readers.source import Item, sources_of

MADE_BY = "<!-- Book generated using mdBook -->"
FOR_PRINTERS = '<meta name="robots" content="noindex">'
OWN = "Lamps (print.html)"
MENU = '<div id="menu-bar"><h1 class="menu-title">Lamps</h1><a href="print.html">Print this book</a></div>'


def page(text: str, *, head: str = FOR_PRINTERS, made_by: str = MADE_BY, title: str = "Lamps") -> str:
    return f"<html><head>{made_by}{head}<title>{title}</title></head><body>{MENU}<main>{text}</main></body></html>"


@pytest.mark.parametrize(
    ("made_by", "head", "name", "linked", "sections"),
    [
        (MADE_BY, FOR_PRINTERS, "book/print.html", {"oil.html": "Oil"}, []),
        (MADE_BY, FOR_PRINTERS, "print.html", {}, ["Oil"]),
        (MADE_BY, FOR_PRINTERS, "print.html", {"print.html": OWN}, ["Oil"]),
        (MADE_BY, FOR_PRINTERS, "reprint.html", {"oil.html": "Oil"}, ["Oil"]),
        ("", FOR_PRINTERS, "print.html", {"oil.html": "Oil"}, ["Oil"]),
        # A chapter on printing.
        (MADE_BY, "", "hello/print.html", {"oil.html": "Oil"}, ["Oil"]),
    ],
)
def test_a_whole_book_is_read_where_nothing_else_holds_it(
    made_by: str, head: str, name: str, linked: dict[str, str], sections: list[str]
) -> None:
    text = page("<h2>Oil</h2><p>It burns.</p>", head=head, made_by=made_by)
    document = parse_page(text, name=name, files=linked, own=OWN)
    assert document.title == "Lamps"
    assert [section.title for section in document.sections] == sections
    assert bool(document.chunks) == bool(sections)


def test_a_book_whose_menu_is_a_script_is_told_by_its_first_chapter(tmp_path: Path) -> None:
    (tmp_path / "print.html").write_text(page("<h2>Oil</h2><p>It burns.</p>"))

    def texts() -> list[list[str]]:
        (source,) = sources_of([str(tmp_path)])
        found = [each for each in files.items(source, ReadOptions()) if isinstance(each, Item)]
        pages = [files.parse(each.place, each.payload) for each in found]
        return [[chunk.text for chunk in each.chunks] for each in pages if isinstance(each, Document)]

    assert texts() == [["It burns."]]
    (tmp_path / "index.html").write_text(page("<p>Whale oil burns.</p>", head="", title="Oil - Lamps"))
    assert texts() == [["Whale oil burns."], []]
