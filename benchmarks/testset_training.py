"""What verified test sets are worth as training: fusions trained with and without them, on a corpus unseen by both.

    python -m benchmarks.testset_training FOLDER [--trainings 5] [--questions 100] [--arms without,with,own] [--json]

Each of `--corpora` is left out in turn. `without` is trained on the others just
as `benchmarks.leave_out` trains, `with` also on a verified set of each of them,
made from its own SKB, and `own` on a verified set of the corpus that is left out
instead, which needs no question of a person about it. The sets weigh with their
corpora. Means are over the trainings, which differ in their seed; the difference
to `without` has its paired 95% interval, by 10,000 resamples of the questions.
SKBs are built in FOLDER/skbs where they are not there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.corpora import sources
from benchmarks.domains import domains
from benchmarks.leave_out import MEASURES, Prepared, by_fusion, learned, measured, prepared
from retriever.datasets.question_files import questions_of
from retriever.evaluation.intervals import interval, resampled_means
from retriever.fusion.shipped import DEFAULT
from retriever.fusion.store import Fusion
from retriever.testsets.make import make
from retriever.testsets.records import numbered
from retriever.training.dataset import Corpus, corpus_of

CORPORA = ("fixtures", "2wiki", "hotpotqa", "musique")
ARMS = ("without", "with", "own")


class Worth(NamedTuple):
    """A measure on a corpus left out, by arm: the mean over the trainings, and the difference to the first arm."""

    corpus: str
    questions: int
    verified: int
    measure: str
    arm: str
    mean: float
    least: float
    greatest: float
    difference: float
    low: float
    high: float


def verified_corpus(each: Prepared, n: int, seed: int) -> Corpus:
    """Return what a fusion learns from a verified set that is made from a corpus, in the corpus's own group."""
    made = make(each.session, n, seed=seed)
    questions = questions_of(numbered(made.evidence, made.drafts))
    corpus = corpus_of(f"{each.name} verified", "", each.session, questions)
    first = next(iter(each.corpora), corpus)
    return corpus._replace(domain=each.domain, group=first.group)


def learning(arm: str, left_out: Prepared, others: Sequence[Prepared], sets: Mapping[str, Corpus]) -> list[Prepared]:
    """Return what an arm learns from when a corpus is left out."""
    if arm == "with":
        return [each._replace(corpora=[*each.corpora, sets[each.name]]) for each in others]
    own = [left_out._replace(corpora=[sets[left_out.name]])] if arm == "own" else []
    return [*others, *own]


def worth(
    left_out: Prepared, arms: Mapping[str, Sequence[Fusion]], verified: int
) -> Iterator[Worth]:
    """Score the fusions of each arm on a corpus that they have not seen, against those of the first."""
    named = {f"{arm} {index}": by_fusion(left_out, fusion) for arm, fusions in arms.items()
             for index, fusion in enumerate(fusions)}  # fmt: skip
    table = measured(left_out.session.skb, left_out.questions, named)
    means = {arm: np.mean([table[f"{arm} {index}"] for index in range(len(fusions))], axis=0)
             for arm, fusions in arms.items()}  # fmt: skip
    base = next(iter(means.values()))
    for arm, values in means.items():
        low, high = interval(resampled_means(values - base, 0))
        each = np.array([table[f"{arm} {index}"].mean(0) for index in range(len(arms[arm]))])
        for column, measure in enumerate(MEASURES):
            yield Worth(left_out.name, len(values), verified, measure, arm, float(values[:, column].mean()),
                        float(each[:, column].min()), float(each[:, column].max()),
                        float((values - base)[:, column].mean()), float(low[column]), float(high[column]))  # fmt: skip


def show(found: Worth) -> str:
    """Return a row of a table in Markdown."""
    mean = f"{found.mean:.3f} ({found.least:.3f} – {found.greatest:.3f})"
    difference = f"{found.difference:+.3f} ({found.low:+.3f} to {found.high:+.3f})"
    return f"| {found.corpus} | {found.questions} | {found.measure} | {found.arm} | {mean} | {difference} |"


def opened(options: argparse.Namespace) -> list[Prepared]:
    """Open the corpora, with the practice that they have in training."""
    kinds = {source.name: domain for domain, several in domains(options.folder).items() for source in several}
    known = {source.name: source for source in sources()}
    return [prepared(known[name], kinds[name], options.embedder, options, options.practice)
            for name in options.corpora.split(",")]  # fmt: skip


def run(everything: Sequence[Prepared], options: argparse.Namespace) -> Iterator[Worth]:
    """Yield what each arm is worth on each corpus."""
    sets = {each.name: verified_corpus(each, options.questions, options.seed) for each in everything}
    for left_out in everything:
        others = [each for each in everything if each is not left_out]
        arms = {
            arm: [learned(learning(arm, left_out, others, sets), options, options.seed + number)
                  for number in range(options.trainings)]
            for arm in options.arms.split(",")
        }  # fmt: skip
        yield from worth(left_out, arms, sum(len(corpus.judged) for corpus in sets.values()))


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("folder", type=Path)
    made.add_argument("--corpora", default=",".join(CORPORA))
    made.add_argument("--arms", default=",".join(ARMS), help="the first one is what others are compared with")
    made.add_argument("--embedder", default="tfidf")
    made.add_argument("--trainings", type=int, default=5)
    made.add_argument("--questions", type=int, default=100, help="of each verified set")
    made.add_argument("--model", default=DEFAULT, choices=("ensemble", "mlp", "logistic"))
    made.add_argument("--networks", type=int)
    made.add_argument("--most", type=int, default=120)
    made.add_argument("--scored", type=int, default=240)
    made.add_argument("--practice", type=int, default=240)
    made.add_argument("--seed", type=int, default=0)
    made.add_argument("--json", action="store_true")
    made.set_defaults(only=None)
    return made


def main() -> None:
    """Print a table."""
    options = parser().parse_args()
    for found in run(opened(options), options):
        print(json.dumps(found._asdict()) if options.json else show(found), flush=True)


if __name__ == "__main__":
    main()
