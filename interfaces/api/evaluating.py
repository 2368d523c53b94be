"""Evaluate methods from Python: what `weft evaluate --json` prints, as a dict."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from interfaces.api.arguments import counts_of
from interfaces.api.sessions import SessionPool
from interfaces.output import counted
from retriever.datasets.gold import check_gold, unit_of
from retriever.datasets.question_files import Question, questions_of, read_questions
from retriever.evaluation.asking import Refused, rank_ahead, without_refused
from retriever.evaluation.beir import read_beir
from retriever.evaluation.outcomes import Assessment, Rank, assess
from retriever.evaluation.report.folder import check_output, full_report, write_report
from retriever.evaluation.report.summary import summarise
from retriever.searcher import Searcher, unit_named
from weft.errors import BadQuestionFile, ModelError, WeftError
from weft.overwriting import check_overwriting
from weft.skb import Skb

Questions = str | PathLike[str] | Sequence[Mapping[str, Any]]


def evaluate_on(
    sessions: SessionPool, questions: Questions, methods: Sequence[str], at: Sequence[int], unit: str,
    output: Path | None, seed: int, advance: Callable[[int], None],
) -> dict[str, Any]:  # fmt: skip
    """Return the measures of methods over questions; `unit` is chunk, entity or auto."""
    ks = counts_of("at", at)
    with sessions.borrowed() as session:
        if output is not None:
            check_output(output)
            check_overwriting(output, [sessions.skb.path])
        asked = read(questions, session.skb)
        chosen = unit_of(asked, session.skb) if unit == "auto" else unit_named(unit, session.skb)
        check_gold(asked, session.skb, chosen)
        searchers = [Searcher(session, method, chosen) for method in methods]
        for line in warnings_of(searchers, questions, asked):
            warnings.warn(line, stacklevel=4)
        rankers: dict[str, Rank] = {str(searcher.method): searcher.rank_anew for searcher in searchers}
        refused: dict[str, Refused] = {}
        if session.chat is not None:
            refused = rank_ahead(session.context, session.chat, list(rankers), chosen, judged(asked), ks[-1])
            rankers |= {name: without_refused(rankers[name], chosen, each) for name, each in refused.items()}
        assessment = assess(session.skb, asked, rankers, ks, chosen, None, advance)
        for line in told_of_lost(assessment):
            warnings.warn(line, stacklevel=4)
        for name, each in refused.items():
            if each:
                warnings.warn(told_of_refused(name, list(each.values()), "without hits"), stacklevel=4)
        if output is None:
            return summarise(assessment, seed)
        report, records = full_report(assessment, seed)
        write_report(output, session.skb, assessment, report, records)
        return report


def told_of_lost(assessment: Assessment) -> list[str]:
    """Return a line on the questions of whose gold nothing is in the SKB, where there are such."""
    lost = [case for case in assessment.cases if case.gold.is_lost]
    of_all = f"{len(lost):,} of {counted(len(assessment.cases), 'question')} with gold"
    count = "counts" if len(lost) == 1 else "count"
    return [f"{of_all} {count} as missed, since nothing of their gold is in the SKB"] if lost else []


def told_of_refused(method: str, refused: Sequence[ModelError], how: str) -> str:
    """Return how many questions count as something since the model gave no reply to them, and why not to the first."""
    count = "counts" if len(refused) == 1 else "count"
    told = f"{counted(len(refused), 'question')} {count} as {how}"
    return f"{method}: {told}, since the model gave no reply ({refused[0]})"


def ignore(n: int) -> None:
    """Do nothing with a number of questions that were answered."""


def read(questions: Questions, skb: Skb) -> list[Question]:
    """Return the questions of a file, of a folder in BEIR's layout, or of dicts like a question file's lines."""
    if not isinstance(questions, str | PathLike):
        if isinstance(questions, bytes | Mapping) or not isinstance(questions, Iterable):
            raise WeftError(f"questions={questions!r:.60}: must be a path, or several mappings")
        if not (asked := questions_of(questions)):
            raise BadQuestionFile("questions: holds no questions")
        return asked
    path = Path(questions)
    return read_beir(path, skb) if path.is_dir() else read_questions(path)


def judged(questions: Sequence[Question]) -> list[str]:
    """Return the questions that have gold, and so are measured."""
    return [question.question for question in questions if question.gold]


def warnings_of(searchers: Sequence[Searcher], questions: Questions, asked: Sequence[Question]) -> list[str]:
    """Return what the user should know of the methods' figures on these questions, each line once."""
    own = dict.fromkeys(line for searcher in searchers for line in searcher.warnings)
    return [*own, *seen_before(searchers, questions, asked)]


def seen_before(searchers: Sequence[Searcher], questions: Questions, asked: Sequence[Question]) -> list[str]:
    """Return a line where a trained part of a method is measured on questions that taught it, else none."""
    path = Path(questions) if isinstance(questions, str | PathLike) else Path()
    texts = [question.question for question in asked]
    learned: dict[str, int] = {}
    for searcher in searchers:
        for part, n in searcher.learned(path, texts).items():
            learned[part] = max(n, learned.get(part, 0))
    counts = [(part, n) for part, n in learned.items() if n]
    if not counts:
        return []
    (first, n_first), *others = counts
    known = f"{first} was trained on {n_first:,} of these {counted(len(texts), 'question')}"
    beside = "".join(f" and {part} on {n:,}" for part, n in others)
    return [f"{known}{beside}, so figures on them say nothing; docs/quality.md has honest ones"]
