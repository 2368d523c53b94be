"""Score the nodes that answer questions over imported graphs, without a language model.

    python -m benchmarks.node_answers FOLDER [--limit 100]

An answer is the best nodes of the entity unit's ranking. A node is right where it is one of the gold: `first` is the
share of questions whose first node is, `F1` the harmonic mean of precision and recall of all that are named, `cites`
the share whose citations hold a gold node. The real data lies in `../shared/data` or WEFT_DATA.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from benchmarks.corpora import Source, data, skb_of
from retriever.answers.answering import find_answer
from retriever.context import Context
from retriever.datasets.gold import GoldResolver
from retriever.datasets.question_files import Question, read_questions
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb

METAQA = ("1-hop", "2-hop", "3-hop")


def graphs() -> tuple[tuple[Source, Path], ...]:
    """Return each graph with a question file of it."""
    root = data()
    metaqa, primekg = root / "metaqa", root / "primekg_ibd"
    films = [(Source("metaqa", (f"graph:{metaqa}",)), metaqa / f"{hops}.jsonl") for hops in METAQA]
    return (*films, (Source("primekg_ibd", (f"graph:{primekg}",)), primekg / "questions.jsonl"))


def scored(searcher: Searcher, resolver: GoldResolver, question: Question) -> tuple[float, float, float]:
    """Return whether the first node is gold, the F1 of all, and whether a gold node is cited."""
    gold = frozenset[int]().union(*resolver.gold_set(question).items)
    searcher.session.forget()
    answer = find_answer(searcher, question.question).answer
    entities = [searcher.session.skb.entity(each.uri) for each in answer.citations]
    found = [entity.id in gold for entity in entities if entity is not None]
    return float(any(found[:1])), 2 * sum(found) / max(1, len(found) + len(gold)), float(any(found))


def main() -> None:
    """Print a line a question file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=100)
    options = parser.parse_args()
    for source, path in graphs():
        with Skb(skb_of(source, options.folder, "tfidf")) as skb, Session(Context(skb)) as session:
            searcher, resolver = Searcher(session, "auto", "entity"), GoldResolver(skb, "entity")
            start = time.perf_counter()
            questions = read_questions(path)[: options.limit]
            rows = np.array([scored(searcher, resolver, question) for question in questions])
            first, f1, cites = rows.mean(0)
            seconds = (time.perf_counter() - start) / len(questions)
            print(f"{source.name} {path.stem}: {len(questions)} questions, first {first:.3f}, F1 {f1:.3f},"
                  f" cites {cites:.3f}; {1000 * seconds:.0f} ms each", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
