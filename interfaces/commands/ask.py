"""The command that answers: ask."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interfaces.commands.llm import chat_for, model_options, print_estimate
from interfaces.commands.search import (
    STDIN,
    check_fusion,
    fusion_for,
    fusion_option,
    print_question,
    questions_of,
    read_besides,
    told_of,
    tracing,
    unit_option,
)
from interfaces.excerpt import excerpt_lines
from interfaces.output import Amount, json_option, print_json, question_argument, say, skb_argument, valid_text, warn

if TYPE_CHECKING:
    from retriever.searcher import Searcher


WIDE = 3
"""Columns from which on the first row of a table is its head; rows of two are a label and its value."""


@click.command(epilog="""\b
Examples:
  weft ask kb.skb "where was the designer of the harbour light born?"
  weft ask kb.skb "who opened it?" -m bm25 --json
  weft ask kb.skb - --json < questions.txt""")
@skb_argument
@question_argument
@click.option("-m", "--method", default="auto", show_default=True, callback=valid_text,
              help="What ranks the passages that are read: any method of weft search.")
@unit_option
@fusion_option
@click.option("--threshold", type=Amount(0, 1),
              help="Give an answer found in passages if the chance that they answer is so much or more; 0 always."
                   "  [default: 0.4]")
@click.option("--least-confidence", type=Amount(0, 1), default=0.0, show_default=True,
              help="Give it only if it is so sure that it is right: 0.15 leaves out a quarter of the wrong answers, and"
                   " hardly any right one. Answers to how, why and phrases always need 0.1, except with --threshold 0.")
@model_options
@click.option("--trace", type=click.Path(path_type=Path), help="Write each step as a JSON line into this file.")
@json_option
def ask(
    skb: Path, question: str, method: str, unit: str, fusion: str | None, threshold: float | None,
    least_confidence: float, trace: Path | None, as_json: bool, dry_run: bool, **model: Any,
) -> None:  # fmt: skip
    """Answer QUESTION from an SKB, with the sentences that say so; without a likely answer show the nearest passages.

    The answer is found in the passages that the method ranks, or written from them by a language model. Without one,
    what a question describes ("the designer of the bridge") is answered first, and shown as "by way of". All words
    behind SKB are one question. When QUESTION is - each line of stdin that is not blank is one. The exit
    code is 0 with and without an answer; in --json answerable is false without one.
    """
    from retriever.context import Context
    from retriever.searcher import Searcher, unit_named
    from retriever.session import Session
    from retriever.trace_file import KIND
    from weft.overwriting import check_file
    from weft.skb import Skb

    if trace is not None:
        check_file(trace, KIND, [skb, *read_besides(question, fusion)])
    chat = chat_for([method], dry_run=dry_run, **model)
    with Skb(skb) as opened, Session(Context(opened), chat) as session, tracing(trace) as write:
        chosen = unit_named(unit, opened)
        check_fusion([method], chosen, fusion)
        searcher = Searcher(session, method, chosen, fusion_for(method, fusion))
        for line in searcher.warnings:
            warn(line)
        for number, text in enumerate(questions_of(question)):
            answer = answer_once(searcher, text, threshold, least_confidence)
            for step in session.trace.steps:
                for line in step.warnings if step.name == "answer" else ():
                    warn(told_of(question, text, line))
            if not dry_run:
                _print_one(answer, question, as_json=as_json, first=number == 0)
            write(text, searcher)
    print_estimate(chat, as_json)


def _print_one(answer: dict[str, Any], question: str, *, as_json: bool, first: bool) -> None:
    if as_json:
        print_json(answer)
        return
    if question == STDIN:
        print_question(answer["question"], first=first)
    print_answer(answer)


def answer_once(
    searcher: Searcher, question: str, threshold: float | None = None, least_confidence: float = 0.0
) -> dict[str, Any]:
    """Return the answer to one question, as the command prints it."""
    from interfaces.api.answers import answer_record

    start = time.perf_counter()
    record = answer_record(searcher, question, threshold, least_confidence)
    return record._asdict() | {
        "citations": [each._asdict() for each in record.citations],
        "nearest": [each._asdict() for each in record.nearest],
        "hops": [each._asdict() for each in record.hops],
        "seconds": round(time.perf_counter() - start, 6),
    }


def print_answer(answer: dict[str, Any]) -> None:
    """Print an answer for people, and the sentences that it rests on; without one the nearest passages."""
    if answer["read_as"]:
        say(f"read as: {answer['read_as']}")
    if answer["answerable"]:
        say(answer["answer"])
    else:
        say(answer["reason"] + ("; the nearest passages:" if answer["nearest"] else ""))
    for hop in answer["hops"]:
        say(f"by way of: {hop['asks']} {hop['answer']}")
    for each in answer["nearest"]:
        print_nearest(each, answer["question"])
    for each in answer["citations"]:
        start, end = each["span"]
        cited = labelled(each["text"], start, end)
        lines = cited.split("\n") if answer["kind"] == "nodes" else [cited]
        say(f"[{each['n']}] {each['uri']}: {'; '.join(' '.join(line.split()) for line in lines)}")
    if answer["answerable"] and answer["kind"] == "extracted" and answer["chance"]:
        say(f"confidence {answer['confidence']:.2f}")


def print_nearest(near: dict[str, Any], question: str) -> None:
    """Print a passage that may help where there is no answer: lines of code, a list or a table, else a sentence."""
    text, (start, end) = near["text"], near["span"]
    if "\n" not in text.strip():
        say(f"[{near['n']}] {near['uri']}: {' '.join(text[start:end].split())}")
        return
    say(f"[{near['n']}] {near['uri']}:")
    for line in excerpt_lines(text, question):
        say(f"    {line}")


def labelled(text: str, start: int, end: int) -> str:
    """Return what is cited of a text, each cell of a row of a table behind the label of its column.

    >>> labelled("Hut | Beds | Warden\\nWren Hut | 22 | Ada Orr", 20, 43)
    'Hut: Wren Hut | Beds: 22 | Warden: Ada Orr'
    >>> labelled(" | Wren Hut | Owl Hut\\nBeds | 22 | 9", 22, 35)
    'Beds | Wren Hut: 22 | Owl Hut: 9'
    """
    head, cells = text.partition("\n")[0].split(" | "), text[start:end].split(" | ")
    if start == 0 or len(cells) < WIDE or len(cells) != len(head):
        return text[start:end]
    return " | ".join(f"{label}: {cell}" if label else cell for label, cell in zip(head, cells, strict=True))


COMMANDS = (ask,)
