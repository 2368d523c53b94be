"""Commands that ask: search."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from interfaces.commands.llm import chat_for, model_options, print_estimate
from interfaces.excerpt import excerpt_lines
from interfaces.explanation_text import explanation_lines
from interfaces.output import json_option, print_json, question_argument, say, skb_argument, valid_text, warn
from weft.errors import WeftError

if TYPE_CHECKING:
    from retriever.question.filters import Filters
    from retriever.searcher import Searcher
    from retriever.types import Unit

STDIN = "-"
MOST_SHOWN = 80
"""Characters of a question that a message about it shows."""

unit_option = click.option("--unit", default="auto", type=click.Choice(["auto", "chunk", "entity"]), show_default=True,
                           help="What is ranked.")
fusion_option = click.option("--fusion", envvar="WEFT_FUSION", show_envvar=True, callback=valid_text,
                             help="What hybrid ranks chunks by: ensemble (default), mlp, logistic, rrf, or a file of"
                             " weft train.")


class HitCount(click.ParamType):  # type: ignore[type-arg]
    """A whole number from 1, or `all`, which is 0."""

    name = "integer|all"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number."""
        if value == "all":
            return 0
        try:
            count = int(value)
        except ValueError:
            count = 0
        if count < 1:
            self.fail(f"{value!r} is neither a whole number from 1 nor all.", param, ctx)
        return count


@click.command(epilog="""\b
Examples:
  weft search kb.skb "who designed the harbour light?" -k 3 --explain
  weft search kb.skb "who opened it?" --type Bridge --where "opened>1200"
  weft search kb.skb - -m "page(n=5)" --json < questions.txt""")
@skb_argument
@question_argument
@click.option("-k", default=5, show_default=True, type=HitCount(), help="How many hits, or all.")
@click.option("-m", "--method", default="auto", show_default=True, callback=valid_text,
              help="[EXPANSION>]RANKER[+RERANKER], as in bm25, prf>bm25 or page(n=5). Rankers: hybrid, bm25, related,"
              " vector, page, section, entity, path, graph, naive-hybrid, vss, multi-vss, cypher, autofocus, focused,"
              " 4step. Expansions: base, prf, hyde, rar, agr, kar. Rerankers: pointwise, listwise, pairwise"
              " (docs/methods.md).")
@unit_option
@fusion_option
@click.option("--explain", is_flag=True, help="Tell why each hit is one: what adds to its score, with the evidence.")
@click.option("--type", "types", multiple=True, callback=valid_text, help="Only pages, or entities, of such a type.")
@click.option("--page", "pages", multiple=True, callback=valid_text, help="Only what stands on this page.")
@click.option("--where", multiple=True, callback=valid_text,
              help="Only pages, or entities, with key=value; also >, >=, <, <=, CONTAINS, STARTS WITH, ENDS WITH, IN.")
@model_options
@click.option("--trace", type=click.Path(path_type=Path), help="Write each step as a JSON line into this file.")
@json_option
def search(
    skb: Path, question: str, k: int, method: str, unit: str, fusion: str | None, explain: bool,
    types: tuple[str, ...], pages: tuple[str, ...], where: tuple[str, ...], trace: Path | None, as_json: bool,
    dry_run: bool, **model: Any,
) -> None:  # fmt: skip
    """Rank the chunks or entities of an SKB for QUESTION, or for each line of stdin when it is -."""
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
        searcher = Searcher(session, method, chosen, fusion_for(method, fusion), _filters(types, pages, where))
        for line in searcher.warnings:
            warn(line)
        for number, text in enumerate(questions_of(question)):
            if dry_run:
                searcher.rank(text, k or opened.count(chosen))
                write(text, searcher)
                continue
            answer = search_once(searcher, text, k or opened.count(chosen), explained=explain)
            for line in answer["warnings"][len(searcher.warnings) :]:
                warn(told_of(question, text, line))
            if as_json:
                print_json(answer)
            else:
                if question == STDIN:
                    print_question(text, first=number == 0)
                print_hits(answer)
            write(text, searcher)
    print_estimate(chat, as_json)


def read_besides(question: str, fusion: str | None) -> list[Path]:
    """Return the files that a command reads beside the SKB, if there are such."""
    return [Path(each) for each in ("/dev/stdin" if question == STDIN else None, fusion) if each]


def check_fusion(methods: Sequence[str], unit: Unit, fusion: str | None) -> None:
    """Raise WeftError where the command line names a fusion by which no method ranks.

    One in the environment is for all commands, so it may be of no use to this one.
    """
    from retriever.searcher import ranks_by_fusion

    given = click.get_current_context().get_parameter_source("fusion") is ParameterSource.COMMANDLINE
    if given and not any(ranks_by_fusion(method, unit) for method in methods):
        ranked = " and ".join(methods) or "a run"
        raise WeftError(f"--fusion {fusion}: only hybrid over chunks ranks by a fusion, not {ranked} over {unit}")


def fusion_for(method: str, fusion: str | None) -> str | None:
    """Return the fusion that a method is to rank by; one that it names itself stands before that of the environment."""
    from retriever.searcher import names_fusion

    given = click.get_current_context().get_parameter_source("fusion") is ParameterSource.COMMANDLINE
    return fusion if given or not names_fusion(method) else None


def _filters(types: tuple[str, ...], pages: tuple[str, ...], where: tuple[str, ...]) -> Filters:
    from retriever.question.filters import Filters, parse_condition

    return Filters(types, pages, tuple(map(parse_condition, where)))


def questions_of(question: str) -> Iterable[str]:
    """Return the one question, or yield each line of stdin that is not blank where it is `-`."""
    if question == STDIN:
        # A byte order mark at the start is no part of the first question.
        codecs = chain(["utf-8-sig"], repeat("utf-8"))
        lines = (line.decode(codec, "replace").strip() for line, codec in zip(sys.stdin.buffer, codecs, strict=False))
        return _without_blank(lines)
    return (question,)


def _without_blank(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines that are not blank; tell where all are."""
    n_blank = n_asked = 0
    for line in lines:
        n_asked, n_blank = n_asked + bool(line), n_blank + (not line)
        if line:
            yield line
    if n_blank and not n_asked:
        warn(f"no question: {'the only line' if n_blank == 1 else f'each of the {n_blank:,} lines'} is blank")


def told_of(question: str, text: str, line: str) -> str:
    """Return a line about a question, which names it where the argument is for questions from stdin."""
    if question != STDIN:
        return line
    return f"{text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + '…'}: {line}"


@contextmanager
def tracing(path: Path | None) -> Iterator[Callable[[str, Searcher], None]]:
    """Give what writes a question's steps to a file as JSON lines and forgets them."""
    from retriever.trace_file import trace_lines

    if path is None:
        yield lambda question, searcher: searcher.session.trace.steps.clear()
        return
    from weft.output_file import wrapped_errors, write_whole

    # Without a buffer nothing is left to write when a full disk has ended the command.
    with path.open("wb", buffering=0) as file:

        def write(question: str, searcher: Searcher) -> None:
            with wrapped_errors(path, "the trace ends there"):
                for line in trace_lines(question, searcher.session.trace):
                    write_whole(file, line.encode())
            searcher.session.trace.steps.clear()

        yield write


def search_once(searcher: Searcher, question: str, k: int, *, explained: bool = False) -> dict[str, Any]:
    """Return the hits of one question, as the command prints them."""
    from retriever.explanation import explain, why

    start = time.perf_counter()
    found = searcher.rank(question, k)
    seconds = time.perf_counter() - start
    reasons = explain(searcher, question, found) if explained else [()] * len(found.ids)
    signals = searcher.signals(question, found)
    hits = [
        {"rank": rank, "uri": uri, "title": title, "text": text, "score": round(score, 6), "signals": own,
         "why": why(reason, uri, score)} | ({} if behind is None else {"following": behind})
        for rank, ((uri, title, text), behind, score, own, reason) in enumerate(
            zip(searcher.texts(found), searcher.following(found), found.scores.tolist(), signals, reasons, strict=True),
            1,
        )
    ]  # fmt: skip
    method = str(searcher.method)
    steps = searcher.session.trace.steps
    of_replies = dict.fromkeys(line for step in steps for line in step.warnings if step.calls)
    warnings = [*searcher.warnings, *searcher.warnings_of(question, found), *of_replies]
    return {"question": question, "method": method, "unit": searcher.unit, "seconds": round(seconds, 6),
            "warnings": warnings, "hits": hits}  # fmt: skip


def print_question(question: str, *, first: bool) -> None:
    """Print one of several questions above what was found for it."""
    if not first:
        say()
    say(f"Q: {question}")


def print_hits(answer: dict[str, Any]) -> None:
    """Print hits for people."""
    if not answer["hits"]:
        from interfaces.api.answers import without_words

        say(f"nothing found{without_words(answer['question'])}")
    for hit in answer["hits"]:
        say(f"{hit['rank']}. {hit['uri']}  {hit['score']:.3f}")
        said = hit["text"], *([hit["following"]] if "following" in hit else [])
        for line in excerpt_lines("\n".join(said), answer["question"]):
            say(f"   {line}")
        for line in explanation_lines(hit):
            say(f"   {line}")


COMMANDS = (search,)
