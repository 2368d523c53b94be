"""Measure reading RDF dumps: triples per second of each reader on one generated file.

    python benchmarks/rdf.py [--lines 300000] [--rdflib-lines 30000] [--json]

The file has about the make-up of DBpedia's: three fifths links, the rest
literals with languages, datatypes and a few quotes. Every reader runs `--rounds`
times in turn; the fastest round counts. "with look-ups" adds what a consumer
does: both ends of a triple looked up in a dict of a million names. What is no
plain line is read with pyoxigraph, and as where it is not installed.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import importlib.util
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from builder.rdf.reader import read_triples


class Row(NamedTuple):
    reader: str
    triples: int
    seconds: float

    @property
    def per_second(self) -> int:
        return round(self.triples / self.seconds)


def main() -> None:
    """Print a table, or one JSON object."""
    parser = argparse.ArgumentParser(description="Measure reading RDF dumps.")
    parser.add_argument("--lines", type=int, default=300_000)
    parser.add_argument("--rdflib-lines", type=int, default=30_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(Path(folder), options.lines, options.rdflib_lines)
        rows = measured(readers(files), options.rounds)
    sys.stdout.write(as_json(rows) if options.json else as_table(rows))


def write_files(folder: Path, n_lines: int, n_rdflib: int) -> dict[str, Path]:
    """Write the same triples plain, compressed, with odd lines, and as prefixed Turtle."""
    dice = random.Random(1)
    lines = [generated_line(dice, number) for number in range(n_lines)]
    odd = [line.replace(" ", "  ", 1) if number % 100 == 0 else line for number, line in enumerate(lines)]
    tabs = [line.replace("> ", ">\t", 1) for line in lines[:n_rdflib]]
    slice_ = lines[:n_rdflib]
    turtle = ["@prefix r: <http://dbpedia.org/resource/> .\n"] + [prefixed(line) for line in slice_]
    broken = [line if number % 1_000 else "r:s r:p .\n" for number, line in enumerate(turtle, 1)]
    texts = {
        "plain.nt": lines, "odd.nt": odd, "tabs.nt": tabs, "plain.ttl": lines, "prefixed.ttl": turtle,
        "broken.ttl": broken, "slice.nt": slice_,
    }  # fmt: skip
    files = {name: folder / name for name in texts}
    for name, text in texts.items():
        files[name].write_text("".join(text), encoding="utf-8")
    for name, pack in (("plain.nt.gz", gzip.compress), ("plain.nt.bz2", bz2.compress)):
        files[name] = folder / name
        files[name].write_bytes(pack(files["plain.nt"].read_bytes()))
    return files


def generated_line(dice: random.Random, number: int) -> str:
    """Return one N-Triples line; of a hundred, 62 are links and two have escapes."""
    subject = f"<http://dbpedia.org/resource/{name(dice)}>"
    predicate = f"<http://dbpedia.org/ontology/property{dice.randrange(400)}>"
    kind = dice.randrange(100)
    if kind < 62:
        object_ = f"<http://dbpedia.org/resource/{name(dice)}>"
    elif kind < 80:
        object_ = f'"Label number {number} of the thing"@en'
    elif kind < 90:
        object_ = f'"{number}"^^<http://www.w3.org/2001/XMLSchema#integer>'
    elif kind < 98:
        object_ = f'"plain text {number}"'
    else:
        object_ = f'"Böse \\"quoted\\" words {number}"@de'
    return f"{subject} {predicate} {object_} .\n"


def name(dice: random.Random) -> str:
    return f"Entity_{dice.randrange(100_000)}_(thing)"


def prefixed(line: str) -> str:
    """Return a line as Turtle that only a Turtle parser can read."""
    subject, _, rest = line.partition("> ")
    local = subject.removeprefix("<http://dbpedia.org/resource/").replace("(", "\\(").replace(")", "\\)")
    return f"r:{local} {rest}"


def readers(files: dict[str, Path]) -> dict[str, Callable[[], int]]:
    """Return what is measured: a label and a function that reads and counts."""
    names = {f"<http://dbpedia.org/resource/Entity_{number}_(thing)>": number for number in range(1_000_000)}
    either_way = {
        "1% of the lines not plain": files["odd.nt"],
        "no line plain": files["tabs.nt"],
        "Turtle with prefixes": files["prefixed.ttl"],
        "Turtle, one statement in 1,000 broken": files["broken.ttl"],
    }
    return {
        "plain N-Triples": lambda: count(files["plain.nt"]),
        "plain N-Triples, with look-ups": lambda: count_known(files["plain.nt"], names),
        "plain N-Triples, gzip": lambda: count(files["plain.nt.gz"]),
        "plain N-Triples, bzip2": lambda: count(files["plain.nt.bz2"]),
        "Turtle of plain lines": lambda: count(files["plain.ttl"]),
        **{f"{label}, pyoxigraph": partial(count, path) for label, path in either_way.items() if has_pyoxigraph()},
        **{f"{label}, rdflib": partial(without_pyoxigraph, path) for label, path in either_way.items()},
        "rdflib.Graph, N-Triples": lambda: rdflib_graph(files["slice.nt"], "nt"),
        "rdflib.Graph, Turtle with prefixes": lambda: rdflib_graph(files["prefixed.ttl"], "turtle"),
    }


def has_pyoxigraph() -> bool:
    return importlib.util.find_spec("pyoxigraph") is not None


def without_pyoxigraph(path: Path) -> int:
    """Count as where pyoxigraph is not installed."""
    loaded = sys.modules.get("pyoxigraph")
    sys.modules["pyoxigraph"] = None  # type: ignore[assignment]
    try:
        return count(path)
    finally:
        del sys.modules["pyoxigraph"]
        if loaded:
            sys.modules["pyoxigraph"] = loaded


def count(path: Path) -> int:
    return sum(len(batch.triples) for batch in read_triples(path))


def count_known(path: Path, names: dict[str, int]) -> int:
    """Look both ends of every triple up, and count the triples."""
    total = 0
    get = names.get
    for batch in read_triples(path):
        found = [(get(subject), predicate, get(object_)) for subject, predicate, object_ in batch.triples]
        total += len(found)
    return total


def rdflib_graph(path: Path, form: str) -> int:
    """Parse a file into a graph, which drops duplicates: its lines are counted instead."""
    import rdflib

    rdflib.Graph().parse(path, format=form)
    return path.read_bytes().count(b" .\n") - (form == "turtle")


def measured(functions: dict[str, Callable[[], int]], rounds: int) -> list[Row]:
    """Run every function once a round, all in turn; keep each one's fastest time."""
    best: dict[str, Row] = {}
    for _ in range(rounds):
        for label, function in functions.items():
            start = time.perf_counter()
            triples = function()
            row = Row(label, triples, time.perf_counter() - start)
            best[label] = min(best.get(label, row), row, key=lambda each: each.seconds)
    return list(best.values())


def as_json(rows: list[Row]) -> str:
    base = next(row for row in rows if row.reader == "rdflib.Graph, N-Triples").per_second
    figures = [
        {**row._asdict(), "per_second": row.per_second, "times_rdflib": round(row.per_second / base, 1)} for row in rows
    ]
    return json.dumps({"rows": figures}) + "\n"


def as_table(rows: list[Row]) -> str:
    return "".join(f"{row.reader:49} {row.triples:>9,} triples {row.per_second:>11,}/s\n" for row in rows)


if __name__ == "__main__":
    main()
