"""What all steps of a search share: the SKB, its embedder, a chat model where there is one, and the trace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from retriever.types import Ids, Trace, Unit
from weft.arrays.adjacency import Adjacency, Walk, load_walk
from weft.arrays.chunk_table import ChunkTable, load_chunk_table
from weft.chat.base import Chat
from weft.embedders.base import Embedder
from weft.skb import Skb

T = TypeVar("T")


class Space(NamedTuple):
    """A vector space whose rows are found by id: `ids` sorted, `rows` beside them."""

    ids: Ids
    rows: NDArray[np.float32]


class Context:
    """One SKB as every signal sees it; arrays are loaded when first asked for and kept."""

    def __init__(self, skb: Skb, chat: Chat | None = None) -> None:
        self.skb = skb
        self.chat = chat
        self.trace = Trace()
        self._spaces: dict[str, Space] = {}
        self._parts: dict[str, Any] = {}

    def part(self, name: str, make: Callable[[Context], T]) -> T:
        """Return what all signals share under a name, made when first asked for."""
        if name not in self._parts:
            self._parts[name] = make(self)
        made: T = self._parts[name]
        return made

    @property
    def embedder(self) -> Embedder:
        """The SKB's embedder."""
        return self.skb.embedder

    @cached_property
    def chunk_table(self) -> ChunkTable:
        """Where every chunk stands."""
        return load_chunk_table(self.skb.connection)

    @property
    def adjacency(self) -> Adjacency:
        """The graph as arrays."""
        return self.skb.adjacency

    @cached_property
    def walk(self) -> Walk:
        """The graph that a random walk goes on."""
        return load_walk(self.skb.connection)

    def space(self, name: str) -> Space:
        """Return a vector space, its rows in the order of the ids."""
        if name not in self._spaces:
            self._spaces[name] = Space(*self.skb.vectors(name))
        return self._spaces[name]

    @cached_property
    def _chunks_by_page(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Chunks' indices by page and position, and where each page's begin in them."""
        chunk_table = self.chunk_table
        order = np.lexsort((chunk_table.positions, chunk_table.pages))
        starts = np.searchsorted(chunk_table.pages[order], np.append(chunk_table.page_ids, np.iinfo(np.int64).max))
        return order, starts

    def chunks_of_page(self, page: int) -> Ids:
        """Return a page's chunks in reading order; O(log pages)."""
        order, starts = self._chunks_by_page
        index = int(np.searchsorted(self.chunk_table.page_ids, page))
        if index == len(self.chunk_table.page_ids) or self.chunk_table.page_ids[index] != page:
            return np.empty(0, np.int64)
        return self.chunk_table.chunk_ids[order[starts[index] : starts[index + 1]]]

    def chunks_of_entity(self, entity: int) -> Ids:
        """Return the chunks of an entity's own page in reading order; none where it has no page."""
        (page,) = self.chunk_table.pages_of(np.array([entity])).tolist()
        return self.chunks_of_page(page) if page else np.empty(0, np.int64)

    def uris(self, unit: Unit, ids: Sequence[int]) -> list[str]:
        """Return the uris of units."""
        return self.skb.uris(unit, ids)
