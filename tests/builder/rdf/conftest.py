"""Both ways to read RDF: with pyoxigraph, and as where it is not installed."""

from __future__ import annotations

import importlib.util
import sys

import pytest


def without_pyoxigraph(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the import of pyoxigraph fail."""
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)


@pytest.fixture(params=["pyoxigraph", "rdflib"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test with each parser."""
    if request.param == "rdflib":
        without_pyoxigraph(monkeypatch)
    elif importlib.util.find_spec("pyoxigraph") is None:
        pytest.skip("needs pyoxigraph: pip install 'weft[rdf-fast]'")
