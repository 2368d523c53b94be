"""Ask a MediaWiki for pages through `api.php`, which every one has: revisions by the fifty, texts one by one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from urllib.parse import urlencode, urlsplit

from builder.http.throttle import BadAnswer, StuckAnswer, Throttle, pause_or
from builder.readers.wikipedia.cache import PageState
from weft.errors import UnreadableSource
from weft.http.limits import Limits
from weft.http.retrying import RetryableError

if TYPE_CHECKING:
    from builder.readers.wikipedia.answers import ListedPage, QueryAnswer, Replied

AnswerModel = TypeVar("AnswerModel", bound="Replied")

WIKIPEDIA = "https://en.wikipedia.org"
MOST_TITLES = 50
"""The API's own limit of titles in one request."""
MOST_ANSWERS = 200
"""So many answers may continue each other: 100,000 redirects to the pages of one request."""

MAX_LAG_S = 5
"""Seconds of replication lag above which the wiki refuses a request, as its etiquette for scripts asks."""
BUSY = frozenset({"maxlag", "ratelimited", "readonly"})
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Missing(Exception):
    """A title that is no page; the message is a one-line reason."""


class Found(NamedTuple):
    """Which page each name that was asked for leads to, or why to none."""

    states: dict[str, PageState]
    missing: dict[str, str]


def wiki_address() -> str:
    """Return the address that WEFT_WIKIPEDIA gives, else Wikipedia's."""
    return os.environ.get("WEFT_WIKIPEDIA") or WIKIPEDIA


class Wiki:
    """One wiki's API, asked one request at a time; `host` and `home` are without user and password."""

    def __init__(self, address: str, throttle: Throttle | None = None, limits: Limits | None = None) -> None:
        """Prepare to ask; `address` is a wiki's host or the address of its `api.php`."""
        from builder.http.client import Service, WebClient

        self._limits = limits or Limits()
        service = Service("no wiki's address; say one as https://en.wikipedia.org", "no answer of a MediaWiki")
        self._client = WebClient(address if "//" in address else f"https://{address}", service, self._limits)
        parts = urlsplit(self._client.url)
        self.host = parts.netloc
        self.home = f"{parts.scheme}://{parts.netloc}"
        self._api = parts._replace(path=parts.path if parts.path.endswith(".php") else "/w/api.php").geturl()
        self._throttle = throttle or Throttle(self.home, pause_s=pause_or(0.2))
        self._n_bytes = 0

    def states(self, names: Sequence[str]) -> Found:
        """Return the pages that at most `MOST_TITLES` names lead to, redirects followed.

        An answer that cannot be used costs the names that it is about: they are
        asked for again by halves, and a single one is missing with the reason.
        Raise UnreadableSource when the wiki cannot be reached or refuses, and
        when it has never given an answer that can be used.
        """
        found = Found({}, {})
        failed: BadAnswer | None = None
        waiting = [list(names)]
        while waiting:
            some = waiting.pop()
            try:
                states, missing = self._states(some)
            except StuckAnswer:
                raise
            except BadAnswer as error:
                failed = error
                middle = len(some) // 2
                waiting += [some[middle:], some[:middle]] if middle else []
                states, missing = {}, {} if middle else {some[0]: self._reason(error)}
            found.states.update(states)
            found.missing.update(missing)
        if failed and not self._throttle.answered:
            raise failed
        return found

    def html(self, title: str) -> tuple[int, str]:
        """Return the newest revision of a page and its text as HTML.

        Raise Missing where it has gone, BadAnswer where what comes cannot be used.
        """
        from builder.readers.wikipedia.answers import ParseAnswer

        answer = self._ask(
            ParseAnswer, action="parse", page=title, prop="text|revid", disableeditsection="1", disabletoc="1"
        )
        if answer.parse is None:
            raise Missing(self._client.clean(str(answer.error or "the answer has no text")))
        return answer.parse.revid, answer.parse.text

    def _reason(self, error: BadAnswer) -> str:
        return str(error).removeprefix(f"{self._client.shown}: ")

    def _states(self, names: Sequence[str]) -> Found:
        pages: dict[str, ListedPage] = {}
        leads: dict[str, str] = {}
        others: set[str] = set()
        for answer in self._all(
            action="query", prop="revisions|redirects", redirects="1",
            titles="|".join(name for name in names if "|" not in name),
            rvprop="ids|timestamp", rdnamespace="0", rdlimit="max",
        ):  # fmt: skip
            if answer.error:
                raise UnreadableSource(self._client.clean(f"{self._api}: {answer.error}"))
            query = answer.query
            leads.update((step.source, step.target) for step in (*query.normalized, *query.redirects))
            others.update(page.title for page in query.interwiki)
            for page in query.pages:
                _merge(pages, page)
        found = Found({}, {})
        for name in names:
            end = _end(name, leads)
            state = _state(pages[end]) if end in pages else "no such page"
            if isinstance(state, PageState):
                found.states[name] = state
            else:
                found.missing[name] = "a page of another wiki" if end in others else self._client.clean(state)
        return found

    def _all(self, **parameters: str) -> Iterator[QueryAnswer]:
        """Yield an answer and all that continue it; BadAnswer where they do not come to an end."""
        from builder.readers.wikipedia.answers import QueryAnswer

        self._n_bytes = 0
        more: dict[str, str] = {}
        for _ in range(MOST_ANSWERS):
            answer = self._ask(QueryAnswer, **(parameters | more))
            yield answer
            if answer.going_on is None:
                return
            last, more = more, {key: str(value) for key, value in answer.going_on.items()}
            if more == last:
                raise BadAnswer(f"{self._client.shown}: the answer is continued by itself")
            if self._n_bytes > self._limits.most_bytes:
                break
        raise BadAnswer(
            f"{self._client.shown}: the answer is continued without end"
            f" (more than {MOST_ANSWERS} times or {self._limits.most_bytes / 1e6:g} MB)"
        )

    def _ask(self, model: type[AnswerModel], **parameters: str) -> AnswerModel:
        form = {"format": "json", "formatversion": "2", "maxlag": str(MAX_LAG_S)} | parameters
        # POST, since fifty titles are too long for a URL; the API takes both.
        body = urlencode(form, errors="replace").encode()
        return self._throttle.ask(lambda: self._request(model, body))

    def _request(self, model: type[AnswerModel], body: bytes) -> AnswerModel:
        from builder.http.client import Refusal, wait_of
        from builder.readers.wikipedia.answers import Malformed, NotJson, read_answer

        try:
            answer = self._client.ask("POST", self._api, body=body, headers=FORM)
            self._n_bytes += len(answer.body)
            read = read_answer(model, answer.body)
        except Refusal as refusal:
            raise UnreadableSource(f"{self._client.shown}: {refusal}") from refusal
        except NotJson as error:
            raise self._client.garbled(answer.body) from error
        except Malformed as error:
            raise BadAnswer(self._client.clean(f"{self._client.shown}: no answer of a MediaWiki: {error}")) from error
        if read.error and read.error.code in BUSY:
            raise RetryableError(self._client.clean(str(read.error)), wait_of(answer))
        return read

    def close(self) -> None:
        """Close the connection."""
        self._client.close()


def _merge(pages: dict[str, ListedPage], page: ListedPage) -> None:
    """Add the data of a page from a continued answer to that of its earlier parts."""
    known = pages.setdefault(page.title, page)
    if known is not page:
        known.redirects += page.redirects
        known.revisions = page.revisions or known.revisions


def _state(page: ListedPage) -> PageState | str:
    """Return the state of a page in an answer, or the reason why there is none."""
    if page.invalid:
        return page.invalidreason
    if page.missing or page.special or not page.revisions:
        return "no such page"
    newest = page.revisions[0]
    redirects = tuple(sorted({each.title for each in page.redirects}))
    return PageState(page.title, newest.revid, newest.timestamp, redirects)


def _end(name: str, leads: dict[str, str]) -> str:
    """Follow normalisation and redirects, of which a wiki does not go round in circles for long."""
    seen = {name}
    while (step := leads.get(name)) is not None and step not in seen:
        seen.add(step)
        name = step
    return name
