"""Whatever a server answers, one line says so: within limits of size, time, redirects and pages."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from rdflib import Graph

from builder.documents.records import Document, Reject
from builder.http.throttle import BadAnswer, Throttle
from builder.readers.registry import ReadOptions, items, parse
from builder.readers.source import Item, sources_of
from builder.readers.wikipedia.client import Wiki
from builder.sparql.client import Endpoint
from builder.sparql.fetch import FetchOptions, fetch_to_file, fetch_triples
from tests.hostile_server import (
    BEYOND_LIMITS,
    NO_HTTP,
    NOT_JSON,
    REDIRECTED,
    Bytes,
    HostileServer,
    json_of,
    sent,
)
from tests.sparql_server import SparqlServer
from tests.wiki_server import Handler, WikiServer, html_page
from weft.errors import UnreadableSource, WeftError
from weft.http.bounded import BoundedTransport
from weft.http.limits import Limits

SMALL = Limits(most_bytes=200_000, seconds=20)
Ask = Callable[[str, Throttle, Limits], object]


def _quick(address: str) -> Throttle:
    return Throttle(address, pause_s=0, attempts=2, sleep=lambda s: None)


def ask_wiki(address: str, throttle: Throttle, limits: Limits = SMALL) -> object:
    with closing(Wiki(address, throttle, limits)) as wiki:
        return wiki.states(["Ondrel"])


def ask_endpoint(address: str, throttle: Throttle, limits: Limits = SMALL) -> object:
    with closing(Endpoint(f"{address}/sparql", throttle, limits=limits)) as endpoint:
        return list(endpoint.triples("SELECT ?s ?p ?o WHERE { ?s ?p ?o }"))


CLIENTS = pytest.mark.parametrize("ask", [ask_wiki, ask_endpoint])


def failure(ask: Ask, answer: Bytes, seconds: float = SMALL.seconds) -> tuple[str, HostileServer]:
    """Return the one line that asking a server for this answer ends in."""
    with HostileServer(answer) as server, pytest.raises(UnreadableSource) as failed:
        ask(server.url, _quick(server.url), SMALL._replace(seconds=seconds))
    line = str(failed.value)
    assert server.host in line and line.isprintable() and len(line) < 400
    return line, server


@CLIENTS
@pytest.mark.parametrize("name", BEYOND_LIMITS)
def test_an_answer_beyond_the_limits_is_one_line_and_little_memory(ask: Ask, name: str) -> None:
    tracemalloc.start()
    try:
        line, _ = failure(ask, BEYOND_LIMITS[name].answer, BEYOND_LIMITS[name].seconds)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
    assert BEYOND_LIMITS[name].said in line


@CLIENTS
@pytest.mark.parametrize("name", REDIRECTED)
def test_a_redirect_leads_nowhere_else(ask: Ask, name: str) -> None:
    line, server = failure(ask, REDIRECTED[name].answer)
    assert REDIRECTED[name].said in line
    assert len(server.requests) <= 4


@CLIENTS
@pytest.mark.parametrize("name", NO_HTTP)
def test_an_answer_that_is_none_is_one_line(ask: Ask, name: str) -> None:
    failure(ask, NO_HTTP[name])


@CLIENTS
@pytest.mark.parametrize("name", NOT_JSON)
def test_an_answer_that_is_no_json_is_one_line(ask: Ask, name: str) -> None:
    failure(ask, json_of(NOT_JSON[name]))


@CLIENTS
def test_a_redirect_within_the_host_is_followed(ask: Ask) -> None:
    good = {"query": {"pages": []}, "results": {"bindings": []}}

    def answer(server: HostileServer) -> Iterator[bytes]:
        if len(server.requests) == 1:
            yield b"HTTP/1.1 308 Moved\r\nLocation: /new?key=abc\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        else:
            yield from json_of(good)(server)

    with HostileServer(answer) as server:
        ask(server.url, _quick(server.url), SMALL)
        assert [request.split()[1] for request in server.requests][1] == "/new?key=abc"


GZIPPED = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"
ONE, TWO = gzip.compress(b"one " * 9000, mtime=0), gzip.compress(b"two", mtime=0)
BOTH = b"one " * 9000 + b"two"
BODIES: dict[str, tuple[tuple[bytes, ...], bytes]] = {
    "one member": ((ONE,), BOTH[:-3]),
    "two members": ((ONE + TWO,), BOTH),
    "two members in blocks of their own": ((ONE, TWO), BOTH),
    "two members cut within": ((ONE[:-5], ONE[-5:] + TWO[:9], TWO[9:]), BOTH),
    "two members byte for byte": (tuple(bytes([byte]) for byte in ONE + TWO), BOTH),
    "zeros between members and at the end": ((ONE, b"\0" * 9000, TWO + b"\0\0"), BOTH),
    "an empty member first": ((gzip.compress(b"") + TWO,), b"two"),
    "many members": ((TWO * 5000,), b"two" * 5000),
    "no bytes": ((), b""),
}


@pytest.mark.parametrize("kind", BODIES)
def test_a_compressed_body_comes_whole(kind: str) -> None:
    blocks, body = BODIES[kind]
    assert _body(sent(GZIPPED, *blocks)) == body


BROKEN: dict[str, tuple[bytes, str]] = {
    "a second member that breaks off": (ONE + TWO[:-9], "its gzip breaks off"),
    "a second member that is none": (ONE + b"\0rubbish", "it is not the gzip that it says it is"),
    "a second member that is too much": (ONE + gzip.compress(bytes(300_000)), "more than 0.2 MB"),
    "members without end": (gzip.compress(b"x" * 50_000) * 5, "more than 0.2 MB"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_compressed_body_that_is_not_whole_or_too_large_is_refused(kind: str) -> None:
    data, reason = BROKEN[kind]
    with pytest.raises(httpx.TransportError if "MB" in reason else httpx.DecodingError, match=reason):
        _body(sent(GZIPPED, data))


NO_BODY: dict[str, tuple[str, bytes]] = {
    "not modified": ("GET", b"304 Not Modified"), "no content": ("GET", b"204 No Content"), "head": ("HEAD", b"200 OK"),
}  # fmt: skip


@pytest.mark.parametrize("encoding", [b"gzip", b"br", b"identity"])
@pytest.mark.parametrize("kind", NO_BODY)
def test_an_answer_without_a_body_is_empty_whatever_its_headers_say_of_one(kind: str, encoding: bytes) -> None:
    method, state = NO_BODY[kind]
    head = b"HTTP/1.1 %b\r\nContent-Length: 999999999999\r\nContent-Encoding: %b\r\n\r\n" % (state, encoding)
    assert _body(sent(head), method) == b""


def _body(answer: Bytes, method: str = "GET") -> bytes:
    with HostileServer(answer) as server, httpx.Client(transport=BoundedTransport(SMALL), trust_env=False) as client:
        return client.request(method, server.url).content


ADDRESSES = [
    "http://[::1", "http://", "https:///w/api.php", "http://:80/", "http://127.0.0.1:port/", "http://127.0.0.1:0/",
    "http://127.0.0.1:99999/", "ftp://127.0.0.1/", "file:///etc/passwd", "javascript://127.0.0.1/%0aalert(1)",
    "http:/127.0.0.1/", "http://127.0.0.1\n/", "http://127.0.0.1/\x1b]0;x\x07", "http://a b/", "http://\ud800/",
    "http://" + "a" * 64 + ".example/", "http://xn--a.example/", "http://a..example/", "http://[::1%25lo]\t/",
    "http://127.0.0.1/" + "x" * 3_000, "http://[1.2.3.4]/", "http://\u2100.example/",
]  # fmt: skip


@CLIENTS
@pytest.mark.parametrize("address", ADDRESSES, ids=ascii)
def test_an_address_that_is_none_is_one_line(ask: Ask, address: str) -> None:
    with pytest.raises(UnreadableSource) as failed:
        ask(address, _quick("service"), SMALL)
    assert str(failed.value).isprintable() and len(str(failed.value)) < 400


PAGE = {"title": "Ondrel", "revisions": [{"revid": 1}]}
MALFORMED_QUERIES: dict[str, Any] = {
    "a list": [], "a string": "x", "a number": 7, "null": None, "an error that is a string": {"error": "x"},
    "an error that is a list": {"error": [1]}, "an error without a word": {"error": {}}, "a query that is a list":
    {"query": []}, "a query that is null": {"query": None}, "pages that are no list": {"query": {"pages": {"7": PAGE}}},
    "pages that are numbers": {"query": {"pages": [1, 2]}}, "a page without a title": {"query": {"pages": [{"ns": 0}]}},
    "a title that is null": {"query": {"pages": [PAGE | {"title": None}]}},
    "an empty title": {"query": {"pages": [PAGE | {"title": ""}]}},
    "a title of a megabyte": {"query": {"pages": [PAGE | {"title": "x" * 100_000}]}},
    "a title that is half a character": {"query": {"pages": [PAGE | {"title": "\ud800"}]}},
    "revisions that are a number": {"query": {"pages": [PAGE | {"revisions": 3}]}},
    "a revision without a number": {"query": {"pages": [PAGE | {"revisions": [{}]}]}},
    "a revision of letters": {"query": {"pages": [PAGE | {"revisions": [{"revid": "abc"}]}]}},
    "a revision that is no number": {"query": {"pages": [PAGE | {"revisions": [{"revid": float("nan")}]}]}},
    "a revision that is endless": {"query": {"pages": [PAGE | {"revisions": [{"revid": float("inf")}]}]}},
    "a revision below nothing": {"query": {"pages": [PAGE | {"revisions": [{"revid": -1}]}]}},
    "a revision of a thousand digits": {"query": {"pages": [PAGE | {"revisions": [{"revid": 10**1000}]}]}},
    "a date that is a list": {"query": {"pages": [PAGE | {"revisions": [{"revid": 1, "timestamp": []}]}]}},
    "redirects to a page that are null": {"query": {"pages": [PAGE | {"redirects": None}]}},
    "redirects to a page without a title": {"query": {"pages": [PAGE | {"redirects": [{}]}]}},
    "redirects that are a string": {"query": {"redirects": "x"}},
    "a redirect from nowhere": {"query": {"redirects": [{"to": "x"}]}},
    "names of other wikis that are none": {"query": {"interwiki": [None]}},
    "a continuation of lists": {"continue": {"rdcontinue": []}, "query": {"pages": [PAGE]}},
    "a continuation that is a string": {"continue": "x", "query": {"pages": [PAGE]}},
}  # fmt: skip
CONTINUED = {"continue": {"rdcontinue": "1"}, "query": {"pages": [PAGE]}}
MALFORMED_TEXTS: dict[str, Any] = {
    "nothing": {}, "an error that is a string": {"error": "x"}, "a list": {"parse": []}, "no text": {"parse": {}},
    "a text that is null": {"parse": {"text": None}}, "a text as of old": {"parse": {"text": {"*": "<p>x</p>"}}},
    "a revision of letters": {"parse": {"text": "x", "revid": "abc"}},
    "a revision too large": {"parse": {"text": "x", "revid": 2**63}},
    "a text of half a character": {"parse": {"text": "\ud800"}}, "a string": "x",
    "too much": {"parse": {"text": "x" * 2_100_000}},
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED_QUERIES)
def test_a_wikis_malformed_answer_is_one_line(name: str) -> None:
    failure(ask_wiki, json_of(MALFORMED_QUERIES[name]))


REFUSED = {"an error without a word"}
"""An error is the wiki's own word, which ends the source."""


def _fault(answer: Any) -> Callable[[Handler], None]:
    return lambda handler: handler.send(200, answer)


@pytest.fixture
def wiki() -> Iterator[WikiServer]:
    with WikiServer({f"Page {n}": f"<p>Text {n}.</p>" for n in range(5)}) as server:
        yield server


@pytest.mark.parametrize("name", sorted({*MALFORMED_QUERIES, "a continuation by itself"} - REFUSED))
def test_a_malformed_answer_costs_the_title_that_it_is_about(wiki: WikiServer, name: str) -> None:
    wiki.poisoned["query Page 3"] = _fault(MALFORMED_QUERIES.get(name, CONTINUED))
    with closing(Wiki(wiki.url, _quick(wiki.url), SMALL)) as client:
        found = client.states(list(wiki.pages))
    assert list(found.states) == ["Page 0", "Page 1", "Page 2", "Page 4"]
    assert list(found.missing) == ["Page 3"] and found.missing["Page 3"].isprintable()


@pytest.mark.parametrize("name", MALFORMED_TEXTS)
def test_a_malformed_page_costs_that_page(
    wiki: WikiServer, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in {"WEFT_WIKIPEDIA": wiki.url, "WEFT_CACHE": str(tmp_path / "c"), "WEFT_PAUSE": "0"}.items():
        monkeypatch.setenv(variable, value)
    wiki.poisoned["parse Page 1"] = _fault(MALFORMED_TEXTS[name])
    (tmp_path / "titles.txt").write_text("\n".join(wiki.pages), encoding="utf-8")
    (source,) = sources_of([f"wikipedia:@{tmp_path / 'titles.txt'}"])
    said = [
        parse(("wikipedia", entry)) if isinstance(entry, Item) else entry for entry in items(source, ReadOptions(1_000))
    ]
    assert [each.title for each in said if isinstance(each, Document)] == ["Page 0", "Page 2", "Page 3", "Page 4"]
    (reject,) = [each for each in said if isinstance(each, Reject)]
    assert reject.place == "Page 1" and reject.reason.startswith(wiki.url.removeprefix("http://"))
    assert reject.reason.isprintable()


def test_a_page_for_people_instead_of_a_text_costs_that_page(wiki: WikiServer) -> None:
    wiki.poisoned["parse Page 1"] = html_page
    with closing(Wiki(wiki.url, _quick(wiki.url))) as client:
        assert client.html("Page 0")[1] == "<p>Text 0.</p>"
        with pytest.raises(BadAnswer, match="no answer of a MediaWiki but '<!DOCTYPE html>"):
            client.html("Page 1")


def test_an_answer_that_is_continued_without_end_is_one_line() -> None:
    def answer(server: HostileServer) -> Iterator[bytes]:
        more = {"continue": {"rdcontinue": str(len(server.requests))}, "query": {"pages": [PAGE]}, "x": "y" * 10_000}
        yield from json_of(more)(server)

    with HostileServer(answer) as server, closing(Wiki(server.url, _quick(server.url), SMALL)) as client:
        found = client.states(["Ondrel"])
    assert found.missing == {"Ondrel": "the answer is continued without end (more than 200 times or 0.2 MB)"}
    assert len(server.requests) < 30


TERM = {"type": "uri", "value": "http://r.example/x"}
ROW = {"s": TERM, "p": TERM, "o": TERM}


def _results(*rows: object) -> dict[str, Any]:
    return {"results": {"bindings": list(rows)}}


MALFORMED_RESULTS: dict[str, Any] = {
    "a list": [], "a string": "x", "null": None, "nothing": {}, "an answer to ASK": {"boolean": True},
    "results that are a list": {"results": []}, "results that are null": {"results": None},
    "bindings that are a number": {"results": {"bindings": 3}},
    "bindings that are null": {"results": {"bindings": None}},
    "a row that is null": _results(None), "a row that is a string": _results("spo"), "a row that is a list":
    _results([1, 2, 3]), "a row without an object": _results({"s": TERM, "p": TERM}), "an empty row": _results({}),
}  # fmt: skip
WRONG_TERMS: dict[str, Any] = {
    "null": None, "a string": "x", "a list": [TERM], "no type": {"value": "x"}, "no value": {"type": "uri"},
    "a number": {"type": "literal", "value": 3}, "not a number": {"type": "literal", "value": float("nan")},
    "a type that is a list": {"type": ["uri"], "value": "x"}, "an IRI with a blank": {"type": "uri", "value": "a b"},
    "an IRI that ends early": {"type": "uri", "value": "a> <b"},
    "a language that is a list": {"type": "literal", "value": "x", "xml:lang": ["en"]},
    "a language that ends the term": {"type": "literal", "value": "x", "xml:lang": "en .\n<a> <b> <c"},
    "a datatype that is a number": {"type": "literal", "value": "x", "datatype": 3},
    "a datatype that ends the term": {"type": "literal", "value": "x", "datatype": "a> <b"},
}


@pytest.mark.parametrize("name", MALFORMED_RESULTS)
def test_an_endpoints_malformed_answer_is_one_line(name: str) -> None:
    assert "no SPARQL results but" in failure(ask_endpoint, json_of(MALFORMED_RESULTS[name]))[0]


@pytest.mark.parametrize("part", ["s", "p", "o"])
@pytest.mark.parametrize("name", WRONG_TERMS)
def test_a_wrong_term_costs_its_row(name: str, part: str) -> None:
    def answer(server: HostileServer) -> Iterator[bytes]:
        rows = [ROW, ROW | {part: WRONG_TERMS[name]}] if len(server.requests) == 1 else []
        yield from json_of(_results(*rows))(server)

    with HostileServer(answer) as server:
        triple = ("<http://r.example/x>",) * 3
        assert ask_endpoint(server.url, _quick(server.url)) == [[triple]]


@pytest.mark.parametrize("n_rows", [1, 2, 50])
def test_an_endpoint_that_ignores_offset_is_one_line(n_rows: int) -> None:
    rows = [ROW | {"o": {"type": "literal", "value": str(n)}} for n in range(n_rows)]
    line, server = failure(ask_endpoint, json_of(_results(*rows)))
    assert "ignores OFFSET" in line
    assert len(server.requests) <= 22


def test_pages_that_are_always_full_are_one_line() -> None:
    def answer(server: HostileServer) -> Iterator[bytes]:
        yield from json_of(_results(ROW | {"o": {"type": "literal", "value": str(len(server.requests))}}))(server)

    def ask_for_five(address: str, throttle: Throttle, limits: Limits) -> object:
        with closing(Endpoint(address, throttle, page_rows=1, limits=limits, most_pages=5)) as endpoint:
            return list(endpoint.triples("SELECT"))

    assert "more than 5 pages (5 rows)" in failure(ask_for_five, answer)[0]


def test_an_endpoint_that_names_ever_more_resources_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builder.sparql.fetch.MOST_RESOURCES", 50)

    def answer(server: HostileServer) -> Iterator[bytes]:
        start = 200 * len(server.requests)
        label = {"type": "uri", "value": "http://www.w3.org/2000/01/rdf-schema#label"}
        rows = [
            {"s": {"type": "uri", "value": f"http://r.example/{n}"}, "p": label, "o": {"type": "literal", "value": "x"}}
            for n in range(start, start + 200)
        ]
        yield from json_of(_results(*(rows if "OFFSET+0" in server.requests[-1] else ())))(server)

    def ask(address: str, throttle: Throttle, limits: Limits) -> object:
        return list(fetch_triples(address, ["Lamp"], FetchOptions(pause_s=0, sleep=lambda s: None)))

    assert "more than 150 resources for 1 titles" in failure(ask, answer)[0]


def test_one_query_that_cannot_be_sorted_leaves_the_others_in_order(tmp_path: Path) -> None:
    data = '<http://r.example/A> <http://o.example/p> "1" .\n<http://r.example/B> <http://o.example/p> "2" .\n'
    with SparqlServer(Graph().parse(data=data, format="nt"), sorts=False) as server:
        prefixes = FetchOptions(resource_prefix="http://r.example/", page_prefixes=("http://w.example/",))
        options = prefixes._replace(pause_s=0, batch=1, sleep=lambda s: None)
        fetch_to_file(server.url, ["A", "B"], tmp_path / "f.nt", options)
        facts = [query for query in server.queries if "FILTER" in query]
    assert len(facts) == 6
    assert [("ORDER BY" in query, "/A>" in query) for query in facts] == [
        (True, True), (False, True), (False, True), (True, False), (False, False), (False, False)
    ]  # fmt: skip


def test_a_file_that_is_being_fetched_is_not_fetched_twice(tmp_path: Path) -> None:
    from builder.storage.lock import exclusive

    with SparqlServer(Graph()) as server, exclusive(tmp_path / "f.nt"):
        with pytest.raises(WeftError, match="is being built by process"):
            fetch_to_file(server.url, ["A"], tmp_path / "f.nt", FetchOptions(pause_s=0))
        assert server.queries == []


def test_a_secure_address_whose_certificate_nobody_signed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil
    import ssl
    import subprocess

    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=tmp_path, check=True, capture_output=True,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    with HostileServer(sent(b"")) as server:
        server._server.socket = context.wrap_socket(server._server.socket, server_side=True)
        for ask in (ask_wiki, ask_endpoint):
            with pytest.raises(UnreadableSource, match="CERTIFICATE_VERIFY_FAILED"):
                ask(f"https://{server.host}", _quick("service"), SMALL)
        assert server.requests == []
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        with pytest.raises(UnreadableSource):
            ask_endpoint(f"https://{server.host}", _quick("service"), SMALL)
        assert server.requests

