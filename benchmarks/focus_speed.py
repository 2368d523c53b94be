"""Time the steps of focused retrieval on a generated typed graph with hubs, in the proportions of STaRK's MAG.

    python -m benchmarks.focus_speed FOLDER [--share 0.1] [--queries 300] [--slow 10] [--clock cpu] [--json]

FOLDER gets a graph of `--share` of MAG's size (1.87 million nodes, 39.8 million edges) and its SKB, where they are not
there yet. Queries have one to four triplets and lead to a node; half of their constants are not written as the node's
name. Times are of one query, in milliseconds, of the clock or of the processor (`--clock cpu`, which others' work
lengthens less): `candidates` (step 4, without the encoding), `grounding` (step 5), `groups` (step 6) and `similar`
(step 7: the first papers), the last two over one matrix of 384 dimensions with a row for each paper and enough authors
(1.1 million rows of MAG's 1.9 million nodes). `two matrices` is with another one for step 6. Memory is that of a
process that finds the SKB there.

Beside it, for `--slow` of the queries at the first scope, the obvious implementation: for the neighbours of a node all
edges are compared, and scores are a dict that is sorted. Of its look-ups the first 20 of a query are made so, and the
others counted at their mean time.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from builder.build import build
from builder.request import Request
from retriever.context import Context
from retriever.encodings import DenseVectors
from retriever.focus.grounding.relations import relation_names
from retriever.focus.grounding.scope import Settings, ground
from retriever.focus.node_types import node_types
from retriever.focus.order import by_likeness
from retriever.focus.pattern import Pattern, Symbol, Triplet
from retriever.focus.symbols import Candidates, Lookup, find_candidates
from retriever.index.dense.rows import DenseRows
from retriever.index.places import places_of
from retriever.index.ties import first
from retriever.index.vectors import Similarity, best
from retriever.session import Session
from retriever.types import Ids
from weft.skb import Skb

N_NODES, N_EDGES, N_VECTORS = 1_872_968, 39_802_116, 1_100_000
SHARES = {"paper": 0.374, "author": 0.581, "institution": 0.0047, "field_of_study": 0.0403}
EDGES = {
    "author writes paper": ("author", "paper", 0.2), "paper cites paper": ("paper", "paper", 0.25),
    "paper has topic": ("paper", "field_of_study", 0.5), "author works at": ("author", "institution", 0.05),
}  # fmt: skip
N_WORDS = 20_000
DIMENSIONS = 384
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}
K = 20
N_SCANS = 20
N_BEFORE = 30


class Asked(NamedTuple):
    """A pattern, and the name of the node that it was made for."""

    pattern: Pattern
    answer: int


def write_graph(folder: Path, share: float) -> None:
    """Write nodes with names of two to five of many words, and edges to ends that are the more frequent the lower."""
    chance = np.random.default_rng(0)
    words = np.array([f"{a}{b}{c}" for a in _syllables() for b in _syllables() for c in "aeiou"])[:N_WORDS]
    folder.mkdir(parents=True, exist_ok=True)
    counts = {kind: max(5, int(share * N_NODES * own)) for kind, own in SHARES.items()}
    with (folder / "nodes.jsonl").open("w", encoding="utf-8") as file:
        for kind, count in counts.items():
            chosen = words[(N_WORDS * chance.random((count, 5)) ** 2).astype(int)]
            years = chance.integers(1990, 2024, count)
            for number, (row, year, length) in enumerate(zip(chosen, years, chance.integers(2, 6, count), strict=True)):
                attributes = {"year": int(year)} if kind == "paper" else {}
                node = {"uri": f"{kind}{number}", "name": " ".join(row[:length]).title(), "type": kind}
                file.write(json.dumps(node | {"attributes": attributes}) + "\n")
    with (folder / "edges.tsv").open("w", encoding="utf-8") as file:
        file.write("subject\tpredicate\tobject\n")
        for name, (subject, object_, own) in EDGES.items():
            n = int(share * N_EDGES * own)
            starts = (counts[subject] * chance.random(n)).astype(int)
            ends = (counts[object_] * chance.random(n) ** 3).astype(int)
            pairs = zip(starts.tolist(), ends.tolist(), strict=True)
            file.writelines(f"{subject}{start}\t{name}\t{object_}{end}\n" for start, end in pairs)


def _syllables() -> list[str]:
    return [f"{start}{vowel}" for start in "bdfgklmnprstvz" for vowel in "aeiou"]


def queries(session: Session, n: int) -> Iterator[Asked]:
    """Yield patterns that begin at a node and lead along one to four of its edges, and those of what they lead to."""
    chance = np.random.default_rng(1)
    graph, types, names = session.adjacency, node_types(session), relation_names(session)
    kind_of = np.empty(len(graph.entity_ids), object)
    for kind, places in zip(types.names, types.places, strict=True):
        kind_of[places] = kind
    made = 0
    while made < n:
        start = int(chance.integers(len(graph.entity_ids)))
        chain, triplets, places = [Symbol("y", kind_of[start])], [], [start]
        for number in range(1 + made % 4):
            base = int(chance.integers(len(places))) if chance.random() < 0.5 else len(places) - 1
            table, forward = (graph.outgoing, True) if chance.random() < 0.5 else (graph.incoming, False)
            low, high = table.indptr[places[base]], table.indptr[places[base] + 1]
            if low == high:
                break
            at = int(chance.integers(low, high))
            ends = (chain[base].variable, f"x{number}") if forward else (f"x{number}", chain[base].variable)
            triplets.append(Triplet(ends[0], (names[int(table.values[at])],), ends[1]))
            places.append(int(table.indices[at]))
            chain.append(Symbol(f"x{number}", kind_of[places[-1]]))
        if len(triplets) == 1 + made % 4 and len(set(places)) == len(places):
            yield Asked(Pattern(_named(session, chain, triplets, places, chance), tuple(triplets), "y"), start)
            made += 1


def _named(
    session: Session, chain: Sequence[Symbol], triplets: Sequence[Triplet], places: Sequence[int],
    chance: np.random.Generator,
) -> tuple[Symbol, ...]:  # fmt: skip
    """Return symbols of which those at the ends of chains are constants, half of them without their last word."""
    degree = {symbol.variable: 0 for symbol in chain}
    for triplet in triplets:
        degree[triplet.subject] += 1
        degree[triplet.object] += 1
    found = []
    for symbol, place in zip(chain, places, strict=True):
        if symbol.variable != "y" and degree[symbol.variable] == 1:
            (entity,) = session.skb.entities([int(session.adjacency.entity_ids[place])])
            name = entity.name if chance.random() < 0.5 else entity.name.rpartition(" ")[0]
            symbol = symbol._replace(constant=name)
        found.append(symbol)
    return tuple(found)


class Times(NamedTuple):
    """Milliseconds of one query's steps, how many answers it has, the right one or not, and its candidates."""

    encoding: float
    candidates: float
    grounding: float
    groups: float
    similar: float
    n: int
    is_answered: bool
    found: Candidates


class Matrices(NamedTuple):
    """Two vector spaces of the same nodes, which may be one, and the ids of the papers in them."""

    space: Similarity
    other: Similarity
    papers: Ids


def matrices_of(session: Session) -> Matrices:
    """Return random vectors of all papers, and of as many authors as the share of MAG's vectors needs."""
    graph, types = session.adjacency, node_types(session)
    papers, authors = types.of("paper"), types.of("author")
    n_authors = round(N_VECTORS / N_NODES * len(graph.entity_ids)) - len(papers)
    ids = graph.entity_ids[np.sort(np.concatenate([papers, authors[: max(0, n_authors)]]))]
    rows = DenseRows(_unit_rows(np.random.default_rng(3), len(ids)))
    space = Similarity("one", ids, rows, session.memo, places_of(ids))
    return Matrices(space, space, graph.entity_ids[papers])


def _unit_rows(chance: np.random.Generator, n: int) -> NDArray[np.float32]:
    rows = chance.standard_normal((n, DIMENSIONS), np.float32)
    rows /= np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    return rows


def timed(session: Session, asked: Asked, known: Matrices, vector: DenseVectors, clock: str) -> Times:
    """Return the times of all steps of one query, with nothing known of earlier ones."""
    session.forget()
    ticks = [CLOCKS[clock]()]
    names = [each.constant for each in asked.pattern.symbols if each.constant]
    session.encode(names)
    ticks.append(CLOCKS[clock]())
    candidates = find_candidates(session, asked.pattern, Lookup())
    ticks.append(CLOCKS[clock]())
    found = ground(session, asked.pattern, candidates.ids, Settings())
    ticks.append(CLOCKS[clock]())
    first(session, "entity", best(known.space, vector, K, known.papers), K)
    ticks.append(CLOCKS[clock]())
    by_likeness(session, known.other, vector, found.ids, found.found_at)
    ticks.append(CLOCKS[clock]())
    encoding, step4, step5, similar, groups = (1e3 * each for each in np.diff(ticks))
    # `find_candidates` encodes too.
    is_answered = bool((found.ids == session.adjacency.entity_ids[asked.answer]).any())
    own = encoding, max(0.0, step4 - encoding), step5, groups, similar
    return Times(*own, len(found.ids), is_answered, candidates)


class Scans:
    """Looks up neighbours by comparing all edges; after some look-ups it only counts them, at their mean time."""

    def __init__(self, session: Session, clock: str) -> None:
        self._clock = CLOCKS[clock]
        self._graph = session.adjacency
        self._names = relation_names(session)
        self._starts = np.repeat(np.arange(len(self._graph.entity_ids)), np.diff(self._graph.outgoing.indptr))
        self.n = 0
        self.seconds = 0.0

    def neighbours(self, node: int, relation: str) -> list[int]:
        """Return a node's neighbours by a relation, both ways."""
        kind = self._names.index(relation)
        self.n += 1
        if self.n > N_SCANS:
            tables = (self._graph.outgoing, self._graph.incoming)
            rows = [(table.row(node), table.values[table.indptr[node] : table.indptr[node + 1]]) for table in tables]
            return [end for ends, kinds in rows for end in ends[kinds == kind].tolist()]
        begun = self._clock()
        edges = self._graph.outgoing
        found = []
        for side, other in ((self._starts, edges.indices), (edges.indices, self._starts)):
            found += other[(side == node) & (edges.values == kind)].tolist()
        self.seconds += self._clock() - begun
        return found

    @property
    def milliseconds(self) -> float:
        """What all look-ups take."""
        return 1e3 * self.seconds / max(1, min(self.n, N_SCANS)) * self.n


def obvious(session: Session, asked: Asked, candidates: Candidates, scans: Scans) -> set[int]:
    """Ground a pattern at the first scope node by node; return its answers' places."""
    graph, types = session.adjacency, node_types(session)
    sets: dict[str, set[int] | None] = {}
    for symbol in asked.pattern.symbols:
        ids = candidates.ids[symbol.variable]
        sets[symbol.variable] = None if ids is None else set(np.searchsorted(graph.entity_ids, ids[:1]).tolist())
    before = None
    while before != (before := {name: len(own) for name, own in sets.items() if own is not None}):
        for triplet in asked.pattern.triplets:
            for one, other in ((triplet.subject, triplet.object), (triplet.object, triplet.subject)):
                own, known = sets[one], sets[other]
                if own is None:
                    continue
                near = {end for node in own for end in scans.neighbours(node, triplet.predicates[0])}
                if known is None:
                    known = set(types.of(asked.pattern.symbol(other).type or "").tolist())
                sets[other] = near & known
    return sets["y"] or set()


def compared(
    session: Session, asked: Sequence[Asked], times: Sequence[Times], n_papers: int, clock: str
) -> dict[str, object]:
    """Return the figures of the obvious implementation beside those of the same work here."""
    own, slow = [], []
    for each, known in zip(asked, times, strict=True):
        begun = CLOCKS[clock]()
        found = ground(session, each.pattern, known.found.ids, Settings(most=1))
        own.append(1e3 * (CLOCKS[clock]() - begun))
        scans = Scans(session, clock)
        answers = obvious(session, each, known.found, scans)
        slow.append(scans.milliseconds)
        assert answers == set(np.searchsorted(session.adjacency.entity_ids, found.ids).tolist())
    scores = np.random.default_rng(2).random(n_papers)
    begun = CLOCKS[clock]()
    sorted({node: scores[node] for node in range(n_papers)}.items(), key=lambda item: -item[1])[:K]
    by_dict = 1e3 * (CLOCKS[clock]() - begun)
    ours = float(np.median([each.similar for each in times]))
    return {
        "first scope": _quantiles(own), "first scope, obvious": _quantiles(slow),
        "first scope, ratio": round(sum(slow) / sum(own), 1),
        "similar, obvious": round(by_dict, 2), "similar, ratio": round(by_dict / ours, 1),
    }  # fmt: skip


def main() -> None:
    """Write the graph where it is not there, and print all figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--share", type=float, default=0.1)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--slow", type=int, default=10)
    parser.add_argument("--clock", choices=CLOCKS, default="wall")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    path = given.folder / "kb.skb"
    if not path.exists():
        write_graph(given.folder / "graph", given.share)
        build(Request((str(given.folder / "graph"),), path))
    with Skb(path) as skb, Session(Context(skb)) as session:
        figures = measured(session, given.queries, given.slow, given.clock)
    if given.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:<24} {value}")


def measured(session: Session, n: int, n_slow: int, clock: str) -> dict[str, object]:
    """Return all figures."""
    begun = CLOCKS[clock]()
    graph = session.adjacency
    node_types(session)
    session.encode(["word"])
    seconds = CLOCKS[clock]() - begun
    loaded = _megabytes()
    known = matrices_of(session)
    vectors = DenseVectors(_unit_rows(np.random.default_rng(4), n))
    asked = list(queries(session, n))
    times = _all_timed(session, asked, known, vectors, clock)
    one_matrix = _megabytes()
    other = DenseRows(_unit_rows(np.random.default_rng(5), len(known.space.ids)))
    both = known._replace(other=known.space._replace(name="other", rows=other))
    apart = _all_timed(session, asked, both, vectors, clock)
    figures: dict[str, object] = {
        "nodes": len(graph.entity_ids), "edges": len(graph.outgoing.indices), "vectors": len(known.space.ids),
        "load_s": round(seconds, 2), "mb loaded": loaded, "mb": one_matrix, "mb, two matrices": _megabytes(),
        "queries": n,
        "answered": sum(each.is_answered for each in times), "answers": _quantiles([each.n for each in times]),
        "degree_of_hub": int(np.diff(graph.incoming.indptr).max()),
    }  # fmt: skip
    for name in ("encoding", "candidates", "grounding", "groups", "similar"):
        figures[name] = _quantiles([getattr(each, name) for each in times])
    figures["steps 4 to 7"] = _quantiles([sum(each[1:5]) for each in times])
    figures["groups, two matrices"] = _quantiles([each.groups for each in apart])
    figures["4 to 7, two matrices"] = _quantiles([sum(each[1:5]) for each in apart])
    return figures | compared(session, asked[:n_slow], times[:n_slow], len(known.papers), clock)


def _all_timed(
    session: Session, asked: Sequence[Asked], known: Matrices, vectors: DenseVectors, clock: str
) -> list[Times]:
    """Return the times of all queries, after as many others as it takes until rows are compared as they will be."""
    for number in range(N_BEFORE):
        timed(session, asked[number % len(asked)], known, vectors[number % len(asked) :][:1], clock)
    return [timed(session, each, known, vectors[i : i + 1], clock) for i, each in enumerate(asked)]


def _megabytes() -> int:
    """Return the most memory that the process has had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def _quantiles(values: Sequence[float]) -> dict[str, float]:
    return {f"p{share}": round(float(np.quantile(values, share / 100)), 2) for share in (50, 95)}


if __name__ == "__main__":
    main()
