"""What is parsed may be nested to any depth, whatever garbage there is."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading

import pytest

from weft.text.json_text import no_collection, parsed_json

COLLECTS_AT_EVERY_DEPTH = """
import gc, sys
from weft.text.json_text import parsed_json

class Opened:
    def __init__(self):
        self.itself = self
    def is_open(self):
        return True
    def __del__(self):
        self.is_open()

failures = []
sys.unraisablehook = failures.append
for n_allocated in range(700, 1100):
    gc.collect()
    gc.set_threshold(0)
    Opened()
    gc.set_threshold(n_allocated, 1, 1)
    try:
        parsed_json(sys.argv[1] * 2000)
    except RecursionError:
        continue
    raise AssertionError("parsed")
sys.exit(len(failures))
"""
"""A resource in a reference cycle has a finalizer that calls something. A hook in Python could not be called there."""


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_no_finalizer_fails_at_the_deepest_level(opening: str) -> None:
    command = [sys.executable, "-c", COLLECTS_AT_EVERY_DEPTH, opening]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_what_is_no_json_is_a_value_error_and_garbage_is_collected_after() -> None:
    assert parsed_json(b'{"a": [1, "\\u00e9"]}') == {"a": [1, "é"]}
    with pytest.raises(ValueError, match="Expecting"):
        parsed_json("{")
    assert gc.isenabled()


def test_collection_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with no_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_the_first_thread_that_leaves_does_not_turn_collection_off_for_good() -> None:
    inside, leave = threading.Event(), threading.Event()

    def stay() -> None:
        with no_collection():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=stay)
    thread.start()
    inside.wait(10)
    with no_collection():
        leave.set()
        thread.join(10)
    assert gc.isenabled()
