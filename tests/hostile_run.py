"""Measure how input from strangers is read: each input in a process of its own, with a deadline.

`python -m tests.hostile_run` takes lines of JSON, `{"name", "path"}`, and
answers each with the measurement. It reads every input in a fork of itself, so
that nothing is imported twice and no input sees what another one left.
"""

from __future__ import annotations

import json
import os
import resource
import select
import shutil
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from weft.errors import WeftError

CPU_SECONDS = 3
WALL_SECONDS = 90
ADDRESS_SPACE = 12 << 30


class Measurement(NamedTuple):
    """What reading an input took; `failure` is an error that no user should see, or why it was ended."""

    seconds: float
    memory_mb: float
    reasons: tuple[str, ...] = ()
    failure: str = ""


def measured(read: Callable[[Path], list[str]], path: Path) -> Measurement:
    """Run `read` in a child process; a child that works too long is ended by the kernel."""
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receiving)
        _run(read, path, sending)
    os.close(sending)
    answer = _answer(receiving, child)
    os.close(receiving)
    _, status = os.waitpid(child, 0)
    if answer:
        seconds, memory_mb, reasons, failure = json.loads(answer)
        return Measurement(seconds, memory_mb, tuple(reasons), failure)
    number = status & 0x7F
    return Measurement(CPU_SECONDS, 0, (), f"ended by {signal.Signals(number).name if number else status}")


def _answer(receiving: int, child: int) -> bytes:
    parts: list[bytes] = []
    deadline = time.monotonic() + WALL_SECONDS
    while select.select([receiving], [], [], max(0.0, deadline - time.monotonic()))[0]:
        part = os.read(receiving, 1 << 16)
        if not part:
            return b"".join(parts)
        parts.append(part)
    os.kill(child, signal.SIGKILL)
    return b""


def _run(read: Callable[[Path], list[str]], path: Path, sending: int) -> None:
    """Read in this process, send what it took, and end the process."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    reasons: list[str] = []
    failure = ""
    before = _fresh_peak_kb()
    start = time.process_time()
    try:
        reasons = read(path)
    except WeftError as error:
        reasons = [str(error)]
    except BaseException as error:  # the child reports whatever went wrong
        failure = f"{type(error).__name__}: {str(error)[:500]}"
    seconds = time.process_time() - start
    memory_mb = (_peak_kb() - before) / 1024
    with os.fdopen(sending, "wb") as pipe:
        pipe.write(json.dumps([seconds, memory_mb, reasons, failure]).encode())
    os._exit(0)


def _fresh_peak_kb() -> int:
    """Set the peak back to what is in use now, where the system can, and return it."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return _peak_kb()


def _peak_kb() -> int:
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))


def main() -> None:
    """Answer requests until the input ends."""
    from tests.hostile_inputs import HOSTILE, warm_up

    readers = {entry.name: entry.read for entry in HOSTILE}
    warm_up()
    for line in sys.stdin:
        request = json.loads(line)
        path = Path(request["path"])
        print(json.dumps(measured(readers[request["name"]], path)), flush=True)
        shutil.rmtree(path.parent, ignore_errors=True)


if __name__ == "__main__":
    main()
