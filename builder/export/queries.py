"""Queries that several formats share: nodes and edges with uris for ids, ordered by uri.

`CROSS JOIN` keeps the table on its left outermost, so that SQLite walks its
index of uris and sorts no more than the rows of one uri at a time.
"""

from __future__ import annotations

# The source item tells where the page comes from.
PAGES = (
    "SELECT page.uri, page.title, page.url, page.language, page.modified, item.source, item.place"
    " FROM page JOIN source_item AS item ON item.id = page.source_id ORDER BY page.uri"
)
# The parent is NULL for sections directly below the page.
SECTIONS = (
    "SELECT section.uri, section.title, section.level, section.position, section.path_text, above.uri, page.uri"
    " FROM section JOIN page ON page.id = section.page_id LEFT JOIN section AS above ON above.id = section.parent_id"
    " ORDER BY section.uri"
)
# The section is NULL for chunks of the lead.
CHUNKS = (
    "SELECT chunk.uri, chunk.text, chunk.kind, chunk.part, chunk.position, section.uri, page.uri"
    " FROM chunk JOIN page ON page.id = chunk.page_id LEFT JOIN section ON section.id = chunk.section_id"
    " ORDER BY chunk.uri"
)
# Entities without a page of their own are part of the graph too.
ENTITIES = (
    "SELECT entity.uri, entity.name, entity.type, entity.label, page.uri"
    " FROM entity LEFT JOIN page ON page.id = entity.page_id ORDER BY entity.uri"
)
# Both parents; the formats write the edge to the section where there is one, else to the page.
SECTION_OF = (
    "SELECT section.uri AS uri, above.uri AS section, page.uri AS page FROM section"
    " JOIN page ON page.id = section.page_id LEFT JOIN section AS above ON above.id = section.parent_id"
    " ORDER BY section.uri"
)
CHUNK_OF = (
    "SELECT chunk.uri AS uri, section.uri AS section, page.uri AS page FROM chunk JOIN page ON page.id = chunk.page_id"
    " LEFT JOIN section ON section.id = chunk.section_id ORDER BY chunk.uri"
)
# The chunk after each one within its own section; the last of a section has none.
NEXT = (
    "SELECT place.uri AS uri, place.following AS following, page.uri AS page FROM (SELECT uri, page_id, lead(uri) OVER"
    " (PARTITION BY page_id, section_id ORDER BY position) AS following FROM chunk) AS place"
    " JOIN page ON page.id = place.page_id WHERE following IS NOT NULL ORDER BY 1"
)
# The page that describes an entity; graph nodes with a text have one too.
ABOUT = (
    "SELECT page.uri AS page, entity.uri AS entity FROM page CROSS JOIN entity ON entity.page_id = page.id"
    " ORDER BY page.uri, 2"
)
# The page is the graph of the statement in N-Quads.
CITES = (
    "SELECT chunk.uri, entity.uri, cites.count, page.uri FROM chunk CROSS JOIN cites ON cites.chunk_id = chunk.id"
    " JOIN entity ON entity.id = cites.entity_id JOIN page ON page.id = chunk.page_id"
    " ORDER BY chunk.uri, entity.uri"
)
RELATIONS = (
    "SELECT subject.uri, relation_type.name, object.uri FROM entity AS subject"
    " CROSS JOIN relation ON relation.subject_id = subject.id"
    " JOIN relation_type ON relation_type.id = relation.type_id"
    " JOIN entity AS object ON object.id = relation.object_id ORDER BY subject.uri, 2, 3"
)

ALIASES_OF_ENTITY = (
    "SELECT DISTINCT alias.name AS name FROM alias WHERE alias.entity_id = entity.id AND alias.name <> entity.name"
    " ORDER BY 1"
)
"""The other names of the row's `entity`; to be put into a query over that table."""


def page_of_source(table: str) -> str:
    """Return SQL for the uri of the page that the source item of a row of `table` is, NULL for a fact file."""
    return f"(SELECT min(page.uri) FROM page WHERE page.source_id = {table}.source_id)"
