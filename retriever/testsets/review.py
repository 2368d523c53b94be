"""Review: what people decide of each question, written at once, so that a review can be stopped and go on.

Decisions stand beside the set in SET.review, a JSON object a line; of several
for one question the last counts. A table in CSV carries them to a spreadsheet
and back.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, NamedTuple

from weft.errors import BadQuestionFile
from weft.overwriting import Kind

COLUMNS = ("id", "type", "question", "answer", "decision", "path", "evidence")
VERDICTS = ("keep", "drop")
TABLE = Kind("table of decisions", lambda head: head.splitlines()[0] == ",".join(COLUMNS).encode())
# What a spreadsheet would take for a formula stands behind an apostrophe.
FORMULA = ("=", "+", "-", "@", "\t", "'")
SHOWN = 600


class Decision(NamedTuple):
    """What was decided of a question: `keep` or `drop`, and how question and answers are to be written."""

    id: str
    verdict: str
    question: str
    answers: tuple[str, ...]


class Decisions:
    """The decisions beside a set."""

    def __init__(self, path: Path) -> None:
        """Read what was decided; raise BadQuestionFile for a line that is no decision."""
        self.path = path.with_name(path.name + ".review")
        self._found: dict[str, Decision] = {}
        if self.path.exists():
            for number, line in enumerate(self.path.read_text(encoding="utf-8").split("\n"), 1):
                if line.strip():
                    decision = _decision(line, f"{self.path} line {number}")
                    self._found[decision.id] = decision

    def of(self, records: Iterable[Mapping[str, Any]]) -> dict[str, Decision]:
        """Return the decisions of some questions by their ids."""
        return {record["id"]: self._found[record["id"]] for record in records if record["id"] in self._found}

    def add(self, decision: Decision) -> None:
        """Append a decision to the file, at once."""
        if self._found.get(decision.id) == decision:
            return
        self._found[decision.id] = decision
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(decision._asdict(), ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())


def reviewed(records: Sequence[Mapping[str, Any]], decisions: Decisions) -> list[dict[str, Any]]:
    """Return the questions that were kept, as they are to be written."""
    found = decisions.of(records)
    return [
        _decided(record, decision)
        for record in records
        if (decision := found.get(record["id"])) and decision.verdict == "keep"
    ]


def _decided(record: Mapping[str, Any], decision: Decision) -> dict[str, Any]:
    """A question without answers remains one without the key."""
    answers = {"answers": list(decision.answers)} if decision.answers or "answers" in record else {}
    return {**record, "question": decision.question, **answers}


def answers_of(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the answers of a question, which may have none."""
    return tuple(record.get("answers", ()))


def with_first(answer: str, answers: Sequence[str]) -> tuple[str, ...]:
    """Return answers with another first one, or without it where that is blank."""
    return (*([answer] if answer.strip() else []), *answers[1:])


def _evidence(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield uri and text of what a set gives as evidence; another maker's question file may mean something else."""
    given = record.get("evidence")
    for each in given if isinstance(given, list) else ():
        if isinstance(each, dict) and isinstance(each.get("uri"), str) and isinstance(each.get("text"), str):
            yield each["uri"], each["text"]


def told(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines that show a question with its evidence."""
    yield f"{record.get('type', '')}: {record['question']}"
    yield f"  answer: {'; '.join(answers_of(record))}"
    yield f"  path: {' > '.join(record.get('path', ()))}"
    for uri, whole in _evidence(record):
        text = " ".join(whole.split())
        yield f"  [{uri}] {text if len(text) <= SHOWN else text[:SHOWN] + '…'}"


def write_csv(file: IO[bytes], records: Sequence[Mapping[str, Any]], decisions: Decisions) -> None:
    """Write a table with a row for each question; the column decision is to be filled with keep or drop."""
    text = TextIOWrapper(file, encoding="utf-8-sig", newline="", write_through=True)
    table = csv.writer(text)
    table.writerow(COLUMNS)
    found = decisions.of(records)
    for record in records:
        decision = found.get(record["id"])
        question, answers = (decision.question, decision.answers) if decision else (
            record["question"], answers_of(record))  # fmt: skip
        table.writerow(map(_shielded, (
            record["id"], record.get("type") or "", question, answers[0] if answers else "",
            decision.verdict if decision else "", " > ".join(record.get("path", ())),
            "\n\n".join(f"[{uri}] {text}" for uri, text in _evidence(record)),
        )))  # fmt: skip
    text.detach()


def read_csv(path: Path, records: Sequence[Mapping[str, Any]]) -> list[Decision]:
    """Read the decisions of a table; rows without one are passed over, BadQuestionFile names the first wrong row."""
    known = {record["id"]: record for record in records}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadQuestionFile(f"{path}: cannot be read ({error})") from error
    decisions = []
    for number, row in enumerate(rows, 2):
        where = f"{path} row {number}"
        if any(row.get(column) is None for column in ("id", "question", "answer", "decision")):
            raise BadQuestionFile(f"{where}: needs the columns id, question, answer and decision")
        identity, verdict = _plain(row["id"]), row["decision"].strip().lower()
        if not verdict:
            continue
        if identity not in known or verdict not in VERDICTS or not row["question"].strip():
            raise BadQuestionFile(f"{where}: must be a question of the set, decided by keep or drop")
        answers = with_first(_plain(row["answer"]), answers_of(known[identity]))
        decisions.append(Decision(identity, verdict, _plain(row["question"]), answers))
    return decisions


def _decision(line: str, where: str) -> Decision:
    try:
        record = json.loads(line)
        decision = Decision(record["id"], record["verdict"], record["question"], tuple(record["answers"]))
    except (ValueError, KeyError, TypeError) as error:
        raise BadQuestionFile(f"{where}: is no decision ({error}); remove the line") from error
    if decision.verdict not in VERDICTS:
        raise BadQuestionFile(f"{where}: must keep or drop; remove the line")
    return decision


def _shielded(text: str) -> str:
    return "'" + text if text.startswith(FORMULA) else text


def _plain(text: str) -> str:
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA) else text
