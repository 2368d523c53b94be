"""What is parsed may be nested to any depth, whatever garbage there is."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator

import pytest

from weft.text.json_text import no_collection, parsed_json


class Opened:
    """A resource in a reference cycle, whose finalizer calls something."""

    def __init__(self) -> None:
        self.itself = self

    def is_open(self) -> bool:
        return True

    def __del__(self) -> None:
        self.is_open()


@pytest.fixture
def unraisable(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """Give what goes past every `except`; a hook written in Python could not be called where it matters."""
    found: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", found.append)
    before = gc.get_threshold()
    yield found
    gc.set_threshold(*before)


@pytest.mark.parametrize("text", ["[" * 100_000, b'{"a":' * 100_000])
def test_no_finalizer_fails_at_the_deepest_level(text: str | bytes, unraisable: list[object]) -> None:
    for n_allocated in range(1, 1100):
        gc.collect()
        gc.set_threshold(0)
        Opened()
        gc.set_threshold(n_allocated, 1, 1)
        with pytest.raises(RecursionError):
            parsed_json(text)
    assert not unraisable


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
