"""Refuse fact files that are no facts, before anything is read or written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from builder.derive.fact_names import parse_triple
from builder.rdf.reader import UnknownFormat, format_of, read_triples
from builder.request import FactInput
from builder.streams.lines import Problem, is_complete, line_batches
from weft.errors import UnreadableSource

WHAT_TO_DO: Mapping[str, str] = {
    "rdf": "correct it, convert it to .nt, give JSON Lines by --triples, or leave it out",
    "triples": "correct it, give RDF by --rdf, or leave it out",
}


class _Part(NamedTuple):
    """What some lines of a fact file are: whether any states something, and what is wrong with the others."""

    states: bool
    problems: tuple[Problem, ...]


def check_format(path: Path) -> None:
    """Raise UnreadableSource where a file is none of N-Triples, N-Quads and Turtle."""
    try:
        format_of(path)
    except UnknownFormat as error:
        raise UnreadableSource(f"{path}: {error}") from error


def check_readable(facts: Iterable[FactInput]) -> None:
    """Raise UnreadableSource where every line of a fact file is malformed; the error names each such file.

    A file is read up to its first fact. One that is empty or truncated is none of these.
    """
    wrong = [each for each in map(_why_unreadable, facts) if each is not None]
    if len(wrong) == 1:
        raise UnreadableSource(wrong[0])
    if wrong:
        raise UnreadableSource(f"{len(wrong):,} fact files cannot be read, the first {wrong[0]}", tuple(wrong))


def _why_unreadable(file: FactInput) -> str | None:
    first: Problem | None = None
    n_lost = 0
    for part in _parts(file):
        if part.states or not is_complete(part.problems):
            return None
        malformed = [each for each in part.problems if each.kind != "noted"]
        n_lost += len(malformed)
        first = first or next(iter(malformed), None)
    if first is None:
        return None
    place = f"line {first.line:,}: {first.reason}"
    lost = "its only line is malformed," if n_lost == 1 else f"all {n_lost:,} lines are malformed; the first is"
    return f"{file.path}: {lost} {place}; {WHAT_TO_DO[file.kind]}"


def _parts(file: FactInput) -> Iterator[_Part]:
    if file.kind == "rdf":
        for batch in read_triples(file.path):
            yield _Part(bool(batch.triples), batch.problems)
        return
    for lines in line_batches(file.path):
        # Line by line, since a block of facts needs no more than its first one parsed.
        for number, line in enumerate(lines.lines, lines.first_line):
            found = parse_triple(line)
            if isinstance(found, str):
                yield _Part(False, (Problem(number, "malformed", found),))
            elif found is not None:
                yield _Part(True, ())
        yield _Part(False, lines.problems)
