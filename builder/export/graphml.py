"""GraphML: pages, sections, chunks and entities as nodes, written row by row."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from builder.export import queries
from builder.export.output import Export, new_file, text_kind
from builder.export.rows import Row, RowWriter, read_whole, write_rows
from builder.request import SILENT, Progress

NODE_KEYS = {
    "kind": "string", "uri": "string", "name": "string", "text": "string", "type": "string", "label": "string",
    "url": "string", "language": "string", "modified": "string", "level": "int", "position": "int", "part": "int",
    "chunk_kind": "string", "aliases": "string", "attributes": "string",
}  # fmt: skip
EDGE_KEYS = {"kind": "string", "type": "string", "count": "int"}

# Characters that XML 1.0 cannot hold, not even as references.
NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
IN_TEXT = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord("\r"): "&#13;"}
IN_VALUE = IN_TEXT | {ord('"'): "&quot;", ord("\n"): "&#10;", ord("\t"): "&#9;"}


BEGINNING = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'


def export_graphml(
    connection: sqlite3.Connection, path: Path, *, force: bool = False, progress: Progress = SILENT
) -> Export:
    """Write the graph as GraphML, compressed where `path` ends in .gz.

    Raises WeftError where the file exists (without `force`, or as another kind of file) or cannot be written.
    """
    read_whole(connection)
    with new_file(path, text_kind("GraphML that weft export wrote", BEGINNING), force=force) as out:
        out.write(_head())
        counts = write_rows(connection, out, PARTS, progress)
        out.write("</graph>\n</graphml>\n")
    return Export("graphml", path, counts)


def _head() -> str:
    keys = "".join(
        f'<key id="{owner[0]}_{name}" for="{owner}" attr.name="{name}" attr.type="{kind}"/>\n'
        for owner, names in (("node", NODE_KEYS), ("edge", EDGE_KEYS))
        for name, kind in names.items()
    )
    return f'{BEGINNING}{keys}<graph edgedefault="directed">\n'


def _clean(text: str) -> str:
    return NO_XML.sub("\ufffd", text)


def _id(kind: str, uri: str) -> str:
    return f"{kind}:{_clean(uri)}".translate(IN_VALUE)


def _data(key: str, value: object) -> str:
    if value is None:
        return ""
    return f'<data key="{key}">{_clean(str(value)).translate(IN_TEXT)}</data>'


def _node(kind: str, names: Sequence[str]) -> Callable[[Row], str]:
    """Return what writes a row of a uri and the values of `names` as a node."""
    keys = [f"n_{name}" for name in ("uri", *names)]

    def line(row: Row) -> str:
        data = "".join(map(_data, keys, row))
        return f'<node id="{_id(kind, row[0])}"><data key="n_kind">{kind}</data>{data}</node>\n'

    return line


def _edge(start: str, source: str, end: str, target: str, kind: str, more: str = "") -> str:
    return (
        f'<edge source="{_id(start, source)}" target="{_id(end, target)}">'
        f'<data key="e_kind">{kind}</data>{more}</edge>\n'
    )


def _above(kind: str, name: str) -> Callable[[Row], str]:
    """Return what writes the edge from a section or chunk to its section, else its page."""

    def line(row: Row) -> str:
        uri, section, page = row
        return _edge(kind, uri, "page", page, name) if section is None else _edge(kind, uri, "section", section, name)

    return line


# Aliases and attributes as JSON in one column each: GraphML has no lists. NULL instead of an empty list, so that
# most entities need no element for it.
ENTITIES = (
    "SELECT uri, name, type, label,"
    f" (SELECT nullif(json_group_array(name), '[]') FROM ({queries.ALIASES_OF_ENTITY})),"
    " (SELECT nullif(json_group_object(key, json(texts)), '{}') FROM (SELECT key, json_group_array(value) AS texts FROM"
    " (SELECT DISTINCT key, value FROM attribute WHERE entity_id = entity.id ORDER BY 1, 2) GROUP BY key ORDER BY key))"
    " FROM entity ORDER BY uri"
)

PARTS = (
    RowWriter(
        "pages",
        "SELECT uri, title, url, language, modified FROM page ORDER BY uri",
        _node("page", ("name", "url", "language", "modified")),
    ),
    RowWriter(
        "sections",
        "SELECT uri, title, level, position FROM section ORDER BY uri",
        _node("section", ("name", "level", "position")),
    ),
    RowWriter(
        "chunks",
        "SELECT uri, text, kind, part, position FROM chunk ORDER BY uri",
        _node("chunk", ("text", "chunk_kind", "part", "position")),
    ),
    RowWriter("entities", ENTITIES, _node("entity", ("name", "type", "label", "aliases", "attributes"))),
    RowWriter("section_of", queries.SECTION_OF, _above("section", "section_of")),
    RowWriter("chunk_of", queries.CHUNK_OF, _above("chunk", "chunk_of")),
    RowWriter("next", queries.NEXT, lambda row: _edge("chunk", row[0], "chunk", row[1], "next")),
    RowWriter("about", queries.ABOUT, lambda row: _edge("page", row[0], "entity", row[1], "about")),
    RowWriter(
        "cites",
        queries.CITES,
        lambda row: _edge("chunk", row[0], "entity", row[1], "cites", _data("e_count", row[2])),
    ),
    RowWriter(
        "relations",
        queries.RELATIONS,
        lambda row: _edge("entity", row[0], "entity", row[2], "relation", _data("e_type", row[1])),
    ),
)
