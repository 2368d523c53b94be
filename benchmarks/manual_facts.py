"""Score what `weft ask` answers to questions for a fact in a manual: a path, an option, a setting, a default.

    python -m benchmarks.manual_facts FOLDER [--verbose]

FOLDER is that of `python -m benchmarks.manuals`. `manual_facts.jsonl` has the questions, written by hand from passages
before anything was answered; nothing was changed for the sake of those of the part `held out`. An answer is right where
it is one of the question's answers, letter by letter: a path without its slash is not.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from benchmarks.corpora import skb_of
from benchmarks.domains import manual_source
from retriever.answers.answering import find_answer
from retriever.context import Context
from retriever.searcher import Searcher
from weft.skb import Skb

QUESTIONS = Path(__file__).with_suffix(".jsonl")


def answered(manual: str, records: list[dict[str, Any]], folder: Path) -> list[str | None]:
    """Return the answer to each question over a manual, None where none is given."""
    path = skb_of(manual_source(folder, manual), folder / "skbs", "tfidf")
    with Skb(path) as skb:
        context = Context(skb)
        return [find_answer(Searcher(context, "hybrid"), record["question"]).answer.text for record in records]


def main() -> None:
    """Print how many of each part are right, wrong and left unanswered."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    records = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    given: dict[str, str | None] = {}
    for manual in dict.fromkeys(record["manual"] for record in records):
        own = [record for record in records if record["manual"] == manual]
        texts = answered(manual, own, options.folder)
        given |= {record["id"]: text for record, text in zip(own, texts, strict=True)}
    for part in dict.fromkeys(record["part"] for record in records):
        own = [record for record in records if record["part"] == part]
        right = sum(given[record["id"]] in record["answers"] for record in own)
        silent = sum(given[record["id"]] is None for record in own)
        print(f"{part}: {right} of {len(own)} right, {len(own) - right - silent} wrong, {silent} left unanswered")
    for record in records if options.verbose else ():
        print(f"{record['question']} {given[record['id']]!r}; right: {record['answers'][0]!r}")


if __name__ == "__main__":
    main()
