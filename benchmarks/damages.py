"""Damage an SKB at random, run every command on it, and count what comes of it.

    python -m benchmarks.damages kb.skb questions.jsonl --source pages/ --number 200 --seed 1 [--subprocess]

Each damage is a flipped bit, an overwritten block, a truncation, a dropped
table or index, or a mangled value of `meta` or of any other table. A command may work, or end in one
line; a traceback is a failure. `weft check` must find every damage.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from click.testing import CliRunner

from interfaces.cli import main

SECONDS = 120
"""A command that takes longer hangs."""

COMMANDS: dict[str, list[str]] = {
    "info": ["info", "{skb}"],
    "rejects": ["info", "{skb}", "--rejects"],
    "show": ["show", "{skb}", "{title}"],
    "check": ["check", "{skb}"],
    "dump": ["dump", "{skb}", "--vectors"],
    "bm25": ["search", "{skb}", "{question}", "-m", "bm25"],
    "hybrid": ["search", "{skb}", "{question}", "-m", "hybrid", "--explain"],
    "evaluate": ["evaluate", "{skb}", "{questions}", "-m", "vector", "-o", "{folder}/report"],
    "train": ["train", "{skb}", "{questions}", "--model", "logistic", "-o", "{folder}/fusion.json"],
    "nquads": ["export", "{skb}", "--to", "nquads", "--force", "-o", "{folder}/kb.nq"],
    "neo4j": ["export", "{skb}", "--to", "neo4j", "--force", "-o", "{folder}/neo4j"],
    "remove": ["remove", "{skb}", "{title}"],
    "add": ["build", "{source}", "--add", "-o", "{skb}", "--workers", "1"],
    "build": ["build", "{source}", "-o", "{skb}", "--workers", "1"],
}
"""Commands that take an SKB; the last three write it."""


class Hang(BaseException):
    """A command ran out of time; nothing catches it on the way."""


class Outcome(NamedTuple):
    """How a command ended: `worked`, `one line`, `problems` (of check), `traceback` or `hang`; and its last line."""

    kind: str
    line: str
    seconds: float


Damage = Callable[[random.Random, Path], str]


def flip_bit(choose: random.Random, path: Path) -> str:
    """Flip one bit anywhere."""
    bit = choose.randrange(8 * path.stat().st_size)
    _overwrite(path, bit // 8, lambda data: bytes([data[0] ^ 1 << bit % 8]), 1)
    return f"bit {bit % 8} of byte {bit // 8}"


def flip_bit_of_header(choose: random.Random, path: Path) -> str:
    """Flip one bit of the first page, where the structure stands."""
    bit = choose.randrange(8 * 4096)
    _overwrite(path, bit // 8, lambda data: bytes([data[0] ^ 1 << bit % 8]), 1)
    return f"bit {bit % 8} of byte {bit // 8}"


def overwrite_block(choose: random.Random, path: Path) -> str:
    """Overwrite up to 8 kB with zeros or noise."""
    n_bytes = choose.randrange(16, 8192)
    start = choose.randrange(path.stat().st_size - n_bytes)
    noise = choose.choice([bytes(n_bytes), choose.randbytes(n_bytes)])
    _overwrite(path, start, lambda data: noise, n_bytes)
    return f"{n_bytes} bytes from {start}"


def truncate(choose: random.Random, path: Path) -> str:
    """Cut the file short."""
    n_bytes = choose.randrange(path.stat().st_size)
    os.truncate(path, n_bytes)
    return f"cut to {n_bytes} bytes"


def drop(choose: random.Random, path: Path) -> str:
    """Drop a table, an index or a view, as another program could."""
    with closing(sqlite3.connect(path)) as connection:
        kind, name = choose.choice(connection.execute(
            "SELECT type, name FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB '*_fts_*' ORDER BY name"
        ).fetchall())  # fmt: skip
        connection.execute(f"DROP {kind} {name}")
        connection.commit()
    return f"{kind} {name} dropped"


def mangle_meta(choose: random.Random, path: Path) -> str:
    """Put something else in place of a value of `meta`, as another program could."""
    with closing(sqlite3.connect(path)) as connection:
        (key,) = choose.choice(connection.execute("SELECT key FROM meta ORDER BY key").fetchall())
        value = choose.choice(["{", "[]", "{}", "3", "null", '"x"', b"\xff\xfe", '[{"label": 1}]', ""])
        connection.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))
        connection.commit()
    return f"meta {key} = {value!r}"


def mangle_value(choose: random.Random, path: Path) -> str:
    """Put something else in place of a row's value, as another program could."""
    with closing(sqlite3.connect(path)) as connection:
        tables = ["page", "section", "chunk", "link", "entity", "alias", "cites", "relation", "vector",
                  "embedder_array", "source_item", "attribute", "statement"]  # fmt: skip
        before = connection.total_changes
        while connection.total_changes == before:
            table = choose.choice(tables)
            column = choose.choice(connection.execute(f"SELECT name FROM pragma_table_info('{table}')").fetchall())[0]
            value = choose.choice([b"\xff\xfe\x00", "x", -1, 10**12, 0.5, ""])
            first = f'(SELECT "{column}" FROM {table} LIMIT 1)'
            with suppress(sqlite3.IntegrityError):
                connection.execute(f'UPDATE {table} SET "{column}" = ? WHERE "{column}" = {first}', (value,))
        connection.commit()
    return f"{table}.{column} = {value!r}"


def _overwrite(path: Path, start: int, change: Callable[[bytes], bytes], n_bytes: int) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        data = change(file.read(n_bytes))
        file.seek(start)
        file.write(data)


DAMAGES: dict[str, tuple[Damage, int]] = {
    "bit": (flip_bit, 8), "header bit": (flip_bit_of_header, 3), "block": (overwrite_block, 4),
    "truncation": (truncate, 2), "drop": (drop, 1), "meta": (mangle_meta, 1), "value": (mangle_value, 1),
}  # fmt: skip
"""Kinds of damage, and how often each comes."""


def damage(seed: int, path: Path) -> tuple[str, str]:
    """Damage a file as a seed says; return the kind and what was done."""
    choose = random.Random(seed)
    names = list(DAMAGES)
    kind = choose.choices(names, [DAMAGES[name][1] for name in names])[0]
    return kind, DAMAGES[kind][0](choose, path)


def run(arguments: Sequence[str], *, in_process: bool) -> Outcome:
    """Run a command and tell how it ended."""
    start = time.perf_counter()
    ending = _in_process if in_process else _in_its_own
    code, output, broken = ending(arguments)
    seconds = time.perf_counter() - start
    lines = output.splitlines()
    line = lines[-1] if lines else ""
    if broken:
        return Outcome(broken, line, seconds)
    if code == 0:
        return Outcome("worked", line, seconds)
    if code == 1 and line.startswith("Error: "):
        return Outcome("one line", line, seconds)
    if code == 1 and arguments[0] == "check":
        return Outcome("problems", line, seconds)
    return Outcome("traceback", f"exit code {code}: {line}", seconds)


def _in_process(arguments: Sequence[str]) -> tuple[int, str, str]:
    try:
        with _time_limit():
            result = CliRunner().invoke(main, list(arguments))
    except Hang:
        return 1, "", "hang"
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return 1, f"{type(result.exception).__name__}: {result.exception}", "traceback"
    return result.exit_code, result.stderr if result.exit_code else result.stdout, ""


def _in_its_own(arguments: Sequence[str]) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "interfaces.cli", *arguments]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return 1, "", "hang"
    stderr = done.stderr.decode("utf-8", "replace")
    return done.returncode, stderr, "traceback" if "Traceback" in stderr or done.returncode < 0 else ""


@contextmanager
def _time_limit() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def trial(
    seed: int, skb: Path, folder: Path, known: dict[str, str], commands: Sequence[str], *, in_process: bool = True
) -> tuple[str, str, dict[str, Outcome]]:
    """Damage a copy of an SKB and run commands on it, each on a copy of its own; return kind, damage and outcomes."""
    damaged = folder / "damaged.skb"
    shutil.copy(skb, damaged)
    kind, what = damage(seed, damaged)
    outcomes = {}
    for name in commands:
        own = folder / name
        own.mkdir()
        shutil.copy(damaged, own / "kb.skb")
        values = known | {"skb": str(own / "kb.skb"), "folder": str(own)}
        outcomes[name] = run([each.format_map(values) for each in COMMANDS[name]], in_process=in_process)
        shutil.rmtree(own)
    return kind, what, outcomes


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("skb", type=Path)
    parser.add_argument("questions")
    parser.add_argument("--source", required=True, help="What the SKB was built from, changed a little.")
    parser.add_argument("--title", default="Quillon Bridge")
    parser.add_argument("--question", default="who designed the harbour light?")
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--subprocess", action="store_true", help="Run each command in a process of its own.")
    given = parser.parse_args()
    known = {"questions": given.questions, "source": given.source, "title": given.title, "question": given.question}
    counted: Counter[tuple[str, str, str]] = Counter()
    seeds = range(given.seed, given.seed + given.number)
    slowest = 0.0
    try:
        for seed in seeds:
            slowest = max(slowest, _try(seed, given.skb, known, counted, in_process=not given.subprocess))
    finally:
        _print(counted, slowest)


def _try(
    seed: int, skb: Path, known: dict[str, str], counted: Counter[tuple[str, str, str]], *, in_process: bool
) -> float:
    """Count what comes of a damage, tell what must not be, and return the seconds of the slowest command."""
    with tempfile.TemporaryDirectory() as folder:
        kind, what, outcomes = trial(seed, skb, Path(folder), known, list(COMMANDS), in_process=in_process)
    for name, outcome in outcomes.items():
        counted[kind, name, outcome.kind] += 1
        if outcome.kind in ("traceback", "hang"):
            print(f"seed {seed}, {kind}: {what}: {name}: {outcome.kind}: {outcome.line}", flush=True)
    if outcomes["check"].kind == "worked":
        print(f"seed {seed}, {kind}: {what}: not found by check", flush=True)
    return max(outcome.seconds for outcome in outcomes.values())


def _print(counted: Counter[tuple[str, str, str]], slowest: float) -> None:
    kinds = ("worked", "one line", "problems", "traceback", "hang")
    print("| command | " + " | ".join(kinds) + " |\n" + "|---" * (len(kinds) + 1) + "|")
    for name in COMMANDS:
        sums = [sum(n for (_, own, kind), n in counted.items() if (own, kind) == (name, each)) for each in kinds]
        print(f"| {name} | " + " | ".join(map(str, sums)) + " |")
    for kind in DAMAGES:
        n = sum(each for (own, name, _), each in counted.items() if (own, name) == (kind, "check"))
        print(f"{kind}: {n} damages, {counted[kind, 'check', 'worked']} not found by check")
    print(f"slowest command: {slowest:.1f} s")


if __name__ == "__main__":
    _main()
