"""STaRK's released knowledge bases, as streams of nodes and edges.

A folder holds `node_info.pkl` (a dictionary of attributes by node),
`node_types.pt`, `edge_index.pt` and `edge_types.pt` (numbers), and
`node_type_dict.pkl` and `edge_type_dict.pkl` (what the numbers of types mean).
They are read without torch, and nothing that they name is run.

>>> next(read_nodes(Path("prime"))).name                              # doctest: +SKIP
'PHYHIP'
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from builder.readers.graphs.records import Edges, GraphProblem, Node
from builder.readers.graphs.restricted_pickle import load_file
from builder.readers.graphs.stark_nodes import MOST_TOLD, BadNode, cost_of, node_of
from builder.readers.graphs.torch_tensor import read_tensor
from weft.errors import UnreadableSource
from weft.text.normalise import storable

FILES = (
    "node_info.pkl", "node_types.pt", "node_type_dict.pkl", "edge_index.pt", "edge_types.pt", "edge_type_dict.pkl",
)  # fmt: skip
BATCH = 1 << 16  # edges in memory at once
ENDS_AROUND = "___"
LEAST_COST = MOST_TOLD + 100_000
COST_OF_A_BYTE = 4
"""Bound of the text of all nodes, by the size of their pickle: a value that nodes share is written by each of them."""


Numbers = NDArray[np.integer[Any]]


def read_nodes(folder: Path) -> Iterator[Node | GraphProblem]:
    """Yield the nodes in the order of `node_info.pkl`, whose numbers are their uris.

    A node that is no dictionary, or holds too much, is a problem, whose line is its number. Raise
    UnreadableSource when a file is missing, damaged, of another shape, or
    wants to run anything.
    """
    place = processed_folder(folder)
    types = _names(place / "node_type_dict.pkl")
    numbers = _numbers(place / "node_types.pt", 1)
    infos = _dictionary(place / "node_info.pkl")
    left = LEAST_COST + COST_OF_A_BYTE * (place / "node_info.pkl").stat().st_size
    for line, (identity, info) in enumerate(infos.items(), 1):
        if not isinstance(info, dict):
            yield GraphProblem("node_info.pkl", line, f"node {storable(str(identity))[:200]} is no dictionary")
            continue
        is_typed = isinstance(identity, int) and 0 <= identity < len(numbers)
        try:
            left -= cost_of(info, min(MOST_TOLD, left))
        except BadNode as error:
            left = max(0, left - error.cost)
            yield GraphProblem("node_info.pkl", line, f"node {storable(str(identity))[:200]}: {error}")
            continue
        yield node_of(storable(str(identity)), types.get(int(numbers[identity])) if is_typed else None, info)


def read_edges(folder: Path) -> Iterator[Edges | GraphProblem]:
    """Yield the edges in the folder's order; errors are those of `read_nodes`, also for arrays of unequal lengths."""
    yield from _batches(folder, *_edges(folder))


def read_merged_edges(folder: Path) -> Iterator[Edges | GraphProblem]:
    """Yield the edges as `merged` leaves them; errors are those of `read_edges`."""
    yield from _batches(folder, *merged(*_edges(folder)))


def merged(index: Numbers, types: Numbers) -> tuple[Numbers, Numbers]:
    """Return edges (2, e) and types (e,) as STaRK's loader has them, by subject and object.

    A graph that has each edge in both directions stays as it is. Any other gets all
    edges backwards too, and of several between two nodes one is left, its type the
    mean of their numbers without its fraction: 0 and 1 is 0, 2 and 4 is 3. O(e log e).

    >>> merged(np.array([[0, 0], [1, 1]]), np.array([2, 4]))[1].tolist()
    [3, 3]
    """
    forward = np.vstack([index, types])
    backward = forward[[1, 0, 2]]
    if np.array_equal(_sorted(forward), _sorted(backward)):
        return index, types
    both = _sorted(np.hstack([forward, backward]))
    starts = np.flatnonzero(np.append(True, (np.diff(both[:2]) != 0).any(axis=0)))
    counts = np.diff(np.append(starts, both.shape[1]))
    sums = np.add.reduceat(both[2], starts) if len(starts) else both[2]
    return both[:2, starts], sums // counts


def _sorted(edges: Numbers) -> Numbers:
    return edges[:, np.lexsort(edges[::-1])]


def _edges(folder: Path) -> tuple[Numbers, Numbers]:
    """Return the edges, subjects above objects, and their types; raise UnreadableSource where they do not fit."""
    place = processed_folder(folder)
    # Shapes: index (2, edges), types (edges,).
    index = _numbers(place / "edge_index.pt", 2)
    types = _numbers(place / "edge_types.pt", 1)
    if index.shape != (2, len(types)):
        shape = "x".join(map(str, index.shape))
        raise UnreadableSource(f"{place}: edge_index.pt is {shape}, must be 2x{len(types)} as edge_types.pt says")
    return index, types


def _batches(folder: Path, index: Numbers, types: Numbers) -> Iterator[Edges | GraphProblem]:
    names = relation_names(_names(processed_folder(folder) / "edge_type_dict.pkl"))
    for start in range(0, len(types), BATCH):
        subjects, objects = (map(str, index[row, start : start + BATCH].tolist()) for row in (0, 1))
        of_batch = types[start : start + BATCH].tolist()
        for number in set(of_batch) - names.keys():
            names[number] = f"relation {number}"
        yield Edges(list(zip(subjects, map(names.__getitem__, of_batch), objects, strict=True)))


def processed_folder(folder: Path) -> Path:
    """Return the folder that holds the files: the one given, or the one `processed` in it.

    Raises UnreadableSource, which names the missing files.
    """
    below = sorted(Path(root) for root, _, names in os.walk(folder) if "node_info.pkl" in names)
    places = (folder, folder / "processed", *below)
    place = next((place for place in places if (place / "node_info.pkl").is_file()), folder)
    missing = [name for name in FILES if not (place / name).is_file()]
    if missing:
        raise UnreadableSource(f"{place}: no STaRK knowledge base, {' and '.join(missing)} not found")
    return place


def files_of(folder: Path) -> list[Path]:
    """Return the files that hold a STaRK knowledge base; errors are those of `processed_folder`."""
    place = processed_folder(folder)
    return [place / name for name in FILES]


def relation_names(types: dict[int, str]) -> dict[int, str]:
    """Take the node types off names such as `author___writes___paper`, unless two would become one.

    >>> relation_names({0: "author___writes___paper", 1: "also_buy"})
    {0: 'writes', 1: 'also_buy'}
    """
    short = {
        number: parts[1] if len(parts := name.split(ENDS_AROUND)) == 3 and all(parts) else name
        for number, name in types.items()
    }
    counts = Counter(short.values())
    return {number: name if counts[name] == 1 else types[number] for number, name in short.items()}


def _dictionary(path: Path) -> dict[Any, Any]:
    found = load_file(path)
    if not isinstance(found, dict):
        raise UnreadableSource(f"{path}: holds a {type(found).__name__}, must hold a dictionary")
    return found


def _names(path: Path) -> dict[int, str]:
    found = _dictionary(path)
    try:
        return {int(number): _scalar(name) for number, name in found.items()}
    except (TypeError, ValueError, OverflowError) as error:
        raise UnreadableSource(f"{path}: must say what each number means ({error})") from error


def _scalar(name: object) -> str:
    if not isinstance(name, (str, int, float)):
        raise TypeError(f"a {type(name).__name__} is no name")
    return storable(str(name))


def _numbers(path: Path, dimensions: int) -> Numbers:
    found = read_tensor(path)
    if found.ndim != dimensions or found.dtype.kind not in "iu":
        raise UnreadableSource(f"{path}: holds {found.ndim}-dimensional {found.dtype.name}, must hold whole numbers")
    return found
