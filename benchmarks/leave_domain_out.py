"""Score hybrid retrieval on kinds of corpora that its fusion has never seen, beside each of its signals.

    python -m benchmarks.leave_domain_out FOLDER [--embedder tfidf] [--domain NAME]... [--trainings 5] [--json]
    python -m benchmarks.leave_domain_out FOLDER --embedder tfidf --embedder minilm --ship FUSION.json

FOLDER is that of `benchmarks.manuals`, whose questions are made first. For each
domain of `domains` the fusion is trained on all corpora of the others: on at
most `--most` questions of each, of every kind alike, and on `--practice`
synthetic ones a domain. It is scored on the corpora of the domain left out, kind by
kind. Measures are means over `--trainings` trainings that differ in their seed,
with the least and the greatest; the difference to the best single signal has
its paired 95% interval, by 10,000 resamples of the questions.

`--ship` trains on all domains and writes the fusion. Of embedders after the
first only the corpora of `--also` are taken, where any is named: some embed for hours.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpora import LONG_PAGES, Source, skb_of
from benchmarks.domains import domains
from benchmarks.fusion import by_fusion
from retriever.context import Context
from retriever.datasets.question_files import Question, read_questions
from retriever.evaluation.intervals import interval, resampled_means
from retriever.evaluation.measures import Judged, measures_at
from retriever.evaluation.outcomes import Rank, assess
from retriever.fusion.store import Fusion, file_hash, save
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.training.dataset import Corpus, corpus_of, fit, synthetic_corpus
from weft.skb import Skb

SIGNALS = ("bm25", "vector", "section", "page", "entity", "graph", "path")
MEASURES = ("hit@1", "hit@3", "hit@5", "recall@5")
CUT_OFFS = (1, 3, 5)
Values = NDArray[np.float64]


class Prepared(NamedTuple):
    """A corpus opened: its questions, and what a fusion learns from it."""

    name: str
    domain: str
    session: Session
    questions: Sequence[Question]
    corpora: Sequence[Corpus]


class Line(NamedTuple):
    """Measures on a set of questions: of the best single signal, and of hybrid, a row a training."""

    domain: str
    corpus: str
    kind: str
    questions: int
    measure: str
    signal: str
    best: float
    hybrid: tuple[float, ...]
    low: float
    high: float

    @property
    def mean(self) -> float:
        """The mean over the trainings."""
        return float(np.mean(self.hybrid))


def prepared(source: Source, domain: str, folder: Path, embedder: str, most: int, n_synthetic: int) -> Prepared:
    """Open a corpus, building it where it is not there, and compute what is learned from it."""
    session = Session(Context(Skb(skb_of(source, folder, embedder))))
    questions = sample(read_questions(source.questions), most) if source.questions else []
    corpora = []
    if source.questions:
        asked = corpus_of(source.name, file_hash(source.questions), session, questions)
        corpora.append(asked._replace(domain=domain))
    table = session.chunk_table
    if n_synthetic and len(table.chunk_ids) > LONG_PAGES * len(table.page_ids):
        made = synthetic_corpus(f"{source.name} practice", session, n_synthetic)
        corpora.append(made._replace(domain=domain))
    return Prepared(source.name, domain, session, questions, [each for each in corpora if each.judged])


def opened(options: argparse.Namespace) -> Iterator[Prepared]:
    """Yield all corpora, prepared, for each embedder."""
    skbs, known = options.folder / "skbs", domains(options.folder)
    first, *others = options.embedder or ["tfidf"]
    for embedder in (first, *others):
        for domain, several in known.items():
            for source in several:
                if embedder == first or not options.also or source.name in options.also:
                    yield prepared(source, domain, skbs, embedder, options.most, options.practice // len(several))


def sample(questions: Sequence[Question], most: int) -> list[Question]:
    """Return at most so many questions, of each kind as many, spread evenly over the file."""
    kinds: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        kinds[question.type or ""].append(question)
    each = max(1, most // max(1, len(kinds)))
    return [own[index] for own in kinds.values()
            for index in np.unique(np.linspace(0, len(own) - 1, min(each, len(own))).astype(int)).tolist()]  # fmt: skip


def measured(each: Prepared, methods: Mapping[str, Rank]) -> dict[str, Values]:
    """Return each method's measures, a row (len(MEASURES),) a judged question."""
    asked = [question for question in each.questions if question.gold]
    found = assess(each.session.skb, asked, methods, CUT_OFFS, "chunk")
    table = {}
    for name, outcomes in found.outcomes.items():
        rows = []
        for case, outcome in zip(found.cases, outcomes, strict=True):
            own: dict[str, float] = {}
            for k in CUT_OFFS:
                own |= measures_at(Judged(outcome.taken, len(case.gold.items)), k)
            rows.append([own[measure] for measure in MEASURES])
        table[name] = np.array(rows).reshape(-1, len(MEASURES))
    return table


def lines(each: Prepared, fusions: Sequence[Fusion]) -> Iterator[Line]:
    """Score a corpus, kind by kind where its questions are of several, and as a whole."""
    methods = {name: Searcher(each.session, name).rank_anew for name in SIGNALS}
    methods |= {f"hybrid {index}": by_fusion(each.session, fusion) for index, fusion in enumerate(fusions)}
    table = measured(each, methods)
    kinds = np.array([question.type or "" for question in each.questions if question.gold])
    parts = [("all", np.ones(len(kinds), np.bool_))]
    if len(set(kinds.tolist())) > 1:
        parts += [(kind, kinds == kind) for kind in sorted(set(kinds.tolist()))]
    for kind, rows in parts:
        for column, measure in enumerate(MEASURES):
            single = {name: float(table[name][rows, column].mean()) for name in SIGNALS}
            best = max(single, key=lambda name: single[name])
            trained = [table[f"hybrid {index}"][rows, column] for index in range(len(fusions))]
            difference = np.mean(trained, axis=0) - table[best][rows, column]
            low, high = interval(resampled_means(difference[:, None], 0))
            yield Line(each.domain, each.name, kind, int(rows.sum()), measure, best, single[best],
                       tuple(float(own.mean()) for own in trained), float(low[0]), float(high[0]))  # fmt: skip


def learned(others: Iterable[Prepared], options: argparse.Namespace, seed: int) -> Fusion:
    """Train on some corpora, every domain weighing the same."""
    corpora = [corpus for each in others for corpus in each.corpora]
    settings = {"networks": options.networks} if options.networks and options.model == "mlp" else None
    return fit(corpora, options.model, seed=seed, settings=settings)


def show(line: Line) -> str:
    """Return a row of a table in Markdown."""
    hybrid = f"{line.mean:.3f} ({min(line.hybrid):.3f} – {max(line.hybrid):.3f})"
    above = f"{line.mean - line.best:+.3f} ({line.low:+.3f} to {line.high:+.3f})"
    cells = (line.domain, line.corpus, line.kind, line.questions, line.measure, f"{line.signal} {line.best:.3f}")
    return f"| {' | '.join(map(str, cells))} | {hybrid} | {above} |"


def summary(found: Sequence[Line]) -> Iterator[str]:
    """Yield for each domain and measure the mean over its corpora of hybrid and of the best signal of each."""
    grouped: dict[tuple[str, str], list[Line]] = defaultdict(list)
    for line in found:
        if line.kind == "all":
            grouped[line.domain, line.measure].append(line)
    for (domain, measure), own in grouped.items():
        best, mean = float(np.mean([line.best for line in own])), float(np.mean([line.mean for line in own]))
        yield f"| {domain} | {len(own)} | {measure} | {best:.3f} | {mean:.3f} | {mean - best:+.3f} |"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embedder", action="append")
    parser.add_argument("--domain", action="append", help="leave only this one out; may be given again")
    parser.add_argument("--trainings", type=int, default=5)
    parser.add_argument("--model", default="mlp", choices=("mlp", "logistic"))
    parser.add_argument("--networks", type=int)
    parser.add_argument("--most", type=int, default=150)
    parser.add_argument("--practice", type=int, default=300)
    parser.add_argument("--also", action="append", help="a corpus for all embedders; may be given again")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ship", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    everything = list(opened(options))
    if options.ship:
        save(options.ship, learned(everything, options, options.seed))
        return
    found: list[Line] = []
    for domain in options.domain or dict.fromkeys(each.domain for each in everything):
        start = time.perf_counter()
        others = [each for each in everything if each.domain != domain]
        fusions = [learned(others, options, seed) for seed in range(options.trainings)]
        for each in everything:
            if each.domain == domain and each.questions:
                own = list(lines(each, fusions))
                found += own
                for line in own:
                    record: dict[str, Any] = line._asdict() | {"mean": line.mean}
                    print(json.dumps(record) if options.json else show(line), flush=True)
        print(f"{domain}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    if not options.json:
        print("\n" + "\n".join(summary(found)))


if __name__ == "__main__":
    main()
