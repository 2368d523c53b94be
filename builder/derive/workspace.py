"""The workspace of a derivation: every temporary table and SQL function, who fills it and who reads it.

Steps pass on their results in temporary tables of one connection. Each is
declared here once; SQL names it as `temp.NAME`, so that its users can be found.
A step that reads what others made says so with `require`, and begins to fill
with `empty`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any, NamedTuple

from builder.values import date_in, number_in
from weft.text.names import name_key, relation_words, resource_title, short_name, title_of, uri_part, uri_text
from weft.text.normalise import is_visible


class Table(NamedTuple):
    """A temporary table: what its rows are, its columns in SQL, the module that makes it, and the others that use it.

    `is_clustered` makes it WITHOUT ROWID: stored in its key alone, for tables that are looked up by it.
    """

    rows: str
    columns: str
    writer: str
    readers: tuple[str, ...] = ()
    is_clustered: bool = False


KEYS = "key TEXT PRIMARY KEY, id INTEGER"
FACT = "subject_id INTEGER, type TEXT, object_id INTEGER, source_id INTEGER"
TABLES = {
    "fact_file": Table(
        "fact files on record, and whether this build names them", "label TEXT PRIMARY KEY, kind TEXT, named INTEGER",
        "fact_files", ("aliases", "entities", "facts", "node_uris", "pipeline", "redirects", "stage_inputs", "triples"),
    ),
    "topic": Table("resources whose page has another title", "term TEXT PRIMARY KEY, title TEXT", "fact_names",
                   ("entities", "entity_index")),
    "label": Table("labels that differ from their resource's title",
                   "source_id INTEGER, term TEXT, title TEXT, name TEXT", "fact_names", ("entities", "entity_index")),
    "rdf_end": Table("titles of the ends of all RDF relations", "title TEXT PRIMARY KEY", "fact_names", ("entities",)),
    "node_page": Table("pages that are texts of graph nodes",
                       "page_id INTEGER PRIMARY KEY, source_id INTEGER, own TEXT, UNIQUE (source_id, own)",
                       "node_uris", ("entities", "redirects", "triples")),
    "redirect": Table("redirects that hold, at their end", "title TEXT PRIMARY KEY, target TEXT", "redirects",
                      ("aliases", "entities", "entity_index", "fact_names", "mentions", "stage_inputs"), True),
    "triple": Table("what triples files say, as given",
                    "source_id INTEGER, subject TEXT, predicate TEXT, object TEXT, title TEXT", "triples"),
    "triple_end": Table("ends of triples, with the title of what each is", "name TEXT PRIMARY KEY, title TEXT",
                        "triples", ("entities",)),
    "title_page": Table("the page of each title", "title TEXT PRIMARY KEY, page_id INTEGER", "triples", (), True),
    "shared_title": Table("titles that several documents have or had", "title TEXT PRIMARY KEY", "entities",
                          (), True),
    "own_target": Table("where links of one source lead other than their target says",
                        "source TEXT, raw TEXT, uri TEXT, PRIMARY KEY (source, raw)", "entities", (), True),
    "target": Table("where links, mentions and redirects lead", "raw TEXT PRIMARY KEY, uri TEXT", "entities",
                    ("mentions", "node_uris"), True),
    "meaning": Table("the entities that targets lead to", "raw TEXT PRIMARY KEY, entity_id INTEGER", "entities",
                     (), True),
    "known": Table("everything that exists", "uri TEXT PRIMARY KEY, name TEXT, page_id INTEGER", "entities",
                   ("node_uris",), True),
    "reachable": Table("what may be named when pages go", "title TEXT PRIMARY KEY", "entities", ("fact_names",), True),
    "node": Table("nodes of graphs: their uri in the folder, and in the SKB; whether they were read now",
                  "source_id INTEGER, own TEXT, uri TEXT, name TEXT, is_read INTEGER, PRIMARY KEY (source_id, own)",
                  "graph_nodes", ("node_uris",)),
    "node_type": Table("types of nodes", "source_id INTEGER, own TEXT, type TEXT", "graph_nodes"),
    "node_attribute": Table("attributes of nodes", "source_id INTEGER, own TEXT, key TEXT, value TEXT, number REAL",
                            "graph_nodes"),
    "node_problem": Table("lines of nodes that could not be read",
                          "source_id INTEGER, file TEXT, line INTEGER, reason TEXT, complete INTEGER", "graph_nodes"),
    "renamed": Table("nodes on record under another uri than their own",
                     "source_id INTEGER, uri TEXT, own TEXT, PRIMARY KEY (source_id, uri)", "node_uris"),
    "node_before": Table("nodes on record", "entity_id INTEGER PRIMARY KEY, source_id INTEGER, own TEXT,"
                         " UNIQUE (source_id, own)", "node_uris"),
    "taken": Table("uris that no node may have", "uri TEXT PRIMARY KEY", "node_uris", (), True),
    "move": Table("rows that get another uri", "id INTEGER PRIMARY KEY, uri TEXT", "node_uris"),
    "page_cites": Table("pages that cite an entity, its own page too",
                        "entity_id INTEGER, page_id INTEGER, PRIMARY KEY (entity_id, page_id)", "co_mention",
                        ("stage_inputs",), True),
    "spread": Table("how many pages cite an entity", "entity_id INTEGER PRIMARY KEY, pages INTEGER", "co_mention"),
    "title_key": Table("titles on disk, where memory does not hold them", KEYS, "entity_index", (), True),
    "topic_key": Table("topics on disk", KEYS, "entity_index", (), True),
    "label_key": Table("labels on disk", KEYS, "entity_index", (), True),
    "node_key": Table("nodes' own uris on disk", KEYS, "entity_index", (), True),
    "open_label": Table("labels of resources of no known title", "term TEXT, name TEXT, key TEXT, id INTEGER",
                        "entity_index"),
    "spelling": Table("keys of names that one entity alone has", KEYS, "entity_index", (), True),
    "fact": Table("relations that fact files and graphs say", FACT, "facts", ("graph_nodes",)),
    "edge": Table("relations that fact files and graphs say, each once, in order",
                  "subject_id INTEGER, type_id INTEGER, object_id INTEGER, source_id INTEGER,"
                  " PRIMARY KEY (subject_id, type_id, object_id, source_id)", "facts", (), True),
    "kept_fact": Table("those of them whose ends a page cites together", FACT, "facts"),
    "fact_attribute": Table("attributes that fact files say",
                            "entity_id INTEGER, key TEXT, value TEXT, number REAL, date TEXT, source_id INTEGER",
                            "facts"),
    "wanted": Table("hashes of the texts to embed", "id INTEGER PRIMARY KEY, hash INTEGER", "embeddings"),
}  # fmt: skip
VIEWS = {
    "linked": Table("links with the entity that they lead to", "chunk_id, anchor, entity_id", "entities",
                    ("aliases",)),
    "plain_target": Table("link targets that mean what they say", "raw", "entities", ()),
}  # fmt: skip


class MissingTable(RuntimeError):
    """A stage ran before the one that fills a table which it reads: a programming error, not the user's."""


def require(connection: sqlite3.Connection, stage: str, *tables: str) -> None:
    """Raise MissingTable unless each of the tables was filled on this connection."""
    there = {name for (name,) in connection.execute("SELECT name FROM temp.sqlite_schema")}
    for table in tables:
        if table not in there:
            writer = (TABLES | VIEWS)[table].writer
            raise MissingTable(f"{stage} reads temp.{table}: run builder.derive.{writer} before")


def empty(connection: sqlite3.Connection, *tables: str) -> None:
    """Create each of the tables, or delete its rows, for the stage that fills it."""
    for table in tables:
        declared = TABLES[table]
        tail = " WITHOUT ROWID" if declared.is_clustered else ""
        connection.execute(f"CREATE TEMP TABLE IF NOT EXISTS {table} ({declared.columns}){tail}")
        connection.execute(f"DELETE FROM temp.{table}")


def create_view(connection: sqlite3.Connection, view: str, query: str) -> None:
    """Create a view of this connection, or replace it."""
    connection.execute(f"DROP VIEW IF EXISTS temp.{view}")
    connection.execute(f"CREATE TEMP VIEW {view} AS {query}")


FUNCTIONS: dict[str, Callable[[Any], str | float | None]] = {
    "date_in": date_in,
    "is_visible": is_visible,
    "name_key": name_key,
    "number_in": number_in,
    "relation_words": relation_words,
    "short_name": short_name,
    "title_of": lambda text: None if text is None else title_of(text, capital=False),
    "title_of_term": lambda term: resource_title(term[1:-1]),
    "uri_part": uri_part,
    "uri_text": uri_text,
}


def create_functions(connection: sqlite3.Connection) -> None:
    """Register the SQL functions of all stages; each takes one value and is deterministic."""
    for name, function in FUNCTIONS.items():
        connection.create_function(name, 1, function, deterministic=True)
