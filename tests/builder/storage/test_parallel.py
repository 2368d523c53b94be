"""A worker that dies or does not end costs its input; all else is mapped in order, and nothing is left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.request import Summary
from builder.storage.process_pool import Lost, Workers, _end_kept, cores
from builder.storage.worker import WALL_FACTOR
from tests.calls import (
    MESSAGE,
    asleep_at_seven,
    crashed_at_seven,
    cut_answer,
    endless_at_seven,
    endless_in_c_at_seven,
    killed_at_seven,
    killed_once,
    left_at_seven,
    own_process,
    raised_at_seven,
    refused,
    squared,
    timers_after_refusal,
)
from tests.paths import ROOT
from tests.worlds import dumped, page, rows, write_pages
from weft.errors import UnreadableSource, WeftError

MANY = 60
"""More than are done by one worker."""


def _mapped(function: Callable[[int], int], count: int, workers: int, seconds: float = 30.0) -> list[object]:
    with Workers(workers, seconds) as pool:
        return [result for _, result in pool.map(function, range(count))]


@pytest.mark.parametrize(("count", "workers"), [(0, 2), (1, 1), (9, 1), (9, 2), (MANY, 1), (MANY, 2)])
def test_results_come_in_the_order_of_the_inputs(count: int, workers: int) -> None:
    assert _mapped(squared, count, workers) == [number * number for number in range(count)]


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (killed_at_seven, "parsing it ended the worker process (signal 9)"),
        (crashed_at_seven, "parsing it ended the worker process (signal 11)"),
        (left_at_seven, "parsing it ended the worker process (exit code 3)"),
        (raised_at_seven, "parsing it failed: ZeroDivisionError: integer division or modulo by zero"),
    ],
)
@pytest.mark.parametrize(("count", "workers"), [(9, 1), (MANY, 2)])
def test_an_input_that_ends_its_worker_costs_itself_alone(
    function: Callable[[int], int], reason: str, count: int, workers: int
) -> None:
    expected = [Lost(reason) if number == 7 else number * number for number in range(count)]
    assert _mapped(function, count, workers) == expected


@pytest.mark.parametrize(
    ("function", "seconds"),
    [(endless_at_seven, 0.3), (endless_in_c_at_seven, 0.3), (asleep_at_seven, 2.0 / WALL_FACTOR)],
)
def test_an_input_that_does_not_end_costs_itself_alone(function: Callable[[int], int], seconds: float) -> None:
    expected = [Lost(f"took more than {seconds:g} s") if number == 7 else number * number for number in range(9)]
    assert _mapped(function, 9, 1, seconds) == expected


def test_a_worker_that_is_killed_from_outside_costs_nothing(tmp_path: Path) -> None:
    with Workers(1, 30.0) as pool:
        assert [result for _, result in pool.map(killed_once, [str(tmp_path / "met")])] == [str(tmp_path / "met")]


@pytest.mark.parametrize("sent", [0, 1, 3, 4, 5, len(MESSAGE) - 1])
def test_a_worker_that_is_killed_while_it_answers_costs_its_input_alone(sent: int) -> None:
    whole = len(MESSAGE) + 1
    with Workers(1, 30.0) as pool:
        results = [result for _, result in pool.map(cut_answer, [whole, sent, whole])]
    assert results == [whole, Lost("parsing it ended the worker process (signal 9)"), whole]


def test_an_error_ends_the_time_limit_too() -> None:
    with Workers(1, 30.0) as pool:
        assert [result for _, result in pool.map(timers_after_refusal, [1])] == [[0.0, 0.0]]


def test_a_wrong_request_is_raised_where_it_was_made() -> None:
    with pytest.raises(UnreadableSource, match=r"^0: no such thing$"):
        _mapped(refused, MANY, 2)


@pytest.mark.parametrize("name", ["weirs.html", "weirs.md"])
def test_workers_that_cannot_be_started_end_a_build_in_one_line(
    tmp_path: Path, weave: Callable[..., Summary], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    # An idle worker of an earlier test would do.
    _end_kept()
    pages = write_pages(tmp_path / "pages", {name: "<p>A <a href='b.md'>weir</a>.", "b.md": "# B\n\nA weir."})
    python = tmp_path / "python"
    python.touch(mode=0o600)
    monkeypatch.setattr(sys, "executable", str(python))
    for _ in range(2):
        with pytest.raises(WeftError) as raised:
            weave(pages)
        assert str(raised.value) == (
            f"no process that parses documents can be started: {python}: Permission denied;"
            " run weft by a Python that this user may start"
        )


def test_one_worker_is_kept_for_the_next_build() -> None:
    assert len(set(_mapped(own_process, 3, 1) + _mapped(own_process, 3, 1))) == 1


def test_a_stream_left_before_its_end_leaves_no_process_at_work() -> None:
    with Workers(2, 0) as pool:
        stream = pool.map(endless_at_seven, range(MANY))
        assert [next(stream)[1] for _ in range(7)] == [number * number for number in range(7)]
        busy = [worker._process for worker in pool._busy]
        stream.close()
    assert [process.poll() is not None for process in busy] == [True] * len(busy)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_a_parent_that_is_killed(number: signal.Signals) -> None:
    code = """
        from builder.storage.process_pool import Workers
        from tests.calls import own_process, endless_at_seven
        with Workers(1, 0) as pool:
            print(next(pool.map(own_process, [1]))[1], flush=True)
        with Workers(1, 0) as pool:
            list(pool.map(endless_at_seven, [7]))
        """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT
    ) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        parent.send_signal(number)
    _wait_until_gone(worker)


def _wait_until_gone(process: int) -> None:
    """Return when a process that is no child of ours has ended; the test's time limit is that of the whole run."""
    deadline = time.monotonic() + 30
    while Path(f"/proc/{process}/cmdline").exists() and Path(f"/proc/{process}/cmdline").read_bytes():
        assert time.monotonic() < deadline
        os.sched_yield()


def test_a_system_that_does_not_say_which_cores_are_ours_gives_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert cores() == os.cpu_count()


def test_a_script_without_a_main_guard_builds(tmp_path: Path) -> None:
    texts = {f"{n:02}.html": page(f"Weir {n}", f"Weir {n} is one.") for n in range(MANY)}
    pages = write_pages(tmp_path / "pages", texts)
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\n"
        "from builder.build import build\n"
        "from builder.request import Request\n"
        f"summary = build(Request(({str(pages)!r},), Path({str(tmp_path / 'kb.skb')!r}), workers=2))\n"
        "print('built', summary.documents)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, env=environment, check=False
    )
    assert (done.stdout, done.stderr) == ("built {'read': 60}\n", "")


def _dump_of(*wikitext: str) -> str:
    pages = "".join(
        f"<page><title>Weir {n}</title><ns>{0 if text else 1}</ns><id>{n}</id><revision><id>{n}</id>"
        f"<timestamp>2026-01-01T00:00:00Z</timestamp><text>{text}</text></revision></page>"
        for n, text in enumerate(wikitext)
    )
    return f"<mediawiki><siteinfo><dbname>enwiki</dbname></siteinfo>{pages}</mediawiki>"


# No parser reads six megabytes in the tenth of a second that it may take here.
LONG = "A weir by [[Weir 0]] and [[Weir 2|another]] weir.\n\n" * 120_000


def test_a_document_that_takes_too_long_is_rejected_and_the_rest_is_as_without_it(
    tmp_path: Path, weave: Callable[..., Summary]
) -> None:
    source = tmp_path / "weirs.xml"
    source.write_text(_dump_of("One weir.", "", "Another, by [[Weir 0]]."))
    # What is short is read without a limit: a worker's first page takes as long as its imports do.
    weave(source)
    without_it = dumped(tmp_path / "kb.skb")
    source.write_text(_dump_of("One weir.", LONG, "Another, by [[Weir 0]]."))
    assert weave(source, document_seconds=0.1).documents == {"unchanged": 2, "rejected": 1}
    rejected = "SELECT place, reason, content_hash IS NOT NULL FROM source_item WHERE state = 'rejected'"
    assert rows(tmp_path / "kb.skb", rejected) == [("Weir 1", "took more than 0.1 s", 1)]
    again = weave(source, document_seconds=0.1)
    assert (again.changed, again.documents) == (False, {"unchanged": 2, "rejected": 1})
    assert [line for line in dumped(tmp_path / "kb.skb") if "rejected" not in line] == without_it


def test_a_document_that_took_too_long_is_read_again_when_it_may_take_longer(
    tmp_path: Path, weave: Callable[..., Summary]
) -> None:
    source = tmp_path / "weirs.xml"
    source.write_text(_dump_of("One weir."))
    weave(source)
    source.write_text(_dump_of("One weir.", LONG))
    assert weave(source, document_seconds=0.1).documents == {"unchanged": 1, "rejected": 1}
    assert weave(source, document_seconds=0.05).documents == {"unchanged": 1, "rejected": 1}
    assert weave(source, document_seconds=0.2).documents == {"unchanged": 1, "rejected": 1}
