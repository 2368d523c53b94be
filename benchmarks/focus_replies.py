"""AF-Retriever by a language model on 60 questions of primekg_ibd, with replies that were recorded beforehand.

    python -m benchmarks.focus_replies FOLDER                        # the tables, from the committed replies
    python -m benchmarks.focus_replies FOLDER --pending PROMPTS      # what has no reply yet, as JSON Lines
    python -m benchmarks.focus_replies FOLDER --add REPLIES          # {"prompt", "reply"}, a line each

Questions are those of split val whose ids have the lowest hashes. Each reply, the
type that is asked for (step 1) and a query in Cypher (step 2), was written from its
prompt alone: the question, types with names of five nodes each, and relations. No
answer and no document was looked at. The second prompt follows from the first
reply, so `--pending` and `--add` are done twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.corpora import data
from benchmarks.expansions import built
from benchmarks.focus import differences, head, measured, told
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
from retriever.context import Context
from retriever.datasets.question_files import Question, read_questions
from retriever.evaluation.errors import error_report
from retriever.focus.cypher.parser import parse
from retriever.focus.cypher.reference import parse_reference
from retriever.prompts.focus import cypher, target_type
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb

SET = "primekg_ibd"
N = 60
FILE = Path(__file__).parent / "focus_replies.jsonl"
PROMPTS = (target_type.PROMPT, cypher.PROMPT)
BY_MODEL = "autofocus(model=yes)"
BASELINES = ("bm25", "vss", "vss(relations=yes)")
VARIANTS = (
    BY_MODEL, "autofocus(model=yes,strand=vss)", "autofocus(model=yes,strand=vss,dialect=reference)",
    "autofocus(model=yes,types=no)", "autofocus(model=yes,alpha=0)", "autofocus(model=yes,alpha=1)",
    "autofocus(model=yes,similar=no)", "autofocus(model=yes,lmax=3)", "autofocus(model=yes,edges=no)",
    "autofocus(model=yes,nodes=no)", "autofocus(model=yes,distinct=yes)", "autofocus(model=yes,rel6=yes)",
)  # fmt: skip
"""Steps 1 and 2 are the same in all, so that the same replies do."""


def main() -> None:
    """Print the tables, or what is asked for."""
    given = arguments(__doc__)
    path = built(given.folder, SET)
    content = content_of(path)
    record = read_record(FILE) if FILE.exists() else Record(content, versions(PROMPTS), ())
    check_record(record, content)
    if add_or_print(given, FILE, record, lambda own: pending_of(path, own, [BY_MODEL], asked())):
        return
    print(parsed(record))
    with Skb(path) as skb:
        for method in (BY_MODEL, "autofocus"):
            with Session(Context(skb), RecordedChat(record)) as session:
                print(method, error_report(Searcher(session, method, "entity"), asked()))
        print(head())
        tables = {}
        for method in (*BASELINES, "autofocus", *VARIANTS):
            tables[method] = measured(skb, method, asked(), RecordedChat(record))
            print(told(method, tables[method]), flush=True)
    for method in ("autofocus", BY_MODEL):
        differences(method, tables)


def asked() -> list[Question]:
    """Return the questions."""
    return lowest((each for each in read_questions(data() / SET / "questions.jsonl") if each.split == "val"), N)


def parsed(record: Record) -> str:
    """Return how many queries give triplets and a target, by our reading and by the published one, and the warnings."""
    replies = [each.reply for each in record.replies if each.step == cypher.PROMPT.step]
    lines = []
    for name, read in (("weft", parse), ("reference", parse_reference)):
        patterns = [read(reply) for reply in replies]
        usable = sum(each.target is not None and bool(each.connected.triplets) for each in patterns)
        codes = Counter(warning.code for each in patterns for warning in each.warnings)
        lines.append(f"{name}: {usable} of {len(replies)} queries with triplets; {_counted(codes)}; "
                     f"{np.mean([len(each.triplets) for each in patterns]):.2f} triplets each")
    return "\n".join(lines)


def _counted(codes: Counter[str]) -> str:
    some: Sequence[tuple[str, int]] = codes.most_common()
    return ", ".join(f"{code} {count}" for code, count in some) or "no warning"


if __name__ == "__main__":
    main()
