"""Ask a MediaWiki for pages through `api.php`, which every one has: revisions by the fifty, texts one by one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from urllib.parse import urlsplit

from builder.polite import PASSING, Manners, TryLater, Unreachable, pause_or, retry_after, user_agent
from builder.sources.wikipedia_cache import PageState
from weft.errors import UnreadableSource

if TYPE_CHECKING:
    import httpx

MOST_TITLES = 50
MAX_LAG_S = 5
TIMEOUT_S = 60.0
BUSY = frozenset({"maxlag", "ratelimited", "readonly"})


class Missing(Exception):
    """A title that is no page; the message says why in one line."""


class Found(NamedTuple):
    """Which page each name that was asked for leads to, or why to none."""

    states: dict[str, PageState]
    missing: dict[str, str]


class Wiki:
    """One wiki's API, asked one request at a time."""

    def __init__(self, address: str, manners: Manners | None = None) -> None:
        """Prepare to ask; `address` is a wiki's host or the address of its `api.php`."""
        import httpx

        parts = urlsplit(address if "//" in address else f"https://{address}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UnreadableSource(f"{address}: no wiki's address; say one as https://en.wikipedia.org")
        self.host = parts.netloc
        self.home = f"{parts.scheme}://{parts.netloc}"
        self._api = f"{self.home}{parts.path}" if parts.path.endswith(".php") else f"{self.home}/w/api.php"
        self._manners = manners or Manners(self.home, pause_s=pause_or(0.2))
        self._client = httpx.Client(
            headers={"User-Agent": user_agent()}, timeout=TIMEOUT_S, follow_redirects=True
        )

    def states(self, names: Sequence[str]) -> Found:
        """Return the pages that at most `MOST_TITLES` names lead to, redirects followed."""
        pages: dict[str, dict[str, Any]] = {}
        leads: dict[str, str] = {}
        others: set[str] = set()
        for answer in self._all(
            action="query", prop="revisions|redirects", redirects="1",
            titles="|".join(name for name in names if "|" not in name),
            rvprop="ids|timestamp", rdnamespace="0", rdlimit="max",
        ):  # fmt: skip
            if "error" in answer:
                raise UnreadableSource(f"{self._api}: {_reason(answer)}")
            query = answer.get("query", {})
            for step in (*query.get("normalized", ()), *query.get("redirects", ())):
                leads[step["from"]] = step["to"]
            others |= {page["title"] for page in query.get("interwiki", ())}
            for page in query.get("pages", ()):
                _merge(pages, page)
        found = Found({}, {})
        for name in names:
            end = _end(name, leads)
            state = _state(pages[end]) if end in pages else "no such page"
            if isinstance(state, PageState):
                found.states[name] = state
            else:
                found.missing[name] = "a page of another wiki" if end in others else state
        return found

    def html(self, title: str) -> tuple[int, str]:
        """Return the newest revision of a page and its text as HTML; raise Missing where it has gone."""
        answer = self._ask(
            action="parse", page=title, prop="text|revid", disableeditsection="1", disabletoc="1"
        )
        parsed = answer.get("parse")
        if not isinstance(parsed, dict) or not isinstance(parsed.get("text"), str):
            raise Missing(_reason(answer))
        return int(parsed.get("revid") or 0), parsed["text"]

    def _all(self, **parameters: str) -> list[dict[str, Any]]:
        """Return an answer with all that continues it."""
        answers = [self._ask(**parameters)]
        while isinstance(going_on := answers[-1].get("continue"), dict):
            answers.append(self._ask(**(parameters | {key: str(value) for key, value in going_on.items()})))
        return answers

    def _ask(self, **parameters: str) -> dict[str, Any]:
        data = {"format": "json", "formatversion": "2", "maxlag": str(MAX_LAG_S)} | parameters
        return self._manners.ask(lambda: self._request(data))

    def _request(self, data: dict[str, str]) -> dict[str, Any]:
        import httpx

        try:
            # Fifty titles are too long for an address; a wiki takes both.
            response = self._client.post(self._api, data=data)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol) as error:
            raise Unreachable(f"cannot be reached ({error})") from error
        except httpx.HTTPError as error:
            raise TryLater(f"the connection broke off ({error or type(error).__name__})") from error
        wait_s = retry_after(response.headers.get("Retry-After"), datetime.now(UTC))
        if response.status_code in PASSING:
            raise TryLater(f"HTTP {response.status_code} {response.reason_phrase}", wait_s)
        if response.status_code != 200:
            raise UnreadableSource(f"{self._api}: HTTP {response.status_code} {response.reason_phrase}")
        answer = _object(response)
        if answer.get("error", {}).get("code") in BUSY:
            raise TryLater(_reason(answer), wait_s)
        return answer

    def __enter__(self) -> Self:
        """Return the open client."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection."""
        self._client.close()


def _object(response: httpx.Response) -> dict[str, Any]:
    try:
        answer = json.loads(response.content)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        start = " ".join(response.text[:200].split())[:80]
        raise Unreachable(f"no answer of a MediaWiki but {start!r}")
    return answer


def _reason(answer: dict[str, Any]) -> str:
    error = answer.get("error", {})
    return " ".join(str(error.get("info") or error.get("code") or "the answer has no text").split())[:200]


def _merge(pages: dict[str, dict[str, Any]], page: dict[str, Any]) -> None:
    """Add what an answer says of a page to what earlier parts of it said."""
    known = pages.setdefault(str(page["title"]), {"redirects": []})
    known["redirects"] += [str(each["title"]) for each in page.get("redirects", ())]
    known |= {key: value for key, value in page.items() if key != "redirects"}


def _state(page: dict[str, Any]) -> PageState | str:
    """Return what an answer says of a page, or why it is none."""
    if page.get("invalid"):
        return str(page.get("invalidreason", "no valid title"))
    if page.get("missing") or page.get("special") or not page.get("revisions"):
        return "no such page"
    newest = page["revisions"][0]
    redirects = tuple(sorted(set(page["redirects"])))
    return PageState(str(page["title"]), int(newest["revid"]), newest.get("timestamp"), redirects)


def _end(name: str, leads: dict[str, str]) -> str:
    """Follow normalisation and redirects, of which a wiki does not go round in circles for long."""
    seen = {name}
    while (step := leads.get(name)) is not None and step not in seen:
        seen.add(step)
        name = step
    return name
