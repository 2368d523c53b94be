"""Score hybrid retrieval on corpora that its fusion has never seen, of one embedder and without manuals.

    python -m benchmarks.fusion FOLDER [--embedder tfidf] [--leave-out SET]... [--model ensemble] [--json]

For each set left out the fusion is trained on the questions of the other sets,
and on synthetic questions over the other corpora whose pages are long; no
question of the set that is scored takes part, nor its corpus. SKBs are built in
FOLDER once. The real data lies in `../shared/data` or WEFT_DATA.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.corpora import LONG_PAGES, Source, skb_of, sources, variants
from retriever.context import Context
from retriever.datasets.question_files import Question, read_questions
from retriever.evaluation.outcomes import Rank
from retriever.evaluation.run import evaluate
from retriever.fusion.shipped import DEFAULT
from retriever.fusion.store import Fusion, file_hash
from retriever.question.reader import read_question
from retriever.rankers.hybrid import Hybrid
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.training.dataset import Corpus, corpus_of, fit, synthetic_corpus
from retriever.types import Ranking
from weft.skb import Skb

SHOWN = ("hit@1", "recall@2", "hit@3", "hit@5", "recall@5", "set_coverage@5", "set_coverage@6", "pool_recall")
CUT_OFFS = (1, 2, 3, 5, 6)


class Prepared:
    """One corpus opened, its questions, and what a fusion can learn from it."""

    def __init__(self, source: Source, folder: Path, embedder: str, synthetic: int) -> None:
        self.name = source.name
        self.group = source.same_as or source.name
        self.session = Session(Context(Skb(skb_of(source, folder, embedder))))
        self.questions: list[Question] = read_questions(source.questions) if source.questions else []
        self.parts = parts_of(source.questions, self.questions) if source.questions else {}
        self.corpora: list[Corpus] = []
        if source.questions:
            self.corpora.append(corpus_of(source.name, file_hash(source.questions), self.session, self.questions))
        chunk_table = self.session.chunk_table
        if synthetic and len(chunk_table.chunk_ids) > LONG_PAGES * len(chunk_table.page_ids):
            self.corpora.append(synthetic_corpus(f"{source.name} practice", self.session, synthetic))


def learn(prepared: list[Prepared], options: argparse.Namespace, without: str) -> Fusion:
    """Train on all corpora but one."""
    corpora = [corpus for each in prepared if each.group != without for corpus in each.corpora if corpus.judged]
    return fit(corpora, options.model, seed=options.seed)


def by_fusion(session: Session, fusion: Fusion) -> Rank:
    """Return hybrid with a fusion, as a method on the session's SKB; no question knows of another."""
    hybrid = Hybrid(fusion, session.embedder_name)

    def rank(text: str, k: int) -> Ranking:
        session.forget()
        return hybrid.rank(session, read_question(session, text, "chunk"), k)

    return rank


def scored(each: Prepared, fusion: Fusion) -> dict[str, Any]:
    """Evaluate a fusion on a corpus beside BM25 and vectors, by type of question too where the set has types."""
    methods = {"hybrid": by_fusion(each.session, fusion)}
    methods |= {name: Searcher(each.session, name).rank_anew for name in ("bm25", "vector")}
    report = evaluate(each.session.skb, each.questions, methods, CUT_OFFS, "chunk")
    for name, part in each.parts.items():
        report[name] = evaluate(each.session.skb, part, methods, CUT_OFFS, "chunk")
    return report


def parts_of(path: Path, questions: list[Question]) -> dict[str, list[Question]]:
    """Return the multi-hop questions, and those whose gold was matched surely where the file says how it was."""
    records = {record["id"]: record for record in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
    parts = {
        "multi-hop": [each for each in questions if each.type == "multi"],
        "strict": [each for each in questions
                   if records[each.id].get("match") == "exact" and records[each.id].get("unique")],
    }  # fmt: skip
    return {name: part for name, part in parts.items() if part}


def show(name: str, report: dict[str, Any]) -> None:
    """Print a set's measures with the intervals of recall@5."""
    print(f"\n{name}: {report['questions'] - report['unjudged']} questions")
    print("  ".ljust(10) + "".join(measure.rjust(16) for measure in SHOWN) + "recall@5, 95%".rjust(20))
    for method, measured in report["methods"].items():
        low, high = measured["ci"]["recall@5"]
        cells = "".join(f"{measured[measure]:.3f}".rjust(16) for measure in SHOWN)
        print(f"  {method:8s}{cells}{low:13.3f} – {high:.3f}", flush=True)
    for pair, measures in report["paired"].items():
        if pair.startswith("hybrid"):
            both = measures["recall@5"]
            print(f"  {pair}: recall@5 {both['difference']:+.3f} ({both['low']:+.3f} to {both['high']:+.3f})")


def main() -> None:
    """Print a table a set left out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embedder", action="append")
    parser.add_argument("--leave-out", action="append")
    parser.add_argument("--model", default=DEFAULT, choices=("ensemble", "listwise", "mlp", "thesis", "logistic"))
    parser.add_argument("--practice", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    embedders = options.embedder or ["tfidf"]
    left_out = options.leave_out or []
    prepared = {name: [Prepared(source, options.folder, name, options.practice) for source in sources()]
                for name in embedders}  # fmt: skip
    asked = [source for source in variants() if source.name in left_out]
    for embedder, own in prepared.items():
        for each in [*own, *(Prepared(source, options.folder, embedder, 0) for source in asked)]:
            if each.questions and (not left_out or each.name in left_out):
                start = time.perf_counter()
                report = scored(each, learn(own, options, without=each.group))
                if options.json:
                    print(json.dumps({"set": each.name, "embedder": embedder, "model": options.model, **report}))
                else:
                    show(f"{each.name}, {embedder}, {options.model}", report)
                    for part in each.parts:
                        show(f"{each.name} {part}, {embedder}", report[part])
                print(f"{each.name}: {time.perf_counter() - start:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
