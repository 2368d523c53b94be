"""Pages of a live wiki: `wikipedia:TITLE`, or `wikipedia:@FILE` with a title a line.

The wiki is WEFT_WIKIPEDIA (https://en.wikipedia.org), or another MediaWiki.
A page is fetched once a revision and kept in WEFT_CACHE; with WEFT_OFFLINE=1
nothing is asked, and what is not kept is a reject.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from hashlib import blake2b
from html import escape
from pathlib import Path
from urllib.parse import quote

from builder.documents import Document, Reject, Statement
from builder.sources.extract import BadPage, parse_page
from builder.sources.formats import ReadOptions
from builder.sources.html_files import EXTRACTION
from builder.sources.inputs import Cut, Item, Source
from builder.sources.wikipedia_cache import PageCache, PageState, cache_folder
from builder.sources.wikipedia_client import MOST_TITLES, Found, Missing, Wiki
from builder.sources.wikipedia_names import title_in
from weft.errors import UnreadableSource
from weft.names import title_of

WIKIPEDIA = "https://en.wikipedia.org"
SAFE_IN_PATH = "/:@!$&'()*+,;=~"


def items(source: Source, options: ReadOptions) -> Iterator[Item | Reject | Cut]:
    """Yield the newest revision of each page, once, in the order of the titles.

    Raise UnreadableSource when the wiki cannot be reached at the start; later
    it cuts the source short.
    """
    names = _titles(source.path)
    offline = os.environ.get("WEFT_OFFLINE", "") not in ("", "0")
    with Wiki(os.environ.get("WEFT_WIKIPEDIA") or WIKIPEDIA) as wiki, PageCache(cache_folder(), wiki.host) as cache:
        done: set[str] = set()
        for start in range(0, len(names), MOST_TITLES):
            some = names[start : start + MOST_TITLES]
            try:
                found = _kept(cache, some) if offline else wiki.states(some)
                for name in some:
                    if entry := _entry(wiki, cache, name, found, done, options):
                        yield entry
            except UnreadableSource as error:
                if not done:
                    raise
                yield Cut(source.label, str(error))
                return
            except sqlite3.Error as error:
                raise UnreadableSource(f"{cache_folder()}: the cache cannot be written ({error})") from error


def parse(place: str, payload: tuple[object, ...]) -> Document | Reject:
    """Parse what `items` yielded."""
    html, title, url, modified, redirects = payload
    assert isinstance(html, bytes) and isinstance(title, str) and isinstance(redirects, tuple)
    head = f'<link rel="canonical" href="{escape(str(url))}"><title>{escape(title)}</title>'
    page = f'<html><head><meta charset="utf-8">{head}</head><body><h1 id="firstHeading">{escape(title)}</h1>'
    try:
        document = parse_page(page.encode() + html + b"</body></html>", name=title, title=title)
    except BadPage as error:
        return Reject(place, str(error))
    said = tuple(Statement("redirect", name, document.title) for name in redirects)
    return document._replace(
        url=str(url), modified=str(modified) if modified else None, statements=(*document.statements, *said)
    )


def _titles(path: Path) -> list[str]:
    """Return the titles that a source's path stands for, each once."""
    own = title_in(path)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines() if own is None else [own]
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableSource(f"{path}: no file of titles ({error})") from error
    titles = (title_of(line) for line in lines)
    return list(dict.fromkeys(title for title in titles if title))


def _kept(cache: PageCache, names: list[str]) -> Found:
    states = {name: state for name in names if (state := cache.state(name)) is not None}
    return Found(states, {name: "not in the cache, and WEFT_OFFLINE is set" for name in names if name not in states})


def _entry(
    wiki: Wiki, cache: PageCache, name: str, found: Found, done: set[str], options: ReadOptions
) -> Item | Reject | None:
    """Return the page of a name, from the cache where its revision is there; None for one that was given."""
    state = found.states.get(name)
    if state is None:
        return Reject(name, f"{wiki.host}: {found.missing[name]}")
    if state.title in done:
        cache.put_names(name, state)
        return None
    html = cache.html(state.title, state.revision)
    if html is None:
        try:
            revision, text = wiki.html(state.title)
        except Missing as error:
            return Reject(name, f"{wiki.host}: {error}")
        html = text.encode("utf-8", "replace")
        state = state._replace(revision=revision or state.revision)
        cache.put(state, html)
    cache.put_names(name, state)
    done.add(state.title)
    if len(html) > options.max_page_bytes:
        return Reject(name, f"{len(html) / 1e6:.1f} MB, more than --max-page-mb {options.max_page_bytes / 1e6:g}")
    return _item(wiki, state, html)


def _item(wiki: Wiki, state: PageState, html: bytes) -> Item:
    digest = blake2b(repr((wiki.host, *state)).encode(), digest_size=16, key=EXTRACTION)
    url = f"{wiki.home}/wiki/{quote(state.title.replace(' ', '_'), safe=SAFE_IN_PATH)}"
    return Item(state.title, digest.hexdigest(), (html, state.title, url, state.modified, state.redirects))
