"""The title of an HTML file, for the links of other files to it, without reading its text."""

from __future__ import annotations

from builder.sources import page_head
from builder.sources.blocks import BadPage
from builder.sources.extract import check_markup, decode
from builder.sources.tree import open_tree


def title_of_page(data: bytes, place: str) -> str:
    """Return the title that a page of these first bytes says, an empty string where it says none."""
    text, _ = decode(data)
    try:
        check_markup(text)
    except BadPage:
        return ""
    tree = open_tree(text)
    head = page_head.read_head(tree)
    heading = page_head.heading_text(tree, page_head.first_heading(tree))
    title, is_said = page_head.page_title(heading, head, page_head.page_url(head), None, place)
    return title if is_said else ""
