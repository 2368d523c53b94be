"""Time searches: each signal alone, hybrid, and what has to be loaded before, with its memory.

    python -m benchmarks.search_speed KB.skb [KB.skb ...] [--questions 100] [--before 300] [--ann] [--json]

`--before` questions are asked first, so that frequent words, and the texts
that many questions lead to, are known: that is warm. Times are of one question,
encoding included, in milliseconds: wall time, and CPU time of all threads,
which work of others on the machine lengthens less. KBs of any size come from

    python -m benchmarks.generate FOLDER --pages 5000 --triples 3000000
    weft build FOLDER/pages --rdf FOLDER/facts.nt -o FOLDER/kb.skb
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.search_questions import questions
from retriever.answers.hops.ranking import HopByHop
from retriever.answers.ranker import ranker_of
from retriever.context import Context
from retriever.features.matrix import COLUMNS, INPUTS, signals_of
from retriever.fusion.dense import Layer, Network
from retriever.fusion.shipped import fusion_named
from retriever.fusion.store import Fusion, Head
from retriever.fusion.two_stage import TwoStage
from retriever.index.dense.ann import faiss_of
from retriever.index.vectors import similarity
from retriever.protocols import Ranker, Signal
from retriever.question.reader import read_question
from retriever.rankers.hybrid import Hybrid
from retriever.session import Session
from retriever.signals.vector import VectorSignal
from retriever.types import Ids
from weft.errors import WeftError
from weft.skb import Skb

PROPOSED, SCORED, HITS = 80, 200, 10
HIDDEN = (64, 32)
NETWORKS = 3
AGREED = 50

Row = dict[str, float | str]


def timed(calls: Iterable[Callable[[], object]]) -> Row:
    """Run calls, one a question; return the median and the 95th percentile of their milliseconds."""
    wall, cpu = [], []
    for call in calls:
        begun = time.perf_counter(), time.process_time()
        call()
        wall.append(1e3 * (time.perf_counter() - begun[0]))
        cpu.append(1e3 * (time.process_time() - begun[1]))
    figures = {"p50": np.quantile(wall, 0.5), "p95": np.quantile(wall, 0.95)}
    figures |= {"cpu_p50": np.quantile(cpu, 0.5), "cpu_p95": np.quantile(cpu, 0.95)}
    return {name: round(float(value), 1) for name, value in figures.items()}


def loads(session: Session) -> list[Row]:
    """Load all that a search needs; return each part's seconds and what it adds to the memory in use."""
    parts: dict[str, Callable[[], object]] = {
        "chunk table": lambda: session.chunk_table,
        "graph": lambda: session.adjacency,
        "walk": lambda: session.walk,
        **{
            f"{space} vectors": lambda space=space: similarity(session, space)
            for space in ("chunk", "label", "section")
        },
        "embedder": lambda: session.encode(["a word"]),
        "full text": lambda: session.postings("chunk"),
    }
    rows: list[Row] = []
    for name, load in parts.items():
        before, begun, cpu = resident_mb(), time.perf_counter(), time.process_time()
        load()
        seconds = round(time.perf_counter() - begun, 2), round(time.process_time() - cpu, 2)
        rows.append({"part": name, "s": seconds[0], "cpu_s": seconds[1], "mb": resident_mb() - before})
    return rows


def resident_mb() -> int:
    """Return the megabytes of memory that this process has in use."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() >> 20


def of_signal(session: Session, signal: Signal, asked: Sequence[str]) -> Row:
    """Time one signal: its own proposals, and the scores of these and others, 200 in all."""
    some = np.random.default_rng(0).choice(session.chunk_table.chunk_ids, SCORED, replace=False)

    def ask(question: str) -> None:
        session.forget()
        query = read_question(session, question, "chunk")
        found = signal.propose(session, query, PROPOSED)[:PROPOSED]
        signal.score(session, query, np.append(found, some[len(found) :]))

    return {"method": signal.name} | timed(lambda question=question: ask(question) for question in asked)


def of_hybrid(session: Session, before: Sequence[str], asked: Sequence[str], fusion: Fusion) -> list[Row]:
    """Time hybrid: the first questions after loading, others when warm, these again, texts known, and hop by hop."""
    hybrid = Hybrid(fusion, session.embedder_name)
    by_hops = HopByHop(hybrid, lambda: ranker_of(session))

    def calls(ranker: Ranker, texts: Sequence[str]) -> Iterable[Callable[[], object]]:
        def ask(text: str) -> None:
            session.forget()
            ranker.rank(session, read_question(session, text, "chunk"), HITS)

        return (lambda text=text: ask(text) for text in texts)

    parts = (("first questions", hybrid, before), ("warm", hybrid, asked), ("asked again", hybrid, asked),
             ("hop by hop, asked again", by_hops, asked))  # fmt: skip
    return [{"method": f"hybrid, {name}"} | timed(calls(ranker, texts)) for name, ranker, texts in parts]


def of_index(session: Session, asked: Sequence[str]) -> Row:
    """Time the approximate index, and tell which share of the 50 nearest chunks it finds; {} without faiss."""
    begun = time.perf_counter()
    try:
        faiss_of()
    except WeftError as error:
        print(error, file=sys.stderr)
        return {}
    index, exact = VectorSignal("chunk", ann=True), VectorSignal("chunk")
    queries = [read_question(session, question, "chunk") for question in asked]
    index.propose(session, queries[0], AGREED)
    made = round(time.perf_counter() - begun, 1)
    figures = timed(lambda query=query: index.propose(session, query, AGREED) for query in queries)
    found = [recall(exact.propose(session, query, AGREED), index.propose(session, query, AGREED)) for query in queries]
    return {"method": "vector(ann=yes)"} | figures | {"made_s": made, "recall_at_50": round(float(np.mean(found)), 3)}


def recall(true: Ids, found: Ids) -> float:
    """Return the share of `true` that is found."""
    return len(np.intersect1d(true, found)) / max(1, len(true))


def fusion_of(session: Session) -> Fusion:
    """Return the fusion that ships, else one as large whose weights are random: it takes as long."""
    try:
        return fusion_named(None, session.embedder_name)
    except WeftError:
        draw = np.random.default_rng(0)
        model = TwoStage("mlp")
        model.first.networks = tuple(_network(draw, len(INPUTS)) for _ in range(NETWORKS))  # type: ignore[attr-defined]
        model.second.networks = tuple(_network(draw, len(COLUMNS)) for _ in range(NETWORKS))  # type: ignore[attr-defined]
        return Fusion(Head("mlp", COLUMNS, (session.embedder_name,)), model)


def _network(draw: np.random.Generator, width: int) -> Network:
    sizes = (width, *HIDDEN, 1)
    return tuple(
        Layer(draw.normal(0, n**-0.5, (n, m)).astype(np.float32), np.zeros(m, np.float32))
        for n, m in pairwise(sizes)
    )


def measure(path: Path, n: int, n_before: int, *, ann: bool) -> dict[str, Any]:
    """Return all figures of one SKB."""
    with Skb(path) as skb:
        session = Session(Context(skb))
        parts = loads(session)
        asked = list(questions(skb, n_before + n))
        before, asked = asked[:n_before], asked[n_before:]
        methods = of_hybrid(session, before, asked, fusion_of(session))
        methods += [of_signal(session, signal, asked) for signal in signals_of()]
        if ann and (index := of_index(session, asked)):
            methods.append(index)
        sizes = {"chunks": len(session.chunk_table.chunk_ids), "entities": len(session.adjacency.entity_ids)}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    return {"file": path.name, **sizes, "mb": resident_mb(), "peak_mb": peak, "load": parts, "methods": methods}


def table(rows: Sequence[Row]) -> str:
    """Return rows as a Markdown table."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    lines = [columns, ["---"] * len(columns), *([str(row.get(column, "")) for column in columns] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    """Print the figures of every SKB."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("skb", type=Path, nargs="+")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--before", type=int, default=300)
    parser.add_argument("--ann", action="store_true", help="measure vector(ann=yes) too")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for path in options.skb:
        report = measure(path, options.questions, options.before, ann=options.ann)
        report |= {"cores": os.cpu_count(), "load_average": round(os.getloadavg()[0], 1)}
        if options.json:
            print(json.dumps(report), flush=True)
            continue
        print("\n".join(f"{name}: {value}" for name, value in report.items() if not isinstance(value, list)))
        print(f"\n{table(report['load'])}\n\n{table(report['methods'])}\n", flush=True)


if __name__ == "__main__":
    main()
