"""Candidates: which nodes a symbol of a pattern may be, those whose name fits first, then the most similar.

What the conditions and the type of a symbol leave is found first, so that no
candidate is lost behind others that could not be it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from retriever.encodings import Vectors
from retriever.focus.attributes import NAME, is_part_of_name, meeting, name_meets, written
from retriever.focus.node_types import ids_of_type
from retriever.focus.pattern import Pattern, PatternWarning, Symbol
from retriever.index.csr import are_in
from retriever.index.ties import first
from retriever.index.vectors import best, known, similarity
from retriever.question.name_lookup import meanings_of, written_alike
from retriever.session import Session
from retriever.types import Ids
from weft.text.names import name_key

MOST_SEARCHED = 1_000
"""How many nodes that share words with a part of a name are compared with it."""


class Lookup(NamedTuple):
    """How candidates are looked for.

    At most `most` of a constant; where none has the name, those count whose name is
    alike by difflib's ratio `near`, none with 1. With `similar` the nodes whose vectors in `space` are most
    like the name follow, those with a cosine above `least`. Without `types` a symbol's type is ignored. A constant
    without any candidate may be any node where `open_ended`, else none.
    """

    most: int = 100
    near: float = 0.95
    similar: bool = True
    space: str = "label"
    least: float = 0.0
    types: bool = True
    open_ended: bool = True


class Candidates(NamedTuple):
    """For each variable the ids that it may be, None where its type alone tells; of constants the best first.

    `n_named` counts those of each constant that were found by its name, which come before all others.
    """

    ids: Mapping[str, Ids | None]
    n_named: Mapping[str, int]
    warnings: tuple[PatternWarning, ...]


class _Limits(NamedTuple):
    """What conditions leave of a symbol's nodes (None: all), and the texts of those that no node meets."""

    among: Ids | None
    lost: tuple[str, ...]


def find_candidates(session: Session, pattern: Pattern, lookup: Lookup) -> Candidates:
    """Return the candidates of all symbols; the names of all constants are embedded at once.

    The target is never taken by its name alone, unless it is all that the pattern has.
    """
    warnings: list[PatternWarning] = []
    limits = {each.variable: _limits(session, each, lookup, warnings) for each in pattern.symbols}
    constants = [each for each in pattern.symbols if is_looked_up(pattern, each)]
    ids: dict[str, Ids | None] = {variable: own.among for variable, own in limits.items()}
    n_named = {}
    vectors = _vectors(session, constants, limits, lookup)
    for symbol in constants:
        among = ids[symbol.variable]
        if among is None and symbol.type is not None and lookup.types:
            among = ids_of_type(session, symbol.type)
        named = _named(session, symbol, lookup, among)[: lookup.most]
        found = _extended(session, named, vectors[symbol.variable], lookup, among)
        n_named[symbol.variable] = len(named)
        if len(found) or not lookup.open_ended:
            ids[symbol.variable] = found
        if not len(found):
            warnings.append(PatternWarning("NO_CANDIDATE", symbol.constant or ""))
    return Candidates(ids, n_named, tuple(dict.fromkeys(warnings)))


def is_looked_up(pattern: Pattern, symbol: Symbol) -> bool:
    """Tell whether a symbol's candidates are ranked by its name."""
    return symbol.constant is not None and (symbol.variable != pattern.target or not pattern.triplets)


def _limits(session: Session, symbol: Symbol, lookup: Lookup, warnings: list[PatternWarning]) -> _Limits:
    """Return what a symbol's conditions leave; one that leaves nothing is taken back with a warning."""
    among: Ids | None = None
    lost = []
    for condition in symbol.conditions:
        if condition.key == NAME and condition.operator != "<>":
            continue
        found = meeting(session, condition, _all(session, symbol, lookup) if among is None else among)
        if found is not None and len(found):
            among = found
            continue
        said = f"{condition.key} {condition.operator} {', '.join(map(written, condition.values))}"
        warnings.append(PatternWarning("NO_CANDIDATE" if found is not None else "UNKNOWN_ATTRIBUTE", said))
        lost.append(f"{condition.key}: {', '.join(map(written, condition.values))}")
    return _Limits(among, tuple(lost))


def _all(session: Session, symbol: Symbol, lookup: Lookup) -> Ids:
    """Return the nodes of a symbol's type."""
    if symbol.type is None or not lookup.types:
        return session.adjacency.entity_ids
    return ids_of_type(session, symbol.type)


def _vectors(
    session: Session, constants: Sequence[Symbol], limits: Mapping[str, _Limits], lookup: Lookup
) -> dict[str, Vectors]:
    """Return the embeddings of each constant's names, with their types where these are not asked for anyhow."""
    texts = {each.variable: _texts(each, limits[each.variable].lost, lookup) for each in constants if lookup.similar}
    flat = [text for own in texts.values() for text in own]
    encoded = session.encode(flat or [""])
    found, start = {each.variable: encoded[:0] for each in constants}, 0
    for variable, own in texts.items():
        found[variable] = encoded[start : start + len(own)]
        start += len(own)
    if flat:
        similarity(session, lookup.space).begin(known(encoded))
    return found


def _texts(symbol: Symbol, lost: Iterable[str], lookup: Lookup) -> list[str]:
    kind = "" if symbol.type is None or lookup.types else f" ({symbol.type})"
    return ["; ".join([f"{name}{kind}", *lost]) for name in (symbol.constant or "", *symbol.alternatives)]


def _named(session: Session, symbol: Symbol, lookup: Lookup, among: Ids | None) -> Ids:
    """Return the nodes of a constant's names: exact ones, else almost equal ones; then those that hold a part."""
    names = [name_key(name) for name in (symbol.constant or "", *symbol.alternatives)]
    rows = session.skb.meanings(names)
    found = _in_turn([[node for node, _ in meanings_of(rows.get(name, ()), MOST_SEARCHED)] for name in names])
    own = _within(np.array(found, np.int64), among)
    if not len(own) and lookup.near < 1:
        longer = max(2, round(max(map(len, names)) * (1 - lookup.near)))
        near = [[node for node, _ in written_alike(session.skb, name, lookup.near, longer)] for name in names]
        own = _within(np.array(_in_turn(near), np.int64), among)
    parts = _within(np.array(_holding(session, symbol), np.int64), among)
    return np.array([*dict.fromkeys([*own.tolist(), *parts.tolist()])], np.int64)


def _in_turn(lists: Sequence[Sequence[int]]) -> list[int]:
    """Return the firsts of some lists, then the seconds, and so on."""
    return [own[place] for place in range(max(map(len, lists), default=0)) for own in lists if place < len(own)]


def _holding(session: Session, symbol: Symbol) -> list[int]:
    """Return the nodes whose names hold, begin or end with what conditions say, of those that share words with it."""
    found: list[int] = []
    for condition in filter(is_part_of_name, symbol.conditions):
        ids = session.skb.search_text("entity", written(condition.values[0]), MOST_SEARCHED)[0][:MOST_SEARCHED].tolist()
        found += [each.id for each in session.skb.entities(ids) if name_meets(each.name, condition)]
    return found


def _within(ids: Ids, among: Ids | None) -> Ids:
    return ids if among is None else ids[are_in(ids, among)]


def _extended(session: Session, named: Ids, vectors: Vectors, lookup: Lookup, among: Ids | None) -> Ids:
    """Return the nodes of a name, and behind them the most similar ones, at most `most`."""
    wanted = lookup.most - len(named)
    if wanted <= 0 or not len(known(vectors)):
        return named
    space = similarity(session, lookup.space)
    ids, scores = first(session, "entity", best(space, vectors, lookup.most, among), lookup.most)
    others = ids[(scores > lookup.least) & ~np.isin(ids, named)]
    return np.append(named, others[:wanted])
