"""A report against an earlier one: which questions each method won and lost since."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from retriever.datasets.question_files import Question
from retriever.evaluation.intervals import sample
from retriever.evaluation.paired import compare
from retriever.evaluation.report.records import read_records
from retriever.evaluation.tables import columns_of, table
from weft.errors import WeftError

Records = Sequence[dict[str, Any]]
NOTHING_COMMON = "the earlier report has no method and question in common with this one"


def read_earlier(folder: Path) -> Mapping[str, Records]:
    """Return the records of an earlier report by method; raise WeftError where the folder holds none."""
    by_method: dict[str, list[dict[str, Any]]] = {}
    for record in read_records(folder / "per_question.jsonl"):
        by_method.setdefault(record["method"], []).append(record)
    if not by_method:
        raise WeftError(f"{folder}: its per_question.jsonl is empty; --compare takes the folder of an earlier report")
    return by_method


def check_common(earlier: Mapping[str, Records], methods: Iterable[str], questions: Iterable[Question]) -> None:
    """Raise WeftError where an earlier report has none of the questions with gold, in the same words, by any method."""
    asked = {(question.id, question.question) for question in questions if question.gold}
    before = {(each["id"], each["question"]) for method in methods for each in earlier.get(method, ())}
    if asked and not asked & before:
        raise WeftError(NOTHING_COMMON)


def against(earlier: Mapping[str, Records], now: Mapping[str, Records], seed: int) -> dict[str, Any]:
    """Compare every method that both reports have on the questions that both asked in the same words.

    The differences are now minus earlier. Raises WeftError where no method and
    question is common.
    """
    compared = {method: _method(earlier[method], now[method], seed) for method in now if method in earlier}
    compared = {method: each for method, each in compared.items() if each["questions"]}
    if not compared:
        raise WeftError(NOTHING_COMMON)
    return compared


def _method(earlier: Records, now: Records, seed: int) -> dict[str, Any]:
    old_of = {(each["id"], each["question"]): each for each in earlier}
    pairs = [(old_of[key], new) for new in now if (key := (new["id"], new["question"])) in old_of]
    if not pairs:
        return {"questions": 0}
    old_rows, new_rows = [old["measures"] for old, _ in pairs], [new["measures"] for _, new in pairs]
    columns = columns_of([name for name in new_rows[0] if all(name in row for row in old_rows)])
    if not columns.names:
        return {"questions": 0}
    old, new = (table(rows, columns.names) for rows in (old_rows, new_rows))
    decisive = _decisive(columns.names)
    changed = (new - old)[:, columns.names.index(decisive)]
    ids = [each["id"] for _, each in pairs]
    return {
        "questions": len(pairs), "by": decisive,
        "won": [identity for identity, more in zip(ids, changed, strict=True) if more > 0],
        "lost": [identity for identity, more in zip(ids, changed, strict=True) if more < 0],
        "measures": compare(sample(new, columns, seed), sample(old, columns, seed), columns, seed),
    }  # fmt: skip


def _decisive(names: Sequence[str]) -> str:
    """Return what decides whether a question was won: recall at the largest common k, else the first measure."""
    recalls = [name for name in names if name.startswith("recall@")]
    return max(recalls, key=lambda name: int(name.removeprefix("recall@")), default=names[0])
