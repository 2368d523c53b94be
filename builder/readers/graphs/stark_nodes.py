"""A STaRK node's dictionary as a node: its name, short attributes, and the rest as a readable text.

A short value is an attribute; a long one, or a list, is part of the text, one
paragraph a key. Numbers of other databases and links are left out.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

from builder.readers.graphs.records import Node
from weft.text.normalise import storable

NAMES = ("name", "title", "DisplayName", "brand_name", "category_name", "color_name")
# Keys of identifiers, addresses and lists of identifiers; "[a-z]I[Dd]" finds camel case such as PaperId, not "valid".
LEFT_OUT = re.compile(
    r"(?i:^_|_id|^ids?$|^(?:type|asin|uri|url|also_buy|also_view|similar_item)$|^image|_url$)|[a-z]I[Dd]s?$"
)
# Lines of lists that quote a product's number of a shop.
PRODUCT_NUMBER = re.compile(r"\basin\b", re.I)
PLAIN_TEXTS = frozenset({"abstract", "description", "summary", "text"})
LONGEST_ATTRIBUTE = 120
LONGEST_NUMBER = 4096  # bits: a longer one cannot be written out
MOST_RECORDS = 25
DEEPEST = 50
MOST_TOLD = 1_000_000
"""Bound of one node's values: one each, and one for 64 characters, each as often as it would be written."""
MISSING = frozenset({"", "-1", "nan", "none", "null"})
BLANKS = re.compile(r"\s+")
# Bounded lengths: a lone "<" is left after 500 characters, so the text costs linear time.
TAG = re.compile(r"</?[a-zA-Z][^<>]{0,500}>|<!--.{0,500}?-->")
# Underscores, and the zero-width spot before a capital in camel case.
WORD_STARTS = re.compile(r"_+|(?<=[a-z0-9])(?=[A-Z])")
CONTAINERS = (dict, list, tuple, set, frozenset)
Value = str | int | float


class BadNode(ValueError):
    """A dictionary that cannot be written out: too deep or too large; `cost` is what was counted of it."""

    def __init__(self, reason: str, cost: int) -> None:
        super().__init__(reason)
        self.cost = cost


def node_of(uri: str, kind: str | None, info: dict[Any, Any]) -> Node:
    """Return the node that a dictionary of attributes describes, once `cost_of` has found that this will end."""
    name_key, name = _name(info)
    attributes: dict[str, Value] = {}
    paragraphs = []
    for own_key, value in _fields(info, name_key):
        key = storable(own_key)
        plain = _plain(value)
        if isinstance(plain, str) and key in PLAIN_TEXTS:
            paragraphs.append(plain)
        elif isinstance(plain, str) and (len(plain) > LONGEST_ATTRIBUTE or not isinstance(value, (str, bool))):
            paragraphs.append(f"{_label(key)}: {plain}")
        elif plain is not None:
            attributes.setdefault(key, plain)
    return Node(uri, name or uri, kind, storable("\n\n".join(paragraphs)), attributes)


def cost_of(info: dict[Any, Any], most: int = MOST_TOLD) -> int:
    """Return the cost of writing a dictionary out; raise BadNode where it is too deep or costs more than `most`.

    A list of twice a list of twice a list, and so on, doubles with every level.
    """
    cost = 0
    levels: list[Iterator[Any]] = [iter(info.values())]
    while levels:
        for value in levels[-1]:
            cost += 1 + len(value) // 64 if isinstance(value, str) else 1
            if cost > most:
                raise BadNode("it holds too much, or the same too often", cost)
            if isinstance(value, CONTAINERS):
                levels.append(iter(value.values() if isinstance(value, dict) else value))
                break
        else:
            levels.pop()
        if len(levels) > DEEPEST:
            raise BadNode(f"nested deeper than {DEEPEST}", cost)
    return cost


def _name(info: dict[Any, Any]) -> tuple[str | None, str | None]:
    """Return the key of a node's name and the name; not every kind of node has the same."""
    own = (key for key in info if isinstance(key, str) and key.lower().endswith(("_name", "displayname")))
    for key in (*NAMES, *own):
        name = _scalar(info.get(key))
        if name is not None:
            return key, str(name)
    return None, None


def _fields(info: dict[Any, Any], name_key: str | None) -> Iterator[tuple[str, Any]]:
    """Yield the fields to write out; those of inner dictionaries take the position of these."""
    for key, value in info.items():
        if not isinstance(key, str) or key == name_key or LEFT_OUT.search(key):
            continue
        if isinstance(value, dict) and any(isinstance(each, (dict, list, str)) for each in value.values()):
            yield from _fields(value, None)
        else:
            yield key, value


def _plain(value: Any) -> Value | None:
    """Return a value as a number or one line of text, None for a missing or empty one."""
    if isinstance(value, dict):
        return _record(value) or None
    if isinstance(value, (list, tuple, set, frozenset)):
        return _list(sorted(value, key=str) if isinstance(value, (set, frozenset)) else value) or None
    return _scalar(value)


def _scalar(value: Any) -> Value | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return value if value != -1 and value.bit_length() <= LONGEST_NUMBER else None
    if isinstance(value, float):
        return value if math.isfinite(value) and value != -1 else None
    if not isinstance(value, str):
        return None
    text = BLANKS.sub(" ", TAG.sub(" ", html.unescape(value)) if "<" in value or "&" in value else value).strip()
    text = storable(text)
    return None if text.lower() in MISSING else text


def _list(values: Iterable[Any]) -> str:
    """Write a list in one line: plain values in order; of records, such as reviews, those with most votes first."""
    every = list(values)
    records = [each for each in every if isinstance(each, dict)]
    if records:
        ranked = sorted(records, key=lambda each: -_votes(each.get("vote")))
        texts: Iterable[str] = (_record(each) for each in ranked[:MOST_RECORDS])
    else:
        texts = (str(text) for each in every if (text := _plain(each)) is not None)
    lines = list(dict.fromkeys(line for line in texts if line and not PRODUCT_NUMBER.search(line)))
    return " | ".join(lines) if records else "; ".join(lines)


def _record(value: dict[Any, Any]) -> str:
    """Write a dictionary in one line; the key of a single value is left out, as redundant beside the list's."""
    fields = {
        key: text
        for key, each in value.items()
        if isinstance(key, str) and not LEFT_OUT.search(key) and (text := _plain(each)) is not None
    }
    if len(fields) == 1:
        return str(next(iter(fields.values())))
    return "; ".join(f"{_label(key)}: {text}" for key, text in fields.items())


def _votes(value: Any) -> int:
    digits = str(value or "").replace(",", "")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 0


def _label(key: str) -> str:
    """Return a key in words, as `Original venue` for `OriginalVenue`."""
    words = " ".join(WORD_STARTS.sub(" ", key).split())
    return words[:1].upper() + (words[1:] if words.isupper() else words[1:].lower())
