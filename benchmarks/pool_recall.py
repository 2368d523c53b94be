"""Who proposes candidates on a large SKB: the recall of the pool, and what `hybrid` makes of it.

    python -m benchmarks.pool_recall FOLDER [--pages 4600] [--words real] [--most 200] [--set 2wiki]...
        [--choice three]... [--json]

The SKB joins all real corpora and generated pages (`benchmarks.joint`) and is
built in FOLDER where it is not yet; every set's questions are asked of all of
it. `widened` adds what the first pass's best hits link to before the second
pass ranks, which `hybrid` does not. Times are of the processor, texts and words
known from an earlier pass.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.ablation_fusions import Measured
from benchmarks.corpora import Source, sources
from benchmarks.joint import joint_skb
from benchmarks.proposing import CHOICES, FEATURES, THREE, Choice, proposed, ranked
from retriever.context import Context
from retriever.datasets.gold import GoldResolver, GoldSet
from retriever.datasets.question_files import Question, read_questions
from retriever.evaluation.measures import judge, measures_at
from retriever.features.matrix import PROPOSERS
from retriever.fusion.shipped import fusion_named
from retriever.fusion.two_stage import TwoStage
from retriever.question.reader import read_question
from retriever.session import Session
from retriever.types import Ids
from weft.skb import Skb

CUT_OFF = 5
FUSIONS = ("ensemble", "logistic")
Counts = dict[str, dict[str, int]]


class Asked(NamedTuple):
    """A judged question of a set and what finds its gold items."""

    question: Question
    gold: GoldSet


class Scored(NamedTuple):
    """A set of questions, what each choice's pools give on it, a row a question, and what each proposer brings."""

    name: str
    asked: list[Asked]
    measured: dict[str, Measured]
    counts: Counts


def sampled(session: Session, path: Path, most: int, seed: int) -> list[Asked]:
    """Return at most so many judged questions of a file, drawn by a seed, with their gold in an SKB."""
    questions = [question for question in read_questions(path) if question.gold]
    if len(questions) > most:
        drawn = np.random.default_rng(seed).choice(len(questions), most, replace=False)
        questions = [questions[index] for index in np.sort(drawn).tolist()]
    resolver = GoldResolver(session.skb, "chunk")
    return [Asked(question, resolver.gold_set(question)) for question in questions]


def found(gold: GoldSet, ids: Ids) -> list[bool]:
    """Tell of each gold item whether one of the ids finds it."""
    have = set(ids.tolist())
    return [not have.isdisjoint(item) for item in gold.items]


def proposers(session: Session, asked: Sequence[Asked]) -> Counts:
    """Return of each proposer how many candidates and gold items it brings, and how many of these others do not.

    `lone` are gold items that no other proposer brings, `new` those that bm25, vector and graph do not.
    """
    counts = {name: dict.fromkeys(("candidates", "gold", "lone", "new"), 0) for name in PROPOSERS}
    three = {PROPOSERS.index(name) for name in THREE}
    for each in asked:
        query = read_question(session, each.question.question, "chunk")
        (ids, columns, _), _ = proposed(session, query, CHOICES["all"], most=10**9)
        by = np.array([found(each.gold, ids[columns[:, index]]) for index in range(len(PROPOSERS))])
        for index, name in enumerate(PROPOSERS):
            others = np.delete(by, index, axis=0).any(axis=0)
            counts[name]["candidates"] += int(columns[:, index].sum())
            counts[name]["gold"] += int(by[index].sum())
            counts[name]["lone"] += int((by[index] & ~others).sum())
            counts[name]["new"] += int((by[index] & ~by[sorted(three - {index})].any(axis=0)).sum())
    return counts


def measured(
    session: Session, asked: Sequence[Asked], choices: Mapping[str, Choice], models: Mapping[str, TwoStage]
) -> dict[str, Measured]:
    """Ask all questions of a set by each choice, in turns, so that a machine's load is that of all of them."""
    rows: dict[str, list[dict[str, float]]] = {name: [] for name in choices}
    for turn, each in enumerate(asked):
        _row_of(session, each, CHOICES["all, widened"], models)  # Untimed: after it all texts are known.
        first = turn % len(choices)
        for name in [*choices][first:] + [*choices][:first]:
            rows[name].append(_row_of(session, each, choices[name], models))
    return {
        name: Measured(tuple(own[0]), np.array([list(row.values()) for row in own], np.float64))
        for name, own in rows.items()
    }


def _row_of(session: Session, each: Asked, choice: Choice, models: Mapping[str, TwoStage]) -> dict[str, float]:
    """Return the measures of a question; a model's milliseconds are of the processor, pool and features included.

    Candidates and the gold items found are those of the first model: what widens a pool depends on it.
    """
    session.forget()
    query = read_question(session, each.question.question, "chunk")
    start = time.process_time()
    candidates = FEATURES.of(session, query, *proposed(session, query, choice))
    shared = time.process_time() - start
    row: dict[str, float] = {}
    for name, model in models.items():
        start = time.process_time()
        ids = ranked(session, candidates, model, choice)
        seconds = shared + time.process_time() - start
        have = found(each.gold, ids)
        if not row:
            row = {"candidates": len(ids), "gold found": sum(have), "pool recall": sum(have) / len(have)}
        own = measures_at(judge(ids.tolist(), each.gold), CUT_OFF)
        row |= {f"{key}@{CUT_OFF} {name}": own[f"{key}@{CUT_OFF}"] for key in ("recall", "ndcg")}
        row[f"ms {name}"] = 1000 * seconds
    return row


def scored(
    session: Session, used: Sequence[Source], models: Mapping[str, TwoStage], most: int, seed: int,
    choices: Collection[str] = tuple(CHOICES),
) -> Iterator[Scored]:  # fmt: skip
    """Yield each set's results by some choices, and at last those of all sets' questions together."""
    chosen = {name: choice for name, choice in CHOICES.items() if name in choices}
    several = []
    for source in used:
        if source.questions is not None:
            asked = sampled(session, source.questions, most, seed)
            counts = proposers(session, asked)
            several.append(Scored(source.name, asked, measured(session, asked, chosen, models), counts))
            yield several[-1]
    yield joined(several)


def joined(several: Sequence[Scored]) -> Scored:
    """Return the results of several sets as those of one."""
    first, asked = several[0], [each for own in several for each in own.asked]
    by_choice = {
        name: Measured(one.names, np.concatenate([own.measured[name].values for own in several]))
        for name, one in first.measured.items()
    }
    counts = {name: {key: sum(own.counts[name][key] for own in several) for key in first.counts[name]}
              for name in PROPOSERS}  # fmt: skip
    return Scored("all sets", asked, by_choice, counts)


def report(own: Scored) -> dict[str, Any]:
    """Return each choice's figures, times as medians, and its differences to `all` with their 95% intervals."""
    golds = [each.gold for each in own.asked]
    choices = {}
    for choice, table in own.measured.items():
        averages = {name: _average(table, name) for name in table.names}
        shares = [name for name in table.names if "recall" in name or "ndcg" in name]
        choices[choice] = averages | {"to all": {name: table.less(own.measured["all"], name) for name in shares}}
    return {
        "set": own.name, "questions": len(golds), "gold": sum(len(each.items) for each in golds),
        "unresolved": sum(each.unresolved for each in golds), "choices": choices, "proposers": own.counts,
    }  # fmt: skip


def _average(table: Measured, name: str) -> float:
    values = table.values[:, table.names.index(name)]
    if name == "gold found":
        return float(values.sum())
    return float(np.median(values) if name.startswith("ms") else values.mean())


def show(told: Mapping[str, Any]) -> None:
    """Print a set's tables."""
    counts = f"{told['questions']} questions, {told['gold']} gold items, {told['unresolved']} of them in no text"
    print(f"\n**{told['set']}: {counts}**\n")
    keys = [key for key in told["choices"]["all"] if key != "to all"]
    _row("proposers", *keys)
    _row(*["---"] * (len(keys) + 1))
    for choice, row in told["choices"].items():
        _row(choice, *(f"{row[key]:.4f}" if "@" in key or "recall" in key else f"{row[key]:.0f}" for key in keys))
    print()
    changed = list(told["choices"]["all"]["to all"])
    _row("less all (95%)", *changed)
    _row(*["---"] * (len(changed) + 1))
    for choice, row in list(told["choices"].items())[1:]:
        _row(choice, *("{:+.4f} ({:+.4f} to {:+.4f})".format(*row["to all"][key]) for key in changed))
    print()
    _row("proposer", "candidates", "gold", "no other brings", "bm25, vector and graph do not")
    _row(*["---"] * 5)
    for proposer, row in told["proposers"].items():
        mean = f"{row['candidates'] / told['questions']:.0f}"
        _row(proposer, mean, *(str(row[key]) for key in ("gold", "lone", "new")))


def _row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def _two_stage(name: str) -> TwoStage:
    model = fusion_named(name, "tfidf").model
    assert isinstance(model, TwoStage)
    return model


def main() -> None:
    """Print the tables of each set and of all questions together."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=4600)
    parser.add_argument("--words", choices=("real", "invented"), default="real")
    parser.add_argument("--most", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", action="append")
    parser.add_argument("--fusion", action="append", choices=FUSIONS)
    parser.add_argument("--choice", action="append", choices=tuple(CHOICES), help="compare these alone with all")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    joint = [source for source in sources() if source.name != "fixtures"]
    session = Session(Context(Skb(joint_skb(options.folder, joint, options.pages, options.words))))
    models = {name: _two_stage(name) for name in options.fusion or FUSIONS}
    used = [source for source in joint if source.name in (options.set or [source.name])]
    n_chunks = session.skb.count("chunk")
    choices = {"all", *(options.choice or CHOICES)}
    for own in scored(session, used, models, options.most, options.seed, choices):
        told = report(own) | {"chunks": n_chunks, "words": options.words}
        print(json.dumps(told), flush=True) if options.json else show(told)


if __name__ == "__main__":
    main()
