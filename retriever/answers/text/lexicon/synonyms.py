"""Words that may say the same by WordNet: who buys acquires, and what was bought was purchased.

The first senses of WordNet's words (Fellbaum 1998) by their stems: what else is in a sense, what a verb is a kind of,
what an adjective is similar to, and what is derived from a word; `benchmarks/synonyms.py` writes the table. Some pairs
say the same in few texts ("spot", "find"): that two words are related counts as some likeness, not as sameness.
WordNet's license is in `hypernyms.LICENSE.txt`.

>>> {"purchas", "acquir"} <= synonyms("buy"), "buy" in synonyms("acquir"), len(synonyms("mxyzptlk"))
(True, True, 0)
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).with_suffix(".npz")


class Table(NamedTuple):
    """The number of each stem, all stems, and those related to stem i from `starts[i]` on."""

    numbers: dict[str, int]
    stems: list[str]
    starts: NDArray[np.int64]
    others: NDArray[np.int64]


@lru_cache(maxsize=1)
def table() -> Table:
    """Read the table that ships."""
    with np.load(FILE) as arrays:
        stems = arrays["stems"].tobytes().decode().split("\n")
        firsts = np.repeat(np.arange(len(stems)), arrays["counts"])
        seconds = arrays["others"].astype(np.int64)
    owners, others = np.concatenate([firsts, seconds]), np.concatenate([seconds, firsts])
    order = np.argsort(owners, kind="stable")
    starts = np.searchsorted(owners[order], np.arange(len(stems) + 1))
    return Table({stem: index for index, stem in enumerate(stems)}, stems, starts, others[order])


@lru_cache(maxsize=1 << 12)
def synonyms(stem: str) -> frozenset[str]:
    """Return the stems of words that may say the same as a stem's."""
    own = table()
    number = own.numbers.get(stem)
    if number is None:
        return frozenset()
    return frozenset(own.stems[each] for each in own.others[own.starts[number] : own.starts[number + 1]].tolist())
