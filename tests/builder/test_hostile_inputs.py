"""Time and memory are linear in the input, whatever is repeated or nested in it, and no error is a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.hostile_inputs import HOSTILE, Hostile
from tests.hostile_run import Measurement

LARGER = 4
MOST_TIMES = 8.0
"""Between the 4 of linear and the 16 of quadratic work."""
FLOOR_SECONDS = 0.03
FLOOR_MB = 24.0
ATTEMPTS = 3

Measure = Callable[[Hostile, int], Measurement]


@pytest.fixture(scope="module")
def measure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Measure]:
    """Read an input of a given size in a process of its own."""
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.hostile_run"], cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert server.stdin is not None and server.stdout is not None
    requests, answers = server.stdin, server.stdout

    def measure_one(entry: Hostile, size: int) -> Measurement:
        folder = tmp_path_factory.mktemp(entry.name[:20])
        (folder / entry.file).write_bytes(entry.make(size))
        requests.write(json.dumps({"name": entry.name, "path": str(folder / entry.file)}) + "\n")
        requests.flush()
        return Measurement(*json.loads(answers.readline()))

    yield measure_one
    requests.close()
    server.wait()


def test_names_are_unique_and_many() -> None:
    assert len({entry.name for entry in HOSTILE}) == len(HOSTILE) > 60


@pytest.mark.slow
@pytest.mark.parametrize("entry", [pytest.param(each, id=each.name) for each in HOSTILE])
def test_reading_is_linear(entry: Hostile, measure: Measure) -> None:
    large = measure(entry, LARGER * entry.size)
    small = large if not large.failure and _is_little(large) else measure(entry, entry.size)
    for _ in range(ATTEMPTS - 1):
        if large.failure or _times(small, large) <= MOST_TIMES:
            break
        small, large = _quicker(small, measure(entry, entry.size)), _quicker(large, measure(entry, LARGER * entry.size))
    assert (small.failure, large.failure) == ("", "")
    assert _times(small, large) <= MOST_TIMES, (small, large)
    assert large.memory_mb <= max(FLOOR_MB, MOST_TIMES * small.memory_mb), (small, large)
    assert large.memory_mb <= entry.memory_mb, (small, large)
    for reason in large.reasons:
        assert "\n" not in reason and len(reason) < 1000


def _is_little(large: Measurement) -> bool:
    """Tell whether a reading is within the bounds whatever the smaller input takes, which is then not read."""
    return large.seconds <= MOST_TIMES * FLOOR_SECONDS and large.memory_mb <= FLOOR_MB


def _times(small: Measurement, large: Measurement) -> float:
    return large.seconds / max(small.seconds, FLOOR_SECONDS)


def _quicker(one: Measurement, other: Measurement) -> Measurement:
    return one._replace(seconds=min(one.seconds, other.seconds))


def test_a_reader_that_does_not_end_is_ended(tmp_path: Path) -> None:
    script = (
        "import tests.hostile_run as run\n"
        "run.CPU_SECONDS = 1\n"
        "def forever(path):\n"
        "    while True: pass\n"
        "print(run.measured(forever, None).failure)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, text=True, capture_output=True, check=True)
    assert done.stdout in ("ended by SIGXCPU\n", "ended by SIGKILL\n")
