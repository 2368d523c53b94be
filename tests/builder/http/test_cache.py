"""What was fetched is kept for its user alone, never through a link, and fetched again where it is damaged."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from stat import S_IMODE

import pytest

from builder.readers.wikipedia.cache import PageCache, PageState
from builder.sparql.answer_cache import Answers
from builder.sparql.fact_file import fetch_facts
from tests.hostile_server import HostileServer, json_of
from weft.errors import UnreadableSource
from weft.http.cache_folder import cache_folder, private_file, private_folder

STATE = PageState("Ondrel", 7, "2026-11-20T10:00:00Z", ("Water harp",))
HTML = b"<p>The ondrel.</p>"
TRIPLE = ("<http://r.example/a>", "<http://o.example/p>", '"x"')


@pytest.mark.parametrize(
    ("weft", "xdg", "folder"),
    [("/w", "/x", "/w"), ("", "/x", "/x/weft"), ("", "relative", "/h/.cache/weft"), ("", "", "/h/.cache/weft")],
)
def test_one_folder_for_all_that_is_fetched(
    weft: str, xdg: str, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"WEFT_CACHE": weft, "XDG_CACHE_HOME": xdg, "HOME": "/h"}.items():
        monkeypatch.setenv(name, value)
    assert cache_folder() == Path(folder)


def test_folders_and_files_are_for_their_user_alone(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        folder = private_folder(tmp_path / "deep" / "cache")
        os.close(private_file(folder / "file"))
        with PageCache(folder, "h") as cache:
            cache.put(STATE, HTML)
            modes = {S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    finally:
        os.umask(old)
    assert S_IMODE(folder.stat().st_mode) == 0o700 and modes == {0o600}


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o770, 0o702])
def test_a_folder_that_others_can_write_holds_no_cache(mode: int, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(mode)
    (tmp_path / "link").symlink_to("cache")
    for name in ("cache", "link"):
        with pytest.raises(UnreadableSource, match=r"others can write to it.*chmod go-w"):
            private_folder(tmp_path / name)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_or_a_link_of_another_user_holds_no_cache(tmp_path: Path) -> None:
    for name in ("own", "other"):
        (tmp_path / name).mkdir(mode=0o755)
    (tmp_path / "others link").symlink_to("own")
    (tmp_path / "link to others").symlink_to("other")
    for name in ("other", "others link"):
        os.chown(tmp_path / name, 12345, -1, follow_symlinks=False)
    for name in ("other", "others link", "link to others"):
        with pytest.raises(UnreadableSource, match="is another user's"):
            private_folder(tmp_path / name)


def test_the_users_own_link_may_lead_to_the_cache(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir(mode=0o755)
    (tmp_path / "cache").symlink_to("disk")
    assert private_folder(tmp_path / "cache") == tmp_path / "cache"


@pytest.mark.parametrize("name", ["wikipedia.sqlite", "fetched.nt.part"])
def test_a_link_in_the_place_of_a_file_is_never_followed(name: str, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    (tmp_path / name).symlink_to(precious)
    if name == "wikipedia.sqlite":
        with PageCache(tmp_path, "h") as cache:
            cache.put(STATE, HTML)
    else:
        with Answers(tmp_path / name, "http://e.example/") as answers:
            answers.put("q", [TRIPLE])
    assert precious.read_text() == "precious" and not (tmp_path / name).is_symlink()


def test_what_is_no_regular_file_is_one_line(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        with pytest.raises(UnreadableSource, match=r"regular file|cannot be used"):
            private_file(tmp_path / name)


DAMAGES: list[tuple[str, object]] = [
    ("html", b"no zlib"), ("html", zlib.compress(HTML)[:-5]), ("html", "text"), ("html", None), ("html", 3),
    ("html", zlib.compress(b"x" * 2_000)), ("redirects", "no JSON"), ("redirects", "{}"), ("redirects", "[1]"),
    ("redirects", b"[]"), ("redirects", None), ("redirects", "[" * 100_000), ("modified", b"x"), ("revision", "seven"),
]  # fmt: skip


@pytest.mark.parametrize(("column", "value"), DAMAGES, ids=lambda value: ascii(value)[:30])
def test_a_damaged_entry_is_none(column: str, value: object, tmp_path: Path) -> None:
    with PageCache(tmp_path, "h") as cache:
        cache.put(STATE, HTML)
        cache.put_names("Ondrel", STATE)
    with closing(connect(tmp_path / "wikipedia.sqlite")) as file, file:
        file.execute(f"UPDATE page SET {column} = ?", (value,))
    with PageCache(tmp_path, "h", most_bytes=1_000) as cache:
        assert (cache.html("Ondrel", 7) if column == "html" else cache.state("Ondrel")) is None


@pytest.mark.parametrize("spoil", [lambda data: b"no SQLite" * 1_000, lambda data: data[:100] + b"\xff" * 8_000])
def test_a_damaged_file_of_pages_is_made_anew(spoil: Callable[[bytes], bytes], tmp_path: Path) -> None:
    with PageCache(tmp_path, "h") as cache:
        cache.put(STATE, HTML)
    path = tmp_path / "wikipedia.sqlite"
    path.write_bytes(spoil(path.read_bytes()))
    with PageCache(tmp_path, "h") as cache:
        assert cache.html("Ondrel", 7) is None
        cache.put(STATE, HTML)
        assert cache.html("Ondrel", 7) == HTML


@pytest.mark.parametrize(
    "triples",
    ["null", "3", '"abc"', "[1]", "[[]]", '[["<a>", "<b>"]]', '[["<a>", "<b>", 3]]', '[["<a>", "<b>", null]]',
     '[["<a>", "<b>", "<c> .\\n<d>"]]', '[["a", "b", "c"]]', "{}x"],
)  # fmt: skip
def test_a_damaged_answer_is_asked_for_again(triples: str, tmp_path: Path) -> None:
    path = tmp_path / "fetched.nt.part"
    with Answers(path, "http://e.example/") as answers:
        answers.put("q", [TRIPLE])
        assert answers.get("q") == [TRIPLE]
    kept = path.read_text()
    start = kept.index('"triples": ') + len('"triples": ')
    path.write_text(kept[:start] + triples + "}\n")
    with Answers(path, "http://e.example/") as answers:
        assert answers.get("q") is None


ONE_PAGE = (
    "CREATE TABLE page (title, url); CREATE TABLE link (target);"
    " CREATE TABLE statement (value, source_id, kind);"
    " CREATE TABLE source_item (id, source); CREATE TABLE meta (key, value);"
    " INSERT INTO page VALUES ('Ondrel', NULL); INSERT INTO meta VALUES ('facts', '[]')"
)


def test_what_is_kept_is_given_for_the_same_credentials_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("WEFT_PAUSE", "0")
    with closing(connect(":memory:")) as skb, HostileServer(json_of({"results": {"bindings": []}})) as server:
        skb.executescript(ONE_PAGE)
        paths: list[Path] = []
        for address in ("{}", "{}?keyspace=a", "{}?keyspace=b", "{}?apikey=a", "{}?apikey=b", "{}?apikey=a", "a:b@{}"):
            url = f"http://{address.format(server.host)}"
            paths += (path for _, _, path in fetch_facts(skb, [url], ("en",), None, lambda n: None))
    assert len(set(paths)) == 6 and paths[5] == paths[3]


def test_a_fetched_file_that_was_changed_is_fetched_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("WEFT_PAUSE", "0")
    with closing(connect(":memory:")) as skb, HostileServer(json_of({"results": {"bindings": []}})) as server:
        skb.executescript(ONE_PAGE)
        n_asked = []
        path = tmp_path
        for spoil in (None, None, "bytes", "link"):
            if spoil == "bytes":
                path.write_text("<http://a> <http://b> <http://c> .\n")
            if spoil == "link":
                path.unlink()
                path.symlink_to(tmp_path / "precious")
            ((label, _, path),) = fetch_facts(skb, [server.url], ("en",), None, lambda n: None)
            n_asked.append(len(server.requests))
            assert label == server.url and path.read_bytes() == b"" and not path.is_symlink()
    assert 0 < n_asked[0] == n_asked[1] < n_asked[2] < n_asked[3]
    assert {S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()} == {0o600}
