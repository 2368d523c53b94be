"""The co-mention rule a second time: slow, plain, and sharing nothing with the builder.

A relation between two entities stands when some page cites both; the page's own
entity counts as cited by it. Only Python sets, so that it can be read at a glance.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

Relation = tuple[str, str, str]


def kept_by_hand(links_by_page: dict[str, set[str]], relations: Iterable[Relation]) -> set[Relation]:
    """Return the relations (subject, type, object) both of whose ends some page cites or is."""
    kept = set()
    for relation in relations:
        subject, _, object_ = relation
        for page, links in links_by_page.items():
            cited = links | {page}
            if subject in cited and object_ in cited:
                kept.add(relation)
    return kept


def violations(skb_path: Path) -> list[Relation]:
    """Return the relations of a finished SKB (subject's uri, type, object's uri) that the rule would not keep."""
    connection = sqlite3.connect(f"{skb_path.resolve().as_uri()}?mode=ro", uri=True)
    pages = set(connection.execute("SELECT id FROM page"))
    page_of_chunk = dict(connection.execute("SELECT id, page_id FROM chunk"))
    uri_of = dict(connection.execute("SELECT id, uri FROM entity"))
    name_of_type = dict(connection.execute("SELECT id, name FROM relation_type"))
    pages_of = defaultdict(set)
    for chunk, entity in connection.execute("SELECT chunk_id, entity_id FROM cites"):
        pages_of[entity].add(page_of_chunk[chunk])
    for entity, page in connection.execute("SELECT id, page_id FROM entity WHERE page_id IS NOT NULL"):
        pages_of[entity].add(page)
    assert all((page,) in pages for citing in pages_of.values() for page in citing)
    wrong = []
    for subject, type_, object_ in connection.execute("SELECT subject_id, type_id, object_id FROM relation"):
        if not pages_of[subject] & pages_of[object_]:
            wrong.append((uri_of[subject], name_of_type[type_], uri_of[object_]))
    connection.close()
    return sorted(wrong)
