"""Elements of a page that are no text of the article, removed before anything is read: a wiki's, and a manual's.

Of a manual that is what its generator writes around the text: tables of contents, lines of navigation, indexes, forms
to search it. A class or an id alone decides nothing there, since another generator gives it to text: what is inside
has to be what the name says, as entries of a table of contents are links.

>>> from builder.readers.html.tree import open_tree
>>> page = "<div class='toc'><dl><dt><a href='oil.html'>Oil</a></dt></dl></div><p class='toc'>A lamp needs oil.</p>"
>>> tree = open_tree(page)
>>> drop_furniture(tree, page)
>>> tree.text(tree.root)
'A lamp needs oil.'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from builder.documents.records import Chunk
from builder.readers.html.head import Head
from builder.readers.html.landmarks import ACCESS_KEYS, MAX_LABEL, MAX_LINE, WORD
from builder.readers.html.tree import Node, Tree

NAVIGATION = """
    navbox navbox-inner navbox-styles navbar vertical-navbox sidebar toc toc-mobile tocleft tocright
    portal portalbox portal-bar mw-jump-link jump-to-nav siteSub mw-redirectedfrom subpages printfooter
    catlinks authority-control mw-authority-control mw-indicators mw-editsection editsection
    mw-headline-number NavToggle collapseButton mw-collapsible-toggle magnify redirectMsg
    read-more-container post-content page-actions-menu pcs-edit-section-link-container
"""
REFERENCES = """
    reference mw-ref mw-references mw-references-wrap reflist mw-cite-backlink mw-ext-cite-error
    Inline-Template Template-Fact
"""
NOTICES = """
    hatnote dablink rellink relarticle mainarticle selfref ambox tmbox imbox cmbox ombox fmbox
    mbox-small mbox-small-left sistersitebox side-box metadata stub asbox noprint shortdescription
    searchaux PopUpMediaTransform mediaContainer persondata medialist mw-revision mw-warning usermessage
"""
HIDDEN = "sortkey geo-nondefault geo-multi-punct geo-inline-hidden Z3988 lineno linenos linenodiv"
NOISE_CLASSES = frozenset(f"{NAVIGATION} {REFERENCES} {NOTICES} {HIDDEN}".split())

NOISE_IDS = """
    toc jump-to-nav siteSub contentSub contentSub2 siteNotice centralNotice catlinks coordinates persondata
    mw-revision-info mw-mf-language-section mw-fr-revisiontag
"""
# Around the article; removed only where no element holds the article alone.
AROUND_IDS = """
    mw-navigation mw-head mw-panel mw-page-base mw-head-base column-one footer quickbar topbar mw-mf-page-left
    mw-mf-page-right p-lang sidebar
"""
AROUND_CLASSES = """
    mw-footer mw-footer-container minerva-footer vector-header-container vector-column-start vector-column-end
    header-container banner-container mw-header vector-page-toolbar
"""
AROUND = ",".join(
    (
        "nav, body > header, body > footer",
        *(f"#{name}" for name in AROUND_IDS.split()),
        *(f".{name}" for name in AROUND_CLASSES.split()),
    )
)

# A collapsed box of a saved page hides its rows by style; they are text of the article all the same.
OPENABLE = ".mw-collapsible tr, .collapsible tr, .mw-collapsible-content, .NavContent, .collapsible-block"
UNSEEN = f"""
    script, style, noscript, template, form, audio, video, [role="navigation"],
    [hidden]:not([hidden="until-found"]),
    [style*="display:none" i]:not({OPENABLE}), [style*="display: none" i]:not({OPENABLE}),
    [style*="visibility:hidden" i], [style*="visibility: hidden" i],
    ol.references, sup[id^="cite_ref"], a.external.autonumber,
    {", ".join(f"#{name}" for name in NOISE_IDS.split())}
"""

# Searching the text is far cheaper than a selector that finds nothing.
NAMES = re.compile(
    r"""(?:class|id)\s*=\s*(?:["'][^"'<>]*|)(?<![\w-])"""
    r"(?:toc|list-of-|navheader|navfooter|longdesc-link|indexdiv|indextable|search-documentation)",
    re.I,
)
NAMED = "div[class], dl[class], ul[class], ol[class], section[class]"
MOST_LOOKS = 5
"""How often an element may be looked at."""
MAX_CONTENTS_TITLE = 40
"""The letters and digits of a title as "Table of Contents" is in any language."""
ENTRIES = frozenset("a dt dd li".split())
MAX_SIGN = 3
"""The letters and digits of a link such as "[D]"."""
# Sphinx: the headings of its page that searches the manual and of its index; neither page has text.
SEARCH_HEADING, SEARCH_PARTS = "#search-documentation", "#search-results, form"
INDEX_HEADING, INDEX_PARTS = "h1#index", "table.indextable"
# Both stand so in the stylesheets: no language has words of its own for them.
GENERATOR, LONG_DESCRIPTION = "DocBook", "Long Description"


def drop_noise(tree: Tree, content: Node) -> None:
    """Take navigation, notices, references and hidden parts out of a page's content."""
    tree.drop(tree.select(UNSEEN, content))
    # One selector a class takes three times as long as comparing the classes here.
    tree.drop(
        [node for node in tree.select("[class]", content) if is_noise_class(tree.attribute(node, "class"))]
    )


def drop_surroundings(tree: Tree, page: Node) -> None:
    """Remove what is around the article, for a page in which no element holds it alone."""
    tree.drop(tree.select(AROUND, page))


@lru_cache(maxsize=4096)
def is_noise_class(classes: str) -> bool:
    """Tell whether an element of these classes is no text of the article."""
    return not NOISE_CLASSES.isdisjoint(classes.split())


def drop_furniture(tree: Tree, text: str) -> None:
    """Take out of a page, whose HTML is `text`, what its generator has put around its text. Linear in the page."""
    if NAMES.search(text) is None:
        return
    named = _named_blocks(tree, MOST_LOOKS * text.count("<"))
    tree.drop([node for node, is_furniture in named if is_furniture(tree, node)])
    for heading, parts in ((SEARCH_HEADING, SEARCH_PARTS), (INDEX_HEADING, INDEX_PARTS)):
        for node in tree.select(heading)[:1]:
            _drop_around(tree, node, parts)


def is_picture(head: Head, chunks: Iterable[Chunk]) -> bool:
    """Tell whether a page only draws, in place of an image, what is on a screen: DocBook's long description of it."""
    return (
        head.title == LONG_DESCRIPTION
        and head.metas.get("generator", "").startswith(GENERATOR)
        and all(chunk.kind == "code" for chunk in chunks)
    )


def _named_blocks(tree: Tree, most_elements: int) -> Iterator[tuple[Node, Callable[[Tree, Node], bool]]]:
    """Yield the blocks that have the name of a kind of furniture, with what tells whether they are it.

    Where such blocks lie within each other, looking through all would be slow:
    no more elements are looked through than `most_elements`.
    """
    for node in tree.select(NAMED):
        is_furniture = _kind_of(tree.attribute(node, "class").lower().split())
        if is_furniture is None:
            continue
        most_elements -= len(tree.select("*", node))
        if most_elements < 0:
            break
        yield node, is_furniture


def _kind_of(classes: Iterable[str]) -> Callable[[Tree, Node], bool] | None:
    found = (KINDS.get("toc" if name.startswith("list-of-") else name) for name in classes)
    return next(filter(None, found), None)


def _is_contents(tree: Tree, node: Node) -> bool:
    """Tell whether a block holds links into the manual, but for a title, labels, and the purposes of what they name."""
    links = tree.select("a[href]", node)
    if not links or any("://" in tree.attribute(link, "href") for link in links):
        return False
    children = [child for tag, child in tree.children(node) if tag[0] != "-" and tag not in ENTRIES]
    title = sum(_letters(tree.text(child)) for child in children if not tree.select("a[href]", child))
    named = sum(_letters(tree.text(each)) for each in (*links, *tree.select(".refpurpose", node)))
    return title <= MAX_CONTENTS_TITLE and _letters(tree.text(node)) - title - named <= MAX_LABEL * len(links)


def _is_line(tree: Tree, node: Node) -> bool:
    """Tell whether a block is a line of navigation: all its links are those to the pages around its own."""
    keys = {tree.attribute(link, "accesskey").lower() for link in tree.select("a[href]", node)}
    return keys <= ACCESS_KEYS and len(" ".join(tree.text(node).split())) <= MAX_LINE


def _is_sign(tree: Tree, node: Node) -> bool:
    return _letters(tree.text(node)) <= MAX_SIGN


def _is_index(tree: Tree, node: Node) -> bool:
    return bool(tree.select("a.indexterm[href]", node))


def _letters(text: str) -> int:
    return len(WORD.findall(text))


def _drop_around(tree: Tree, heading: Node, parts: str) -> None:
    """Take out all but the heading of a page that shows nothing else than these parts."""
    node, found = heading, tree.parent(heading)
    if found is None or not tree.select(parts, found[1]):
        return
    while found is not None and found[0] != "html":
        others = [child for tag, child in tree.children(found[1]) if tag[0] != "-"]
        tree.drop([child for child in others if tree.key(child) != tree.key(node)])
        node, found = found[1], tree.parent(found[1])


KINDS: dict[str, Callable[[Tree, Node], bool]] = {
    "toc": _is_contents,
    "navheader": _is_line,
    "navfooter": _is_line,
    "longdesc-link": _is_sign,
    "indexdiv": _is_index,
}
