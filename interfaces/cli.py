"""The command line: every command is a few lines around one public call.

stdout is data, stderr is progress and warnings. Only click is imported here,
so that `weft --help` is quick.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import click
from click.exceptions import NoArgsIsHelpError

from interfaces.commands import ask as answering
from interfaces.commands import build as building
from interfaces.commands import demo as demonstration
from interfaces.commands import evaluate as evaluating
from interfaces.commands import export as exporting
from interfaces.commands import inspect as looking
from interfaces.commands import llm as models
from interfaces.commands import questions, testset
from interfaces.commands import search as asking
from interfaces.commands import spark as sparking
from interfaces.commands import train as training
from interfaces.printable import printable
from interfaces.streams import drop_unwritten, prepare_streams
from weft.errors import WeftError
from weft.output_file import DISK_FULL

OUTSIDE_CAUSES = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY,
}  # fmt: skip
"""What SQLite says of files and disks; any other error of its is a mistake of ours and keeps its traceback."""

RESUMED = ("build", "load")
"""Commands that go on, when they are run again, where they were stopped."""


DASHED = " A question that begins with a dash stands behind --."


def _takes_question(context: click.Context | None) -> bool:
    return context is not None and any(each.name == "question" for each in context.command.params)


def stopped(command: str | None) -> str:
    """Return what to tell of a command that was stopped."""
    if command not in RESUMED:
        return "stopped"
    return f"stopped; what was there is unchanged, and the {command} goes on when the same command is run again"


@contextmanager
def _printable_errors(context: click.Context | None = None) -> Iterator[None]:
    """Make one line of a user's mistake and of what files and disks refuse, without what controls a terminal."""
    try:
        with _one_line_errors(context):
            yield
    except NoArgsIsHelpError:
        # Its message is a page of help, which holds nothing of a user's.
        raise
    except click.ClickException as error:
        hint = DASHED if isinstance(error, click.NoSuchOption) and _takes_question(error.ctx) else ""
        # click declares `message` as constant in some of its exceptions, so it is not assigned as an attribute.
        vars(error)["message"] = printable(error.message) + hint
        raise


@contextmanager
def _one_line_errors(context: click.Context | None) -> Iterator[None]:
    try:
        yield
    except WeftError as error:
        raise click.ClickException(_plain("; ".join([str(error), *getattr(error, "__notes__", ())]))) from error
    except KeyboardInterrupt as error:
        raise _Stopped(stopped(context.invoked_subcommand if context else None)) from error
    except BrokenPipeError:
        # The reader of a pipe has seen enough; Python must not complain at exit either.
        drop_unwritten()
        sys.stderr.close()
        raise SystemExit(0) from None
    except OSError as error:
        drop_unwritten()
        path = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        reason = error.strerror or str(error)
        message = f"the disk is full ({reason})" if error.errno in DISK_FULL else reason
        raise click.ClickException(_plain(path + message)) from error
    except sqlite3.DatabaseError as error:
        if _interrupted.is_set():  # within a function that SQL calls, of which SQLite only tells that it failed
            raise _Stopped(stopped(context.invoked_subcommand if context else None)) from error
        if getattr(error, "sqlite_errorcode", 0) & 0xFF not in OUTSIDE_CAUSES:
            raise
        full = "the disk is full" if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL else ""
        message = full or "the knowledge base is damaged or cannot be used"
        raise click.ClickException(f"{message} ({error})") from error


class _Stopped(click.ClickException):
    """A command that was interrupted or terminated; its exit code is a shell's for an interrupt."""

    exit_code = 130


_interrupted = threading.Event()


def _interrupt(number: int, frame: FrameType | None) -> None:
    _interrupted.set()
    signal.default_int_handler(number, frame)


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Let SIGTERM stop a command as an interrupt does, where nobody else handles them."""
    usual: dict[signal.Signals, Any] = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
    ours = [number for number, handler in usual.items() if signal.getsignal(number) == handler]
    if threading.current_thread() is not threading.main_thread():
        ours = []
    _interrupted.clear()
    for number in ours:
        signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, usual[number])


class _Group(click.Group):
    """Ends a user's mistake with one line and exit code 1."""

    def main(self, *args: Any, **extra: Any) -> Any:
        prepare_streams()
        with _stopped_by_signals():
            return super().main(*args, **extra)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with _printable_errors():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _printable_errors(ctx):
            return super().invoke(ctx)


def _plain(text: str) -> str:
    """Return a message as one line in which no address shows a password or a key."""
    from weft.http.addresses import without_secrets

    return without_secrets(" ".join(text.split()))


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="weft")
def main() -> None:
    """Weave documents and facts into one SQLite knowledge base, and find the evidence for questions in it.

    \b
    weft build pages/ --rdf facts.nt -o kb.skb
    weft search kb.skb "who designed the harbour light?" --explain
    weft evaluate kb.skb questions.jsonl -m hybrid -m bm25
    """


for module in (
    building, looking, asking, answering, evaluating, questions, testset, exporting, sparking, training, models,
    demonstration,
):
    for command in module.COMMANDS:
        main.add_command(command)


if __name__ == "__main__":
    main()
