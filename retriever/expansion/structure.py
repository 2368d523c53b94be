"""What documents of an SKB look like, told to a model: types with their attributes, or the parts of a passage."""

from __future__ import annotations

from retriever.session import Session
from retriever.types import Unit

MOST_TYPES = 12
MOST_KEYS = 12
"""The most frequent types, and keys of one, that are told."""

PASSAGES = "passage: [title of its page, text]"
TYPES = """
SELECT type, count(*) AS n, max(page_id IS NOT NULL) FROM entity WHERE type IS NOT NULL
GROUP BY type ORDER BY n DESC, type LIMIT ?
"""
KEYS = """
SELECT key FROM attribute JOIN entity ON entity.id = attribute.entity_id WHERE entity.type = ?
GROUP BY key ORDER BY count(*) DESC, key LIMIT ?
"""


def structure_of(session: Session, unit: Unit) -> str:
    """Return the kinds of documents that are ranked, a line each: `type: [parts]`."""
    return PASSAGES if unit == "chunk" else session.part("document structure", _entities)


def _entities(session: Session) -> str:
    connection = session.skb.connection
    lines = []
    for kind, _, has_text in connection.execute(TYPES, (MOST_TYPES,)).fetchall():
        keys = [key for (key,) in connection.execute(KEYS, (kind, MOST_KEYS))]
        lines.append(f"{kind}: [{', '.join(['name', *keys, *['text'] * has_text])}]")
    return "\n".join(lines) or "entity: [name, text]"
