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

from pathlib import Path

from benchmarks.corpora import data
from benchmarks.expansions import HEAD, built, rows
from benchmarks.recorded_replies import (
    Record,
    RecordedChat,
    add_or_print,
    arguments,
    check_record,
    content_of,
    lowest,
    pending_of,
    read_record,
    versions,
)
from retriever.datasets.question_files import Question, read_questions
from retriever.prompts import document, kar_document, kar_entities

SET = "primekg_ibd"
N = 30
FILE = Path(__file__).parent / "expansion_replies.jsonl"
BY_MODEL = ("hyde(n=1)", "rar(n=1)", "kar(n=1,k=5,tokens=1000,graph=no)", "kar(n=1,k=5,tokens=1000)")
EXPANSIONS = ("base", "prf", *BY_MODEL, "kar(model=no)")
RANKER = "vector"


PROMPTS = tuple(each.PROMPT for each in (document, kar_entities, kar_document))


def main() -> None:
    """Print the table, or what is asked for."""
    given = arguments(__doc__)
    path = built(given.folder, SET)
    content = content_of(path)
    record = read_record(FILE) if FILE.exists() else Record(content, versions(PROMPTS), ())
    check_record(record, content)
    methods = [f"{each}>{RANKER}" for each in BY_MODEL]
    if not add_or_print(given, FILE, record, lambda own: pending_of(path, own, methods, asked())):
        print(HEAD)
        print("\n".join(rows(path, SET, asked(), EXPANSIONS, RANKER, RecordedChat(record))))


def asked() -> list[Question]:
    """Return the questions."""
    return lowest((each for each in read_questions(data() / SET / "questions.jsonl") if each.split == "val"), N)


if __name__ == "__main__":
    main()
