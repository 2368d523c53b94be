"""Score the nodes that answer questions over imported graphs, without a language model.

    python -m benchmarks.node_answers FOLDER [--skip 250] [--limit 250] [--relations FOLDER]

An answer is the best nodes of the entity unit's ranking. A node is right where it is one of the gold: `first` is the
share of questions whose first node is, `F1` the harmonic mean of precision and recall of all that are named, `cites`
the share whose citations hold a gold node. `answered` is the share that gets an answer, and behind it stand `first` and
`F1` of these alone. `--relations` is a folder with the files that `python -m benchmarks.focus` trains there. Of
primekg_ibd questions are those of split val. The real data lies in `../shared/data` or WEFT_DATA.
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


def scored(searcher: Searcher, resolver: GoldResolver, question: Question) -> tuple[float, float, float, float]:
    """Return whether the first node is gold, the F1 of all, whether a gold node is cited, and whether any node is."""
    gold = frozenset[int]().union(*resolver.gold_set(question).items)
    searcher.session.forget()
    answer = find_answer(searcher, question.question).answer
    entities = [searcher.session.skb.entity(each.uri) for each in answer.citations]
    found = [entity.id in gold for entity in entities if entity is not None]
    f1 = 2 * sum(found) / max(1, len(found) + len(gold))
    return float(any(found[:1])), f1, float(any(found)), float(bool(found))


def told(rows: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> str:
    """Return the means (n, 4) of all questions, and of those that are answered."""
    first, f1, cites, answered = rows.mean(0)
    all_of_them = f"first {first:.3f}, F1 {f1:.3f}, cites {cites:.3f}, answered {answered:.3f}"
    return f"{all_of_them} (first {first / max(answered, 1e-9):.3f}, F1 {f1 / max(answered, 1e-9):.3f})"


def chosen(path: Path, skip: int, limit: int) -> list[Question]:
    """Return the questions of a file that are scored."""
    questions = read_questions(path)
    own = [each for each in questions if each.split == "val"]
    return own or questions[skip : skip + limit]


def main() -> None:
    """Print a line a question file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--skip", type=int, default=250)
    parser.add_argument("--limit", type=int, default=250)
    parser.add_argument("--relations", type=Path)
    options = parser.parse_args()
    for source, path in graphs():
        trained = f"autofocus(relations={options.relations / source.name}-relations.json)" if options.relations else ""
        with Skb(skb_of(source, options.folder, "tfidf")) as skb, Session(Context(skb)) as session:
            searcher, resolver = Searcher(session, trained or "auto", "entity"), GoldResolver(skb, "entity")
            start = time.perf_counter()
            questions = chosen(path, options.skip, options.limit)
            rows = np.array([scored(searcher, resolver, question) for question in questions])
            seconds = (time.perf_counter() - start) / len(questions)
            print(f"{source.name} {path.stem}: {len(questions)} questions, {told(rows)};"
                  f" {1000 * seconds:.0f} ms each", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
