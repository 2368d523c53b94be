"""Language models: what was asked and answered so far, and the options by which other commands name one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from interfaces.output import counted, json_option, print_json, say, valid_text, warn
from weft.errors import WeftError

if TYPE_CHECKING:
    from weft.chat.base import Chat
    from weft.chat.store import Entry

Command = TypeVar("Command", bound=Callable[..., Any])
SHOWN = 300
"""Characters of a turn and of a reply that the log shows."""

MODEL_OPTIONS = (
    click.option("--llm", envvar="WEFT_LLM", show_envvar=True, callback=valid_text, metavar="openai:MODEL",
                 help="The language model of steps that ask one."),
    click.option("--max-tokens-total", "most_tokens", type=click.IntRange(1), metavar="N",
                 help="Stop before more tokens than these are read and written; what was answered is kept."),
    click.option("--dry-run", is_flag=True, help="Say what a model would be asked and cost, and send nothing."),
)  # fmt: skip


def model_options(command: Command) -> Command:
    """Give a command the options `llm`, `most_tokens` and `dry_run`."""
    for option in reversed(MODEL_OPTIONS):
        command = option(command)
    return command


def chat_for(methods: Sequence[str], llm: str | None, most_tokens: int | None, dry_run: bool) -> Chat | None:
    """Return the model that `model_options` name for some methods, or what counts its calls; None where there is none.

    Warn of methods that would ask one. Raise WeftError for a model that is none, UsageError for a bound of none.
    """
    from weft.chat.registry import chat_named, dry_run_of

    if not llm and dry_run:
        raise WeftError("--dry-run tells what a language model would be asked; name one with --llm or WEFT_LLM")
    if not llm and most_tokens is not None:
        raise click.UsageError("--max-tokens-total bounds a language model; name one with --llm or WEFT_LLM")
    if not llm:
        _warn_of_no_model(methods)
        return None
    return dry_run_of(llm) if dry_run else chat_named(llm, most_tokens=most_tokens)


def without_model_or(option: str) -> str:
    """Return what to do where a model and an option exclude each other, by what named the model."""
    source = click.get_current_context().get_parameter_source("llm")
    if source is ParameterSource.ENVIRONMENT:
        return f"WEFT_LLM is set; unset it or leave out {option}"
    return f"leave out --llm or {option}"


def _warn_of_no_model(methods: Sequence[str]) -> None:
    from retriever.searcher import asks_model

    asking = [method for method in methods if asks_model(method)]
    if asking:
        warn(f"{', '.join(asking)}: no language model is named (--llm or WEFT_LLM), so the method does without")


def print_estimate(dry: Chat | None, as_json: bool) -> None:
    """Print what a dry run counted."""
    from weft.chat.dry_run import DryRun
    from weft.chat.registry import prices

    if not isinstance(dry, DryRun):
        return
    found = dry.estimate
    cost = found.cost(prices())
    if as_json:
        print_json({"llm": dry.name, **found._asdict(), "cost": cost})
        return
    say(f"{dry.name}: {counted(found.calls, 'call')}, {found.cached:,} answered from the cache; nothing was sent")
    if found.assumed:
        say(f"{found.assumed:,} of them follow from replies that are not there yet, and may be fewer")
    priced = "prices are not set (WEFT_LLM_PRICES)" if cost is None else f"cost {cost:,.4f}"
    say(f"at most about {found.tokens_in:,} tokens read and {found.tokens_out:,} written: {priced}")


@click.group(epilog="""\b
Examples:
  weft llm log -n 5
  weft llm stats --json""")
def llm() -> None:
    """Look at what language models were asked, and what they replied."""


@llm.command()
@click.option("-n", "most", default=20, show_default=True, type=click.IntRange(1), help="How many replies.")
@click.option("--llm", "model", callback=valid_text, help="Those of one model only, such as openai:gpt-4o-mini.")
@json_option
def log(most: int, model: str | None, as_json: bool) -> None:
    """Show the newest replies that were paid for, the newest first, with what was asked."""
    from weft.chat.store import ReplyStore

    for entry in ReplyStore().log(most, model):
        print_json(entry._asdict()) if as_json else _print_entry(entry)


def _print_entry(entry: Entry) -> None:
    say(f"{entry.time}  {entry.model}  sample {entry.sample}  {entry.tokens_in:,} tokens read, {entry.tokens_out:,}"
        f" written, {entry.seconds:.1f} s, {entry.finish_reason}")
    for role, content in entry.messages[-1:]:
        say(f"  {role}: {_short(content)}")
    say(f"  reply: {_short(entry.text)}")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[:SHOWN] + "…"


@llm.command()
@json_option
def stats(as_json: bool) -> None:
    """Count what each model was asked, and what it cost by WEFT_LLM_PRICES."""
    from weft.chat.registry import prices
    from weft.chat.store import ReplyStore
    from weft.chat.tokens import Usage

    store, priced = ReplyStore(), prices()
    models = []
    for totals in store.totals():
        cost = None if priced is None else Usage(totals.tokens_in, totals.tokens_out).cost(priced)
        models.append({**totals._asdict(), "cost": cost})
    if as_json:
        print_json({"path": str(store.path), "models": models})
        return
    say(str(store.path))
    for each in models:
        paid = "" if each["cost"] is None else f", cost {each['cost']:,.4f}"
        say(f"{each['model']}: {counted(each['replies'], 'reply', 'replies')} to"
            f" {counted(each['conversations'], 'conversation')}, {each['tokens_in']:,} tokens read,"
            f" {each['tokens_out']:,} written, {each['seconds']:,.1f} s{paid}; {each['first']} to {each['last']}")


COMMANDS = (llm,)
