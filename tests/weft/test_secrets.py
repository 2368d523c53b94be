"""Keys and passwords in addresses are sent where they belong, and kept and shown nowhere."""

from __future__ import annotations

import base64
import gzip
import os
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

from interfaces.cli import main
from tests.hostile_server import Bytes, HostileServer, endless, json_of
from weft.http.addresses import secrets_in, shown, without_secrets

PASSWORD = "pa55w0rd-of-ann"
KEY = "k3y+of/ann"
QUOTED = "k3y%2Bof%2Fann"
SECRETS = (PASSWORD, KEY, QUOTED, "k3y%2Bof/ann", base64.b64encode(f"ann:{PASSWORD}".encode()).decode())


@pytest.mark.parametrize(
    ("address", "plain"),
    [
        ("https://kb.example/sparql", "https://kb.example/sparql"),
        ("https://kb.example/sparql?graph=http://g.example/a", "https://kb.example/sparql?graph=http://g.example/a"),
        ("https://ann:pw@kb.example:8443/", "https://kb.example:8443/"), ("http://tok3n@h/", "http://h/"),
        ("http://a:b@c@h/x", "http://h/x"), ("http://ann:p%40w@h", "http://h"), ("http://ann:p'w\"<>@h/", "http://h/"),
        ("http://ann:p/w@h/x", "http://h/x"), ("http://ann:p#w@h/", "http://h/"), ("ann:pw@h/x", "h/x"),
        ("http://ann:p w@h/", "http://h/"), ("http://h/#access_token=x", "http://h/"),
        ("http://h/?apikey=x&a=1", "http://h/?apikey=***&a=1"), ("http://h/?a=1&API_KEY=x", "http://h/?a=1&API_KEY=***"),
        ("http://h/?access_token=x;y'z", "http://h/?access_token=***"), ("http://h/?a=1;key=x", "http://h/?a=1;key=***"),
        ("http://h/?%6Bey=x", "http://h/?%6Bey=***"), ("http://h/?X-Amz-Signature=x", "http://h/?X-Amz-Signature=***"),
        ("http://h/?password=a b", "http://h/?password=***"), ("http://h/?pwd=x\n", "http://h/?pwd=***"),
        ("http://h/?client_secret=x#y", "http://h/?client_secret=***"), ("http://h/?sessionid=x", "http://h/?sessionid=***"),
        ("http://h/?apiKeyV2=x&WSTOKEN=y", "http://h/?apiKeyV2=***&WSTOKEN=***"), ("http://h/?key1=x", "http://h/?key1=***"),
        ("http://h/?db_pass=x&jsessionid=y", "http://h/?db_pass=***&jsessionid=***"), ("http://h/?user=x", "http://h/?user=***"),
        ("http://h/?oauth2=x&tokenId=y", "http://h/?oauth2=***&tokenId=***"), ("http://h/?jwt=x", "http://h/?jwt=***"),
        *((address, address) for address in (
            "http://h/?keyspace=a", "http://h/?author=a", "http://h/?keywords=x", "http://h/?sessions=2&max_tokens=3",
            "http://h/?country_code=1&secretary=b", "http://h/?authority=a&user_agent=b&passage=c&tokenizer=d",
        )),
        ("http://[::1", "http://[::1"), ("http://ann:pw@[::1", "http://[::1"),
    ],
)  # fmt: skip
def test_an_address_is_shown_without_its_secrets(address: str, plain: str) -> None:
    assert shown(address) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("no: https://ann:pw@h/x is not there", "no: https://h/x is not there"),
        ("https:/ann:pw@h/x: no such file", "https:/h/x: no such file"),
        ("moved to http://h/?key=abc; name it", "moved to http://h/?key=*** name it"),
        ("mail ann@h.example about what? a=b", "mail ann@h.example about what? a=b"),
        ("9+x://ann:pw@h/x", "9+x://h/x"), ("to http:///ann:pw@h", "to http:///h"), ("://a@b /c@d", "://a@b /c@d"),
        ("C/D: 3 a@b", "C/D: 3 a@b"), ("", ""),
    ],
)  # fmt: skip
def test_a_message_shows_no_secrets_of_addresses(text: str, plain: str) -> None:
    assert without_secrets(text) == plain


def test_secrets_are_known_in_every_spelling() -> None:
    assert set(SECRETS) <= set(secrets_in(f"http://ann:{PASSWORD}@h/?apikey={QUOTED}&graph=harmless"))
    assert secrets_in("http://h/?graph=harmless") == ()


def _echo(state: str, kind: str = "text/html") -> Bytes:
    """Give an answer that repeats the whole request."""
    def answer(server: HostileServer) -> Iterator[bytes]:
        body = f"{SECRETS} {server.requests[-1]}".encode()
        head = f"HTTP/1.1 {state}\r\nContent-Type: {kind}\r\nConnection: close\r\nRetry-After: 9999\r\n"
        yield f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
    return answer


def _moved(server: HostileServer) -> Iterator[bytes]:
    path = server.requests[-1].split()[1]
    place = f"http://ann:{PASSWORD}@127.0.0.1:9{path}&token={QUOTED}"
    yield f"HTTP/1.1 307 Moved\r\nLocation: {place}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()


TERM = {"type": "uri", "value": "http://dbpedia.org/resource/Ondrel"}
LABEL = {"type": "uri", "value": "http://www.w3.org/2000/01/rdf-schema#label"}
ROW = {"s": TERM, "p": LABEL, "o": {"type": "literal", "value": "Ondrel", "xml:lang": "en"}}
WIKI_ERROR = {"error": {"code": "x", "info": f"no {KEY} for {SECRETS[-1]}"}}


def _good(server: HostileServer) -> Iterator[bytes]:
    request = server.requests[-1]
    page = {"title": "Ondrel", "revisions": [{"revid": 1}]}
    answer = {
        "query": {"pages": [page]}, "parse": {"revid": 1, "text": "<p>The ondrel is a harp.</p>"},
        "results": {"bindings": [ROW] if "OFFSET+0" in request else []},
    }  # fmt: skip
    yield from json_of(answer)(server)


ANSWERS: dict[str, Bytes] = {
    "what it should": _good, "no rights": _echo("401 Unauthorized"), "forbidden": _echo(f"403 {PASSWORD}"),
    "nothing there": _echo("404 Not Found"), "broken": _echo("501 Not Implemented"), "busy": _echo(f"503 {KEY}"),
    "a page": _echo("200 OK"), "no JSON": _echo("200 OK", "application/json"), "moved": _moved,
    "an error": json_of(WIKI_ERROR), "without end": endless(b"HTTP/1.1 200 OK\r\n\r\n", b"0" * 100_000),
}  # fmt: skip


def _files(folder: Path) -> dict[str, bytes]:
    """Return all files' bytes, and their names, with what is compressed in them decompressed too."""
    found = {}
    for path in sorted(folder.rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        found[str(path.relative_to(folder))] = str(path).encode() + data
        if path.name == "wikipedia.sqlite":
            with closing(connect(path)) as cache:
                kept = cache.execute("SELECT html FROM page").fetchall()
            found[f"{path.name}: pages"] = b"".join(zlib.decompress(html) for (html,) in kept)
        if path.suffix == ".gz":
            found[f"{path.name}: text"] = gzip.decompress(data)
    return found


def _assert_no_secrets(text: str, folder: Path) -> None:
    for secret in (*SECRETS, "ann:"):
        assert secret not in text, text
        for name, data in _files(folder).items():
            assert secret.encode() not in data, name


@pytest.mark.parametrize("kind", ["--sparql", "wikipedia:"])
@pytest.mark.parametrize("name", ANSWERS)
def test_a_build_keeps_and_shows_no_secret(
    kind: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("WEFT_PAUSE", "0")
    monkeypatch.delenv("WEFT_OFFLINE", raising=False)
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.jsonl").write_text('{"title": "Ondrel", "text": "A harp."}\n')
    skb = str(tmp_path / "kb.skb")
    with HostileServer(ANSWERS[name]) as server:
        address = f"http://ann:{PASSWORD}@{server.host}/w/api.php?graph=g&apikey={QUOTED}"
        monkeypatch.setenv("WEFT_WIKIPEDIA", address)
        source = ["wikipedia:Ondrel"] if kind == "wikipedia:" else [str(tmp_path / "pages"), "--sparql", address]
        build = ["build", *source, "-o", skb, "--max-page-mb", "0.1", "--workers", "1"]
        runs = [build, build, [*build, "--dry-run"], [*build, "--json"], [*build, "--add"], ["info", skb],
                ["info", skb, "--rejects"], ["info", skb, "--json"], ["check", skb], ["dump", skb]]  # fmt: skip
        results = [CliRunner().invoke(main, run) for run in runs]
    for result in results:
        assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    assert results[0].exit_code == (0 if name == "what it should" else 1), results[0].output
    assert name == "what it should" or server.host in results[0].output
    _assert_no_secrets("".join(result.output for result in results), tmp_path)
    (authorized,) = {line for each in server.requests for line in each.splitlines() if line.startswith("Authorization")}
    assert authorized == f"Authorization: Basic {SECRETS[-1]}"
    assert all(f"apikey={KEY}" in unquote(request) for request in server.requests)


def test_an_address_that_is_taken_for_a_file_shows_no_secret(tmp_path: Path) -> None:
    for arguments in (
        ["build", f"https://ann:{PASSWORD}@h.example/?apikey={KEY}", "-o", str(tmp_path / "kb.skb")],
        ["build", str(tmp_path), "--rdf", f"https://ann:{PASSWORD}@h.example/x.nt?token={KEY}", "-o", "kb.skb"],
        ["build", str(tmp_path), "--sparql", f"ftp://ann:{PASSWORD}@h.example/?key={KEY}", "-o", "kb.skb"],
        ["search", f"https://ann:{PASSWORD}@h.example/kb.skb?key={KEY}", "x"],
    ):
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code in (1, 2)
        assert PASSWORD not in result.output and KEY not in result.output, result.output


OFFLINE = """
import sys
def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        print("CONNECTED", event, arguments)
sys.addaudithook(refuse)
from click.testing import CliRunner
from interfaces.cli import main
for arguments in eval(sys.argv[1]):
    result = CliRunner().invoke(main, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    print(result.exit_code, result.output)
"""


def test_nothing_connects_while_weft_offline_is_set(tmp_path: Path, world: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"title": "Ondrel", "text": "A harp."}\n')
    skb, pages = str(tmp_path / "kb.skb"), str(tmp_path / "a.jsonl")
    runs = [
        ["build", "wikipedia:Ondrel", "-o", skb],
        ["build", pages, "--sparql", "http://127.0.0.1:9/sparql", "-o", skb],
        ["build", pages, "--embedder", "openai:test", "-o", skb],
        ["build", pages, "--embedder", "minilm", "-o", skb],
        ["build", pages, "-o", skb], ["search", skb, "harp"], ["search", str(world), "harp"], ["info", skb],
    ]  # fmt: skip
    environment = os.environ | {
        "WEFT_OFFLINE": "1", "WEFT_CACHE": str(tmp_path / "cache"), "OPENAI_API_KEY": "sk-none-of-mine",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "WEFT_WIKIPEDIA": "http://127.0.0.1:9",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE, repr(runs)], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "CONNECTED" not in done.stdout
    assert done.stdout.count("WEFT_OFFLINE") >= 2
    assert "sk-none-of-mine" not in done.stdout + done.stderr
