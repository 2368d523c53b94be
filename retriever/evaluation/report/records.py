"""What `per_question.jsonl` holds: one line for each question and method; written here and read back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from retriever.datasets.trec import item_name
from retriever.evaluation.misses import fates
from retriever.evaluation.outcomes import Assessment, Case, Outcome
from retriever.evaluation.tables import rows_of
from weft.errors import WeftError
from weft.text.json_text import parsed_json

KEYS = {"id": str, "question": str, "method": str, "measures": dict, "gold": list}


def records_of(assessment: Assessment, method: str) -> Iterator[dict[str, Any]]:
    """Yield a method's record for each judged question: its measures, and what became of each gold item."""
    outcomes = assessment.outcomes[method]
    rows = rows_of(assessment, outcomes)
    for case, outcome, measures in zip(assessment.cases, outcomes, rows, strict=True):
        question = case.question
        yield {
            "id": question.id, "question": question.question, "type": question.type, "hops": question.hops,
            "method": method, "pool": len(outcome.names), "measures": measures,
            "gold": _gold(case, outcome, max(assessment.ks)),
        }  # fmt: skip


def _gold(case: Case, outcome: Outcome, k: int) -> list[dict[str, Any]]:
    """Describe gold items; `rank` and `pool_rank` are None where no hit takes the item."""
    described = []
    for item, fate, rank in fates(case, outcome, k):
        given = case.question.gold[item]
        described.append(
            {
                "item": item_name(item),
                **{key: value for key, value in given._asdict().items() if value is not None},
                "fate": fate,
                "rank": rank,
                "pool_rank": None if rank is None else outcome.pool_rank(rank),
                "hit": None if rank is None else outcome.names[rank - 1],
                "proposers": [] if rank is None else list(outcome.proposers(rank)),
            }
        )
    return described


def read_records(path: Path) -> list[dict[str, Any]]:
    """Read the records of a report; raise WeftError naming the first line that is none."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise WeftError(f"{path}: cannot be read ({error}); --compare takes the folder of an earlier report") from error
    return [_record(line, f"{path} line {number}") for number, line in enumerate(lines, 1) if line.strip()]


def _record(line: str, where: str) -> dict[str, Any]:
    try:
        record = parsed_json(line)
    except (ValueError, RecursionError) as error:
        raise WeftError(f"{where}: not JSON ({error})") from error
    if not isinstance(record, dict):
        raise WeftError(f"{where}: not an object")
    for key, kind in KEYS.items():
        if not isinstance(record.get(key), kind):
            raise WeftError(f"{where}: {key} is missing or of the wrong type; was the report written by weft?")
    if not all(isinstance(value, int | float) for value in record["measures"].values()):
        raise WeftError(f"{where}: a measure is no number")
    return record
