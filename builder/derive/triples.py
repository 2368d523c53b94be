"""Facts of triples files: stored in the SKB as stated, and joined again by every derivation."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence

from builder.derive.fact_files import (
    STATE_OF_PROBLEM,
    FactFile,
    forget_problems,
    record_fates,
    record_problems,
    retain,
)
from builder.derive.fact_names import parse_triple
from builder.derive.workspace import empty, require
from builder.rdf.predicates import KEPT, MALFORMED
from builder.readers.jsonl import invalid_bytes
from builder.streams.lines import LineBatch, Problem, is_complete, line_batches


def materialize_triples(connection: sqlite3.Connection, files: Sequence[FactFile]) -> None:
    """Read the named triples files into statements; fill `triple` and `triple_end` from those of all files.

    `triple` (source_id, subject, predicate, object, title) holds every triple
    as stated, `triple_end` (name, title) the names of their ends. The earlier
    triples of a truncated file stay.
    """
    execute = connection.execute
    empty(connection, "triple", "triple_end")
    for file in files:
        if file.kind == "triples":
            _read_anew(connection, file)
    stated = execute("SELECT source_id, key, value FROM statement WHERE kind = 'triple'")
    connection.executemany(
        "INSERT INTO temp.triple VALUES (?, ?, ?, ?, ?)",
        ((source, subject, *json.loads(value)) for source, subject, value in stated),
    )
    execute(
        "INSERT OR IGNORE INTO temp.triple_end (name)"
        " SELECT subject FROM temp.triple UNION SELECT object FROM temp.triple"
    )


def _read_anew(connection: sqlite3.Connection, file: FactFile) -> None:
    """Store the triples of a file, and record the counts of its lines and the problems found in them."""
    forget_problems(connection, file)
    (last,) = connection.execute("SELECT ifnull(max(id), 0) FROM statement").fetchone()
    fates: Counter[str] = Counter()
    complete = True
    for batch in line_batches(file.path):
        complete &= is_complete(batch.problems)
        problems = list(batch.problems)
        connection.executemany(
            "INSERT INTO statement (source_id, kind, key, value) VALUES (?, 'triple', ?, ?)",
            ((file.source_id, *row) for row in _statements(batch, problems, fates)),
        )
        for kind, state in STATE_OF_PROBLEM.items():
            found = [each for each in problems if each.kind == kind]
            record_problems(connection, file, ((each.line, state, each.reason) for each in found))
        fates[MALFORMED] += sum(STATE_OF_PROBLEM[each.kind] == "rejected" for each in problems)
    if complete:
        connection.execute("DELETE FROM statement WHERE source_id = ? AND id <= ?", (file.source_id, last))
    else:
        retain(connection, file)
    connection.execute(
        # Triples stated twice, also by the readings before and after a truncation, are stored once.
        "DELETE FROM statement WHERE source_id = ?1 AND id NOT IN"
        " (SELECT min(id) FROM statement WHERE source_id = ?1 GROUP BY key, value)",
        (file.source_id,),
    )
    record_fates(connection, file, fates, complete)


def _statements(
    batch: LineBatch, problems: list[Problem], fates: Counter[str]
) -> Iterator[tuple[str, str]]:
    """Yield (key, value) of every line that can be read; add to the problems and fates of the others."""
    for number, line in enumerate(batch.lines, batch.first_line):
        triple = parse_triple(line)
        if isinstance(triple, str):
            problems.append(Problem(number, "malformed", triple))
        elif triple is not None:
            if invalid_bytes(line):
                problems.append(Problem(number, "noted", "bytes that are not UTF-8 replaced by U+FFFD"))
            fates[KEPT] += 1
            subject, *rest = triple
            yield subject, json.dumps(rest, ensure_ascii=False)


def write_triples(connection: sqlite3.Connection) -> None:
    """Replace the relations of triples files; the entities and `triple_end` must be final.

    A triple's page is the one with exactly its title, else with its normalised
    title; of several pages with one title the one whose uri is the title, else
    the first by uri.
    """
    execute = connection.execute
    require(connection, "triples", "fact_file", "node_page", "triple", "triple_end")
    empty(connection, "title_page")
    execute(
        "INSERT OR IGNORE INTO temp.title_page SELECT title, id FROM page"
        " WHERE id NOT IN (SELECT page_id FROM temp.node_page) ORDER BY uri <> uri_part(title), uri"
    )
    execute(
        # Of all triples files, also those not named: every triple on record is joined again.
        "DELETE FROM relation_source WHERE source_id IN (SELECT id FROM source_item"
        " JOIN temp.fact_file ON fact_file.label = source_item.source WHERE kind = 'triples')"
    )
    execute("INSERT OR IGNORE INTO relation_type (name) SELECT DISTINCT predicate FROM temp.triple ORDER BY 1")
    # Each end by its name to the title that it was joined to, and on to the entity of that title.
    joined = (
        " FROM temp.triple JOIN relation_type ON relation_type.name = predicate"
        " JOIN temp.triple_end AS near ON near.name = subject JOIN entity AS one ON one.uri = uri_part(near.title)"
        " JOIN temp.triple_end AS far ON far.name = object JOIN entity AS other ON other.uri = uri_part(far.title)"
    )
    execute(
        "INSERT OR IGNORE INTO relation (subject_id, type_id, object_id)"
        f" SELECT DISTINCT one.id, relation_type.id, other.id {joined} ORDER BY 1, 2, 3"
    )
    execute(
        # The page by the title as given, else by its normalised form; NULL where no page has either.
        "INSERT OR IGNORE INTO relation_source SELECT DISTINCT relation.id, source_id, ifnull("
        "(SELECT page_id FROM temp.title_page WHERE title_page.title = triple.title),"
        " (SELECT page_id FROM temp.title_page WHERE title_page.title = title_of(triple.title)))"
        f"{joined} JOIN relation ON subject_id = one.id AND type_id = relation_type.id AND object_id = other.id"
    )
    execute("DELETE FROM relation WHERE id NOT IN (SELECT relation_id FROM relation_source)")
    execute("DELETE FROM relation_type WHERE id NOT IN (SELECT type_id FROM relation)")
