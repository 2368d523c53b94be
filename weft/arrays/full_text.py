"""Full-text search: free text to an FTS5 query that can never be a syntax error."""

from __future__ import annotations

import sqlite3
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from weft.text.normalise import STOP_WORDS, written_words
from weft.text.pairs import indexed, is_single

WEIGHTS = {
    "chunk_fts": {"text": 1.0, "section": 0.5, "title": 1.0},
    "entity_fts": {"name": 3.0, "aliases": 2.0, "text": 0.5},
}
"""BM25 weights of a chunk's text, section path and page title, and of an entity's name, aliases and own text."""

CONTENT = {"chunk_fts": ("chunk_text", "text, section, title"), "entity_fts": ("entity_text", "name, aliases, text")}
"""The view that each index is of, and its columns."""

# Rows read at a time while any that may be ranked is looked for.
BATCH = 4096
TIES = 20
"""Rows fetched beyond k; only where they all tie with the k-th is a second query needed."""


def write_full_text(connection: sqlite3.Connection) -> None:
    """Write both indexes anew from their views, text without blanks cut into pairs."""
    if not connection.execute("SELECT 1 FROM pragma_function_list WHERE name = 'indexed'").fetchone():
        connection.create_function("indexed", 1, indexed, deterministic=True)
    for table, (view, columns) in CONTENT.items():
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")
        cut = ", ".join(f"indexed({column})" for column in columns.split(", "))
        connection.execute(f"INSERT INTO {table} (rowid, {columns}) SELECT id, {cut} FROM {view} ORDER BY id")


def searched_words(question: str) -> list[str]:
    """Return the words that a question is searched by, each once in any case: no stop words but for want of others."""
    words: dict[str, str] = {}
    for word in written_words(question):
        words.setdefault(word.casefold(), word)
    return [word for key, word in words.items() if key not in STOP_WORDS] or list(words.values())


def match_expression(question: str) -> str | None:
    """Return an FTS5 expression that any of the question's words satisfies, or None when it has no word.

    >>> match_expression('Who "wrote" NEAR(AND *)?')
    '"wrote" OR "NEAR"'
    """
    return " OR ".join(map(phrase, searched_words(question))) or None


def phrase(word: str) -> str:
    """Return the FTS5 phrase of a word; a single letter of a script without blanks finds what begins with it."""
    return f'"{word}"' + "*" * is_single(word)


def search_full_text(
    connection: sqlite3.Connection, table: str, question: str, k: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return ids and BM25 scores (higher is better) of the k best rows of `chunk_fts` or `entity_fts`.

    All rows that score as the k-th does come too; equal ones stand by id.
    """
    expression = match_expression(question)
    if expression is None or k < 1:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    found, values = score_query(table, expression)
    order = "ORDER BY score DESC, rowid"
    rows = connection.execute(f"{found} {order} LIMIT ?", (*values, k + TIES)).fetchall()
    if len(rows) > k:
        last = rows[k - 1][1]
        if rows[-1][1] == last:
            rows = connection.execute(f"SELECT * FROM ({found}) WHERE score >= ? {order}", (*values, last)).fetchall()
        rows = [row for row in rows if row[1] >= last]
    return _columns(rows)


def holds_any_word(
    connection: sqlite3.Connection, table: str, question: str, allowed: NDArray[np.int64] | None = None
) -> bool:
    """Tell whether any row of an index, or of its `allowed` ones (sorted), holds one of a question's words."""
    expression = match_expression(question)
    if expression is None:
        return False
    rows = connection.execute(f"SELECT rowid FROM {table} WHERE {table} MATCH ?", (expression,))
    if allowed is None:
        return rows.fetchone() is not None
    while batch := rows.fetchmany(BATCH):
        found = np.array([row for (row,) in batch], np.int64)
        indices = np.searchsorted(allowed, found)
        known = indices < len(allowed)
        if (allowed[indices[known]] == found[known]).any():
            return True
    return False


def score_query(table: str, expression: str) -> tuple[str, tuple[object, ...]]:
    """Return the query for the rows of a table that match, by id and with their scores, and its values."""
    found = f"SELECT rowid, -bm25({table}, ?, ?, ?) AS score FROM {table} WHERE {table} MATCH ?"
    return found, (*WEIGHTS[table].values(), expression)


def _columns(rows: list[tuple[int, float]]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    ids, scores = zip(*rows, strict=True) if rows else ((), ())
    return np.array(ids, np.int64), np.array(scores, np.float32)


def document_frequency(connection: sqlite3.Connection, table: str, word: str, *, prefix: bool, most: int) -> int:
    """Return in how many rows of `chunk_fts` or `entity_fts` a word, or one that begins so, stands, up to `most`."""
    expression = " ".join(f'"{each}"*' if prefix else phrase(each) for each in written_words(word))
    if not expression:
        return 0
    counted = f"SELECT count(*) FROM (SELECT rowid FROM {table} WHERE {table} MATCH ? LIMIT ?)"
    (count,) = connection.execute(counted, (expression, most)).fetchone()
    return int(count)


def occurrences(connection: sqlite3.Connection, table: str, first: str, last: str) -> NDArray[np.int64]:
    """Return 4 rowid + column of every occurrence of the words `first` to `last`, by word, row and column.

    As one text they take half the time that they take as rows.
    """
    columns = " ".join(f"WHEN '{name}' THEN {index}" for index, name in enumerate(WEIGHTS[table]))
    (found,) = connection.execute(
        f"SELECT group_concat(doc * 4 + CASE col {columns} END, ' ') FROM {vocabulary(connection, table, 'instance')}"
        " WHERE term BETWEEN ? AND ?",
        (first, last),
    ).fetchone()
    return np.fromstring(found, np.int64, sep=" ") if found else np.empty(0, np.int64)


def vocabulary(connection: sqlite3.Connection, table: str, kind: Literal["row", "instance"]) -> str:
    """Return the name of the view of an index that lists its words, or each occurrence; it is the connection's own.

    https://www.sqlite.org/fts5.html#the_fts5vocab_virtual_table_module
    """
    name = f"temp.{table}_{kind}"
    (closed,) = connection.execute("PRAGMA query_only").fetchone()
    connection.execute("PRAGMA query_only = OFF")
    connection.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS {name} USING fts5vocab('main', '{table}', '{kind}')")
    connection.execute(f"PRAGMA query_only = {closed}")
    return name
