"""An SKB that was updated equals one that was built anew, and an update does no work twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from builder.build import build, remove
from builder.readers.source import labels_of
from builder.request import Request, Settings, Summary
from tests.loopback_server import LoopbackServer
from tests.worlds import dumped, link, page, rows, triple, write_pages, write_records
from weft.arrays.vectors import load_vectors, write_block
from weft.errors import BeingBuilt
from weft.file_format.checksums import identity
from weft.meta import set_meta
from weft.schema import create, open_skb
from weft.skb import Skb
from weft.sparse.sparse_rows import load_sparse

Weave = Callable[..., Summary]
Query = "SELECT title, source, place FROM page JOIN source_item ON source_item.id = source_id ORDER BY title"


def _rebuilt(tmp_path: Path, *sources: Path, **options: object) -> list[str]:
    output = tmp_path / "rebuilt.skb"
    output.unlink(missing_ok=True)
    request = Request(tuple(map(str, sources)), output, workers=1)
    build(request._replace(**options))  # type: ignore[arg-type]
    return dumped(output)


def _states(tmp_path: Path) -> dict[object, object]:
    return dict(rows(tmp_path / "kb.skb", "SELECT source || '/' || place, state FROM source_item"))  # type: ignore[arg-type]


# duplicates


def test_the_first_source_has_the_page_then_the_first_place(weave: Weave, tmp_path: Path) -> None:
    one = write_pages(tmp_path / "one", {"b.html": page("T", "one b"), "a.html": page("T", "one a")})
    two = write_pages(tmp_path / "two", {"a.html": page("T", "two a")})
    for sources, winner in (((one, two), "one/a.html"), ((two, one), "two/a.html"), ((one, two), "one/a.html")):
        weave(*sources)
        assert {place for place, state in _states(tmp_path).items() if state == "ok"} == {winner}
        assert sorted(map(str, _states(tmp_path).values())) == ["duplicate", "duplicate", "ok"]
        assert dumped(tmp_path / "kb.skb") == _rebuilt(tmp_path, *sources)
    assert weave(two, one).documents == {"read": 1, "unchanged": 2}


def test_a_duplicate_takes_over_when_the_winner_goes_or_changes_its_title(weave: Weave, tmp_path: Path) -> None:
    one = write_pages(tmp_path / "one", {"a.html": page("T", "one a"), "b.html": page("T", "one b")})
    two = write_pages(tmp_path / "two", {"c.html": page("T", "two c"), "bad.html": ""})
    weave(one, two)
    write_pages(one, {"a.html": page("U", "one a")})
    assert weave(one, two).documents == {"read": 2, "unchanged": 1, "rejected": 1}
    assert rows(tmp_path / "kb.skb", Query) == [("T", "one", "b.html"), ("U", "one", "a.html")]
    assert dumped(tmp_path / "kb.skb") == _rebuilt(tmp_path, one, two)
    (one / "b.html").unlink()
    assert weave(one, two).documents == {"read": 1, "unchanged": 1, "rejected": 1}
    assert rows(tmp_path / "kb.skb", Query) == [("T", "two", "c.html"), ("U", "one", "a.html")]
    assert dumped(tmp_path / "kb.skb") == _rebuilt(tmp_path, one, two)
    write_pages(one, {"a.html": page("T", "one a")})
    weave(one, two)
    assert dumped(tmp_path / "kb.skb") == _rebuilt(tmp_path, one, two)
    weave(two)
    assert rows(tmp_path / "kb.skb", Query) == [("T", "two", "c.html")]
    assert dumped(tmp_path / "kb.skb") == _rebuilt(tmp_path, two)


def test_a_duplicate_takes_over_from_a_winner_that_broke(weave: Weave, tmp_path: Path) -> None:
    one = write_pages(tmp_path / "one", {"a.html": page("T", "one a"), "b.html": page("T", "one b")})
    weave(one)
    write_pages(one, {"a.html": ""})
    weave(one)
    assert rows(tmp_path / "kb.skb", Query) == [("T", "one", "b.html")]
    assert dumped(tmp_path / "kb.skb") == _rebuilt(tmp_path, one)


def test_a_page_and_a_record_of_one_title_are_duplicates(weave: Weave, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"a.html": page("T", "page")})
    records = write_records(tmp_path / "r.jsonl", [{"title": "T", "text": "record"}, {"title": "U", "text": "other"}])
    weave(records, pages)
    assert rows(tmp_path / "kb.skb", Query) == [("T", "r.jsonl", "T"), ("U", "r.jsonl", "U")]
    write_records(records, [{"title": "U", "text": "other"}])
    weave(records, pages)
    assert rows(tmp_path / "kb.skb", Query) == [("T", "pages", "a.html"), ("U", "r.jsonl", "U")]
    assert dumped(tmp_path / "kb.skb") == _rebuilt(tmp_path, records, pages)


def test_random_changes_of_duplicates_leave_what_a_rebuild_gives(weave: Weave, tmp_path: Path) -> None:
    choose = random.Random(23)
    folders = [write_pages(tmp_path / name, {}) for name in ("one", "two", "three")]
    for step in range(12):
        for folder in folders:
            for name in ("a.html", "b.html", "c.html"):
                if step == 0 or choose.random() < 0.4:
                    title = choose.choice("TUVW")
                    text = page(title, f"{step} to {link(choose.choice('TUVW'))}") if choose.random() < 0.9 else ""
                    write_pages(folder, {name: text})
        choose.shuffle(folders)
        weave(*folders)
        assert dumped(tmp_path / "kb.skb") == _rebuilt(tmp_path, *folders)


# records


def test_records_of_one_title_are_one_page_and_remain_so(weave: Weave, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    records: list[dict[str, object]] = [
        {"title": "A", "text": "first"}, {"title": "B", "text": "middle"}, {"title": "A", "text": "second"},
        {"title": " A ", "text": "first"}, {"title": "a", "text": "small"},
    ]  # fmt: skip
    texts = "SELECT uri, text FROM chunk ORDER BY uri"
    weave(write_records(path, records))
    assert rows(tmp_path / "kb.skb", texts) == [
        ("A##1", "first"), ("A##2", "second"), ("B##1", "middle"), ("a##1", "small"),
    ]  # fmt: skip
    assert _states(tmp_path) == {"r.jsonl/A": "ok", "r.jsonl/B": "ok", "r.jsonl/a": "ok"}
    records.append({"title": "A", "text": "third"})
    weave(write_records(path, records))
    del records[0]
    weave(write_records(path, records))
    assert rows(tmp_path / "kb.skb", texts)[:3] == [("A##1", "second"), ("A##2", "first"), ("A##3", "third")]
    assert dumped(tmp_path / "kb.skb") == _rebuilt(tmp_path, path)


def test_records_of_two_sources_are_not_one_page(weave: Weave, tmp_path: Path) -> None:
    one = write_records(tmp_path / "one.jsonl", [{"title": "A", "text": "first"}])
    two = write_records(tmp_path / "two.jsonl", [{"title": "A", "text": "second"}])
    weave(one, two)
    assert rows(tmp_path / "kb.skb", "SELECT text FROM chunk") == [("first",)]
    assert _states(tmp_path) == {"one.jsonl/A": "ok", "two.jsonl/A": "duplicate"}


# adding and removing

FACTS = triple("A", "knows", "B") + triple("C", "knows", "A") + triple("B", "near", "C")


def _fact_file(tmp_path: Path, text: str = FACTS, name: str = "f.nt") -> str:
    (tmp_path / name).write_text(text)
    return str(tmp_path / name)


def test_adding_keeps_what_is_there(weave: Weave, tmp_path: Path) -> None:
    one = write_pages(tmp_path / "one", {"A.html": page("A", f"To {link('B')}.")})
    two = write_pages(tmp_path / "two", {"C.html": page("C", f"To {link('A')} and {link('B')}.")})
    facts = _fact_file(tmp_path)
    relations = "SELECT count(*) FROM relation"
    weave(one, rdf=(facts,))
    assert rows(tmp_path / "kb.skb", relations) == [(1,)]
    summary = weave(two, add=True)
    assert (summary.removed, summary.facts_removed, summary.facts_retained) == (0, 0, 1)
    assert [title for title, *_ in rows(tmp_path / "kb.skb", Query)] == ["A", "C"]
    assert rows(tmp_path / "kb.skb", relations) == [(1,)]
    assert not weave(two, add=True).changed
    weave(one, two, rdf=(facts,))
    assert rows(tmp_path / "kb.skb", relations) == [(3,)]
    assert dumped(tmp_path / "kb.skb") == _rebuilt(tmp_path, one, two, rdf=(facts,))


def test_adding_with_the_facts_named_equals_a_rebuild(weave: Weave, tmp_path: Path) -> None:
    one = write_pages(tmp_path / "one", {"A.html": page("A", f"To {link('B')}.")})
    two = write_pages(tmp_path / "two", {"C.html": page("C", f"To {link('A')} and {link('B')}.")})
    facts = _fact_file(tmp_path)
    weave(one, rdf=(facts,))
    weave(two, rdf=(facts,), add=True)
    assert dumped(tmp_path / "kb.skb") == _rebuilt(tmp_path, one, two, rdf=(facts,))


def test_adding_a_folder_of_the_same_name_keeps_the_other(weave: Weave, tmp_path: Path) -> None:
    one = write_pages(tmp_path / "one" / "pages", {"a.html": page("A", "first")})
    two = write_pages(tmp_path / "two" / "pages", {"a.html": page("B", "second")})
    weave(one)
    weave(two, add=True)
    assert rows(tmp_path / "kb.skb", Query) == [("A", "pages", "a.html"), ("B", "two/pages", "a.html")]
    write_pages(one, {"a.html": page("A", "first again")})
    weave(one, add=True)
    weave(two, add=True)
    assert rows(tmp_path / "kb.skb", "SELECT text FROM chunk ORDER BY text") == [("first again",), ("second",)]


def test_facts_no_longer_named_go(weave: Weave, tmp_path: Path) -> None:
    one = write_pages(tmp_path / "one", {"A.html": page("A", f"To {link('B')}.")})
    facts = _fact_file(tmp_path, FACTS + '<http://x/A> <http://x/size> "4" .\n<http://x/A> <http://x/is> <broken .\n')
    weave(one, rdf=(facts,))
    assert weave(one).facts_removed == 1
    assert dumped(tmp_path / "kb.skb") == _rebuilt(tmp_path, one)


def test_sources_no_longer_named_go_and_are_counted(weave: Weave, tmp_path: Path) -> None:
    one = write_pages(tmp_path / "one", {"A.html": page("A", "first"), "B.html": page("B", "second")})
    two = write_pages(tmp_path / "two", {"C.html": page("C", "third")})
    weave(one, two)
    assert weave(two).removed == 2
    assert dumped(tmp_path / "kb.skb") == _rebuilt(tmp_path, two)


def test_removed_pages_leave_what_a_rebuild_without_them_gives(weave: Weave, tmp_path: Path) -> None:
    names = ["A", "B", "C", "D", "E"]
    texts = {f"{n}.html": page(n, f"To {link(names[i - 1])} and {link(names[i - 2])}.") for i, n in enumerate(names)}
    texts["D2.html"] = page("D", "a duplicate")
    pages = write_pages(tmp_path / "pages", texts)
    facts = _fact_file(tmp_path, FACTS + triple("D", "knows", "E") + triple("E", "knows", "A"))
    triples = write_records(
        tmp_path / "t.jsonl",
        [{"subject": "B", "predicate": "likes", "object": "D", "title": "B"},
         {"subject": "D", "predicate": "likes", "object": "F"}],
    )  # fmt: skip
    weave(pages, rdf=(facts,), triples=(str(triples),))
    summary = remove(tmp_path / "kb.skb", ["D", "b", "D"])
    assert (summary.removed, summary.counts["page"]) == (2, 3)
    for name in ("B.html", "D.html", "D2.html"):
        (pages / name).unlink()
    assert dumped(tmp_path / "kb.skb") == _rebuilt(tmp_path, pages, rdf=(facts,), triples=(str(triples),))
    assert rows(tmp_path / "kb.skb", "SELECT uri FROM entity WHERE page_id IS NULL ORDER BY 1") == [
        ("B",), ("D",), ("F",),
    ]  # fmt: skip


def test_a_stopped_removal_is_gone_on_with(weave: Weave, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {f"{name}.html": page(name, f"page {name}") for name in "ABC"})
    weave(pages)
    (tmp_path / "held.skb").write_bytes((tmp_path / "kb.skb").read_bytes())
    remove(tmp_path / "kb.skb", ["B"])
    # What a removal killed after its first commit leaves behind: the old file and a working copy without the page.
    os.replace(tmp_path / "kb.skb", tmp_path / "kb.skb.part")
    os.replace(tmp_path / "held.skb", tmp_path / "kb.skb")
    _mark_job(tmp_path / "kb.skb.part", "remove ['B']", identity(tmp_path / "kb.skb"))
    assert remove(tmp_path / "kb.skb", ["B"]).resumed
    assert [title for title, *_ in rows(tmp_path / "kb.skb", Query)] == ["A", "C"]


def _mark_job(path: Path, job: str, copied_from: str | None = None) -> None:
    import sqlite3

    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO meta VALUES ('job', ?)", (json.dumps(job),))
    if copied_from is not None:
        connection.execute("INSERT INTO meta VALUES ('copied_from', ?)", (json.dumps(copied_from),))
    connection.commit()
    connection.close()


def test_another_order_of_sources_counts_for_what_is_added_later(weave: Weave, tmp_path: Path) -> None:
    one = write_pages(tmp_path / "one", {"a.html": page("A", "first")})
    two = write_pages(tmp_path / "two", {"b.html": page("B", "second")})
    weave(one, two)
    weave(two, one)
    write_pages(two, {"c.html": page("A", "third")})
    weave(two, add=True)
    assert dumped(tmp_path / "kb.skb") == _rebuilt(tmp_path, two, one)


# embeddings


class Endpoint(LoopbackServer):
    """An endpoint for embeddings on this machine that counts the texts it is given and can take its time."""

    def __init__(self) -> None:
        self.texts: Counter[str] = Counter()
        self.requests: list[list[str]] = []
        self.wait_s = 0.0
        self.size = 8
        self.lose = 0
        super().__init__(EndpointHandler, ThreadingHTTPServer)

    def vector(self, text: str) -> list[float]:
        """Return the vector of a text: random, the same for the same text."""
        return [random.Random(text).gauss(0, 1) for _ in range(self.size)]

    def unit(self, text: str) -> list[float]:
        """Return the vector scaled to length 1."""
        row = np.array(self.vector(text))
        return list(row / np.linalg.norm(row))


class EndpointHandler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        endpoint: Endpoint = self.server.owner  # type: ignore[attr-defined]
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        endpoint.texts.update(texts)
        endpoint.requests.append(texts)
        time.sleep(endpoint.wait_s)
        data = [
            {"object": "embedding", "index": n, "embedding": endpoint.vector(text)}
            for n, text in enumerate(texts[endpoint.lose :])
        ]
        body = json.dumps({"object": "list", "model": "test", "data": data[::-1], "usage": {}}).encode()
        try:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            return

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """Serve embeddings to what runs with this environment."""
    with Endpoint() as served:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{served.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield served


OPENAI = Settings(embedder="openai:test")


def _pages_of_words(folder: Path, n: int) -> Path:
    return write_pages(folder, {f"P{i:03}.html": page(f"P{i:03}", f"Words of {i}.", f"More of {i}.") for i in range(n)})


def test_a_change_of_one_page_embeds_only_its_changed_texts(weave: Weave, tmp_path: Path, endpoint: Endpoint) -> None:
    pages = _pages_of_words(tmp_path / "pages", 12)
    weave(pages, settings=OPENAI)
    assert endpoint.texts["P003\nWords of 3."] == 1
    assert max(endpoint.texts.values()) == 1
    assert sum(endpoint.texts.values()) == 12 * 3
    endpoint.texts.clear()
    write_pages(pages, {"P003.html": page("P003", "Words of 3.", "Changed.", f"To {link('Nowhere')}.")})
    weave(pages, settings=OPENAI)
    assert endpoint.texts == {"P003\nChanged.": 1, "P003\nTo Nowhere.": 1, "Nowhere": 1}
    assert dumped(tmp_path / "kb.skb", vectors=True) == _vectors_of_a_rebuild(tmp_path, pages)
    endpoint.texts.clear()
    (pages / "P004.html").unlink()
    weave(pages, settings=OPENAI)
    remove(tmp_path / "kb.skb", ["P005"])
    assert endpoint.texts == {}
    (pages / "P005.html").unlink()
    assert dumped(tmp_path / "kb.skb", vectors=True) == _vectors_of_a_rebuild(tmp_path, pages)


def _vectors_of_a_rebuild(tmp_path: Path, pages: Path) -> list[str]:
    _rebuilt(tmp_path, pages, settings=OPENAI)
    return dumped(tmp_path / "rebuilt.skb", vectors=True)


def test_equal_texts_are_embedded_once(weave: Weave, tmp_path: Path, endpoint: Endpoint) -> None:
    pages = write_pages(tmp_path / "pages", {"A.html": page("A", "Same.", "Same.", "Same.")})
    weave(pages, settings=OPENAI)
    assert endpoint.texts == {"A\nSame.": 1, "A": 1}
    with open_skb_closing(tmp_path / "kb.skb") as skb:
        found = skb.vectors("chunk")
    assert found.rows.shape == (3, 8)
    np.testing.assert_allclose(found.rows[2], endpoint.unit("A\nSame."), atol=1e-6)


def open_skb_closing(path: Path) -> Skb:
    """Open an SKB that a `with` statement closes."""
    return Skb(path)


def test_another_embedder_embeds_all_anew(weave: Weave, tmp_path: Path, endpoint: Endpoint) -> None:
    pages = _pages_of_words(tmp_path / "pages", 3)
    weave(pages)
    weave(pages, settings=OPENAI)
    assert sum(endpoint.texts.values()) == 9
    endpoint.texts.clear()
    endpoint.size = 5
    weave(pages, settings=Settings(embedder="openai:other"))
    assert sum(endpoint.texts.values()) == 9
    with open_skb_closing(tmp_path / "kb.skb") as skb:
        assert skb.vectors("chunk").rows.shape == (6, 5)
        assert skb.meta("embedder") == "openai:other"
    assert list(posting_spaces(tmp_path)) == []
    weave(pages)
    with open_skb_closing(tmp_path / "kb.skb") as skb:
        assert load_sparse(skb.connection, "chunk").rows.n == 6
    assert list(posting_spaces(tmp_path)) == ["chunk", "label", "relation_type", "section"]
    assert rows(tmp_path / "kb.skb", "SELECT count(*) FROM vector_text") == [(0,)]


def posting_spaces(folder: Path) -> Iterator[str]:
    """Yield the vector spaces that have postings, by name."""
    names = rows(folder / "kb.skb", "SELECT DISTINCT name FROM array WHERE name GLOB 'posting.*.word' ORDER BY 1")
    yield from (str(name).split(".")[1] for (name,) in names)


def test_half_precision_is_kept_in_half_the_space_and_read_as_float32(
    weave: Weave, tmp_path: Path, endpoint: Endpoint
) -> None:
    pages = _pages_of_words(tmp_path / "pages", 3)
    weave(pages, settings=OPENAI._replace(vector_dtype="float16"))
    query = "SELECT length(rows) FROM vector WHERE space = 'chunk'"
    assert rows(tmp_path / "kb.skb", query) == [(6 * 8 * 2,)]
    connection = open_skb(tmp_path / "kb.skb")
    found = load_vectors(connection, "chunk")
    texts = dict(connection.execute("SELECT chunk.id, page.title || char(10) || text FROM chunk JOIN page"
                                    " ON page.id = page_id"))  # fmt: skip
    connection.close()
    assert found.rows.dtype == np.float32
    wanted = [endpoint.unit(texts[identity]) for identity in found.ids.tolist()]
    np.testing.assert_allclose(found.rows, wanted, atol=1e-3)
    weave(pages, settings=OPENAI)
    assert rows(tmp_path / "kb.skb", query) == [(6 * 8 * 4,)]


def test_an_endpoint_that_gives_too_few_vectors_is_one_line(weave: Weave, tmp_path: Path, endpoint: Endpoint) -> None:
    from weft.errors import WeftError

    pages = _pages_of_words(tmp_path / "pages", 3)
    endpoint.lose = 1
    with pytest.raises(WeftError, match="5 usable vectors for 6 texts"):
        weave(pages, settings=OPENAI)
    endpoint.lose = 0
    assert weave(pages, settings=OPENAI).resumed


def _start(tmp_path: Path, pages: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "interfaces.cli", "build", str(pages), "-o", str(tmp_path / "kb.skb")]
    return subprocess.Popen(
        [*command, "--embedder", "openai:test", "--workers", "1"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def _wait_for(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)


def test_a_killed_embedding_goes_on_where_it_was(weave: Weave, tmp_path: Path, endpoint: Endpoint) -> None:
    pages = _pages_of_words(tmp_path / "pages", 250)
    endpoint.wait_s = 0.15
    process = _start(tmp_path, pages)
    _wait_for(lambda: len(endpoint.requests) >= 3)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not (tmp_path / "kb.skb").exists()
    in_flight = {text for texts in endpoint.requests[2:] for text in texts}
    endpoint.wait_s = 0.0
    assert weave(pages, settings=OPENAI).resumed
    assert {text for text, times in endpoint.texts.items() if times > 1} <= in_flight
    assert len(in_flight) <= 128
    assert dumped(tmp_path / "kb.skb", vectors=True) == _vectors_of_a_rebuild(tmp_path, pages)
    assert not list(tmp_path.glob("kb.skb.*"))


def test_a_second_builder_is_turned_away_and_readers_see_the_old_file(
    weave: Weave, tmp_path: Path, endpoint: Endpoint
) -> None:
    pages = _pages_of_words(tmp_path / "pages", 3)
    weave(pages)
    before = (tmp_path / "kb.skb").read_bytes()
    write_pages(pages, {"New.html": page("New", "A new page.")})
    endpoint.wait_s = 1.5
    process = _start(tmp_path, pages)
    try:
        _wait_for(lambda: len(endpoint.requests) > 0)
        with pytest.raises(BeingBuilt, match=f"kb.skb is being built by process {process.pid}"):
            weave(pages)
        with pytest.raises(BeingBuilt):
            remove(tmp_path / "kb.skb", ["P001"])
        weave(pages, output=tmp_path / "other.skb")
        assert rows(tmp_path / "kb.skb", "SELECT count(*) FROM page") == [(3,)]
        assert (tmp_path / "kb.skb").read_bytes() == before
        reader = open_skb(tmp_path / "kb.skb")
        endpoint.wait_s = 0.0
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 0, errors
        assert reader.execute("SELECT count(*) FROM page").fetchone() == (3,)
        reader.close()
        assert rows(tmp_path / "kb.skb", "SELECT count(*) FROM page") == [(4,)]
    finally:
        process.kill()
        process.communicate()


# labels, leftovers, outputs


def test_labels_are_numbered_where_no_folder_is_left_and_never_absolute() -> None:
    paths = [Path("/x.jsonl"), Path("/a/x.jsonl"), Path("/")]
    assert labels_of(paths) == ["x.jsonl (2)", "a/x.jsonl", "root"]
    taken = {"x.jsonl": "elsewhere", "x.jsonl (2)": "elsewhere"}
    assert labels_of(paths[:1], taken) == ["x.jsonl (3)"]


def test_an_added_source_whose_label_is_taken_is_named(weave: Weave, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        write_records(tmp_path / folder / "r.jsonl", [{"title": folder, "text": f"Said in {folder}."}])
    assert weave(tmp_path / "one" / "r.jsonl").notes == ()
    (note,) = weave(tmp_path / "two" / "r.jsonl", add=True).notes
    assert note.startswith("r.jsonl: that label is on record for another place") and note.endswith("two/r.jsonl")
    assert weave(tmp_path / "one" / "r.jsonl", add=True).notes == ()


def test_a_limited_reading_keeps_what_formats_are_on_record(weave: Weave, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"A.html": page("A", "A lamp.")})
    records = write_records(tmp_path / "r.jsonl", [{"title": "B", "text": "A bay."}])
    weave(pages)
    weave(records, limit=1)
    with Skb(tmp_path / "kb.skb") as skb:
        assert skb.meta("source_formats") == ["html", "jsonl"]


def test_a_leftover_of_another_job_is_thrown_away_and_said(weave: Weave, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {name + ".html": page(name, f"A page on {name}.") for name in "AB"})
    weave(pages)
    part = tmp_path / "kb.skb.part"
    part.write_bytes((tmp_path / "kb.skb").read_bytes())
    _mark_job(part, "build")
    (note,) = remove(tmp_path / "kb.skb", ["A"]).notes
    assert note == f"{part}: what another job, stopped before its end, had done so far was thrown away"
    assert weave(pages).notes == ()


def test_an_output_that_is_a_link_stays_one(weave: Weave, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {name + ".html": page(name, f"A page on {name}.") for name in "AB"})
    real, named = tmp_path / "store" / "real.skb", tmp_path / "kb.skb"
    real.parent.mkdir()
    named.symlink_to(real)
    weave(pages)
    remove(named, ["A"])
    assert named.is_symlink() and rows(real, "SELECT title FROM page") == [("B",)]
    assert sorted(each.name for each in real.parent.iterdir()) == ["real.skb"]
    assert not weave(pages, add=True, limit=1).notes


def test_a_node_of_a_pages_name_is_removed_alone(weave: Weave, tmp_path: Path) -> None:
    graph = tmp_path / "graph"
    graph.mkdir()
    write_records(graph / "nodes.jsonl", [{"uri": "n1", "name": "Foo", "text": "A node."}])
    (graph / "edges.tsv").write_text("subject\tpredicate\tobject\n")
    first = write_records(tmp_path / "first.jsonl", [{"title": "Foo", "text": "A page."}])
    second = write_records(tmp_path / "second.jsonl", [{"title": "Foo", "text": "The same title."}])
    weave(first, second, graph)
    assert remove(tmp_path / "kb.skb", ["n1"]).removed == 1
    assert _states(tmp_path)["second.jsonl/Foo"] == "duplicate"


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_vectors_of_several_blocks_are_one_matrix_by_id(tmp_path: Path, dtype: str) -> None:
    with closing(create(tmp_path / "kb.skb")) as connection:
        assert load_vectors(connection, "chunk").rows.shape == (0, 0)
        set_meta(connection, "vector_dtype", dtype)
        for ids, block in (([7, 3], [[1, 0, 0], [0, 0.5, 0]]), ([9], [[0, 0, -0.25]])):
            write_block(connection, "chunk", ids, np.array(block, np.float32), dtype=dtype)
        found = load_vectors(connection, "chunk")
    assert found.ids.tolist() == [3, 7, 9] and found.rows.dtype == np.float32
    assert found.rows.tolist() == [[0, 0.5, 0], [1, 0, 0], [0, 0, -0.25]]


@pytest.mark.parametrize(("wrong", "right"), [("rdf", "triples"), ("triples", "rdf")])
def test_a_fact_file_named_as_another_kind_is_read_anew(weave: Weave, tmp_path: Path, wrong: str, right: str) -> None:
    pages = write_pages(tmp_path / "pages", {"a.html": page("A", f"A knows {link('B')}."), "b.html": page("B", "B.")})
    facts = tmp_path / "facts.nt"
    # A file of which no line is well-formed would be refused.
    record = {"subject": "A", "predicate": "knows", "object": "B"}
    facts.write_text(json.dumps(record) + "\n" + triple("A", "met", "B"))
    types = {"rdf": [("met",)], "triples": [("knows",)]}
    kb = tmp_path / "kb.skb"
    before = weave(pages, **{wrong: (facts,)})
    assert "1 of 2 lines is malformed" in before.notes[0]
    assert rows(kb, "SELECT name FROM relation_type") == types[wrong]
    summary = weave(pages, **{right: (facts,)})
    assert (summary.changed, rows(kb, "SELECT name FROM relation_type")) == (True, types[right])
    assert dumped(kb) == _rebuilt(tmp_path, pages, **{right: (str(facts),)})
    back = weave(pages, **{wrong: (facts,)})
    assert (back.notes, rows(kb, "SELECT name FROM relation_type")) == (before.notes, types[wrong])
