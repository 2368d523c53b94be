"""Plain text and Markdown files as documents."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.build import build
from builder.documents.records import Chunk, Document, Reject, Statement
from builder.readers.registry import ReadOptions
from builder.readers.source import Cut, Item, Source, format_of
from builder.readers.text.files import decode, document_of, items, parse
from builder.readers.text.front_matter import split_front_matter
from builder.readers.text.names import file_title
from builder.request import Request, Summary
from tests.conftest import FIXTURES
from tests.worlds import rows
from weft.errors import UnreadableSource

OPTIONS = ReadOptions()


def markdown(text: str, titles: dict[str, str] | None = None, name: str = "page.md") -> Document:
    return document_of(text, name, titles or {})


def plain(text: str) -> Document:
    return document_of(text, "some_file.txt", {})


def outline(document: Document) -> list[tuple[str, int, int]]:
    return [(section.title, section.level, section.parent) for section in document.sections]


def passages(document: Document) -> list[tuple[int, str, str]]:
    return [(chunk.section, chunk.kind, chunk.text) for chunk in document.chunks]


def links(document: Document) -> list[tuple[str, str, str]]:
    found = [(link, chunk) for chunk in document.chunks for link in chunk.links]
    assert all(chunk.text[link.start : link.end] == link.anchor for link, chunk in found)
    return [(link.anchor, link.target, link.fragment) for link, _ in found]


def entries(path: Path, options: ReadOptions = OPTIONS) -> list[Item | Reject | Cut]:
    return list(items(Source("text", "text", path), options))


def documents(path: Path, options: ReadOptions = OPTIONS) -> dict[str, Document | Reject]:
    return {e.place: parse(e.place, e.payload) for e in entries(path, options) if isinstance(e, Item)}


def write(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def test_markdown_headings_are_sections_and_the_first_is_the_title() -> None:
    page = markdown(
        "# Ondrel #\n\nA port.\n\nHarbour\n-------\nOld.\n\n#### Pier {#pier}\nLong.\n\n## *Trade*\n"
        "#no heading\n"
    )
    assert page.title == "Ondrel"
    assert outline(page) == [("Harbour", 2, -1), ("Pier", 4, 0), ("Trade", 2, -1)]
    assert passages(page) == [
        (-1, "paragraph", "A port."),
        (0, "paragraph", "Old."),
        (1, "paragraph", "Long."),
        (2, "paragraph", "#no heading"),
    ]


@pytest.mark.parametrize(
    ("text", "title", "sections"),
    [
        ("---\ntitle: Front\n---\n# First\n\ntext", "Front", ["First"]),
        ("---\ntitle: 'Front'\n---\n# front\n\ntext", "Front", []),
        ("First\n=====\n\ntext", "First", []),
        ("![badge](b.svg)\n\n# First\n\ntext\n\n# Second\n\ntext", "First", ["Second"]),
        ("## First\n\ntext", "First", []),
        ("text\n\n## First\n\ntext", "Page", ["First"]),
        ("only text", "Page", []),
    ],
)
def test_the_title_is_front_matters_then_the_first_headings_then_the_files(
    text: str, title: str, sections: list[str]
) -> None:
    page = markdown(text)
    assert (page.title, [section.title for section in page.sections]) == (title, sections)


def test_markdown_blocks_have_their_kinds() -> None:
    page = markdown(
        "One line\nruns on  \nhere.\n\n* a\n* b\n  more b\n\n    + inner\n* [x] c\n\n1. one\n2) two\n\n"
        "| A | *B* |\n|:--|--:|\n| x \\| y | 2 |\n| z |\n\n~~~ py\n# code\n\nx_y_z = 1\n~~~\n\n> said\n"
        "> [!NOTE] so\nlazily\n\n"
        'Term\n: meaning\n: other\n  runs\n\n![A boat](boat.png "Boat, 1251")\n\n***\n\n'
        "    indented\n\n<div>\n<b>bold</b> text\n</div>\n"
        "\n<!-- hidden\n\nstill --> shown\n\n[^1]: A note\n    goes on.\n"
    )
    assert passages(page) == [
        (-1, "paragraph", "One line runs on here."),
        (-1, "list", "a\nb more b\n  inner\nc"),
        (-1, "list", "one"),
        (-1, "list", "two"),
        (-1, "table", "A | B\nx | y | 2\nz"),
        (-1, "code", "# code\n\nx_y_z = 1"),
        (-1, "paragraph", "said [!NOTE] so lazily"),
        (-1, "definition", "Term\n  meaning\n  other runs"),
        (-1, "caption", "Boat, 1251"),
        (-1, "code", "indented"),
        (-1, "paragraph", "bold text"),
        (-1, "paragraph", "shown"),
        (-1, "paragraph", "A note goes on."),
    ]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("**bold** *it* __b__ _i_ ***both*** ~~gone~~", "bold it b i both gone"),
        ("snake_case_name and 2*3*4 and 2 * 3", "snake_case_name and 234 and 2 * 3"),
        ("`a*b*c` and ``x ` y`` and `<br>`", "a*b*c and x ` y and <br>"),
        (r"\*not\* \[this\](x.md) \\", r"*not* [this](x.md) \ ".strip()),
        (
            "<https://x.org/a_b_c> <me@x.org> a<br>b <b>c</b> &amp; &lt;",
            "https://x.org/a_b_c me@x.org a b c & <",
        ),
        ("word[^1], ![inline](i.png) end", "word, end"),
        ("[site](https://x.org/a_(b)) and [ref][] and [1]", "site and [ref][] and [1]"),
        ('[*anchor* text](other.md "Title")', "anchor text"),
        ("[![badge](b.svg)](https://x.org) after", "after"),
    ],
)
def test_running_text_loses_its_markup(markup: str, text: str) -> None:
    assert markdown("before\n\n" + markup).chunks[1].text == text


def test_links_to_documents_and_wiki_articles_are_marked() -> None:
    page = markdown(
        "See [the *harbour*](sub/cape_thoon_light.md#Lamp), [known](./x.md), "
        "[wiki](https://en.wikipedia.org/wiki/Salt_(sea)#Use),\n"
        "[out](https://x.org/y.md), [[Orrin Tasker#Youth|Tasker]], [[Ondrel]], [self](page.md), "
        "[ref][A b], [short], [pic](a.png),\n"
        "[mail](mailto:a@b.md), [up](#top) and [code `x`](<some file.md>).\n\n[a B]: reffed.md 'T'\n"
        "[short]: short.txt\n",
        {"./x.md": "The X"},
    )
    assert links(page) == [
        ("the harbour", "Cape thoon light", "Lamp"),
        ("known", "The X", ""),
        ("wiki", "Salt (sea)", "Use"),
        ("Tasker", "Orrin Tasker", "Youth"),
        ("Ondrel", "Ondrel", ""),
        ("ref", "Reffed", ""),
        ("short", "Short", ""),
        ("code x", "Some file", ""),
    ]
    assert page.marks_links
    assert not markdown("Only [out](https://x.org) and [file](a.pdf).").marks_links


def test_a_link_leads_to_the_title_of_the_file_that_it_names(tmp_path: Path) -> None:
    folder = write(tmp_path / "notes", a="# Ondrel\n\nSee [it](sub/b%20c.md#x), [[b c]] and [none](gone.md).")
    write(folder / "sub", **{"b c": "---\ntitle: The Lamp\n---\n\nBack to [port](../a.md), [root](/a.md)."})
    found = documents(folder)
    first, second = found["a.md"], found["sub/b c.md"]
    assert isinstance(first, Document) and isinstance(second, Document)
    assert [target for _, target, _ in links(first)] == ["The Lamp", "The Lamp", "Gone"]
    assert [target for _, target, _ in links(second)] == ["Ondrel", "Ondrel"]
    before = {entry.place: entry.content_hash for entry in entries(folder) if isinstance(entry, Item)}
    write(folder / "sub", **{"b c": "---\ntitle: The Light\n---\n\ntext"})
    after = {entry.place: entry.content_hash for entry in entries(folder) if isinstance(entry, Item)}
    assert before["a.md"] != after["a.md"]


def test_front_matter_gives_date_language_categories_and_aliases() -> None:
    page = markdown(
        '---\ntitle: "Cape: Thoon"  # a comment\ndate: 2024-03-01\nupdated: soon\nlang: de\ntags:\n'
        "  - light\n  - 'sea'\n"
        "categories: [coast, light]\naliases: [Thoon, /old/path]\nurl: https://x.org/thoon\nparams:\n"
        "  deep: 1\n---\nText."
    )
    assert (page.title, page.modified, page.language, page.url) == (
        "Cape: Thoon",
        "2024-03-01",
        "de",
        "https://x.org/thoon",
    )
    assert page.statements == (
        Statement("category", "", "coast"),
        Statement("category", "", "light"),
        Statement("category", "", "sea"),
        Statement("redirect", "Thoon", "Cape: Thoon"),
        Statement("front matter", "params", ""),
    )
    assert passages(page) == [(-1, "paragraph", "Text.")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('+++\ntitle = "T"\ntags = ["a", "b"]\n+++\nx', ({"title": ["T"], "tags": ["a", "b"]}, "x")),
        ("---\n\nJust text\n\n---\nx", ({}, "---\n\nJust text\n\n---\nx")),
        ("---\ntitle: T\n", ({}, "---\ntitle: T\n")),
        ("---\n---\nx", ({}, "x")),
    ],
)
def test_only_front_matter_is_taken_for_it(text: str, expected: tuple[dict[str, list[str]], str]) -> None:
    assert split_front_matter(text)[:2] == expected


PLAIN = """\
THE HISTORY OF ONDREL

Ondrel is a port on the strait. Its lights are kept by a guild whose wardens
are chosen every seven years, and its harbour is the deep-
est of the coast.

1. Early years

The first pier was built in 1090 by salt weighers, who needed it.

1.1 The flood

In 1229 the sea took the pier and eleven houses on the shore.

2. Trade

Ships carry:
- salt, from
  the pans
- eels
   * smoked
   * fresh

Later times

The lamp was lit again in 1251, and the port has grown since then.

Sources
-------

Year | Author
1251 | Tasker
"""


def test_plain_text_has_headings_paragraphs_lists_and_tables() -> None:
    page = plain(PLAIN)
    assert page.title == "THE HISTORY OF ONDREL"
    assert outline(page) == [
        ("1. Early years", 2, -1),
        ("1.1 The flood", 3, 0),
        ("2. Trade", 2, -1),
        ("Later times", 3, 2),
        ("Sources", 2, -1),
    ]
    assert passages(page)[0][2].endswith(
        "whose wardens are chosen every seven years, and its harbour is the deep-est of the coast."
    )
    assert passages(page)[3:] == [
        (2, "paragraph", "Ships carry:"),
        (2, "list", "salt, from the pans\neels\n  smoked\n  fresh"),
        (3, "paragraph", "The lamp was lit again in 1251, and the port has grown since then."),
        (4, "table", "Year | Author\n1251 | Tasker"),
    ]


@pytest.mark.parametrize(
    ("text", "title", "sections"),
    [
        ("1187\n\nA year | of | things.", "1187", []),
        ("Ondrel\n\nIt is a port.\n\nEarly life\n\n- a list\n- of two", "Ondrel", ["Early life"]),
        ("Ondrel\n------\n\nA port.", "Ondrel", []),
        (
            "1. First words\n\nThey are a paragraph with an end, and of some length.",
            "Some file",
            ["1. First words"],
        ),
        (
            "100 Years of Salt\n\nThey are a paragraph with an end, and of some length.",
            "100 Years of Salt",
            [],
        ),
        ("Dear Ada,\n\nThe lamp is lit.", "Some file", []),
        ("Only one line", "Some file", []),
        ("The pier is old. It stands.\n\nSee also\n\nLamp", "Some file", ["See also"]),
    ],
)
def test_the_first_line_of_a_plain_text_is_its_title_when_it_could_be_one(
    text: str, title: str, sections: list[str]
) -> None:
    page = plain(text)
    assert (page.title, [section.title for section in page.sections]) == (title, sections)


@pytest.mark.parametrize(
    "text",
    [
        "First a paragraph that ends as it should, and is long enough.\n\nSee below,\n\n"
        "then another paragraph of some length, with an end.",
        "Dear Ada,\n\nthe pier is finished and the lamp is lit; come and see it.\n\nYours\n\nOrrin Tasker",
        "1. Buy salt for the pans\n\n2. Mend the long pier\n\n3. Light the lamp",
        "Roses are red\nViolets are blue\n\nSalt is white\nAnd eels are too",
        "Orrin Tasker\nThe Old Pier 4\nOndrel\n\nText of the letter that follows, "
        "which is long enough to be one.",
        'He asked:\n\n"Is the lamp lit?"\n\nNobody knew, since nobody had been to the cape for a year.',
    ],
)
def test_what_is_no_heading_stays_text(text: str) -> None:
    assert plain("A paragraph that comes first, so that nothing is a title.\n\n" + text).sections == ()


def test_long_paragraphs_stay_whole_and_long_lists_and_tables_are_cut() -> None:
    page = markdown(
        "word " * 1000
        + "\n\n"
        + "- item of some length\n" * 150
        + "\n| A | B |\n|---|---|\n"
        + "| some | value |\n" * 200
    )
    kinds = [(chunk.kind, chunk.part) for chunk in page.chunks]
    assert kinds == [("paragraph", 0), ("list", 1), ("list", 2), ("table", 1), ("table", 2)]
    assert all(len(chunk.text) <= 2000 for chunk in page.chunks[1:])
    assert page.chunks[4].text.startswith("A | B\n")


def test_encodings_and_what_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("Étang".encode("latin-1"))
    (tmp_path / "b.txt").write_bytes(b"\xef\xbb\xbf\xc3\x89tang\r\nlong")
    (tmp_path / "c.txt").write_bytes("Étang".encode("utf-16"))
    (tmp_path / "c-be.txt").write_bytes("Étang “long”".encode("utf-16-be"))
    (tmp_path / "c-le.txt").write_bytes("Étang\r\nlong".encode("utf-16-le"))
    (tmp_path / "d.txt").write_bytes(b"a\0b")
    (tmp_path / "d.rst").write_bytes(b"{{ name | underline }}\n\nText.\n")
    (tmp_path / "e.md").write_bytes(b" \n")
    (tmp_path / "f.txt").write_bytes(b"x" * 200)
    found = documents(tmp_path, ReadOptions(max_page_bytes=100))
    texts = {place: page.chunks[0].text for place, page in found.items() if isinstance(page, Document)}
    assert texts == {
        "a.txt": "Étang", "b.txt": "Étang long", "c.txt": "Étang", "c-be.txt": "Étang “long”", "c-le.txt": "Étang long",
    }  # fmt: skip
    notes = {place: page.note for place, page in found.items() if isinstance(page, Document)}
    assert notes == {"a.txt": "not UTF-8; read as Latin-1", **dict.fromkeys(texts.keys() - {"a.txt"})}
    assert found["d.txt"] == Reject("d.txt", "not text: it has null characters")
    assert found["d.rst"] == Reject("d.rst", "a template, not a text: it begins with what a template engine fills in")
    assert found["e.md"] == Reject("e.md", "the file is empty")
    assert [e.place for e in entries(tmp_path, ReadOptions(max_page_bytes=100)) if isinstance(e, Reject)] == [
        "f.txt"
    ]


@pytest.mark.parametrize(
    ("path", "title"),
    [("a/Cape_Thoon_Light.md", "Cape Thoon Light"), ("getting-started.txt", "Getting started"),
     ("Lathe-root.md", "Lathe-root"), ("1187.MD", "1187"), ("v1.2.notes.md", "V1.2.notes")],
)  # fmt: skip
def test_a_files_name_is_a_title(path: str, title: str) -> None:
    assert file_title(path) == title


def test_text_is_told_from_other_formats_by_its_name(tmp_path: Path) -> None:
    assert format_of(write(tmp_path / "notes", a="text")) == "text"
    assert format_of(tmp_path / "notes" / "a.md") == "text"


@pytest.mark.parametrize(
    "text",
    ["[" * 20_000, "*" * 20_000, "`" * 5000 + "a " * 5000, "[a](" * 5000, "![a](" * 5000, "> " * 3000 + "x",
     "_a " * 8000, "<!-- -->" * 3000, "<a " * 8000, "- " * 3000 + "x", "| " * 5000 + "\n" + "|-" * 5000,
     "[[" * 8000, "**a " * 6000, "\\" * 20_000],
)  # fmt: skip
def test_no_markup_takes_long_or_fails(text: str) -> None:
    assert markdown(text).title == "Page"


def test_mentions_in_text_agree_with_the_links_of_the_same_pages(
    tmp_path: Path, world: Path, record_property: Callable[[str, object], None]
) -> None:
    build(Request((str(FIXTURES / "text"),), tmp_path / "text.skb", workers=1))
    query = (
        "SELECT DISTINCT page.title, entity.name FROM cites JOIN chunk ON chunk.id = chunk_id"
        " JOIN page ON page.id = chunk.page_id JOIN entity ON entity.id = entity_id"
    )
    linked, mentioned = set(rows(world, query)), set(rows(tmp_path / "text.skb", query))
    pages = {title for (title,) in rows(tmp_path / "text.skb", "SELECT title FROM page")}
    assert pages == {title for (title,) in rows(world, "SELECT title FROM page")}
    reachable = {(page, target) for page, target in linked if target in pages}
    precision = len(mentioned & linked) / len(mentioned)
    recall = len(mentioned & reachable) / len(reachable)
    record_property("precision", round(precision, 3))
    record_property("recall", round(recall, 3))
    assert precision >= 0.9
    assert recall >= 0.7


def test_the_text_fixtures_have_no_links_and_say_what_the_pages_say(world: Path, tmp_path: Path) -> None:
    found = documents(FIXTURES / "text")
    assert len(found) == 57
    assert not any(page.marks_links for page in found.values() if isinstance(page, Document))
    query = "SELECT title, text FROM chunk JOIN page ON page.id = page_id WHERE kind = 'paragraph'"
    said = {
        (page.title, chunk.text)
        for page in found.values()
        if isinstance(page, Document)
        for chunk in page.chunks
    }
    missing = [
        (title, text)
        for title, text in rows(world, query)
        if (title, " ".join(str(text).split())) not in said
    ]
    assert missing == []


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns(
        [
            {"label": "PERSON", "pattern": "Orrin Tasker"},
            {"label": "FAC", "pattern": [{"LOWER": "quillon"}, {"LOWER": "bridge"}]},
            {"label": "GPE", "pattern": "Nowhere"},
            {"label": "DATE", "pattern": "1207"},
        ]
    )
    path = tmp_path_factory.mktemp("spacy") / "pipeline"
    nlp.to_disk(path)
    return path


def test_named_entities_of_a_pipeline_are_links(tmp_path: Path, pipeline: Path) -> None:
    folder = write(
        tmp_path / "notes",
        a="# Journal\n\nOrrin Tasker's QUILLON BRIDGE opened in 1207, far from Nowhere. "
        "[Orrin Tasker](b.md) knew.\n\n    Nowhere = 1",
        b="# Orrin Tasker\n\nOrrin Tasker built it.",
        c="# Quillon Bridge\n\nA bridge.",
    )
    found = documents(folder, ReadOptions(spacy_model=str(pipeline)))
    first, second = found["a.md"], found["b.md"]
    assert isinstance(first, Document) and isinstance(second, Document)
    assert links(first) == [
        ("Orrin Tasker", "Orrin Tasker", ""),
        ("QUILLON BRIDGE", "Quillon Bridge", ""),
        ("Nowhere", "Nowhere", ""),
        ("Orrin Tasker", "Orrin Tasker", ""),
    ]
    assert links(second) == []


def test_a_build_with_a_pipeline_knows_entities_without_a_page(
    tmp_path: Path, pipeline: Path, weave: Callable[..., Summary]
) -> None:
    folder = write(
        tmp_path / "notes", a="Far from Nowhere.", b="# Quillon Bridge\n\nA bridge by Orrin Tasker."
    )
    assert weave(folder).counts["entity"] == 2
    weave(folder, spacy_model=str(pipeline))
    query = "SELECT name, page_id IS NULL FROM entity ORDER BY name"
    assert rows(tmp_path / "kb.skb", query) == [
        ("A", 0),
        ("Nowhere", 1),
        ("Orrin Tasker", 1),
        ("Quillon Bridge", 0),
    ]


def test_a_pipeline_that_is_none_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "notes", a="text")
    with pytest.raises(UnreadableSource, match="no spaCy pipeline"):
        entries(folder, ReadOptions(spacy_model="no_such_model"))


def test_every_chunk_of_the_fixtures_is_free_of_markup() -> None:
    pages = [page for page in documents(FIXTURES / "text").values() if isinstance(page, Document)]
    chunks: list[Chunk] = [chunk for page in pages for chunk in page.chunks if chunk.kind != "code"]
    assert [chunk.text for chunk in chunks if re.search(r"\\[*_\[]|\*\*|^#|\|---", chunk.text)] == []


def test_lines_of_plain_text_that_all_begin_with_a_label_are_a_list() -> None:
    page = plain("Pier\n\nThe pier is open to all.\n\nOpening hours: 10 to 5\n  Telephone: 0551 20 17\n")
    assert passages(page)[-1][1:] == ("list", "Opening hours: 10 to 5\nTelephone: 0551 20 17")


def test_bytes_of_windows_1252_are_quotes_and_dashes_and_no_control_characters() -> None:
    text = "The baker’s “secret” dough – always €2.\n"
    assert decode(text.encode("cp1252")) == (text, "not UTF-8; read as Windows-1252")
    assert decode("Café\n".encode("latin-1")) == ("Café\n", "not UTF-8; read as Latin-1")
    assert decode(b"a\x81b\xe9") == ("a\x81bé", "not UTF-8; read as Latin-1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Station      High water  Low water\nOndrel       04:12       10:30\nCape Thoon   05:01       11:22",
            [("table", "Station | High water | Low water\nOndrel | 04:12 | 10:30\nCape Thoon | 05:01 | 11:22")],
        ),
        ("Monday    9-17\nTuesday   9-18", [("table", "Monday | 9-17\nTuesday | 9-18")]),
        ("    $ weft build x\n    $ weft ask y", [("code", "    $ weft build x\n    $ weft ask y")]),
        ("The lamp.  It burns\nand dies.  So\nwe go.", [("paragraph", "The lamp. It burns and dies. So we go.")]),
        ("what:   a lamp\nwhy:    for light", [("list", "what: a lamp\nwhy: for light")]),
        ("> a lamp\n> glows.", [("paragraph", "> a lamp > glows.")]),
        ("-    a lamp\n-    a wick", [("list", "a lamp\na wick")]),
        ("A word     apart\nand another line", [("paragraph", "A word apart and another line")]),
    ],
)  # fmt: skip
def test_columns_and_commands_keep_their_lines(text: str, expected: list[tuple[str, str]]) -> None:
    document = document_of(f"Tides\n\n{text}\n", "tides.txt", {})
    assert [(chunk.kind, chunk.text) for chunk in document.chunks] == expected


def test_chapters_may_end_with_a_full_stop() -> None:
    told = "Call me Ada. Some years ago I sailed about a little, and saw the lamps of the harbour."
    lines = ("The Book", "*** START ***", "CONTENTS", "CHAPTER 1. Oil.", "CHAPTER 2. Wicks.",
             "CHAPTER 1. Oil.", told, "CHAPTER 2. Wicks.", told)  # fmt: skip
    text = "\n\n".join(lines)
    document = document_of(text, "book.txt", {})
    assert [section.title for section in document.sections] == ["CONTENTS", "CHAPTER 1. Oil.", "CHAPTER 2. Wicks."]
    assert [chunk.section for chunk in document.chunks if chunk.text == told] == [1, 2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Light it:\n\n    light \\\n      --oil 4\n\n    light -v\n\nGo.", ["light \\\n  --oil 4", "light -v"]),
        ("For example: >\n\n\t:light\n\nThen go on.", [":light"]),
        ("She said:\n\n   I go home now.\n\nThen she went.", []),
        ("Do this:\n\n   - light it\n   - go\n\nThen wait.", []),
        ("Prices:\n\n   Oil: 4\n   Gas: 5\n\nThen pay.", []),
        ("It burns.\n\n    light\n\nIt burns on.", []),
    ],
)
def test_an_example_behind_a_colon_keeps_its_lines(text: str, expected: list[str]) -> None:
    document = plain(f"Lamps\n\n{text}\n")
    assert [chunk.text for chunk in document.chunks if chunk.kind == "code"] == expected


def test_a_rule_above_a_line_makes_it_a_heading_and_is_no_text() -> None:
    text = (
        "Lamps\n\nAn introduction to them.\n\n" + "=" * 60 + "\n*12.4*\tOil and gas\n\nOil burns.\n\n"
        "----------\nSome text on a wick that goes\non here.\n\n====\nWick\n====\n\nIt is long.\n\n"
        "-----\na b\n-----\n1 2\n"
    )
    document = plain(text)
    assert [section.title for section in document.sections] == ["*12.4* Oil and gas", "Wick"]
    texts = [chunk.text for chunk in document.chunks]
    assert texts[1:4] == ["Oil burns.", "Some text on a wick that goes on here.", "It is long."]
