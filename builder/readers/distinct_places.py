"""One place on record for every document of a source whose titles or paths may be alike."""

from __future__ import annotations

import sqlite3


class DistinctPlaces:
    """Tells apart the documents of a source that have the same name; kept on disk, as a wiki has millions."""

    def __init__(self) -> None:
        self._shelf = sqlite3.connect("")
        self._shelf.execute("CREATE TABLE place (name TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID")

    def close(self) -> None:
        """Give the disk space back."""
        self._shelf.close()

    def free(self, name: str) -> str:
        """Return the place of the next document of a name: the name, else `name (2)`, or the first number not taken.

        Linear in the documents: numbers that are taken are passed over once.
        """
        place = name
        while not self._is_new(place):
            [[number]] = self._shelf.execute(
                "UPDATE place SET n = n + 1 WHERE name = ? RETURNING n", (name,)
            ).fetchall()
            place = f"{name} ({number})"
        return place

    def _is_new(self, place: str) -> bool:
        return self._shelf.execute("INSERT OR IGNORE INTO place VALUES (?, 1)", (place,)).rowcount == 1
