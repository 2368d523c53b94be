"""The tables of templates: names as they are looked up, one rule for each, and nothing that no rule reads."""

from __future__ import annotations

from collections import Counter

import pytest

from builder.readers.wikitext.templates.registry import KINDS, PLACES
from builder.readers.wikitext.templates.tables import by_name, rows

TABLES = ("templates", "countries", "languages", "words", "dropped", "boxes", "infobox")


@pytest.mark.parametrize("table", TABLES)
def test_no_name_stands_twice_in_a_table(table: str) -> None:
    by_kind = table in ("infobox", "dropped", "boxes", "words")
    names = Counter((row[0] if by_kind else "", name) for row in rows(table) for name in row[-1].split("|"))
    assert {name: n for name, n in names.items() if n > 1} == {}


@pytest.mark.parametrize("table", ["templates", "countries", "dropped", "boxes", "infobox"])
def test_names_are_spelled_as_they_are_looked_up(table: str) -> None:
    names = [name for row in rows(table) for name in row[-1].split("|")]
    assert [name for name in names if name != name.lower() or "  " in name] == []
    ends = names if table not in ("dropped", "boxes") else []
    assert [name for name in ends if not name or name != name.strip()] == []


def test_every_rule_that_a_table_names_is_there_and_used() -> None:
    assert {rule for rule, _, _ in rows("templates")} == KINDS.keys()
    assert {place for table in ("dropped", "boxes") for place, _ in rows(table)} == PLACES.keys()
    kinds = {"label", "joined", "labelled by", "hidden", "hidden ending", "name", "counted", "unit"}
    assert {kind for kind, _, _ in rows("infobox")} == kinds
    kinds = {"unit", "between numbers", "end of marriage", "in Chinese", "before sounds"}
    assert {kind for kind, _, _ in rows("words")} == kinds


def test_the_tables_are_whole() -> None:
    assert by_name("countries")["fra"] == "France"
    assert by_name("languages")["grc"] == "Ancient Greek"
    assert by_name("words", "unit")["km2"] == "km²"
    assert len({name for _, _, names in rows("templates") for name in names.split("|")}) > 550
