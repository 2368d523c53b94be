"""RDF: an SKB as N-Triples, or as N-Quads whose graph is the page or fact file that states them.

docs/export.md lists the vocabulary. Rows come sorted, so equal triples follow
one another and are written once.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, TextIO

from builder.export import queries
from builder.export.output import Export, new_file, text_kind
from builder.export.rows import Row, batches, read_whole
from builder.export.terms import BASE, LABEL, TYPE, day, iri, literal, real, source_iri, term, whole
from builder.request import SILENT, Progress
from weft.text.names import uri_part

GRAPH_OF = "{page}, item.source, item.place"
SAID_BY = " LEFT JOIN source_item AS item ON item.id = {table}.source_id"


class Statements(NamedTuple):
    """One kind of triples: the rows they are made of, how one is written, and in which graph it is."""

    name: str
    query: str
    triples: Callable[[Row], tuple[str, ...]]
    graph: Callable[[Row], str | None]


def export_rdf(
    connection: sqlite3.Connection,
    path: Path,
    *,
    quads: bool = False,
    force: bool = False,
    progress: Progress = SILENT,
) -> Export:
    """Write all knowledge but vectors as triples or, with `quads`, with the graph of each.

    Raises WeftError where the file exists (without `force`, or as another kind of file) or cannot be written.
    """
    read_whole(connection)
    with new_file(path, text_kind("RDF that weft export wrote", f"<{BASE}"), force=force) as out:
        counts, n_lines = {}, 0
        for each in STATEMENTS:
            counts[each.name], written = _write(connection, out, each, quads, progress)
            n_lines += written
        counts["triples"] = n_lines
    return Export("nquads" if quads else "ntriples", path, counts)


def _write(
    connection: sqlite3.Connection, out: TextIO, each: Statements, quads: bool, progress: Progress
) -> tuple[int, int]:
    """Write one kind; return the number of its things and the number of lines."""
    progress.stage(each.name)
    last, n_lines = "", 0
    thing, n_things = "", 0
    for rows in batches(connection, each.query):
        lines = [line for line, _ in groupby(_lines(rows, each, quads))]
        if lines[0] == last:
            del lines[0]
        out.writelines(lines)
        last, n_lines = lines[-1] if lines else last, n_lines + len(lines)
        # Rows that differ only in their source follow one another: their first triple is the same.
        for first, _ in groupby(each.triples(row)[0] for row in rows):
            n_things, thing = n_things + (first != thing), first
        progress.advance(len(rows))
    return n_things, n_lines


def _lines(rows: list[Row], each: Statements, quads: bool) -> Iterator[str]:
    for row in rows:
        graph = each.graph(row) if quads else None
        end = " .\n" if graph is None else f" {graph} .\n"
        for triple in each.triples(row):
            yield triple + end


def _nowhere(row: Row) -> None:
    """Derived statements have no source: they are in the default graph."""


def _in_page(column: int) -> Callable[[Row], str]:
    return lambda row: iri("page", row[column])


def _source_of(row: Row) -> str | None:
    """Return the page, else the fact file, that the last three columns name."""
    page, source, place = row[-3:]
    if page is not None:
        return iri("page", page)
    return None if source is None else source_iri(source, place)


def _page(row: Row) -> tuple[str, ...]:
    uri, title, url, language, modified, source, place = row[:7]
    page = iri("page", uri)
    optional = ((URL, url), (LANGUAGE, language), (MODIFIED, modified))
    return (
        f"{page} {TYPE} {PAGE}",
        f"{page} {LABEL} {literal(title)}",
        *(f"{page} {predicate} {literal(value)}" for predicate, value in optional if value is not None),
        f"{page} {SOURCE} {source_iri(source, place)}",
    )


def _section(row: Row) -> tuple[str, ...]:
    uri, title, level, position, path_text, above, page = row[:7]
    section = iri("section", uri)
    return (
        f"{section} {TYPE} {SECTION}",
        f"{section} {LABEL} {literal(title)}",
        f"{section} {LEVEL} {whole(level)}",
        f"{section} {POSITION} {whole(position)}",
        f"{section} {PATH} {literal(path_text)}",
        f"{section} {SECTION_OF} {_parent(above, page)}",
    )


def _chunk(row: Row) -> tuple[str, ...]:
    uri, text, kind, part, position, section, page = row[:7]
    chunk = iri("chunk", uri)
    return (
        f"{chunk} {TYPE} {CHUNK}",
        f"{chunk} {TEXT} {literal(text)}",
        f"{chunk} {KIND} {literal(kind)}",
        f"{chunk} {PART} {whole(part)}",
        f"{chunk} {POSITION} {whole(position)}",
        f"{chunk} {CHUNK_OF} {_parent(section, page)}",
    )


def _parent(section: str | None, page: str) -> str:
    return iri("page", page) if section is None else iri("section", section)


def _entity(row: Row) -> tuple[str, ...]:
    uri, name, type_, label, page = row[:5]
    entity = iri("entity", uri)
    return (
        f"{entity} {TYPE} {ENTITY}",
        f"{entity} {LABEL} {literal(name)}",
        f"{entity} {DISPLAY} {literal(label)}",
        *(() if type_ is None else (f"{entity} {MAIN_TYPE} {iri('type', type_)}",)),
        *(() if page is None else (f"{entity} {DESCRIBED_BY} {iri('page', page)}",)),
    )


def _fact(predicate: str, subject: str, object_: str) -> Callable[[Row], tuple[str, ...]]:
    """Return what writes rows of two uris."""
    return lambda row: (f"{iri(subject, row[0])} {predicate} {iri(object_, row[1])}",)


def _keyed(kind: str, written: Callable[..., str]) -> Callable[[Row], tuple[str, ...]]:
    """Return what writes rows of an entity, a key and a value."""
    return lambda row: (f"{iri('entity', row[0])} {iri(kind, row[1])} {written(row[2])}",)


def _relation(row: Row) -> tuple[str, ...]:
    return (f"{iri('entity', row[0])} {iri('relation', row[1])} {iri('entity', row[2])}",)


def _alias(row: Row) -> tuple[str, ...]:
    return (f"{iri('entity', row[0])} {ALIAS} {literal(row[1])}",)


def _redirect(row: Row) -> tuple[str, ...]:
    title, target = (iri("entity", uri_part(each)) for each in row[:2])
    return (f"{title} {REDIRECTS_TO} {target}",)


def _source(row: Row) -> tuple[str, ...]:
    label, place = row[:2]
    source = source_iri(label, place)
    return f"{source} {TYPE} {term('Source')}", f"{source} {LABEL} {literal(f'{label}: {place}')}"


# CROSS JOIN fixes the order of the loops (see `builder.export.queries`). The source columns come last in ORDER BY,
# so that equal triples are neighbours.
TYPES = (
    f"SELECT entity.uri, entity_type.type, {GRAPH_OF.format(page=queries.page_of_source('entity_type'))}"
    " FROM entity CROSS JOIN entity_type ON entity_type.entity_id = entity.id"
    f"{SAID_BY.format(table='entity_type')} ORDER BY entity.uri, 2, 3, 4, 5"
)
# An entity's own name is its label already.
ALIASES = (
    "SELECT entity.uri, alias.name FROM entity CROSS JOIN alias ON alias.entity_id = entity.id"
    " WHERE alias.name <> entity.name ORDER BY entity.uri, 2"
)
# A redirect of a title to itself, as some dumps have, states nothing.
REDIRECTS = (
    f"SELECT key, value, {GRAPH_OF.format(page=queries.page_of_source('statement'))} FROM statement"
    f"{SAID_BY.format(table='statement')} WHERE kind = 'redirect' AND key <> value ORDER BY 1, 2, 3, 4, 5"
)
# A row for each source of a relation; relations of fact files have no page.
RELATIONS = (
    f"SELECT subject.uri, relation_type.name, object.uri, {GRAPH_OF.format(page='page.uri')}"
    " FROM entity AS subject CROSS JOIN relation ON relation.subject_id = subject.id"
    " JOIN relation_type ON relation_type.id = relation.type_id"
    " JOIN entity AS object ON object.id = relation.object_id"
    " LEFT JOIN relation_source ON relation_source.relation_id = relation.id"
    " LEFT JOIN page ON page.id = relation_source.page_id"
    f"{SAID_BY.format(table='relation_source')} ORDER BY subject.uri, 2, 3, 4, 5, 6"
)


def _of_entity(column: str) -> str:
    """Return the query of a literal column of `attribute`, by entity, key and value."""
    graph = GRAPH_OF.format(page=queries.page_of_source("attribute"))
    return (
        f"SELECT entity.uri, attribute.key, attribute.{column}, {graph} FROM entity"
        " CROSS JOIN attribute ON attribute.entity_id = entity.id"
        f"{SAID_BY.format(table='attribute')} WHERE attribute.{column} IS NOT NULL ORDER BY entity.uri, 2, 3, 4, 5, 6"
    )


PAGE, SECTION, CHUNK, ENTITY = term("Page"), term("Section"), term("Chunk"), term("Entity")
URL, LANGUAGE, MODIFIED, SOURCE = term("url"), term("language"), term("modified"), term("source")
LEVEL, POSITION, PATH, SECTION_OF = term("level"), term("position"), term("path"), term("sectionOf")
TEXT, KIND, PART, CHUNK_OF = term("text"), term("kind"), term("part"), term("chunkOf")
DISPLAY, MAIN_TYPE, DESCRIBED_BY, ALIAS = term("label"), term("mainType"), term("describedBy"), term("alias")
REDIRECTS_TO = term("redirectsTo")

STATEMENTS = (
    Statements("sources", "SELECT source, place FROM source_item ORDER BY 1, 2", _source, _nowhere),
    Statements("pages", queries.PAGES, _page, _in_page(0)),
    Statements("sections", queries.SECTIONS, _section, _in_page(6)),
    Statements("chunks", queries.CHUNKS, _chunk, _in_page(6)),
    Statements("next", queries.NEXT, _fact(term("next"), "chunk", "chunk"), _in_page(2)),
    Statements("cites", queries.CITES, _fact(term("cites"), "chunk", "entity"), _in_page(3)),
    Statements("entities", queries.ENTITIES, _entity, _nowhere),
    Statements("types", TYPES, _fact(TYPE, "entity", "type"), _source_of),
    Statements("aliases", ALIASES, _alias, _nowhere),
    Statements("redirects", REDIRECTS, _redirect, _source_of),
    Statements("attributes", _of_entity("value"), _keyed("attribute", literal), _source_of),
    Statements("numbers", _of_entity("number"), _keyed("number", real), _source_of),
    Statements("dates", _of_entity("date"), _keyed("date", day), _source_of),
    Statements("relations", RELATIONS, _relation, _source_of),
)
