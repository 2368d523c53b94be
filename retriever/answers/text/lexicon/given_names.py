"""Given names that nearly always are a woman's, or a man's."""

from __future__ import annotations

from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "given_names.tsv"


def sex_of(name: str) -> int:
    """Return 1 for a name that begins with a woman's given name, -1 for a man's, 0 where that is not known.

    >>> sex_of("Nancy Orr"), sex_of("Klaus"), sex_of("Orrin Tasker")
    (1, -1, 0)
    """
    first = name.split(maxsplit=1)[:1]
    return _sexes().get(first[0], 0) if first else 0


@cache
def _sexes() -> dict[str, int]:
    rows = (line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines())
    return {name: 1 if sex == "female" else -1 for sex, names in rows for name in names.split()}
