"""Score what practice on one corpus gives a fusion that has seen no corpus of its kind.

    python -m benchmarks.own_corpus FOLDER [--scored 180] [--model logistic] [--networks 2] [--json]

FOLDER is that of `benchmarks.manuals`. The fusion is trained on all domains but
manuals, and text and notes; then it practises on each of their corpora as `weft
train KB.skb` does, and ranks the questions of that corpus before and after, which
practice never sees.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.fusion import by_fusion
from benchmarks.leave_out import MEASURES, Prepared, learned, measured, opened
from retriever.fusion.store import Fusion
from retriever.training.dataset import synthetic_corpus
from retriever.training.practice import PRACTICE, practised

LEFT_OUT = ("manuals", "text and notes")


Values = NDArray[np.float64]


class Line(NamedTuple):
    """Measures of a set of questions before and after practice, in the order of MEASURES, and its seconds."""

    corpus: str
    kind: str
    questions: int
    before: tuple[float, ...]
    after: tuple[float, ...]
    seconds: float = 0.0


def scored(each: Prepared, fusion: Fusion) -> tuple[Values, Values, float]:
    """Return the measures (n, len(MEASURES)) of a corpus's questions before and after practice, and its seconds."""
    start = time.perf_counter()
    practice = synthetic_corpus(f"{each.name} practice", each.session, PRACTICE)
    own = practised(fusion, practice).fusion
    seconds = time.perf_counter() - start
    methods = {"before": by_fusion(each.session, fusion), "after": by_fusion(each.session, own)}
    found = measured(each.session.skb, each.questions, methods)
    return found["before"], found["after"], seconds


def line(corpus: str, kind: str, before: Values, after: Values, seconds: float = 0.0) -> Line:
    """Return the means of some questions."""
    means = [tuple(side.mean(axis=0).tolist()) for side in (before, after)]
    return Line(corpus, kind, len(before), means[0], means[1], seconds)


def show(own: Line) -> str:
    """Return a row of a table in Markdown."""
    cells = " | ".join(f"{one:.3f}, {other:.3f}" for one, other in zip(own.before, own.after, strict=True))
    return f"| {own.corpus} | {own.kind} | {own.questions} | {cells} | {own.seconds:.0f} |"


def main() -> None:
    """Print a line a corpus, then one for each kind of question over all corpora."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embedder", action="append")
    parser.add_argument("--model", default="logistic", choices=("ensemble", "mlp", "logistic"))
    parser.add_argument("--networks", type=int)
    parser.add_argument("--most", type=int, default=150)
    parser.add_argument("--scored", type=int, default=180, help="at most so many questions of a corpus, kind by kind")
    parser.add_argument("--practice", type=int, default=300)
    parser.add_argument("--also", action="append", help="a corpus for all embedders, instead of ALSO; repeatable")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(only=None)
    options = parser.parse_args()
    everything = list(opened(options))
    fusion = learned([each for each in everything if each.domain not in LEFT_OUT], options, 0)
    kinds: dict[str, list[tuple[Values, Values]]] = defaultdict(list)

    def tell(own: Line) -> None:
        print(json.dumps(own._asdict() | {"measures": MEASURES}) if options.json else show(own), flush=True)

    for each in everything:
        if each.domain in LEFT_OUT:
            before, after, seconds = scored(each, fusion)
            tell(line(each.name, "all", before, after, seconds))
            for rows, question in enumerate(own for own in each.questions if own.gold):
                kinds[question.type or ""].append((before[rows], after[rows]))
    for kind, pairs in kinds.items():
        tell(line("all", kind, *(np.array(side) for side in zip(*pairs, strict=True))))


if __name__ == "__main__":
    main()
