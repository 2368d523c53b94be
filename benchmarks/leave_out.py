"""Score hybrid retrieval on corpora or kinds of corpora that its fusion has never seen, and train the one that ships.

    python -m benchmarks.leave_out FOLDER [--leave domain|corpus] [--only NAME]... [--trainings 5] [--json]
    python -m benchmarks.leave_out FOLDER [--model ensemble] --ship retriever/fusion/models/ensemble.json

FOLDER is that of `benchmarks.manuals`, whose questions are made first. For each
domain of `domains`, or each of its corpora with questions, the fusion is trained
on all corpora of the others, of every embedder, just as the one that `--ship`
writes is on all, each group of `group_of` weighing the same: on at most `--most`
questions of each, of every kind alike, and on `--practice` synthetic ones a
domain. It is scored on what was left out, once for each embedder, kind by kind,
on at most `--scored` questions of each corpus. Those that have not seen a corpus are
kept in FOLDER, where `benchmarks.answers` finds the first and `benchmarks.hop_ranking` all.
Measures are means over `--trainings` trainings that differ in their seed, with
the least and the greatest; the difference to the best single signal has its
paired 95% interval, by 10,000 resamples of the questions.

Of embedders after the first only the corpora of ALSO are taken, or those of
`--also`: some take long to embed.
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
from benchmarks.domains import domains, group_of
from retriever.context import Context
from retriever.datasets.question_files import Question, read_questions
from retriever.evaluation.intervals import interval, resampled_means
from retriever.evaluation.measures import Judged, measures_at
from retriever.evaluation.outcomes import Rank, assess
from retriever.features.matrix import Candidates, FeatureMatrix
from retriever.fusion.models import ENSEMBLES
from retriever.fusion.shipped import DEFAULT
from retriever.fusion.store import Fusion, file_hash, save
from retriever.question.reader import read_question
from retriever.rankers.hybrid import Hybrid
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.training.dataset import Corpus, corpus_of, fit, synthetic_corpus
from retriever.types import Query, Ranking
from weft.skb import Skb

SIGNALS = ("bm25", "related", "vector", "section", "page", "entity", "graph", "path")
MEASURES = ("hit@1", "recall@2", "hit@3", "hit@5", "recall@5", "set_coverage@5", "set_coverage@6")
CUT_OFFS = (1, 2, 3, 5, 6)
ALSO = ("2wiki", "hotpotqa", "musique", "nq_earth", "wikitext", "wikitables", "debian-policy", "developers-reference",
        "hatch", "click", "notes", "fixtures")  # fmt: skip
"""Corpora that are taken for every embedder unless others are named: minutes, not hours, with a small encoder."""

SEVERAL = "written, multi-hop"
"""The kind of questions over two linked pages. Over pages of one passage the corpora of passages have enough."""

Values = NDArray[np.float64]


class Prepared(NamedTuple):
    """A corpus opened: the questions that it is scored by, and what a fusion learns from it."""

    name: str
    domain: str
    session: Session
    questions: Sequence[Question]
    corpora: Sequence[Corpus]
    proposed: Mapping[str, Candidates] = {}
    """The candidates of questions, by their text, where they are computed."""

    @property
    def embedder(self) -> str:
        """What embedded it."""
        return self.session.embedder_name


class Line(NamedTuple):
    """Measures on a set of questions: of the best single signal, and of hybrid, one for each training."""

    domain: str
    corpus: str
    embedder: str
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


class Proposed(FeatureMatrix):
    """Features that were computed before: trainings differ in how they rank candidates alone."""

    def __init__(self, candidates: Mapping[str, Candidates]) -> None:
        super().__init__()
        self._candidates = candidates

    def propose(self, session: Session, query: Query) -> Candidates:
        """Return the candidates of a question, computed where they are not yet."""
        return self._candidates.get(query.question.text) or super().propose(session, query)


def prepared(source: Source, domain: str, embedder: str, options: argparse.Namespace, n_synthetic: int) -> Prepared:
    """Open a corpus, building it where it is not there, and compute what is learned from it."""
    session = Session(Context(Skb(skb_of(source, options.folder / "skbs", embedder))))
    corpora, proposed, scored, group = [], {}, [], group_of(domain, source)
    if source.questions:
        known = read_questions(source.questions)
        if not options.only or {domain, source.name} & set(options.only):
            scored = sample(known, options.scored)
        learned = {each.question for each in sample(known, options.most)}
        chosen = {each.question for each in scored} | learned
        asked = corpus_of(source.name, file_hash(source.questions), session, [q for q in known if q.question in chosen])
        proposed = {each.candidates.query.question.text: each.candidates for each in asked.judged}
        judged = (each for each in asked.judged if each.candidates.query.question.text in learned)
        corpora.append(asked._replace(domain=domain, group=group, judged=tuple(judged)))
    table = session.chunk_table
    if n_synthetic and len(table.chunk_ids) > LONG_PAGES * len(table.page_ids):
        made = synthetic_corpus(f"{source.name} practice", session, n_synthetic)
        corpora.append(made._replace(domain=domain, group=group))
        corpora += several_pages(source, domain, session, options.most)
    return Prepared(source.name, domain, session, scored, [each for each in corpora if each.judged], proposed)


def several_pages(source: Source, domain: str, session: Session, most: int) -> Iterator[Corpus]:
    """Yield what is learned from questions over two linked pages of several passages each, a group of their own."""
    if source.learned:
        asked = [each for each in read_questions(source.learned) if each.type == SEVERAL]
        found = corpus_of(f"{source.name}, {SEVERAL}", file_hash(source.learned), session, sample(asked, most))
        yield found._replace(domain=domain, group=SEVERAL)


def opened(options: argparse.Namespace) -> Iterator[Prepared]:
    """Yield all corpora, prepared, for each embedder."""
    known = domains(options.folder)
    first, *others = options.embedder or ["tfidf"]
    for embedder in (first, *others):
        for domain, several in known.items():
            for source in several:
                if embedder == first or source.name in (options.also or ALSO):
                    yield prepared(source, domain, embedder, options, options.practice // len(several))


def sample(questions: Sequence[Question], most: int) -> list[Question]:
    """Return at most so many questions, of each kind as many, spread evenly over the file."""
    kinds: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        kinds[question.type or ""].append(question)
    each = max(1, most // max(1, len(kinds)))
    return [own[index] for own in kinds.values()
            for index in np.unique(np.linspace(0, len(own) - 1, min(each, len(own))).astype(int)).tolist()]  # fmt: skip


def measured(skb: Skb, questions: Sequence[Question], methods: Mapping[str, Rank]) -> dict[str, Values]:
    """Return each method's measures, a row (len(MEASURES),) a judged question."""
    asked = [question for question in questions if question.gold]
    found = assess(skb, asked, methods, CUT_OFFS, "chunk")
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


def by_fusion(each: Prepared, fusion: Fusion) -> Rank:
    """Return hybrid with a fusion as a method; no question knows of another."""
    hybrid = Hybrid(fusion, each.embedder)
    hybrid.features = Proposed(each.proposed)

    def rank(text: str, k: int) -> Ranking:
        each.session.forget()
        return hybrid.rank(each.session, read_question(each.session, text, "chunk"), k)

    return rank


def lines(each: Prepared, fusions: Sequence[Fusion]) -> Iterator[Line]:
    """Score a corpus, kind by kind where its questions are of several, and as a whole."""
    methods = {name: Searcher(each.session, name).rank_anew for name in SIGNALS}
    methods |= {f"hybrid {index}": by_fusion(each, fusion) for index, fusion in enumerate(fusions)}
    table = measured(each.session.skb, each.questions, methods)
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
            yield Line(each.domain, each.name, each.embedder, kind, int(rows.sum()), measure, best, single[best],
                       tuple(float(own.mean()) for own in trained), float(low[0]), float(high[0]))  # fmt: skip


def learned(others: Iterable[Prepared], options: argparse.Namespace, seed: int) -> Fusion:
    """Train on some corpora, every group of them weighing the same."""
    corpora = [corpus for each in others for corpus in each.corpora]
    settings = {"networks": options.networks} if options.networks and options.model in ENSEMBLES else None
    return fit(corpora, options.model, seed=seed, settings=settings)


def kept(folder: Path, model: str, corpus: str, number: int = 0) -> Path:
    """Return where a fusion that has not seen a corpus is kept, by the number of its training."""
    return folder / f"fusion-{model}-{corpus}{f'-{number}' if number else ''}.json"


def show(line: Line) -> str:
    """Return a row of a table in Markdown."""
    hybrid = f"{line.mean:.3f} ({min(line.hybrid):.3f} – {max(line.hybrid):.3f})"
    above = f"{line.mean - line.best:+.3f} ({line.low:+.3f} to {line.high:+.3f})"
    cells = (line.domain, line.corpus, line.embedder, line.kind, line.questions, line.measure,
             f"{line.signal} {line.best:.3f}")  # fmt: skip
    return f"| {' | '.join(map(str, cells))} | {hybrid} | {above} |"


def summary(found: Sequence[Line]) -> Iterator[str]:
    """Yield by domain, embedder and measure the means over corpora of hybrid and of the best signal of each."""
    grouped: dict[tuple[str, str, str], list[Line]] = defaultdict(list)
    for line in found:
        if line.kind == "all":
            grouped[line.domain, line.embedder, line.measure].append(line)
    for (domain, embedder, measure), own in grouped.items():
        best, mean = float(np.mean([line.best for line in own])), float(np.mean([line.mean for line in own]))
        yield f"| {domain} | {embedder} | {len(own)} | {measure} | {best:.3f} | {mean:.3f} | {mean - best:+.3f} |"


def main() -> None:
    """Print a table, or train on everything and write the file."""
    options = parser().parse_args()
    options.embedder = options.embedder or ["tfidf", "minilm"]
    everything = list(opened(options))
    if options.ship:
        save(options.ship, learned(everything, options, options.seed))
        return
    found: list[Line] = []
    asked = [each for each in everything if each.questions]
    for group in options.only or dict.fromkeys(getattr(each, _GROUPED[options.leave]) for each in asked):
        start = time.perf_counter()
        others = [each for each in everything if getattr(each, _GROUPED[options.leave]) != group]
        fusions = [learned(others, options, options.seed + number) for number in range(options.trainings)]
        if options.leave == "corpus":
            for number, fusion in enumerate(fusions):
                save(kept(options.folder, options.model, group, number), fusion)
        for each in asked:
            if each not in others:
                own = list(lines(each, fusions))
                found += own
                for line in own:
                    record: dict[str, Any] = line._asdict() | {"mean": line.mean}
                    print(json.dumps(record) if options.json else show(line), flush=True)
        print(f"{group}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    if not options.json:
        print("\n" + "\n".join(summary(found)))


_GROUPED = {"domain": "domain", "corpus": "name"}


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("folder", type=Path)
    made.add_argument("--embedder", action="append", help="may be given again; else tfidf and minilm")
    made.add_argument("--leave", default="domain", choices=tuple(_GROUPED))
    made.add_argument("--only", action="append", help="leave only this domain or corpus out; may be given again")
    made.add_argument("--trainings", type=int, default=5)
    made.add_argument("--model", default=DEFAULT, choices=("ensemble", "listwise", "mlp", "logistic"))
    made.add_argument("--networks", type=int)
    made.add_argument("--most", type=int, default=120)
    made.add_argument("--scored", type=int, default=120)
    made.add_argument("--practice", type=int, default=240)
    made.add_argument("--also", action="append", help="a corpus for all embedders, instead of ALSO; repeatable")
    made.add_argument("--seed", type=int, default=0)
    made.add_argument("--ship", type=Path)
    made.add_argument("--json", action="store_true")
    return made


if __name__ == "__main__":
    main()
