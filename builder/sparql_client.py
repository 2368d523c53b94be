"""Ask a SPARQL endpoint through SPARQLWrapper: page by page, politely, into canonical terms."""

from __future__ import annotations

import json
import urllib.error
from collections.abc import Iterator
from datetime import UTC, datetime
from http.client import HTTPException
from typing import Any

from builder.ntriples import Triple
from builder.polite import PASSING, Manners, TryLater, Unreachable, retry_after, user_agent
from builder.terms import BadTerm, iri_term, literal_term
from weft.errors import UnreadableSource

LONGEST_GET = 1_500
TIMEOUT_S = 120
Page = tuple[int, list[Triple]]


class TooMuch(Exception):
    """The endpoint cannot answer this query; a smaller one of the kind it may."""


class Endpoint:
    """A SPARQL endpoint, asked one page at a time."""

    def __init__(self, url: str, manners: Manners, *, page_rows: int = 5_000) -> None:
        """Prepare to ask; raise UnreadableSource when `url` is no web address."""
        if not url.startswith(("http://", "https://")):
            raise UnreadableSource(f"{url}: not the address of a SPARQL endpoint; it begins with http")
        self.url = url
        self.manners = manners
        self.page_rows = page_rows
        self.sorts = True
        self._most_rows = 0

    def triples(self, query: str) -> Iterator[list[Triple]]:
        """Yield the pages of what a query selects as `?s ?p ?o`; rows with a blank node are left out.

        Endpoints give fewer rows than asked for without saying so. A short page
        is the last one only when a longer one has been seen. TooMuch is raised
        where the endpoint fails on this query, UnreadableSource where it fails.
        Rows come in order, without which pages may overlap, unless `sorts` is
        off: some endpoints cannot sort long texts.
        """
        query += " ORDER BY ?s ?p ?o" if self.sorts else ""
        offset = 0
        while True:
            n_rows, triples = self._page(f"{query} LIMIT {self.page_rows} OFFSET {offset}")
            if triples:
                yield triples
            if n_rows == 0 or n_rows < self._most_rows:
                return
            self._most_rows = n_rows
            offset += n_rows

    def _page(self, query: str) -> Page:
        return self.manners.ask(lambda: _rows(_select(self.url, query)))


def _select(url: str, query: str) -> bytes:
    """Return the endpoint's answer to one query, or raise what its failure means."""
    from SPARQLWrapper import JSON, POST, SPARQLWrapper
    from SPARQLWrapper.SPARQLExceptions import SPARQLWrapperException

    wrapper = SPARQLWrapper(url, agent=user_agent())
    wrapper.setQuery(query)
    wrapper.setReturnFormat(JSON)
    wrapper.setTimeout(TIMEOUT_S)
    if len(query) > LONGEST_GET:
        wrapper.setMethod(POST)
    try:
        with wrapper.query().response as response:
            answer: bytes = response.read()
            place = response.geturl()
            partial = response.headers.get("X-SQL-State")
    except SPARQLWrapperException as error:
        raise _failure(url, error) from error
    except urllib.error.HTTPError as error:
        raise _refusal(url, error) from error
    except urllib.error.URLError as error:
        raise Unreachable(f"cannot be reached ({error.reason})") from error
    except (OSError, HTTPException) as error:
        raise TryLater(f"the connection broke off ({error or type(error).__name__})") from error
    if len(query) > LONGEST_GET and place != url:
        # The query was posted, and what is posted gets lost on the way to another address.
        raise UnreadableSource(_moved(url, place))
    if partial:
        raise TooMuch(f"it answered in part only ({partial})")
    return answer


def _failure(url: str, error: Exception) -> Exception:
    """Say what the states that SPARQLWrapper has exceptions for mean."""
    from SPARQLWrapper.SPARQLExceptions import EndPointNotFound, Unauthorized

    if isinstance(error, EndPointNotFound):
        return UnreadableSource(f"{url}: nothing is at this address (HTTP 404)")
    if isinstance(error, Unauthorized):
        return UnreadableSource(f"{url}: asks for a password (HTTP 401)")
    return TooMuch(type(error).__name__)


def _refusal(url: str, error: urllib.error.HTTPError) -> Exception:
    if error.code in PASSING:
        wait_s = retry_after(error.headers.get("Retry-After"), datetime.now(UTC))
        return TryLater(f"HTTP {error.code} {error.reason}", wait_s)
    if error.code in (301, 302, 303, 307, 308):
        return UnreadableSource(_moved(url, error.headers.get("Location", "another address")))
    if error.code == 413:
        return TooMuch("HTTP 413")
    return UnreadableSource(f"{url}: HTTP {error.code} {error.reason}")


def _moved(url: str, place: str) -> str:
    return f"{url}: has moved to {place}; name that address"


def _rows(answer: bytes) -> Page:
    try:
        bindings = json.loads(answer)["results"]["bindings"]
        terms = [(row["s"], row["p"], row["o"]) for row in bindings]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        start = " ".join(answer[:200].decode("utf-8", "replace").split())[:80]
        raise Unreachable(f"no SPARQL results but {start!r}") from error
    triples = [triple for row in terms if (triple := _triple(*row)) is not None]
    return len(terms), triples


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
        return literal_term(
            found["value"], language=found.get("xml:lang"), datatype=found.get("datatype")
        )
    raise BadTerm("a blank node")
