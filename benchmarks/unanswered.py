"""Score the doubt of hybrid retrieval, that perhaps nothing fits, on kinds of corpora that its fusion has never seen.

    python -m benchmarks.unanswered FOLDER [--embedder tfidf] [--domain NAME]... [--model logistic] [--json]

FOLDER is that of `benchmarks.manuals`. For each domain of `domains` a fusion is
trained on all corpora of the others as `benchmarks.leave_out` does. The
corpora of the domain are asked their own questions whose gold is among the
candidates, at most 60 of these again where the pages of their gold may not be
ranked, and at most 60 questions of corpora of other domains. A false alarm is a
doubt of the first kind; precision is told of as many foreign questions as own.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.leave_out import Prepared, learned, opened
from retriever.features.answerability import Answerability
from retriever.fusion.store import Fusion
from retriever.fusion.two_stage import TwoStage
from retriever.training.answerability import Asked, Rankings, Rows, rankings


class Line(NamedTuple):
    """Shares of a corpus's questions that are doubted: with an answer, without their gold, of other corpora."""

    domain: str
    corpus: str
    questions: int
    false_alarms: float
    without_gold: float
    foreign: float

    @property
    def precision(self) -> float:
        """The share of foreign questions among what is doubted, where there are as many as with an answer."""
        return self.foreign / max(1e-9, self.foreign + self.false_alarms)


def asked_of(each: Prepared) -> list[Asked]:
    """Return the judged questions of a corpus's own file."""
    return [Asked(corpus.domain, corpus.session, corpus.features, [own[:2] for own in corpus.judged])
            for corpus in each.corpora if corpus.sha256]  # fmt: skip


def lines(left_out: Sequence[Prepared], others: Sequence[Prepared], fusion: Fusion) -> Iterator[Line]:
    """Score the corpora of a domain by a fusion of the others."""
    answerable, model = fusion.head.answerable, fusion.model
    if answerable is None or not isinstance(model, TwoStage):
        return
    elsewhere = [asked for each in others for asked in asked_of(each)]
    for each in left_out:
        for asked in asked_of(each):
            found = rankings(asked, elsewhere, lambda _: model.first)
            yield Line(each.domain, each.name, len(found.answered), *doubted(answerable, found))


def doubted(answerable: Answerability, found: Rankings) -> tuple[float, float, float]:
    """Return the share of each kind of rankings that is doubted."""
    def share(rows: Rows) -> float:
        return float(np.mean([answerable.chance(row) < answerable.threshold for row in rows])) if len(rows) else 0.0

    return share(found.answered), share(found.without_gold), share(found.foreign)


def show(line: Line) -> str:
    """Return a row of a table in Markdown."""
    shares = (line.false_alarms, line.without_gold, line.foreign, line.precision)
    return f"| {line.domain} | {line.corpus} | {line.questions} | {' | '.join(f'{each:.2f}' for each in shares)} |"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embedder", action="append")
    parser.add_argument("--domain", action="append", help="leave only this one out; may be given again")
    parser.add_argument("--model", default="logistic", choices=("ensemble", "mlp", "logistic"))
    parser.add_argument("--networks", type=int)
    parser.add_argument("--most", type=int, default=150)
    parser.add_argument("--practice", type=int, default=300)
    parser.add_argument("--also", action="append", help="a corpus for all embedders, instead of ALSO; repeatable")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(scored=0, only=None)
    options = parser.parse_args()
    everything = list(opened(options))
    for domain in options.domain or dict.fromkeys(each.domain for each in everything):
        start = time.perf_counter()
        others = [each for each in everything if each.domain != domain]
        left_out = [each for each in everything if each.domain == domain]
        for line in lines(left_out, others, learned(others, options, options.seed)):
            record = line._asdict() | {"precision": line.precision}
            print(json.dumps(record) if options.json else show(line), flush=True)
        print(f"{domain}: {time.perf_counter() - start:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
