"""Write the vectors of an SKB; for a fixed embedder only of texts that are new."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from builder.derive.workspace import empty
from weft.arrays.vectors import BLOCK, DOCUMENT_SPACES, append_block, decode_rows, text_hash, write_block
from weft.documents import EMBEDDED_TOKENS, Documents
from weft.embedders.base import Embedder
from weft.embedders.stored import save_arrays
from weft.errors import WeftError
from weft.sparse.sparse_rows import SPARSE, SparseRows, encode_sparse
from weft.sparse.transpose import delete_postings, write_postings

Row = TypeVar("Row")


# A chunk is embedded with its page's title and, below it, the headings above the chunk: a section's path_text
# begins with the title and " > ", which substr cuts off (3 characters of separator, and SQL counts from 1).
TEXTS = {
    "chunk": "SELECT chunk.id, page.title || char(10) || substr(ifnull(path_text || char(10), ''),"
    " length(page.title) + 4) || text FROM chunk JOIN page ON page.id = chunk.page_id"
    " LEFT JOIN section ON section.id = section_id",
    "section": "SELECT id, path_text FROM section",
    "label": "SELECT id, label FROM entity",
    "relation_type": "SELECT id, relation_words(name) FROM relation_type",
}
"""What is embedded, by space: (id, text); the texts of `DOCUMENT_SPACES` are rendered."""

BY_ID = "ORDER BY 1"
"""The order in which vectors are written and a search reads them."""

BY_URI = {"chunk": "ORDER BY chunk.uri", "label": "ORDER BY uri", "document+relations": "ORDER BY uri"}
"""The order in which an embedder is fitted: ids are a file's own, and equal texts give equal vectors in any file."""

COMMIT_TEXTS = 128
"""At most this many texts of a fixed embedder are embedded again after a kill."""


def kept_dtype(embedder: Embedder, asked: str) -> str:
    """Return how an embedder's vectors are kept: dense ones as is asked."""
    return SPARSE if embedder.sparse else asked


def write_vectors(
    connection: sqlite3.Connection,
    embedder: Embedder,
    dtype: str,
    advance: Callable[[int], None],
    *,
    node_documents: bool = False,
) -> None:
    """Bring every space up to date, those of node documents where they are asked for; take out all others.

    Commits after each batch, so that a stopped run is resumed. Raises WeftError
    where the embedder returns vectors of another width than those kept.
    """
    spaces = (*TEXTS, *(DOCUMENT_SPACES if node_documents else ()))
    delete_postings(connection)
    if embedder.fitted:
        _write_fitted(connection, embedder, spaces, dtype, advance)
        return
    connection.execute("DELETE FROM embedder_array")
    for table in ("vector", "vector_text"):
        gone = f"DELETE FROM {table} WHERE space NOT IN (SELECT value FROM json_each(?))"
        connection.execute(gone, (json.dumps(spaces),))
    for space in spaces:
        _write_fixed(connection, embedder, space, dtype, advance)


def texts_of(
    connection: sqlite3.Connection, space: str, among: Set[int] | None = None, order: str = BY_ID
) -> Iterator[tuple[int, str]]:
    """Yield what a space embeds, (id, text), of all its rows or of `among`; memory holds a batch of texts."""
    if space not in DOCUMENT_SPACES:
        rows = connection.execute(f"{TEXTS[space]} {order}")
        yield from (row for row in rows if among is None or row[0] in among)
        return
    ids = [each for (each,) in connection.execute(f"SELECT id FROM entity {order}") if among is None or each in among]
    renderer = Documents(connection, relations=space == "document+relations", budget=EMBEDDED_TOKENS)
    yield from ((each.entity_id, each.text) for each in renderer.of(ids))


def _write_fitted(
    connection: sqlite3.Connection,
    embedder: Embedder,
    spaces: Sequence[str],
    dtype: str,
    advance: Callable[[int], None],
) -> None:
    # A fitted embedder depends on the whole corpus: no vector of an earlier fit is comparable.
    connection.execute("DELETE FROM vector")
    connection.execute("DELETE FROM vector_text")
    (has_text,) = connection.execute("SELECT EXISTS (SELECT 1 FROM chunk)").fetchone()
    corpus = "chunk" if has_text else "document+relations" if "document+relations" in spaces else "label"
    embedder.fit(lambda: (text for _, text in texts_of(connection, corpus, order=BY_URI[corpus])))
    save_arrays(connection, embedder)
    for space in spaces:
        for ids, texts in _batches(texts_of(connection, space), BLOCK):
            rows = embedder.encode(texts)
            if isinstance(rows, SparseRows):
                append_block(connection, space, ids, encode_sparse(rows))
            else:
                write_block(connection, space, ids, rows, dtype=dtype)
            advance(len(ids))
        if embedder.sparse:
            write_postings(connection, space)
    connection.commit()


def _write_fixed(
    connection: sqlite3.Connection, embedder: Embedder, space: str, dtype: str, advance: Callable[[int], None]
) -> None:
    _materialize_wanted(connection, space)
    _reuse(connection, space, dtype)
    missing = connection.execute(
        "SELECT count(*) FROM temp.wanted WHERE id NOT IN (SELECT id FROM vector_text WHERE space = ?)",
        (space,),
    ).fetchone()[0]
    (total,) = connection.execute("SELECT count(*) FROM temp.wanted").fetchone()
    advance(total - missing)
    if missing:
        _embed_missing(connection, embedder, space, dtype, advance)
        _merge_blocks(connection, space, dtype)
    connection.commit()


def _materialize_wanted(connection: sqlite3.Connection, space: str) -> None:
    empty(connection, "wanted")
    rows = ((identity, text_hash(text)) for identity, text in texts_of(connection, space))
    connection.executemany("INSERT INTO temp.wanted VALUES (?, ?)", rows)
    connection.execute("CREATE INDEX IF NOT EXISTS temp.wanted_hash ON wanted (hash)")


def _reuse(connection: sqlite3.Connection, space: str, dtype: str) -> None:
    """Rewrite the blocks so that they hold the rows of texts still wanted, under their current ids.

    Rows are matched by the hash of their text, so renumbered chunks keep their vectors. One block is in memory.
    """
    (changed,) = connection.execute(
        # Nothing to do while every stored row is still wanted under its id: new texts need no rewriting of blocks.
        "SELECT EXISTS (SELECT 1 FROM vector_text AS old LEFT JOIN temp.wanted AS new"
        " ON new.id = old.id AND new.hash = old.hash WHERE old.space = ? AND new.id IS NULL)",
        (space,),
    ).fetchone()
    if not changed:
        return
    hash_of: dict[int, int] = dict(
        connection.execute("SELECT id, hash FROM vector_text WHERE space = ?", (space,))
    )
    blocks = connection.execute("SELECT block FROM vector WHERE space = ?", (space,)).fetchall()
    connection.execute("DELETE FROM vector_text WHERE space = ?", (space,))
    reused: set[int] = set()
    for (block,) in blocks:
        ids, rows = _block(connection, space, block, dtype)
        connection.execute("DELETE FROM vector WHERE space = ? AND block = ?", (space, block))
        kept: list[tuple[int, int, int]] = []
        for row, value in enumerate(hash_of[identity] for identity in ids.tolist()):
            if value not in reused:
                reused.add(value)
                wanted = connection.execute("SELECT id FROM temp.wanted WHERE hash = ?", (value,))
                kept.extend((identity, row, value) for (identity,) in wanted)
        for batch in _chunked(kept, BLOCK):
            new_ids, picked, hashes = zip(*batch, strict=True)
            write_block(connection, space, new_ids, rows[list(picked)], dtype=dtype, hashes=hashes)
    connection.commit()


def _embed_missing(
    connection: sqlite3.Connection, embedder: Embedder, space: str, dtype: str, advance: Callable[[int], None]
) -> None:
    connection.execute(
        "DELETE FROM temp.wanted WHERE id IN (SELECT id FROM vector_text WHERE space = ?)", (space,)
    )
    waiting = {identity for (identity,) in connection.execute("SELECT id FROM temp.wanted")}
    for ids, texts in _batches(texts_of(connection, space, waiting), COMMIT_TEXTS):
        hashes = [text_hash(text) for text in texts]
        # Equal texts of a batch are encoded once.
        place = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        encoded = embedder.encode(list(place))
        assert isinstance(encoded, np.ndarray), "a fixed embedder is dense"
        rows = encoded[[place[text] for text in texts]]
        _check_width(connection, embedder, space, dtype, rows.shape[1])
        write_block(connection, space, ids, rows, dtype=dtype, hashes=hashes)
        connection.commit()
        advance(len(ids))


def _check_width(connection: sqlite3.Connection, embedder: Embedder, space: str, dtype: str, width: int) -> None:
    """Raise WeftError where the vectors that are kept have another number of dimensions."""
    kept = connection.execute(
        # `ids` has 8 bytes a row, `rows` the vectors one after another: their quotient is the bytes of one vector.
        "SELECT length(rows) / max(1, length(ids) / 8) FROM vector WHERE space = ? LIMIT 1", (space,)
    ).fetchone()
    size = 2 if dtype == "float16" else 4
    if kept is not None and kept[0] != width * size:
        raise WeftError(
            f"{embedder.name}: gives vectors of {width} numbers, and those kept have {kept[0] // size}: the model has"
            " changed; build with another embedder first, or into a new file"
        )


def _merge_blocks(connection: sqlite3.Connection, space: str, dtype: str) -> None:
    """Join blocks that are not full, so that updates do not leave many small ones."""
    numbers = [
        block
        for block, size in connection.execute(
            "SELECT block, length(ids) / 8 FROM vector WHERE space = ? ORDER BY block", (space,)
        )
        if size < BLOCK
    ]
    if len(numbers) < 2:
        return
    ids: list[int] = []
    parts: list[NDArray[np.float32]] = []
    for block in numbers:
        own, rows = _block(connection, space, block, dtype)
        connection.execute("DELETE FROM vector WHERE space = ? AND block = ?", (space, block))
        ids.extend(own.tolist())
        parts.append(rows)
        while len(ids) >= BLOCK:
            joined = np.concatenate(parts)
            write_block(connection, space, ids[:BLOCK], joined[:BLOCK], dtype=dtype)
            ids, parts = ids[BLOCK:], [joined[BLOCK:]]
    if ids:
        write_block(connection, space, ids, np.concatenate(parts), dtype=dtype)


def _block(
    connection: sqlite3.Connection, space: str, block: int, dtype: str
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return a block's ids, shape (n,), and its vectors, shape (n, dimensions)."""
    ids, rows = connection.execute(
        "SELECT ids, rows FROM vector WHERE space = ? AND block = ?", (space, block)
    ).fetchone()
    own = np.frombuffer(ids, "<i8")
    return own, decode_rows(rows, len(own), dtype)


def _batches(rows: Iterable[tuple[int, str]], size: int) -> Iterator[tuple[list[int], list[str]]]:
    for batch in _chunked(rows, size):
        yield [identity for identity, _ in batch], [text for _, text in batch]


def _chunked(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    stream = iter(rows)
    while batch := list(islice(stream, size)):
        yield batch
