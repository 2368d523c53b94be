"""Score hybrid retrieval with and without hops, on corpora that neither the fusion nor the ranker of answers has seen.

    python -m benchmarks.hop_ranking FOLDER [--only SET]... [--embedder tfidf] [--trainings 5] [--fusions 5]
        [--scored 240]

FOLDER is that of `benchmarks.answers`, which keeps the rankers of answers of its `--trainings` there, and of
`benchmarks.leave_out`, which keeps the fusions of its trainings for each corpus left out. Questions of several kinds
are told kind by kind too. Measures are means over the fusions, and with hops over each with each ranker, with the least
and the greatest; the difference has its paired 95% interval, by 10,000 resamples of the questions. Times are those of
whole searches by the first fusion and ranker (p50, p95).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks import answers, leave_out
from benchmarks.corpora import Source, skb_of, sources
from retriever.answers.hops.nested import descriptions
from retriever.answers.hops.ranking import HopByHop
from retriever.answers.ranker import load_ranker
from retriever.context import Context
from retriever.datasets.question_files import Question, read_questions
from retriever.evaluation.intervals import interval, resampled_means
from retriever.evaluation.outcomes import Rank
from retriever.fusion.shipped import DEFAULT
from retriever.fusion.store import load
from retriever.protocols import Ranker
from retriever.question.reader import question_of, read_question
from retriever.rankers.hybrid import Hybrid
from retriever.session import Session
from retriever.types import Ranking
from weft.skb import Skb

Values = NDArray[np.float64]


class Line(NamedTuple):
    """A measure of a set's questions of a kind: by each fusion without hops, with them by each ranker, and the bounds
    of the difference."""

    set: str
    embedder: str
    kind: str
    questions: int
    measure: str
    plain: tuple[float, ...]
    hops: tuple[float, ...]
    low: float
    high: float


def lines(
    source: Source, embedder: str, folder: Path, trainings: int, fusions: int, most: int | None
) -> Iterator[Line]:
    """Score a corpus, as a whole and kind by kind, on at most so many questions."""
    with Skb(skb_of(source, folder / "skbs", embedder)) as skb, Session(Context(skb)) as session:
        assert source.questions is not None
        questions = read_questions(source.questions)
        asked = [each for each in (leave_out.sample(questions, most) if most else questions) if each.gold]
        rankers = [load_ranker(answers.kept(folder, source.name, seed)) for seed in range(trainings)]
        plain, hops = {}, {}
        for number in range(fusions):
            fusion = load(leave_out.kept(folder, DEFAULT, source.name, number))
            hybrid = Hybrid(fusion, session.embedder_name)
            plain[f"plain {number}"] = by(session, hybrid)
            for seed, ranker in enumerate(rankers):
                hops[f"hops {number} {seed}"] = by(session, HopByHop(hybrid, lambda own=ranker: own))
        table = leave_out.measured(skb, asked, plain | hops)
        for kind, rows in kinds_of(session, asked):
            for column, measure in enumerate(leave_out.MEASURES):
                before, after = ([table[name][rows, column] for name in names] for names in (plain, hops))
                difference = np.mean(after, axis=0) - np.mean(before, axis=0)
                low, high = interval(resampled_means(difference[:, None], 0))
                yield Line(source.name, embedder, kind, int(rows.sum()), measure,
                           tuple(float(own.mean()) for own in before), tuple(float(own.mean()) for own in after),
                           float(low[0]), float(high[0]))  # fmt: skip
        for name, rank in (("plain 0", plain["plain 0"]), ("hops 0 0", hops["hops 0 0"])):
            seconds = timed(rank, asked)
            print(f"{source.name} {embedder} {name}: p50 {1e3 * np.percentile(seconds, 50):.1f}, "
                  f"p95 {1e3 * np.percentile(seconds, 95):.1f} ms", flush=True)  # fmt: skip


def by(session: Session, ranker: Ranker) -> Rank:
    """Return a ranker as a method; no question knows of another."""

    def rank(text: str, k: int) -> Ranking:
        session.forget()
        return ranker.rank(session, read_question(session, text, "chunk"), k)

    return rank


def kinds_of(session: Session, asked: Sequence[Question]) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield all questions, those of each kind, and those that describe something."""
    yield "all", np.ones(len(asked), np.bool_)
    kinds = np.array([each.type or "" for each in asked])
    if len(set(kinds.tolist())) > 1:
        yield from ((kind, kinds == kind) for kind in sorted(set(kinds.tolist())))
    texts = [each.question for each in asked]
    yield "describing", np.array([bool(descriptions(each, question_of(session, each).mentions)) for each in texts])


def timed(rank: Rank, asked: Sequence[Question]) -> Values:
    """Return the seconds of each search."""
    seconds = []
    for each in asked:
        start = time.perf_counter()
        rank(each.question, 10)
        seconds.append(time.perf_counter() - start)
    return np.array(seconds)


def main() -> None:
    """Print a table row for each measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", action="append")
    parser.add_argument("--embedder", default="tfidf")
    parser.add_argument("--trainings", type=int, default=1)
    parser.add_argument("--fusions", type=int, default=1)
    parser.add_argument("--scored", type=int, help="at most so many questions of a set, of each kind as many")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for source in sources():
        if source.questions is None or (options.only and source.name not in options.only):
            continue
        for line in lines(
            source, options.embedder, options.folder, options.trainings, options.fusions, options.scored
        ):
            if options.json:
                print(json.dumps(line._asdict()), flush=True)
                continue
            both = (f"{np.mean(each):.3f} ({min(each):.3f} – {max(each):.3f})" for each in (line.plain, line.hops))
            cells = line.set, line.embedder, line.kind, line.questions, line.measure, *both
            print(f"| {' | '.join(map(str, cells))} | {line.low:+.3f} to {line.high:+.3f} |", flush=True)


if __name__ == "__main__":
    main()
