"""The stems of chunks and titles, read when first needed and kept."""

from __future__ import annotations

import math
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from retriever.context import Cache
from retriever.session import Session
from weft.arrays.full_text import document_frequency
from weft.rows import Chunk
from weft.skb import Skb
from weft.text.names import uri_text
from weft.text.sentences import Span, sentences, spans
from weft.text.stems import stems_of

# Texts, titles and headings whose stems are kept in memory between questions, and stems whose rarity is.
MOST = 200_000
MOST_STEMS = 1 << 16
# 1000 to 2099 as a word of its own. The digit comes first: looking behind before every character is slow.
YEAR = re.compile(r"[12](?<!\w[12])(?:(?<=1)[0-9]{3}|(?<=2)0[0-9]{2})\b")
DIGIT = re.compile(r"[0-9]")


class Text:
    """One chunk's text, the stems in it and in each of its sentences, whether it holds a number and a year.

    `spans` are the offsets of its sentences, `sentences` the stems beside them.
    """

    __slots__ = ("chunk", "counts", "has_number", "has_year", "length", "sentences", "spans")

    def __init__(self, chunk: Chunk, ends: Sequence[int] | None = None) -> None:
        """Take a chunk and where its sentences end, as the SKB has it; without that they are found anew."""
        self.chunk = chunk
        found = sentences(chunk.text) if ends is None else spans(chunk.text, ends)
        self.spans: list[Span] = found or [(0, len(chunk.text))]
        stems = [stems_of(chunk.text[start:end]) for start, end in self.spans]
        self.sentences = [frozenset(each) for each in stems]
        self.counts = Counter(chain.from_iterable(stems))
        self.length = sum(map(len, stems))
        self.has_number = DIGIT.search(chunk.text) is not None
        self.has_year = self.has_number and YEAR.search(chunk.text) is not None

    def written(self) -> list[str]:
        """Return the sentences as they are written."""
        return [self.chunk.text[start:end] for start, end in self.spans]


class Texts:
    """Gives chunks' texts and titles' stems, and how rare a stem is in the corpus; sessions share it."""

    def __init__(self, session: Session) -> None:
        self._n_chunks = max(2, len(session.chunk_table.chunk_ids))
        self._texts: Cache[int, Text] = Cache(MOST)
        self._titles: Cache[int, tuple[str, frozenset[str]]] = Cache(MOST)
        self._headings: Cache[int, frozenset[str]] = Cache(MOST)
        self._rarities: Cache[str, float] = Cache(MOST_STEMS)

    def of(self, session: Session, chunks: Sequence[int]) -> list[Text]:
        """Return the texts of chunks, in their order."""
        found = self._texts.of(chunks, lambda missing: _read(session.skb, missing))
        return [found[each] for each in chunks]

    def titles(self, session: Session, pages: Sequence[int]) -> list[tuple[str, frozenset[str]]]:
        """Return the titles of pages and their stems, in their order."""
        found = self._titles.of(
            pages,
            lambda missing: (
                (page.id, (page.title, frozenset(stems_of(page.title)))) for page in session.skb.pages(missing)
            ),
        )
        return [found[each] for each in pages]

    def headings(self, session: Session, sections: Sequence[int]) -> list[frozenset[str]]:
        """Return the stems of sections' heading paths without the page's title, none for section 0, in their order."""
        found = self._headings.of(filter(None, sections), lambda missing: _headings(session.skb, missing))
        return [found.get(each, frozenset()) for each in sections]

    def weights(self, session: Session, stems: Iterable[str]) -> dict[str, float]:
        """Return the rarity of each stem: log(n / df), the chunks of any word that begins with it counted."""
        return self._rarities.of(
            stems, lambda missing: ((each, self._rarity(session.skb.connection, each)) for each in missing)
        )

    def _rarity(self, connection: sqlite3.Connection, stem: str) -> float:
        frequency = document_frequency(connection, "chunk_fts", stem, prefix=len(stem) > 3)
        return math.log(1 + self._n_chunks / (1 + frequency))


def _read(skb: Skb, chunks: Sequence[int]) -> Iterator[tuple[int, Text]]:
    ends = skb.sentence_table
    return ((chunk.id, Text(chunk, ends.of(chunk.id))) for chunk in skb.chunks(chunks))


def _headings(skb: Skb, sections: Sequence[int]) -> Iterator[tuple[int, frozenset[str]]]:
    for section in skb.sections(sections):
        yield section.id, frozenset(stems_of(uri_text(section.uri.partition("#")[2])))


def texts(session: Session) -> Texts:
    """Return the texts of the SKB."""
    return session.part("texts", Texts)
