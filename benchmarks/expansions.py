"""Expansions without a language model beside each other, with paired intervals.

    python -m benchmarks.expansions FOLDER [--sets 2wiki,hotpotqa,primekg_ibd] [--rankers vector,bm25,hybrid(hops=no)]

Builds each set in FOLDER where it is not yet, by the default embedder, and prints
a row of Markdown for each ranker and expansion: recall@5 over chunks, @20 over
node documents, and the difference from base and prf with its 95% interval.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.corpora import data
from builder.build import build
from builder.request import Request, Settings
from retriever.context import Context
from retriever.datasets.gold import unit_of
from retriever.datasets.question_files import Question, read_questions
from retriever.evaluation.run import evaluate
from retriever.searcher import Searcher
from retriever.session import Session
from weft.chat.base import Chat
from weft.skb import Skb

SETS: Mapping[str, int] = {"2wiki": 5, "hotpotqa": 5, "primekg_ibd": 20}
"""Sets and at which rank recall is told."""

EXPANSIONS = ("base", "prf", "kar(model=no)", "kar(model=no,join=half)")
SHOWN = "| {set} | `{ranker}` | `{expansion}` | {recall:.3f} | {to_base} | {to_prf} | {mrr:.3f} | {p50:.0f} |"
HEAD = "| set | ranker | expansion | recall | from `base`, 95% | from `prf`, 95% | MRR | p50, ms |\n" + 8 * "|---" + "|"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--rankers", default="vector,bm25,hybrid(hops=no)")
    given = parser.parse_args()
    print(HEAD)
    for name in given.sets.split(","):
        path, questions = built(given.folder, name), read_questions(data() / name / "questions.jsonl")
        for ranker in given.rankers.split(","):
            print("\n".join(rows(path, name, questions, EXPANSIONS, ranker)), flush=True)


def built(folder: Path, name: str) -> Path:
    """Return the SKB of a set, built in a folder where it is not yet."""
    path, place = folder / f"{name}.skb", data() / name
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        is_graph = (place / "nodes.jsonl").exists()
        source = f"graph:{place}" if is_graph else f"jsonl:{place / 'corpus.jsonl'}"
        build(Request((source,), path, settings=Settings(node_documents=is_graph)))
    return path


def rows(
    path: Path, name: str, questions: Sequence[Question], expansions: Sequence[str], ranker: str,
    chat: Chat | None = None,
) -> list[str]:  # fmt: skip
    """Return a row for each expansion before a ranker, `base` and `prf` among them."""
    at = SETS[name]
    with Skb(path) as skb, Session(Context(skb), chat) as session:
        unit = unit_of(questions, skb)
        searchers = {each: Searcher(session, f"{each}>{ranker}", unit) for each in expansions}
        report = evaluate(skb, questions, {each: own.rank_anew for each, own in searchers.items()}, [at], unit)
    found = []
    for each, own in report["methods"].items():
        to_base, to_prf = (difference(report["paired"], each, other, f"recall@{at}") for other in ("base", "prf"))
        found.append(SHOWN.format(
            set=name, ranker=ranker, expansion=each, recall=own[f"recall@{at}"], to_base=to_base, to_prf=to_prf,
            mrr=own["mrr"], p50=1000 * own["seconds"]["p50"],
        ))  # fmt: skip
    return found


def difference(paired: Mapping[str, Any], method: str, other: str, measure: str) -> str:
    """Return a method's difference from another with its interval, a dash from itself."""
    for names, sign in (((method, other), 1), ((other, method), -1)):
        own = paired.get(" - ".join(names), {}).get(measure)
        if own:
            # Zero has a sign too.
            low, high = sorted((sign * own["low"] + 0.0, sign * own["high"] + 0.0))
            return f"{sign * own['difference'] + 0.0:+.3f} ({low:+.3f} to {high:+.3f})"
    return "-"


if __name__ == "__main__":
    main()
