"""Relative links between the HTML files of one source lead to their pages."""

from __future__ import annotations

import gzip
import json
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from builder.readers.ignored import LEADS_ON
from builder.readers.links.archive_titles import ArchiveTitles, may_name_a_page
from builder.readers.links.page_links import linked_files
from builder.readers.links.title_index import TitleIndex
from builder.request import Summary
from tests.worlds import dumped, rows

Weave = Callable[..., Summary]
Pack = Callable[[Path], Path]


def page(title: str, body: str, head: str = "") -> str:
    return f"<html><head>{head}</head><body><h1>{title}</h1>{body}</body></html>"


def write(folder: Path, pages: dict[str, str]) -> Path:
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(params=["folder", "tar", "tar.gz"])
def packed(request: pytest.FixtureRequest) -> Pack:
    """Make a folder the source that the test is about: itself, or an archive of it."""

    def pack(folder: Path) -> Path:
        if request.param == "folder":
            return folder
        path = folder.parent / f"{folder.name}.{request.param}"
        with tarfile.open(path, "w:gz" if request.param == "tar.gz" else "w") as archive:
            # Not sorted: links lead forward and back.
            for file in sorted(filter(Path.is_file, folder.rglob("*")), reverse=True):
                archive.add(file, file.relative_to(folder))
        return path

    return pack


def links(tmp_path: Path) -> list[tuple[object, ...]]:
    return rows(tmp_path / "kb.skb", "SELECT anchor, target, fragment FROM link ORDER BY chunk_id, start")


def cited(tmp_path: Path) -> list[tuple[object, ...]]:
    return rows(
        tmp_path / "kb.skb",
        "SELECT page.uri, entity.uri FROM cites JOIN chunk ON chunk.id = chunk_id JOIN page ON page.id = chunk.page_id"
        " JOIN entity ON entity.id = entity_id WHERE entity.page_id IS NOT NULL ORDER BY 1, 2",
    )


RELATIVE = [
    ("lamp.html", "lamp.light", ""),
    ("./lamp.html", "lamp.light", ""),
    ("lamp.html#how%20to", "lamp.light", "how to"),
    ("lamp.html?v=2#a", "lamp.light", "a"),
    (" lamp.html ", "lamp.light", ""),
    ("oil%20&amp;%20gas.html", "Oil", ""),
    ("sub/", "Below", ""),
    ("sub", "Below", ""),
    ("sub/index.html#x", "Below", "x"),
    ("lamp", "lamp.light", ""),
    ("sub/../lamp.html", "lamp.light", ""),
    ("/lamp.html", "lamp.light", ""),
    ("lamp.html?a=1&copy=2", "lamp.light", ""),
    ("lamp.html?a=1&amp;copy=2#a", "lamp.light", "a"),
    ("lamp.html?&notit;&copying", "lamp.light", ""),
    ("oil%20&amp%20gas.html", "Oil", ""),
    ("oil &#38; gas.html", "Oil", ""),
    ("oil &#x26 gas.html", "Oil", ""),
    ("&lt=&lt.html", "Signs", ""),
]


def test_a_relative_link_leads_to_the_page_of_its_file(tmp_path: Path, weave: Weave, packed: Pack) -> None:
    body = "".join(f'<p>See <a href="{href}">link {number}</a>.</p>' for number, (href, _, _) in enumerate(RELATIVE))
    write(
        tmp_path / "book",
        {
            "start.html": page("Start", body),
            "lamp.html": page("lamp.light", "<p>It glows.</p>"),
            "oil & gas.html": page("Oil", "<p>It burns.</p>"),
            "sub/index.html": page("Below", "<p>It is deep.</p>"),
            "&lt=<.html": page("Signs", "<p>They are small.</p>"),
        },
    )
    weave(packed(tmp_path / "book"))
    assert links(tmp_path) == [
        (f"link {number}", target, fragment) for number, (_, target, fragment) in enumerate(RELATIVE)
    ]
    assert set(cited(tmp_path)) == {("Start", target) for _, target, _ in RELATIVE}


def refresh(content: str, body: str = "Redirecting...") -> str:
    return f'<html><head><title>Redirecting...</title><meta http-equiv="refresh" content="{content}">{body}</html>'


MOVED = {
    "old/index.html": refresh("1; url=../new/", "<body>You're being redirected to <a href='../new/'>this</a>."),
    "older.html": refresh("0;URL='old/'"),
    "script.html": "<noscript><meta http-equiv=Refresh content='0; url=new/#part'></noscript><script>go()</script>",
}
STAYING = {
    "elsewhere.html": refresh("0; url=https://lamps.example/"),
    "gone.html": refresh("0; url=nowhere.html"),
    "round.html": refresh("0; url=about.html"),
    "about.html": refresh("0; url=round.html"),
    "again.html": refresh("0; url=again.html"),
    "reload.html": refresh("2"),
    "slide.html": refresh("30; url=new/"),
    "text.html": refresh("0; url=new/", "A sentence that says something. " * 10),
    "menu.html": refresh("0; url=new/", "<a href='new/'>New</a>, <a href='start.html'>start</a>"),
}


def test_links_to_a_page_that_only_leads_on_lead_where_it_leads(tmp_path: Path, weave: Weave, packed: Pack) -> None:
    files = {"new/index.html": page("New harbour", "<p>It is deep. <a href='../older.html'>Here</a>.</p>")}
    body = "".join(f'<p>See <a href="{name}">{name}</a>.</p>' for name in MOVED)
    write(tmp_path / "book", files | MOVED | STAYING | {"start.html": page("Start", body)})
    weave(packed(tmp_path / "book"))
    found = [each for each in links(tmp_path) if each[0] not in ("New", "start")]
    assert found == [(name, "New harbour", "") for name in MOVED]
    places = {place for (place,) in rows(tmp_path / "kb.skb", "SELECT place FROM source_item")}
    assert places == {"new/index.html", "start.html", *STAYING}
    [(build,)] = rows(tmp_path / "kb.skb", "SELECT value FROM meta WHERE key = 'build'")
    [ignored] = json.loads(str(build))["ignored"]
    assert (ignored["kind"], ignored["files"]) == (LEADS_ON, len(MOVED))


ELSEWHERE = [
    "gone.html", "#part", "start.html", "start.html#part", "https://lamps.example/lamp.html", "mailto:a@b.c",
    "../lamp.html/x", "lamp.css", "", "javascript:void(0)", "//lamps.example/lamp.html",
]  # fmt: skip


def test_what_leads_to_no_other_file_is_no_link(tmp_path: Path, weave: Weave, packed: Pack) -> None:
    body = "".join(f'<p>See <a href="{href}">this</a>.</p>' for href in ELSEWHERE)
    write(tmp_path / "book", {"start.html": page("Start", body), "lamp.html": page("Lamp", "<p>It glows.</p>")})
    weave(packed(tmp_path / "book"))
    assert links(tmp_path) == []


@pytest.mark.parametrize(
    ("base", "found"),
    [("sub/", [("this", "Inner", "")]), ("https://lamps.example/", []), ("", [("this", "Outer", "")])],
)
def test_a_base_is_where_links_begin(
    tmp_path: Path, weave: Weave, packed: Pack, base: str, found: list[tuple[str, ...]]
) -> None:
    head = f'<base href="{base}">' if base else ""
    write(
        tmp_path / "book",
        {
            "start.html": page("Start", '<p>See <a href="a.html">this</a>.</p>', head),
            "a.html": page("Outer", "<p>Out.</p>"),
            "sub/a.html": page("Inner", "<p>In.</p>"),
        },
    )
    weave(packed(tmp_path / "book"))
    assert links(tmp_path) == found


@pytest.mark.parametrize("other", ["/sub/a.html", "../sub/a.html", "./a.html", "/sub/./a.html", "a.html?v=1"])
def test_addresses_that_are_one_below_the_base_are_each_a_link(
    tmp_path: Path, weave: Weave, packed: Pack, other: str
) -> None:
    body = f'<p>See <a href="a.html">this</a> and <a href="{other}">that</a>.</p>'
    write(
        tmp_path / "book",
        {"start.html": page("Start", body, '<base href="/sub/">'), "sub/a.html": page("Inner", "<p>In.</p>")},
    )
    weave(packed(tmp_path / "book"))
    assert links(tmp_path) == [("this", "Inner", ""), ("that", "Inner", "")]


@pytest.mark.parametrize("href", ["./lamp", "./lamp#a", "./sub/../lamp", "./sub/lamp", "./sub"])
def test_an_address_from_here_is_the_same_link_in_a_folder_and_an_archive(
    tmp_path: Path, weave: Weave, packed: Pack, href: str
) -> None:
    pages = {
        "start.html": page("Start", f'<p>See <a href="{href}">it</a>.</p>'),
        "lamp.html": page("Lamp", "<p>Oil.</p>"),
        "sub/lamp.html": page("Lamp", "<p>Gas.</p>"),
        "sub/index.html": page("Below", "<p>Deep.</p>"),
    }
    weave(packed(write(tmp_path / "book", pages)))
    assert len(links(tmp_path)) == 1


def test_a_link_reaches_its_own_page_among_those_of_one_title(tmp_path: Path, weave: Weave, packed: Pack) -> None:
    write(
        tmp_path / "book",
        {
            "start.html": page("Start", '<p>See <a href="a/x.html">one</a> and <a href="b/x.html">two</a>.</p>'),
            "a/x.html": page("Overview", "<p>The first.</p>"),
            "b/x.html": page("Overview", '<p>The second, not <a href="../a/x.html">the first</a>.</p>'),
        },
    )
    weave(packed(tmp_path / "book"))
    assert cited(tmp_path) == [
        ("Overview (b/x.html)", "Overview"),
        ("Start", "Overview"),
        ("Start", "Overview (b/x.html)"),
    ]


def test_an_update_reads_a_page_again_when_the_title_that_it_links_to_changed(
    tmp_path: Path, weave: Weave, packed: Pack
) -> None:
    pages = {
        "start.html": page("Start", '<p>See <a href="lamp.html">this</a>.</p>'),
        "lamp.html": page("Lamp", "<p>It glows.</p>"),
        "other.html": page("Other", "<p>It stays.</p>"),
    }
    write(tmp_path / "book", pages)
    weave(packed(tmp_path / "book"))
    write(tmp_path / "book", {"lamp.html": page("Lantern", "<p>It glows.</p>")})
    assert weave(packed(tmp_path / "book")).documents == {"read": 2, "unchanged": 1}
    assert links(tmp_path) == [("this", "Lantern", "")]
    updated = dumped(tmp_path / "kb.skb")
    (tmp_path / "kb.skb").unlink()
    weave(packed(tmp_path / "book"))
    assert dumped(tmp_path / "kb.skb") == updated


def test_wikis_saved_as_files_are_linked_too(tmp_path: Path, weave: Weave, packed: Pack) -> None:
    body = (
        '<div class="mw-parser-output">'
        '<p>See <a href="wiki/Lamp.html">it</a> and <a href="/wiki/Oil">oil</a>.</p></div>'
    )
    write(
        tmp_path / "wiki", {"Start.html": page("Start", body), "wiki/Lamp.html": page("The lamp", "<p>It glows.</p>")}
    )
    weave(packed(tmp_path / "wiki"))
    assert links(tmp_path) == [("it", "The lamp", ""), ("oil", "Oil", "")]


@pytest.mark.parametrize(
    ("address", "may"),
    [("lamp.html", True), ("./lamp.html?v=1", True), ("LAMP.HTM", True), ("sub/", True), ("../lamp", True),
     ("./", True), ("/wiki/Lamp.html", True), ("/wiki/Lamp", False), ("../../wiki/Lamp", False), ("./Lamp", True),
     ("/w/index.php?title=Lamp", False), ("/w/load.php?a.html", False), ("style.css", False), ("?a.html", False),
     ("//a.example/b.html", False), ("mailto:a.html", False), ("", False)],
)  # fmt: skip
def test_addresses_of_a_wiki_name_no_page_of_an_archive(address: str, may: bool) -> None:
    assert may_name_a_page(address) is may


@pytest.mark.parametrize(
    ("address", "passes"),
    [("/wiki/Lamp", 0), ("https://lamps.example/lamp.html", 0), ("gone.html", 1), ("lamp.html", 2)],
)
def test_an_archive_is_read_once_more_only_for_links_between_its_pages(
    tmp_path: Path, address: str, passes: int
) -> None:
    write(tmp_path / "book", {"start.html": page("Start", ""), "lamp.html": page("Lamp", "")})
    with tarfile.open(tmp_path / "book.tar", "w") as archive:
        archive.add(tmp_path / "book", "")
    asked: list[str] = []
    index = ArchiveTitles(tmp_path / "book.tar", lambda place: not asked.append(place), {})  # type: ignore[func-returns-value]
    for place in ("start.html", "lamp.html"):
        index.targets(place, [address])
    assert sorted(asked) == sorted(["start.html", "lamp.html"] * passes)


def test_members_without_a_suffix_are_pages_that_links_name(tmp_path: Path, weave: Weave) -> None:
    write(tmp_path / "book", {"start": page("Start", '<p>See <a href="lamp">it</a>.</p>'), "lamp": page("Lamp", "Oil")})
    with tarfile.open(tmp_path / "book.tar", "w") as archive:
        archive.add(tmp_path / "book", "")
    weave(tmp_path / "book.tar")
    assert links(tmp_path) == [("it", "Lamp", "")]


@pytest.mark.parametrize("end", [600, 4000, -30])
def test_links_before_an_archives_damage_are_kept(tmp_path: Path, weave: Weave, end: int) -> None:
    noise = "".join(chr(33 + 7 * number % 90) for number in range(9000)).replace("<", "").replace("&", "")
    write(
        tmp_path / "book",
        {
            "a.html": page("Start", '<p>See <a href="b.html">it</a> and <a href="c.html">oil</a>.</p>'),
            "b.html": page("Lamp", "<p>It glows.</p>"),
            "c.html": page("Oil", f"<p>{noise}</p>"),
        },
    )
    with tarfile.open(tmp_path / "book.tar", "w") as archive:
        for name in ("b.html", "a.html", "c.html"):
            archive.add(tmp_path / "book" / name, name)
    data = (tmp_path / "book.tar").read_bytes()
    (tmp_path / "book.tar").write_bytes(data[: 4096 + end] if end > 0 else data)
    if end < 0:
        (tmp_path / "book.tar.gz").write_bytes(gzip.compress(data)[:end])
        (tmp_path / "book.tar").unlink()
    summary = weave(next(tmp_path.glob("book.tar*")))
    assert summary.incomplete
    assert ("it", "Lamp", "") in links(tmp_path)


@pytest.mark.parametrize(
    ("markup", "addresses"),
    [
        ('<a href="a.html#x">', ["a.html"]),
        ("<A HREF='a.html'> <a hReF = b.html>", ["a.html", "b.html"]),
        ('<a href="a&amp;b.html"> <a href="a&#38;b.html">', ["a&b.html"]),
        ('<p>Nehref="a.html" <a data-href="b.html"> _href="c.html" </p>', ["b.html"]),
        ('<p title="HREF" href="a.html" İ>', ["a.html"]),
        ("href=a.html", ["a.html"]),
    ],
)
def test_addresses_are_found_in_any_spelling(tmp_path: Path, markup: str, addresses: list[str]) -> None:
    names = {name: tmp_path / name for name in ("a.html", "b.html", "c.html", "a&b.html")}
    for path in names.values():
        path.write_text("<h1>T</h1>")
    with closing(TitleIndex(names.items())) as index:
        assert [address for address, _ in linked_files(markup, "z.html", index)] == addresses


@pytest.mark.parametrize(
    ("address", "linked"),
    [("a.html", "sub/a.html"), ("../a.html", "a.html"), ("/a", "a.html"), ("..", "index.html"),
     ("deep/", "sub/deep/index.html"),
     ("deep/b", "sub/deep/b.html"), ("/sub/deep", "sub/deep/index.html"), ("/wiki/Oil", None), ("/su/a.html", None),
     ("/sub/deeper/b.html", None), ("/sub0/a.html", None), ("../../../../a.html", "a.html"),
     ("/x%2F..%2fa.html", "a.html"), ("/x/%2e%2E/a", "a.html"), ("?a.html", None),
     ("deep/../a.html?x#y", "sub/a.html")],
)  # fmt: skip
def test_an_address_leads_below_the_folders_that_hold_files(tmp_path: Path, address: str, linked: str | None) -> None:
    places = ["a.html", "index.html", "sub/a.html", "sub/deep/b.html", "sub/deep/index.html", "wiki.html"]
    write(tmp_path, dict.fromkeys(places, page("T", "")))
    with closing(TitleIndex((place, tmp_path / place) for place in places)) as index:
        assert [index.place_of_link("sub/z.html", address) for _ in range(2)] == [linked, linked]
