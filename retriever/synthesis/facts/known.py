"""Facts of which no question is made, and which may be a second answer to one: what else rows say.

A table of lighthouses says the shore of each, also of those without a page; an
infobox may list three founders. Whoever asks which lighthouse is on a shore, or
who founded a guild, must know all of them.

>>> rows = row_facts(1, "table", "Light | Shore\\nOld Aunt | Lower Veldra", 7, [])
>>> [(fact.subject.text, fact.predicate.words, fact.object.text, fact.is_asked) for fact in rows]
[('Old Aunt', 'shore', 'Lower Veldra', False)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retriever.synthesis.facts.fact import Fact, Thing
from retriever.synthesis.facts.meanings import Meaning, know_nothing
from retriever.synthesis.facts.rows import CLEAN, LONGEST_VALUE, cells, counted_kind, is_plain
from retriever.synthesis.facts.things import COMPANIES, whole_value
from retriever.synthesis.grammar.labels import dated, predicate_of
from retriever.synthesis.grammar.units import unit_of, with_unit

PARTS = re.compile(r"(?<!\d),|,(?!\d)|[;•|\n]|\s(?:and|&)\s")
SEATED = frozenset("location locale venue seat headquarters headquarter residence address place resting".split())
"""Last words of labels of places: `Hask, Noss Avar` tells one, and where it lies."""


def row_facts(
    chunk: int, kind: str, text: str, own: int, links: Sequence[tuple[int, int, int]]
) -> Iterator[Fact]:
    """Yield what every row of an infobox or a table says, lists by their parts. Linear."""
    named = {text[start:end]: entity for start, end, entity in links}.get
    if kind == "infobox":
        for line in text.split("\n"):
            key, bar, value = line.partition(" | ")
            if bar:
                yield from listed_facts(Thing("entity", "", own), key, value, chunk, named)
    elif kind == "table":
        for name, column, value in cells(text):
            if name:
                yield from listed_facts(named_thing(name, named), column, value, chunk, named)


def listed_facts(
    subject: Thing, key: str, value: str, chunk: int | None, named: Meaning = know_nothing
) -> Iterator[Fact]:
    """Yield what a value says of a subject, by the parts of a list."""
    label = CLEAN.sub(" ", key).strip().lower()
    if not predicate_of(label).words:
        return
    for part in parts_of(label, CLEAN.sub(" ", value).strip(" ,")):
        thing = named_thing(with_unit(part, unit_of(key)), named)
        predicate = dated(predicate_of(label), label, counted_kind(thing))
        if predicate.words:
            yield Fact(subject, predicate, thing, chunk, is_asked=False)


def parts_of(label: str, value: str) -> list[str]:
    """Return the things that a value lists, or itself; of a place and where it lies the place."""
    if is_plain(value):
        return [value]
    parts = [part for each in PARTS.split(value) if (part := each.strip()).rstrip(".") not in COMPANIES]
    is_place = bool(SEATED & set(label.split())) or predicate_of(label).preposition in ("in", "at")
    return [part for part in (parts[:1] if is_place else parts) if 1 < len(part) <= LONGEST_VALUE]


def named_thing(text: str, named: Meaning) -> Thing:
    """Return what a cell is as a whole: a value, an entity that its words link to, else a name."""
    thing = whole_value(text)
    entity = named(text) if thing.kind == "name" else None
    return thing if entity is None else Thing("entity", text, entity)
