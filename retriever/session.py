"""One question's or one person's work on an SKB: what was computed for it, its steps, connection and chat model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from retriever.context import Context
from retriever.encodings import Vectors, vectors_of
from retriever.types import Ids, Trace, Unit
from weft.arrays.adjacency import Adjacency, Walk, load_walk
from weft.arrays.blobs import ARRAYS, read_array
from weft.arrays.chunk_table import ChunkTable
from weft.arrays.link_table import LinkTable, load_link_table
from weft.arrays.postings import Postings
from weft.arrays.stem_table import StemTable, load_stem_table
from weft.chat.base import Chat, Message, Options, Reply
from weft.chat.dry_run import DryRun
from weft.chat.many import complete_all
from weft.errors import ModelError, WeftError

T = TypeVar("T")
MOST_BYTES = 128 << 20
"""What a memo holds at most, unless its newest entry alone is larger."""

LEAST_BYTES = 1024
"""What an entry counts at least."""


class Memo:
    """What was computed, by what it follows from; what was not asked for the longest is dropped beyond a bound.

    `computed` and `recalled` count by kind what had to be computed and what was known.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.computed: Counter[str] = Counter()
        self.recalled: Counter[str] = Counter()
        self._most = most_bytes
        self._n_bytes = 0
        self._kept: dict[tuple[str, Hashable], tuple[Any, int, Any]] = {}

    def of(self, kind: str, key: Hashable, make: Callable[[], T], held: object = None) -> T:
        """Return what `make` gives for a key of a kind; `held` is what the key knows by its identity alone."""
        known = self._kept.pop((kind, key), None)
        if known is not None:
            self._kept[kind, key] = known
            self.recalled[kind] += 1
            found: T = known[0]
            return found
        found = make()
        self.computed[kind] += 1
        self._keep(kind, key, found, held)
        return found

    def holds(self, kind: str, key: Hashable) -> bool:
        """Tell whether something is known."""
        return (kind, key) in self._kept

    def _keep(self, kind: str, key: Hashable, value: object, held: object) -> None:
        size = max(LEAST_BYTES, _n_bytes(value))
        self._n_bytes += size
        self._kept[kind, key] = (value, size, held)
        while self._n_bytes > self._most and len(self._kept) > 1:
            self._n_bytes -= self._kept.pop(next(iter(self._kept)))[1]


def _n_bytes(value: object) -> int:
    if isinstance(value, np.ndarray):
        return value.nbytes
    return sum(map(_n_bytes, value)) if isinstance(value, tuple) else 0


class Session:
    """What one thread asks an SKB with; nothing else keeps anything between two steps of a question.

    `chat` answers where a method asks a language model.
    """

    def __init__(self, context: Context, chat: Chat | None = None) -> None:
        """Open the SKB once more; raise WeftError where another file has taken its place."""
        self.context = context
        self.skb = context.skb.again()
        self.chat = chat
        self.memo = Memo()
        self.trace = Trace()

    def forget(self) -> None:
        """Drop what was computed and the steps, as if nothing had been asked."""
        self.memo = Memo()
        self.trace.steps.clear()

    def close(self) -> None:
        """Close the session's connection."""
        self.skb.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def part(self, name: str, make: Callable[[Session], T]) -> T:
        """Return what all sessions share under a name; the first to ask makes it, and it must not keep the session."""
        return self.context.part(name, lambda: make(self))

    def of_allowed(self, kind: str, allowed: Ids | None, make: Callable[[], T]) -> T:
        """Return what follows from the ids that may be ranked alone; most questions of a session may rank the same."""
        return self.memo.of(kind, id(allowed), make, held=allowed)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the SKB's embeddings of texts (n,)."""
        with self.context.encoding:
            return vectors_of(self.skb.embedder.encode(texts))

    @property
    def embedder_name(self) -> str:
        """The name of the embedder that the SKB was built with."""
        return str(self.skb.meta("embedder", "tfidf"))

    def complete(self, messages: Sequence[Message], options: Options) -> Reply:
        """Return the chat model's reply, empty where it has none; raise WeftError without one or where it fails."""
        return next(iter(self.samples(messages, options, 1)), Reply(""))

    def samples(self, messages: Sequence[Message], options: Options, n: int) -> list[Reply]:
        """Return n replies of the chat model to the same messages; raise WeftError as `complete` does."""
        return self._ready().complete(messages, n=n, options=options)

    def each(self, conversations: Sequence[Sequence[Message]], options: Options) -> list[Reply]:
        """Return the reply to each of several conversations, asked at once as far as the settings allow.

        Raise WeftError as `complete` does, after all of them were asked.
        """
        outcomes = complete_all(self._ready(), conversations, options=options)
        for outcome in outcomes:
            if isinstance(outcome, ModelError):
                raise outcome
        return [next(iter(outcome), Reply("")) for outcome in outcomes if not isinstance(outcome, ModelError)]

    def _ready(self) -> Chat:
        if self.chat is None:
            raise WeftError("no chat model is at hand")
        return self.chat

    @property
    def is_dry(self) -> bool:
        """Whether calls are counted and nothing is sent, so that replies may be missing."""
        return isinstance(self.chat, DryRun)

    def assume(self, calls: int, tokens_in: int, tokens_out: int) -> None:
        """Tell a dry run of calls that follow from a reply that is missing, as `DryRun.assume` counts them."""
        if isinstance(self.chat, DryRun):
            self.chat.assume(calls, tokens_in, tokens_out)

    @property
    def chunk_table(self) -> ChunkTable:
        """Where every chunk stands."""
        return self.skb.chunk_table

    @property
    def adjacency(self) -> Adjacency:
        """The graph as arrays."""
        return self.skb.adjacency

    @property
    def walk(self) -> Walk:
        """The graph that a random walk goes on."""
        return self.part("walk", lambda own: load_walk(own.skb.connection))

    @property
    def stem_table(self) -> StemTable:
        """The stems of texts, titles and headings."""
        return self.part("stem table", lambda own: load_stem_table(own.skb.connection))

    @property
    def link_table(self) -> LinkTable:
        """Where the links of chunks lead."""
        return self.part("link table", lambda own: load_link_table(own.skb.connection))

    def postings(self, unit: Unit) -> Postings:
        """Return the full-text index of a unit."""
        table = f"{unit}_fts"
        return self.part(f"postings {table}", lambda own: Postings(own.skb.connection, table))

    @property
    def chunks_by_page(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The indices of chunks by page and position, and where each page's begin in them."""
        return self.part("chunks by page", _chunks_by_page)

    def chunks_of_page(self, page: int) -> Ids:
        """Return a page's chunks in reading order; O(log pages)."""
        order, starts = self.chunks_by_page
        index = int(np.searchsorted(self.chunk_table.page_ids, page))
        if index == len(self.chunk_table.page_ids) or self.chunk_table.page_ids[index] != page:
            return np.empty(0, np.int64)
        return self.chunk_table.chunk_ids[order[starts[index] : starts[index + 1]]]

    def chunks_of_entity(self, entity: int) -> Ids:
        """Return the chunks of an entity's own page in reading order; none where it has no page."""
        (page,) = self.chunk_table.pages_of(np.array([entity])).tolist()
        return self.chunks_of_page(page) if page else np.empty(0, np.int64)

    def uri_ranks(self, table: str, ids: Ids) -> NDArray[np.int64]:
        """Return numbers (n,) that stand in the order of the uris of some rows, which may be given several times."""
        known, ranks = self.part(f"uri ranks {table}", lambda own: _uri_ranks(own, table))
        if len(ranks):
            return ranks[np.searchsorted(known, ids)].astype(np.int64)
        uris = self.skb.uris(table, ids.tolist())
        place = {uri: rank for rank, uri in enumerate(sorted(set(uris)))}
        return np.fromiter(map(place.__getitem__, uris), np.int64, len(uris))

    def uris(self, unit: Unit, ids: Sequence[int]) -> list[str]:
        """Return the uris of units."""
        return self.skb.uris(unit, ids)


def _chunks_by_page(session: Session) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    chunk_table = session.chunk_table
    order = np.lexsort((chunk_table.positions, chunk_table.pages))
    starts = np.searchsorted(chunk_table.pages[order], np.append(chunk_table.page_ids, np.iinfo(np.int64).max))
    return order, starts


def _uri_ranks(session: Session, table: str) -> tuple[Ids, NDArray[np.int32]]:
    """Return the ids of a table and their ranks by uri; no ranks where the build wrote none."""
    connection, name = session.skb.connection, f"{table}.uri_rank"
    if name not in ARRAYS:
        return np.empty(0, np.int64), np.empty(0, np.int32)
    return read_array(connection, f"{table}.id"), read_array(connection, name)
