"""A page, section, chunk or entity with what is around it, and the documents of an entity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weft.documents import EMBEDDED_TOKENS, document
from weft.errors import NotInKnowledgeBase
from weft.rows import Chunk, Entity, Page, Section
from weft.skb import Skb
from weft.text.names import name_key, uri_part

# Uris suggested for one that is unknown.
MOST_NEAR = 5
CLOSENESS = 0.6
"""How alike a uri must be to be suggested: the share of characters in common, as `difflib` counts it."""

FROM_THERE = """
SELECT page.uri FROM page JOIN source_item ON source_item.id = page.source_id
WHERE page.uri = :page OR :name IN (place, url)
    OR substr(place, -length(:name) - 1) = '/' || :name OR substr(:name, -length(place) - 1) = '/' || place
ORDER BY page.uri LIMIT 3"""
"""The pages of a file, given by the last parts of its path or by more than all, of an address or of a section."""


def show(skb: Skb, uri: str) -> dict[str, Any]:
    """Describe what has this uri, or else the one entity of this name; raise NotInKnowledgeBase for none."""
    if not uri.strip():
        raise NotInKnowledgeBase("the uri is empty; name a page, section, chunk or entity")
    if (page := skb.page(uri)) is not None:
        return _page(skb, page)
    if (chunk := skb.chunk(uri)) is not None:
        return _chunk(skb, chunk)
    if (section := skb.section(uri)) is not None:
        return _section(skb, section)
    if (entity := skb.entity(uri)) is not None:
        return _entity(skb, entity)
    return show(skb, _named(skb, uri).uri)


def entity_called(skb: Skb, name: str) -> Entity:
    """Return the entity of a uri, or else the one entity of this name; raise NotInKnowledgeBase for none."""
    return skb.entity(name) or _named(skb, name)


def page_called(skb: Skb, name: str) -> Page:
    """Return the page of a uri, or else that of the one entity of this name; raise NotInKnowledgeBase for none."""
    if (page := skb.page(name)) is not None:
        return page
    entity = entity_called(skb, name)
    if entity.page_id is None:
        raise NotInKnowledgeBase(f"{entity.uri}: is an entity without a page")
    return skb.pages([entity.page_id])[0]


def pages_titled(skb: Skb, name: str) -> list[str]:
    """Return the uris of all pages that have the title of the page that is called so, or `name` for no such title."""
    page = skb.page(name) or skb.page(uri_part(name))
    # "Overview (guide/intro.md)" is what one page is called, and no title.
    if page is None or uri_part(page.title) != page.uri:
        return [name]
    named = [each.page_id for each in skb.entities_named(name_key(page.title), ("name",)) if each.page_id is not None]
    return sorted({page.uri, *(each.uri for each in skb.pages(named) if each.title == page.title)})


def unknown_page(skb: Skb, name: str, near: Sequence[str]) -> NotInKnowledgeBase:
    """Return the error that a name is no page's title, with the page of a file or an address so called, else `near`."""
    values = {"name": name, "page": name.partition("#")[0]}
    from_there = [uri for (uri,) in skb.connection.execute(FROM_THERE, values)]
    meant = " or ".join(from_there or near)
    hint = f"did you mean {meant}? " if meant else ""
    return NotInKnowledgeBase(f"{name}: no page of that title; {hint}weft info {skb.path} --pages lists all")


def aliases_of(skb: Skb, entity: Entity) -> list[str]:
    """Return an entity's other names, the likeliest first."""
    rows = skb.connection.execute(
        "SELECT name FROM alias WHERE entity_id = ? AND kind <> 'name' GROUP BY name ORDER BY max(weight) DESC, name",
        (entity.id,),
    )
    return [name for (name,) in rows]


def _named(skb: Skb, name: str) -> Entity:
    """Return the one entity of a name; raise NotInKnowledgeBase, with what is near, for none and for several."""
    if not name.strip():
        raise NotInKnowledgeBase("the uri is empty; name a page, section, chunk or entity")
    named = skb.entities_named(name_key(name))
    if len(named) == 1:
        return named[0]
    near = sorted(entity.uri for entity in named)[:MOST_NEAR] or _near(skb, name)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise NotInKnowledgeBase(f"{name}: nothing has this uri{hint}")


def show_document(skb: Skb, uri: str) -> dict[str, Any]:
    """Describe the documents of the entity that has this uri, or else this name, as they are embedded.

    Raises NotInKnowledgeBase for none, and for a section or a chunk.
    """
    entity = skb.entity(uri)
    named = [] if entity is not None else skb.entities_named(name_key(uri))
    if len(named) == 1:
        (entity,) = named
    if entity is None:
        kind = show(skb, uri)["kind"]
        raise NotInKnowledgeBase(f"{uri}: a {kind}, which has no document; name a page or another entity")
    own, related = (
        document(skb.connection, entity.id, relations=relations, budget=EMBEDDED_TOKENS) for relations in (False, True)
    )
    return {
        "uri": entity.uri, "document": own.text, "document+relations": related.text,
        "is_cut": own.is_cut or related.is_cut, "neighbours_left_out": related.neighbours_left_out,
    }  # fmt: skip


def _near(skb: Skb, uri: str) -> list[str]:
    """Return uris that look like this one: of the same page where its title is one, else of pages and entities.

    Time: one comparison for each uri of about the same length.
    """
    from difflib import get_close_matches

    title, mark, _ = uri.partition("#")
    if mark and (page := skb.page(title)) is not None:
        rows = skb.connection.execute(
            "SELECT uri FROM section WHERE page_id = ?1 UNION ALL SELECT uri FROM chunk WHERE page_id = ?1", (page.id,)
        )
    else:
        rows = skb.connection.execute("SELECT uri FROM entity WHERE length(uri) BETWEEN ? AND ?", _lengths(title))
        uri = title
    return get_close_matches(uri, sorted(each for (each,) in rows), MOST_NEAR, CLOSENESS)


def _lengths(text: str) -> tuple[int, int]:
    """Return the lengths that a text as close as CLOSENESS has at least and at most: 2 * min / (sum) is its bound."""
    ratio = CLOSENESS / (2 - CLOSENESS)
    return int(len(text) * ratio), int(len(text) / ratio) + 1


def _page(skb: Skb, page: Page) -> dict[str, Any]:
    chunks = skb.chunks_of_page(page.id)
    entity = skb.entity(page.uri)
    record: dict[str, Any] = {
        "kind": "page", "uri": page.uri, "title": page.title, "url": page.url, "language": page.language,
        "modified": page.modified,
        "sections": [section.uri for section in skb.sections_of_page(page.id)],
        "chunks": [{"uri": chunk.uri, "kind": chunk.kind, "text": chunk.text} for chunk in chunks],
    }  # fmt: skip
    return record | ({} if entity is None else {"entity": _entity(skb, entity)})


def _section(skb: Skb, section: Section) -> dict[str, Any]:
    children = [each for each in skb.sections_of_page(section.page_id) if each.parent_id == section.id]
    parent = None if section.parent_id is None else skb.sections([section.parent_id])[0].uri
    return {
        "kind": "section", "uri": section.uri, "title": section.title, "level": section.level,
        "page": skb.pages([section.page_id])[0].uri, "parent": parent,
        "sections": [child.uri for child in children],
        "chunks": [{"uri": chunk.uri, "kind": chunk.kind, "text": chunk.text}
                   for chunk in skb.chunks_of_section(section.id)],
    }  # fmt: skip


def _chunk(skb: Skb, chunk: Chunk) -> dict[str, Any]:
    siblings = [
        each for each in skb.chunks_of_page(chunk.page_id) if each.section_id == chunk.section_id
    ]
    index = siblings.index(chunk)
    cited = skb.citations([chunk.id])
    entities = skb.entities([citation.entity_id for citation in cited])
    section = None if chunk.section_id is None else skb.sections([chunk.section_id])[0].uri
    return {
        "kind": "chunk", "uri": chunk.uri, "page": skb.pages([chunk.page_id])[0].uri, "section": section,
        "chunk_kind": chunk.kind, "text": chunk.text,
        "previous": siblings[index - 1].uri if index else None,
        "next": siblings[index + 1].uri if index + 1 < len(siblings) else None,
        "cites": sorted(entity.uri for entity in entities),
    }  # fmt: skip


def _entity(skb: Skb, entity: Entity) -> dict[str, Any]:
    citing = skb.chunks([citation.chunk_id for citation in skb.cited_in(entity.id)])
    return {
        "kind": "entity", "uri": entity.uri, "name": entity.name, "type": entity.type,
        "page": None if entity.page_id is None else skb.pages([entity.page_id])[0].uri,
        "aliases": aliases_of(skb, entity),
        "attributes": [attribute._asdict() for attribute in skb.attributes(entity.id)],
        "neighbours": [{"type": each.type, "uri": each.entity.uri} for each in skb.neighbours(entity.id)],
        "cited_in": sorted(chunk.uri for chunk in citing),
    }  # fmt: skip
