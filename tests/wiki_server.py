"""A MediaWiki on loopback that serves the fixtures' pages through `api.php`, and misbehaves when told to."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

from tests.loopback_server import LoopbackServer

Fault = Callable[["Handler"], None]


class WikiServer(LoopbackServer):
    """Serves `pages` (title to text as HTML) with `revisions`; `redirects` are titles that lead to others.

    `faults` are done instead of the first answers, one each, `poisoned` ones whenever their title is asked for.
    """

    def __init__(self, pages: dict[str, str], redirects: dict[str, str] | None = None) -> None:
        self.pages = pages
        self.redirects = redirects or {}
        self.revisions = dict.fromkeys(pages, 100)
        self.most_redirects = 500
        self.faults: list[Fault | None] = []
        self.poisoned: dict[str, Fault] = {}
        self.requests: list[dict[str, str]] = []
        self.agents: set[str | None] = set()
        super().__init__(Handler, ThreadingHTTPServer)

    def counted(self) -> dict[str, int]:
        """Return the number of requests by action since the last call."""
        actions = [request["action"] for request in self.requests]
        self.requests.clear()
        return {action: actions.count(action) for action in sorted(set(actions))}


class Handler(BaseHTTPRequestHandler):
    """Answers `action=query` and `action=parse` as MediaWiki does with formatversion 2."""

    wbufsize = -1
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        owner: WikiServer = self.server.owner  # type: ignore[attr-defined]
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        request = {name: values[0] for name, values in form.items()}
        assert self.path == "/w/api.php" and request["format"] == "json" and request["formatversion"] == "2"
        owner.requests.append(request)
        owner.agents.add(self.headers["User-Agent"])
        fault = owner.faults.pop(0) if owner.faults else None
        for title in (*request.get("titles", "").split("|"), request.get("page", "")):
            fault = fault or owner.poisoned.get(f"{request['action']} {title}")
        if fault is not None:
            fault(self)
        else:
            self.send(200, _parse(owner, request) if request["action"] == "parse" else _query(owner, request))

    def send(self, state: int, answer: dict[str, Any] | bytes, **headers: str) -> None:
        body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(state)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def _query(owner: WikiServer, request: dict[str, str]) -> dict[str, Any]:
    names = request["titles"].split("|")
    assert len(names) <= 50
    after = int(request.get("rdcontinue", "0"))
    normalized, redirects, pages, rest = [], [], [], False
    for name in dict.fromkeys(names):
        title = re.sub(r"[_ ]+", " ", name).strip()
        title = title[:1].upper() + title[1:]
        if title != name:
            normalized.append({"fromencoded": False, "from": name, "to": title})
        while title in owner.redirects:
            redirects.append({"from": title, "to": owner.redirects[title]})
            title = owner.redirects[title]
        if any(page["title"] == title for page in pages):
            continue
        if re.search(r"[<>\[\]{}]", title):
            reason = f'The requested page title contains invalid characters: "{title}".'
            pages.append({"title": title, "invalid": True, "invalidreason": reason})
        elif title not in owner.pages:
            pages.append({"ns": 0, "title": title, "missing": True})
        else:
            page: dict[str, Any] = {"pageid": 7, "ns": 0, "title": title}
            if not after:
                page["revisions"] = [{"revid": owner.revisions[title], "timestamp": "2026-11-20T10:00:00Z"}]
            leading = sorted(each for each, target in owner.redirects.items() if target == title)
            shown = leading[after : after + owner.most_redirects]
            rest |= len(leading) > after + owner.most_redirects
            if shown:
                page["redirects"] = [{"pageid": 8, "ns": 0, "title": each} for each in shown]
            pages.append(page)
    answer: dict[str, Any] = {"batchcomplete": not rest, "query": {"pages": pages}}
    answer["query"] |= {"normalized": normalized} if normalized else {}
    answer["query"] |= {"redirects": redirects} if redirects else {}
    if rest:
        answer["continue"] = {"rdcontinue": str(after + owner.most_redirects), "continue": "||"}
    return answer


def _parse(owner: WikiServer, request: dict[str, str]) -> dict[str, Any]:
    title = request["page"]
    if title not in owner.pages:
        return {"error": {"code": "missingtitle", "info": "The page you specified doesn't exist."}}
    return {
        "parse": {"title": title, "pageid": 7, "revid": owner.revisions[title], "text": owner.pages[title]}
    }


def lagged(handler: Handler) -> None:
    """Refuse as a wiki does whose replicas lag behind."""
    error = {"code": "maxlag", "info": "Waiting for 10.64.0.1: 7 seconds lagged.", "lag": 7}
    handler.send(200, {"error": error}, Retry_After="5", X_Database_Lag="7")


def refused(handler: Handler) -> None:
    """Refuse as a private wiki does."""
    error = {"code": "readapidenied", "info": "You need read permission to use this module."}
    handler.send(200, {"error": error})


def state(code: int, **headers: str) -> Fault:
    """Give a fault that refuses with an HTTP state."""
    return lambda handler: handler.send(code, b"<html>no</html>", **headers)


def hang_up(handler: Handler) -> None:
    """Close the connection without a word."""
    handler.close_connection = True
    handler.connection.close()


def html_page(handler: Handler) -> None:
    """Answer with a page for people."""
    handler.send(200, b"<!DOCTYPE html><title>Log in to the network</title>")
