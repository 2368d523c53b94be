"""The base of the servers that tests start: on loopback, at a free port, for as long as a `with` block lasts."""

from __future__ import annotations

from http.server import ThreadingHTTPServer
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from types import TracebackType
from typing import Self


class LoopbackServer:
    """Answers requests by a class of handlers, which find this object as `self.server.owner`."""

    def __init__(
        self, handler: type[BaseRequestHandler], server: type[ThreadingTCPServer] | type[ThreadingHTTPServer]
    ) -> None:
        self._server = server(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._server.owner = self  # type: ignore[union-attr]
        self.host = f"127.0.0.1:{self._server.server_address[1]}"
        self.url = f"http://{self.host}"

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
