"""Filters: which chunks or entities may be ranked at all, found exactly, before anything is ranked.

>>> parse_condition("opened >= 1207-09"), parse_condition("venue STARTS WITH Acta")
(Condition(key='opened', relation='>=', value='1207-09'), Condition(key='venue', relation='STARTS WITH', value='Acta'))
"""

from __future__ import annotations

import json
import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np

from retriever.session import Session
from retriever.types import Ids, Unit
from weft.errors import WeftError
from weft.show import unknown_page
from weft.skb import Skb
from weft.text.names import name_key, uri_part

# The key ends at the first sign, and of two signs together the longer one counts.
CONDITION = re.compile(r"\s*([^<>=]+?)\s*(>=|<=|=|>|<)\s*(.*?)\s*", re.S)
WORDED = re.compile(r"\s*([^<>=]+?)\s+(CONTAINS|STARTS WITH|ENDS WITH|IN)\s+(.*?)\s*", re.S)
NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?")
SHORT_YEAR = re.compile(r"[0-9]{1,3}")
DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")
# Titles compared with an unknown one, to suggest the nearest.
MOST_ALIKE = 4000
LONGEST_TITLE = 80

EQUAL = "value = :value OR number = :number OR substr(date, 1, length(:date)) = :date"
COMPARED = (
    "number {0} :number OR (date NOT LIKE '-%' AND substr(date, 1, length(:date)) {0} substr(:date, 1, length(date)))"
)
TEXTS = {"CONTAINS": "%{}%", "STARTS WITH": "{}%", "ENDS WITH": "%{}", "LIKE": "{}"}
"""What a text must be like, in letters of either case; LIKE is the same but for these."""

LIKE = "value LIKE :like ESCAPE '!'"
FOLDED_LIKE = "casefolded(value) LIKE :like ESCAPE '!'"
"""The same for letters that SQLite does not know in both cases."""

BEFORE_ALL = " OR (:date IS NOT NULL AND date LIKE '-%')"
"""Dates before the year 1 begin with a minus sign and precede all that can be asked for."""


class Condition(NamedTuple):
    """What an attribute must be: its `key`, one of = > >= < <= IN CONTAINS STARTS WITH, ENDS WITH, and a value.

    The values of IN have commas between them.
    """

    key: str
    relation: str
    value: str


class Filters(NamedTuple):
    """Entities of any of `types`, on any of `pages`, that meet all of `where`; what is empty does not restrict."""

    types: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    where: tuple[Condition, ...] = ()


def parse_condition(text: str) -> Condition:
    """Parse `key=value`, `key>value`, `key CONTAINS value` and so on; raise WeftError for anything else."""
    found = WORDED.fullmatch(text) or CONDITION.fullmatch(text)
    if found is None or not found[3]:
        raise WeftError(
            f"{text}: is no condition; write key=value, key>value, >=, <, <= with a number or a date,"
            " key CONTAINS text, STARTS WITH, ENDS WITH, or key IN one, another"
        )
    condition = Condition(*found.groups())
    if condition.relation == "IN" or condition.relation in TEXTS:
        return condition
    if condition.relation != "=" and DATE.fullmatch(condition.value) and _date(condition.value) is None:
        raise WeftError(f"{text}: {condition.value} is no date of the calendar; months are 01 to 12, days 01 to 31")
    if condition.relation != "=" and _number(condition.value) is None and _date(condition.value) is None:
        raise WeftError(f"{text}: {condition.value} is no number and no date (1207, 1207-09 or 1207-09-30)")
    return condition


def allowed_by(skb: Skb, unit: Unit, filters: Filters) -> Ids | None:
    """Return the sorted ids of all units that may be ranked, None for every one.

    A chunk may when its page's entity has one of the types and meets all
    conditions, and its page is one of those named. An entity of a named page is
    the page's own and every one that its chunks cite. Raise WeftError for a
    type, page or key that the SKB does not know.
    """
    allowed = [entities_where(skb, each) for each in filters.where]
    if filters.types:
        allowed.append(_of_types(skb, filters.types))
    if filters.pages:
        pages = [page for title in filters.pages for page in _pages(skb, title)]
        allowed.append(_on_pages(skb, pages, unit))
    if not allowed:
        return None
    entities = reduce(np.intersect1d, allowed)
    return entities if unit == "entity" else _chunks(skb, entities)


def unrepeated(session: Session) -> Ids | None:
    """Return the ids of all chunks but those that repeat what most pages of their source say; None for all."""

    def read(own: Session) -> Ids | None:
        repeats = own.skb.meta("repeats", [])
        return np.setdiff1d(own.chunk_table.chunk_ids, np.array(repeats, np.int64)) if repeats else None

    return session.part("chunks that repeat no other", read)


def entities_where(skb: Skb, condition: Condition) -> Ids:
    """Return the sorted ids of the entities with such an attribute; one that is missing meets nothing.

    A date is compared as exactly as both are given, a text by its beginning, end or part in letters of either
    case. Raise WeftError for a key that the SKB does not know.
    """
    key, relation, value = condition
    keys = _known(skb, "SELECT DISTINCT key FROM attribute", key, "no attribute has this key")
    if relation == "IN":
        found = [entities_meeting(skb, keys, "=", each.strip()) for each in value.split(",") if each.strip()]
        return np.unique(np.concatenate([np.empty(0, np.int64), *found]))
    return entities_meeting(skb, keys, relation, value)


def entities_meeting(skb: Skb, keys: Sequence[str], relation: str, value: str) -> Ids:
    """Return the sorted ids of the entities with an attribute under some keys that is so related to a value."""
    values: dict[str, object] = {"keys": json.dumps(keys)}
    if relation in TEXTS:
        meets, values["like"] = _text_like(skb, relation, value)
    else:
        meets = EQUAL if relation == "=" else COMPARED.format(relation) + (BEFORE_ALL if relation[0] == "<" else "")
        values |= {"value": value, "number": _number(value), "date": _date(value)}
    return _ids(
        skb,
        f"SELECT DISTINCT entity_id FROM attribute WHERE key IN (SELECT value FROM json_each(:keys)) AND ({meets})",
        values,
    )


def _text_like(skb: Skb, relation: str, text: str) -> tuple[str, str]:
    """Return the SQL that compares a text, and what it is compared with."""
    meets = LIKE
    if not text.isascii():
        skb.connection.create_function("casefolded", 1, str.casefold, deterministic=True)
        meets, text = FOLDED_LIKE, text.casefold()
    escaped = re.sub("[!%_]", r"!\g<0>", text)
    return meets, TEXTS[relation].format(escaped)


def _of_types(skb: Skb, types: Sequence[str]) -> Ids:
    every = "SELECT DISTINCT type FROM entity_type"
    known = [own for kind in types for own in _known(skb, every, kind, "no entity has this type")]
    return _ids(
        skb,
        "SELECT DISTINCT entity_id FROM entity_type WHERE type IN (SELECT value FROM json_each(:types))",
        {"types": json.dumps(known)},
    )


def _pages(skb: Skb, title: str) -> list[int]:
    """Return the pages of a title: by uri, else by name key, else through a redirect."""
    exact = skb.page(title) or skb.page(uri_part(title))
    if exact is not None:
        return [exact.id]
    for kind in ("name", "redirect"):
        named = skb.entities_named(name_key(title), (kind,))
        if pages := [entity.page_id for entity in named if entity.page_id is not None]:
            return pages
    key = name_key(title)
    names = {name.casefold(): name for name in _titles_like(skb, key, len(key) + 3)}
    if not _nearest(title, names):
        # Perhaps a title's first words alone.
        n = len(key.split())
        names = {" ".join(name_key(name).split()[:n]): name for name in _titles_like(skb, key, LONGEST_TITLE)}
    raise unknown_page(skb, title, _nearest(title, names))


def _titles_like(skb: Skb, key: str, longest: int) -> list[str]:
    """Return titles of pages that begin with the letters that a key begins with, none much shorter."""
    alike = skb.names_like(key[:3], (), len(key) - 3, longest, MOST_ALIKE)
    entities = skb.entities(sorted({entity for _, entity in alike}))
    return [entity.name for entity in entities if entity.page_id is not None]


def _on_pages(skb: Skb, pages: Sequence[int], unit: Unit) -> Ids:
    query = "SELECT id FROM entity WHERE page_id IN (SELECT value FROM json_each(:pages))"
    if unit == "entity":
        query += (
            " UNION SELECT entity_id FROM cites WHERE chunk_id IN"
            " (SELECT id FROM chunk WHERE page_id IN (SELECT value FROM json_each(:pages)))"
        )
    return _ids(skb, query, {"pages": json.dumps(pages)})


def _chunks(skb: Skb, entities: Ids) -> Ids:
    return _ids(
        skb,
        "SELECT id FROM chunk WHERE page_id IN (SELECT page_id FROM entity WHERE id IN"
        " (SELECT value FROM json_each(:entities)))",
        {"entities": json.dumps(entities.tolist())},
    )


def _ids(skb: Skb, query: str, values: dict[str, object]) -> Ids:
    rows = skb.connection.execute(query, values)
    return np.unique(np.array([identity for (identity,) in rows], np.int64))


def _known(skb: Skb, every: str, name: str, problem: str) -> list[str]:
    """Return the names of a query's only column that are `name` as written, else but for case; raise WeftError."""
    names = [own for (own,) in skb.connection.execute(every)]
    found = [name] if name in names else sorted(own for own in names if own.casefold() == name.casefold())
    if not found:
        raise _unknown(name, problem, {own.casefold(): own for own in sorted(names)})
    return found


def _nearest(name: str, names: Mapping[str, str]) -> list[str]:
    """Return the few names nearest to one, by their folded form."""
    from difflib import get_close_matches

    return [names[each] for each in get_close_matches(name.casefold(), sorted(names), 3)]


def _unknown(name: str, problem: str, names: Mapping[str, str]) -> WeftError:
    near = _nearest(name, names)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return WeftError(f"{name}: {problem}{hint}")


def _number(text: str) -> float | None:
    return float(text) if NUMBER.fullmatch(text) else None


def _date(text: str) -> str | None:
    """Return a text that is a year, a month or a day of the calendar, else None."""
    text = text.zfill(4) if SHORT_YEAR.fullmatch(text) else text
    if not DATE.fullmatch(text):
        return None
    year, month, day = (int(part) for part in (*text.split("-"), "01", "01")[:3])
    return text if 1 <= month <= 12 and 1 <= day <= monthrange(year or 4, month)[1] else None
