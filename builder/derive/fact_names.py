"""First reading of the fact files: names of things, before it is known which things exist."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from builder.derive.fact_files import FactFile, retain
from builder.derive.workspace import empty
from builder.rdf.literals import literal
from builder.rdf.predicates import (
    FATE_OF_PREDICATE,
    LABEL,
    REDIRECT,
    TOPIC,
    TOPIC_OF,
    is_of_export,
)
from builder.rdf.reader import read_triples
from weft.text.json_text import parsed_json
from weft.text.names import resource_title, title_of
from weft.text.normalise import encodable


def materialize_fact_names(
    connection: sqlite3.Connection, files: Sequence[FactFile], languages: Sequence[str], all_relations: bool
) -> None:
    """Read redirects, labels and topics anew from the named files.

    Redirects become statements; `topic` (term, title) holds the resources
    whose page has another title than theirs, `label` (term, title, name) the
    labels that differ from their resource's title. With `all_relations`,
    `rdf_end` holds the title of every end of a relation. A truncated file
    keeps its earlier redirects and labels.
    """
    empty(connection, "topic", "label", "rdf_end")
    for file in files:
        if file.kind == "rdf":
            _read_names_anew(connection, file, tuple(languages), all_relations)
    connection.execute(
        # A label belongs to the page of its resource, whatever the order of the two lines in the file.
        "UPDATE temp.label SET title = (SELECT title FROM temp.topic WHERE topic.term = label.term)"
        " WHERE term IN (SELECT term FROM temp.topic)"
    )
    connection.execute("DELETE FROM temp.label WHERE title = name")


def _read_names_anew(
    connection: sqlite3.Connection, file: FactFile, languages: tuple[str, ...], all_relations: bool
) -> None:
    own = "statement WHERE source_id = ?"
    before = connection.execute(f"SELECT source_id, kind, key, value FROM {own}", (file.source_id,)).fetchall()
    connection.execute(f"DELETE FROM {own}", (file.source_id,))
    if _read_names(connection, file, languages, all_relations):
        return
    retain(connection, file)
    now = set(connection.execute(f"SELECT source_id, kind, key, value FROM {own}", (file.source_id,)))
    connection.executemany(
        "INSERT INTO statement (source_id, kind, key, value) VALUES (?, ?, ?, ?)",
        (row for row in before if row not in now),
    )


def _read_names(
    connection: sqlite3.Connection, file: FactFile, languages: tuple[str, ...], all_relations: bool
) -> bool:
    """Read a file's names and return whether it was read to its end."""
    complete = True
    for batch in read_triples(file.path):
        complete &= batch.complete
        redirects, topics, labels = [], [], []
        ends: list[str] = []
        for subject, predicate, object_ in batch.triples:
            fate = FATE_OF_PREDICATE.get(predicate)
            if fate is None:
                if all_relations and object_[0] == "<" and subject[0] == "<":
                    ends += (subject, object_)
            elif fate == REDIRECT and subject[0] == object_[0] == "<":
                redirects.append(
                    (file.source_id, resource_title(subject[1:-1]), resource_title(object_[1:-1]))
                )
            elif fate == TOPIC:
                term, page = (subject, object_) if predicate == TOPIC_OF else (object_, subject)
                if page[0] == "<" and term[0] != '"':
                    topics.append((term, resource_title(page[1:-1])))
            elif fate == LABEL and object_[0] == '"' and not is_of_export(subject, object_):
                text = literal(object_)
                if speaks(text.language, languages):
                    name = title_of(text.value, capital=False)
                    labels.append((file.source_id, subject, resource_title(subject[1:-1]), name))
        connection.executemany(
            "INSERT INTO statement (source_id, kind, key, value) VALUES (?, 'redirect', ?, ?)",
            (row for row in redirects if row[1] and row[2] and row[1] != row[2]),
        )
        connection.executemany(
            # Of several pages of one resource the smallest title wins, so that the order of lines does not matter.
            "INSERT INTO temp.topic VALUES (?, ?) ON CONFLICT (term) DO UPDATE SET title = min(title, excluded.title)",
            ((term, title) for term, title in topics if title and title != resource_title(term[1:-1])),
        )
        connection.executemany(
            "INSERT INTO temp.label VALUES (?, ?, ?, ?)", (row for row in labels if row[3])
        )
        connection.executemany(
            "INSERT OR IGNORE INTO temp.rdf_end VALUES (?)",
            ((resource_title(term[1:-1]),) for term in dict.fromkeys(ends)),
        )
    connection.execute("DELETE FROM temp.rdf_end WHERE title = ''")
    return complete


def speaks(language: str | None, languages: tuple[str, ...]) -> bool:
    """Tell whether a literal is used: without a language tag, or in one of the languages, regional variants too."""
    if language is None or language.partition("-")[0] in languages:
        return True
    return any(language == each or language.startswith(each + "-") for each in languages)


def parse_triple(line: bytes) -> tuple[str, str, str, str | None] | str | None:
    """Return (subject, predicate, object, page title or None) of a line of a triples file.

    Return None for a blank line, and for a wrong one the reason in words.
    """
    if not line.strip():
        return None
    try:
        record = parsed_json(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
    if not isinstance(record, dict):
        return "not an object with subject, predicate and object"
    parts = []
    for key in ("subject", "predicate", "object"):
        value = record.get(key)
        name = title_of(encodable(value), capital=False) if isinstance(value, str) else ""
        if not name:
            return f"{key} is missing, empty or no string"
        parts.append(name)
    title = record.get("title")
    return parts[0], parts[1], parts[2], encodable(title) if isinstance(title, str) else None


def write_label_statements(connection: sqlite3.Connection) -> None:
    """Store the labels of reachable titles as statements, so that a later update has them without their file."""
    # EXCEPT: labels of files that were not read now, or were truncated, are statements already.
    connection.execute(
        "INSERT INTO statement (source_id, kind, key, value)"
        " SELECT DISTINCT source_id, 'label', label.name, label.title FROM temp.label"
        " LEFT JOIN temp.redirect ON redirect.title = label.title"
        " WHERE ifnull(redirect.target, label.title) IN (SELECT title FROM temp.reachable)"
        " EXCEPT SELECT source_id, kind, key, value FROM statement WHERE kind = 'label'"
    )
