"""Markdown to blocks: headings, paragraphs, lists, tables, code, quotes, definitions, footnotes.

>>> [(block.kind, block.lines) for block in markdown_blocks("# Ondrel\\n\\nA port.\\n- gulls\\n  - grey")]
[('heading', ['Ondrel']), ('paragraph', ['A port.']), ('list', ['gulls', '  grey'])]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from builder.readers.text.block import Block, joined
from builder.readers.text.markdown_inline import folded, image_caption

FENCE = re.compile(r" {0,3}(`{3,}(?!.*`)|~{3,})")
ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
HEADING_MARK = re.compile(r"\s*\{#?[^{}]*\}$")
SETEXT = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
QUOTE = re.compile(r"(?: {0,3}> ?)+")
CALLOUT = re.compile(r"\s*\[!\w+\][+-]?\s*")
ITEM = re.compile(r"([ \t]*)([-*+]|\d{1,9}[.)])(?:[ \t]+|$)(.*)")
STARTS_LIST = re.compile(r" {0,3}(?:[-*+]|1[.)])[ \t]+\S")
TASK = re.compile(r"\[[ xX]\][ \t]+")
INDENTED = re.compile(r"(?: {4}| {0,3}\t)")
DELIMITER = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
CELL_END = re.compile(r"(?<!\\)\|")
REFERENCE = re.compile(
    r" {0,3}\[([^\[\]^][^\[\]]*)\]:[ \t]*(?:<([^<>]*)>|(\S+))(?:[ \t]+(?:\"[^\"]*\"|'[^']*'|\(.*\)))?[ \t]*$"
)
FOOTNOTE = re.compile(r" {0,3}\[\^[^\[\]\s]+\]:[ \t]*(.*)$")
MEANING = re.compile(r" {0,3}:[ \t]+(.*)$")
COMMENT = re.compile(r" {0,3}<!--")
TAG_BLOCK = re.compile(
    r" {0,3}</?(?:address|article|aside|center|details|dd|div|dl|dt|fieldset|figcaption|figure|footer|form"
    r"|h[1-6]|header|hr|iframe|li|link|main|nav|ol|p|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|tr|ul)\b",
    re.I,
)
HIDDEN = re.compile(r"<(script|style)\b.*?</\1\s*>|<!--.*?-->", re.S | re.I)
HIDDEN_END = re.compile(r"</(?:script|style)\s*>|-->", re.I)
TAG = re.compile(r"<[^<>]*>")


def references(text: str) -> dict[str, str]:
    """Return the addresses that link definitions give, by folded label, the first one of each label."""
    found: dict[str, str] = {}
    for line in text.split("\n"):
        match = REFERENCE.match(line) if "]:" in line else None
        if match:
            found.setdefault(folded(match[1]), match[2] if match[2] is not None else match[3])
    return found


def markdown_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a Markdown text in its order. Linear."""
    lines = text.expandtabs(4).split("\n")
    place = 0
    while place < len(lines):
        if not lines[place].strip():
            place += 1
            continue
        for reader in READERS:
            end, blocks = reader(lines, place)
            if end > place:
                yield from blocks
                place = end
                break


Read = tuple[int, list[Block]]


def _fenced(lines: list[str], place: int) -> Read:
    fence = FENCE.match(lines[place])
    if not fence:
        return place, []
    close = re.compile(rf" {{0,3}}{re.escape(fence[1][0])}{{{len(fence[1])},}}[ ]*$")
    end = place + 1
    while end < len(lines) and not close.match(lines[end]):
        end += 1
    return end + 1, [Block("code", [line.rstrip() for line in lines[place + 1 : end]])]


def _heading(lines: list[str], place: int) -> Read:
    match = ATX.match(lines[place])
    if not match:
        return place, []
    title = HEADING_MARK.sub("", match[2] or "")
    return place + 1, [Block("heading", [title], len(match[1]))] if title else []


def _skipped(lines: list[str], place: int) -> Read:
    """Pass over rules, link definitions and comments."""
    if RULE.match(lines[place]) or REFERENCE.match(lines[place]):
        return place + 1, []
    if not COMMENT.match(lines[place]):
        return place, []
    end = place
    while end < len(lines) and "-->" not in lines[end]:
        end += 1
    rest = _shown("\n".join(lines[place : end + 1])) if end < len(lines) else ""
    return end + 1, list(markdown_blocks(rest)) if rest.strip() else []


def _footnote(lines: list[str], place: int) -> Read:
    match = FOOTNOTE.match(lines[place])
    if not match:
        return place, []
    end = place + 1
    while end < len(lines) and lines[end].strip() and not FOOTNOTE.match(lines[end]):
        end += 1
    text = joined([match[1], *lines[place + 1 : end]])
    return end, [Block("paragraph", [text])] if text else []


def _quote(lines: list[str], place: int) -> Read:
    if not QUOTE.match(lines[place]):
        return place, []
    end = place
    while end < len(lines) and lines[end].strip() and (QUOTE.match(lines[end]) or not _starts(lines, end)):
        end += 1
    inner = [QUOTE.sub("", line, count=1) for line in lines[place:end]]
    inner[0] = CALLOUT.sub("", inner[0])
    return end, list(markdown_blocks("\n".join(inner)))


def _table(lines: list[str], place: int) -> Read:
    if not _is_table(lines, place):
        return place, []
    end = place + 2
    while end < len(lines) and lines[end].strip() and "|" in lines[end]:
        end += 1
    width = len(_cells(lines[place]))
    rows = [_cells(line)[:width] for line in (lines[place], *lines[place + 2 : end])]
    header = int(any(rows[0]))
    return end, [Block("table", ["\t".join(row) for row in rows[1 - header :]], header=header)]


def _is_table(lines: list[str], place: int) -> bool:
    return (
        "|" in lines[place]
        and place + 1 < len(lines)
        and DELIMITER.match(lines[place + 1]) is not None
        and len(_cells(lines[place])) == len(_cells(lines[place + 1]))
    )


def _cells(line: str) -> list[str]:
    line = line.strip().removeprefix("|")
    cells = CELL_END.split(line)
    return [cell.strip() for cell in (cells[:-1] if len(cells) > 1 and not cells[-1].strip() else cells)]


def _list(lines: list[str], place: int) -> Read:
    if not re.match(r" {0,3}\S", lines[place]) or not ITEM.match(lines[place]):
        return place, []
    end = place
    while end < len(lines) and _goes_on(lines, end, place):
        end += 1
    while not lines[end - 1].strip():
        end -= 1
    return end, [Block("list", _items(lines[place:end]))]


def _goes_on(lines: list[str], place: int, start: int) -> bool:
    """Tell whether a line belongs to the list begun before: an item, indented, or running on."""
    line = lines[place]
    if not line.strip():
        following = next((each for each in lines[place + 1 : place + 3] if each.strip()), "")
        return bool(ITEM.match(following) or following.startswith("  ")) and not RULE.match(following)
    if ITEM.match(line):
        return place == start or not (RULE.match(line) or _is_another(lines, place, start))
    return line.startswith("  ") or (bool(lines[place - 1].strip()) and not _starts(lines, place))


def _is_another(lines: list[str], place: int, start: int) -> bool:
    """Tell whether an item begins a list of the other kind, numbered or not, after a blank line."""
    line = lines[place]
    return (
        line[0] != " "
        and not lines[place - 1].strip()
        and line[0].isdigit() != lines[start].lstrip()[0].isdigit()
    )


def _items(lines: list[str]) -> list[str]:
    """Return a list's items, one a line, inner ones indented by two blanks a level."""
    items: list[list[str]] = []
    indents: list[int] = []
    for line in lines:
        match = ITEM.match(line)
        if match is None:
            items[-1].append(line)
            continue
        indent = len(match[1])
        while indents and indents[-1] >= indent:
            indents.pop()
        items.append(["  " * len(indents), TASK.sub("", match[3], count=1)])
        indents.append(indent)
    return [own[0] + text for own in items if (text := joined(own[1:]))]


def _html(lines: list[str], place: int) -> Read:
    if not TAG_BLOCK.match(lines[place]):
        return place, []
    end = place + 1
    while end < len(lines) and lines[end].strip():
        end += 1
    text = TAG.sub("\n", _shown("\n".join(lines[place:end])))
    shown = [line for line in text.split("\n") if line.strip()]
    return end, [Block("paragraph", [joined(shown)])] if shown else []


def _shown(markup: str) -> str:
    """Take scripts, styles and comments out; none is looked for behind the last end of one."""
    last = max((found.end() for found in HIDDEN_END.finditer(markup)), default=0)
    return HIDDEN.sub("", markup[:last]) + markup[last:]


def _code(lines: list[str], place: int) -> Read:
    end = place
    while end < len(lines) and (INDENTED.match(lines[end]) or not lines[end].strip()):
        end += 1
    while end > place and not lines[end - 1].strip():
        end -= 1
    return end, [Block("code", [line[4:].rstrip() for line in lines[place:end]])] if end > place else []


def _paragraph(lines: list[str], place: int) -> Read:
    """Read what nothing else claims: a paragraph, a heading underlined, a term with its meaning, an image."""
    end = place + 1
    while end < len(lines) and lines[end].strip():
        underlined = SETEXT.match(lines[end])
        if underlined:
            level = 1 if underlined[1][0] == "=" else 2
            return end + 1, [Block("heading", [joined(lines[place:end])], level)]
        if MEANING.match(lines[end]):
            return _meanings(lines, place, end)
        if _starts(lines, end):
            break
        end += 1
    text = joined(lines[place:end])
    caption = image_caption(text) if "![" in text else None
    return end, [Block("paragraph", [text]) if caption is None else Block("caption", [caption])]


def _meanings(lines: list[str], place: int, end: int) -> Read:
    items = [line.strip() for line in lines[place:end]]
    while end < len(lines) and (match := MEANING.match(lines[end])):
        own = [match[1]]
        end += 1
        while end < len(lines) and lines[end].startswith("  ") and lines[end].strip():
            own.append(lines[end])
            end += 1
        items.append("  " + joined(own))
    return end, [Block("definition", items)]


def _starts(lines: list[str], place: int) -> bool:
    """Tell whether a line cannot run on from the paragraph before it."""
    line = lines[place]
    return bool(
        ATX.match(line) or FENCE.match(line) or QUOTE.match(line) or STARTS_LIST.match(line)
        or RULE.match(line) or FOOTNOTE.match(line) or COMMENT.match(line)
        or TAG_BLOCK.match(line) or _is_table(lines, place)
    )  # fmt: skip


READERS = (_fenced, _heading, _skipped, _footnote, _quote, _table, _list, _code, _html, _paragraph)
