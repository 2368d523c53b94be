"""What the Python face hands out: hits with their reasons, pages, entities, neighbors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from weft.rows import Attribute


class Reason(NamedTuple):
    """One piece of evidence for a hit, as a sentence.

    `contribution` is what its `signal` adds to the score, below 0 what it takes
    away; pieces of evidence of one signal share one contribution. The last reason
    may be the `rest`, by which the contributions add up to the score. `uri` names
    the thing that the sentence is about: a page, section, chunk or entity.
    """

    text: str
    contribution: float
    signal: str
    uri: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk or an entity that a search found.

    `title` is that of a chunk's page, or an entity's name; `text` is a chunk's
    text, or an entity's name with its type. `score` compares hits of one search
    only; `signals` are the raw scores of the signals that the method ranks by.
    `following` is the text that a chunk introduces: the next one of its section, where it ends with a colon.
    """

    rank: int
    uri: str
    title: str
    text: str
    score: float
    signals: Mapping[str, float]
    following: str | None
    explain: Callable[[int], tuple[Reason, ...]] = field(repr=False, compare=False)

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why it is a hit, the strongest reason first, never empty.

        Computed when first read, for all hits of the search at once; raise
        WeftError when that is after the knowledge base was closed.
        """
        return self.explain(self.rank)


class Hits(list[Hit]):
    """The hits of one search, best first.

    `method` and `unit` tell what ranked what; `warnings` are sentences that the
    person who asked should see: that nothing of the question is in the file, that
    a fusion was trained for another embedder, ...
    """

    def __init__(self, hits: Iterable[Hit], method: str, unit: str, warnings: tuple[str, ...]) -> None:
        super().__init__(hits)
        self.method = method
        self.unit = unit
        self.warnings = warnings


class Passage(NamedTuple):
    """A chunk of a page; `kind` is paragraph, list, table, infobox, ..."""

    uri: str
    kind: str
    text: str


class PageRecord(NamedTuple):
    """A page: the uris of its sections and its passages, both in reading order."""

    uri: str
    title: str
    url: str | None
    language: str | None
    modified: str | None
    sections: tuple[str, ...]
    passages: tuple[Passage, ...]


class EntityRecord(NamedTuple):
    """Anything that has a name; `page` is the uri of its own page, None where it has none.

    `aliases` are its other names, the likeliest first.
    """

    uri: str
    name: str
    type: str | None
    page: str | None
    aliases: tuple[str, ...]
    attributes: tuple[Attribute, ...]


class Neighbor(NamedTuple):
    """An entity at the other end of a relation; `predicate` is `is_X_of` where it is read against its direction."""

    predicate: str
    uri: str
    name: str
