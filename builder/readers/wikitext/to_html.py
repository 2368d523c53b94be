"""Resolved wikitext to HTML: headings, lists, paragraphs, preformatted lines, one by one as MediaWiki does.

>>> to_html("== Sea ==\\n* one\\n* two")
'<h2>Sea</h2>\\n<ul><li>one\\n</li><li>two</li></ul>'
"""

from __future__ import annotations

import re

from builder.readers.wikitext.state import MARK
from builder.readers.wikitext.tables import tables_to_html

RULE = re.compile(r"-{4,}")
QUOTES = re.compile("'{2,}")
SWITCH = re.compile(r"__[A-Z\u00c0-\u00de]{3,}__")
# Up to the address's end; possessive, since an address without end is read from each of its beginnings otherwise.
EXTERNAL = re.compile(
    r"\[(?:(?:https?:|ftp:|sftp:|git:)?//|(?:mailto|irc|news|tel|sip|urn|geo|magnet):)[^\s\[\]<>\"]++[ \t]*+", re.I
)
# Lines that begin or end one of these are no running text; within them a leading blank means nothing.
BLOCKS, CELLS, ITEM_TAGS, OTHERS = (
    "table|h[1-6]|pre|p|ul|ol|dl",
    "td|th",
    "tr|caption|dt|dd|li",
    "center|blockquote|div|hr",
)
OPENING = re.compile(rf"<(?:{BLOCKS})\b|</(?:{CELLS})\b|</?(?:{ITEM_TAGS})\b", re.I)
CLOSING = re.compile(rf"</(?:{BLOCKS})\b|<(?:{CELLS})\b|</?(?:{OTHERS})\b", re.I)
BLOCK_LINE = re.compile(f"{OPENING.pattern}|{CLOSING.pattern}", re.I)
LIST_SIGNS = "*#:;"
MAX_LIST_DEPTH = 30
LISTS = {"*": "ul", "#": "ol", ":": "dl", ";": "dl"}
ITEMS = {"*": "li", "#": "li", ":": "dd", ";": "dt"}
TAG_OR_LINK = re.compile(r"<(/?)(a|span|sup|sub)\b[^<>]*>|(://)|(:)")


def to_html(text: str) -> str:
    """Return the HTML of wikitext whose templates and links are resolved; linear in the text."""
    text = SWITCH.sub("", text) if "__" in text else text
    text = tables_to_html(text)
    if "[" in text:
        text = without_addresses(text)
    return _Lines().run(text)


def without_addresses(text: str) -> str:
    """Return text with the words of its external links alone: `[http://a.example the words]`."""
    pieces: list[str] = []
    position = bracket = line_end = 0
    for found in EXTERNAL.finditer(text):
        begin, words = found.span()
        if begin < position:
            continue
        bracket = text.find("]", words) if 0 <= bracket < words else bracket
        line_end = text.find("\n", words) if 0 <= line_end < words else line_end
        if bracket >= 0 and not 0 <= line_end < bracket:
            pieces += [text[position:begin], text[words:bracket]]
            position = bracket + 1
    return "".join((*pieces, text[position:]))


def without_quotes(line: str) -> str:
    """Take the marks of bold and italic out of a line and leave the apostrophes among them."""
    if "''" not in line:
        return line
    pieces = QUOTES.split(line)
    runs = [len(run) for run in QUOTES.findall(line)]
    marks = [3 if run == 4 else min(run, 5) for run in runs]
    left = [run - mark for run, mark in zip(runs, marks, strict=True)]
    if sum(mark != 2 for mark in marks) % 2 and sum(mark != 3 for mark in marks) % 2 and 3 in marks:
        # Bold and italic are both left open: one of the bold marks is an apostrophe and italic.
        left[_apostrophe(pieces, marks)] += 1
    return pieces[0] + "".join("'" * many + piece for many, piece in zip(left, pieces[1:], strict=True))


def heading_level(line: str) -> int:
    """Return how many equal signs stand at both ends of a line, at most six; 0 when nothing is between."""
    line = line.rstrip()
    before = len(line) - len(line.lstrip("="))
    if before == len(line):
        return min(6, (before - 1) // 2)
    return min(6, before, len(line) - len(line.rstrip("=")))


def _apostrophe(pieces: list[str], marks: list[int]) -> int:
    """Return which mark of three is an apostrophe: first behind a one-letter word, any word, then a blank."""
    threes = [number for number, mark in enumerate(marks) if mark == 3]
    before = [pieces[number] for number in threes]
    for number, piece in zip(threes, before, strict=True):
        if piece[-1:] not in ("", " ") and piece[-2:-1] == " ":
            return number
    for number, piece in zip(threes, before, strict=True):
        if piece[-1:] not in ("", " "):
            return number
    return threes[0]


class _Lines:
    """The state between lines: which lists are open, and whether preformatted text is."""

    def __init__(self) -> None:
        self.html: list[str] = []
        self.prefix = ""
        self.in_pre = False
        self.in_block = False
        self.quoted = 0

    def run(self, text: str) -> str:
        for line in text.split("\n"):
            self.take(without_quotes(line))
        self.close_lists("")
        self.close_pre()
        return "\n".join(self.html)

    def take(self, line: str) -> None:
        sign = line[:1]
        if sign and sign in LIST_SIGNS:
            self.close_pre()
            self.item(line)
            return
        self.close_lists("")
        level = heading_level(line) if sign == "=" else 0
        if level:
            self.close_pre()
            self.html.append(f"<h{level}>{line.rstrip()[level:-level].strip()}</h{level}>")
            self.in_block = False
        elif line.startswith("----"):
            self.close_pre()
            self.html.append("<hr>" + RULE.sub("", line, count=1))
        elif not line.strip():
            self.close_pre()
            if not self.in_block:
                self.html.append("<p>")
        else:
            self.running(line)

    def running(self, line: str) -> None:
        """Add a line of running text, or of HTML blocks, or a preformatted one that a blank begins."""
        if "<" in line and BLOCK_LINE.search(line):
            self.close_pre()
            opens, closes = OPENING.search(line), CLOSING.search(line)
            self.in_block = bool(opens) and not closes
            folded = line.lower()
            self.quoted += folded.count("<blockquote") - folded.count("</blockquote")
        elif line[0] == " " and not self.in_block and self.quoted <= 0 and not MARK.match(line.strip()):
            if not self.in_pre:
                self.html.append("<pre>")
                self.in_pre = True
            self.html.append(line[1:])
            return
        self.close_pre()
        self.html.append(line)

    def close_pre(self) -> None:
        if self.in_pre:
            self.html.append("</pre>")
            self.in_pre = False

    def item(self, line: str) -> None:
        prefix = line[: len(line) - len(line.lstrip(LIST_SIGNS))]
        rest = line[len(prefix) :]
        prefix = prefix[:MAX_LIST_DEPTH]
        shared = self.close_lists(prefix)
        pieces: list[str] = []
        if shared == len(prefix):
            pieces.append(f"</{ITEMS[self.prefix[-1]]}><{ITEMS[prefix[-1]]}>")
        elif shared and self.mixes(prefix, shared):
            pieces.append(f"</{ITEMS[self.prefix[shared - 1]]}><{ITEMS[prefix[shared - 1]]}>")
        pieces += [f"<{LISTS[sign]}><{ITEMS[sign]}>" for sign in prefix[shared:]]
        self.prefix = prefix
        rest = rest.strip()
        if prefix[-1] == ";":
            term, colon, meaning = _term(rest)
            if colon:
                rest = f"{term}</dt><dd>{meaning}"
                self.prefix = prefix[:-1] + ":"
        self.html.append("".join(pieces) + rest)

    def mixes(self, prefix: str, shared: int) -> bool:
        """Tell whether the innermost shared list goes on with the other of its two kinds of item."""
        return self.prefix[shared - 1] != prefix[shared - 1]

    def close_lists(self, prefix: str) -> int:
        """End the lists that a new prefix does not go on with; return how many go on."""
        shared = 0
        while (
            shared < min(len(prefix), len(self.prefix))
            and LISTS[prefix[shared]] == LISTS[self.prefix[shared]]
            and (prefix[shared] == self.prefix[shared] or shared == min(len(prefix), len(self.prefix)) - 1)
        ):
            shared += 1
        if self.prefix and shared < len(self.prefix):
            ends = [f"</{ITEMS[sign]}></{LISTS[sign]}>" for sign in reversed(self.prefix[shared:])]
            self.html[-1] += "".join(ends)
            self.prefix = self.prefix[:shared]
        return shared


def _term(text: str) -> tuple[str, str, str]:
    """Part `term : meaning` at the first colon that stands outside of links and tags and is no address's."""
    depth = 0
    for found in TAG_OR_LINK.finditer(text):
        if found[2]:
            depth += -1 if found[1] else 1
        elif found[4] and depth <= 0 and not text.startswith("//", found.end()):
            return text[: found.start()].strip(), ":", text[found.end() :].strip()
    return text, "", ""
