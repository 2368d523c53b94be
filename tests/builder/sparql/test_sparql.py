"""A live endpoint says the same as a dump of it, whatever it does on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from rdflib import Graph

from builder.build import build
from builder.rdf.reader import read_triples
from builder.request import Request
from builder.sparql.fetch import FetchOptions, fetch_to_file, fetch_triples
from builder.sparql.queries import facts_query, uris_of
from tests.conftest import FIXTURES
from tests.sparql_server import SparqlServer, busy, cut, graph_of, hang_up, html_page, in_part
from tests.worlds import dumped, rows
from weft.errors import UnreadableSource
from weft.http.retrying import retry_after

RESOURCE = "http://facts.example/resource/"
PAGES = ("https://encyclopedia.example/wiki/",)
ONTOLOGY = "http://facts.example/ontology/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
REDIRECT = "http://dbpedia.org/ontology/wikiPageRedirects"
SMALL = f"""
<{RESOURCE}Lamp> <{LABEL}> "Lamp"@en .
<{RESOURCE}Lamp> <{LABEL}> "Lampe"@de .
<{RESOURCE}Lamp> <{TYPE}> <{ONTOLOGY}Device> .
<{ONTOLOGY}Device> <{SUBCLASS}> <{ONTOLOGY}Thing> .
<{RESOURCE}Lamp> <{ONTOLOGY}keeper> <{RESOURCE}Caf%C3%A9> .
<{RESOURCE}Lamp> <{ONTOLOGY}maker> <{RESOURCE}Nobody> .
<{RESOURCE}Lamp> <{ONTOLOGY}note> "a \\"quoted\\"\\nword"@en-GB .
<{RESOURCE}Lamp> <{ONTOLOGY}height> "3"^^<http://www.w3.org/2001/XMLSchema#integer> .
<{RESOURCE}Lamp> <http://dbpedia.org/ontology/wikiPageWikiLink> <{RESOURCE}Caf%C3%A9> .
<{RESOURCE}Lamp> <{ONTOLOGY}part> _:wick .
<{RESOURCE}Torch> <{REDIRECT}> <{RESOURCE}Lamp> .
<{RESOURCE}Torch> <{ONTOLOGY}used> "1900" .
<{RESOURCE}Nobody> <{ONTOLOGY}used> "1901" .
"""
LAMP = [
    f"<{ONTOLOGY}Device> <{SUBCLASS}> <{ONTOLOGY}Thing> .",
    f'<{RESOURCE}Lamp> <{ONTOLOGY}height> "3"^^<http://www.w3.org/2001/XMLSchema#integer> .',
    f"<{RESOURCE}Lamp> <{ONTOLOGY}keeper> <{RESOURCE}Caf%C3%A9> .",
    f'<{RESOURCE}Lamp> <{ONTOLOGY}note> "a \\"quoted\\"\\nword"@en-gb .',
    f"<{RESOURCE}Lamp> <{TYPE}> <{ONTOLOGY}Device> .",
    f'<{RESOURCE}Lamp> <{LABEL}> "Lamp"@en .',
    f"<{RESOURCE}Torch> <{REDIRECT}> <{RESOURCE}Lamp> .",
    f'<{RESOURCE}Torch> <{ONTOLOGY}used> "1900" .',
]


@pytest.fixture
def small() -> Iterator[SparqlServer]:
    with SparqlServer(Graph().parse(data=SMALL, format="nt")) as server:
        yield server


def fetch(server: SparqlServer, path: Path, titles: list[str], **options: object) -> list[str]:
    """Fetch without waiting and return the file's lines; `waits` gets the waits that were due."""
    given = FetchOptions(resource_prefix=RESOURCE, page_prefixes=PAGES, pause_s=0.0, sleep=lambda s: None)
    n_triples = fetch_to_file(server.url, titles, path, given._replace(**options))  # type: ignore[arg-type]
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == n_triples
    return lines


@pytest.mark.slow
def test_a_fetched_world_is_the_world_of_its_dump(tmp_path: Path, world: Path) -> None:
    pages = str(FIXTURES / "encyclopedia")
    plain, fetched = tmp_path / "plain.skb", tmp_path / "fetched.skb"
    build(Request((pages,), plain, workers=1))
    titles = [str(name) for (name,) in rows(plain, "SELECT name FROM entity")]
    facts = tmp_path / "facts.nt"
    with SparqlServer(graph_of(FIXTURES / "facts.nt"), max_rows=200) as server:
        fetch(server, facts, titles)
        assert server.most_at_once == 1
        assert all(agent.startswith("Weft/") for _, _, agent in server.requests)
        assert {"GET", "POST"} == {method for method, _, _ in server.requests}
    build(Request((pages,), fetched, rdf=(str(facts),), workers=1))
    own, other = _tables(fetched), _tables(world)
    assert {name for name in other if own[name] != other[name]} == set()
    assert len(own["relation"]) > 100 and len(own["attribute"]) > 100 and len(own["entity_type"]) > 50


def _tables(skb: Path) -> dict[str, list[str]]:
    tables: dict[str, list[str]] = {}
    for line in dumped(skb):
        name = json.loads(line)["table"]
        if name != "source_item":
            tables.setdefault(name, []).append(line)
    return tables


def test_what_is_fetched_of_an_entity(small: SparqlServer, tmp_path: Path) -> None:
    assert fetch(small, tmp_path / "facts.nt", ["Lamp", "Café"]) == LAMP
    assert not (tmp_path / "facts.nt.part").exists()


def test_resources_are_named_by_title_redirect_topic_label_or_uri(tmp_path: Path) -> None:
    topic, topic_of = "http://xmlns.com/foaf/0.1/primaryTopic", "http://xmlns.com/foaf/0.1/isPrimaryTopicOf"
    data = "".join(
        f"<{RESOURCE}{name}> <{ONTOLOGY}is> \"{name}\" .\n" for name in ("T", "Old", "Q1", "Q2", "Q3", "Q4")
    ) + (
        f"<{RESOURCE}Old> <{REDIRECT}> <{RESOURCE}T> .\n"
        f"<{RESOURCE}Q1> <{topic_of}> <{PAGES[0]}One_page> .\n"
        f"<{PAGES[0]}Other_page> <{topic}> <{RESOURCE}Q2> .\n"
        f"<{RESOURCE}Q3> <{LABEL}> \"Say \\\"three\\\"\"@en .\n"
    )
    with SparqlServer(Graph().parse(data=data, format="nt")) as server:
        for title, resource in (("One page", "Q1"), ("Other page", "Q2"), ('Say "three"', "Q3"),
                                (RESOURCE + "Q4", "Q4"), ("Old", "T")):  # fmt: skip
            lines = fetch(server, tmp_path / "facts.nt", [title])
            assert f'<{RESOURCE}{resource}> <{ONTOLOGY}is> "{resource}" .' in lines, title


@pytest.mark.parametrize("max_rows", [1, 2, 3, 1000])
def test_pages_cut_short_by_the_endpoint_lose_nothing(tmp_path: Path, max_rows: int) -> None:
    with SparqlServer(Graph().parse(data=SMALL, format="nt"), max_rows=max_rows) as server:
        assert fetch(server, tmp_path / "facts.nt", ["Lamp", "Café"]) == LAMP
        assert fetch(server, tmp_path / "again.nt", ["Lamp", "Café"], page_rows=2, batch=1) == LAMP


@pytest.mark.parametrize("fault", [busy(503), busy(429), busy(502), cut, hang_up, html_page])
def test_failures_that_pass_are_waited_for(small: SparqlServer, tmp_path: Path, fault: object) -> None:
    waits: list[float] = []
    small.faults = [None, fault, fault]  # type: ignore[list-item]
    assert fetch(small, tmp_path / "facts.nt", ["Lamp", "Café"], sleep=waits.append) == LAMP
    assert waits == [1.0, 2.0]


def test_the_endpoint_says_how_long_to_wait(small: SparqlServer, tmp_path: Path) -> None:
    waits: list[float] = []
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    small.faults = [busy(503, Retry_After="7"), busy(429, Retry_After=soon)]
    assert fetch(small, tmp_path / "facts.nt", ["Lamp", "Café"], sleep=waits.append) == LAMP
    assert waits[0] == 7.0
    assert 80 < waits[1] <= 90


def test_requests_are_apart_by_the_pause(small: SparqlServer, tmp_path: Path) -> None:
    waits: list[float] = []
    fetch(small, tmp_path / "facts.nt", ["Lamp"], sleep=waits.append, pause_s=60.0)
    assert len(waits) == len(small.requests) - 1
    assert all(59 < wait <= 60 for wait in waits)


def test_a_batch_that_is_too_much_is_halved(tmp_path: Path) -> None:
    longest = len(facts_query([RESOURCE + "Lamp"] * 2, ["en"])) + 60
    with SparqlServer(Graph().parse(data=SMALL, format="nt"), longest_query=longest) as server:
        server.faults = [in_part]
        assert fetch(server, tmp_path / "facts.nt", ["Lamp", "Café", "Nothing"]) == LAMP


def test_an_endpoint_that_cannot_sort_long_texts_is_asked_without(tmp_path: Path) -> None:
    with SparqlServer(Graph().parse(data=SMALL, format="nt"), sorts=False) as server:
        assert fetch(server, tmp_path / "facts.nt", ["Lamp", "Café"]) == LAMP


@pytest.mark.parametrize(
    ("faults", "said"),
    [
        ([html_page], "no SPARQL results but '<!DOCTYPE html><html><h1>The service is down</h1></html>'"),
        ([busy(404)], "nothing is at this address (HTTP 404)"),
        ([busy(401)], "asks for a password (HTTP 401)"),
        ([busy(403)], "HTTP 403 Forbidden"),
        ([busy(301, Location="/elsewhere")], "has moved to http://127.0.0.1"),
        ([None, busy(308, Location="https://r.example/sparql")], "has moved to https://r.example/sparql"),
        ([busy(503)] * 6, "HTTP 503 Service Unavailable"),
        ([busy(429, Retry_After="86400")], "it asks to wait 86400 seconds"),
        ([busy(400)] * 6, "cannot answer what is asked of Lamp"),
    ],
)
def test_failures_that_stay_are_one_line(
    small: SparqlServer, tmp_path: Path, faults: list[object], said: str
) -> None:
    small.faults = list(faults)  # type: ignore[arg-type]
    with pytest.raises(UnreadableSource) as failed:
        fetch(small, tmp_path / "facts.nt", ["Lamp"], page_prefixes=PAGES * 40)
    assert small.url in str(failed.value) and said in str(failed.value) and "\n" not in str(failed.value)
    assert not (tmp_path / "facts.nt").exists()


def test_an_endpoint_that_is_not_there_is_said_at_once(tmp_path: Path) -> None:
    waits: list[float] = []
    for url, said in (("http://127.0.0.1:9/sparql", "cannot be reached"), ("nonsense", "not the address")):
        with pytest.raises(UnreadableSource, match=said):
            fetch_to_file(url, ["Lamp"], tmp_path / "facts.nt", FetchOptions(sleep=waits.append))
    assert waits == []


def test_a_broken_fetch_goes_on_where_it_was(small: SparqlServer, tmp_path: Path) -> None:
    path = tmp_path / "facts.nt"
    path.write_text("before\n")
    small.faults = [None, None, None, busy(403)]
    with pytest.raises(UnreadableSource):
        fetch(small, path, ["Lamp", "Café"], batch=1)
    assert path.read_text() == "before\n"
    answered = small.queries[:3]
    part = tmp_path / "facts.nt.part"
    part.write_bytes(part.read_bytes() + b'{"query": "cut off')
    small.requests.clear()
    assert fetch(small, path, ["Lamp", "Café"], batch=1) == LAMP
    done = {query.rpartition(" LIMIT ")[0] for query in answered[:1]}
    assert done.isdisjoint(query.rpartition(" LIMIT ")[0] for query in small.queries)


def test_another_endpoints_answers_are_not_taken(small: SparqlServer, tmp_path: Path) -> None:
    path = tmp_path / "facts.nt"
    with SparqlServer(Graph()) as empty:
        empty.faults = [None, None, None, None, None, busy(403)]
        with pytest.raises(UnreadableSource):
            fetch(empty, path, ["Lamp", "Zoo"], batch=1)
        assert sum(f"<{RESOURCE}Lamp>" in query for query in empty.queries) == 2
    keeper = f"<{RESOURCE}Lamp> <{ONTOLOGY}keeper> <{RESOURCE}Caf%C3%A9> ."
    assert fetch(small, path, ["Lamp", "Zoo"], batch=1) == [line for line in LAMP if line != keeper]


def test_batches_are_terms_as_a_file_gives_them(small: SparqlServer, tmp_path: Path) -> None:
    fetch(small, tmp_path / "facts.nt", ["Lamp", "Café"])
    read = [triple for batch in read_triples(tmp_path / "facts.nt") for triple in batch.triples]
    found = fetch_triples(
        small.url, ["Lamp", "Café"], FetchOptions(resource_prefix=RESOURCE, page_prefixes=PAGES, pause_s=0)
    )
    assert sorted({triple for batch in found for triple in batch}) == sorted(read)


@pytest.mark.parametrize(
    ("title", "uris"),
    [
        ("Lamp", ["Lamp"]),
        ("Opus #9", ["Opus_%239"]),
        ("Who? 50%", ["Who%3F_50%25"]),
        ("AC/DC: Live (1992)", ["AC/DC:_Live_(1992)"]),
        ('The "Lantern"', ["The_%22Lantern%22"]),
        ("Θ", ["Θ", "%CE%98"]),
        ("A<b>{c}|^`\\[d]", ["A%3Cb%3E%7Bc%7D%7C%5E%60%5C%5Bd%5D"]),
    ],
)
def test_spellings_of_a_title(title: str, uris: list[str]) -> None:
    assert uris_of(title, RESOURCE) == [RESOURCE + uri for uri in uris]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("120", 120.0), (" 3 ", 3.0), ("Fri, 20 Nov 2026 10:00:30 GMT", 30.0), ("Fri, 20 Nov 2026 09:00:00 GMT", 0.0),
     ("soon", None), ("", None), (None, None), ("-5", None), ("Fri, 20 Nov 2026 10:00:30 +9999", None),
     ("Fri, 20 Nov 2026 10:00:30 +99999999999999999999", None), ("Fri, 20 Nov 2026 10:00:30", 30.0)],
)  # fmt: skip
def test_retry_after(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, datetime(2026, 11, 20, 10, tzinfo=UTC)) == seconds
