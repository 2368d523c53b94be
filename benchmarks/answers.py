"""Score answers that are found without a language model, on corpora that neither ranker has seen, and train what ships.

    python -m benchmarks.answers FOLDER [--leave-out SET]... [--limit 200] [--trainings 5] [--json]
    python -m benchmarks.answers FOLDER --ship retriever/answers/models/answers.json

FOLDER may be that of `benchmarks.manuals`: rankers then learn from questions over the manuals gathered there too.
For each set left out the ranker of answers is trained on the answers of the other sets, and on practice and test sets
(`weft testset make`) made from all other corpora, practice over the project's own documents too, and on collections
written for it (`benchmarks/written/corpora`). Questions with an answer and no gold in the corpus are left out.
Each set's passages are ranked by a fusion that has not seen it either: the first of those that `benchmarks.leave_out
--leave corpus` trains (MiniLM is needed for it), kept in FOLDER. Beside it stand the first name that fits in the best
sentence, and the same ranker over the gold's chunks alone. An answer cites gold where one of its citations is of a gold
chunk, and cites it first where the first one is. Trainings differ in their seed; with several, their mean, least and
greatest follow. Rankers are kept in FOLDER, where `benchmarks.hop_ranking` finds them.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks import leave_out
from benchmarks.corpora import Source, invented, skb_of, sources
from benchmarks.domains import manual_source
from benchmarks.manual_packages import AS_TEXT, MANUALS
from retriever.answers.answering import THRESHOLD, choose, citations_of, reading_of
from retriever.answers.columns.features import INDEX
from retriever.answers.questions.directly import asked_directly
from retriever.answers.reading import Reading
from retriever.answers.training.fit import (
    AnswerCorpus,
    answer_corpus,
    fit,
    likenesses,
    other_pages,
    practice_corpus,
    reading_beside,
)
from retriever.context import Context
from retriever.datasets.gold import GoldResolver
from retriever.datasets.question_files import Question, read_questions
from retriever.evaluation.answers import Given, risk_coverage_area
from retriever.fusion.shipped import DEFAULT
from retriever.fusion.store import Fusion, file_hash, save
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.testsets.make import make
from retriever.testsets.records import line_of, numbered
from retriever.types import Ids
from weft.skb import Skb

MADE = ((("bridge", "intersection", "single"), 200), (("comparison",), 40))
"""Patterns of questions made from each corpus, and how many."""

DOCS = Source("docs", (str(Path(__file__).parents[1] / "docs"),))
"""The project's own documents: practice over text with paths, options and identifiers in it."""

MANUAL_NAMES = frozenset(manual.name for manual in (*MANUALS, AS_TEXT))

INVENTED_NAMES = frozenset(source.name for source in invented())

THRESHOLDS = (0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)
CONFIDENCES = (0.05, 0.1, 0.15, 0.2)

ABSTAIN, ABSTAIN_MANUAL = 120, 20
"""Questions to learn from of a corpus, and of a manual, that teach abstention too."""

MADE_WORTH = 0.5
"""What a question of a made set weighs beside a real one."""


class Set(NamedTuple):
    """A corpus: its searcher, its questions, if it has any, and what a ranker learns of it."""

    name: str
    searcher: Searcher
    questions: list[Question]
    corpora: list[AnswerCorpus]


def fusions(folder: Path, names: Sequence[str]) -> dict[str, Path]:
    """Return for each set a fusion that has not seen it, trained where it is not there."""
    paths = {name: leave_out.kept(folder, DEFAULT, name) for name in names}
    if missing := [name for name, path in paths.items() if not path.exists()]:
        options = leave_out.parser().parse_args([str(folder), "--embedder", "tfidf", "--embedder", "minilm"])
        everything = list(leave_out.opened(options))
        for name in missing:
            others = [each for each in everything if each.name != name]
            save(paths[name], leave_out.learned(others, options, options.seed))
    return paths


def kept(folder: Path, name: str, seed: int) -> Path:
    """Return where a ranker that has not seen a set is kept."""
    return folder / f"answers-{name}-{seed}.json"


def prepared_set(source: Source, folder: Path, fusion: Path | None, options: argparse.Namespace) -> Set:
    """Read a set: all passages that its questions find, and practice over its corpus."""
    session = Session(Context(Skb(skb_of(source, folder / "skbs", "tfidf"))))
    searcher = Searcher(session, "hybrid", fusion=fusion).direct
    if source.name in MANUAL_NAMES or source.name in INVENTED_NAMES:
        return Set(source.name, searcher, [], [*written_set(source, searcher)])
    own = practice_corpus(f"{source.name} practice", searcher, options.practice)
    if source == DOCS:
        return Set(source.name, searcher, [], [own])
    learned = [*written_set(source, searcher), own, made_set(source.name, searcher, folder)]
    if source.questions is None:
        return Set(source.name, searcher, [], learned)
    questions = read_questions(source.questions)[: options.limit]
    asked = answer_corpus(source.name, file_hash(source.questions), searcher, questions)
    return Set(source.name, searcher, questions, [asked, *learned])


def written_set(source: Source, searcher: Searcher) -> Iterator[AnswerCorpus]:
    """Read what a method finds for the questions that are learned from alone, where there are some.

    Those with gold and no answer, or whose gold the SKB has not, teach nothing; those without gold have none.
    """
    if source.learned:
        resolver = GoldResolver(searcher.session.skb, "chunk")
        questions = [each for each in read_questions(source.learned)
                     if bool(each.answers) == bool(each.gold) and all(resolver.gold_set(each).items)]  # fmt: skip
        kin = next((names for names in (MANUAL_NAMES, INVENTED_NAMES) if source.name in names), (source.name,))
        most = ABSTAIN_MANUAL if source.name in MANUAL_NAMES else ABSTAIN
        # All manuals together weigh as much as one corpus of as many questions, and so do all invented collections.
        worth = len(kin) ** -0.5
        read = answer_corpus(f"{source.name} written", file_hash(source.learned), searcher, questions, abstain=most)
        yield read._replace(worth=worth)


def made_set(name: str, searcher: Searcher, folder: Path) -> AnswerCorpus:
    """Read what a method finds for questions made from its corpus, whose answers are verified by rule; once made."""
    path = folder / f"made-{name}.jsonl"
    if not path.exists():
        made = [make(searcher.session, n, patterns) for patterns, n in MADE]
        lines = [line_of(record) for each in made for record in numbered(each.evidence, each.drafts)]
        path.write_bytes(b"".join(lines))
    read = answer_corpus(f"{name} made", file_hash(path), searcher, read_questions(path))
    return read._replace(worth=MADE_WORTH)


def measured(each: Set, rankers: Sequence[Fusion]) -> list[dict[str, Any]]:
    """Return of each ranker exact match, F1, citations and abstentions on a set it has not seen, with the chances.

    What a question finds is read once for all.
    """
    searcher = each.searcher
    resolver = GoldResolver(searcher.session.skb, "chunk")
    rows: list[list[dict[str, Any]]] = [[] for _ in rankers]
    for question in each.questions:
        gold = frozenset[int]().union(*resolver.gold_set(question).items)
        if question.answers and not gold:
            continue
        readings = _readings(searcher, question, gold)
        for own, ranker in zip(rows, rankers, strict=True):
            own.append(_row(searcher, ranker, question, readings, gold))
        searcher.session.forget()
    return [{"set": each.name, "rows": own} for own in rows]


def _readings(
    searcher: Searcher, question: Question, gold: frozenset[int]
) -> dict[str, tuple[Reading, Ids | None]]:
    """Return what is read of all chunks, without the gold's pages, without the gold and of it alone, and of which."""
    text, chunks = asked_directly(question.question), searcher.session.chunk_table.chunk_ids
    own = np.array(sorted(gold), np.int64)
    found: dict[str, tuple[Reading, Ids | None]] = {"all": (reading_of(searcher, text), None)}
    if not gold:
        return found
    others = other_pages(searcher.session, own)
    found |= {"without": (reading_of(searcher, text, others), others), "gold": (reading_of(searcher, text, own), own)}
    beside = reading_beside(searcher, question, sorted(gold))
    return found | ({"beside": (beside, chunks[~np.isin(chunks, own)])} if beside else {})


def _row(
    searcher: Searcher, ranker: Fusion, question: Question, readings: dict[str, tuple[Reading, Ids | None]],
    gold: frozenset[int],
) -> dict[str, Any]:  # fmt: skip
    told = {key: _told(searcher, ranker, question, *read, gold) for key, read in readings.items()}
    row: dict[str, Any] = {"type": question.type, "answerable": bool(question.answers), **told.pop("all")}
    row["first"] = _first(readings["all"][0], question.answers)
    row |= {f"{key}_confidence": own["confidence"] for key, own in told.items()}
    return row | {key: own["exact" if key == "gold" else "chance"] for key, own in told.items()}


def _told(
    searcher: Searcher, ranker: Fusion, question: Question, reading: Reading, allowed: Ids | None,
    gold: frozenset[int],
) -> dict[str, Any]:  # fmt: skip
    """Return what is told of the answer to a question; `allowed` are the chunks that may be read, if not all."""
    chosen = choose(searcher, ranker, asked_directly(question.question), reading, allowed)
    if chosen is None:
        nothing: dict[str, Any] = dict.fromkeys(("exact", "f1", "chance", "confidence", "hops"), 0.0)
        return nothing | {"cited": False, "first_cited": False, "answer": None}
    like = float(likenesses([chosen.found.candidate], question.answers)[0]) if question.answers else 0.0
    first, *others = (searcher.session.skb.chunk(each.uri) for each in citations_of(chosen))
    return {
        "exact": float(like >= 1), "f1": like, "chance": chosen.chance, "hops": len(chosen.hops),
        "confidence": chosen.chance * chosen.share,
        "cited": any(each is not None and each.id in gold for each in (first, *others)),
        "first_cited": first is not None and first.id in gold, "answer": chosen.found.candidate.text,
    }  # fmt: skip


def _first(reading: Reading, answers: Sequence[str]) -> float:
    """Return whether the first name that fits in the sentence that says most of what is asked is right."""
    if not len(reading.candidates):
        return 0.0
    said = reading.features[:, INDEX["covers"]] + reading.features[:, INDEX["covers_names"]]
    fits = reading.features[:, INDEX["fits"]] > 0
    rows = np.flatnonzero(fits) if fits.any() else np.arange(len(said))
    best = reading.candidates[rows[np.argmax(said[rows])]]
    return float(likenesses([best], answers)[0] >= 1)


def show(report: dict[str, Any], thresholds: Sequence[float]) -> None:
    """Print a set's figures, with the 95% interval of exact match, and abstention by threshold."""
    rows = [row for row in report["rows"] if row["answerable"]]
    exact = np.array([row["exact"] for row in rows])
    random = np.random.default_rng(0)
    low, high = np.percentile(exact[random.integers(0, len(exact), (2000, len(exact)))].mean(1), [2.5, 97.5])
    keys = ("f1", "cited", "first_cited", "first", "gold")
    mean = {key: float(np.mean([row[key] for row in rows if key in row])) for key in keys}
    print(f"{report['set']}: {len(rows)} questions, exact {exact.mean():.3f} ({low:.3f} to {high:.3f}), "
          f"F1 {mean['f1']:.3f}, cites gold {mean['cited']:.3f}, first {mean['first_cited']:.3f}; "
          f"first fitting name {mean['first']:.3f}, "
          f"over gold chunks {mean['gold']:.3f}")  # fmt: skip
    for kind in sorted({row["type"] for row in rows if row["type"]}):
        own = [row["exact"] for row in rows if row["type"] == kind]
        print(f"  {kind}: {len(own)}, exact {np.mean(own):.3f}")
    without = [(row["without"], row["without_confidence"]) for row in report["rows"] if "without" in row]
    without += [(row["chance"], row["confidence"]) for row in report["rows"] if not row["answerable"]]
    for key in ("chance", "confidence"):
        given = [Given("", row[key], ()) for row in rows]
        print(f"  risk-coverage area by {key}: {risk_coverage_area(given, exact):.3f}", flush=True)
    for least in (*((each, 0.0) for each in thresholds), *((THRESHOLD, each) for each in CONFIDENCES)):
        kept = [row for row in rows if _reaches(least, row["chance"], row["confidence"])]
        right = np.mean([row["exact"] for row in kept]) if kept else 0.0
        silent, wrongly = 1 - np.mean([_reaches(least, *each) for each in without]), 1 - len(kept) / len(rows)
        print(f"  threshold {least[0]:.2f}, confidence {least[1]:.2f}: abstains on {silent:.2f} that cannot be"
              f" answered, on {wrongly:.2f} that can; exact of those answered {right:.3f}", flush=True)  # fmt: skip


def _reaches(least: tuple[float, float], chance: float, confidence: float) -> bool:
    return chance >= least[0] and confidence >= least[1]


def spread(reports: Sequence[dict[str, Any]]) -> None:
    """Print the mean of several trainings on a set, with the least and the greatest."""
    rows = [[row for row in report["rows"] if row["answerable"]] for report in reports]
    for key in ("exact", "f1", "cited", "first_cited", "gold"):
        means = [float(np.mean([row[key] for row in own if key in row])) for own in rows]
        least, most = min(means), max(means)
        print(f"  {len(means)} trainings, {key}: {np.mean(means):.3f} ({least:.3f} to {most:.3f})", flush=True)


def main() -> None:
    """Print a table a set left out, or train on everything and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--leave-out", action="append")
    parser.add_argument("--practice", type=int, default=200)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--seed", type=int, default=0, help="of the first training, and of the one that ships")
    parser.add_argument("--trainings", type=int, default=1)
    parser.add_argument("--ship", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    known = fusions(options.folder, [source.name for source in sources() if source.questions is not None])
    start = time.perf_counter()
    sets = []
    manuals = (manual_source(options.folder, name) for name in sorted(MANUAL_NAMES))
    for source in (*sources(), DOCS, *invented(), *(each for each in manuals if Path(each.documents[0]).is_dir())):
        sets.append(prepared_set(source, options.folder, known.get(source.name), options))
        print(f"{source.name} read, {time.perf_counter() - start:.0f} s", flush=True)
    if options.ship:
        save(options.ship, fit([corpus for each in sets for corpus in each.corpora], seed=options.seed))
    for each in sets:
        skipped = options.ship if options.leave_out is None else each.name not in options.leave_out
        if not each.questions or skipped:
            continue
        others = [corpus for other in sets if other.name != each.name for corpus in other.corpora]
        seeds = range(options.seed, options.seed + options.trainings)
        rankers = [fit(others, seed=seed) for seed in seeds]
        for seed, ranker in zip(seeds, rankers, strict=True):
            save(kept(options.folder, each.name, seed), ranker)
        reports = measured(each, rankers)
        for seed, report in zip(seeds, reports, strict=True):
            if options.json:
                print(json.dumps(report | {"seed": seed}))
            else:
                show(report, THRESHOLDS)
        if not options.json and options.trainings > 1:
            spread(reports)


if __name__ == "__main__":
    main()
