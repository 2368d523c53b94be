"""Gold: which chunks and entities of an SKB count as finding a question's gold items."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from retriever.datasets.question_files import GoldItem, Question
from retriever.types import Unit
from weft.errors import BadQuestionFile
from weft.rows import Chunk
from weft.skb import Skb
from weft.text.names import name_key, uri_part

# Footnote marks ([4], [citation needed]), and the digits before ♠ by which Wikipedia sorts a table's numbers.
MARKS = re.compile(r"\[[^\[\]]{0,40}\]|[0-9]{9,}♠")
NOT_LETTER = re.compile(r"[\W_]+")


class GoldSet(NamedTuple):
    """For each gold item of a question the ids that find it; an item that resolves to nothing has none."""

    items: tuple[frozenset[int], ...]

    @property
    def unresolved(self) -> int:
        """Count the items that name nothing in the SKB."""
        return sum(not ids for ids in self.items)

    @property
    def is_lost(self) -> bool:
        """Tell whether there are items and none of them names anything in the SKB."""
        return bool(self.items) and not any(self.items)


@lru_cache(maxsize=65536)
def bare(text: str) -> str:
    """Return a text's letters and digits: NFKC, marks and sort keys out, folded.

    >>> bare("The Crust[1] is 35 km")
    'thecrustis35km'
    """
    return NOT_LETTER.sub("", MARKS.sub("", unicodedata.normalize("NFKC", text)).casefold())


def holds(chunk: str, gold: str) -> bool:
    """Tell whether a chunk's bare text finds a gold's: holds it, or is held by it and is half of it."""
    return bool(gold) and bool(chunk) and (gold in chunk or (chunk in gold and 2 * len(chunk) >= len(gold)))


def unit_of(questions: Sequence[Question], skb: Skb) -> Unit:
    """Choose what to rank for a question file: entities where every gold item is one without a page."""
    items = [item for question in questions for item in question.gold]
    if skb.is_graph:
        return "entity"
    if items and all(item.uri is not None for item in items):
        entities = [skb.entity(item.uri) for item in items if item.uri is not None]
        if all(entity is not None and entity.page_id is None for entity in entities):
            return "entity"
    return "chunk"


def check_gold(questions: Sequence[Question], skb: Skb, unit: Unit) -> None:
    """Raise BadQuestionFile where questions have gold and none of it is in the SKB: nothing could be found of any."""
    judged = [question for question in questions if question.gold]
    resolver = GoldResolver(skb, unit)
    if judged and not any(any(resolver.gold_set(question).items) for question in judged):
        raise BadQuestionFile(
            f"{skb.path}: has no {unit} that the gold of any question names, such as question {judged[0].id}; name the"
            " SKB that the questions are about, or mend their gold (docs/questions.md)"
        )


class GoldResolver:
    """Resolves gold items against one SKB, remembering the pages it has read."""

    def __init__(self, skb: Skb, unit: Unit) -> None:
        self.skb = skb
        self.unit = unit
        self._titles = lru_cache(maxsize=None)(self._pages_or_entities)

    def gold_set(self, question: Question) -> GoldSet:
        """Return what finds each gold item of a question."""
        return GoldSet(tuple(frozenset(self._ids(item)) for item in question.gold))

    def _ids(self, item: GoldItem) -> Iterator[int]:
        if item.uri is not None:
            yield from self._of_uri(item.uri)
        elif item.title is not None:
            for entity, page in self._titles(item.title):
                if self.unit == "entity":
                    yield entity
                elif page is not None:
                    yield from self._of_page(page, item.text)

    def _of_uri(self, uri: str) -> Iterator[int]:
        entity = self.skb.entity(uri)
        if self.unit == "entity":
            if entity is not None:
                yield entity.id
            return
        if entity is not None:
            if entity.page_id is not None:
                yield from (chunk.id for chunk in self.skb.chunks_of_page(entity.page_id))
        elif (section := self.skb.section(uri)) is not None:
            yield from self.skb.chunk_ids_below(section.id)
        elif (chunk := self.skb.chunk(uri)) is not None:
            yield chunk.id

    def _of_page(self, page: int, text: str | None) -> Iterator[int]:
        chunks = self.skb.chunks_of_page(page)
        if text is None:
            yield from (chunk.id for chunk in chunks)
            return
        gold = bare(text)
        for run in runs(chunks):
            if holds(bare(run_text(run)), gold):
                yield from (chunk.id for chunk in run)

    def _pages_or_entities(self, title: str) -> tuple[tuple[int, int | None], ...]:
        """Find a title as a uri, else as a name as written, else by name key, else through a redirect.

        At each step only what has a page counts, where chunks are ranked.
        """
        exact = self.skb.entity(uri_part(title))
        named = self.skb.entities_named(name_key(title), ("name",))
        redirected = self.skb.entities_named(name_key(title), ("redirect",))
        same_name = [entity for entity in named if entity.name == title]
        for found in ([] if exact is None else [exact], same_name, named, redirected):
            usable = [each for each in found if self.unit == "entity" or each.page_id is not None]
            if usable:
                return tuple((entity.id, entity.page_id) for entity in usable)
        return ()


def runs(chunks: Sequence[Chunk]) -> Iterator[list[Chunk]]:
    """Yield the chunks of a page, the consecutive parts of one table, list or text together."""
    run: list[Chunk] = []
    for chunk in chunks:
        if run and not (chunk.part > 1 and chunk.part == run[-1].part + 1):
            yield run
            run = []
        run.append(chunk)
    if run:
        yield run


def run_text(run: Sequence[Chunk]) -> str:
    """Return the text whose parts a run is; only tables repeat lines."""
    texts = [chunk.text for chunk in run]
    return joined(texts) if run[0].kind == "table" else "\n".join(texts)


def joined(texts: Sequence[str]) -> str:
    """Join the parts of a cut table; the leading lines that a part repeats of the first are kept once."""
    parts = [text.split("\n") for text in texts]
    lines = list(parts[0])
    for part in parts[1:]:
        n_repeated = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(parts[0], part, strict=False)))
        # What is one line alone is no header: it is a piece of a row that repeats itself.
        lines += part[min(n_repeated, len(part) - 1) :]
    return "\n".join(lines)
