"""What types, relations and attributes a graph has, and a pattern in its words.

Models write `Gene_Protein` where the graph has `gene/protein`; what is written
almost so is taken for it, and what the graph does not have is left out with a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from retriever.focus.pattern import Pattern, PatternWarning, Symbol, Triplet
from retriever.session import Session
from weft.text.names import name_key

INVERSE = re.compile(r"is (.+) of")


class Words(NamedTuple):
    """Names of one kind as a graph has them, each also by what is written almost so."""

    names: tuple[str, ...]
    by_key: Mapping[str, tuple[str, ...]]

    def stored(self, name: str) -> tuple[str, ...]:
        """Return the graph's names for a name: itself, else those that differ in case and signs alone."""
        return (name,) if name in self.by_key.get(name_key(name), ()) else self.by_key.get(name_key(name), ())


class Schema(NamedTuple):
    """The types of nodes, the relations of edges and the keys of attributes."""

    types: Words
    relations: Words
    attributes: Words


class Reading(NamedTuple):
    """How a pattern is put in a graph's words.

    `renamed` are other names of relations and types. With `exact` only names that
    are the graph's count. A symbol of an unknown type loses it, or is left out
    with `skip_types`; a triplet of an unknown relation takes any, or is left out
    with `skip_relations`.
    """

    renamed: Mapping[str, str] = MappingProxyType({})
    exact: bool = False
    skip_types: bool = False
    skip_relations: bool = False


AS_WRITTEN_ALMOST = Reading()


def words(names: Iterable[str]) -> Words:
    """Return names as they are looked up."""
    by_key: dict[str, list[str]] = {}
    known = tuple(sorted(set(names)))
    for name in known:
        by_key.setdefault(name_key(name), []).append(name)
    return Words(known, {key: tuple(own) for key, own in by_key.items()})


def read_schema(session: Session) -> Schema:
    """Return what a graph has; read once for all sessions."""
    return session.part("types, relations and attributes", _read)


def _read(session: Session) -> Schema:
    connection = session.skb.connection
    types = connection.execute("SELECT DISTINCT type FROM entity_type").fetchall()
    relations = connection.execute("SELECT name FROM relation_type").fetchall()
    keys = connection.execute("SELECT DISTINCT key FROM attribute").fetchall()
    return Schema(*(words(name for (name,) in rows) for rows in (types, relations, keys)))


def in_words_of(pattern: Pattern, schema: Schema, reading: Reading = AS_WRITTEN_ALMOST) -> Pattern:
    """Return a pattern in a graph's words, with a warning for all that it has not."""
    warnings = list(pattern.warnings)
    symbols = {each.variable: _symbol(each, schema, reading, warnings) for each in pattern.symbols}
    kept = tuple(each for each in symbols.values() if each is not None)
    names = {each.variable for each in kept}
    read = [_triplet(each, schema, reading, warnings) for each in pattern.triplets]
    triplets = tuple(each for each in read if each is not None and {each.subject, each.object} <= names)
    target = pattern.target if pattern.target in names else None
    if pattern.target is not None and target is None:
        warnings.append(PatternWarning("NO_TARGET", pattern.target))
    made = Pattern(kept, tuple(dict.fromkeys(triplets)), target)
    if target is not None:
        linked = {each.variable for each in made.connected.symbols}
        warnings += [PatternWarning("DISCONNECTED", each.variable) for each in kept if each.variable not in linked]
        warnings += [] if triplets else [PatternWarning("NO_TRIPLET", target)]
    return made._replace(warnings=tuple(dict.fromkeys(warnings)))


def _names(own: Words, name: str, reading: Reading) -> tuple[str, ...]:
    """Return what a graph calls something."""
    if reading.exact:
        name = reading.renamed.get(name, name)
        return (name,) if name in own.names else ()
    renamed = {name_key(long): short for long, short in reading.renamed.items()}
    return own.stored(name) or own.stored(renamed.get(name_key(name), name))


def _symbol(symbol: Symbol, schema: Schema, reading: Reading, warnings: list[PatternWarning]) -> Symbol | None:
    if symbol.type is None:
        return symbol
    names = _names(schema.types, symbol.type, reading)
    if names:
        return symbol._replace(type=names[0])
    warnings.append(PatternWarning("UNKNOWN_TYPE", symbol.type))
    return None if reading.skip_types else symbol._replace(type=None)


def _triplet(triplet: Triplet, schema: Schema, reading: Reading, warnings: list[PatternWarning]) -> Triplet | None:
    found: dict[str, None] = {}
    backward = False
    for predicate in triplet.predicates:
        names = _names(schema.relations, predicate, reading)
        if not names and not reading.exact and (inverse := INVERSE.fullmatch(name_key(predicate))):
            names = _names(schema.relations, inverse[1], reading)
            backward = backward or (bool(names) and len(triplet.predicates) == 1)
        if not names:
            warnings.append(PatternWarning("UNKNOWN_RELATION", predicate))
        found |= dict.fromkeys(names)
    if triplet.predicates and not found and reading.skip_relations:
        return None
    read = triplet._replace(predicates=tuple(found))
    return read._replace(subject=triplet.object, object=triplet.subject) if backward else read
