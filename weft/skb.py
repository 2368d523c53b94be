"""Read an SKB: typed rows, text search, vectors and the graph as arrays.

>>> with Skb("kb.skb") as skb:                                   # doctest: +SKIP
...     ids, scores = skb.search_text("chunk", "who built the bridge?", 5)
...     [chunk.text for chunk in skb.chunks(ids.tolist())]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from weft.arrays.adjacency import Adjacency, load_adjacency
from weft.arrays.chunk_table import ChunkTable, load_chunk_table
from weft.arrays.full_text import search_full_text
from weft.arrays.sentence_table import SentenceTable, load_sentence_table
from weft.arrays.shared import Shared
from weft.arrays.vectors import Vectors, load_vectors
from weft.embedders.base import Embedder
from weft.embedders.stored import load_embedder
from weft.errors import WeftError
from weft.file_format.damage import damage_behind_use
from weft.meta import get_meta
from weft.rows import Attribute, Chunk, Citation, Entity, Neighbour, Page, Section
from weft.schema import open_skb

if TYPE_CHECKING:
    from sqlite_utils import Database

BATCH = 900
"""Ids in one query; SQLite's own limit of parameters was 999 for long."""

CHUNK = "id, uri, page_id, section_id, position, kind, part, text"


class Skb:
    """A knowledge base opened for reading, by one thread; arrays are loaded when first asked for and kept."""

    def __init__(self, path: Path | str) -> None:
        """Open `path`; raise NotAKnowledgeBase when it is none."""
        self.path = Path(path)
        self._file = _identity(self.path)
        self.connection = open_skb(self.path)
        self._shared = Shared()

    def again(self) -> Skb:
        """Open the same file once more, for another thread: a connection of its own, the arrays shared.

        Raise WeftError where another file has taken its place. The first one must still be open.
        """
        other = Skb(self.path)
        if self._file is None or not other._file == self._file == _identity(self.path):
            other.close()
            raise WeftError(f"{self.path}: was replaced by another file while it was in use; open it anew")
        other._shared = self._shared
        return other

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if (blame := damage_behind_use(error, self.path)) is not None:
            raise blame from error

    def meta(self, key: str, default: Any = None) -> Any:
        """Return what the builder put on record under `key`."""
        return get_meta(self.connection, key, default)

    @property
    def is_graph(self) -> bool:
        """Tell whether every document source is a graph or a STaRK folder."""
        formats = self.meta("source_formats", [])
        return bool(formats) and all(each in ("graph", "stark", "stark-compat") for each in formats)

    def count(self, table: str) -> int:
        """Return the number of a table's rows."""
        row = self.connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()
        return int(row[0])

    def page(self, uri: str) -> Page | None:
        """Return the page with this uri."""
        row = self._one("SELECT id, uri, title, source_id, url, language, modified FROM page WHERE uri = ?", uri)
        return None if row is None else Page(*row)

    def section(self, uri: str) -> Section | None:
        """Return the section with this uri."""
        row = self._one("SELECT * FROM section WHERE uri = ?", uri)
        return None if row is None else Section(*row)

    def chunk(self, uri: str) -> Chunk | None:
        """Return the chunk with this uri."""
        row = self._one(f"SELECT {CHUNK} FROM chunk WHERE uri = ?", uri)
        return None if row is None else Chunk(*row)

    def entity(self, uri: str) -> Entity | None:
        """Return the entity with this uri."""
        row = self._one("SELECT * FROM entity WHERE uri = ?", uri)
        return None if row is None else Entity(*row)

    def pages(self, ids: Sequence[int]) -> list[Page]:
        """Return pages in the order of `ids`; KeyError for an id that is none."""
        return [Page(*row) for row in self._rows("id, uri, title, source_id, url, language, modified", "page", ids)]

    def sections(self, ids: Sequence[int]) -> list[Section]:
        """Return sections in the order of `ids`."""
        return [Section(*row) for row in self._rows("*", "section", ids)]

    def chunks(self, ids: Sequence[int]) -> list[Chunk]:
        """Return chunks in the order of `ids`."""
        return [Chunk(*row) for row in self._rows(CHUNK, "chunk", ids)]

    def entities(self, ids: Sequence[int]) -> list[Entity]:
        """Return entities in the order of `ids`."""
        return [Entity(*row) for row in self._rows("*", "entity", ids)]

    def uris(self, unit: str, ids: Sequence[int]) -> list[str]:
        """Return the uris of chunks or entities in the order of `ids`."""
        return [row[1] for row in self._rows("id, uri", unit, ids)]

    def sections_of_page(self, page: int) -> list[Section]:
        """Return a page's sections in reading order."""
        rows = self.connection.execute("SELECT * FROM section WHERE page_id = ? ORDER BY position", (page,))
        return [Section(*row) for row in rows]

    def chunks_of_page(self, page: int) -> list[Chunk]:
        """Return a page's chunks in reading order."""
        rows = self.connection.execute(f"SELECT {CHUNK} FROM chunk WHERE page_id = ? ORDER BY position", (page,))
        return [Chunk(*row) for row in rows]

    def chunks_of_section(self, section: int) -> list[Chunk]:
        """Return a section's own chunks in reading order, not those of its subsections."""
        rows = self.connection.execute(f"SELECT {CHUNK} FROM chunk WHERE section_id = ? ORDER BY position", (section,))
        return [Chunk(*row) for row in rows]

    def chunk_ids_below(self, section: int) -> list[int]:
        """Return the ids of the chunks of a section and of all its subsections."""
        rows = self.connection.execute(
            "WITH RECURSIVE below (id) AS (SELECT ? UNION"
            " SELECT section.id FROM section JOIN below ON parent_id = below.id)"
            " SELECT chunk.id FROM chunk JOIN below ON section_id = below.id ORDER BY chunk.position",
            (section,),
        )
        return [identity for (identity,) in rows]

    def citations(self, chunks: Sequence[int]) -> list[Citation]:
        """Return which entities chunks cite, by chunk and entity id."""
        return [
            Citation(*row)
            for batch in _batches(chunks)
            for row in self.connection.execute(
                f"SELECT chunk_id, entity_id, count FROM cites WHERE chunk_id IN ({_marks(batch)}) ORDER BY 1, 2", batch
            )
        ]

    def cited_in(self, entity: int) -> list[Citation]:
        """Return which chunks cite an entity, by chunk id."""
        rows = self.connection.execute(
            "SELECT chunk_id, entity_id, count FROM cites WHERE entity_id = ? ORDER BY 1", (entity,)
        )
        return [Citation(*row) for row in rows]

    def neighbours(self, entity: int) -> list[Neighbour]:
        """Return the entities related to one, both ways, by type and uri.

        Each neighbour and type comes once: where the file holds both directions
        of a relation, as `type` alone and not as `is_type_of` too.
        """
        # Forward relations, and backward ones that the file does not hold forward with the same type.
        rows = self.connection.execute(
            "SELECT name, other FROM (SELECT relation_type.name, object_id AS other FROM relation"
            " JOIN relation_type ON relation_type.id = type_id WHERE subject_id = :entity"
            " UNION SELECT 'is_' || relation_type.name || '_of', subject_id FROM relation"
            " JOIN relation_type ON relation_type.id = type_id WHERE object_id = :entity AND NOT EXISTS"
            " (SELECT 1 FROM relation AS back WHERE back.subject_id = :entity"
            " AND back.type_id = relation.type_id AND back.object_id = relation.subject_id))",
            {"entity": entity},
        ).fetchall()
        entities = self.entities([other for _, other in rows])
        found = [Neighbour(name, each) for (name, _), each in zip(rows, entities, strict=True)]
        return sorted(found, key=lambda each: (each.type, each.entity.uri))

    def attributes(self, entity: int) -> list[Attribute]:
        """Return an entity's attributes by key and value."""
        rows = self.connection.execute(
            "SELECT DISTINCT key, value, number, date FROM attribute WHERE entity_id = ? ORDER BY 1, 2", (entity,)
        )
        return [Attribute(*row) for row in rows]

    def entities_named(self, name_key: str, kinds: Iterable[str] | None = None) -> list[Entity]:
        """Return the entities that a name key can mean, the likeliest first, of the alias kinds asked for."""
        allowed = None if kinds is None else set(kinds)
        rows = self.connection.execute(
            "SELECT alias.kind, entity.* FROM alias JOIN entity ON entity.id = entity_id WHERE name_key = ?"
            " ORDER BY weight DESC, uri",
            (name_key,),
        )
        return list(dict.fromkeys(Entity(*row[1:]) for row in rows if allowed is None or row[0] in allowed))

    def meanings(self, name_keys: Sequence[str]) -> dict[str, list[tuple[int, str, float]]]:
        """Return what each known name key can mean: (entity, kind of name, weight), the likeliest first."""
        found: dict[str, list[tuple[int, str, float]]] = {}
        for start in range(0, len(name_keys), BATCH):
            batch = list(name_keys[start : start + BATCH])
            rows = self.connection.execute(
                f"SELECT name_key, entity_id, kind, weight FROM alias WHERE name_key IN ({_marks(batch)})"
                " ORDER BY weight DESC, entity_id",
                batch,
            )
            for key, entity, kind, weight in rows:
                found.setdefault(key, []).append((entity, kind, weight))
        return found

    def names_like(
        self, prefix: str, entities: Sequence[int], shortest: int, longest: int, most: int
    ) -> list[tuple[str, int]]:
        """Return name keys of a length between two, of `entities` or beginning with `prefix`, and what they mean."""
        rows = self.connection.execute(
            f"SELECT name_key, entity_id FROM alias WHERE (entity_id IN ({_marks(entities)}) OR name_key >= ? AND"
            " name_key < ?) AND kind <> 'anchor' AND length(name_key) BETWEEN ? AND ? LIMIT ?",
            (*entities, prefix, prefix + "\U0010ffff", shortest, longest, most),
        )
        return rows.fetchall()

    def search_text(self, unit: str, question: str, k: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return ids and BM25 scores of the k chunks or entities that fit a question best, and of ties at the cut."""
        return search_full_text(self.connection, f"{unit}_fts", question, k)

    def vectors(self, space: str) -> Vectors:
        """Return a vector space as arrays; raise ValueError where it is sparse, which `weft.sparse` reads."""
        return self._shared.of(f"vectors {space}", lambda: load_vectors(self.connection, space))

    @property
    def embedder(self) -> Embedder:
        """The embedder that the SKB was built with."""
        return self._shared.of("embedder", lambda: load_embedder(self.connection, self.meta("embedder", "tfidf")))

    @cached_property
    def database(self) -> Database:
        """The open file as a sqlite-utils database, for queries of one's own.

        >>> list(skb.database["page"].rows_where("language = ?", ["en"], limit=1))   # doctest: +SKIP
        """
        from sqlite_utils import Database

        return Database(self.connection)

    @property
    def adjacency(self) -> Adjacency:
        """The graph as arrays."""
        return self._shared.of("adjacency", lambda: load_adjacency(self.connection))

    @property
    def chunk_table(self) -> ChunkTable:
        """Where every chunk stands, as arrays."""
        return self._shared.of("chunk table", lambda: load_chunk_table(self.connection))

    @property
    def sentence_table(self) -> SentenceTable:
        """Where the sentences of chunks end."""
        return self._shared.of("sentence table", lambda: load_sentence_table(self.connection))

    def _one(self, query: str, value: object) -> Any:
        return self.connection.execute(query, (value,)).fetchone()

    def _rows(self, columns: str, table: str, ids: Sequence[int]) -> list[tuple[Any, ...]]:
        found: dict[int, tuple[Any, ...]] = {}
        for batch in _batches(ids):
            rows = self.connection.execute(f"SELECT {columns} FROM {table} WHERE id IN ({_marks(batch)})", batch)
            found.update((row[0], row) for row in rows)
        return [found[identity] for identity in ids]


def _identity(path: Path) -> tuple[int, int] | None:
    """Return which file stands at a path: no other one has the same identity while it is open."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _batches(ids: Sequence[int]) -> list[list[int]]:
    return [list(ids[start : start + BATCH]) for start in range(0, len(ids), BATCH)]


def _marks(batch: Sequence[object]) -> str:
    return ",".join("?" * len(batch))
