"""A service that speaks OpenAI's interface: its address, a client of it within limits, its failures as one line."""

from __future__ import annotations

import os
import weakref
from typing import Any
from urllib.parse import urlsplit

from weft.errors import WeftError
from weft.http.addresses import SECRET_VARIABLES, checked_address, line_without_secrets, secrets_in, shown
from weft.http.addresses import SHORTEST_SECRET as SHORTEST
from weft.http.limits import Limits

LONGEST_REASON = 300


def base_url() -> str:
    """Return the address of the service: `OPENAI_BASE_URL`, or that of OpenAI."""
    return os.environ.get("OPENAI_BASE_URL") or "https://api.openai.com/v1"


def service_host() -> str:
    """Return the host and port that texts are sent to."""
    try:
        parts = urlsplit(base_url())
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        host = ""
    return host or shown(base_url())


def opened_client(limits: Limits, retries: int) -> Any:
    """Return a client of the openai library; for one thread at a time.

    Raise WeftError for an address or a key that cannot be one, OpenAIError where
    there is no key. Nothing is sent. Its connections close with it, at the
    latest when nothing refers to it any more.
    """
    import httpx
    from openai import OpenAI

    from weft.http.bounded import BoundedTransport

    checked_address(base_url(), "OPENAI_BASE_URL is no address of a service")
    key = os.environ.get("OPENAI_API_KEY", "")
    if not (key.isascii() and key.strip().isprintable()):
        raise WeftError("OPENAI_API_KEY: has a character that no key has")
    # Any: the library's own clients are httpx's in some of its versions and httpx2's in others; it takes both.
    transport = BoundedTransport(limits)
    client: Any = httpx.Client(
        transport=transport, timeout=limits.seconds, follow_redirects=False, trust_env=False
    )
    # Clients belong to models and embedders, which are values that nobody closes.
    weakref.finalize(client, transport.close)
    # None, where there is no key, leaves it to the library to say so.
    return OpenAI(max_retries=retries, timeout=limits.seconds, http_client=client, api_key=key.strip() or None)


def reason_of(error: Exception) -> str:
    """Return why a request failed, as one short line without secrets: of a lost connection what lost it."""
    from openai import APIConnectionError

    cause = error.__cause__ if isinstance(error, APIConnectionError) and error.__cause__ else error
    return safe_line(str(cause) or type(cause).__name__)


def safe_line(text: str) -> str:
    """Return the start of what a service says as one line without secrets."""
    return line_without_secrets(text, secrets_in(base_url()))[:LONGEST_REASON]


def own_secrets() -> tuple[str, ...]:
    """Return the user's keys and passwords for the service, longest first, as a text may repeat them."""
    values = (os.environ.get(name, "").strip() for name in SECRET_VARIABLES)
    keys = {value for value in values if len(value) >= 2 * SHORTEST}
    return tuple(sorted({*keys, *secrets_in(base_url())}, key=len, reverse=True))


def whole_number(variable: str, default: int = 0) -> int:
    """Return the whole number that an environment variable is; raise WeftError for what is none."""
    value = os.environ.get(variable, "").strip() or str(default)
    if not (value.isascii() and value.isdigit()) or len(value) > 12:
        raise WeftError(f"{variable}={value[:80]}: must be a whole number")
    return int(value)
