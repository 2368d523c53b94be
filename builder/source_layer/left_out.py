"""What a build left out: duplicates, rejected documents, pages without text, files that are no documents, facts.

Documents that are not as they were, since an encoding was assumed, bytes were
replaced or a page was read as flat text, are counted with it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from builder.rdf.predicates import IGNORED, NO_CO_MENTION, OTHER_LANGUAGE, UNKNOWN_END
from builder.rdf.reader import is_named_rdf
from builder.readers.html.flat import FLAT
from builder.source_layer.equal_contents import SAME
from builder.source_layer.writer import DUPLICATE
from weft.meta import get_meta

# Pages exist as entities even where nothing of their text became a chunk.
WITHOUT_TEXT = (
    "SELECT source, place FROM page JOIN source_item ON source_item.id = source_id"
    " WHERE NOT EXISTS (SELECT 1 FROM chunk WHERE page_id = page.id) ORDER BY source, place"
)
FIELDS = (
    "SELECT source, key, count(*), min(place) FROM statement JOIN source_item ON source_item.id = source_id"
    " WHERE kind = 'front matter' GROUP BY source, key ORDER BY source, key"
)
UNUSED_FACTS = {
    NO_CO_MENTION: "no page cites both ends; --all-relations keeps them",
    UNKNOWN_END: "an end is nothing that the SKB has",
    OTHER_LANGUAGE: "--lang names the languages to take",
    IGNORED: "the predicate says nothing of an entity",
}
"""The outcomes of well-formed lines of fact files that are left out, and why they are."""


def left_out(connection: sqlite3.Connection, ignored: Iterable[dict[str, Any]]) -> dict[str, int]:
    """Count what is left out, by kind; `ignored` are the records of ignored files."""
    by_state = "SELECT count(*) FROM source_item WHERE state = 'duplicate' AND substr(reason, 1, ?) = ?"
    noted = (
        # A page whose file cannot be read this time has lost its hash.
        "SELECT count(*) FROM source_item WHERE state = 'ok' AND content_hash IS NOT NULL"
        " AND (substr(reason, 1, ?) = ?) = ?"
    )
    return {
        "duplicates by title": _count(connection, by_state, len(DUPLICATE), DUPLICATE),
        "duplicates by content": _count(connection, by_state, len(SAME), SAME),
        "pages without text": _count(connection, f"SELECT count(*) FROM ({WITHOUT_TEXT})"),
        "pages read as flat text": _count(connection, noted, len(FLAT), FLAT, True),
        "documents read with a note": _count(connection, noted, len(FLAT), FLAT, False),
        "ignored files": sum(each["files"] for each in ignored),
    }


def ignored_kept(connection: sqlite3.Connection, labels: Iterable[str]) -> list[dict[str, Any]]:
    """Return the records of the ignored files of these sources, as the last build left them."""
    kept = set(labels)
    return [each for each in get_meta(connection, "build", {}).get("ignored", []) if each["source"] in kept]


def records_left_out(connection: sqlite3.Connection) -> Iterator[dict[str, str]]:
    """Yield what is on record of pages without text, ignored files, fields and facts, in the form of a reject."""
    for source, place in connection.execute(WITHOUT_TEXT):
        yield {"source": source, "place": place, "state": "ok", "reason": "the page has no text"}
    for each in get_meta(connection, "build", {}).get("ignored", []):
        examples = ", ".join(each["examples"])
        hint = " (facts are given by --rdf)" if is_named_rdf(Path(f"facts{each['kind']}")) else ""
        reason = f"{each['files']:,} file{'s' * (each['files'] != 1)}, no documents{hint}: {examples}"
        more = ", ..." if each["files"] > len(each["examples"]) else ""
        yield {"source": each["source"], "place": each["kind"], "state": "ignored", "reason": reason + more}
    for source, key, n, place in connection.execute(FIELDS):
        reason = f"{n:,} document{'s' * (n != 1)}, such as {place}; the field is on record and of no other use"
        yield {"source": source, "place": f"front matter: {key}", "state": "ignored", "reason": reason}
    for each in get_meta(connection, "facts", []):
        for fate, why in UNUSED_FACTS.items():
            if n := each["fates"].get(fate, 0):
                reason = f"{n:,} line{'s' * (n != 1)}: {why}"
                yield {"source": each["label"], "place": fate, "state": "ignored", "reason": reason}


def _count(connection: sqlite3.Connection, query: str, *values: object) -> int:
    return int(connection.execute(query, values).fetchone()[0])
