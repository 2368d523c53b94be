"""Gather manuals of many makers, ask them questions, and score methods on these; tables, plain text and notes too.

    apt-get update
    python -m benchmarks.manuals FOLDER [--only NAME]... [--score] [--json]

Packages, documents, SKBs and question files go to FOLDER, which is best outside
the project: nothing of them may be committed. What is there is not made anew.
A package that cannot be had is told in a line, and the others go on. Questions
are made as the modules `manual_questions`, `howto_questions`, `table_questions`
and `plain_manual` tell; `domains` has all that is here beside the other corpora.

`--score` prints for each corpus and kind of question in what share of the
questions each method finds gold among the first 1, 3 and 5 hits, and then for
each domain and kind, over the questions of all its corpora.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.corpora import WRITTEN, Source, skb_of
from benchmarks.domains import PLAIN, TABLES, domains, manual_source, plain_source, question_file, table_source
from benchmarks.howto_questions import howto_questions
from benchmarks.manual_packages import AS_TEXT, MANUALS, Manual, NotToBeHad, gather
from benchmarks.manual_questions import manual_questions, resolved
from benchmarks.plain_manual import as_text_questions, write_text
from benchmarks.table_questions import table_questions
from retriever.context import Context
from retriever.datasets.question_files import Question, read_questions
from retriever.evaluation.run import evaluate
from retriever.searcher import Searcher
from retriever.session import Session
from weft.errors import WeftError
from weft.skb import Skb

METHODS = ("bm25", "vector", "section", "page", "hybrid(hops=no)")
CUT_OFFS = (1, 3, 5)
DOMAINS = ("manuals", "tables", "text and notes")
"""The domains of `domains` whose questions are made here."""

TEXT_KINDS = ("heading", "keywords", "name", "faq")
"""Kinds that ask the same of plain text: page titles stand in each of its hits."""


def prepare(folder: Path, only: Iterable[str] = (), manuals: Iterable[Manual] = MANUALS) -> Iterator[str]:
    """Make what is not there yet of all corpora, or of those named; yield a line on each that was made or cannot be."""
    chosen = set(only)
    for manual in manuals:
        if not chosen or manual.name in chosen:
            yield from _made(manual.name, folder, lambda manual=manual: _ask_manual(manual, folder))  # type: ignore[misc]
    if not chosen or PLAIN in chosen:
        yield from _made(PLAIN, folder, lambda: _ask_plain(folder))
    if not chosen or TABLES in chosen:
        yield from _made(TABLES, folder, lambda: _ask_tables(folder))


def _made(name: str, folder: Path, ask: Callable[[], tuple[list[dict[str, Any]], int]]) -> Iterator[str]:
    path = question_file(folder, name)
    if path.exists():
        return
    try:
        lines, dropped = ask()
    except (NotToBeHad, WeftError) as error:
        yield f"Error: {error}"
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    part.replace(path)
    yield f"{name}: {len(lines)} questions, {dropped} dropped whose gold is not in the SKB"


def _ask_manual(manual: Manual, folder: Path) -> tuple[list[dict[str, Any]], int]:
    gather(manual, folder)
    with _opened(manual_source(folder, manual.name), folder) as skb:
        return resolved(skb, [*manual_questions(skb, manual.name), *howto_questions(skb, manual.name)])


def _ask_plain(folder: Path) -> tuple[list[dict[str, Any]], int]:
    gather(AS_TEXT, folder)
    with _opened(manual_source(folder, AS_TEXT.name), folder) as skb:
        write_text(skb, folder / "documents" / PLAIN)
        asked = [line for line in manual_questions(skb, PLAIN) if line["type"] in TEXT_KINDS]
        with _opened(plain_source(folder), folder) as text:
            return resolved(text, as_text_questions(skb, text, asked))


def _ask_tables(folder: Path) -> tuple[list[dict[str, Any]], int]:
    with _opened(table_source(folder), folder) as skb:
        written = (WRITTEN / f"{TABLES}.jsonl").read_text(encoding="utf-8").splitlines()
        return resolved(skb, [*table_questions(skb, TABLES), *map(json.loads, written)])


def _opened(source: Source, folder: Path, embedder: str = "tfidf") -> Skb:
    return Skb(skb_of(source, folder / "skbs", embedder))


def scores(source: Source, folder: Path, embedder: str) -> Iterator[dict[str, Any]]:
    """Yield for each kind of question over a corpus how many there are, and the hits of each method."""
    assert source.questions is not None
    questions = read_questions(source.questions)
    with _opened(source, folder, embedder) as skb:
        session = Session(Context(skb))
        methods = {name: Searcher(session, name).rank_anew for name in METHODS}
        for kind, part in _by_kind(questions).items():
            report = evaluate(skb, part, methods, CUT_OFFS, "chunk")
            hits = {
                name: {f"hit@{k}": measured[f"hit@{k}"] for k in CUT_OFFS}
                for name, measured in report["methods"].items()
            }
            yield {"corpus": source.name, "kind": kind, "questions": len(part), "methods": hits}


def _by_kind(questions: Iterable[Question]) -> dict[str, list[Question]]:
    kinds: dict[str, list[Question]] = {}
    for question in questions:
        kinds.setdefault(question.type or "", []).append(question)
    return kinds


def pooled(domain: str, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield for each kind of question what all corpora of a domain give together, each question counting once."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        kinds.setdefault(row["kind"], []).append(row)
    for kind, found in kinds.items():
        n = sum(row["questions"] for row in found)
        hits = {
            name: {f"hit@{k}": sum(row["questions"] * row["methods"][name][f"hit@{k}"] for row in found) / n
                   for k in CUT_OFFS}
            for name in found[0]["methods"]
        }  # fmt: skip
        yield {"corpus": f"all {domain}", "kind": kind, "questions": n, "methods": hits}


def show(row: dict[str, Any]) -> str:
    """Return a line of the table: a corpus and kind, and each method's hits at 1, 3 and 5."""
    cells = ["/".join(f"{hit:.2f}".removeprefix("0") for hit in hits.values()) for hits in row["methods"].values()]
    return f"{row['corpus']:21s}{row['kind']:16s}{row['questions']:4d}" + "".join(cell.rjust(17) for cell in cells)


def main() -> int:
    """Gather, ask and, where that is wanted, score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="a corpus; more than one is allowed"
    )
    parser.add_argument("--embedder", default="tfidf")
    parser.add_argument("--score", action="store_true")
    parser.add_argument("--json", action="store_true", help="one JSON object a row of the table")
    options = parser.parse_args()
    for line in prepare(options.folder.resolve(), options.only):
        print(line, file=sys.stderr, flush=True)
    if not options.score:
        return 0
    if not options.json:
        print("hit@1/3/5".ljust(41) + "".join(name.rjust(17) for name in METHODS))
    for domain, found in domains(options.folder.resolve()).items():
        chosen = [source for source in found if not options.only or source.name in options.only]
        rows: list[dict[str, Any]] = []
        for source in chosen if domain in DOMAINS else []:
            for row in scores(source, options.folder.resolve(), options.embedder):
                rows.append(row)
                print(json.dumps(row) if options.json else show(row), flush=True)
        for row in pooled(domain, rows) if len(chosen) > 1 else []:
            print(json.dumps(row) if options.json else show(row), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
