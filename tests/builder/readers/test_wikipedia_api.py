"""Pages of a live wiki: fetched politely, once a revision, with the names that lead to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from builder.documents.records import Document, Reject, Statement
from builder.http.throttle import Throttle
from builder.readers.registry import ReadOptions, items, parse
from builder.readers.source import Cut, Item, Source, sources_of
from builder.readers.wikipedia.client import Wiki
from builder.request import Summary
from tests.conftest import FIXTURES
from tests.wiki_server import WikiServer, hang_up, html_page, lagged, refused, state
from tests.worlds import dumped, rows
from weft.errors import UnreadableSource

TEXTS = {
    "Ondrel": "<p>The <b>ondrel</b> is played in <a href='/wiki/Noss_Avar'>Noss Avar</a>.</p>",
    "Noss Avar": "<p>A town.</p><h2 id='Trade'>Trade</h2><p>Salt.</p>",
    "AC/DC: Live?": "<p>A record.</p>",
}
REDIRECTS = {"Water harp": "Ondrel", "Old harp": "Water harp", "Harp of water": "Ondrel"}


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WikiServer]:
    with WikiServer(dict(TEXTS), dict(REDIRECTS)) as server:
        monkeypatch.setenv("WEFT_WIKIPEDIA", server.url)
        monkeypatch.setenv("WEFT_CACHE", str(tmp_path / "cache"))
        monkeypatch.setenv("WEFT_PAUSE", "0")
        monkeypatch.delenv("WEFT_OFFLINE", raising=False)
        yield server


def read(*names: str) -> list[Document | Reject | Cut]:
    """Return what the sources say."""
    said: list[Document | Reject | Cut] = []
    for source in sources_of(list(names)):
        for entry in items(source, ReadOptions()):
            outcome = parse((source.format, entry)) if isinstance(entry, Item) else entry
            assert isinstance(outcome, (Document, Reject, Cut))
            said.append(outcome)
    return said


def test_a_page_with_its_names_url_and_date(wiki: WikiServer) -> None:
    (page,) = read("wikipedia:Ondrel")
    assert isinstance(page, Document)
    assert page.title == "Ondrel"
    assert [(chunk.text, [link.target for link in chunk.links]) for chunk in page.chunks] == [
        ("The ondrel is played in Noss Avar.", ["Noss Avar"])
    ]
    assert page.statements == (
        Statement("redirect", "Harp of water", "Ondrel"),
        Statement("redirect", "Water harp", "Ondrel"),
    )
    assert page.url == f"{wiki.url}/wiki/Ondrel"
    assert page.modified == "2026-11-20T10:00:00Z"
    assert all(agent is not None and agent.startswith("Weft/") for agent in wiki.agents)
    assert all(request["maxlag"] == "5" for request in wiki.requests)


@pytest.mark.parametrize("name", ["ondrel", "Water_harp", "Old harp", " Ondrel "])
def test_a_name_leads_to_its_page(wiki: WikiServer, name: str) -> None:
    assert [page.title for page in read(f"wikipedia:{name}") if isinstance(page, Document)] == ["Ondrel"]


def test_titles_of_a_file_once_each_and_what_is_no_page(wiki: WikiServer, tmp_path: Path) -> None:
    names = "Water harp\n\nNowhere\nAC/DC: Live?\nOndrel\nA<b>\nOne|Ondrel\n"
    (tmp_path / "titles.txt").write_text(names, encoding="utf-8")
    said = read(f"wikipedia:@{tmp_path / 'titles.txt'}")
    assert [each.title for each in said if isinstance(each, Document)] == ["Ondrel", "AC/DC: Live?"]
    host = wiki.url.removeprefix("http://")
    assert [each for each in said if isinstance(each, Reject)] == [
        Reject("Nowhere", f"{host}: no such page"),
        Reject("A<b>", f'{host}: The requested page title contains invalid characters: "A<b>".'),
        Reject("One|Ondrel", f"{host}: no such page"),
    ]


def test_many_titles_are_asked_by_the_fifty(wiki: WikiServer, tmp_path: Path) -> None:
    wiki.pages = {f"Page {n}": f"<p>Text {n}.</p>" for n in range(1, 103)}
    wiki.revisions = dict.fromkeys(wiki.pages, 1)
    (tmp_path / "titles.txt").write_text("\n".join(wiki.pages), encoding="utf-8")
    assert len(read(f"wikipedia:@{tmp_path / 'titles.txt'}")) == 102
    assert wiki.counted() == {"parse": 102, "query": 3}


def test_many_redirects_come_in_several_answers(wiki: WikiServer) -> None:
    wiki.most_redirects = 1
    (page,) = read("wikipedia:Ondrel")
    assert isinstance(page, Document)
    assert [each.key for each in page.statements] == ["Harp of water", "Water harp"]
    assert wiki.counted() == {"parse": 1, "query": 2}


def test_a_page_is_fetched_once_a_revision(wiki: WikiServer, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("wikipedia:Water harp", "wikipedia:Noss Avar")
    first = read(*names)
    assert wiki.counted() == {"parse": 2, "query": 2}
    assert read(*names) == first
    assert wiki.counted() == {"query": 2}
    wiki.pages["Noss Avar"], wiki.revisions["Noss Avar"] = "<p>A city.</p>", 101
    changed = read(*names)
    assert wiki.counted() == {"parse": 1, "query": 2}
    assert changed[0] == first[0] and changed[1] != first[1]
    monkeypatch.setenv("WEFT_OFFLINE", "1")
    assert read(*names) == changed
    (unknown,) = read("wikipedia:Nowhere")
    assert isinstance(unknown, Reject) and "not in the cache" in unknown.reason
    assert wiki.counted() == {}


def test_another_wikis_pages_are_not_taken_from_the_cache(
    wiki: WikiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    read("wikipedia:Ondrel")
    with WikiServer({"Ondrel": "<p>Something else.</p>"}) as other:
        monkeypatch.setenv("WEFT_WIKIPEDIA", other.url)
        (page,) = read("wikipedia:Ondrel")
    assert isinstance(page, Document) and page.chunks[0].text == "Something else."


def test_a_build_from_a_wiki_equals_itself_and_its_update(
    wiki: WikiServer, tmp_path: Path, weave: Callable[..., Summary]
) -> None:
    wiki.pages = {
        name.replace("_", " "): (FIXTURES / "encyclopedia" / f"{name}.html").read_text(encoding="utf-8")
        for name in ("Ondrel", "Noss_Avar", "Ostrevane", "Ulmeskar")
    }
    wiki.revisions = dict.fromkeys(wiki.pages, 1)
    (tmp_path / "titles.txt").write_text("\n".join([*wiki.pages, "Nowhere"]), encoding="utf-8")
    summary = weave(f"wikipedia:@{tmp_path / 'titles.txt'}", "wikipedia:Old harp")
    assert summary.documents == {"read": 4, "duplicates": 1, "rejected": 1}
    first = dumped(tmp_path / "kb.skb")
    assert wiki.counted() == {"parse": 4, "query": 2}
    names = rows(tmp_path / "kb.skb", "SELECT name FROM alias WHERE kind = 'redirect' ORDER BY 1")
    assert {("Harp of water",), ("Water harp",)} <= set(names)
    labels = rows(tmp_path / "kb.skb", "SELECT DISTINCT source FROM source_item ORDER BY 1")
    assert labels == [("titles.txt",), ("wikipedia:Old harp",)]
    assert not weave(f"wikipedia:@{tmp_path / 'titles.txt'}", "wikipedia:Old harp").changed
    assert wiki.counted() == {"query": 2}
    assert dumped(tmp_path / "kb.skb") == first


@pytest.mark.parametrize("fault", [lagged, state(503), state(429), state(429, Retry_After="0"), hang_up])
def test_failures_that_pass_are_waited_for(wiki: WikiServer, fault: object) -> None:
    waits: list[float] = []
    throttle = Throttle("wiki", pause_s=0, sleep=waits.append)
    wiki.faults = [None, fault, fault]  # type: ignore[list-item]
    with closing(Wiki(wiki.url, throttle)) as client:
        assert client.states(["Ondrel"]).states["Ondrel"].revision == 100
        assert client.html("Ondrel") == (100, TEXTS["Ondrel"])
    assert waits == ([5.0, 5.0] if fault is lagged else [1.0, 2.0])


@pytest.mark.parametrize(
    ("fault", "said"),
    [(refused, "You need read permission"), (state(403), "HTTP 403 Forbidden"), (state(404), "HTTP 404 Not Found"),
     (html_page, "no answer of a MediaWiki but '<!DOCTYPE html><title>Log in to the network</title>'"),
     (state(503, Retry_After="9999"), "it asks to wait 9999 seconds")],
)  # fmt: skip
def test_a_wiki_that_does_not_answer_is_one_line(wiki: WikiServer, fault: object, said: str) -> None:
    wiki.faults = [fault]  # type: ignore[list-item]
    with pytest.raises(UnreadableSource) as failed:
        read("wikipedia:Ondrel")
    assert said in str(failed.value) and wiki.url in str(failed.value) and "\n" not in str(failed.value)


def test_without_a_network_one_line_says_so(wiki: WikiServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_WIKIPEDIA", "http://127.0.0.1:9")
    with pytest.raises(UnreadableSource, match=r"127\.0\.0\.1:9: cannot be reached"):
        read("wikipedia:Ondrel")
    monkeypatch.setenv("WEFT_WIKIPEDIA", "ftp://nowhere")
    with pytest.raises(UnreadableSource, match="no wiki's address"):
        read("wikipedia:Ondrel")


def test_a_wiki_that_fails_on_the_way_cuts_the_source(wiki: WikiServer, tmp_path: Path) -> None:
    (tmp_path / "titles.txt").write_text("Ondrel\nNoss Avar\n", encoding="utf-8")
    wiki.faults = [None, None, state(403)]
    first, second = read(f"wikipedia:@{tmp_path / 'titles.txt'}")
    assert isinstance(first, Document) and first.title == "Ondrel"
    assert isinstance(second, Cut) and "HTTP 403" in second.reason


@pytest.mark.parametrize(
    ("name", "label"),
    [("wikipedia:Ondrel", "wikipedia:Ondrel"), ("wikipedia:AC/DC: Live?", "wikipedia:AC%2FDC%3A Live%3F")],
)
def test_a_title_is_a_source_with_a_label(name: str, label: str) -> None:
    assert sources_of([name]) == [Source(label, "wikipedia", Path(label))]


@pytest.mark.parametrize("name", ["wikipedia:", "wikipedia: ", "wikipedia:@nowhere.txt", "wikipedia:@"])
def test_a_source_that_names_no_page_is_said(name: str) -> None:
    with pytest.raises(UnreadableSource, match=r"which page\?|no such file of titles"):
        sources_of([name])
