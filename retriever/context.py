"""What all steps of a search share: the SKB, its embedder, a chat model where there is one, and the trace."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.types import Ids, Scores, Trace, Unit
from weft.adjacency import Adjacency
from weft.chat import Chat
from weft.embedders import Embedder
from weft.layout import Layout, load_layout
from weft.skb import Skb


class Space(NamedTuple):
    """A vector space whose rows are found by id: `ids` sorted, `rows` beside them."""

    ids: Ids
    rows: NDArray[np.float32]

    def similarities(self, vector: NDArray[np.float32], ids: Ids) -> Scores:
        """Return the cosine of each id's row with a unit vector (n,), 0 where an id has no row."""
        if not len(self.ids):
            return np.zeros(len(ids), np.float32)
        places = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        found = self.rows[places] @ vector
        return np.where(self.ids[places] == ids, found, 0).astype(np.float32)


class Context:
    """One SKB as every signal sees it; arrays are loaded when first asked for and kept."""

    def __init__(self, skb: Skb, chat: Chat | None = None) -> None:
        self.skb = skb
        self.chat = chat
        self.trace = Trace()
        self._spaces: dict[str, Space] = {}

    @property
    def embedder(self) -> Embedder:
        """The SKB's embedder."""
        return self.skb.embedder

    @cached_property
    def layout(self) -> Layout:
        """Where every chunk stands."""
        return load_layout(self.skb.connection)

    @property
    def adjacency(self) -> Adjacency:
        """The graph as arrays."""
        return self.skb.adjacency

    def space(self, name: str) -> Space:
        """Return a vector space, its rows in the order of the ids."""
        if name not in self._spaces:
            ids, rows = self.skb.vectors(name)
            if len(ids) and (np.diff(ids) <= 0).any():
                order = np.argsort(ids, kind="stable")
                ids, rows = ids[order], rows[order]
            self._spaces[name] = Space(ids, rows)
        return self._spaces[name]

    def uris(self, unit: Unit, ids: Sequence[int]) -> list[str]:
        """Return the uris of units."""
        return self.skb.uris(unit, ids)


def page_label(context: Context, vector: NDArray[np.float32], pages: Ids) -> Scores:
    """Return the similarity of each page's label, its title and type, with a vector."""
    layout = context.layout
    distinct, back = np.unique(pages, return_inverse=True)
    return context.space("label").similarities(vector, layout.entities_of(distinct))[back]
