"""Pages of a Unix manual in HTML, one preformatted text each, have the sections that their headings say."""

from __future__ import annotations

import pytest

from builder.documents.manual_page import with_sections
from builder.documents.records import Chunk, Document
from builder.readers.html.flat import parse_flat
from builder.readers.html.page import parse_page

MANUAL = """LAMP(1)                                                                LAMP(1)

<b>NAME</b>
       lamp - burn oil

<b>SYNOPSIS</b>
   To light it:
       <b>lamp</b> [<b>-v</b>]

<b>DESCRIPTION</b>
       The  lamp  command  burns  oil until there is none, and tells about
       it.

       <b>-c</b> <i>wick</i>
              Burn  that  wick, which must be at hand when the lamp is lit
              in the evening.

       <b>-v</b>     Tell more.

                   one  = 1
                   two  = 2

<b>AUTHOR(S)</b>
       Ada
                                                                       LAMP(1)
"""
PAGE = f"<html><head><title>lamp(1)</title></head><body><pre>{MANUAL}</pre></body></html>"
SECTIONS = [
    ("NAME", "paragraph", "lamp - burn oil"),
    ("SYNOPSIS", "definition", "To light it:\n    lamp [-v]"),
    (
        "DESCRIPTION",
        "definition",
        "The lamp command burns oil until there is none, and tells about it.\n"
        "-c wick\n       Burn that wick, which must be at hand when the lamp is lit in the evening.\n"
        "-v Tell more.\n            one = 1\n            two = 2",
    ),
    ("AUTHOR(S)", "paragraph", "Ada"),
]


def written(document: Document) -> list[tuple[str, str, str]]:
    return [(document.sections[chunk.section].title, chunk.kind, chunk.text) for chunk in document.chunks]


def test_headings_in_capitals_make_sections_of_paragraphs_and_options() -> None:
    document = parse_page(PAGE, name="lamp.1.html")
    assert document.title == "lamp(1)"
    assert written(document) == SECTIONS
    assert [section.title for section in document.sections] == ["NAME", "SYNOPSIS", "DESCRIPTION", "AUTHOR(S)"]
    assert written(with_sections(parse_flat(PAGE, "a reason", name="lamp.1.html"))) == written(document)


@pytest.mark.parametrize(
    "html",
    [
        "<pre>NAME\n  lamp</pre>",
        "<pre>SELECT\n  lamp\nFROM\n  ports</pre>",
        "<pre>NAME\nlamp\nFILES\noil</pre>",
        "<p>It burns.</p><pre>NAME\n  lamp\nFILES\n  oil</pre>",
        "<h2>Lamp</h2><pre>NAME\n  lamp\nFILES\n  oil</pre>",
    ],
)
def test_other_preformatted_text_stays_as_it_is(html: str) -> None:
    document = parse_page(f"<html><head><title>Lamp</title></head><body>{html}</body></html>")
    assert document.chunks[-1].kind == "code" and document.chunks[-1].text == html[html.index("<pre>") + 5 : -6]


def test_what_stands_above_the_first_heading_is_the_lead() -> None:
    document = Document("Lamp", (), (Chunk(-1, "code", 0, "Of Thoon\n\nNAME\n  lamp\n\nFILES\n\tof\toil"),))
    read = with_sections(document)
    assert [(chunk.section, chunk.text) for chunk in read.chunks] == [(-1, "Of Thoon"), (0, "lamp"), (1, "of oil")]
    assert with_sections(Document("Lamp", (), ())) == Document("Lamp", (), ())


def test_words_that_are_cut_at_the_end_of_a_line_are_whole() -> None:
    text = """LAMP(1)                                                                LAMP(1)

NAME
       lamp - burn oil by the command-line

DESCRIPTION
       The lamp command burns the oil of its reservoir until there is none, in set-
       tings of all sorts, and  is told so  by whoever lights it on the command-
       line, or by  files of the keeper, if he  or she has  any of  them  (con-
       figuration files). It ends with a blank-
       2 times -

       -d     Print the default parameters of the lamp and no others of the actual param-
              eters.
"""
    page = with_sections(Document("lamp", (), (Chunk(-1, "code", 0, text),)))
    told = " ".join(chunk.text for chunk in page.chunks)
    assert (
        "in settings of all sorts, and is told so by whoever lights it on the command-line, or by files of the keeper"
        in " ".join(told.split())
    )
    assert "(configuration files)" in told and "the actual" in told and "parameters." in told and "set-" not in told
    assert "blank-" in told, "no word goes on behind it"


def test_hyphens_that_are_no_cuts_stay() -> None:
    lines = [
        f"       {'The lamp is lit by the keeper at dusk and at dawn':60} {begin}\n       {rest} of it.\n"
        for begin, rest in (
            ("--no-", "color"),
            ("pre-", "and post-conditions"),
            ("http://a.example/some-", "path"),
            ("n-", "th"),
        )
    ]
    text = f"LAMP(1){' ' * 60}LAMP(1)\n\nNAME\n       lamp - burn oil\n\nDESCRIPTION\n" + "\n".join(lines)
    page = with_sections(Document("lamp", (), (Chunk(-1, "code", 0, text),)))
    told = " ".join(" ".join(chunk.text for chunk in page.chunks).split())
    for whole in ("--no-color of", "pre- and post-conditions", "http://a.example/some-path", "n-th of"):
        assert whole in told
