"""Plain text to blocks: paragraphs between blank lines, lists, tables, and what is surely a heading.

A heading taken for a paragraph costs little, a paragraph taken for a heading
tears a text apart: a heading must be underlined, numbered, in capitals, or a
short line without an end between paragraphs that have one.

>>> [(block.kind, block.lines) for block in plain_blocks("ONDREL\\n\\nA port on\\nthe strait.")]
[('heading', ['ONDREL']), ('paragraph', ['A port on the strait.'])]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from textwrap import dedent

from builder.readers.text.block import Block, are_labelled, joined
from builder.readers.text.plain_text.page_breaks import indent_of
from builder.readers.text.plain_text.runs import ENDS, GAP, UNDERLINE, is_running, runs, without_rule

UNDERLINE_LEVELS = {"=": 1, "#": 1, "*": 1, "-": 2, "~": 3, "^": 3, "+": 3}
NUMBERED = re.compile(
    r"(?:(?:chapter|section|part)\s+)?(\d{1,3}(?:\.\d{1,3})*|[IVXL]{1,6}(?=\.))\.?\)?\s+(?=[^\W\d_])(\S.*)$",
    re.I,
)
SUBSECTION = re.compile(r"\d{1,2}((?:\.\d{1,2}){1,4})\.?\s+([^\W\d_])")
ITEM = re.compile(r"(\s*)(?:[-*•–+]|\d{1,3}[.)]|[a-z][.)]|\([a-z0-9]{1,3}\))\s+\S")
SENTENCE_ENDS = (".", "!", "?", "。", "！", "？")
NO_HEADING_ENDS = tuple(end for end in ENDS if end != ")")
USUAL = frozenset(
    (
        "abstract|acknowledgements|appendix|bibliography|citations|conclusion|conclusions|contents"
        "|external links|footnotes|further reading|introduction|notes|references|see also|sources|summary"
    ).split("|")
)
FIRST_NUMBER = re.compile(r"(?:[01](?:\.\d+)*|I(?=\.))\b")
LONGEST_HEADING, MOST_WORDS = 70, 10
MOST_WORDS_UNMARKED, LONGEST_UNMARKED = 8, 60
CELL_GAP = re.compile(r"\t|\|")
COLUMN_GAP = re.compile(r" {2,}")
PROMPT = re.compile(r"\s*(?:[$%]|>>>) \S")
CHAPTER = re.compile(r"(?:chapter|section|part|book)\b", re.I)
DECORATED = "***"
"""What begins a line such as "*** END ***"."""


def plain_blocks(text: str, *, keeps_lines: bool = False) -> Iterator[Block]:
    """Yield the blocks of a plain text in its order; with `keeps_lines` what is no running text is code. Linear."""
    found = runs(text)
    groups = list(map(without_rule, found))
    example = 0
    for place, lines in enumerate(groups):
        if heading := _heading(groups, place, is_ruled=len(lines) < len(found[place])):
            yield heading
            lines, example = lines[2:], 0
        elif not keeps_lines and (example := _example_indent(groups, place, example)):
            yield Block("code", dedent("\n".join(lines)).split("\n"))
            continue
        while len(lines) > 1 and (heading := _numbered_above(lines)):
            yield heading
            lines = lines[1:]
        if lines:
            is_code = keeps_lines and (not is_running(lines) or _is_set_in(groups, place))
            yield from [Block("code", lines)] if is_code else _passages(lines)


def _heading(groups: Sequence[list[str]], place: int, *, is_ruled: bool) -> Block | None:
    """Return the heading that a run is, or begins with; `is_ruled` tells of a rule above it."""
    lines = groups[place]
    if heading := _underlined(lines):
        # A text's first line is its title, whatever stands under it.
        return heading if place else heading._replace(level=1)
    if len(lines) > 1:
        return None
    line = " ".join(lines[0].split())
    is_title = is_ruled and len(line) <= LONGEST_HEADING and not line.endswith(NO_HEADING_ENDS)
    level = _level(groups, place) or 2 * is_title
    return Block("heading", [line], level) if level else None


def _is_set_in(groups: Sequence[list[str]], place: int) -> bool:
    """Tell whether one line without an end stands further to the right than those before it, as an example does."""
    (line, *others), before = groups[place], groups[place - 1][-1]
    return place > 0 and not others and not line.endswith(ENDS) and indent_of(line) > indent_of(before)


def _example_indent(groups: Sequence[list[str]], place: int, before: int) -> int:
    """Return by how much an example is indented, 0 for what is none.

    It stands further in than the line with a colon that introduces it, or where the example before it does, and no line
    of it ends as a sentence does, nor is it a list or a table.
    """
    lines = groups[place]
    indent = min(map(indent_of, lines))
    if not place or not indent or any(line.endswith(SENTENCE_ENDS) for line in lines) or ITEM.match(lines[0]):
        return 0
    leads = groups[place - 1][-1]
    is_led_to = leads.rstrip("> ").endswith(":") and indent > indent_of(leads)
    if not is_led_to and not 0 < before <= indent:
        return 0
    return 0 if are_labelled(lines) or _table(lines) or _columns(lines) else before or indent


def _underlined(lines: Sequence[str]) -> Block | None:
    """Return the heading that a run begins with, its second line drawn under it."""
    rule = UNDERLINE.match(lines[1]) if len(lines) > 1 else None
    title = lines[0].strip()
    if rule is None or len(title) > 2 * LONGEST_HEADING:
        return None
    if abs(len(lines[1].strip()) - len(title)) > max(3, len(title) // 3):
        return None
    return Block("heading", [" ".join(title.split())], UNDERLINE_LEVELS[rule[1]])


def _level(groups: Sequence[list[str]], place: int) -> int:
    """Return the level of a line that stands alone as a heading, 0 when it is none."""
    line = groups[place][0].strip()
    if place + 1 == len(groups) or len(line) > LONGEST_HEADING or not any(map(str.isalnum, line)):
        return 0
    numbered = NUMBERED.match(line)
    if numbered and (place or FIRST_NUMBER.match(line)):
        return _numbered_level(groups, place, numbered)
    if line.endswith(NO_HEADING_ENDS) or line.startswith(DECORATED) or len(line.split()) > MOST_WORDS:
        return 0
    if ITEM.match(line) or CELL_GAP.search(line):
        return 0
    if place == 0 or _is_capitals(line):
        return 2 if place else 1
    if line.lower() in USUAL:
        return 3
    # Below a heading a short line is a caption more often than a heading.
    follows = _ends(groups[place - 1])
    return 3 if follows and _is_short(line) and _leads_on(groups, place) else 0


def _numbered_level(groups: Sequence[list[str]], place: int, found: re.Match[str]) -> int:
    """Return a numbered line's level: its numbers' count; a list set with blank lines has no headings."""
    # "Chapter 1. Whales." is a heading for all its full stop.
    title = found[2].removesuffix(".") if CHAPTER.match(found[0]) else found[2]
    if title.endswith(NO_HEADING_ENDS) or not title[0].isupper() or len(title.split()) > MOST_WORDS:
        return 0
    following = (groups[own] for own in range(place + 1, len(groups)))
    below = takewhile(lambda lines: not _same_numbering(lines, found), following)
    if not any(map(_is_prose, below)):
        return 0
    return 2 + found[1].count(".")


def _numbered_above(lines: Sequence[str]) -> Block | None:
    """Return a heading such as "2.1 Lamps" that stands right above the text of its section, as in a PDF's text."""
    line, below = lines[0].strip(), lines[1].strip()
    level, next_level = _subsection_level(line), _subsection_level(below)
    if not level or len(line) > LONGEST_HEADING or len(line.split()) > MOST_WORDS or line.endswith(NO_HEADING_ENDS):
        return None
    # A line of its own kind below it, or deeper ones alone, make a list or a table of contents of both.
    leads_on = next_level > level and len(lines) > 2 if next_level else below.lstrip("\"“‘'(")[:1].isupper()
    return Block("heading", [" ".join(line.split())], level) if leads_on else None


def _subsection_level(line: str) -> int:
    """Return the level of a heading such as "2.1 Lamps", 0 for a line that begins otherwise."""
    found = SUBSECTION.match(line)
    return 2 + found[1].count(".") if found and found[2].isupper() else 0


def _same_numbering(lines: Sequence[str], found: re.Match[str]) -> bool:
    other = NUMBERED.match(lines[0].strip()) if len(lines) == 1 else None
    return other is not None and other[1].count(".") <= found[1].count(".")


def _is_capitals(line: str) -> bool:
    letters = [letter for letter in line if letter.isalpha()]
    return len(letters) > 3 and all(letter.isupper() for letter in letters)


def _leads_on(groups: Sequence[list[str]], place: int) -> bool:
    """Tell whether a paragraph or a list follows, or another short line and then a paragraph."""
    following, after = groups[place + 1], groups[place + 2 : place + 3]
    if len(following) == 1 and _is_short(following[0]) and after:
        return _is_prose(after[0])
    return _is_prose(following) or sum(1 for own in following if ITEM.match(own)) > 1


def _is_short(line: str) -> bool:
    line = line.strip()
    return (
        len(line) <= LONGEST_UNMARKED
        and len(line.split()) <= MOST_WORDS_UNMARKED
        and line[0].isupper()
        and not line.endswith(NO_HEADING_ENDS)
    )


def _is_prose(lines: Sequence[str]) -> bool:
    """Tell whether a run of lines is a paragraph: ended like one, and of some length."""
    return lines[-1].endswith(ENDS) and sum(map(len, lines)) > 40 and not ITEM.match(lines[0])


def _ends(lines: Sequence[str]) -> bool:
    return lines[-1].endswith(ENDS) or ITEM.match(lines[0]) is not None or len(lines) > 3


def _passages(lines: list[str]) -> Iterator[Block]:
    """Yield the paragraphs, lists and tables of a run of lines."""
    table = _table(lines) or _columns(lines)
    if table or all(map(PROMPT.match, lines)):
        yield table or Block("code", lines)
        return
    first = next((place for place, line in enumerate(lines) if ITEM.match(line)), len(lines))
    items = sum(1 for line in lines if ITEM.match(line))
    if items < 2:
        yield Block("list", [*map(str.strip, lines)]) if are_labelled(lines) else Block("paragraph", [joined(lines)])
        return
    if first:
        yield Block("paragraph", [joined(lines[:first])])
    yield Block("list", _items(lines[first:]))


def _items(lines: list[str]) -> list[str]:
    """Return a list's items, one a line, inner ones indented; other lines run on from the one before."""
    items: list[list[str]] = []
    indents: list[int] = []
    for line in lines:
        match = ITEM.match(line)
        if match is None:
            items[-1].append(line)
            continue
        indent = len(match[1].expandtabs(4))
        while indents and indents[-1] >= indent:
            indents.pop()
        items.append(["  " * len(indents), re.sub(r"^\s*[-*•–+]\s+", "", line)])
        indents.append(indent)
    return [own[0] + joined(own[1:]) for own in items]


def _table(lines: list[str]) -> Block | None:
    """Return the table that lines make whose cells tabs or bars divide, each line into as many."""
    rows = [line for line in lines if not re.fullmatch(r"[\s|+\-=:]+", line)]
    if len(rows) < 2 or not all("|" in row.strip()[1:-1] or "\t" in row.strip() for row in rows):
        return None
    cells = [CELL_GAP.split(row.strip().strip("|").strip(" ")) for row in rows]
    if len({len(row) for row in cells}) > 1:
        return None
    return Block("table", ["\t".join(" ".join(cell.split()) for cell in row) for row in cells], header=1)


def _columns(lines: list[str]) -> Block | None:
    """Return the table that lines make whose cells blanks divide, each line into as many, three of them somewhere."""
    if len(lines) < 2 or are_labelled(lines) or any(ITEM.match(line) or not GAP.search(line.strip()) for line in lines):
        return None
    cells = [COLUMN_GAP.split(line.expandtabs().strip()) for line in lines]
    if len({len(row) for row in cells}) > 1:
        return None
    has_header = not any(map(str.isdigit, lines[0])) and any(map(str.isdigit, lines[1]))
    return Block("table", ["\t".join(row) for row in cells], header=int(has_header))
