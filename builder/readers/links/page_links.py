"""The links of an HTML page: relative addresses to other files of its source, and what each link leads to."""

from __future__ import annotations

import html
import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from html.entities import html5
from types import MappingProxyType
from urllib.parse import unquote

from builder.readers.links.title_index import SCHEME, Pairs, TitleIndex
from weft.text.names import BLANKS, WIKI_HOST, WIKIPEDIA, LinkTarget, link_target

# In the raw text, before any parsing: links to other files are part of a page's hash. Quotes are optional in HTML.
VALUE = r"""(?<!\w....)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s>"']++))"""
HREF = re.compile("href" + VALUE)
"""As nearly all pages write it: a pattern that begins with a literal is searched nine times as fast."""
HREF_OF_ANY_CASE = re.compile("[hH][rR][eE][fF]" + VALUE)
# The first `<base href>` moves all relative addresses of a page.
BASE = re.compile(r"""<base\s[^<>]*?\bhref\s*=\s*["']?([^"'<>\s]*)""", re.I)
# In an attribute a name without its semicolon is plain text before a letter, digit or equals sign.
REFERENCE = re.compile(r"&(?:#(?:[0-9]++|[xX][0-9A-Fa-f]++);?|([A-Za-z][A-Za-z0-9]*+(?:;|(?!=))))")
NO_FILES: Mapping[str, str] = MappingProxyType({})
TargetOf = Callable[[str], LinkTarget | None]


def linked_files(text: str, place: str, index: TitleIndex) -> Pairs:
    """Return (address as written, without its fragment; link target) of the files that a page at `place` links to."""
    base = BASE.search(text)
    folder = posixpath.dirname(attribute_text(base[1])) if base else ""
    if base and SCHEME.match(base[1]):
        return ()
    has_capitals = text.encode("utf-8", "surrogatepass").lower().count(b"href") > text.count("href")
    found = (HREF_OF_ANY_CASE if has_capitals else HREF).findall(text)
    # Each spelling once, before the addresses that several may give.
    written = set(map(_address, {double or single or bare for double, single, bare in found}))
    # Two addresses can be one below the base: `oil.html` and `/sub/oil.html`.
    joined = {address: posixpath.join(folder, address) if folder else address for address in sorted(written)}
    targets = dict(index.targets(place, joined.values()))
    return tuple((address, targets[path]) for address, path in joined.items() if path in targets)


def _address(href: str) -> str:
    return (attribute_text(href) if "&" in href else href).strip().partition("#")[0]


def attribute_text(value: str) -> str:
    """Return an attribute's value with its character references decoded as browsers do in attributes.

    >>> attribute_text("a.html?x=1&copy=2&amp;b&eacute;&#x2f;"), attribute_text("&copy.html&copying")
    ('a.html?x=1&copy=2&bé/', '©.html&copying')
    """
    return REFERENCE.sub(lambda found: html5.get(found[1], found[0]) if found[1] else html.unescape(found[0]), value)


def most_linked_wikipedia(hrefs: Iterable[str]) -> str | None:
    """Return the Wikipedia whose articles most of these name by their full address, of equals the first one met.

    >>> most_linked_wikipedia(["//en.wikipedia.org/wiki/A", "//de.wikipedia.org/wiki/B", "//en.m.wikipedia.org/wiki/C"])
    'en.wikipedia.org'
    """
    found = ((WIKI_HOST.match(href.strip()), href) for href in hrefs)
    named = (host[1].lower().replace(".m.", ".") for host, href in found if host and link_target(href))
    hosts = Counter(filter(WIKIPEDIA.fullmatch, named))
    return max(hosts, key=hosts.__getitem__, default=None)


def target_reader(
    home: str | None, files: Mapping[str, str] = NO_FILES, own: str = "", *, wiki: bool = True
) -> TargetOf:
    """Return the function from an `href` of a page to its target, None where it is no other page.

    `home` is the page's host, `files` has link targets by address, `own` is the
    target that means the page itself. A dot begins a title in a wiki's page
    only; elsewhere it begins a file's path.
    """

    def target_of(href: str) -> LinkTarget | None:
        address, _, fragment = href.strip().partition("#")
        title = files.get(address)
        if title is not None:
            target = LinkTarget(title, BLANKS.sub(" ", unquote(fragment)).strip())
        elif not wiki and address.startswith("."):
            return None
        else:
            found = link_target(href, home)
            if found is None:
                return None
            target = found
        return None if target.title == own else target

    return target_of
