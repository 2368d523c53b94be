"""reStructuredText files as documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.build import build
from builder.documents.records import Document
from builder.readers.links.labels import labels_in
from builder.readers.text.files import head_title, parse
from builder.readers.text.rst.document import heading_title, rst_document
from builder.readers.text.rst.parsing import parse_rst
from builder.request import Request
from tests.growth import Run, check_growth
from tests.worlds import rows

TEXT = """
.. _top:

The *Harbour* of ``Ondrel``
===========================

Lead with a `link <other.rst#x>`_, :doc:`the guide <guide>`, :doc:`guide`, :ref:`label <top>`,
:func:`~port.pier.light`, :odd:`role`, `wiki <https://en.wikipedia.org/wiki/Moon>`_, named_ and [1]_.

.. _named: sub/named.md

Use
---

* one
* two

  * inner

    more

term
  its definition

====  ====
a     b
====  ====
1     2
====  ====

.. code-block:: python
   :caption: x
   :emphasize-lines: 1

   print(1)

.. note:: Mind the *step*.

.. versionadded:: 3.2
   The lamp.

.. py:function:: foo(x, y)
   :module: bar

   Does foo.

.. image:: x.png
   :foo: bar

.. include:: /etc/passwd
.. literalinclude:: /etc/passwd

.. raw:: html

   <b>raw</b>

.. csv-table:: Title
   :file: /etc/passwd

.. odd:: An argument

   And its text.

.. A comment.

Deep
~~~~

text::

   literal

.. [1] The footnote.
"""


def passages(document: Document) -> list[tuple[int, str, str]]:
    return [(chunk.section, chunk.kind, chunk.text) for chunk in document.chunks]


def test_blocks_of_restructuredtext_have_their_kinds_and_nothing_is_read_or_passed_through() -> None:
    titles = {"other.rst": "Other", "doc:guide": "Guide", "sub/named.md": "Named"}
    document = rst_document(TEXT, "harbour.rst", titles)
    assert document.title == "The Harbour of Ondrel"
    assert [(each.title, each.level, each.parent) for each in document.sections] == [("Use", 2, -1), ("Deep", 3, 0)]
    assert passages(document) == [
        (-1, "paragraph", "Lead with a link, the guide, Guide, label, light, role, wiki, named and ."),
        (0, "list", "one\ntwo\n  inner more"),
        (0, "definition", "term: its definition"),
        (0, "table", "a | b\n1 | 2"),
        (0, "code", "print(1)"),
        (0, "paragraph", "Mind the step."),
        (0, "paragraph", "New in version 3.2: The lamp."),
        (0, "definition", "foo(x, y)\n  Does foo."),
        (0, "paragraph", "An argument"),
        (0, "paragraph", "And its text."),
        (1, "paragraph", "text:"),
        (1, "code", "literal"),
        (1, "paragraph", "The footnote."),
    ]
    assert [(link.anchor, link.target) for link in document.chunks[0].links] == [
        ("link", "Other"), ("the guide", "Guide"), ("Guide", "Guide"), ("wiki", "Moon"), ("named", "Named"),
    ]  # fmt: skip
    assert document.note is not None
    assert document.note.startswith("reStructuredText with 1 error, the first in line ")


@pytest.mark.parametrize(
    ("text", "title", "sections"),
    [
        ("Title\n=====\n\ntext", "Title", []),
        ("=====\nTitle\n=====\n\nSub\n---\n\ntext", "Title", ["Sub"]),
        ("One\n===\n\na\n\nTwo\n===\n\nb", "One", ["Two"]),
        ("Only text.", "A file", []),
        (":Date: today\n\n:mod:`pier` -- a module\n=======================\n\nx", "pier -- a module", []),
        ("a `b <c>`_ d\n============\n\nx", "a b d", []),
    ],
)
def test_the_title_is_the_first_heading_and_the_one_that_links_go_by(
    text: str, title: str, sections: list[str]
) -> None:
    document = rst_document(text, "a_file.rst", {})
    assert (document.title, [each.title for each in document.sections]) == (title, sections)
    assert (head_title(text.encode(), "a_file.rst") or "A file") == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("AI\n==\n\nx", "AI"),
        ("A\n=\n\nx", "A"),
        ("==\nAI\n==\n\nx", "AI"),
        ("====\n AI\n====\n\nx", "AI"),
        ("港\n==\n\nx", "港"),
        ("港\n=\n\nx", ""),
        ("Tide\n===\n\nx", ""),
        ("The tide\n====\n\nx", "The tide"),
        ("===\nTide\n===\n\nx", ""),
        ("======\nTide\n====\n\nx", ""),
        ("A line\nAI\n==\n\nx", ""),
        ("A line\nTide\n====\n\nx", ""),
        ("- a\n---\n\nx", ""),
        (".. a\n====\n\nx", ""),
        (".. _a:\n\nAI\n==\n\nx", "AI"),
        (".. _a:\nTide\n====\n\nx", "Tide"),
        ("Words.\n\nAI\n--\n\nx", "AI"),
        ("AI \n==  \n\nx", "AI"),
        ("----\n\nAI\n==\n\nx", "AI"),
        ("a\n-\nAI\n==\n", "a"),
        ("`~a.b`\n======\n\nx", "a.b"),
        ("`Tide tables <tides.rst>`_\n==========================\n\nx", "Tide tables"),
        (":mod:`!tides` --- Tides\n=======================\n\nx", "tides --- Tides"),
        (":class:`~sea.Tide` and :pep:`8`\n==============================\n\nx", "Tide and PEP 8"),
    ],
)
def test_a_line_is_a_heading_where_docutils_says_so(text: str, title: str) -> None:
    assert heading_title(text) == title
    assert any(True for _ in parse_rst(text).findall(lambda node: node.tagname == "section")) == bool(title)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See _`Water` here.", ["See Water here."]),
        (".. admonition:: And by the way\n\n   Mind it.", ["And by the way", "Mind it."]),
        (".. topic:: My topic\n\n   Its text.", ["My topic", "Its text."]),
        (".. sidebar:: Side\n   :subtitle: Below\n\n   Text.", ["Side", "Below", "Text."]),
        ("* .. admonition:: By the way\n\n     Its text.", ["By the way Its text."]),
        ("* .. topic:: My topic\n\n     Its text.", ["Its text."]),
        (".. image:: a.png\n   :alt: A lamp", ["A lamp"]),
        (".. image:: a.png\n   :alt: A lamp\n   :target: b.rst", ["A lamp"]),
        (".. image:: a.png", []),
        (".. figure:: a.png\n   :alt: A lamp\n\n   On the pier\n\n   In May.", ["A lamp", "On the pier", "In May."]),
        ("The |mark| burns.\n\n.. |mark| image:: a.png\n   :alt: lamp", ["The lamp burns."]),
        ("* .. image:: a.png\n     :alt: A lamp", ["A lamp"]),
        (":index:`tide` and `ebb`:index: and :i:`flow`", ["tide and ebb and flow"]),
        (":index:`high water <pair: water; high>`", ["high water"]),
        (":target:`tide`, :uri:`ebb`, :named-reference:`flow`", ["tide, ebb, flow"]),
        (":Ünit:`a`, :9p:`b`, :c:func:`d`, (:x:`e`), -:x:`f`", ["a, b, d, (e), -f"]),
    ],
)
def test_what_a_reader_sees_is_kept(text: str, shown: list[str]) -> None:
    assert [chunk.text for chunk in rst_document(text, "a.rst", {}).chunks] == shown


def test_a_linked_image_is_a_link() -> None:
    (chunk,) = rst_document(".. image:: a.png\n   :alt: A lamp\n   :target: b.rst", "a.rst", {"b.rst": "B"}).chunks
    assert [(link.anchor, link.target) for link in chunk.links] == [("A lamp", "B")]


@pytest.mark.parametrize(
    ("definition", "text"),
    [
        (".. role:: sub(raw)\n   :format: html", "H\\ :sub:`2`\\ O"),
        (".. role:: sub(strong)", "H\\ :sub:`2`\\ O"),
        (".. default-role:: literal", "The `harbour`."),
        (".. role:: own(literal)", "An :own:`a\\b`."),
        (":note:`a`\n\n.. odd:: b", ".. odd:: c"),
        (":odd:`a`", ".. role:: odd(literal)\n\n:odd:`a\\b`"),
    ],
)
def test_what_one_text_defines_means_nothing_in_the_next(definition: str, text: str) -> None:
    def forms() -> str:
        return str(parse_rst(text).pformat())

    before = forms()
    rst_document(f"{definition}\n\nWords.", "a.rst", {})
    assert forms() == before


@pytest.mark.parametrize(
    "text",
    [
        "* " * 300 + "x", "> " * 300, "`" * 2000, "*a " * 2000, "a\n=\n" * 200, ".. x::\n" * 500, "|a| " * 500,
        "".join("  " * depth + "* x\n\n" for depth in range(120)), "\x00\x01", "=== ===\na\n", "+-+\n|a\n",
        ".. |a| replace:: |a|\n\n|a|", ".. _a: b_\n.. _b: a_\n\na_", ":role:`x` " * 300, ".. code::\n   :x:\n\n   y",
    ],
)  # fmt: skip
def test_odd_restructuredtext_is_a_document_or_a_reject_with_a_reason(text: str) -> None:
    outcome = parse("a.rst", (text.encode(), (), None, (), None))
    assert isinstance(outcome, Document) or outcome.reason


def test_what_docutils_fails_on_is_read_as_plain_text() -> None:
    text = "Title\n=====\n\n" + "".join(f"{'  ' * depth}* x\n\n" for depth in range(400))
    outcome = parse("a.rst", (text.encode(), (), None, (), None))
    assert isinstance(outcome, Document)
    assert outcome.title == "Title"
    assert (outcome.note or "").startswith("read as plain text: ")


def test_links_between_restructuredtext_files_are_links(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    (docs / "sub").mkdir(parents=True)
    (docs / "a.rst").write_text("A\n=\n\n`b <sub/b.rst>`_, :doc:`sub/b`, :doc:`/sub/b`, `c <sub/c.md>`__.")
    (docs / "sub" / "b.rst").write_text("The b\n=====\n\n:doc:`up <../a>`")
    (docs / "sub" / "c.md").write_text("# The c\n\n[a](../a.rst)")
    build(Request((str(docs),), tmp_path / "kb.skb", workers=1))
    assert rows(
        tmp_path / "kb.skb",
        "SELECT chunk.uri, entity.uri, count FROM cites JOIN chunk ON chunk.id = chunk_id"
        " JOIN entity ON entity.id = entity_id ORDER BY 1, 2",
    ) == [("A##1", "The b", 3), ("A##1", "The c", 1), ("The b##1", "A", 1), ("The c##1", "A", 1)]


def test_versions_are_told_as_sphinx_shows_them_and_code_of_others_is_code() -> None:
    text = """Lamp
====

:orphan:
:colour: red

.. version-added:: 7.2.0
.. versionchanged:: 8.0 It *glows*.

   Since long.

.. deprecated:: 9
.. versionremoved:: 10:
.. deprecated-removed:: 3.8 3.10

   Gone later.

.. versionadded::

.. tabs::

   .. code-tab:: ini

      path = c:\\lamp\\src
"""
    chunks = rst_document(text, "lamp.rst", {}).chunks
    assert [(chunk.kind, chunk.text) for chunk in chunks] == [
        ("definition", "colour: red"), ("paragraph", "New in version 7.2.0"),
        ("paragraph", "Changed in version 8.0: It glows."), ("paragraph", "Since long."),
        ("paragraph", "Deprecated since version 9"), ("paragraph", "Removed in version 10"),
        ("paragraph", "Deprecated since version 3.8, to be removed in version 3.10"), ("paragraph", "Gone later."),
        ("code", "path = c:\\lamp\\src"),
    ]  # fmt: skip


def test_a_label_is_shown_as_the_heading_that_it_stands_above(tmp_path: Path) -> None:
    (tmp_path / "pier").mkdir()
    (tmp_path / "pier" / "lamp.rst").write_text(
        "Lamps\n=====\n\n.. _Old  lamp:\n.. _second:\n\n.. index:: lamp\n   single: oil\n\n"
        "The *old* lamp\n--------------\n\n"
        "It burns oil, see :ref:`keeper` and :ref:`old lamp`.\n\n.. _nowhere:\n\nNo heading.\n"
    )
    (tmp_path / "keeper.rst").write_text(
        "=======\nKeepers\n=======\n\n.. _keeper:\n\n======\nKeeper\n======\n\n"
        "He trims :ref:`old lamp`, :ref:`the lamp <second>`, :ref:`nowhere`, :ref:`unknown` and :doc:`pier/lamp`.\n"
    )
    build(Request((str(tmp_path),), tmp_path / "kb.skb", workers=1))
    found = dict(rows(tmp_path / "kb.skb", "SELECT uri, text FROM chunk"))
    assert found["Keepers#Keeper##1"] == "He trims The old lamp, the lamp, nowhere, unknown and Lamps."
    assert found["Lamps#The old lamp##1"] == "It burns oil, see Keeper and The old lamp."
    links = rows(tmp_path / "kb.skb", "SELECT target, fragment, anchor FROM link ORDER BY chunk_id, start")
    assert sorted(links) == [
        ("Keepers", "Keeper", "Keeper"), ("Lamps", "", "Lamps"), ("Lamps", "The old lamp", "The old lamp"),
        ("Lamps", "The old lamp", "the lamp"),
    ]  # fmt: skip


def test_a_changed_heading_is_shown_where_its_label_is_named(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    lamp, keeper = tmp_path / "docs" / "lamp.rst", tmp_path / "docs" / "keeper.rst"
    keeper.write_text("Keeper\n======\n\nSee :ref:`lamp`.\n")
    for heading in ("Lamp", "Light"):
        lamp.write_text(f".. _lamp:\n\n{heading}\n=====\n\nIt burns.\n")
        build(Request((str(tmp_path / "docs"),), tmp_path / "kb.skb", workers=1))
        assert ("Keeper##1", f"See {heading}.") in rows(tmp_path / "kb.skb", "SELECT uri, text FROM chunk")


@pytest.mark.parametrize(
    "run", [Run(".. _a:\n"), Run(".. _a:\n\n"), Run(".. index:: a\n", ".. _a:\n"), Run(".. _"), Run("\n", ".. _a:")],
    ids=repr,
)  # fmt: skip
def test_labels_are_found_in_linear_time(run: Run) -> None:
    check_growth(lambda text: [*labels_in(text)], run)


def test_what_an_object_directive_describes_is_defined() -> None:
    text = """Settings
========

.. confval:: lamp_key

   A key of lamps.

   It has to be long.

   Default: ``None``

.. py:class:: Lamp(oil)

   .. py:method:: light(self)

      Lights `the lamp <https://lamps.example>`_.

.. envvar:: LAMP_DIR

.. note:: Mind the step.
"""
    found = [(chunk.kind, chunk.text) for chunk in rst_document(text, "settings.rst", {}).chunks]
    assert found == [
        ("definition", "lamp_key\n  A key of lamps.\n  Default: None"), ("paragraph", "It has to be long."),
        ("paragraph", "Lamp(oil)"),
        ("definition", "light(self)\n  Lights the lamp."), ("paragraph", "LAMP_DIR"), ("paragraph", "Mind the step."),
    ]  # fmt: skip


def test_a_class_is_described_or_a_style() -> None:
    text = ".. class:: Lamp(oil)\n\n   It burns.\n\n.. class:: Wick\n\n.. function:: f()\n\n   Trims."
    described = rst_document(text, "l.rst", {})
    assert [chunk.text for chunk in described.chunks] == ["Lamp(oil)\n  It burns.", "Wick", "f()\n  Trims."]
    styled = rst_document(".. class:: center\n\nIt burns.", "l.rst", {})
    assert [chunk.text for chunk in styled.chunks] == ["It burns."]


def test_the_day_of_a_build_is_no_text() -> None:
    document = rst_document(".. |today| date::\n.. |year| date:: %Y\n\nBuilt |today| in |year| here.", "l.rst", {})
    assert [chunk.text for chunk in document.chunks] == ["Built in here."]
    assert document.note is None


CODE_IN_ITEMS = """
Lamps
=====

1. Open the file:

   .. code-block:: yaml

       lamp:
         oil: yes

   and save it.
2. Light it:

   * by hand::

       $ light

3. Go.

term
  .. note::

     Its code::

       x
"""


def test_code_in_items_keeps_its_lines() -> None:
    items, terms = (chunk.text.split("\n") for chunk in rst_document(CODE_IN_ITEMS, "a.rst", {}).chunks)
    assert items[:4] == ["Open the file:", "  lamp:", "    oil: yes", "  and save it."]
    assert items[4:] == ["Light it:", "  by hand:", "    $ light", "Go."]
    assert terms == ["term: Its code:", "  x"]


def test_types_and_defaults_are_told_of_what_a_directive_describes() -> None:
    text = (
        "A\n=\n\n.. conf:: wick\n   :type: int\n   :default: ``4``\n   :noindex:\n\n   .. versionadded:: 3\n\n"
        "   Its length.\n\n   More.\n"
    )
    chunks = rst_document(text, "a.rst", {}).chunks
    assert [(chunk.kind, chunk.text) for chunk in chunks] == [
        ("definition", "wick\n  Its length.\n  Type: int\n  Default: 4"),
        ("paragraph", "New in version 3"),
        ("paragraph", "More."),
    ]


def test_what_is_shown_under_a_condition_has_its_headings() -> None:
    text = "A\n=\n\nB\n-\n\n.. only:: html\n\n   C\n   ^\n\n   Text.\n\nMore.\n\nD\n-\n\nEnd.\n"
    document = rst_document(text, "a.rst", {})
    assert [(section.title, section.parent) for section in document.sections] == [("B", -1), ("C", 0), ("D", -1)]
    assert [(chunk.section, chunk.text) for chunk in document.chunks] == [(1, "Text."), (0, "More."), (2, "End.")]
