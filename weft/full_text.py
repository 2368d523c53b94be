"""Full-text search: free text to an FTS5 query that can never be a syntax error."""

from __future__ import annotations

import sqlite3

import numpy as np
from numpy.typing import NDArray

from weft.text import STOP_WORDS, WORD

WEIGHTS = {
    "chunk_fts": {"text": 1.0, "section": 0.5, "title": 1.0},
    "entity_fts": {"name": 3.0, "aliases": 2.0, "text": 0.5},
}
"""BM25 weights of a chunk's text, section path and page title, and of an entity's name, aliases and own text."""

TIES = 20
"""Rows fetched beyond k; only where they all tie with the k-th is a second query needed."""


def searched_words(question: str) -> list[str]:
    """Return the words that a question is searched by: no stop words unless there is nothing else."""
    words = list(dict.fromkeys(WORD.findall(question)))
    return [word for word in words if word.casefold() not in STOP_WORDS] or words


def match_expression(question: str) -> str | None:
    """Return an FTS5 expression that any of the question's words satisfies, or None when it has no word.

    >>> match_expression('Who "wrote" NEAR(AND *)?')
    '"wrote" OR "NEAR"'
    """
    return " OR ".join(f'"{word}"' for word in searched_words(question)) or None


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


def score_query(table: str, expression: str) -> tuple[str, tuple[object, ...]]:
    """Return the query for the rows of a table that match, by id and with their scores, and its values."""
    found = f"SELECT rowid, -bm25({table}, ?, ?, ?) AS score FROM {table} WHERE {table} MATCH ?"
    return found, (*WEIGHTS[table].values(), expression)


def _columns(rows: list[tuple[int, float]]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    ids, scores = zip(*rows, strict=True) if rows else ((), ())
    return np.array(ids, np.int64), np.array(scores, np.float32)


def document_frequency(
    connection: sqlite3.Connection, table: str, word: str, *, prefix: bool = False, most: int = 100_000
) -> int:
    """Return in how many rows of `chunk_fts` or `entity_fts` a word, or one that begins so, stands, up to `most`."""
    expression = " ".join(f'"{each}"' + "*" * prefix for each in WORD.findall(word))
    if not expression:
        return 0
    counted = f"SELECT count(*) FROM (SELECT rowid FROM {table} WHERE {table} MATCH ? LIMIT ?)"
    (count,) = connection.execute(counted, (expression, most)).fetchone()
    return int(count)
