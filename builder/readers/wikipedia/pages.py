"""Pages of a live wiki: `wikipedia:TITLE`, or `wikipedia:@FILE` with a title a line.

The wiki is WEFT_WIKIPEDIA (https://en.wikipedia.org), or another MediaWiki.
A page is fetched once a revision and kept in WEFT_CACHE; with WEFT_OFFLINE=1
nothing is asked, and what is not kept is a reject.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import blake2b
from html import escape
from pathlib import Path
from urllib.parse import quote

from builder.documents.records import Document, Reject, Statement
from builder.http.throttle import BadAnswer
from builder.readers.html.files import EXTRACTION
from builder.readers.html.page import BadPage, parse_page
from builder.readers.registry import ReadOptions
from builder.readers.source import Cut, Item, Source, too_large
from builder.readers.wikipedia.cache import PageCache, PageState
from builder.readers.wikipedia.client import MOST_TITLES, Found, Missing, Wiki, wiki_address
from builder.readers.wikipedia.names import title_in
from weft.errors import UnreadableSource
from weft.http.cache_folder import cache_folder
from weft.http.limits import Limits, is_offline
from weft.text.names import title_of

LEAST_BYTES = 2_000_000
ANSWER_SECONDS = 120.0
MOST_BAD_IN_A_ROW = 10
"""Unusable answers in a row after which the wiki, not the page, is taken to be broken."""
NOT_KEPT = "not in the cache, and WEFT_OFFLINE is set"
SAFE_IN_PATH = "/:@!$&'()*+,;=~"


def items(source: Source, options: ReadOptions) -> Iterator[Item | Reject | Cut]:
    """Yield the newest revision of each page, once, in the order of the titles.

    Raise UnreadableSource when the wiki cannot be reached at the start; later
    it cuts the source short. An answer that cannot be used costs its page; many
    in a row cut the source short too.
    """
    names = _titles(source.path)
    # A text is longer as JSON; and the data of fifty pages needs LEAST_BYTES even where pages are limited to less.
    limits = Limits(max(2 * options.max_page_bytes, LEAST_BYTES), ANSWER_SECONDS)
    with closing(Wiki(wiki_address(), limits=limits)) as wiki, PageCache(cache_folder(), wiki.host) as cache:
        reading = _Reading(wiki, cache, options)
        for start in range(0, len(names), MOST_TITLES):
            try:
                yield from reading.entries(names[start : start + MOST_TITLES])
            except UnreadableSource as error:
                if not reading.done:
                    raise
                yield Cut(source.label, str(error))
                return
            except sqlite3.Error as error:
                raise UnreadableSource(f"{cache_folder()}: the cache cannot be used ({error}); delete it") from error


def parse(place: str, payload: tuple[object, ...]) -> Document | Reject:
    """Parse what `items` yielded."""
    html, title, url, modified, redirects = payload
    assert isinstance(html, bytes) and isinstance(title, str) and isinstance(redirects, tuple)
    head = f'<link rel="canonical" href="{escape(str(url))}"><title>{escape(title)}</title>'
    page = f'<html><head><meta charset="utf-8">{head}</head><body><h1 id="firstHeading">{escape(title)}</h1>'
    try:
        document = parse_page(page.encode() + html + b"</body></html>", name=title, title=title, wiki=True)
    except BadPage as error:
        return Reject(place, str(error))
    own = tuple(Statement("redirect", name, document.title) for name in redirects)
    return document._replace(
        url=str(url), modified=str(modified) if modified else None, statements=(*document.statements, *own)
    )


def _titles(path: Path) -> list[str]:
    """Return the titles that a source's path names, each once; raise UnreadableSource for a file that is none."""
    own = title_in(path)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines() if own is None else [own]
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableSource(f"{path}: no file of titles ({error})") from error
    titles = (title_of(line) for line in lines)
    return list(dict.fromkeys(title for title in titles if title))


class _Reading:
    """Pages of one source, from the cache where their revision is there; `done` are the titles already given."""

    def __init__(self, wiki: Wiki, cache: PageCache, options: ReadOptions) -> None:
        self.done: set[str] = set()
        self._wiki = wiki
        self._cache = cache
        self._options = options
        self._bad_in_a_row = 0

    def entries(self, names: list[str]) -> Iterator[Item | Reject]:
        """Yield what the names lead to; UnreadableSource where the wiki answers no more."""
        found = self._kept(names) if is_offline() else self._wiki.states(names)
        for name in names:
            state = found.states.get(name)
            if state is None:
                yield self._reject(name, found.missing[name])
            elif state.title in self.done:
                self._cache.put_names(name, state)
            else:
                yield self._entry(name, state)

    def _kept(self, names: list[str]) -> Found:
        states = {name: state for name in names if (state := self._cache.state(name)) is not None}
        return Found(states, {name: NOT_KEPT for name in names if name not in states})

    def _entry(self, name: str, state: PageState) -> Item | Reject:
        html = self._cache.html(state.title, state.revision)
        if html is None:
            try:
                revision, text = self._fetched(state.title)
            except (Missing, BadAnswer) as error:
                return self._reject(name, str(error))
            html = text.encode("utf-8", "replace")
            state = state._replace(revision=revision or state.revision)
            self._cache.put(state, html)
        self._cache.put_names(name, state)
        self.done.add(state.title)
        most = self._options.max_page_bytes
        if len(html) > most:
            return Reject(name, too_large(len(html), most))
        return _item(self._wiki, state, html)

    def _fetched(self, title: str) -> tuple[int, str]:
        if is_offline():
            raise Missing(NOT_KEPT)
        try:
            fetched = self._wiki.html(title)
        except BadAnswer as error:
            self._bad_in_a_row += 1
            if self._bad_in_a_row < MOST_BAD_IN_A_ROW:
                raise
            raise UnreadableSource(f"{error}; it was the answer number {MOST_BAD_IN_A_ROW} of this kind") from error
        self._bad_in_a_row = 0
        return fetched

    def _reject(self, name: str, reason: str) -> Reject:
        return Reject(name, f"{self._wiki.host}: {reason.removeprefix(f'{self._wiki.home}: ')}")


def _item(wiki: Wiki, state: PageState, html: bytes) -> Item:
    digest = blake2b(repr((wiki.host, *state)).encode(), digest_size=16, key=EXTRACTION)
    url = f"{wiki.home}/wiki/{quote(state.title.replace(' ', '_'), safe=SAFE_IN_PATH)}"
    return Item(state.title, digest.hexdigest(), (html, state.title, url, state.modified, state.redirects))
