"""The stems of chunks and titles, read when first needed and kept."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain

from retriever.context import Context
from weft.arrays.full_text import document_frequency
from weft.rows import Chunk
from weft.text.names import uri_text
from weft.text.sentences import Span, sentences, spans
from weft.text.stems import stems_of

# Texts whose stems are kept in memory between questions.
MOST = 200_000
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
    """Gives chunks' texts and titles' stems, and how rare a stem is in the corpus."""

    def __init__(self, context: Context) -> None:
        self._skb = context.skb
        self._n_chunks = max(2, len(context.chunk_table.chunk_ids))
        self._texts: dict[int, Text] = {}
        self._titles: dict[int, tuple[str, frozenset[str]]] = {}
        self._headings: dict[int, frozenset[str]] = {}
        self.rarity = lru_cache(maxsize=1 << 16)(self._rarity)

    def of(self, chunks: Sequence[int]) -> list[Text]:
        """Return the texts of chunks, in their order."""
        if len(self._texts) > MOST:
            self._texts.clear()
        missing = [each for each in dict.fromkeys(chunks) if each not in self._texts]
        ends = self._skb.sentence_table
        self._texts.update((chunk.id, Text(chunk, ends.of(chunk.id))) for chunk in self._skb.chunks(missing))
        return [self._texts[each] for each in chunks]

    def titles(self, pages: Sequence[int]) -> list[tuple[str, frozenset[str]]]:
        """Return the titles of pages and their stems, in their order."""
        missing = [each for each in dict.fromkeys(pages) if each not in self._titles]
        for page in self._skb.pages(missing):
            self._titles[page.id] = (page.title, frozenset(stems_of(page.title)))
        return [self._titles[each] for each in pages]

    def _rarity(self, stem: str) -> float:
        """Return log(n / df) of a stem, the chunks of any word that begins with it counted."""
        frequency = document_frequency(self._skb.connection, "chunk_fts", stem, prefix=len(stem) > 3)
        return math.log(1 + self._n_chunks / (1 + frequency))

    def headings(self, sections: Sequence[int]) -> list[frozenset[str]]:
        """Return the stems of sections' heading paths without the page's title, none for section 0, in their order."""
        missing = [each for each in dict.fromkeys(sections) if each and each not in self._headings]
        for section in self._skb.sections(missing):
            path = uri_text(section.uri.partition("#")[2])
            self._headings[section.id] = frozenset(stems_of(path))
        return [self._headings.get(each, frozenset()) for each in sections]

    def weights(self, stems: Iterable[str]) -> dict[str, float]:
        """Return the rarity of each stem."""
        return {stem: self.rarity(stem) for stem in stems}
