"""What MiniLM's adapter asks of PyTorch before it is loaded, which reads it once."""

from __future__ import annotations

import os
import sys

import pytest

from weft.embedders.minilm import MiniLm
from weft.errors import WeftError


@pytest.mark.parametrize(("given", "expected"), [(None, "PASSIVE"), ("ACTIVE", "ACTIVE")])
def test_threads_do_not_spin_unless_the_user_says_so(
    given: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_WAIT_POLICY", given or "")
    if given is None:
        monkeypatch.delenv("OMP_WAIT_POLICY")
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(WeftError, match="needs sentence-transformers"):
        MiniLm().encode(["a lamp"])
    assert os.environ["OMP_WAIT_POLICY"] == expected
