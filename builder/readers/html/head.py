"""What a page states about itself: its maker, title, address, language, date, categories, redirect and Wikidata item.

>>> is_mediawiki('<div class="mw-parser-output"><p>The Moon'), is_mediawiki('<main class="mw-100"><p>The Moon')
(True, False)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple
from urllib.parse import unquote

from builder.documents.records import Chunk, Statement
from builder.readers.html.tree import Node, Tree
from builder.readers.links.page_links import NO_FILES, most_linked_wikipedia, target_reader
from weft.text.names import LANGUAGES, link_target, title_of

# Words of the names of wikis and encyclopedias, in the scripts of the largest Wikipedias.
SITE = re.compile(
    r"wiki|pedia|encyclop|fandom|вики|википед|енциклоп|ウィキ|维基|維基|百科|위키|ويكي|ویکی|وكيب|ויקי|विकि|উইকি|"
    r"விக்கி|వికీ|വിക്കി|วิกิ|βικι|վիքի|ვიკი|libera|wîkî|vikip|vichip|bách khoa",
    re.I,
)
# Both stand so in DocBook's stylesheets: no language has words of its own for them.
GENERATOR, LONG_DESCRIPTION = "DocBook", "Long Description"
# mdBook writes all chapters into one more page, for printers, that search engines are to pass over.
MDBOOK, WHOLE_BOOK = "<!-- Book generated using mdBook -->", "print.html"
# Its name of the book above each chapter.
BOOK_CLASS = "menu-title"
# Greedy, so that the last dash splits: "A - B - Site". It needs whitespace on both sides, as in no hyphenated word.
LAST_DASH = re.compile(r"^(.*\S)\s+[-–—|·]\s+(\S.*)$", re.S)
NO_CATEGORY = frozenset(("special", "help", "wikipedia", "project"))
PLAIN_FIRST_HEADING = "h1:not(.mw-heading > h1, section[data-mw-section-id] > h1):not(:has(.mw-headline))"
NOT_OF_HEADING = ".mw-editsection, .editsection, [style*='display:none'], button, script, style"
FIRST_HEADINGS = "#firstHeading, .firstHeading, .mw-first-heading, h1#section_0, h1.pcs-edit-section-title"
# The suffix of a page's file name, also of one that was compressed.
PAGE_TYPE = re.compile(r"\.(?:x?html?|mhtml|php|aspx?)(?:\.(?:gz|bz2|xz))?$", re.I)
# In the JSON-LD of a page; searched for in the text, since parsing all of it would cost more.
DATE_MODIFIED = re.compile(r'"dateModified"\s*:\s*"([^"]+)"')
# MediaWiki's footer, in English only: "This page was last edited on 3 May 2024".
LAST_EDITED = re.compile(
    r"last (?:edited|modified|changed)(?: on|:)?\s+(?:\d\d:\d\d, )?(\d{1,2}) (\w+) (\d{4})"
)
# The sidebar's link to the item, in MediaWiki's newer skins.
WIKIDATA_PAGE = re.compile(r"wikidata\.org/wiki/Special:EntityPage/(Q\d+)")
# In JSON-LD, which may write "/" as "\/".
WIKIDATA_ENTITY = re.compile(
    r'"(?:mainEntity|sameAs)"\s*:\s*"https?:\\?/\\?/www\.wikidata\.org\\?/entity\\?/(Q\d+)"'
)
# Any link to an item; only the href of the sidebar entry is matched, since articles link to other items.
WIKIDATA_LINK = re.compile(r"wikidata\.org/(?:wiki|entity)/(?:Special:EntityPage/)?(Q\d+)")
# The uris of all sections and chunks begin with the title: a longer one would multiply.
MAX_TITLE = 1000
HOST = re.compile(r"https?://([^/?#]+)", re.I)
PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
MODIFIED_KEYS = "article:modified_time dc:modified dcterms:modified dcterms.modified og:updated_time"
MONTH_NAMES = "january february march april may june july august september october november december"
MONTHS = {month: number for number, month in enumerate(MONTH_NAMES.split(), 1)}

MEDIAWIKI_NAMES = """
    mw-parser-output mw-body mw-body-content mw-content-text mw-content-ltr mw-content-rtl mw-headline mw-heading
    mw-editsection mw-redirectedfrom mw-references-wrap mw-page-title-main mw-first-heading mw-ref mw-redirect
    mwe-math-element pcs-edit-section-title firstHeading bodyContent editsection siteSub catlinks mediawiki
    wikitable
"""
# Class names and ids are matched whole ("mw-100" is none); RDFa, section ids, generator and a canonical link count too.
MEDIAWIKI = re.compile(
    rf"""(?:class|id)\s*=\s*(?:["'][^"'<>]*|)(?<![\w-])(?:{"|".join(MEDIAWIKI_NAMES.split())})(?=[\s"'>])"""
    r"""|(?:rel|typeof|property)\s*=\s*["'][^"'<>]*\bmw:|data-mw-section-id\s*="""
    r"""|content\s*=\s*["']MediaWiki|<link\b[^<>]*\bhref=["'][^"'<>]*\bwikipedia\.org/wiki/""",
    re.I,
)


class Head(NamedTuple):
    """What a page's head declares: its `<title>`, links by relation and meta values by name."""

    title: str
    links: dict[str, list[str]]
    metas: dict[str, str]
    language: str


def is_mediawiki(text: str) -> bool:
    """Tell whether a page, or a part of one, shows that MediaWiki made it. Linear in the page."""
    return MEDIAWIKI.search(text) is not None


def read_head(tree: Tree) -> Head:
    """Return what the page's head declares."""
    html, heads = tree.select("html")[:1], tree.select("head")[:1]
    head = heads[0] if heads else tree.root
    titles = tree.select("title", head)
    links: dict[str, list[str]] = {}
    for node in tree.select("link[rel][href]", tree.root):
        for relation in tree.attribute(node, "rel").lower().split():
            links.setdefault(relation, []).append(tree.attribute(node, "href"))
    metas: dict[str, str] = {}
    for node in tree.select("meta[content]", head):
        name = tree.attribute(node, "property") or tree.attribute(node, "name")
        metas.setdefault(name.lower(), tree.attribute(node, "content"))
    title = _one_line(tree.text(titles[0])) if titles else ""
    return Head(title, links, metas, tree.attribute(html[0], "lang") if html else "")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def page_url(head: Head) -> str | None:
    """Return the page's own address: its canonical link, or what else names the page itself."""
    canonical, version_of = head.links.get("canonical", []), head.links.get("dc:isversionof", [])
    for url in (*canonical, head.metas.get("og:url", ""), *version_of):
        if url.startswith("//"):
            return "https:" + url
        if url.startswith("http"):
            return url
    return None


def host_of(url: str | None) -> str | None:
    """Return the host of an address, None where it has none."""
    found = HOST.match(url) if url else None
    return found[1].lower() if found else None


def home_of(hrefs: Iterable[str], url: str | None, language: str | None) -> str | None:
    """Return the host of a wiki's page: by its address, its language or else its links, `hrefs`, to articles."""
    return host_of(url) or _wikipedia_of(language) or most_linked_wikipedia(hrefs)


def _wikipedia_of(language: str | None) -> str | None:
    """Return the Wikipedia that a page without an address is of, by its language; None where it has none."""
    code = (language or "").lower().partition("-")[0]
    return f"{code}.wikipedia.org" if code in LANGUAGES else None


def first_heading(tree: Tree) -> Node | None:
    """Return the heading that gives the page its title; a section's own `h1` is none."""
    found = tree.select(FIRST_HEADINGS) or tree.select(PLAIN_FIRST_HEADING)
    return found[0] if found else None


def heading_text(tree: Tree, heading: Node | None) -> str:
    """Return a first heading's text, without what only helps to edit it."""
    if heading is None:
        return ""
    tree.drop(tree.select(NOT_OF_HEADING, heading))
    return tree.text(heading)


def page_language(tree: Tree, head: Head, content: Node) -> str | None:
    """Return the article's language, else that of the page around it."""
    own = tree.attribute(content, "lang")
    if not own:
        inner = tree.select(".mw-parser-output[lang], .mw-content-ltr[lang], .mw-content-rtl[lang]")
        own = tree.attribute(inner[0], "lang") if inner else ""
    return own or head.language or head.metas.get("content-language") or None


def page_title(
    heading: str, head: Head, url: str | None, given: str | None, name: str, *, wiki: bool = True
) -> tuple[str, bool]:
    """Return the page's title and whether anything but the file's name gives it.

    In a wiki's page it begins with a capital letter, and an underscore is a
    space. A text of more than MAX_TITLE characters is no title.
    """
    linked = link_target(url) if url else None
    address = linked.title if linked else ""
    file_title = file_title_of(name)
    known = {title_of(title) for title in (given or "", address, file_title)}
    for text in (heading, without_site(head.title, head, known), given or "", address):
        title = title_of(text, capital=wiki, underscores=not wiki)
        if title and len(title) <= MAX_TITLE:
            return title, True
    return file_title, False


def chapter_title(title: str, book: str) -> str:
    """Return what a `<title>` has before its last dash where the book's name stands behind it, else that name."""
    match = LAST_DASH.match(title)
    return match[1] if match and match[2] == _one_line(book) else book


def file_title_of(name: str) -> str:
    """Return the title that a page's file name spells: percent-decoded, `_` as blanks, a capital letter first."""
    stem = PAGE_TYPE.sub("", re.split(r"[/\\]", name)[-1])
    return title_of(unquote(stem) if PERCENT.search(stem) else stem)


def without_site(title: str, head: Head, known: set[str]) -> str:
    """Return a `<title>` without the site's name behind its last dash.

    What follows the dash is the site's name when the page declares it, when it
    reads like a wiki's, when MediaWiki made the page, or when what precedes it
    is one of the titles `known` from elsewhere.
    """
    match = LAST_DASH.match(title)
    if title_of(title) in known or not match:
        return title
    site = match[2]
    names = head.metas.get("og:site_name"), head.metas.get("application-name")
    if site in names or SITE.search(site) or title_of(match[1]) in known:
        return match[1]
    return match[1] if head.metas.get("generator", "").startswith("MediaWiki") else title


def modified_date(text: str, head: Head) -> str | None:
    """Return when the page was last changed: an ISO date, with its time where the page gives one."""
    match = DATE_MODIFIED.search(text) if "dateModified" in text else None
    candidates = [match[1]] if match else []
    candidates += [head.metas[key] for key in MODIFIED_KEYS.split() if key in head.metas]
    for value in candidates:
        if _is_iso(value):
            return value
    edited = LAST_EDITED.search(text) if "last " in text else None
    month = MONTHS.get(edited[2].lower()) if edited else None
    return f"{edited[3]}-{month:02}-{int(edited[1]):02}" if edited and month else None


def _is_iso(value: str) -> bool:
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def statements(
    tree: Tree, text: str, head: Head, title: str, files: Mapping[str, str] = NO_FILES
) -> Iterator[Statement]:
    """Yield the redirect, the categories and the Wikidata item that a page names; `files` as in `page.parse_page`."""
    # Searching the text is far cheaper than a selector that finds nothing.
    for node in tree.select(".mw-redirectedfrom a") if "mw-redirectedfrom" in text else ():
        source = title_of(tree.text(node))
        if source and source != title:
            yield Statement("redirect", source, title)
    for node in tree.select(".redirectText a")[:1] if "redirectText" in text else ():
        target = target_reader(None, files)(tree.attribute(node, "href"))
        if target and target.title != title:
            yield Statement("redirect", title, target.title)
    for category in dict.fromkeys(_categories(tree, text, head)):
        yield Statement("category", "", category)
    item = _wikidata_item(tree, text)
    if item:
        yield Statement("wikidata", "", item)


def _categories(tree: Tree, text: str, head: Head) -> Iterator[str]:
    for href in head.links.get("mw:pageprop/category", []):
        name = title_of(unquote(href.partition("#")[0]).partition(":")[2])
        if name:
            yield name
    for box in tree.select("#catlinks, .catlinks")[:1] if "catlinks" in text else ():
        tree.drop(tree.select(".mw-hidden-catlinks, #mw-hidden-catlinks", box))
        for node in tree.select("a[href]", box):
            page = unquote(tree.attribute(node, "href")).rpartition("/")[2].rpartition("title=")[2]
            namespace, colon, _ = page.partition(":")
            name = title_of(tree.text(node))
            if colon and name and namespace.lower() not in NO_CATEGORY:
                yield name


def _wikidata_item(tree: Tree, text: str) -> str | None:
    if "wikidata.org" not in text:
        return None
    for node in tree.select("#t-wikibase a, a#t-wikibase") if "t-wikibase" in text else ():
        match = WIKIDATA_LINK.search(tree.attribute(node, "href"))
        if match:
            return match[1]
    match = WIKIDATA_PAGE.search(text) or WIKIDATA_ENTITY.search(text)
    return match[1] if match else None


def is_whole_book(text: str, head: Head, name: str, others: bool) -> bool:
    """Tell whether a page is mdBook's print.html, which repeats the chapters beside it, if there are `others`."""
    is_for_printers = name.rpartition("/")[2] == WHOLE_BOOK and head.metas.get("robots") == "noindex"
    return others and is_for_printers and MDBOOK in text


def is_picture(head: Head, chunks: Iterable[Chunk]) -> bool:
    """Tell whether a page only draws, in place of an image, what is on a screen: DocBook's long description of it."""
    return (
        head.title == LONG_DESCRIPTION
        and head.metas.get("generator", "").startswith(GENERATOR)
        and all(chunk.kind == "code" for chunk in chunks)
    )
