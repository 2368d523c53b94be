"""The command line: every command is a few lines around one public call.

stdout is data, stderr is progress and warnings. Only click is imported here,
so that `weft --help` is quick.
"""

from __future__ import annotations

import sys
from typing import Any

import click

from interfaces import asking, building, looking, questions
from weft.errors import WeftError


class _Group(click.Group):
    """Ends a user's mistake with one line and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except WeftError as error:
            raise click.ClickException(" ".join(str(error).split())) from error
        except BrokenPipeError:
            # The reader of a pipe has seen enough; Python must not complain at exit either.
            sys.stderr.close()
            raise SystemExit(0) from None


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="weft")
def main() -> None:
    """Weave documents and facts into one SQLite knowledge base, and answer questions from it.

    \b
    weft build pages/ --rdf facts.nt -o kb.skb
    weft search kb.skb "who designed the harbour light?"
    weft evaluate kb.skb questions.jsonl -m bm25 -m vector
    """


for command in (*building.COMMANDS, *looking.COMMANDS, *asking.COMMANDS, *questions.COMMANDS):
    main.add_command(command)


if __name__ == "__main__":
    main()
