"""What a walk through pages, sections and relations selects, by a chat model or without (thesis, section 3.3: Path)."""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

import numpy as np

from retriever.index.csr import are_in, distinct
from retriever.index.hierarchy import held_by_pages
from retriever.index.ties import in_order
from retriever.index.vectors import known, scores_of, similarity
from retriever.session import Session
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
    """1 for a unit that is selected, else 0: one selection a question and session.

    Selected entities are those on a chosen path and those of chosen pages and
    sections. With `model` the session's chat model selects, where it has one.
    """

    name = "path"

    def __init__(
        self, unit: Unit, pages: int = 3, seeds: int = 3, size: int = 5, single: bool = False, model: bool = False
    ) -> None:
        self.unit = unit
        self.pages = pages
        self.seeds = seeds
        self.size = size
        self.single = single
        self.model = model

    def propose(self, session: Session, query: Query, k: int) -> Ids:
        """Return the units selected, whatever k: the most similar to the question first."""
        ids = self.selected(session, query).ids
        own = scores_of(similarity(session, "chunk" if self.unit == "chunk" else "label"), query.vectors, ids)
        return ids[in_order(session, self.unit, ids, own)]

    def score(self, session: Session, query: Query, ids: Ids) -> Scores:
        """Return 1 for each unit that is selected, else 0."""
        return are_in(ids, self.selected(session, query).ids).astype(np.float32)

    def evidence(self, session: Session, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return the pages, sections and paths by which the unit was selected."""
        selected = self.selected(session, query)
        held = [
            choice
            for choice, units in zip(selected.choices, selected.units, strict=True)
            if np.isin(identity, units)
        ]
        return tuple(
            self._evidence(session, query, each)
            for each in sorted(held, key=lambda each: -each.score)
        )

    def selected(self, session: Session, query: Query) -> Selected:
        """Return what is selected for a question; asks a chat model only when the question is another one."""
        key = query.key, self.unit, self.pages, self.seeds, self.size, self.single, self.model
        return session.memo.of("path", key, lambda: self._select(session, query), held=query.allowed)

    def _select(self, session: Session, query: Query) -> Selected:
        choices = self._choices(session, query)
        chosen = select(session, query, choices, by_model=self.model) if choices else ()
        units = tuple(self._units(session, query, choice) for choice in chosen)
        return Selected(chosen, units, distinct(np.concatenate([np.empty(0, np.int64), *units])))

    def _choices(self, session: Session, query: Query) -> tuple[Choice, ...]:
        if not len(known(query.vectors)):
            return ()
        held = held_by_pages(session, query.allowed if self.unit == "chunk" else None)
        pages, scores = best_pages(session, query, self.pages, held.containers)
        subgraph = best_subgraph(session, query, self.seeds, self.size)
        return container_choices(session, query, pages, scores) + path_choices(session, subgraph)

    def _units(self, session: Session, query: Query, choice: Choice) -> Ids:
        if self.unit == "chunk":
            return chunks_of(session, query, choice, self.single)
        entities = distinct(np.array(choice.entities, np.int64))
        return entities if query.allowed is None else np.intersect1d(entities, query.allowed)

    def _evidence(self, session: Session, query: Query, choice: Choice) -> Evidence:
        mention = mention_of(query.question, np.array(choice.entities))
        if choice.kind != "path":
            return Evidence(self.name, choice.kind, choice.text, choice.text, 1.0, mention)
        uris = session.uris("entity", choice.entities)
        between = zip(choice.types, uris[1:], strict=True)
        steps = (uris[0], *chain.from_iterable(between))
        return Evidence(self.name, choice.kind, uris[-1], choice.text, 1.0, mention, steps)
