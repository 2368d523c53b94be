"""Tell MediaWiki's pages from other HTML by what its skins and parsers write into them.

>>> is_mediawiki('<div class="mw-parser-output"><p>The Moon'), is_mediawiki('<main class="mw-100"><p>The Moon')
(True, False)
"""

from __future__ import annotations

import re

NAMES = """
    mw-parser-output mw-body mw-body-content mw-content-text mw-content-ltr mw-content-rtl mw-headline mw-heading
    mw-editsection mw-redirectedfrom mw-references-wrap mw-page-title-main mw-first-heading mw-ref mw-redirect
    mwe-math-element pcs-edit-section-title firstHeading bodyContent editsection siteSub catlinks mediawiki
    wikitable
"""
# Class names and ids are matched whole ("mw-100" is none); RDFa, section ids, generator and a canonical link count too.
SIGN = re.compile(
    rf"""(?:class|id)\s*=\s*(?:["'][^"'<>]*|)(?<![\w-])(?:{"|".join(NAMES.split())})(?=[\s"'>])"""
    r"""|(?:rel|typeof|property)\s*=\s*["'][^"'<>]*\bmw:|data-mw-section-id\s*="""
    r"""|content\s*=\s*["']MediaWiki|<link\b[^<>]*\bhref=["'][^"'<>]*\bwikipedia\.org/wiki/""",
    re.I,
)


def is_mediawiki(text: str) -> bool:
    """Tell whether a page, or a part of one, shows that MediaWiki made it. Linear in the page."""
    return SIGN.search(text) is not None
