"""A server on loopback that speaks OpenAI's chat interface, well or as badly as a test wants."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock
from types import TracebackType
from typing import Any, NamedTuple

from tests.loopback_server import LoopbackServer


class Answer(NamedTuple):
    """What is sent: a state, a body (JSON, or bytes as they are) and headers; `cut` leaves out the body's end."""

    body: Any = b""
    state: int = 200
    headers: dict[str, str] = {}  # noqa: RUF012
    cut: int = 0

    @property
    def is_good(self) -> bool:
        """Whether it is a whole answer with a reply in it."""
        if self.state != 200 or self.cut or "Content-Length" in self.headers or not isinstance(self.body, dict):
            return False
        choices = self.body.get("choices") or []
        return any(isinstance(choice.get("message", {}).get("content"), str) for choice in choices)


HANG = Answer(state=0)
"""Says nothing until the client or the test has enough."""

DROP = Answer(state=-1)
"""Hangs up."""

Behaviour = Callable[[dict[str, Any], int], Answer]


def completion(*texts: Any, usage: Any = ..., **more: Any) -> dict[str, Any]:
    """Return an answer with these replies, 7 tokens read and 3 written a reply unless told otherwise."""
    choices = [
        {"index": index, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        for index, text in enumerate(texts)
    ]
    counted = {"prompt_tokens": 7, "completion_tokens": 3 * len(texts)} if usage is ... else usage
    return {"id": "x", "object": "chat.completion", "choices": choices, "usage": counted, **more}


def refusal(state: int, message: str = "no", headers: dict[str, str] | None = None, **error: Any) -> Answer:
    """Return an error as OpenAI's services tell it."""
    return Answer({"error": {"message": message, **error}}, state, headers or {})


def asked(request: dict[str, Any]) -> str:
    """Return the last turn of a request."""
    text: str = request["messages"][-1]["content"]
    return text


def echo(request: dict[str, Any], number: int) -> Answer:
    """Answer each of n samples with the last turn and the number of the request."""
    n = request.get("n", 1)
    return Answer(completion(*(f"re: {asked(request)} {number}.{sample}" for sample in range(n))))


def scripted(*answers: Answer | str) -> Behaviour:
    """Give answers in their order, the last one again and again; a string is a reply."""
    given = [Answer(completion(each)) if isinstance(each, str) else each for each in answers]
    return lambda request, number: given[min(number, len(given) - 1)]


class ChatServer(LoopbackServer):
    """Answers as `behave` says, which is given each request and its number.

    `requests` are all that came, `paid` counts those that were answered whole and
    well, by their last turn and seed; `most` is how many were there at once.
    """

    def __init__(self, behave: Behaviour = echo) -> None:
        self.behave = behave
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paid: Counter[tuple[str, Any]] = Counter()
        self.most = 0
        self._now = 0
        self.lock = Lock()
        self.ended = Event()
        super().__init__(_Handler, _Server)

    @property
    def prompts(self) -> list[str]:
        """The last turns of what came, in its order."""
        return [asked(request) for request in self.requests]

    def received(self, request: dict[str, Any], headers: dict[str, str]) -> Answer:
        """Note a request, and return what to answer."""
        with self.lock:
            self.requests.append(request)
            self.headers.append(headers)
            number = len(self.requests) - 1
            self._now += 1
            self.most = max(self.most, self._now)
        return self.behave(request, number)

    def over(self, request: dict[str, Any], answer: Answer) -> None:
        """Note that an answer is under way to the client."""
        with self.lock:
            self._now -= 1
            if answer.is_good:
                self.paid[asked(request), request.get("seed")] += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ended.set()
        super().__exit__(kind, error, trace)


class _Server(ThreadingHTTPServer):
    request_queue_size = 128


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        """Answer one request."""
        owner: ChatServer = self.server.owner  # type: ignore[attr-defined]
        body = self.rfile.read(int(self.headers["Content-Length"]))
        request = json.loads(body)
        assert self.path.endswith("/chat/completions")
        answer = owner.received(request, {name.lower(): value for name, value in self.headers.items()})
        owner.over(request, answer)
        if answer.state <= 0:
            if answer == HANG:
                owner.ended.wait(20)
            self.close_connection = True
            return
        self._send(answer)

    def _send(self, answer: Answer) -> None:
        data = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        data = data[: len(data) - answer.cut]
        headers = {"Content-Type": "application/json", "Content-Length": str(len(data)), **answer.headers}
        self.send_response(answer.state)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def turns(*texts: str) -> list[Sequence[Any]]:
    """Return a conversation of one turn for each text."""
    from weft.chat.base import Message

    return [(Message("user", text),) for text in texts]
