"""Questions that one row of one table answers: "Which Locomotive has the Name Ernest Henry?".

A row is known by its key, the first column whose cells are worded and all
different. A question names cells of the row with their columns, and in half of
the cases the page; its gold is the chunk that the row is in. It is fair: no row
of another chunk of the SKB has the same cells.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from weft.skb import Skb

MOST = 200
MOST_OF_A_TABLE, MOST_OF_A_PAGE = 2, 8
LEAST_ROWS, LEAST_COLUMNS = 3, 3
SHORTEST, LONGEST = 2, 60
"""Characters of a cell that is asked about or by; of a column's name, LONGEST_NAME at most."""
LONGEST_NAME = 30


class Row(NamedTuple):
    """A row of a table, with what its cells are called and the place of its key."""

    chunk: str
    page_title: str
    names: tuple[str, ...]
    cells: tuple[str, ...]
    key: int


def rows_of(skb: Skb) -> list[Row]:
    """Return the rows of all tables with a header and a key, in the order of the chunks' uris."""
    found: list[Row] = []
    for uri, title, text in skb.connection.execute(
        "SELECT chunk.uri, page.title, text FROM chunk JOIN page ON page.id = page_id WHERE kind = 'table'"
        " ORDER BY chunk.uri"
    ):
        lines = [tuple(cell.strip() for cell in line.split(" | ")) for line in text.split("\n")]
        names, rows = lines[0], [line for line in lines[1:] if len(line) == len(lines[0])]
        if len(rows) < LEAST_ROWS or len(names) < LEAST_COLUMNS or not all(map(_is_name, names)):
            continue
        if (key := _key(rows)) is not None:
            found += [Row(uri, title, names, row, key) for row in rows]
    return found


def _is_name(text: str) -> bool:
    return 0 < len(text) <= LONGEST_NAME and any(map(str.isalpha, text))


def _key(rows: list[tuple[str, ...]]) -> int | None:
    """Return the first column whose cells are worded and all different."""
    for place, cells in enumerate(zip(*rows, strict=True)):
        if len({cell.casefold() for cell in cells}) == len(cells) and all(map(_is_worded, cells)):
            return place
    return None


def _is_worded(cell: str) -> bool:
    return SHORTEST <= len(cell) <= LONGEST and sum(map(str.isalpha, cell)) > 1


def table_questions(skb: Skb, name: str, seed: int = 0, most: int = MOST) -> Iterator[dict[str, Any]]:
    """Yield at most `most` lines of a question file, two a table and eight a page; one seed gives one set."""
    draw = random.Random(f"{seed} {name}")
    rows = rows_of(skb)
    having: dict[str, set[int]] = defaultdict(set)
    for place, row in enumerate(rows):
        for cell in row.cells:
            having[cell.casefold()].add(place)
    asked_of: dict[str, int] = defaultdict(int)
    number = 0
    for place in draw.sample(range(len(rows)), len(rows)):
        row = rows[place]
        if number == most or asked_of[row.chunk] == MOST_OF_A_TABLE or asked_of[row.page_title] == MOST_OF_A_PAGE:
            continue
        made = _asked(row, draw)
        if made is None or any(
            rows[other].chunk != row.chunk for other in set.intersection(*(having[cell.casefold()] for cell in made[1]))
        ):
            continue
        number += 1
        asked_of[row.chunk] += 1
        asked_of[row.page_title] += 1
        yield {"id": f"{name} {number}", "question": made[0], "gold": [{"uri": row.chunk}], "hops": 1, "type": "table"}


def _asked(row: Row, draw: random.Random) -> tuple[str, list[str]] | None:
    """Return a question that a row answers, and the cells that the question names; None where it has too few."""
    others = [place for place, cell in enumerate(row.cells) if place != row.key and SHORTEST <= len(cell) <= LONGEST]
    if len(others) < 2:
        return None
    of = draw.choice(("", f" in {row.page_title}"))
    first, second = draw.sample(others, 2)
    key, name = row.cells[row.key], row.names[row.key]
    known = f"{row.names[first]} {row.cells[first]}"
    shape = draw.randrange(4)
    if shape == 0:
        return f"What is the {row.names[first]} of {key}{of}?", [key]
    if shape == 1:
        return f"Which {name} has the {known}{of}?", [row.cells[first]]
    if shape == 2:
        return f"Which {name} has the {known} and the {row.names[second]} {row.cells[second]}{of}?", [
            row.cells[first], row.cells[second],
        ]  # fmt: skip
    return f"{key}{of}: which {row.names[second]} with the {known}?", [key, row.cells[first]]
