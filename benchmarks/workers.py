"""Measure how much faster two worker processes read a source than one does.

    python -m benchmarks.workers SOURCE [--rounds 5] [--json]

Reads with one worker and with two in turn, each in a process of its own; the
fastest round of each counts. Beside other work wall time tells little, so the
processor time of the build's own process and of its workers is given too: on
two cores two workers can be (build + workers) / 2 against one worker's time,
which is `bound`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

READ = """
import atexit, resource, sys, time
from pathlib import Path

def seconds(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime

# Registered before the workers are, and so called when these have ended and their time is known.
atexit.register(lambda: print(wall, own, seconds(resource.RUSAGE_CHILDREN)))
from builder.readers.registry import ReadOptions
from builder.readers.source import sources_of
from builder.source_layer.ingest import Reading
from builder.storage.working_copy import working_copy

sources = sources_of([sys.argv[1]])
with working_copy(Path(sys.argv[2]), "benchmark") as part:
    ranks = {source.label: rank for rank, source in enumerate(sources)}
    reading = Reading(part.connection, ranks, frozenset(), workers=int(sys.argv[3]), document_seconds=60,
                      options=ReadOptions(), limit=None, advance=lambda n: None)
    start, before = time.perf_counter(), seconds(resource.RUSAGE_SELF)
    reading.read(sources)
    wall, own = time.perf_counter() - start, seconds(resource.RUSAGE_SELF) - before
    part.keep = False
"""


def read(source: Path, workers: int) -> list[float]:
    """Return seconds: elapsed, of processor time in the build's process, and in its workers."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", READ, str(source), str(Path(folder) / "kb.skb"), str(workers)]
        return [float(each) for each in subprocess.check_output(command, text=True).split()]


def main() -> None:
    """Print the best of all rounds and how they compare."""
    parser = argparse.ArgumentParser(description="Measure how much faster two workers read a source than one.")
    parser.add_argument("source", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    runs = [[read(options.source, workers) for workers in (1, 2)] for _ in range(options.rounds)]
    best = [[min(values) for values in zip(*of_one, strict=True)] for of_one in zip(*runs, strict=True)]
    (one, build, parsing), (two, *_) = best
    row = {
        "one worker": round(one, 2), "two workers": round(two, 2), "times as fast": round(one / two, 2),
        "build, processor": round(build, 2), "worker, processor": round(parsing, 2),
        "bound": round(2 * parsing / (build + parsing), 2),
    }  # fmt: skip
    print(json.dumps(row) if options.json else "\n".join(f"{name:20}{value:8}" for name, value in row.items()))


if __name__ == "__main__":
    main()
