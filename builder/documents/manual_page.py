"""Pages of a Unix manual as sections: preformatted text with headings in capitals where lines begin.

>>> text = "CAT(1)   CAT(1)\\n\\nNAME\\n     cat - print\\n\\nOPTIONS\\n     -n   Number all\\n          lines."
>>> page = with_sections(Document("cat", (), (Chunk(-1, "code", 0, text),)))
>>> [(page.sections[chunk.section].title, chunk.kind, chunk.text) for chunk in page.chunks]
[('NAME', 'paragraph', 'cat - print'), ('OPTIONS', 'definition', '-n Number all\\n     lines.')]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import groupby

from builder.documents.chunking import Line, cut_definitions
from builder.documents.records import Chunk, Document, Section

HEADING = re.compile(r"[A-Z](?:[^\sa-z]| (?! ))*")
SURE = "NAME"
"""The first heading of every page of a manual."""
LEAST_HEADINGS = 2
RUNNING_TITLE = re.compile(r"(\S+\(\w+\))\s.*\s\1\s*")
FOOTER = re.compile(r"(?:\S.*)? {20,}\S+\(\w+\)")
"""The last line of a page."""
LONGEST_LINE = 200
"""Characters of a heading or title; in longer lines none is looked for, as that takes time with their square."""
FILLED = 60
"""Lines of running text have at least so many characters, all but a paragraph's last."""
MOST_INDENT = 40
CUT, REST = re.compile(r"(?<=\s)(\S*?)([A-Za-z]*[a-z])-\Z"), re.compile(r"( +)([a-z]+)")
"""The beginning of a word that is cut at the end of a line, and its rest on the next."""

WORD = re.compile(r"[A-Za-z]+(?:-[a-z]+)*")
JOINING = frozenset(("and", "or", "nor", "to"))
"""What follows a hyphen that stands for the rest of a word: "pre- and post-conditions"."""


def with_sections(document: Document) -> Document:
    """Return a document that is nothing but a manual's page with its sections, any other as it is. Linear."""
    if document.sections or any(chunk.kind != "code" for chunk in document.chunks):
        return document
    lines = [line.expandtabs() for chunk in document.chunks for line in (*chunk.text.split("\n"), "")]
    if len(lines) > 1 and _is(FOOTER, lines[-2]):
        lines[-2] = ""
    lead, *parts = _parts(_rejoined([line for line in lines if not _is(RUNNING_TITLE, line)]))
    if len(parts) < LEAST_HEADINGS or parts[0][0] != SURE:
        return document
    chunks = list(_chunks(-1, lead))
    for number, (_, *body) in enumerate(parts):
        chunks += _chunks(number, body)
    return document._replace(sections=tuple(Section(title, 2, -1) for title, *_ in parts), chunks=tuple(chunks))


def _is(pattern: re.Pattern[str], line: str) -> bool:
    return len(line) <= LONGEST_LINE and pattern.fullmatch(line) is not None


def _rejoined(lines: Sequence[str]) -> list[str]:
    """Return lines without cut words; a hyphen stays where it belongs to the word, as far as the page tells.

    A word goes to the line of its rest: the line before is a full one, and stays long enough to be running text.
    """
    known = {word.lower() for line in lines for word in WORD.findall(line)}
    found: list[str] = []
    for line in lines:
        cut = CUT.search(found[-1][-LONGEST_LINE:]) if found and len(found[-1]) >= FILLED else None
        rest = REST.match(line)
        if cut is not None and rest is not None and rest[2] not in JOINING:
            found[-1] = found[-1][: -len(cut[0])].rstrip()
            mark = "-" if _keeps_hyphen(cut[1], cut[2], rest[2], known) else ""
            line = f"{rest[1]}{cut[1]}{cut[2]}{mark}{line[len(rest[1]) :]}"
        found.append(line)
    return found


def _keeps_hyphen(before: str, begun: str, rest: str, known: Set[str]) -> bool:
    """Tell whether a word cut at a hyphen has one: of an option, an address, or as it stands elsewhere on the page."""
    if before.startswith("-") or "/" in before or len(begun) == 1:
        return True
    whole, hyphened = (f"{begun}{mark}{rest}".lower() for mark in ("", "-"))
    return hyphened in known and whole not in known


def _parts(lines: Sequence[str]) -> list[list[str]]:
    """Return the lines before the first heading, then those of each section, its heading first."""
    parts: list[list[str]] = [[]]
    for number, line in enumerate(lines):
        # In most pages the text follows without a blank line.
        below = next((each for each in lines[number + 1 : number + 3] if each), "")
        if _is(HEADING, line) and below.startswith(" "):
            parts.append([])
        parts[-1].append(line)
    return parts


def _chunks(section: int, lines: Sequence[str]) -> Iterator[Chunk]:
    least = min((_indent(line) for line in lines if line.strip()), default=0)
    for part in cut_definitions([Line(text) for text in _texts(lines, least)]):
        texts = [line.text for line in part]
        kind = "definition" if any(text.startswith(" ") for text in texts) else "paragraph"
        if any(map(str.isalnum, "".join(texts))):
            yield Chunk(section, kind, 0, "\n".join(texts))


def _texts(lines: Sequence[str], least: int) -> Iterator[str]:
    """Yield each paragraph as one line, and each line of what is no running text, by how far it is indented."""
    for indent, group in groupby(lines, lambda line: _indent(line) if line.strip() else None):
        if indent is None:
            continue
        found = list(group)
        before = " " * min(indent - least, MOST_INDENT)
        is_filled = all(len(line) >= FILLED for line in found[:-1])
        for text in [" ".join(found)] if is_filled else found:
            yield before + " ".join(text.split())


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
