"""The title of an HTML file, for the links of other files to it, without reading its text."""

from __future__ import annotations

from builder.readers.html import head as page_head
from builder.readers.html.flat import flat_title
from builder.readers.html.head import is_mediawiki
from builder.readers.html.manuals.furniture import drop_furniture
from builder.readers.html.manuals.unseen import drop_unseen
from builder.readers.html.page import check_cost, check_markup, decode, read_headings
from builder.readers.html.parsing_cost import without_crowds_of_options
from builder.readers.html.tree import BadPage, NoTree, open_tree


def title_of_page(data: bytes, place: str, given: str | None = None) -> str:
    """Return the title that a page of these first bytes has, an empty string where it is no page.

    `given` is one from titles.json.
    """
    try:
        text, _ = decode(data)
        check_markup(text)
        return _title_by_tree(text, place, given)
    except NoTree as error:
        return _title_of_flat(text, str(error), place, given)
    except BadPage:
        return ""


def _title_by_tree(text: str, place: str, given: str | None) -> str:
    check_cost(text)
    tree = open_tree(without_crowds_of_options(text))
    head = page_head.read_head(tree)
    wiki = is_mediawiki(text)
    if not wiki:
        drop_unseen(tree)
        drop_furniture(tree, text)
    _, _, heading = read_headings(tree, head, wiki)
    title, _ = page_head.page_title(heading, head, page_head.page_url(head), given, place, wiki=wiki)
    return title


def _title_of_flat(text: str, reason: str, place: str, given: str | None) -> str:
    try:
        return flat_title(text, reason, place, given, is_mediawiki(text))
    except BadPage:
        return ""
