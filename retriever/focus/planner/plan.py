"""Plans: from each name of a question the paths that its words may mean, how likely each is, and what they reach."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.focus.planner.asked_type import asked_types
from retriever.focus.planner.features import Reading, softmax
from retriever.focus.planner.kinds import Kinds
from retriever.focus.planner.likeness import likeness_of
from retriever.focus.planner.model import RelationModel
from retriever.focus.planner.steps import Path, Places, n_edges, one_step, schema_of
from retriever.focus.planner.wording import Wording, wording_of
from retriever.session import Session
from retriever.types import QueryMention, Question

SURE = 0.5
"""How surely a name is one that paths start from, unless none is so sure."""

WIDTH = 200
"""The most paths of each length that are followed further."""

MOST_EDGES = 5_000_000
"""The most edges that are read for one name, but those of the name itself: about two seconds."""

BRACKETS = re.compile(r"\[([^\[\]]+)\]")


class Plan(NamedTuple):
    """A path from the name of a question, how likely it is what is meant, and the places of what it reaches."""

    mention: QueryMention
    path: Path
    probability: float
    places: Places


class Start(NamedTuple):
    """A name that paths start from: the words around it, and every path with what it reaches."""

    mention: QueryMention
    wording: Wording
    reading: Reading
    paths: tuple[Path, ...]
    places: tuple[Places, ...]


def starts(session: Session, question: Question, model: RelationModel, most: int) -> Iterator[Start]:
    """Yield the names of a question with the paths of at most `most` steps from them, each seed's own left out."""
    mentions = names_of(question)
    for mention in mentions:
        wording = wording_of(question.text, mention, [each for each in mentions if each is not mention])
        reading = reading_of(session, wording)
        found = _Search(session, model, reading, wording).paths(mention, most)
        yield Start(mention, wording, reading, tuple(found), tuple(found.values()))


def reading_of(session: Session, wording: Wording) -> Reading:
    """Return words beside an SKB's relations and types."""
    likeness = likeness_of(session, wording.words)
    types = asked_types(session, wording.words, likeness.types)
    return Reading(schema_of(session), wording, likeness, Kinds(session), types)


def typed(session: Session, question: Question, model: RelationModel) -> NDArray[np.float64]:
    """Return how likely each type of the schema (t,) is that of what is asked for."""
    wording = wording_of(question.text, None, question.mentions)
    return softmax(model.type_scores(reading_of(session, wording), wording))


def names_of(question: Question) -> list[QueryMention]:
    """Return the names of a question that paths start from: those in square brackets, else those that are sure."""
    bracketed = [match.span(1) for match in BRACKETS.finditer(question.text)]
    within = [
        max(inside, key=lambda each: (each.end - each.start, float(each.weights[0])))
        for start, end in bracketed
        if (inside := [each for each in question.mentions if start <= each.start and each.end <= end])
    ]
    sure = [each for each in question.mentions if each.weights[0] >= SURE]
    by_name = {each.entities.tobytes(): each for each in reversed(within or sure or question.mentions)}
    return list(by_name.values())[::-1]


class _Search(NamedTuple):
    """Looks for paths, the likeliest first where there are too many."""

    session: Session
    model: RelationModel
    reading: Reading
    wording: Wording

    def paths(self, mention: QueryMention, most: int) -> dict[Path, Places]:
        """Return the paths from what a name may mean, and what each reaches that is none of its beginnings.

        At most `MOST_EDGES` are read, for the likeliest of each length first.
        """
        seeds = np.unique(np.searchsorted(self.session.adjacency.entity_ids, mention.entities))
        found: dict[Path, Places] = {}
        level: dict[Path, Places] = {(): seeds}
        room = MOST_EDGES
        for _ in range(most):
            followed, room = self._followed(level, room)
            level = self._longer(followed, seeds)
            found |= level
        return found

    def _longer(self, level: Mapping[Path, Places], seeds: Places) -> dict[Path, Places]:
        graph, schema = self.session.adjacency, self.reading.schema
        return {
            (*path, step): rest
            for path, places in level.items()
            for step, ends in one_step(graph, schema, places).items()
            if len(rest := np.setdiff1d(ends, seeds, assume_unique=True))
        }

    def _followed(self, level: dict[Path, Places], room: int) -> tuple[dict[Path, Places], int]:
        """Return the paths that are followed further, and how many edges may be read after that."""
        paths = list(level)
        sizes = [n_edges(self.session.adjacency, level[path]) for path in paths]
        if len(paths) <= WIDTH and sum(sizes) <= room:
            return level, room - sum(sizes)
        scores = self.model.scores(self.reading, self.wording, paths)[:-1] if paths != [()] else np.zeros(1)
        followed: dict[Path, Places] = {}
        for number in np.argsort(-scores, kind="stable")[:WIDTH].tolist():
            if sizes[number] <= room or paths[number] == ():
                followed[paths[number]] = level[paths[number]]
                room -= sizes[number]
        return followed, room


def plans_of(
    session: Session, question: Question, model: RelationModel, most: int = 3, *, or_none: bool = True
) -> list[Plan]:
    """Return the plans of a question, the likeliest first; one of equal probability stands where it was found.

    Without `or_none` some path from each name is surely what is meant.
    """
    found = []
    for start in starts(session, question, model, most):
        scores = model.scores(start.reading, start.wording, start.paths)
        likely = softmax(scores if or_none else scores[:-1])[: len(start.paths)]
        found += [
            Plan(start.mention, path, share, places)
            for path, share, places in zip(start.paths, likely.tolist(), start.places, strict=True)
        ]
    return sorted(found, key=lambda plan: (-plan.probability, len(plan.path)))
