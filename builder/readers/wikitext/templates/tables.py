"""The tables of this folder: which rule a template's name has, and the names of countries, languages, units, rows.

Each is a file of tab-separated columns, a line of their names first; a bar
stands between the names of the last column, `␣` for a blank. Before the names
stands what they are given, and in some tables a kind before that.
"""

from __future__ import annotations

from importlib.resources import files


def rows(table: str) -> list[list[str]]:
    """Return the rows of a table, each with a text for every column."""
    text = files(__package__).joinpath(f"{table}.tsv").read_text("utf-8")
    return [line.replace("␣", " ").split("\t") for line in text.splitlines()[1:]]


def by_name(table: str, kind: str = "") -> dict[str, str]:
    """Return what each name of a table is given, or each of the rows of one kind, in their order."""
    found = [(value, names) for *kinds, value, names in rows(table) if kind in kinds or not kind]
    return {name: value for value, names in found for name in names.split("|")}
