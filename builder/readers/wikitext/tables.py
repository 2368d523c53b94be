"""Tables of wikitext as HTML, line by line: `{|`, `|+`, `|-`, `|`, `!` and `|}` at lines' starts.

>>> tables_to_html("{|\\n! A !! B\\n|-\\n| 1 || 2\\n|}")
'<table>\\n<tr><th>A</th><th>B\\n</th></tr>\\n<tr><td>1</td><td>2\\n</td></tr></table>'
"""

from __future__ import annotations

import re

START = re.compile(r"([:*#]*)[ \t]*\{\|(.*)$", re.S)
SPAN = re.compile(r"\b((?:col|row)span)\s*=\s*[\"']?\s*(\d{1,4})\b", re.I)
CLASS = re.compile(r"\b(?:class|style|role|id)\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'<>]+)", re.I)
BOLD = re.compile(r"'''(?:(?!''').)+'''")
# Attributes without the bar behind them, which a template of the cell was to bring.
BARE_ATTRIBUTES = re.compile(
    r"(?:(?:colspan|rowspan|style|class|align|valign|bgcolor|scope|width|height|nowrap|data-sort-value)"
    r"\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'|]+)(?:\s+|$))+",
    re.I,
)
MAX_NESTED = 20


def tables_to_html(text: str) -> str:
    """Return text with its wikitext tables as HTML, everything else as it was; linear in the text."""
    if "{|" not in text:
        return text
    tables = _Tables()
    for line in text.split("\n"):
        tables.take(line)
    tables.close_all()
    return "\n".join(tables.lines)


class _Table:
    """An open table: the tags of its open row and cell, an empty string where none is."""

    __slots__ = ("cell", "row", "row_attributes")

    def __init__(self) -> None:
        self.row = False
        self.cell = ""
        self.row_attributes = ""


class _Tables:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.open: list[_Table] = []

    def take(self, line: str) -> None:
        stripped = line.strip()
        start = START.match(stripped) if "{|" in stripped else None
        if start and len(self.open) < MAX_NESTED:
            indent = start[1]
            if indent:
                self.lines.append("")
            self.lines.append(f"<table{_attributes(start[2])}>")
            self.open.append(_Table())
        elif not self.open or stripped[:1] not in ("|", "!"):
            self.lines.append(line)
        elif stripped.startswith("|}"):
            self.close(stripped[2:])
        elif stripped.startswith("|-"):
            self.row(stripped[1:].lstrip("-"))
        elif stripped.startswith("|+"):
            self.cells("caption", stripped[2:])
        elif stripped[0] == "!":
            self.cells("th", stripped[1:])
        else:
            self.cells("td", stripped[1:])

    def row(self, attributes: str) -> None:
        table = self.open[-1]
        ends = self._ends(table)
        table.row_attributes = _attributes(attributes)
        if ends:
            self.lines.append(ends)

    def cells(self, tag: str, text: str) -> None:
        """Open the cells of a line; the last one stays open for the lines that follow."""
        if tag == "th":
            text = text.replace("!!", "||")
        table = self.open[-1]
        for number, cell in enumerate([text] if tag == "caption" else text.split("||")):
            pieces = [f"</{table.cell}>"] if table.cell else []
            if tag != "caption" and not table.row:
                pieces.append(f"<tr{table.row_attributes}>")
                table.row, table.row_attributes = True, ""
            attributes, content = _parted(cell)
            table.cell = tag
            html = "".join(pieces) + f"<{tag}{attributes}>" + content
            if number:
                self.lines[-1] += html
            else:
                self.lines.append(html)

    def close(self, rest: str) -> None:
        table = self.open.pop()
        self.lines.append(self._ends(table) + "</table>")
        if rest.strip():
            self.lines.append(rest)

    def close_all(self) -> None:
        while self.open:
            self.close("")

    @staticmethod
    def _ends(table: _Table) -> str:
        ends = f"</{table.cell}>" * bool(table.cell) + "</tr>" * table.row
        table.cell, table.row = "", False
        return ends


def _parted(cell: str) -> tuple[str, str]:
    """Part a cell into attributes and content, at its first bar when no link stands before it."""
    before, bar, after = cell.partition("|")
    if not bar or "[[" in before or "<a " in before:
        bare = BARE_ATTRIBUTES.match(cell.lstrip())
        return (_attributes(bare[0]), _content(cell.lstrip()[bare.end() :])) if bare else ("", _content(cell))
    return _attributes(before), _content(after)


def _content(text: str) -> str:
    text = text.strip()
    # Quotes go later; a first row that is bold throughout is a header all the same.
    return f"<b>{text}</b>" if text.startswith("'''") and BOLD.fullmatch(text) else text


def _attributes(text: str) -> str:
    """Return those attributes that tell something about the text."""
    spans = "".join(f' {found[1]}="{found[2]}"' for found in SPAN.finditer(text))
    return spans + "".join(f" {found[0]}" for found in CLASS.finditer(text))
