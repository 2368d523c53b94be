"""A page's wikitext to a document: resolved, made the HTML that MediaWiki would make, and read as such.

What is text, a list, a table, an infobox or noise is thus decided in one place
for wikitext and HTML, and the same article gives the same chunks from both.

>>> document = parse_page("The '''Moon''' circles [[Earth|the earth]].", title="Moon")
>>> document.chunks[0].text, document.chunks[0].links[0].target
('The Moon circles the earth.', 'Earth')
"""

from __future__ import annotations

from builder.documents.collector import Collector
from builder.documents.records import Document, Redirect, Reject, Statement
from builder.readers.html.flat import read_flat
from builder.readers.html.page import read_content
from builder.readers.html.tree import TOO_DEEP, BadPage, NoTree, is_too_deep, open_tree
from builder.readers.links.page_links import target_reader
from builder.readers.wikitext.expand import expand
from builder.readers.wikitext.guard import note_of
from builder.readers.wikitext.links import exact_links, link, trail_of
from builder.readers.wikitext.site import Site, redirect_target
from builder.readers.wikitext.state import Page, Rules
from builder.readers.wikitext.tags import extension_tag
from builder.readers.wikitext.templates.registry import template
from builder.readers.wikitext.to_html import to_html


def parse(place: str, payload: tuple[object, ...]) -> Document | Redirect | Reject:
    """Parse (title, wikitext, redirect or None, date, site); what cannot be read is a Reject."""
    title, text, redirect, date, site = payload
    assert isinstance(title, str) and isinstance(text, str) and isinstance(date, str)
    assert isinstance(site, tuple)
    site = Site(*site)
    target = site.title(str(redirect).partition("#")[0]) if redirect is not None else redirect_target(text, site)
    if target is not None:
        target = target or redirect_target(text, site) or ""
        if not target or site.kind_of(target) != "article":
            return Reject(place, f"a redirect to {target or 'nothing'}, which is no article")
        return Redirect(title, target)
    try:
        return parse_page(text, title=title, date=date, site=site)
    except BadPage as error:
        return Reject(place, str(error))


def parse_page(text: str, *, title: str, date: str = "", site: Site | None = None) -> Document:
    """Return the document that a page's wikitext says, as flat text where it nests too deep.

    Raises BadPage for one that nests too deep and is too large for that. Linear in the page.
    """
    site = site or Site()
    page = Page(title, site, Rules(template, link, extension_tag, trail_of(site.language)), date)
    html = page.restore(to_html(expand(text, page)))
    passages, note = _passages(f"<body>{html}</body>", title)
    categories = [Statement("category", "", name) for name in dict.fromkeys(page.categories) if name]
    return Document(
        title,
        tuple(passages.sections),
        tuple(exact_links(chunk, title) for chunk in passages.chunks),
        (*categories, *passages.statements),
        site.url_of(title),
        site.language,
        date or None,
        "; ".join(filter(None, (note, note_of(page.problems)))) or None,
    )


def _passages(html: str, title: str) -> tuple[Collector, str | None]:
    """Return what a page's HTML says and, where it is read as flat text, the note that says so."""
    target_of = target_reader(None, own=title)
    try:
        if is_too_deep(html):
            raise NoTree(TOO_DEEP)
        tree = open_tree(html)
        return read_content(tree, tree.select("body"), target_of), None
    except NoTree as error:
        return read_flat(html, str(error), target_of, title)
