"""An embedding service may answer anything: one line says so, and the build goes on later where it was."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from builder.build import remove, settings_for
from builder.request import Settings, Summary
from interfaces.cli import main
from tests.hostile_server import BEYOND_LIMITS, NO_HTTP, NOT_JSON, REDIRECTED, Bytes, HostileServer, json_of, sent
from tests.worlds import page, rows, write_pages
from weft.embedders.minilm import absent_model
from weft.embedders.openai import OpenAiEmbedder
from weft.embedders.registry import embedder_on_record
from weft.errors import WeftError
from weft.http.limits import Limits
from weft.http.service import service_host
from weft.skb import Skb

KEY = "sk-3cr3t-k3y-of-mine"
TEXTS = ["one", "two"]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("WEFT_OFFLINE", raising=False)


def failure(
    answer: Bytes, monkeypatch: pytest.MonkeyPatch, retries: int = 0, seconds: float = 20.0
) -> tuple[str, HostileServer]:
    """Return the one line that encoding two texts ends in."""
    with HostileServer(answer) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        with pytest.raises(WeftError) as failed:
            OpenAiEmbedder("test", retries=retries, limits=Limits(200_000, seconds)).encode(TEXTS)
    line = str(failed.value)
    assert server.host in line and line.isprintable() and len(line) < 500 and KEY not in line
    assert line.endswith("the build goes on from here when it is run again")
    return line, server


def _data(*vectors: object) -> dict[str, Any]:
    return {"data": [{"index": place, "embedding": vector} for place, vector in enumerate(vectors)]}


WRONG: dict[str, Any] = {
    "a list": [], "null": None, "a string": "x", "no data": {}, "data that are null": {"data": None},
    "data that are a number": {"data": 3}, "data that are strings": {"data": ["x", "y"]}, "no vectors": {"data": []},
    "one vector for two": _data([1.0]), "three vectors for two": _data([1.0], [1.0], [1.0]),
    "one index twice": {"data": [{"index": 0, "embedding": [1.0]}] * 2},
    "indexes from one": {"data": [{"index": 1, "embedding": [1.0]}, {"index": 2, "embedding": [1.0]}]},
    "an index that is a list": {"data": [{"index": [0], "embedding": [1.0]}] * 2},
    "vectors of two lengths": _data([1.0], [1.0, 2.0]), "empty vectors": _data([], []),
    "vectors that are null": _data(None, None), "vectors that are numbers": _data(1.0, 2.0),
    "vectors in base64": _data("AACAPw==", "AACAPw=="), "words for numbers": _data(["a"], ["b"]),
    "numbers that are none": _data([float("nan")], [1.0]), "endless numbers": _data([float("inf")], [1.0]),
    "numbers too large": _data([1e300], [1.0]), "numbers of a thousand digits": _data([10**1000], [1.0]),
    "vectors of vectors": _data([[1.0]], [[1.0]]), "null for a number": _data([None], [1.0]),
    "vectors that are objects": _data({"a": 1}, {"a": 1}),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_answer_is_one_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "the endpoint gave" in failure(json_of(WRONG[name]), monkeypatch)[0]


@pytest.mark.parametrize("name", [*NO_HTTP, *NOT_JSON, *BEYOND_LIMITS, *REDIRECTED])
def test_an_answer_that_is_none_or_beyond_the_limits_is_one_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {**NO_HTTP, **{each: json_of(body) for each, body in NOT_JSON.items()}}
    answers |= {each: hostile.answer for each, hostile in (BEYOND_LIMITS | REDIRECTED).items()}
    seconds = BEYOND_LIMITS[name].seconds if name in BEYOND_LIMITS else 20.0
    line, server = failure(answers[name], monkeypatch, seconds=seconds)
    said = {each: hostile.said for each, hostile in BEYOND_LIMITS.items()}
    assert (said | {"endless headers": "Receive buffer too long"}).get(name, "") in line
    # On a busy machine a short time may be over before the request has arrived.
    assert len(server.requests) == 1 or (seconds < 1 and not server.requests)


@pytest.mark.parametrize("state", [429, 503, 500])
def test_refusals_that_pass_are_tried_again_so_often_and_no_more(state: int, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = f"HTTP/1.1 {state} Busy\r\nRetry-After-Ms: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()
    line, server = failure(sent(busy), monkeypatch, retries=3)
    assert str(state) in line and len(server.requests) == 4


def test_a_key_that_the_service_repeats_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    body = json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}", "code": "invalid_api_key"}}).encode()
    head = b"HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\n"
    refusal = head + f"Content-Length: {len(body)}\r\n\r\n".encode() + body
    line, server = failure(sent(refusal), monkeypatch)
    assert "Incorrect API key provided: ***" in line
    assert f"authorization: bearer {KEY}".lower() in server.requests[0].lower()


@pytest.mark.parametrize("key", ["sk-schlüssel", "sk-one\nX-Other: two", "sk-\x00secret", "sk-\ud800"])
def test_a_key_with_odd_characters_is_not_shown(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {"OPENAI_API_KEY": key, "OPENAI_BASE_URL": "http://127.0.0.1:9"})
    with pytest.raises(WeftError, match="OPENAI_API_KEY: has a character that no key has") as failed:
        OpenAiEmbedder("test", retries=0).encode(TEXTS)
    assert key not in str(failed.value)


@pytest.mark.parametrize("address", ["http://[::1", "ftp://127.0.0.1/", "nonsense", "http://ann:pa55word@h:port/"])
def test_a_base_address_that_is_none_is_one_line(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    with pytest.raises(WeftError, match="OPENAI_BASE_URL is no address of a service") as failed:
        OpenAiEmbedder("test", retries=0).encode(TEXTS)
    assert "pa55word" not in str(failed.value)


def test_vectors_come_in_the_order_of_the_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = {"data": [{"index": 1, "embedding": [0, 2]}, {"index": 0, "embedding": [3, 0]}]}
    with HostileServer(json_of(answer)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        np.testing.assert_array_equal(OpenAiEmbedder("test").encode(TEXTS), [[1, 0], [0, 1]])


class Service:
    """Embeds texts as vectors of `width` numbers, or gives `wrong` instead."""

    def __init__(self) -> None:
        self.width = 3
        self.wrong: Any = None
        self.n_texts = 0

    def __call__(self, server: HostileServer) -> Iterator[bytes]:
        texts = json.loads(server.requests[-1].partition("\r\n\r\n")[2])["input"]
        self.n_texts += len(texts)
        good = _data(*([1.0] * self.width for _ in texts))
        yield from json_of(good if self.wrong is None else self.wrong)(server)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    answering = Service()
    with HostileServer(answering) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        yield answering


OPENAI = Settings(embedder="openai:test")
Weave = Callable[..., Summary]


def _pages(tmp_path: Path, n: int = 3) -> Path:
    return write_pages(tmp_path / "pages", {f"P{i}.html": page(f"P{i}", f"Words of {i}.") for i in range(n)})


def test_a_build_that_a_wrong_answer_stopped_pays_for_no_text_twice(
    weave: Weave, tmp_path: Path, service: Service
) -> None:
    pages = _pages(tmp_path, 150)
    service.wrong = WRONG["numbers that are none"]
    with pytest.raises(WeftError, match="the endpoint gave"):
        weave(pages, settings=OPENAI)
    service.wrong, service.n_texts = None, 0
    assert weave(pages, settings=OPENAI).resumed
    assert service.n_texts == 300


def test_a_service_that_changes_its_model_is_one_line(weave: Weave, tmp_path: Path, service: Service) -> None:
    weave(_pages(tmp_path), settings=OPENAI)
    service.width = 5
    _pages(tmp_path, 4)
    with pytest.raises(WeftError, match="gives vectors of 5 numbers, and those kept have 3"):
        weave(tmp_path / "pages", settings=OPENAI)


@pytest.fixture
def foreign(weave: Weave, tmp_path: Path, service: Service) -> Path:
    """Make an SKB that names a service; from here on it is someone else's."""
    weave(_pages(tmp_path), settings=OPENAI)
    service.n_texts = 0
    return tmp_path / "kb.skb"


COMMANDS = [
    ["search", "SKB", "words"], ["search", "SKB", "words", "-m", "vector"], ["evaluate", "SKB", "Q", "-m", "hybrid"],
    ["build", "pages", "--add", "-o", "SKB"], ["train", "SKB", "Q", "-o", "fusion.json"],
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_an_skb_of_someone_else_sends_nothing(
    command: list[str], foreign: Path, tmp_path: Path, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_pages(tmp_path / "pages", {"New.html": page("New", "New words.")})
    (tmp_path / "Q").write_text('{"id": "1", "question": "words?", "gold": [{"title": "P1"}]}\n')
    result = CliRunner().invoke(main, [str(foreign) if each == "SKB" else each for each in command])
    assert result.exit_code == 1 and isinstance(result.exception, SystemExit), result.output
    assert service_host() in result.output and "WEFT_ALLOW_EMBEDDER=openai:test" in result.output
    assert service.n_texts == 0


def test_the_users_own_word_allows_it(
    foreign: Path, tmp_path: Path, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settings_for(foreign, embedder="openai:test").embedder == "openai:test"
    monkeypatch.setenv("WEFT_ALLOW_EMBEDDER", "minilm, openai:test")
    assert settings_for(foreign).embedder == "openai:test"
    with Skb(foreign) as skb:
        assert skb.embedder.encode(["words"]).shape == (1, 3)
    monkeypatch.setenv("WEFT_ALLOW_EMBEDDER", "openai:other")
    with Skb(foreign) as skb, pytest.raises(WeftError, match="WEFT_ALLOW_EMBEDDER=openai:test allows it"):
        _ = skb.embedder
    assert service.n_texts == 1


def test_searches_without_vectors_and_removals_need_no_word(foreign: Path, service: Service) -> None:
    assert CliRunner().invoke(main, ["search", str(foreign), "words", "-m", "bm25"]).exit_code == 0
    assert remove(foreign, ["P1"]).removed == 1
    assert rows(foreign, "SELECT count(*) FROM page") == [(2,)]
    assert service.n_texts == 0


NAMES = ["onnx:model", "onnx:/proc/self", "openai:x", "openai:", "onnx:", "x", "", 3, None, []]


@pytest.mark.parametrize("name", NAMES)
def test_what_an_skb_names_as_its_embedder_is_never_loaded_unasked(name: Any) -> None:
    with pytest.raises(WeftError) as failed:
        embedder_on_record(name).encode(["x"])
    assert str(failed.value).isprintable()


@pytest.mark.parametrize(("offline", "may_download", "said"), [
    ("1", True, "WEFT_OFFLINE is set"), ("1", False, "WEFT_OFFLINE is set"),
    ("0", False, "WEFT_ALLOW_EMBEDDER=minilm allows to download it"), ("", True, "failed"),
])  # fmt: skip
def test_a_model_that_is_absent_is_told_with_what_would_bring_it(
    offline: str, may_download: bool, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEFT_OFFLINE", offline)
    line = absent_model(may_download)
    assert said in line and ("WEFT_ALLOW_EMBEDDER" in line) == ("WEFT_ALLOW_EMBEDDER" in said)
