"""A server on loopback that answers every request with bytes of one's own, however wrong they are as HTTP."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Event
from types import TracebackType
from typing import NamedTuple

from tests.loopback_server import LoopbackServer

Bytes = Callable[["HostileServer"], Iterator[bytes]]
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CLOSED = OK + b"Connection: close\r\n\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
ZEROS = b"\0" * 50_000


class HostileServer(LoopbackServer):
    """Sends what `answer` yields and hangs up; `requests` are the first lines and headers that came."""

    def __init__(self, answer: Bytes) -> None:
        self.answer = answer
        self.requests: list[str] = []
        self.ended = Event()
        super().__init__(Handler, ThreadingTCPServer)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ended.set()
        super().__exit__(kind, error, trace)


class Handler(StreamRequestHandler):
    """Reads one request and sends bytes until the client has enough."""

    timeout = 10

    def handle(self) -> None:
        owner: HostileServer = self.server.owner  # type: ignore[attr-defined]
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = self.rfile.readline()
            if not line:
                return
            head += line
        length = [line.split(b":")[1] for line in head.lower().splitlines() if line.startswith(b"content-length")]
        body = self.rfile.read(int(length[0])) if length else b""
        owner.requests.append((head + body).decode())
        try:
            for block in owner.answer(owner):
                self.wfile.write(block)
                self.wfile.flush()
        except (TimeoutError, BrokenPipeError, ConnectionResetError):
            return


def sent(*blocks: bytes) -> Bytes:
    """Give an answer of these bytes."""
    return lambda server: iter(blocks)


def redirected(location: str, state: int = 307) -> Bytes:
    """Give a redirect; HOST in it is the server's own."""
    def answer(server: HostileServer) -> Iterator[bytes]:
        place = location.replace("HOST", server.host)
        yield f"HTTP/1.1 {state} Moved\r\nLocation: {place}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".encode()
    return answer


def endless(start: bytes, block: bytes) -> Bytes:
    """Give an answer that goes on until the client hangs up."""
    def answer(server: HostileServer) -> Iterator[bytes]:
        yield start
        while not server.ended.is_set():
            yield block
    return answer


def dripping(start: bytes, block: bytes) -> Bytes:
    """Give an answer that goes on slowly, a block each 20 ms."""
    def answer(server: HostileServer) -> Iterator[bytes]:
        yield start
        while not server.ended.wait(0.02):
            yield block
    return answer


def silent(server: HostileServer) -> Iterator[bytes]:
    """Take the request and say nothing."""
    server.ended.wait(10)
    return iter(())


def json_of(answer: object) -> Bytes:
    """Give a correct HTTP answer of this JSON."""
    body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    return sent(OK + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)


class Hostile(NamedTuple):
    """An answer, and a word of the message that it must end in."""

    answer: Bytes
    said: str

    @property
    def seconds(self) -> float:
        """The time to give it: little where the time is what ends it, else more than a busy machine needs."""
        return 0.2 if self.said == "not whole within" else 20.0


GZIPPED = OK + b"Connection: close\r\nContent-Encoding: gzip\r\n\r\n"
BOMB = gzip.compress(b" " * 30_000_000, 1)
BEYOND_LIMITS = {
    "an endless body": Hostile(endless(CLOSED, ZEROS), "more than 0.2 MB"),
    "an endless chunked body": Hostile(endless(CHUNKED, b"c350\r\n" + ZEROS + b"\r\n"), "more than 0.2 MB"),
    "a length above the limit": Hostile(sent(OK + b"Content-Length: 99999999999999999999\r\n\r\n"), "more than 0.2 MB"),
    "much in a little gzip": Hostile(sent(GZIPPED, BOMB), "more than 0.2 MB"),
    "endless gzip of nothing": Hostile(
        endless(GZIPPED + b"\x1f\x8b\x08\0\0\0\0\0\0\xff", b"\0\0\0\xff\xff" * 5_000), "more than 0.2 MB"
    ),
    "endless headers": Hostile(endless(OK, b"X: " + b"y" * 10_000 + b"\r\n"), "broke off"),
    "endless interim answers": Hostile(endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), "not whole within"),
    "a body by drips": Hostile(dripping(CLOSED, b" "), "not whole within"),
    "headers by drips": Hostile(dripping(OK, b"X: y\r\n"), "not whole within"),
    "a first line by drips": Hostile(dripping(b"HTTP/1.1 200 ", b"O"), "not whole within"),
    "gzip by drips": Hostile(dripping(GZIPPED + BOMB[:10], b"\0\0\0\xff\xff"), "not whole within"),
    "silence": Hostile(silent, "not whole within"),
}
REDIRECTED = {
    "a circle of redirects": Hostile(redirected("http://HOST/w/api.php"), "more than 3 redirects"),
    "another host": Hostile(redirected("http://localhost:9/w/api.php"), "has moved to http://localhost:9/w/api.php"),
    "another port": Hostile(redirected("http://127.0.0.1:9/"), "has moved to http://127.0.0.1:9/"),
    "another scheme, port as it was": Hostile(redirected("https://HOST/"), "has moved to https://127.0.0.1"),
    "ftp": Hostile(redirected("ftp://HOST/x"), "has moved to ftp://"),
    "a file": Hostile(redirected("file:///etc/passwd"), "has moved to file:///etc/passwd"),
    "credentials of its own": Hostile(redirected("http://ann:pass@HOST/"), "has moved to http://127.0.0.1"),
    "an address that is none": Hostile(redirected("http://[::1"), "Invalid URL in location header"),
    "a port that is none": Hostile(redirected("http://127.0.0.1:port/"), "Invalid URL in location header"),
    "no address": Hostile(sent(b"HTTP/1.1 303 See Other\r\nContent-Length: 0\r\n\r\n"), "to no address"),
}
NO_HTTP = {
    "nothing": sent(b""),
    "no HTTP": sent(b"SSH-2.0-OpenSSH_9.6\r\n"),
    "bytes": sent(bytes(range(256)) * 4),
    "a status that is none": sent(b"HTTP/1.1 abc OK\r\n\r\n"),
    "a body cut short": sent(OK + b"Content-Length: 1000\r\n\r\n{"),
    "chunks cut short": sent(CHUNKED + b"5\r\n{\"a\""),
    "chunks of no size": sent(CHUNKED + b"zz\r\n{}\r\n"),
    "chunks of a size below nothing": sent(CHUNKED + b"-5\r\n{}\r\n"),
    "two lengths": sent(OK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}"),
    "a length that is none": sent(OK + b"Content-Length: -1\r\n\r\n{}"),
    "gzip that is none": sent(GZIPPED, b"{}"),
    "gzip cut short": sent(GZIPPED, gzip.compress(b'{"query": {}}' * 99)[:40]),
    "an encoding that was not asked for": sent(OK + b"Connection: close\r\nContent-Encoding: br\r\n\r\n{}"),
    "a page for people": sent(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<h1>Hi</h1>"),
    "a film": sent(b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nConnection: close\r\n\r\n", ZEROS),
    "an empty body": sent(CLOSED),
    "a state without a body": sent(b"HTTP/1.1 204 No Content\r\n\r\n"),
    "a state that nobody knows": sent(b"HTTP/1.1 799 \x1b]0;title\x07\r\nContent-Length: 0\r\n\r\n"),
}

DEEP = b"[" * 100_000 + b"]" * 100_000
NOT_JSON = {
    "half": b'{"query": {"pages": [',
    "deep nesting": DEEP,
    "deep nesting of objects": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "invalid UTF-8": b'{"query": "\xff\xfe"}',
    "UTF-16": '{"query": {}}'.encode("utf-16"),
    "null characters": b"\0" * 100,
    "a number of a million digits": b"9" * 100_000,
}

