"""A SPARQL 1.1 endpoint on loopback over an RDF graph, which also misbehaves when told to."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import rdflib
from pyoxigraph import QueryResultsFormat, QuerySolutions, RdfFormat, Store
from rdflib import Graph

from tests.loopback_server import LoopbackServer

Fault = Callable[["Handler"], None]
XSD = "http://www.w3.org/2001/XMLSchema#"
AS_WRITTEN = "urn:as-written:"
"""Stands for XSD in the store, which would keep the values of numbers and not how they are written."""


class SparqlServer(LoopbackServer):
    """Serves a graph at `url`; `faults` are done instead of the first answers, one each."""

    def __init__(
        self, graph: Graph, *, max_rows: int | None = None, longest_query: int | None = None, sorts: bool = True
    ) -> None:
        self.store = Store()
        self.store.load(graph.serialize(format="nt").replace(XSD, AS_WRITTEN).encode(), RdfFormat.N_TRIPLES)
        self.sorts = sorts
        self.max_rows = max_rows
        self.longest_query = longest_query
        self.faults: list[Fault | None] = []
        self.requests: list[tuple[str, str, str]] = []
        self.at_once = 0
        self.most_at_once = 0
        super().__init__(Handler, ThreadingHTTPServer)
        self.url += "/sparql"

    @property
    def queries(self) -> list[str]:
        return [query for _, query, _ in self.requests]


class Handler(BaseHTTPRequestHandler):
    """Answers one query as SPARQL's JSON results."""

    wbufsize = -1

    def do_GET(self) -> None:
        self._answer(urlsplit(self.path).query)

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

    def _answer(self, encoded: str) -> None:
        owner: SparqlServer = self.server.owner  # type: ignore[attr-defined]
        query = parse_qs(encoded).get("query", [""])[0]
        owner.requests.append((self.command, query, self.headers["User-Agent"]))
        owner.at_once += 1
        owner.most_at_once = max(owner.most_at_once, owner.at_once)
        reply = self._reply(owner, query)
        # The next request may come before this handler has ended.
        owner.at_once -= 1
        reply(self)

    def _reply(self, owner: SparqlServer, query: str) -> Fault:
        fault = owner.faults.pop(0) if owner.faults else None
        if fault is not None:
            return fault
        if not query:
            return html_page
        if owner.longest_query is not None and len(query) > owner.longest_query:
            return busy(500)
        if not owner.sorts and "ORDER BY" in query and "FILTER" in query:
            return busy(500)
        answer = _results(owner.store, query, owner.max_rows)
        return lambda handler: handler.send(200, answer, "application/sparql-results+json")

    def send(self, state: int, body: bytes, kind: str = "text/html", **headers: str) -> None:
        self.send_response(state)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def busy(state: int = 503, **headers: str) -> Fault:
    """Give a fault that refuses with a state."""
    return lambda handler: handler.send(state, b"<html>busy</html>", **headers)


def cut(handler: Handler) -> None:
    """Promise a longer answer than is sent."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/sparql-results+json")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"results": {"bind')
    handler.close_connection = True


def hang_up(handler: Handler) -> None:
    """Close the connection without a word."""
    handler.close_connection = True
    handler.connection.close()


def html_page(handler: Handler) -> None:
    """Answer with a proxy's error page and the state of a success."""
    handler.send(200, b"<!DOCTYPE html><html><h1>The service is down</h1></html>")


def in_part(handler: Handler) -> None:
    """Answer as Virtuoso does when its time was over: some rows and a mark."""
    handler.send(200, b'{"results": {"bindings": []}}', "application/sparql-results+json", X_SQL_State="S1TAT")


def graph_of(*files: Path) -> Graph:
    """Read N-Triples files, numbers as they are written."""
    graph = Graph()
    rdflib.NORMALIZE_LITERALS = False
    try:
        for file in files:
            graph.parse(file, format="nt")
    finally:
        rdflib.NORMALIZE_LITERALS = True
    return graph


def _results(store: Store, query: str, max_rows: int | None) -> bytes:
    result = store.query(query)
    assert isinstance(result, QuerySolutions)
    found = (result.serialize(format=QueryResultsFormat.JSON) or b"").decode()
    answer = json.loads(found.replace(AS_WRITTEN, XSD))
    answer["results"]["bindings"] = answer["results"]["bindings"][:max_rows]
    return json.dumps(answer).encode()


def serve(path: Path) -> None:
    """Serve an N-Triples file until interrupted, for trying things by hand."""
    with SparqlServer(graph_of(path)):
        while True:
            time.sleep(1)
