"""Which nodes meet a pattern's condition on an attribute, or on their name; what is missing meets none but IS NULL."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from retriever.focus.pattern import Condition, Scalar
from retriever.focus.schema import read_schema
from retriever.index.csr import are_in
from retriever.question.filters import TEXTS, entities_meeting
from retriever.session import Session
from retriever.types import Ids
from weft.skb import Skb
from weft.text.names import name_key

NAME = "name"
"""The key of a node's own name."""


def meeting(session: Session, condition: Condition, among: Ids) -> Ids | None:
    """Return those of some nodes (sorted ids) that meet a condition; None where no node has such an attribute.

    Values are compared as written, and where none is equal in letters of either case.
    """
    if condition.key == NAME:
        return among[~are_in(among, _called(session.skb, condition))] if condition.operator == "<>" else among
    keys = read_schema(session).attributes.stored(condition.key)
    if not keys:
        return None
    if condition.operator in ("<>", "IS NULL"):
        having = _within(among, _having(session.skb, keys))
        if condition.operator == "IS NULL":
            return among[~are_in(among, having)]
        return having[~are_in(having, _equal(session.skb, keys, condition, among))]
    if condition.operator == "IS NOT NULL":
        return _within(among, _having(session.skb, keys))
    if condition.operator in ("=", "IN"):
        return _equal(session.skb, keys, condition, among)
    return _within(among, entities_meeting(session.skb, keys, condition.operator, written(condition.values[0])))


def name_meets(name: str, condition: Condition) -> bool:
    """Tell whether a name holds, begins or ends with a condition's text, in letters of either case."""
    own, text = name.casefold(), written(condition.values[0]).casefold()
    if condition.operator == "STARTS WITH":
        return own.startswith(text)
    return own.endswith(text) if condition.operator == "ENDS WITH" else text in own


def is_part_of_name(condition: Condition) -> bool:
    """Tell whether a condition says a part of a node's name."""
    return condition.key == NAME and condition.operator in TEXTS


def written(value: Scalar) -> str:
    """Return a value as attributes are written."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _equal(skb: Skb, keys: Sequence[str], condition: Condition, among: Ids) -> Ids:
    texts = [written(value) for value in condition.values]
    found = _any_of(skb, keys, "=", texts, among)
    return found if len(found) and not condition.folds_case else _any_of(skb, keys, "LIKE", texts, among)


def _any_of(skb: Skb, keys: Sequence[str], relation: str, texts: Sequence[str], among: Ids) -> Ids:
    found = [entities_meeting(skb, keys, relation, text) for text in texts]
    return _within(among, np.unique(np.concatenate([np.empty(0, np.int64), *found])))


def _having(skb: Skb, keys: Sequence[str]) -> Ids:
    return entities_meeting(skb, keys, "CONTAINS", "")


def _called(skb: Skb, condition: Condition) -> Ids:
    """Return the nodes that a condition names."""
    rows = skb.meanings([name_key(written(value)) for value in condition.values])
    return np.unique(np.array([node for own in rows.values() for node, *_ in own], np.int64))


def _within(among: Ids, ids: Ids) -> Ids:
    return ids[are_in(ids, among)]
