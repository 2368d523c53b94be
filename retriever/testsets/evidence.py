"""What verification looks up: texts of chunks, what they cite, names of things, and which chunks say two things."""

from __future__ import annotations

import re
import sqlite3
from functools import lru_cache
from typing import NamedTuple

from retriever.session import Session
from retriever.synthesis.facts.store import FactStore
from retriever.synthesis.patterns.draft import Path
from retriever.synthesis.patterns.naming import Naming
from weft.text.names import plain_name
from weft.text.normalise import words_of

SEVERAL = 2
"""Things that tell that a step leads to more than one."""

TELLING_ALIASES = ("redirect", "label")
FEW = 5
QUANTITY = re.compile(r"[-−]?[\d,.]+ \S+")
"""A number with its unit: a table has the number in a row, and the unit in its header."""


class ChunkText(NamedTuple):
    """A chunk's page, its words joined by blanks with one at both ends, its uri, its text and its kind."""

    page_id: int
    words: str
    uri: str
    text: str
    kind: str


def worded(text: str) -> str:
    """Return a text's words joined by blanks, one at both ends, so that whole words can be looked for.

    >>> worded("The Veldra (river)")
    ' the veldra river '
    """
    return f" {' '.join(words_of(text))} "


class Evidence:
    """Looks things up in one SKB, and remembers the last."""

    def __init__(self, session: Session, naming: Naming) -> None:
        self.naming = naming
        self._session = session
        self.chunk = lru_cache(maxsize=1 << 12)(self._chunk)
        self.names = lru_cache(maxsize=1 << 14)(self._names)
        self.page = lru_cache(maxsize=1 << 14)(self._page)

    @property
    def store(self) -> FactStore:
        """All facts."""
        return self.naming.store

    def cites(self, chunk: int, thing: int) -> bool:
        """Tell whether a chunk touches a thing: it cites it, is of its page, or has its name."""
        entity = self.store.thing(thing).entity_id
        if entity is not None and self.chunk(chunk).page_id == self.page(thing):
            return True
        query = "SELECT 1 FROM cites WHERE chunk_id = ? AND entity_id = ?"
        cited = entity is not None and self._session.skb.connection.execute(query, (chunk, entity)).fetchone()
        return bool(cited) or any(name in self.chunk(chunk).words for name in self.names(thing))

    def holds(self, chunk: int, texts: tuple[str, ...]) -> bool:
        """Tell whether a chunk has one of some texts, as whole words; of a quantity the unit may stand in a header."""
        said = self.chunk(chunk).words
        apart = [text.split(" ", 1) for text in texts if QUANTITY.fullmatch(text)]
        ways = [*([text] for text in texts if words_of(text)), *apart]
        return any(all(worded(part) in said for part in way) for way in ways)

    def results(self, path: Path) -> set[int]:
        """Return the one thing that a path leads to, over one thing at every step; several where a step does."""
        here = {path.start}
        for step in path.steps:
            here = {there for thing in here for there in self.store.reached(thing, step, SEVERAL)}
            if len(here) > 1:
                break
        return here

    def saying_both(self, one: tuple[str, ...], other: tuple[str, ...]) -> list[int]:
        """Return a few chunks whose title, headings or text have one of some names, and whose text one of others."""
        first = " OR ".join(_phrase(text) for text in one if words_of(text))
        second = _either(other)
        return self._matching(f"({first}) AND text : ({second})") if first and second else []

    def naming_one(self, thing: int, most: int) -> list[int]:
        """Return at most so many chunks of a thing's page, then others whose text has a name of it."""
        page = self.page(thing)
        own = [] if page is None else [chunk.id for chunk in self._session.skb.chunks_of_page(page)]
        names = " OR ".join(_phrase(name) for name in sorted(self.names(thing)))
        return list(dict.fromkeys([*own, *(self._matching(f"text : ({names})", most) if names else ())]))[:most]

    def having_all(self, words: list[str], most: int) -> list[int]:
        """Return at most so many chunks whose text has all of some words."""
        return self._matching(f"text : ({' AND '.join(map(_phrase, words))})", most) if words else []

    def saying(self, texts: tuple[str, ...]) -> list[int]:
        """Return a few chunks whose text has one of some texts."""
        whole = " OR ".join(_phrase(text) for text in texts if words_of(text))
        found = self._matching(f"text : ({whole})") if whole else []
        return found or (self._matching(f"text : ({_either(texts)})") if whole else [])

    def _matching(self, query: str, most: int = FEW) -> list[int]:
        try:
            rows = self._session.skb.connection.execute(
                "SELECT rowid FROM chunk_fts WHERE chunk_fts MATCH ? ORDER BY rowid LIMIT ?", (query, most)
            ).fetchall()
        except sqlite3.OperationalError:  # FTS5 refuses what its tokeniser leaves nothing of
            return []
        return [row[0] for row in rows]

    def _chunk(self, chunk: int) -> ChunkText:
        (row,) = self._session.skb.chunks([chunk])
        return ChunkText(row.page_id, worded(row.text), row.uri, row.text, row.kind)

    def _page(self, thing: int) -> int | None:
        entity = self.store.thing(thing).entity_id
        return None if entity is None else self._session.skb.entities([entity])[0].page_id

    def _names(self, thing: int) -> frozenset[str]:
        """Return the names by which a thing is known anywhere, as words with blanks around them."""
        title = self.naming.title(thing)
        names = {title.removeprefix("the "), plain_name(title).removeprefix("the ")}
        entity = self.store.thing(thing).entity_id
        if entity is not None:
            rows = self._session.skb.connection.execute(
                "SELECT name, kind FROM alias WHERE entity_id = ? ORDER BY name", (entity,)
            )
            names |= {name for name, kind in rows if kind in TELLING_ALIASES}
        return frozenset(text for text in map(worded, names) if text.strip())


def _either(texts: tuple[str, ...]) -> str:
    """Return a query for one of some texts, a quantity also as its number and its unit anywhere in a chunk."""
    parts = [text.split(" ", 1) for text in texts if QUANTITY.fullmatch(text)]
    apart = [" AND ".join(map(_phrase, each)) for each in parts if all(map(words_of, each))]
    return " OR ".join([*(_phrase(text) for text in texts if words_of(text)), *(f"({each})" for each in apart)])


def _phrase(text: str) -> str:
    return '"' + " ".join(words_of(text)) + '"'
