"""Facts that generated pages state in English, as real pages do, so that there is something to ask of them.

A page begins with what it is; then a share of its paragraphs end with a sentence
that relates the page, or what the paragraph links to, to something else that the
paragraph links to, or to a year. A subject has one object of a predicate. Where
the paragraph is a list or a table the fact stands in the triples alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ONTOLOGY = "http://dbpedia.org/ontology/"
YEAR = "http://www.w3.org/2001/XMLSchema#gYear"
NOUNS = ("castle", "village", "river", "bridge", "company", "school", "film", "museum", "ship", "novel", "festival",
         "railway station")  # fmt: skip
RELATED = {
    "designer": "was designed by", "founder": "was founded by", "location": "is located in",
    "namedAfter": "was named after", "owner": "is owned by", "builder": "was built by", "crosses": "crosses",
    "predecessor": "replaced", "operator": "is operated by", "describedBy": "was described by",
}  # fmt: skip
DATED = {"foundingYear": "was founded in", "openingDate": "was opened in", "releaseDate": "was published in"}
OF_A_YEAR = 0.3
OF_THE_PAGE = 0.5
EARLIEST, LATEST = 1100, 2020


class Stated(NamedTuple):
    """A fact: numbers of its subject and object among the titles, or a year instead of an object."""

    subject: int
    predicate: str
    object: int | None
    year: int = 0


class Statements:
    """Draws what paragraphs state, and keeps it; `share` is how many of the paragraphs state something."""

    def __init__(self, share: float, seed: int = 4) -> None:
        self.facts: list[Stated] = []
        self._share = share
        self._draw = np.random.default_rng(seed)
        self._taken: set[tuple[int, str]] = set()

    def noun(self) -> str:
        """Return what a page is."""
        return NOUNS[int(len(NOUNS) * self._draw.random() ** 2)]

    def draw(self, page: int, links: NDArray[np.int64]) -> Stated | None:
        """Return what a paragraph of a page states, by what it links to; None for nothing."""
        if len(links) < 2 or self._draw.random() >= self._share:
            return None
        own, dated = self._draw.random(2) < (OF_THE_PAGE, OF_A_YEAR)
        first, second = self._draw.choice(links, 2, replace=False).tolist()
        subject, object_ = (page if own else first), second
        words: Sequence[str] = list(DATED if dated else RELATED)
        predicate = words[int(self._draw.integers(len(words)))]
        if subject == object_ or (subject, predicate) in self._taken:
            return None
        self._taken.add((subject, predicate))
        year = int(self._draw.integers(EARLIEST, LATEST))
        self.facts.append(Stated(subject, predicate, None, year) if dated else Stated(subject, predicate, object_))
        return self.facts[-1]


def sentence(stated: Stated, subject: str, object_: str) -> str:
    """Return a fact as a sentence, by how its ends are written."""
    words = RELATED.get(stated.predicate) or DATED[stated.predicate]
    return f"{subject} {words} {object_}."


def triple(stated: Stated, names: Sequence[str]) -> str:
    """Return a fact as a line of N-Triples, by the names of all things."""
    written = f'"{stated.year}"^^<{YEAR}>' if stated.object is None else names[stated.object]
    return f"{names[stated.subject]} <{ONTOLOGY}{stated.predicate}> {written} .\n"
