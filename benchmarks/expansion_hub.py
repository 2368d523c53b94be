"""KAR's graph part around a hub: a seed, its one neighbour, and that one's 200,000 neighbours.

    python -m benchmarks.expansion_hub FOLDER [--neighbours 200000]

Builds the graph in FOLDER where it is not yet, with documents, and times what
KAR does between its two calls of a model, for 20 questions: the likeness of every
document to the question, the search for the best within two hops, and the text of
the triples. Prints milliseconds, the first question apart, which reads the file's
arrays.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from builder.build import build
from builder.request import Request, Settings
from retriever.context import Context
from retriever.expansion.likeness import likeness
from retriever.expansion.neighbourhood import Neighbourhood, places_of
from retriever.expansion.triples import Triples, shown
from retriever.question.reader import read_question
from retriever.session import Session
from weft.skb import Skb

K, HOPS, TOKENS = 10, 2, 4_000
N_QUESTIONS = 20
N_WORDS = 20_000
WORDS_OF_A_NODE = 12


def main() -> None:
    """Build and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--neighbours", type=int, default=200_000)
    given = parser.parse_args()
    path = given.folder / f"hub-{given.neighbours}.skb"
    if not path.exists():
        graph = _write(given.folder / f"hub-{given.neighbours}", given.neighbours)
        build(Request((str(graph),), path, settings=Settings(node_documents=True)))
    with Skb(path) as skb, Session(Context(skb)) as session:
        for name, times in _measured(session).items():
            p50, p95 = np.quantile(times[1:], [0.5, 0.95])
            print(f"{name:<10} first {times[0]:7.1f} ms, then p50 {p50:6.1f}, p95 {p95:6.1f}")


def _words(draw: random.Random) -> str:
    """Return words as unequally frequent as those of a language."""
    return " ".join(f"w{int(N_WORDS ** draw.random())}" for _ in range(WORDS_OF_A_NODE))


def _write(folder: Path, n: int) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(0)
    with (folder / "nodes.jsonl").open("w", encoding="utf-8") as nodes:
        for number, name in enumerate(["seed", "hub", *(f"node {each}" for each in range(n))]):
            record = {"uri": str(number), "name": name, "type": "thing", "text": _words(draw)}
            nodes.write(json.dumps(record) + "\n")
    with (folder / "edges.tsv").open("w", encoding="utf-8") as edges:
        edges.write("subject\tpredicate\tobject\n0\tpartOf\t1\n")
        edges.writelines(f"1\tholds\t{number}\n" for number in range(2, n + 2))
    return folder


def _measured(session: Session) -> dict[str, list[float]]:
    """Return the milliseconds of each part, question by question."""
    times: dict[str, list[float]] = {"likeness": [], "nearest": [], "text": [], "all": []}
    seed = session.skb.entity("0")
    assert seed is not None
    (place,) = places_of(session, np.array([seed.id])).tolist()
    for question in _questions():
        query = read_question(session, question, "entity")
        marks = [time.perf_counter()]
        scores = likeness(session, query.question.vectors, "document", "lead")
        marks.append(time.perf_counter())
        found = Neighbourhood(session, links=True).nearest(place, scores, HOPS, K)
        marks.append(time.perf_counter())
        shown(session, query, [Triples(seed.id, tuple(found))], TOKENS, "lead", K)
        marks.append(time.perf_counter())
        assert len(found) == K
        for name, seconds in zip(times, [*np.diff(marks), marks[-1] - marks[0]], strict=True):
            times[name].append(1000 * float(seconds))
    return times


def _questions() -> Iterator[str]:
    draw = random.Random(1)
    for _ in range(N_QUESTIONS):
        yield f"which thing of the seed has {_words(draw)}"


if __name__ == "__main__":
    main()
