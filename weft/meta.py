"""The `meta` table: settings, fingerprints and build statistics as JSON values."""

from __future__ import annotations

import json
import sqlite3
from typing import Any


def get_meta(connection: sqlite3.Connection, key: str, default: Any = None) -> Any:
    """Return the value stored under `key`, or `default`."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return default if row is None else json.loads(row[0])


def set_meta(connection: sqlite3.Connection, key: str, value: Any) -> None:
    """Store a JSON value under `key`."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, text))


def delete_meta(connection: sqlite3.Connection, key: str) -> None:
    """Forget what is stored under `key`."""
    connection.execute("DELETE FROM meta WHERE key = ?", (key,))
