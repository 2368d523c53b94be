"""Score methods on the fixtures by their gold, and by equivalent evidence too.

    python -m benchmarks.fixture_gold [-m METHOD]... [--split train|dev|test] [--embedder tfidf] [--json]

An item of a question's gold is found when a chunk that it names is among the
first hits or, by the second gold, one that `fixtures/equivalent_evidence.jsonl`
names beside it; one chunk may find several items, because it may state several
facts. By the gold alone that is what `weft evaluate` counts, for no chunk of
the fixtures is gold of two items of a question.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpora import Source, skb_of, sources
from retriever.context import Context
from retriever.datasets.gold import GoldSet
from retriever.datasets.question_files import Question, read_questions
from retriever.evaluation.outcomes import Case, Outcome, Rank, assess
from retriever.searcher import Searcher
from retriever.session import Session
from weft.package_data import shipped
from weft.skb import Skb

METHODS = ("hybrid(hops=no)", "naive-hybrid", "vector", "bm25")
SET_AT, RECALL_AT = 6, 5


class Line(NamedTuple):
    """What a method finds by one gold: set coverage of the questions of several hops, recall of all questions."""

    method: str
    gold: str
    n_multi: int
    set_coverage: float
    n_all: int
    recall: float


def read_equivalents(path: Path) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Read for each question's id, and each of its gold items in order, the uris of equivalent chunks."""
    records = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {record["id"]: tuple(map(tuple, record["equivalent"])) for record in records}


def with_equivalents(case: Case, skb: Skb, uris: Mapping[str, Sequence[Sequence[str]]]) -> GoldSet:
    """Return what finds each gold item of a question, equivalent chunks too; raise ValueError for a uri of none."""
    several = uris.get(case.question.id, [()] * len(case.gold.items))
    return GoldSet(tuple(ids | _chunks(skb, named) for ids, named in zip(case.gold.items, several, strict=True)))


def _chunks(skb: Skb, uris: Sequence[str]) -> frozenset[int]:
    found = {uri: skb.chunk(uri) for uri in uris}
    if lost := [uri for uri, chunk in found.items() if chunk is None]:
        raise ValueError(f"{skb.path}: has no chunk {lost[0]}")
    return frozenset(chunk.id for chunk in found.values() if chunk is not None)


def share_found(hits: Sequence[int], gold: GoldSet) -> float:
    """Return the share of the gold items that any of the hits finds."""
    return sum(not ids.isdisjoint(hits) for ids in gold.items) / len(gold.items)


def score(
    skb: Skb, questions: Sequence[Question], methods: Mapping[str, Rank], uris: Mapping[str, Sequence[Sequence[str]]]
) -> list[Line]:
    """Return for each method what it finds by the gold alone and with equivalent chunks."""
    assessed = assess(skb, questions, methods, (RECALL_AT, SET_AT), "chunk")
    golds = {
        "gold": [case.gold for case in assessed.cases],
        "gold or equivalent": [with_equivalents(case, skb, uris) for case in assessed.cases],
    }
    return [
        _line(method, gold, assessed.cases, golds[gold], outcomes)
        for method, outcomes in assessed.outcomes.items() for gold in golds
    ]  # fmt: skip


def _line(method: str, name: str, cases: Sequence[Case], golds: Sequence[GoldSet], found: Sequence[Outcome]) -> Line:
    sets = [
        share_found(outcome.ids[:SET_AT].tolist(), gold) == 1
        for case, gold, outcome in zip(cases, golds, found, strict=True) if (case.question.hops or 1) > 1
    ]  # fmt: skip
    recalls = [share_found(each.ids[:RECALL_AT].tolist(), gold) for gold, each in zip(golds, found, strict=True)]
    return Line(method, name, len(sets), _mean(sets), len(recalls), _mean(recalls))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def show(lines: Sequence[Line]) -> None:
    """Print the lines as a table."""
    multi, every = lines[0].n_multi, lines[0].n_all
    print(f"| method | found is | set coverage@{SET_AT}, {multi} of several hops | recall@{RECALL_AT}, all {every} |")
    print("|---|---|---|---|")
    for line in lines:
        print(f"| {line.method} | {line.gold} | {line.set_coverage:.3f} | {line.recall:.3f} |", flush=True)


def scored(source: Source, path: Path, methods: Sequence[str], split: str | None) -> list[Line]:
    """Score methods on an SKB of the fixtures, on the questions of one split or on all."""
    assert source.questions is not None
    questions = [each for each in read_questions(source.questions) if split in (None, each.split)]
    with Skb(path) as skb, Session(Context(skb)) as session:
        ranks = {str(each.method): each.rank_anew for each in (Searcher(session, name) for name in methods)}
        return score(skb, questions, ranks, read_equivalents(shipped("fixtures") / "equivalent_evidence.jsonl"))


def main() -> None:
    """Build the fixtures and print what methods find by both golds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-m", "--method", action="append")
    parser.add_argument("--split", choices=("train", "dev", "test"))
    parser.add_argument("--embedder", default="tfidf")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    source = next(each for each in sources() if each.name == "fixtures")
    with tempfile.TemporaryDirectory() as folder:
        path = skb_of(source, Path(folder), options.embedder)
        lines = scored(source, path, options.method or METHODS, options.split)
    if options.json:
        print(json.dumps([line._asdict() for line in lines]))
    else:
        show(lines)


if __name__ == "__main__":
    main()
