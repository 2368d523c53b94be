"""Names: from links, resources and typed text to titles and lookup keys.

A *title* is the name of a page as written, `Page#Heading` style fragments
apart; a *name key* is what two spellings of one name have in common.

>>> link_target("/wiki/Caf%C3%A9_au_lait#History")
LinkTarget(title='Café au lait', fragment='History')
>>> name_key("Café_au  Lait!")
'café au lait'
"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

BLANKS = re.compile(r"[\s_\u200e\u200f]+")
NOT_WORD = re.compile(r"[\W_]+")
WIKI_HOST = re.compile(r"^(?:https?:)?//([^/?#]+)", re.I)
WIKIPEDIA = re.compile(r"^([a-z-]+)(?:\.m)?\.wikipedia\.org$")
SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:(?=\S)", re.I)
INDEX_TITLE = re.compile(r"[?&]title=([^&#]*)")
LAST_PARENTHESIS = re.compile(r"^(.*\S)\s*\([^()]*\)$")
UNSAFE = re.compile(r"[%#;\x00-\x1f\x7f]")

# English MediaWiki's namespaces and their talk pages; a colon after any other
# word is part of the title ("2001: A Space Odyssey").
NAMESPACES = frozenset(
    """media special talk user wikipedia wp project file image mediawiki template help category portal draft
    book module timedtext gadget topic mos education_program gadget_definition""".split()
)
INTERWIKI = frozenset(
    """wikt wiktionary wikiquote q wikisource s wikibooks b wikinews n wikiversity v wikivoyage voy commons c
    meta m mw mediawikiwiki species wikispecies wikidata d wmf foundation incubator phab doi arxiv isbn""".split()
)


class LinkTarget(NamedTuple):
    """A title that a link leads to and the fragment within it."""

    title: str
    fragment: str


def title_of(text: str, *, capital: bool = True) -> str:
    """Return the title that `text` spells: entities decoded, blanks single, NFC, first letter upper-case.

    `capital` is for MediaWiki sources, where the first letter's case never counts.
    """
    title = BLANKS.sub(" ", html.unescape(text)).strip()
    title = unicodedata.normalize("NFC", title)
    if capital and title and title[0].islower():
        upper = title[0].upper()
        if len(upper) == 1:
            title = upper + title[1:]
    return title


@lru_cache(maxsize=65536)
def link_target(href: str, home: str | None = None) -> LinkTarget | None:
    """Return the title and fragment that a wiki page's `href` leads to, or None.

    None is for what is no article of the same wiki: external and interwiki
    links, other namespaces, and links within the page. `home` is the page's own
    host (`en.wikipedia.org`); when it is None every Wikipedia host is home.
    """
    path = _path_of(href.strip(), home)
    if not path:
        return None
    path, _, fragment = path.partition("#")
    title = title_of(unquote(path))
    if not title or is_other_namespace(title):
        return None
    return LinkTarget(title, BLANKS.sub(" ", html.unescape(unquote(fragment))).strip())


def _path_of(href: str, home: str | None) -> str | None:
    """Take scheme, host and prefix off; None when the link leaves the wiki."""
    host = WIKI_HOST.match(href)
    if host:
        if not _is_home(host[1].lower(), home):
            return None
        href = href[host.end() :]
    elif SCHEME.match(href):
        return None
    if href.startswith(("/wiki/", "../wiki/")):
        return href.partition("wiki/")[2].partition("?")[0] if "?" in href else href.partition("wiki/")[2]
    if "index.php" in href.partition("?")[0]:
        title = INDEX_TITLE.search(href)
        fragment = href.partition("#")[2]
        return f"{title[1]}#{fragment}" if title and not _is_action(href) else None
    if href.startswith("./"):
        return _without_query(href[2:])
    return None


def _without_query(path: str) -> str:
    title, mark, query = path.partition("?")
    if mark and re.match(r"(?:action|redlink|title|oldid|useskin)=", query):
        return title + ("#" + query.partition("#")[2] if "#" in query else "")
    return path


def _is_action(href: str) -> bool:
    """Tell an edit or history link from a red link, which is an edit link marked as such."""
    return ("action=" in href or "oldid=" in href or "diff=" in href) and "redlink=1" not in href


def _is_home(host: str, home: str | None) -> bool:
    if home is not None:
        return host == home or host.replace(".m.", ".") == home.replace(".m.", ".")
    return WIKIPEDIA.match(host) is not None


def is_other_namespace(title: str) -> bool:
    """Tell whether a title's prefix names a namespace other than the articles', or another wiki."""
    prefix, colon, rest = title.lstrip(":").partition(":")
    if not colon or not rest.strip():
        return title.startswith(":")
    word = prefix.strip().lower().replace(" ", "_")
    return (
        word in NAMESPACES
        or word in INTERWIKI
        or (word.endswith("_talk") and word[:-5] in NAMESPACES)
        or title.startswith(":")
    )


def resource_title(uri: str) -> str:
    """Return the title form of an RDF resource: what follows `/resource/`, `/wiki/` or the last `#` or `/`."""
    for prefix in ("/resource/", "/wiki/", "/entity/"):
        _, found, rest = uri.partition(prefix)
        if found and rest:
            return title_of(unquote(rest), capital=False)
    tail = uri.rstrip("/#")
    return title_of(unquote(tail[max(tail.rfind("/"), tail.rfind("#")) + 1 :]), capital=False)


def name_key(name: str) -> str:
    """Return what all spellings of one name share: NFKC, folded, punctuation as single blanks.

    A name of nothing but punctuation keeps it, so that it still has a key.
    """
    folded = unicodedata.normalize("NFKC", html.unescape(name)).casefold()
    return NOT_WORD.sub(" ", folded).strip() or BLANKS.sub(" ", folded).strip()


def short_name(name: str) -> str | None:
    """Return the name without its last parenthesis ("Mercury (planet)": "Mercury"), or None."""
    match = LAST_PARENTHESIS.match(name)
    return match[1] if match else None


def uri_part(text: str) -> str:
    """Percent-encode what separates the parts of a uri: `%`, `#`, `;` and control characters."""
    return UNSAFE.sub(lambda found: f"%{ord(found[0]):02X}", text)


def uri_text(part: str) -> str:
    """Return the title or heading that `uri_part` encoded."""
    return unquote(part)


def predicate_name(uri: str) -> str:
    """Return a predicate's local name: what follows its last `#` or `/`."""
    tail = uri.rstrip("/#")
    return unquote(tail[max(tail.rfind("/"), tail.rfind("#")) + 1 :])
