"""Tables: a line a row, its cells between bars; infoboxes as labels and values; layout tables dissolved."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, repeat
from typing import NamedTuple

from builder.documents.chunking import Line, join_lines
from builder.documents.collector import HAS_WORD
from builder.documents.records import Statement
from builder.readers.html.passages import BLOCK, IN_CELL, IN_ITEM, IN_VALUE, Handlers, Passages, is_infobox
from builder.readers.html.tree import Node, Tree

BAR = " | "
MAX_HEADER_ROWS = 3  # repeated in every part of a long table
MAX_SPAN = 100  # cells; a larger colspan or rowspan is an error or an attack
# A table of 600 real ones has at most 44 empty cells for spans, and 0.3 for each cell of its own.
FREE_BLANKS = 1000
BLANKS_PER_CELL = 3
# A label that begins so is a link to the previous or next item, no attribute.
ARROWS = "←→◄►«»<>"
COORDINATES = ".geo-default, .geo-dms, .geo-dec, .geo"
DATA_CLASSES = frozenset(("wikitable", "sortable", "infobox", "standard"))
LAYOUT_CLASSES = frozenset("multicol col-begin cquote quotebox rquote gallery highlighttable".split())
# What DocBook and AsciiDoc call the block around an icon, a label such as "Warning" and the text below it.
ADMONITIONS = frozenset("admonitionblock caution important note tip warning".split())
BLOCKS_IN_CELLS = ", ".join(
    f"{cell} > {block}"
    for cell in ("td", "td > div")
    for block in ("p", "ul", "ol", "dl", "table", "pre", "blockquote", "figure", ".thumb", ".thumbcaption")
)
HEADINGS_IN_CELLS = "td h2, td h3, td h4, td pre"


class Cell(NamedTuple):
    """A cell of a table's row."""

    node: Node
    is_header: bool
    columns: int
    rows: int


class Table(NamedTuple):
    """A table's own rows, without those of tables within it."""

    caption: Node | None
    rows: list[list[Cell]]
    head_rows: int


def table(passages: Passages, node: Node) -> None:
    """Add a table, an infobox, or the blocks that a layout table holds; within a cell it is text."""
    tree = passages.tree
    classes = tree.attribute(node, "class")
    if passages.in_cell:
        passages.boundary()
        passages.walk(node)
        passages.boundary()
        return
    passages.boundary()
    if is_infobox(classes):
        infobox(passages, node)
        return
    grid = read_table(tree, node)
    if is_layout(tree, node, grid, frozenset(classes.split())):
        is_in_line = passages.mode == IN_ITEM and (passages.in_order or sum(map(len, grid.rows)) <= 1)
        (_walk_cells if is_in_line else _dissolve)(passages, grid)
    else:
        _add_table(passages, grid)


def read_table(tree: Tree, node: Node) -> Table:
    """Return a table's caption and rows."""
    caption: Node | None = None
    rows: list[list[Cell]] = []
    head_rows = 0
    spans = bool(tree.select("[colspan], [rowspan]", node))
    for tag, child in tree.children(node):
        if tag == "tr":
            rows.append(_cells(tree, child, spans))
        elif tag in ("thead", "tbody", "tfoot"):
            rows.extend(_cells(tree, row, spans) for name, row in tree.children(child) if name == "tr")
            if tag == "thead":
                head_rows = len(rows)
        elif tag == "caption" and caption is None:
            caption = child
    return Table(caption, rows, head_rows)


def _cells(tree: Tree, row: Node, spans: bool = False) -> list[Cell]:
    cells = [(child, tag == "th") for tag, child in tree.children(row) if tag in ("td", "th")]
    if not spans:
        return [Cell(node, is_header, 1, 1) for node, is_header in cells]
    return [
        Cell(node, is_header, _span(tree.attribute(node, "colspan")), _span(tree.attribute(node, "rowspan")))
        for node, is_header in cells
    ]


def _span(value: str) -> int:
    if not value.isdecimal():
        return 1
    # Python makes no number of thousands of digits.
    digits = value.lstrip("0")[: len(str(MAX_SPAN)) + 1]
    return max(1, min(int(digits or "0"), MAX_SPAN))


def is_layout(tree: Tree, node: Node, grid: Table, classes: frozenset[str]) -> bool:
    """Tell whether a table only places blocks on the page: one cell, an admonition, or cells of blocks and no data."""
    if sum(map(len, grid.rows)) <= 1 or not classes.isdisjoint(LAYOUT_CLASSES) or _is_admonition(tree, node, grid):
        return True
    if not classes.isdisjoint(DATA_CLASSES):
        return False
    if tree.select(HEADINGS_IN_CELLS, node):
        return True
    if any(cell.is_header for row in grid.rows for cell in row):
        return False
    few = sum(1 for row in grid.rows if row) <= 2
    placing = few or tree.attribute(node, "role") == "presentation"
    return bool(tree.select(BLOCKS_IN_CELLS if placing else "td > table", node))


def _is_admonition(tree: Tree, node: Node, grid: Table) -> bool:
    """Tell whether a table places an admonition: a block of that name around a label and one cell of text."""
    around = tree.parent(node)
    named = around is not None and not ADMONITIONS.isdisjoint(tree.attribute(around[1], "class").lower().split())
    return named and sum(1 for row in grid.rows for cell in row if tree.text(cell.node).strip()) <= 2


def _walk_cells(passages: Passages, grid: Table) -> None:
    """Add what a layout table in an item holds to the text of the item, in its order."""
    passages.depth += 1
    for cell in (cell for row in grid.rows for cell in row):
        passages.walk(cell.node)
        passages.boundary()
    passages.depth -= 1


def _dissolve(passages: Passages, grid: Table) -> None:
    passages.depth += 2
    nodes = [cell.node for row in grid.rows for cell in row]
    for node in nodes if grid.caption is None else [grid.caption, *nodes]:
        mode, passages.mode = passages.mode, BLOCK
        saved = passages.pieces, passages.targets
        passages.pieces, passages.targets = [], []
        passages.walk(node)
        passages.flush()
        passages.mode = mode
        passages.pieces, passages.targets = saved
    passages.depth -= 2


def _add_table(passages: Passages, grid: Table) -> None:
    lines: list[Line] = []
    headers = 0
    covered: dict[int, int] = {}
    blanks = repeat(Line(""), FREE_BLANKS + BLANKS_PER_CELL * sum(map(len, grid.rows)))
    for number, row in enumerate(grid.rows):
        line = _row_line(passages, row, covered, blanks)
        if HAS_WORD(line.text):
            headers += headers == len(lines) and _is_header(passages.tree, row, number, grid)
            lines.append(line)
    title = passages.capture(grid.caption) if grid.caption is not None else Line("")
    headers = min(headers, MAX_HEADER_ROWS, max(len(lines) - 1, 0))
    if title.text:
        lines.insert(0, title)
        headers += 1
    passages.add_lines("table", lines, headers)


def _row_line(passages: Passages, row: list[Cell], covered: dict[int, int], blanks: Iterator[Line]) -> Line:
    """Join a row's cells; a column that a cell above or to the left still covers stays empty.

    `covered` has, by column, how many more rows the cell above takes; it is updated in place.
    `blanks` are the empty cells that the table may still have: its text is linear in its cells.
    """
    cells: list[Line] = []
    below: dict[int, int] = {}
    for cell in row:
        while covered.get(len(cells), 0) and len(cells) < MAX_SPAN and (blank := next(blanks, None)):
            cells.append(blank)
        for column in range(len(cells), len(cells) + cell.columns):
            if cell.rows > 1:
                below[column] = cell.rows - 1
        cells.append(passages.capture(cell.node))
        cells.extend(islice(blanks, cell.columns - 1))
    for column in list(covered):
        covered[column] -= 1
        if not covered[column]:
            del covered[column]
    covered.update(below)
    while cells and not cells[-1].text:
        cells.pop()
    return join_lines(cells, BAR)


def _is_header(tree: Tree, row: list[Cell], number: int, grid: Table) -> bool:
    """Tell whether a row is a header: all its filled cells are, or in the first row all are bold."""
    if number < grid.head_rows:
        return True
    if all(cell.is_header or not tree.text(cell.node).strip() for cell in row):
        return True
    return number == 0 and len(row) > 1 and all(_is_bold(tree, cell.node) for cell in row)


def _is_bold(tree: Tree, node: Node) -> bool:
    bold = tree.select("b, strong", node)
    return bool(bold) and tree.text(bold[0]).strip() == tree.text(node).strip()


def infobox(passages: Passages, node: Node) -> None:
    """Add an infobox: a line a row, and each row with a label and a value as a statement too."""
    if passages.in_cell:
        passages.boundary()
        passages.walk(node)
        passages.boundary()
        return
    if passages.mode == BLOCK:
        passages.flush()
    rows = list(_infobox_rows(passages, node))
    lines = [join_lines(row, BAR) for row in rows]
    for row in rows:
        label = row[0].text.strip(" :•·-–—")
        if len(row) > 1 and label and label[0] not in ARROWS:
            value = BAR.join(cell.text for cell in row[1:])
            passages.statements.append(Statement("infobox", label, value))
    if any(HAS_WORD(line.text) for line in lines):
        text, links = join_lines(lines)
        passages.add("infobox", Line(text, links))


def _infobox_rows(passages: Passages, node: Node) -> Iterator[list[Line]]:
    """Yield the rows below a node, those of inner tables in their place, each without its empty cells."""
    passages.enter()
    for tag, child in passages.tree.children(node):
        if tag == "tr":
            yield from _infobox_row(passages, _cells(passages.tree, child))
        elif tag in ("table", "thead", "tbody", "tfoot") or (
            tag in ("div", "section") and passages.tree.select("table", child)
        ):
            yield from _infobox_rows(passages, child)
        elif tag == "-text":
            if HAS_WORD(child):
                yield [Line(" ".join(child.split()))]
        elif tag[0] != "-":
            line = passages.capture(child)
            if HAS_WORD(line.text):
                yield [line]
    passages.depth -= 1


def _infobox_row(passages: Passages, row: list[Cell]) -> Iterator[list[Line]]:
    tree = passages.tree
    filled = [cell for cell in row if tree.text(cell.node).strip()]
    if len(filled) == 1 and tree.select("table", filled[0].node):
        passages.depth += 1
        yield from _infobox_rows(passages, filled[0].node)
        passages.depth -= 1
        return
    lines: list[Line] = []
    for cell in filled:
        if not cell.is_header:
            _drop_coordinates_beside_text(tree, cell.node)
        lines.append(passages.capture(cell.node, IN_CELL if cell.is_header else IN_VALUE))
    lines = [line for line in lines if line.text]
    if any(HAS_WORD(line.text) for line in lines):
        yield lines


def _drop_coordinates_beside_text(tree: Tree, node: Node) -> None:
    """Remove coordinates from a cell that has other text, such as a capital's name."""
    places = tree.select(COORDINATES, node)
    if places and HAS_WORD(tree.text(node).replace(tree.text(places[0]), "", 1)):
        tree.drop(places)


def event(passages: Passages, node: Node) -> None:
    """Add a match or the like, laid out as several small tables side by side, as one table."""
    passages.boundary()
    if passages.in_cell:
        passages.walk(node)
        passages.boundary()
    else:
        passages.add_lines("table", [join_lines(row, BAR) for row in _infobox_rows(passages, node)])


HANDLERS: Handlers = {"table": table, "infobox": infobox, "event": event}
