"""Ask a SPARQL endpoint with the queries that SPARQLWrapper writes: page by page, politely, into canonical terms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl

from builder.http.throttle import BadAnswer, Throttle, user_agent
from builder.rdf.terms import BadTerm, Triple, iri_term, literal_term
from weft.errors import UnreadableSource
from weft.http.limits import Limits
from weft.http.retrying import RETRYABLE_STATUS
from weft.text.json_text import parsed_json

if TYPE_CHECKING:
    from builder.http.client import Answer, WebClient

LONGEST_GET = 1_500
"""Longest query, in characters, that is sent in a URL: encoded, a longer one may exceed a server's limit."""
ANSWER_SECONDS = 120.0
MOST_PAGES = 1_000
MOST_SAME_PAGES = 20
"""A row comes as often as branches of the query match it, so pages of one row may be equal without an error."""

# Looser than BCP 47, yet nothing in it can end the term that it is written into.
LANGUAGE = re.compile(r"[A-Za-z0-9-]{1,100}")
# Also states that endpoints give for queries that are too long (400, 414) or run out of time (500).
TOO_MUCH = frozenset({400, 413, 414, 500})
MEANING = {404: "nothing is at this address (HTTP 404)", 401: "asks for a password (HTTP 401)"}


class Page(NamedTuple):
    """The rows of one answer: their number, those that are triples, and the different ones as numbers."""

    n_rows: int
    triples: list[Triple]
    different: frozenset[int]


class TooMuch(Exception):
    """The endpoint cannot answer this query; a smaller one of the kind it may."""


class Endpoint:
    """A SPARQL endpoint, asked one page at a time; `shown` is its address without secrets."""

    def __init__(
        self, url: str, throttle: Throttle, *, page_rows: int = 5_000, limits: Limits | None = None,
        most_pages: int = MOST_PAGES,
    ) -> None:  # fmt: skip
        """Prepare to ask; raise UnreadableSource when `url` is no web address."""
        from builder.http.client import Service, WebClient

        self._limits = limits or Limits(seconds=ANSWER_SECONDS)
        service = Service("not the address of a SPARQL endpoint", "no SPARQL results", RETRYABLE_STATUS - TOO_MUCH)
        self._client = WebClient(url, service, self._limits)
        self.shown = self._client.shown
        self.throttle = throttle
        self.page_rows = page_rows
        self._most_pages = most_pages
        self._most_rows = 0

    def triples(self, query: str, *, ordered: bool = True) -> Iterator[list[Triple]]:
        """Yield the pages of what a query selects as `?s ?p ?o`; rows with a blank node are left out.

        Endpoints return fewer rows than asked for without notice. A short page
        is the last one only when a longer one has been seen. TooMuch is raised
        where the endpoint fails on this query, UnreadableSource where it fails,
        gives the same page again and again, or does not come to an end.
        Rows come in order, without which pages may overlap, unless `ordered` is
        off: some endpoints cannot sort long texts.
        """
        query += " ORDER BY ?s ?p ?o" if ordered else ""
        offset = n_same = 0
        first: Page | None = None
        for _ in range(self._most_pages):
            page = self._page(f"{query} LIMIT {self.page_rows} OFFSET {offset}")
            first = first or page
            if page.triples:
                yield page.triples
            if page.n_rows == 0 or page.n_rows < self._most_rows:
                return
            n_same += page is not first and page.different == first.different
            if n_same and (len(first.different) > 1 or n_same > MOST_SAME_PAGES):
                raise UnreadableSource(f"{self.shown}: ignores OFFSET: gives the same rows at {offset} as at 0")
            self._most_rows = page.n_rows
            offset += page.n_rows
        raise UnreadableSource(f"{self.shown}: an answer of more than {self._most_pages:,} pages ({offset:,} rows)")

    def _page(self, query: str) -> Page:
        try:
            return self.throttle.ask(lambda: _rows(self._client, self._answer(query)))
        except BadAnswer as error:
            if not self.throttle.answered:
                raise
            raise TooMuch(str(error).removeprefix(f"{self.shown}: ")) from error

    def _answer(self, query: str) -> Answer:
        from builder.http.client import Refusal

        try:
            answer = self._send(query)
        except Refusal as refusal:
            if refusal.state in TOO_MUCH:
                raise TooMuch(str(refusal)) from refusal
            raise UnreadableSource(f"{self.shown}: {MEANING.get(refusal.state, refusal)}") from refusal
        # Virtuoso answers 200 with part of the rows when its time is up, and tells so in this header.
        if partial := answer.headers.get("X-SQL-State"):
            raise TooMuch(f"it answered in part only ({self._client.clean(partial)})")
        return answer

    def _send(self, query: str) -> Answer:
        """Send the request that SPARQLWrapper makes; its own way of sending knows no limits."""
        from SPARQLWrapper import JSON, POST, SPARQLWrapper

        posted = len(query) > LONGEST_GET
        address, _, parameters = self._client.url.partition("?")
        wrapper = SPARQLWrapper(self._client.url if posted else address, agent=user_agent())
        wrapper.setQuery(query)
        wrapper.setReturnFormat(JSON)
        if posted:
            wrapper.setMethod(POST)
        else:
            for name, value in parse_qsl(parameters, keep_blank_values=True):
                wrapper.addParameter(name, value)
        request = wrapper._createRequest()
        # Without SPARQLWrapper's User-agent: the client sends Weft's.
        headers = {name: value for name, value in request.header_items() if name != "User-agent"}
        return self._client.ask(request.get_method(), request.full_url, body=request.data, headers=headers)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()


def _rows(client: WebClient, answer: Answer) -> Page:
    try:
        bindings = parsed_json(answer.body)["results"]["bindings"]
        terms = [(row["s"], row["p"], row["o"]) for row in bindings]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise client.garbled(answer.body) from error
    triples = [triple for row in terms if (triple := _triple(*row)) is not None]
    return Page(len(terms), triples, frozenset(hash(str(row)) for row in terms))


def _triple(subject: Any, predicate: Any, object_: Any) -> Triple | None:
    try:
        return _term(subject), _term(predicate), _term(object_)
    except BadTerm:
        return None


def _term(found: Any) -> str:
    """Return the canonical term of one value of SPARQL's JSON results; BadTerm for a blank node."""
    if not isinstance(found, dict) or not isinstance(found.get("value"), str):
        raise BadTerm("not a term")
    if found.get("type") == "uri":
        return iri_term(found["value"])
    if found.get("type") in ("literal", "typed-literal"):
        language, datatype = found.get("xml:lang"), found.get("datatype")
        if not isinstance(datatype, str | None) or not isinstance(language, str | None):
            raise BadTerm("not a literal")
        if language and not LANGUAGE.fullmatch(language):
            raise BadTerm("no language")
        return literal_term(found["value"], language=language, datatype=datatype)
    raise BadTerm("a blank node")
