"""The tables of this folder: which rule a template's name has, and the names of countries, languages, units, rows.

Each is a file of tab-separated columns, a line of their names first; a bar
stands between the values of a column that has several, `␣` for a blank.
"""

from __future__ import annotations

from importlib.resources import files


def rows(name: str) -> list[list[str]]:
    """Return the rows of a table, each with a text for every column."""
    text = files(__package__).joinpath(f"{name}.tsv").read_text("utf-8")
    return [line.replace("␣", " ").split("\t") for line in text.splitlines()[1:]]


def by_code(name: str) -> dict[str, str]:
    """Return the first column of a table by each value of its second one."""
    return {code: title for title, codes in rows(name) for code in codes.split("|")}
