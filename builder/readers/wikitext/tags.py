"""Extension tags of wikitext, such as `<ref>` and `<math>`: what a reader sees of them, as HTML."""

from __future__ import annotations

import html
import re

from builder.readers.wikitext.expand import resolve
from builder.readers.wikitext.links import gallery
from builder.readers.wikitext.state import Page, escape

INLINE = re.compile(r"\binline\b|\benclose\s*=\s*[\"']?none", re.I)
NOWIKI = re.compile(r"</?nowiki\s*/?>", re.I)


def extension_tag(name: str, attributes: str, content: str, page: Page) -> str:
    """Return what an extension tag shows, kept aside or as resolved wikitext; most show nothing."""
    if name == "nowiki":
        # An empty one still parts what stands around it.
        return page.keep(literal(content))
    if name in ("math", "chem", "ce"):
        return page.keep(escape(html.unescape(" ".join(content.split()))))
    if name == "pre":
        return page.keep(f"<pre>{literal(NOWIKI.sub('', content))}</pre>")
    if name in ("syntaxhighlight", "source"):
        code = escape(content.strip("\n"))
        return page.keep(code if INLINE.search(attributes) else f"<pre>{code}</pre>")
    if name == "gallery":
        return gallery(content, page)
    if name == "poem":
        return "<div>" + resolve(content.strip("\n"), page).replace("\n", "<br>\n") + "</div>"
    if name in ("section", "langconvert"):
        return resolve(content, page)
    if name == "hiero":
        return page.keep(escape(content.strip()))
    return ""


def literal(content: str) -> str:
    """Return what is shown of text in which nothing but character references is markup."""
    return content.replace("<", "&lt;").replace(">", "&gt;")
