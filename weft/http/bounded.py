"""An HTTP transport whose answers have limits: bytes once decompressed, and seconds from start to end.

A client of httpx that is made with it, such as the openai library's, cannot be
held up by a drip of bytes or filled by an endless or much compressed answer.

>>> httpx.Client(transport=BoundedTransport(Limits(20_000_000, 120)))      # doctest: +SKIP
"""

from __future__ import annotations

import math
import os
import ssl
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import chain
from typing import Any
from urllib.request import getproxies, proxy_bypass

import httpcore
import httpx

from weft.http.limits import Limits, is_offline

FAILURES = (
    httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
)  # fmt: skip
# To wait for a connection, and the bytes read at a time.
CONNECT_SECONDS = 30.0
STEP = 1 << 16
PIECE = 1 << 12
"""Compressed bytes that are looked at together: zlib copies the rest of them after each of many small members."""

BODILESS = (204, 304)
"""States of answers without a body, whose Content-Length tells of another answer; those below 200 are never given."""

GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS


class TooLarge(httpx.TransportError):
    """The answer has more bytes than the limit."""


class TooSlow(httpx.TimeoutException):
    """The answer was not whole within the limit."""


class Offline(httpx.ConnectError):
    """WEFT_OFFLINE is set."""


class BoundedTransport(httpx.BaseTransport):
    """Sends requests one at a time; proxies and certificates are those of the environment, as for other tools.

    Raises the exceptions of httpx, and TooLarge, TooSlow and Offline.
    """

    def __init__(self, limits: Limits) -> None:
        """Prepare; nothing is connected before the first request."""
        self.limits = limits
        self._deadline = _Deadline()
        self._pools: dict[str | None, httpcore.ConnectionPool] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request and return the answer, whose body is decoded while it is read; raise Offline, or TooLarge."""
        if is_offline():
            raise Offline("WEFT_OFFLINE is set", request=request)
        self._deadline.at = time.monotonic() + self.limits.seconds
        request.headers["Accept-Encoding"] = "gzip"
        assert isinstance(request.stream, httpx.SyncByteStream)
        plain = httpcore.Request(
            request.method,
            httpcore.URL(
                scheme=request.url.raw_scheme, host=request.url.raw_host, port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw, content=request.stream,
            extensions={**request.extensions, "timeout": self._timeouts()},
        )  # fmt: skip
        with _as_httpx(self._deadline, self.limits):
            answer = self._pool(request.url).handle_request(plain)
        headers = httpx.Headers(answer.headers)
        encoding = headers.pop("Content-Encoding", "").strip().lower()
        length = headers.pop("Content-Length", "0")
        body = _Body(answer, encoding, self._deadline, self.limits)
        has_body = request.method != "HEAD" and answer.status not in BODILESS
        if has_body and self._is_beyond(length):
            body.close()
            raise _too_large(self.limits)
        return httpx.Response(answer.status, headers=headers, stream=body, extensions=answer.extensions)

    def _is_beyond(self, length: str) -> bool:
        """Tell whether a Content-Length, which may be any text, is a number beyond the limit."""
        return length.isascii() and length.isdigit() and (len(length) > 18 or int(length) > self.limits.most_bytes)

    def close(self) -> None:
        """Close the connections."""
        for pool in self._pools.values():
            pool.close()

    def _timeouts(self) -> dict[str, float]:
        seconds = self.limits.seconds
        return {"connect": min(seconds, CONNECT_SECONDS), "read": seconds, "write": seconds, "pool": seconds}

    def _pool(self, url: httpx.URL) -> httpcore.ConnectionPool:
        proxy = None if proxy_bypass(url.host) else getproxies().get(url.scheme) or getproxies().get("all")
        if proxy not in self._pools:
            given: dict[str, Any] = {
                "ssl_context": _verifying(), "network_backend": _Backend(self._deadline), "max_connections": 1,
            }  # fmt: skip
            self._pools[proxy] = _through(proxy, given) if proxy else httpcore.ConnectionPool(**given)
        return self._pools[proxy]


def _verifying() -> ssl.SSLContext:
    return _trusting(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@cache
def _trusting(file: str | None, folder: str | None) -> ssl.SSLContext:
    """Return what verifies certificates; reading those of the environment's file and folder takes 50 ms."""
    return httpx.create_ssl_context()


def _through(proxy: str, given: dict[str, Any]) -> httpcore.ConnectionPool:
    address = httpx.URL(proxy if "://" in proxy else f"http://{proxy}")
    if address.scheme not in ("http", "https"):
        raise httpx.UnsupportedProtocol(f"a proxy of the kind {address.scheme}")
    auth = (address.username, address.password) if address.userinfo else None
    return httpcore.HTTPProxy(str(address.copy_with(userinfo=b"")), proxy_auth=auth, **given)


class _Deadline:
    """When the answer under way must have ended."""

    def __init__(self) -> None:
        self.at = math.inf

    def left(self, timeout: float | None) -> float:
        """Return the seconds that one step may still take; raise ReadTimeout when there are none."""
        rest = self.at - time.monotonic()
        if rest <= 0:
            raise httpcore.ReadTimeout("the time is over")
        return rest if timeout is None else min(rest, timeout)


class _Backend(httpcore.SyncBackend):
    """Connections that know the deadline: each step waits no longer than what is left."""

    def __init__(self, deadline: _Deadline) -> None:
        self._deadline = deadline

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:  # fmt: skip
        plain = super().connect_tcp(host, port, self._deadline.left(timeout), local_address, socket_options)
        return _Stream(plain, self._deadline)


class _Stream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream, deadline: _Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        secured = self._stream.start_tls(ssl_context, server_hostname, self._deadline.left(timeout))
        return _Stream(secured, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Body(httpx.SyncByteStream):
    """An answer's body, decoded step by step and counted both as it comes and as it is."""

    def __init__(self, answer: httpcore.Response, encoding: str, deadline: _Deadline, limits: Limits) -> None:
        self._answer = answer
        self._encoding = encoding
        self._deadline = deadline
        self._limits = limits

    def __iter__(self) -> Iterator[bytes]:
        n_bytes = 0
        for block in _decoded(self._counted(), self._encoding):
            n_bytes += len(block)
            if n_bytes > self._limits.most_bytes:
                raise _too_large(self._limits)
            yield block

    def _counted(self) -> Iterator[bytes]:
        n_bytes = 0
        with _as_httpx(self._deadline, self._limits):
            for block in self._answer.iter_stream():
                n_bytes += len(block)
                if n_bytes > self._limits.most_bytes:
                    raise _too_large(self._limits)
                # Bytes that are there at once never wait, so the time is looked at here too.
                self._deadline.left(None)
                yield block

    def close(self) -> None:
        """Close the connection of an answer that was not read to its end."""
        self._answer.close()


def _decoded(blocks: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    """Yield a body as it was before its Content-Encoding; one without any bytes is empty whatever that says."""
    if encoding in ("", "identity"):
        yield from blocks
        return
    pieces = (block[start : start + PIECE] for block in blocks for start in range(0, len(block), PIECE))
    first = next(pieces, None)
    if first is None:
        return
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise httpx.DecodingError(f"its Content-Encoding is {encoding[:40]!r}, which was not asked for")
    try:
        yield from _inflated(chain([first], pieces), encoding)
    except zlib.error as error:
        raise httpx.DecodingError(f"it is not the {encoding} that it says it is ({error})") from error


def _inflated(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Yield what is compressed, in one member or in several with zeros between them, as gzip allows."""
    inflating = zlib.decompressobj(GZIP_OR_ZLIB)
    for piece in pieces:
        while piece:
            if inflating.eof:
                piece = piece.lstrip(b"\0")
                if not piece:
                    break
                inflating = zlib.decompressobj(GZIP_OR_ZLIB)
            yield inflating.decompress(piece, STEP)
            piece = inflating.unconsumed_tail or inflating.unused_data
    # What is left is the rest of one match, of at most 258 bytes.
    yield inflating.flush()
    if not inflating.eof:
        raise httpx.DecodingError(f"its {encoding} breaks off")


def was_sent(error: BaseException | None) -> bool:
    """Tell whether a request had gone out when it took too long, so that a service may have worked on it."""
    cause = error.__cause__ if isinstance(error, TooSlow) else error
    return isinstance(cause, httpx.ReadTimeout | httpcore.ReadTimeout)


def _too_large(limits: Limits) -> TooLarge:
    return TooLarge(f"the answer has more than {limits.most_bytes / 1e6:g} MB")


@contextmanager
def _as_httpx(deadline: _Deadline, limits: Limits) -> Iterator[None]:
    """Raise what httpcore raises as the exception of httpx with the same name, or as TooSlow."""
    try:
        yield
    except FAILURES as error:
        if isinstance(error, httpcore.TimeoutException) and time.monotonic() >= deadline.at - 0.001:
            raise TooSlow(f"the answer was not whole within {limits.seconds:g} seconds") from error
        kind = getattr(httpx, type(error).__name__, httpx.TransportError)
        raise kind(str(error)) from error
