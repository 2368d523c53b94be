"""Build an SKB from Python: the arguments of `weft build` by name, and a callback for progress."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from builder.build import build, settings_for
from builder.request import SILENT, Progress, Request, Settings, Summary
from interfaces.api.arguments import paths_of

OnProgress = Callable[[str, int], None]
"""Is called with a stage's name and how many things of it are done."""

CALLED = {"lang": "languages", "memory": "memory_mb", "spacy": "spacy_model"}
"""Options of the command line that have another name here."""


def progress_of(callback: OnProgress | None) -> Progress:
    """Return what calls back at the beginning of each stage, with 0, and after each batch of it."""
    if callback is None:
        return SILENT
    stage, done = "", 0

    def begin(name: str) -> None:
        nonlocal stage, done
        stage, done = name, 0
        callback(stage, done)

    def advance(n: int) -> None:
        nonlocal done
        done += n
        callback(stage, done)

    return Progress(begin, advance)


def build_skb(sources: tuple[str, ...], output: Path, progress: OnProgress | None, options: dict[str, Any]) -> Summary:
    """Build or update an SKB; `options` are fields of Request and of its Settings, None for their defaults.

    Raise TypeError for an option that there is not, WeftError for what is wrong with the request.
    """
    given = {name: value for name, value in options.items() if value is not None}
    settings = {name: given.pop(name) for name in Settings._fields if name in given}
    if unknown := sorted(given.keys() - set(Request._fields)):
        raise TypeError(_no_option(unknown[0]))
    for name in given.keys() & {"rdf", "triples", "sparql"}:
        given[name] = paths_of(name, given[name])
    if "languages" in settings:
        settings["languages"] = paths_of("languages", settings["languages"])
    known = settings_for(output if given.get("add") else None, **settings)
    return build(Request(sources, output, settings=known, **given), progress_of(progress))


def option_names() -> list[str]:
    """Return the names of all options of a build, as `build_skb` takes them."""
    return sorted({*Request._fields, *Settings._fields} - {"sources", "output", "settings"})


def _no_option(name: str) -> str:
    """Tell what an unknown option is called here, where that can be told, and else which there are."""
    from difflib import get_close_matches

    known = option_names()
    near = [CALLED[name]] if name in CALLED else get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(known)}"
    return f"build() has no option {name}; {hint}"
