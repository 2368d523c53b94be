"""Records of Natural Questions: their fields, their page's HTML, and the text of a span of it.

Lines are megabytes long, most of them token tables that nothing here needs, so
a field is decoded alone. The original format marks spans in bytes of
`document_html`; the simplified one in blank-separated tokens of
`document_text`, where tags are tokens too.

>>> tokens_html("<P> Veldra ( river ) </P>".split(" "))
'<P> Veldra (river) </P>'
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from builder.documents.chunking import join_parts
from builder.documents.records import Chunk
from builder.readers.html.page import BadPage, parse_page
from weft.text.json_text import no_collection
from weft.text.names import link_target, title_of

# A tag as one token; attributes follow the name after "_", as in <Th_colspan="2">.
TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)(_[^<>]*)?/?>")
ATTRIBUTE = re.compile(r"(colspan|rowspan)=\"?(\d+)", re.I)
FIRST_TAG = re.compile(r"\s*<([A-Za-z]+)")
ANY_TAG = re.compile(r"<[^<>]*>")
QUOTES = {"``": "“", "''": "”", "--": "–"}
# Punctuation and English clitics, which the tokeniser had split off: "Veldra 's" is "Veldra's".
NO_BLANK_BEFORE = re.compile(r" (?=(?:[,.;:!?%)\]}”]|'s|n't|'(?:re|ve|ll|d|m))(?: |$))")
# Opening brackets, quotes and currency signs.
NO_BLANK_AFTER = re.compile(r"(?<=[(\[{“$£€]) ")
# What a part of a table or list must lie in to be read as such.
FRAMES = {
    "tbody": ("<table>", "</table>"), "tr": ("<table>", "</table>"),
    "td": ("<table><tr>", "</tr></table>"), "th": ("<table><tr>", "</tr></table>"),
    "li": ("<ul>", "</ul>"), "dd": ("<dl>", "</dl>"), "dt": ("<dl>", "</dl>"),
}  # fmt: skip
KINDS = {
    "p": "paragraph", "table": "table", "tr": "row", "ul": "list", "ol": "list", "li": "item",
    "dl": "definitions", "dd": "definition", "dt": "definition",
}  # fmt: skip
DECODER = json.JSONDecoder()


class Page(NamedTuple):
    """A record's page; `has_links` is false where the format has lost them."""

    title: str
    html: str
    url: str | None
    has_links: bool


def field(line: str, key: str) -> Any:
    """Return a field of a JSON line, None where it has none; raise ValueError when it is broken."""
    name = f'"{key}"'
    place = line.find(name)
    while place >= 0:
        # Within a string the quotes around a key would have backslashes.
        colon = _after_blanks(line, place + len(name))
        if line[max(0, place - 9) : place].rstrip()[-1:] in ("{", ",") and line[colon : colon + 1] == ":":
            with no_collection():
                return DECODER.raw_decode(line, _after_blanks(line, colon + 1))[0]
        place = line.find(name, place + 1)
    return None


def _after_blanks(line: str, place: int) -> int:
    while line[place : place + 1] in (" ", "\t"):
        place += 1
    return place


def page_of(line: str) -> Page | None:
    """Return the page of a record's line, or None when it has none; raise ValueError when it is broken."""
    source = field(line, "document_html")
    if isinstance(source, str):
        return Page(page_title(line, source), source, _url(line), True)
    text = field(line, "document_text")
    if not isinstance(text, str):
        return None
    source = tokens_html(text.split(" "))
    return Page(page_title(line, source), source, _url(line), False)


def page_title(line: str, source: str) -> str:
    """Return the title that a record gives, else that in its page's address, else its first heading."""
    given = field(line, "document_title")
    if isinstance(given, str) and title_of(given):
        return title_of(given)
    url = _url(line)
    query = parse_qs(urlsplit(url).query).get("title") if url else None
    target = link_target(url) if url else None
    if query or target:
        return title_of(query[0] if query else target.title if target else "")
    _, _, behind = source.partition("<H1>")
    heading, end, _ = behind.partition("</H1>")
    return title_of(ANY_TAG.sub(" ", heading)) if end else ""


def _url(line: str) -> str | None:
    url = field(line, "document_url")
    return html.unescape(url) if isinstance(url, str) and url else None


def span_html(source: str | bytes | Sequence[str], start: int, end: int) -> str:
    """Return the HTML of a span: of a page's bytes, or of a simplified page's tokens."""
    if isinstance(source, bytes):
        return source[start:end].decode("utf-8", "replace")
    return tokens_html(source[start:end])


def span_kind(fragment: str) -> str:
    """Return what a span is by its first tag: paragraph, table, row, list, item, definition(s)."""
    tag = FIRST_TAG.match(fragment)
    return KINDS.get(tag[1].lower(), "paragraph") if tag else "paragraph"


def span_text(fragment: str) -> str:
    """Return a span's text as the page's extraction writes it; bare text where it would leave all of it out.

    Of a span that makes several passages (a table that only lays out two
    others) it is the longest: gold is what one chunk can hold.
    """
    tag = FIRST_TAG.match(fragment)
    before, after = FRAMES.get(tag[1].lower(), ("", "")) if tag else ("", "")
    framed = f'<div class="mw-parser-output">{before}{fragment}{after}</div>'
    try:
        text = max(_texts(parse_page(framed, title="?", wiki=True).chunks), key=len, default="")
    except BadPage:
        text = ""
    return text or " ".join(html.unescape(ANY_TAG.sub(" ", fragment)).split())


def _texts(chunks: Sequence[Chunk]) -> Iterator[str]:
    parts: list[str] = []
    for chunk in chunks:
        if parts and chunk.part < 2:
            yield join_parts(parts)
            parts = []
        parts.append(chunk.text)
    if parts:
        yield join_parts(parts)


def tokens_html(tokens: Sequence[str]) -> str:
    """Return the HTML that a simplified page's tokens stand for, its text spaced as people write it."""
    pieces: list[str] = []
    words: list[str] = []
    for token in tokens:
        tag = TAG.fullmatch(token)
        if tag is None:
            words.append(token)
            continue
        pieces += [html.escape(joined_words(words), quote=False)] * bool(words)
        words = []
        pieces.append(_tag(token, tag))
    pieces += [html.escape(joined_words(words), quote=False)] * bool(words)
    return " ".join(pieces)


def _tag(token: str, tag: re.Match[str]) -> str:
    if token.startswith("</") or not tag[2]:
        return token
    spans = "".join(f' {name}="{number}"' for name, number in ATTRIBUTE.findall(tag[2]))
    return f"<{tag[1]}{spans}>"


def joined_words(words: Sequence[str]) -> str:
    """Join words and punctuation that stand as tokens of their own.

    >>> joined_words("the river 's `` Old Bend '' ( 1251 ) .".split())
    "the river's “Old Bend” (1251)."
    """
    text = " ".join(QUOTES.get(word, word) for word in words if word)
    return NO_BLANK_AFTER.sub("", NO_BLANK_BEFORE.sub("", text))
