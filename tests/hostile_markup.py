"""Hostile pages: HTML, wikitext in dumps, Markdown, plain text, front matter."""

# ruff: noqa: E501 (a row of the table is a line)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.hostile_readers import built, read_heading_and_roles

Make = Callable[[int], bytes]


def html(before: str, repeated: str, after: str = "") -> Make:
    """Return a maker of a page whose body has one part repeated; `№` in it is the number of the repetition."""
    return _repeated(f"<!DOCTYPE html><html><head><title>A</title></head><body><h1>A</h1>{before}", repeated, after)


def text(before: str, repeated: str, after: str = "") -> Make:
    """Return a maker of a text that has one part repeated."""
    return _repeated(before, repeated, after)


def dump(before: str, repeated: str, after: str = "") -> Make:
    """Return a maker of a dump of one article whose wikitext has one part repeated."""
    opened = (
        "<mediawiki><siteinfo></siteinfo><page><title>A</title><ns>0</ns><revision>"
        "<timestamp>2026-01-01T00:00:00Z</timestamp><model>wikitext</model><text>Words. "
    )
    return _repeated(opened + _escaped(before), _escaped(repeated), _escaped(after) + "</text></revision></page></mediawiki>")


def _escaped(wikitext: str) -> str:
    return wikitext.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _repeated(before: str, repeated: str, after: str) -> Make:
    def make(size: int) -> bytes:
        if "№" not in repeated:
            return (before + repeated * size + after).encode()
        return (before + "".join(repeated.replace("№", str(n)) for n in range(size)) + after).encode()

    return make


def _html(name: str, size: int, make: Make, memory_mb: float = 256) -> tuple[Any, ...]:
    return f"html: {name}", "a.html", size, make, built, memory_mb


def _wiki(name: str, size: int, make: Make) -> tuple[Any, ...]:
    return f"wikitext: {name}", "a.xml", size, make, built, 256


def _markdown(name: str, size: int, make: Make) -> tuple[Any, ...]:
    return f"markdown: {name}", "a.md", size, make, built, 256


def _text(name: str, size: int, make: Make) -> tuple[Any, ...]:
    return f"text: {name}", "a.txt", size, make, built, 256


def _rst(name: str, size: int, make: Make) -> tuple[Any, ...]:
    return f"reStructuredText: {name}", "a.rst", size, make, read_heading_and_roles, 64


def _front(name: str, size: int, make: Make) -> tuple[Any, ...]:
    return f"front matter: {name}", "a.md", size, make, built, 256


ROWS: tuple[tuple[Any, ...], ...] = (
    _html("empty paragraphs in a cell", 2500, html("<table><tr><td>", "<p></p>")),
    _html("empty paragraphs in an item", 5800, html("<ul><li>", "<p></p>", "word</ul>")),
    _html("line breaks in an infobox", 7600, html("<table class=infobox><tr><th>Born<td>", "<br>", "1251</table>")),
    _html("paragraphs and breaks in a cell", 1900, html("<table><tr><td>a", "<p><br></p> <br> ", "b")),
    _html("equal headings", 275, html("", "<h2>Same</h2><p>A word.")),
    _html("equal headings below each other", 200, html("", "<h2>Same</h2><h3>Same</h3><p>A word.")),
    _html("headings without text below", 650, html("", "<h2>Part №</h2>")),
    _html("blanks", 21_000, html("<p>a", " &nbsp;\n", "b")),
    _html("a word without end", 100_000, html("<p>", "aB")),
    _html("a sentence without end", 20_000, html("<p>", "word ")),
    _html("many sentences", 5000, html("<p>", "A word is. ")),
    _html("many paragraphs", 435, html("", "<p>Word №.</p>")),
    _html("links to one page", 1150, html("<p>", '<a href="/wiki/B">B</a> ')),
    _html("links to many pages", 275, html("<p>", '<a href="/wiki/B_№">B</a> ')),
    _html("a link full of folders", 50_000, html('<p><a href="', "../", 'b.html">B</a>')),
    _html("a link full of escapes", 6000, html('<p><a href="/wiki/', "%E2%80%8B", '">B</a>')),
    _html("a link full of fragments", 50_000, html('<p><a href="/wiki/B', "&#35;", '">B</a>')),
    _html("formatting reopened in every paragraph", 70, html("", "<p><font size=№>a")),
    _html("formatting that is never closed", 20_000, html("<p>", "<b>x")),
    _html("links that are never closed", 10_000, html("<p>", "<a href='/wiki/B'>x")),
    _html("options of mixed case", 10_000, html("<p>a<select>", "<Option>a", "</select>b")),
    _html("nested blocks", 20_000, html("", "<div>")),
    _html("nested blocks below the limit", 4500, html("", "<div>")),
    _html("nested blocks with links", 800, html("<p>", "<section><a href='/wiki/B_№'>B</a><p>")),
    _html("nested lists below the limit", 600, html("", "<ul><li>a")),
    _html("nested tables below the limit", 500, html("", "<table><tr><td>a")),
    _html("nested blocks and comments that are not closed", 2_450, html("", "<div><!-- x -->", "<!-- " * 9_000)),
    _html("nested blocks and tags that are not closed", 1_800, html("", "<div><a b='")),
    _html("tags that are not closed in nested blocks", 1_800, html("<div>" * 2_000, "<div><a b='")),
    _html("nested parts and references", 800, html("<p>", "<span>&amp;&#65;&notin &")),
    _html("formatting that is left open below the limit", 1200, html("".join(f"<font size={n}>" for n in range(200)), "<p>x")),
    _html("tables in tables", 17, html("", "<table><tr><td>" * 60 + "a" + "</table>" * 60)),
    _html("lists in lists", 10, html("", "<ul><li>a" * 60 + "</ul>" * 60)),
    _html("items of one list", 1500, html("<ul>", "<li>a № b")),
    _html("definitions", 2100, html("<dl>", "<dt>a<dd>b")),
    _html("cells over many columns", 1000, html("<table>", "<tr><td colspan=1000>a")),
    _html("cells over many rows", 600, html("<table>", "<tr><td rowspan=65534>a<td>b")),
    _html("cells over both", 890, html("<table>", "<tr><td rowspan=65534 colspan=1000>a")),
    _html("columns of one row", 4200, html("<table><tr>", "<td>a")),
    _html("a header of many columns", 2000, html("<table><tr>", "<th>a №", "<tr><td>b" * 1000)),
    _html("rows of a table", 1200, html("<table><tr><th>a<th>b", "<tr><td>a<td>№")),
    _html("attributes of a tag", 10_000, html("<p ", "a№=b ", ">word")),
    _html("classes of a tag", 16_000, html('<p class="', "a№ ", '">word')),
    _html("comments that are not closed", 25_000, html("<p>a", "<!-- ")),
    _html("tags that are not closed", 50_000, html("<p>a", "<a ")),
    _html("less-than signs", 46_000, html("<p>a", "< ")),
    _html("entities", 2700, html("<p>a", "&amp;&#x41;&notin")),
    _html("brackets", 100_000, html("<p>a", "[")),
    _html("parentheses", 100_000, html("<p>a ", "(", ")")),
    _html("citation marks", 1800, html("<p>a", "<sup class=reference><a href='#a'>[1]</a></sup>")),
    _html("options below the limit", 1200, html("<p>a<select>", "<option>a", "</select>b")),
    _html("attributes below the limit", 21, html("", "<p " + " ".join(f"a{n}=b" for n in range(900)) + ">word")),
    _html("formatting of mixed case", 5000, html("<p>", "<Font Size=№>x")),
    _html("scripts", 4200, html("<p>a", "<script>a</script>")),
    _html("a title of many words", 9500, lambda n: b"<title>" + b"word " * n + b"</title><h1>" + b"word " * n + b"</h1><p>a"),
    _html("a heading of many words", 19_000, html("<h2>", "word ", "</h2><p>a")),
    _html("null characters", 100_000, html("<p>a", "\0")),
    _html("marks above a letter", 36_500, html("<p>a", "\u0301")),
    _html("preformatted lines", 10_000, html("<pre>", "a\n")),
    _html("signs in a link within the page", 50_000, html("<p><a href='#b'>a", "!", "b</a>")),
    _html("headings of a manual's page", 1_000, html("<pre>NAME\n  a\n", "PART №\n  text\n")),
    _html("options of a manual's page", 2_500, html("<pre>NAME\n  a\nOPTIONS\n", "  -a\n      text\n")),
    _html("blanks in a manual's page", 50_000, html("<pre>NAME\n  a\nOPTIONS\n  b\nx", " ")),
    _html("labels", 5_000, html("", "<p>Note:</p>")),
    _html("terms without definitions", 5_000, html("<dl>", "<dt>a</dt>", "<dd>b</dl>")),
    _wiki("templates that are not closed", 6_000, dump("", "{{a|")),
    _wiki("links that are not closed", 4000, dump("", "[[a|")),
    _wiki("parameters that are not closed", 4300, dump("", "{{{a|")),
    _wiki("tables that are not closed", 2_400, dump("", "{|\n|-\n|a")),
    _wiki("bold tags that are not closed", 5000, dump("", "<b>x")),
    _wiki("references that are not closed", 3000, dump("", "<ref>x")),
    _wiki("addresses that are not closed", 4000, dump("", "[http://a ")),
    _wiki("an address without end", 20_000, dump("[http://", "aaaa")),
    _wiki("nested templates", 3400, lambda n: dump("", "")(0).replace(b"Words. ", b"{{a|" * n + b"}}" * n)),
    _wiki("templates and links that cross", 1000, lambda n: dump("", "")(0).replace(b"Words. ", b"{{a|[[b|c}}" * n + b"]]" * n)),
    _wiki("templates nested as deep as is read", 33, dump("", "{{ubl|" * 25 + "a" + "}}" * 25)),
    _wiki("arguments and templates of one run", 1000, dump("", "{{{a|b}}")),
    _wiki("links in names of templates", 680, dump("", "{{a[[b]]|c}}")),
    _wiki("names of templates that are not closed", 2300, dump("", "{{a [[")),
    _wiki("arguments of a template", 5000, dump("{{small", "|a", "}}")),
    _wiki("parts of a link", 5000, dump("[[a", "|b", "]]")),
    _wiki("cases of a switch", 2600, dump("{{#switch:x", "|a=b", "}}")),
    _wiki("equal signs of a heading", 10_000, dump("\n", "= a ")),
    _wiki("quotes of a tag that are not closed", 3000, dump("", '<ref name="a>b</ref>')),
    _wiki("addresses of many kinds that are not closed", 2000, dump("", "[news:a [//b ")),
    _wiki("extension tags in each other", 3000, dump("", "<poem><section>")),
    _wiki("quotes", 20_000, dump("", "''a'''")),
    _wiki("headings", 245, dump("", "\n== Same ==\na")),
    _wiki("items", 1400, dump("", "\n* a № b")),
    _wiki("nested items", 1000, dump("\n", "*", " a")),
    _wiki("links", 400, dump("", "[[B №]] ")),
    _wiki("comments that are not closed", 20_000, dump("", "<!-- ")),
    _wiki("nowiki tags that are not closed", 14_000, dump("", "<nowiki>")),
    _wiki("blanks", 5900, dump("", " \n", "b")),
    _wiki("entities", 37_000, dump("", "&amp;")),
    _markdown("blanks behind a heading", 5000, text("# a", " ", "b\n\nText.\n")),
    _markdown("blanks behind emphasis", 12_000, text("# A\n\na *b*", " ", "c")),
    _markdown("nested quotes", 30_000, text("# A\n\n", ">", " a")),
    _markdown("brackets", 20_000, text("# A\n\n", "[")),
    _markdown("links that are not closed", 750, text("# A\n\n", "[a](")),
    _markdown("pictures that are not closed", 5300, text("# A\n\n", "![a")),
    _markdown("backticks of many lengths", 150, lambda n: b"# A\n\n" + b" a ".join(b"`" * k for k in range(1, n))),
    _markdown("emphasis that is not closed", 1000, text("# A\n\n", "*a _b ")),
    _markdown("tags that are not closed", 3250, text("# A\n\n", "<a ")),
    _markdown("definitions of links", 800, text("# A\n\n[a]\n\n", "[a№]: http://a.example/№\n")),
    _markdown("headings", 195, text("# A\n", "\n## Same\n\nText.\n")),
    _markdown("nested items", 150, lambda n: b"# A\n\n" + b"".join(b"  " * k + b"- a\n" for k in range(n))),
    _markdown("columns of a table", 1300, lambda n: b"# A\n\n" + b"|a" * n + b"|\n" + b"|-" * n + b"|\n" + b"|b" * n + b"|\n"),
    _markdown("brackets with one end", 1700, text("# A\n\n", "[", "]")),
    _markdown("brackets around brackets", 1800, lambda n: b"# A\n\n" + b"[" * n + b"]" * n),
    _markdown("links of wikis that are not closed", 11_000, text("# A\n\n", "[[")),
    _markdown("marks of footnotes that are not closed", 6000, text("# A\n\n[^a]: b\n\n", "[^")),
    _markdown("instructions that are not closed", 3400, text("# A\n\n", "a <? ")),
    _markdown("lines that run on from nested quotes", 230, text("# A\n\n" + "> " * 30 + "a\n", "b\n")),
    _markdown("paragraphs of an item", 960, text("# A\n\n- a\n\n", "  b\n\n")),
    _markdown("definitions of terms", 420, text("# A\n\n", "a\n: b\n\n")),
    _markdown("definitions over two lines", 1800, text("# A\n\n", "[a]:\n")),
    _markdown("labels of MyST", 5000, text("# A\n\n", "(a№)=\n")),
    _markdown("comments of MyST", 5000, text("(a)=\n# A\n\n", "% a\n\n", "Text.\n")),
    _markdown("directives that are not closed", 2000, text("# A\n\n", ":::{note} a\n")),
    _markdown("directives within each other", 150, lambda n: b"# A\n\n" + b"".join(b"`" * k + b"{note}\n" for k in range(n + 2, 2, -1)) + b"a\n"),
    _markdown("options of a directive", 5000, text("# A\n\n```{note}\n", ":a: b\n", "c\n```\n")),
    _markdown("options that are not closed", 4_000, text("# A\n\n```{note}\n---\n", "a: b\n")),
    _markdown("roles", 2000, text("# A\n\n", "{a}`b <c>` ")),
    _markdown("names of roles", 4_000, text("# A\n\n", "{a}", "`b`")),
    _markdown("a name of a role without end", 15_000, text("# A\n\n", "{a", "}`b`")),
    _markdown("cells that a row lacks", 41, lambda n: b"# A\n\n" + b"|a" * 100 + b"|\n" + b"|-" * 100 + b"|\n" + b"|b\n" * n),
    _text("blanks", 200_000, text("A\n\na", " ", "b\n")),
    _text("empty lines", 200_000, text("A\n\na", "\n", "b\n")),
    _text("one long line", 13_500, text("A\n\n", "word ")),
    _text("underlined headings", 270, text("A\n=\n\n", "Same\n----\n\nText.\n\n")),
    _text("items", 1150, text("A\n\n", "- a № b\n")),
    _text("underlines", 33_000, text("A\n", "=", "\nText.")),
    _rst("names of roles", 40_000, text("A\n=\n\n", ":a")),
    _rst("a role behind many names", 40_000, text("A\n=\n\n:", "a:b")),
    _rst("a role in a heading", 40_000, text("A", ":a", "\n====\n\nText.\n")),
    _rst("blanks in a role of a heading", 40_000, text("A :a:`b", " ", "c` d\n====\n\nText.\n")),
    _rst("blanks in a role", 40_000, text("A\n=\n\n:a:`b", " ", "c`\n")),
    _rst("lines over rules", 10_000, text("", "a\n- \nb\n")),
    _front("keys", 800, text("---\n", "k№: v\n", "---\n# A\n\nText.\n")),
    _front("one that is not closed", 2100, text("---\n", "a: b\n", "\nText.\n")),
    _front("a list of one line", 2700, text("---\ntags: [", "a№,", "]\n---\n# A\n\nText.\n")),
    _front("nested TOML arrays", 9000, text("+++\na = ", "[", "\n+++\n# A\n\nText.\n")),
    _front("a TOML key of many parts", 5000, text("+++\na", ".a", " = 1\n+++\n# A\n\nText.\n")),
    _front("nested YAML lists", 1800, text("---\na: ", "[", "\n---\n# A\n\nText.\n")),
    _front("aliases of a list", 300, text("---\na: &a [" + "b, " * 300 + "]\n", "c№: *a\n", "---\n# A\n\nText.\n")),
    _front("a quoted TOML key of many parts", 5000, text('+++\n"a b"', '."a b"', " = 1\n+++\n# A\n\nText.\n")),
    _front("TOML tables", 470, text("+++\n", "[a№]\nb=1\n", "+++\n# A\n\nText.\n")),
    _front("a huge number in TOML", 20_000, text("+++\ntitle = 1", "1", "\n+++\n# A\n\nText.\n")),
)  # fmt: skip
