"""What a path selection chooses from: pages, their sections, and paths of a subgraph (thesis, section 3.3)."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from retriever.index.vectors import scores_of, similarity
from retriever.session import Session
from retriever.signals.path.subgraph import Path, Subgraph
from retriever.types import Ids, Query, Scores


class Choice(NamedTuple):
    """A page, a section or a path; `text` identifies it, `entities` are those on a path, of a page its own.

    `container` is the id of the page or section, 0 of a path; `types` are the
    relations between a path's entities, as they are read.
    """

    kind: Literal["page", "section", "path"]
    text: str
    container: int
    entities: tuple[int, ...]
    score: float
    types: tuple[str, ...] = ()


def container_choices(session: Session, query: Query, pages: Ids, scores: Scores) -> tuple[Choice, ...]:
    """Return pages, each with its sections behind it in reading order (Section Finder)."""
    skb, found = session.skb, []
    entities = session.chunk_table.entities_of(pages).tolist()
    for page, entity, score in zip(skb.pages(pages.tolist()), entities, scores.tolist(), strict=True):
        found.append(Choice("page", page.uri, page.id, (entity,), score))
        sections = skb.sections_of_page(page.id)
        ids = np.array([each.id for each in sections], np.int64)
        own = scores_of(similarity(session, "section"), query.vectors, ids)
        found += [
            Choice("section", section.uri, section.id, (entity,), each)
            for section, each in zip(sections, own.tolist(), strict=True)
        ]
    return tuple(found)


def path_choices(session: Session, subgraph: Subgraph | None) -> tuple[Choice, ...]:
    """Return the paths of a subgraph, without the seed's own, as `A#type:B#type:C`."""
    paths = [path for path in subgraph.paths if path.types] if subgraph else []
    return tuple(Choice("path", _path_text(session, path), 0, path.entities, path.score, path.types) for path in paths)


def _path_text(session: Session, path: Path) -> str:
    first, *others = session.uris("entity", path.entities)
    return first + "".join(f"#{type_}:{uri}" for type_, uri in zip(path.types, others, strict=True))


def listing(choices: tuple[Choice, ...]) -> str:
    """Return the choices as text: numbered pages with their sections below, without the page's name, then paths."""
    lines, page, number = [], "", 0
    for choice in choices:
        if choice.kind == "page":
            page, number = choice.text, number + 1
            lines.append(f"{number}.{page}")
        else:
            lines.append(choice.text.removeprefix(page) if choice.kind == "section" else choice.text)
    return "\n".join(lines)
