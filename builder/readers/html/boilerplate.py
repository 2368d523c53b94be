"""Elements of a wiki's page that are no text of the article, removed before anything is read."""

from __future__ import annotations

from functools import lru_cache

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
AROUND_NAMES = *(f"#{name}" for name in AROUND_IDS.split()), *(f".{name}" for name in AROUND_CLASSES.split())
AROUND = ",".join(("nav, body > header, body > footer", *AROUND_NAMES))

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
