"""What a walk through pages, sections and relations selects, by a chat model or without (thesis, section 3.3: Path)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from retriever.context import Context
from retriever.index.hierarchy import held_by_pages
from retriever.index.ties import in_order
from retriever.index.vectors import known, similarity
from retriever.signals.mentioned import mention_of
from retriever.signals.page import best_pages
from retriever.signals.path.catalogue import Choice, container_choices, path_choices
from retriever.signals.path.chunks import chunks_of
from retriever.signals.path.selection import select
from retriever.signals.path.subgraph import best_subgraph
from retriever.types import Evidence, Ids, Query, Scores, Unit


class Selected(NamedTuple):
    """What was chosen, the units of each choice, and all of them, sorted."""

    choices: tuple[Choice, ...]
    units: tuple[Ids, ...]
    ids: Ids


class PathSignal:
    """1 for a unit that is selected, else 0: one selection a question, kept until the next question.

    Selected entities are those on a chosen path and those of chosen pages and
    sections.
    """

    name = "path"

    def __init__(
        self, context: Context, unit: Unit, pages: int = 3, seeds: int = 3, size: int = 5, single: bool = False
    ) -> None:
        self.context = context
        self.unit = unit
        self.pages = pages
        self.seeds = seeds
        self.size = size
        self.single = single
        self._last: tuple[Query, Selected] | None = None

    def propose(self, query: Query, k: int) -> Ids:
        """Return the units selected, whatever k: the most similar to the question first."""
        ids = self.selected(query).ids
        own = similarity(self.context, "chunk" if self.unit == "chunk" else "label").of(query, ids)
        return ids[in_order(self.context, self.unit, ids, own)]

    def score(self, query: Query, ids: Ids) -> Scores:
        """Return 1 for each unit that is selected, else 0."""
        return np.isin(ids, self.selected(query).ids).astype(np.float32)

    def evidence(self, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return the pages, sections and paths by which the unit was selected."""
        selected = self.selected(query)
        held = [
            choice
            for choice, units in zip(selected.choices, selected.units, strict=True)
            if np.isin(identity, units)
        ]
        return tuple(
            Evidence(self.name, each.kind, self._uri(each), each.text, 1.0, mention_of(query, np.array(each.entities)))
            for each in sorted(held, key=lambda each: -each.score)
        )

    def selected(self, query: Query) -> Selected:
        """Return what is selected for a question; asks a chat model only when the question is another one."""
        if self._last is None or not same(self._last[0], query):
            self._last = (query, self._select(query))
        return self._last[1]

    def _select(self, query: Query) -> Selected:
        choices = self._choices(query)
        chosen = select(self.context, query, choices) if choices else ()
        units = tuple(self._units(query, choice) for choice in chosen)
        return Selected(chosen, units, np.unique(np.concatenate([np.empty(0, np.int64), *units])))

    def _choices(self, query: Query) -> tuple[Choice, ...]:
        if not len(known(query)):
            return ()
        held = held_by_pages(self.context, query.allowed if self.unit == "chunk" else None)
        pages, scores = best_pages(self.context, query, self.pages, held.containers)
        subgraph = best_subgraph(self.context, query, self.seeds, self.size)
        return container_choices(self.context, query, pages, scores) + path_choices(self.context, subgraph)

    def _units(self, query: Query, choice: Choice) -> Ids:
        if self.unit == "chunk":
            return chunks_of(self.context, query, choice, self.single)
        entities = np.unique(np.array(choice.entities, np.int64))
        return entities if query.allowed is None else np.intersect1d(entities, query.allowed)

    def _uri(self, choice: Choice) -> str:
        return choice.text if choice.kind != "path" else self.context.uris("entity", choice.entities[-1:])[0]


def same(one: Query, other: Query) -> bool:
    """Tell whether two queries select the same."""
    if one is other:
        return True
    return (
        (one.text, one.unit) == (other.text, other.unit)
        and np.array_equal(one.vectors, other.vectors)
        and (one.allowed is None) == (other.allowed is None)
        and (one.allowed is None or np.array_equal(one.allowed, other.allowed))  # type: ignore[arg-type]
    )
