"""Refuse fact files that are no facts, before anything is read or written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from builder.derive.fact_names import parse_triple
from builder.rdf.reader import UnknownFormat, format_of, is_named_rdf, read_triples
from builder.request import FactInput
from builder.streams.lines import Problem, is_complete, line_batches, missing_compression
from weft.errors import UnreadableSource

WHAT_TO_DO: Mapping[str, str] = {
    "rdf": "correct it, convert it to .nt, give JSON Lines by --triples, or leave it out",
    "triples": "correct it, give RDF by --rdf, or leave it out",
}
TABLES = frozenset((".csv", ".tsv"))
CONVERT = "convert it to .nt, give JSON Lines by --triples, or leave it out"


class _Part(NamedTuple):
    """What some lines of a fact file are: whether any states something, and what is wrong with the others."""

    states: bool
    problems: tuple[Problem, ...]


def check_file(path: Path, option: str) -> None:
    """Raise UnreadableSource where what an option names is no file."""
    if path.is_dir():
        raise UnreadableSource(f"{path}: is a folder; name its files, each behind a --{option} of its own")
    if not path.is_file():
        raise UnreadableSource(f"{path}: no such file")


def check_format(path: Path) -> None:
    """Raise UnreadableSource where a file is none of N-Triples, N-Quads and Turtle."""
    try:
        format_of(path)
    except UnknownFormat as error:
        raise UnreadableSource(f"{path}: {error}") from error


def check_readable(facts: Iterable[FactInput]) -> None:
    """Raise UnreadableSource where every line of a fact file is malformed; the error names each such file.

    A file is read up to its first fact. One that is empty is none of these; of one that breaks off, the whole lines
    before the break count.
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
        if part.states:
            return None
        if not is_complete(part.problems):
            # What stands at the break is the beginning of a line, not one to be blamed.
            break
        malformed = [each for each in part.problems if each.kind != "noted"]
        n_lost += len(malformed)
        first = first or next(iter(malformed), None)
    if first is None:
        return None
    return f"{file.path}: {_described(file, first, n_lost)}"


def _described(file: FactInput, first: Problem, n_lost: int) -> str:
    place = f"line {first.line:,}: {first.reason}"
    if missing := missing_compression(file.path):
        return f"is not {missing}, whatever its name, and no line of it is a fact ({place}); fetch or pack it anew"
    # Where the name tells nothing, it was read as Turtle for want of anything better.
    if file.kind == "rdf" and file.path.suffix.lower() in TABLES:
        return f"is a table ({file.path.suffix}), which is not read as facts; {CONVERT}"
    if file.kind == "rdf" and not is_named_rdf(file.path):
        return f"is no N-Triples, N-Quads or Turtle ({place}); {CONVERT}"
    lost = "its only line is malformed," if n_lost == 1 else f"all {n_lost:,} lines are malformed; the first is"
    return f"{lost} {place}; {WHAT_TO_DO[file.kind]}"


def _parts(file: FactInput) -> Iterator[_Part]:
    if file.kind == "rdf":
        for batch in read_triples(file.path):
            yield _Part(bool(batch.triples), batch.problems)
        return
    for lines in line_batches(file.path):
        if not is_complete(lines.problems):
            yield _Part(any(isinstance(parse_triple(line), tuple) for line in lines.lines), lines.problems)
            return
        # Line by line, since a block of facts needs no more than its first one parsed.
        for number, line in enumerate(lines.lines, lines.first_line):
            found = parse_triple(line)
            if isinstance(found, str):
                yield _Part(False, (Problem(number, "malformed", found),))
            elif found is not None:
                yield _Part(True, ())
        yield _Part(False, lines.problems)
