"""One web service, asked over HTTP within limits; what goes wrong is one line without the address's secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urljoin, urlsplit

import httpx

from builder.http.throttle import BadAnswer, Garbled, StuckAnswer, Unreachable, user_agent
from weft.errors import UnreadableSource
from weft.http.addresses import checked_address, line_without_secrets, secrets_in, shown
from weft.http.bounded import BoundedTransport, Offline, TooLarge, TooSlow
from weft.http.limits import Limits
from weft.http.retrying import RETRYABLE_STATUS, RetryableError, wait_in

MOST_REDIRECTS = 3
REDIRECTS = frozenset({301, 302, 303, 307, 308})
REDIRECTS_OF_POST = frozenset({307, 308})
"""Any other redirect turns POST into GET and drops the body."""

PORTS = {"http": 80, "https": 443}
START = 80
"""Characters of a wrong answer that its message quotes."""


class Service(NamedTuple):
    """A kind of service: messages for an address or an answer that is not of it, and the HTTP states to retry."""

    no_address: str
    no_answer: str
    retryable: frozenset[int] = RETRYABLE_STATUS


class Answer(NamedTuple):
    """An answer of HTTP state 200: its headers, and its body of JSON as bytes."""

    headers: Mapping[str, str]
    body: bytes


class Refusal(Exception):
    """An HTTP state that is neither success nor passes by waiting."""

    def __init__(self, state: int, reason: str) -> None:
        """Hold the state and what the service calls it."""
        super().__init__(f"HTTP {state} {reason}".rstrip())
        self.state = state


class WebClient:
    """Asks one service; `shown` is its address without secrets."""

    def __init__(self, address: str, service: Service, limits: Limits) -> None:
        """Prepare to ask; raise UnreadableSource when `address` is none that can be asked."""
        parts = urlsplit(checked_address(address, service.no_address))
        self.shown = shown(address)
        self.url = parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="").geturl()
        self._secrets = secrets_in(address)
        self._service = service
        auth = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
        try:
            self._client = httpx.Client(
                transport=BoundedTransport(limits), headers={"User-Agent": user_agent()}, auth=auth,
                # Neither redirects nor proxies nor .netrc by httpx: each could lead away from the host that was named.
                timeout=limits.seconds, follow_redirects=False, trust_env=False,
            )  # fmt: skip
            self._client.build_request("GET", self.url)
        except (httpx.InvalidURL, ValueError) as error:
            raise UnreadableSource(self.clean(f"{self.shown}: {service.no_address}; {error}")) from error

    def ask(
        self, method: str, url: str, *, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Return the answer, redirects within the same host followed.

        Raise RetryableError (Unreachable, Garbled) for what may pass, BadAnswer or
        StuckAnswer for an answer beyond the limits, Refusal for another HTTP state, and
        UnreadableSource for a redirect that leads elsewhere.
        """
        for _ in range(MOST_REDIRECTS + 1):
            response = self._once(method, url, body, headers or {})
            if response.status_code not in REDIRECTS:
                return self._checked(response)
            url = self._redirected(method, url, response)
        raise UnreadableSource(f"{self.shown}: more than {MOST_REDIRECTS} redirects, one after the other")

    def clean(self, text: str) -> str:
        """Return a text in one line, without control characters and this address's secrets."""
        return line_without_secrets(text, self._secrets)

    def garbled(self, body: bytes) -> Garbled:
        """Return the exception for an answer of something else, with its first words."""
        return Garbled(f"{self._service.no_answer} but {self.clean(body[:1000].decode('utf-8', 'replace'))[:START]!r}")

    def _once(self, method: str, url: str, body: bytes | None, headers: Mapping[str, str]) -> httpx.Response:
        try:
            return self._client.request(method, url, content=body, headers=dict(headers))
        except Offline as error:
            raise UnreadableSource(f"{self.shown}: WEFT_OFFLINE is set, so nothing is asked") from error
        except TooLarge as error:
            raise BadAnswer(f"{self.shown}: {error}") from error
        except TooSlow as error:
            raise StuckAnswer(f"{self.shown}: {error}") from error
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol, httpx.ProxyError) as error:
            raise Unreachable(self.clean(f"cannot be reached ({error or type(error).__name__})")) from error
        except (httpx.InvalidURL, UnicodeError) as error:
            raise UnreadableSource(self.clean(f"{self.shown}: leads to an address that is none ({error})")) from error
        except httpx.DecodingError as error:
            raise Garbled(self.clean(str(error))) from error
        except httpx.HTTPError as error:
            raise RetryableError(self.clean(f"the connection broke off ({error or type(error).__name__})")) from error

    def _checked(self, response: httpx.Response) -> Answer:
        if response.status_code in self._service.retryable:
            reason = self.clean(f"HTTP {response.status_code} {response.reason_phrase}")
            raise RetryableError(reason, wait_in(response.headers))
        if response.status_code != 200:
            raise Refusal(response.status_code, self.clean(response.reason_phrase))
        kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        # Some services label their JSON as plain text or as a script; anything else is a page for people.
        if kind and "json" not in kind and kind not in ("text/plain", "text/javascript"):
            raise self.garbled(response.content)
        return Answer(response.headers, response.content)

    def _redirected(self, method: str, url: str, response: httpx.Response) -> str:
        location = response.headers.get("Location", "")
        if not location:
            raise UnreadableSource(f"{self.shown}: answers with a redirect ({response.status_code}) to no address")
        try:
            target = urljoin(url, location)
            old, new = urlsplit(url), urlsplit(target)
            followed = _is_same_service(old, new) and (method == "GET" or response.status_code in REDIRECTS_OF_POST)
        except ValueError:
            raise UnreadableSource(f"{self.shown}: has moved to an address that is none") from None
        if not followed:
            raise UnreadableSource(self.clean(f"{self.shown}: has moved to {shown(target)[:200]}; name that address"))
        return str(target)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()


def wait_of(answer: Answer) -> float | None:
    """Return the seconds that an answer asks to wait (Retry-After), None without such a header."""
    return wait_in(answer.headers)


def _is_same_service(old: SplitResult, new: SplitResult) -> bool:
    """Tell whether a redirect stays with the host and port, or goes from http to https of the same host."""
    if new.scheme not in PORTS or new.hostname != old.hostname or new.username is not None:
        return False
    ends = [(each.scheme, each.port or PORTS[each.scheme]) for each in (old, new)]
    return ends[0] == ends[1] or ends == [("http", 80), ("https", 443)]
