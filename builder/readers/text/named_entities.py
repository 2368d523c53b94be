"""Named entities of a trained spaCy pipeline as links of a document.

An entity leads to the document with exactly that title, else to the only one
whose title has the same name key, else to a thing that no document is about.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from builder.documents.records import Chunk, Document, Link
from weft.errors import UnreadableSource
from weft.text.names import name_key, title_of

# What spaCy's pipelines call amounts and times: no names.
AMOUNTS = frozenset("CARDINAL DATE MONEY ORDINAL PERCENT QUANTITY TIME".split())
LONGEST_TEXT = 1_000_000


def check_pipeline(name: str) -> None:
    """Raise UnreadableSource unless `name` is a spaCy pipeline (its name or folder) that finds entities."""
    try:
        pipeline = _pipeline(name)
    except (OSError, ValueError, ImportError) as error:
        reason = str(error).split("\n")[0]
        raise UnreadableSource(f"--spacy {name}: no spaCy pipeline ({reason})") from error
    if not {"ner", "entity_ruler", "span_ruler"}.intersection(pipeline.pipe_names):
        raise UnreadableSource(
            f"--spacy {name}: it finds no entities; choose one with ner or an entity ruler"
        )


def with_named_entities(document: Document, pipeline: str, names: Sequence[tuple[str, str]]) -> Document:
    """Return the document with a link at each entity that no link is at; `names` are (name key, title)."""
    nlp = _pipeline(pipeline)
    keys = Counter(key for key, _ in names)
    titles = {key: title for key, title in names if keys[key] == 1} | {title: title for _, title in names}
    readable = [
        number
        for number, chunk in enumerate(document.chunks)
        if chunk.kind != "code" and len(chunk.text) <= LONGEST_TEXT
    ]
    chunks = list(document.chunks)
    for number, doc in zip(readable, nlp.pipe(chunks[number].text for number in readable), strict=True):
        found = list(_links(doc, chunks[number], document.title, titles))
        if found:
            chunks[number] = chunks[number]._replace(links=tuple(sorted((*chunks[number].links, *found))))
    return document._replace(chunks=tuple(chunks))


def _links(doc: Any, chunk: Chunk, own_title: str, titles: Mapping[str, str]) -> Iterator[Link]:
    own = name_key(own_title)
    taken = sorted((link.start, link.end) for link in chunk.links)
    for entity in doc.ents:
        start, end = entity.start_char, _end(entity.text, entity.start_char)
        target = _target(chunk.text[start:end], titles)
        if entity.label_ in AMOUNTS or not target or name_key(target) == own or _overlaps(taken, start, end):
            continue
        yield Link(start, end, target, "", chunk.text[start:end])


def _end(text: str, start: int) -> int:
    """Return where a name ends, without a possessive's ending."""
    for ending in ("'s", "’s"):
        text = text.removesuffix(ending)
    return start + len(text.rstrip())


def _target(name: str, titles: Mapping[str, str]) -> str:
    target = title_of(name, capital=False)
    key = name_key(target)
    return (titles.get(target) or titles.get(key, target)) if any(map(str.isalpha, key)) else ""


def _overlaps(taken: list[tuple[int, int]], start: int, end: int) -> bool:
    place = bisect_left(taken, (end, 0))
    return place > 0 and taken[place - 1][1] > start


@lru_cache(maxsize=1)
def _pipeline(name: str) -> Any:
    import spacy

    return spacy.load(name, exclude=["parser", "lemmatizer", "textcat"])
