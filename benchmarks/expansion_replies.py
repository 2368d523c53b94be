"""Expansions by a language model on 30 questions of primekg_ibd, with replies that were recorded beforehand.

    python -m benchmarks.expansion_replies FOLDER                        # the table, from the committed replies
    python -m benchmarks.expansion_replies FOLDER --pending PROMPTS      # what has no reply yet, as JSON Lines
    python -m benchmarks.expansion_replies FOLDER --add REPLIES          # {"prompt", "reply"}, a line each

Questions are those of split val whose ids have the lowest hashes. Each reply was
written from its prompt alone, before any answer was looked at. KAR's second prompt
follows from its first reply, so `--pending` and `--add` are done twice. One
document is written for each question (n=1; the papers take three); agr, which asks
again and again, is left out.
"""

from __future__ import annotations

import argparse
import json
from hashlib import sha256
from pathlib import Path

from benchmarks.corpora import data
from benchmarks.expansions import HEAD, built, rows
from benchmarks.recorded_replies import (
    Pending,
    Record,
    Recorded,
    RecordedChat,
    check_record,
    content_of,
    read_record,
    versions,
    write_record,
)
from retriever.context import Context
from retriever.datasets.question_files import Question, read_questions
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb

SET = "primekg_ibd"
N = 30
FILE = Path(__file__).parent / "expansion_replies.jsonl"
BY_MODEL = ("hyde(n=1)", "rar(n=1)", "kar(n=1,k=5,tokens=1000,graph=no)", "kar(n=1,k=5,tokens=1000)")
EXPANSIONS = ("base", "prf", *BY_MODEL, "kar(model=no)")
RANKER = "vector"


def main() -> None:
    """Print the table, or what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pending", type=Path)
    parser.add_argument("--add", type=Path)
    given = parser.parse_args()
    path = built(given.folder, SET)
    content = content_of(path)
    record = read_record(FILE) if FILE.exists() else Record(content, versions(), ())
    check_record(record, content)
    if given.add:
        _add(record, pending_of(path, record), given.add)
    elif given.pending:
        found = pending_of(path, record)
        lines = (json.dumps(each._asdict()) + "\n" for each in found.values())
        given.pending.write_text("".join(lines), encoding="utf-8")
        print(f"{len(found)} prompts have no reply")
    else:
        print(HEAD)
        print("\n".join(rows(path, SET, asked(), EXPANSIONS, RANKER, RecordedChat(record))))


def asked() -> list[Question]:
    """Return the questions."""
    questions = [each for each in read_questions(data() / SET / "questions.jsonl") if each.split == "val"]
    return sorted(questions, key=lambda each: sha256(each.id.encode()).hexdigest())[:N]


def pending_of(path: Path, record: Record) -> dict[str, Pending]:
    """Return the prompts that have no reply, by their hash; what follows from an empty reply is none of them."""
    found: dict[str, Pending] = {}
    with Skb(path) as skb:
        for method in BY_MODEL:
            for question in asked():
                chat = RecordedChat(record, own := {})
                chat.question = question.id
                with Session(Context(skb), chat) as session:
                    Searcher(session, f"{method}>{RANKER}", "entity").rank(question.question, 1)
                first = next(iter(own.values()), None)
                found |= {} if first is None else {first.prompt: first}
    return found


def _add(record: Record, pending: dict[str, Pending], file: Path) -> None:
    """Put replies to pending prompts into the record."""
    new = []
    for line in file.read_text(encoding="utf-8").splitlines():
        given = json.loads(line)
        one = pending[given["prompt"]]
        new.append(Recorded(one.question, one.step, one.prompt, given["reply"]))
    write_record(FILE, record._replace(replies=(*record.replies, *new)))
    print(f"{len(new)} replies added, {len(record.replies) + len(new)} in all")


if __name__ == "__main__":
    main()
