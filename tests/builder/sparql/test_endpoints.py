"""`weft build --sparql`: a live endpoint gives what the dump of the same facts gives, and is asked once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rdflib import Graph

from builder.build import build
from builder.request import Request
from tests.conftest import FIXTURES
from tests.sparql_server import SparqlServer
from tests.worlds import dumped

TABLES = ("entity", "entity_type", "relation", "alias")


def _said_of_facts(path: Path) -> list[dict[str, object]]:
    records = [json.loads(line) for line in dumped(path)]
    return [record for record in records if record["table"] in TABLES]


@pytest.mark.slow
def test_an_endpoint_gives_what_its_dump_gives(tmp_path: Path, world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("WEFT_PAUSE", "0")
    output = tmp_path / "kb.skb"
    with SparqlServer(Graph().parse(FIXTURES / "facts.nt", format="nt")) as server:
        request = Request(
            (str(FIXTURES / "encyclopedia"),), output, workers=1,
            sparql=(server.url,), resource_prefix="http://facts.example/resource/",
        )  # fmt: skip
        build(request)
        asked = len(server.queries)
        assert asked > 0
        assert not build(request).changed
        assert len(server.queries) == asked
        ours = [_without_source(each, server.url) for each in _said_of_facts(output)]
    assert ours == [_without_source(each, "facts.nt") for each in _said_of_facts(world)]
    assert not any(str(tmp_path) in line for line in dumped(output))


def _without_source(record: dict[str, object], label: str) -> dict[str, object]:
    if "source" in record:
        assert str(record["source"]).startswith(label)
    return {key: value for key, value in record.items() if key != "source"}
