"""The passages of a page: one walk over its content, which collects sections, chunks and statements.

Text is collected piece by piece in one of four modes. In a block each boundary
ends a paragraph; in a list's item, a table's cell and an infobox's value text
stays on one line. In cells and values commas set the items of inner lists
apart, in values also what line breaks do ("Ada<br>Bo" are two).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from textwrap import dedent

from builder.documents.chunking import Line, line_chunks
from builder.documents.collector import HAS_WORD, Collector
from builder.readers.html.inline import BREAK, CLOSE, GAP, ITEM, OPEN, TITLE, finish
from builder.readers.html.tree import TOO_DEEP, Node, NoTree, Tree
from builder.readers.links.page_links import TargetOf

BLOCK, IN_ITEM, IN_CELL, IN_VALUE = "block", "item", "cell", "value"
# The uris of all that is below a heading repeat it; a longer one is a paragraph.
MAX_HEADING = 1000
# A superscript that is a number: behind a digit it is an exponent, "10<sup>6</sup>" is not 106.
RAISED = re.compile(r"\s*[-−–+]?\d")

BLOCK_TAGS = """
    address article aside blockquote body center dd details dialog dir div dl dt fieldset figure footer
    header hgroup hr html legend main menu nav ol p section summary table tbody td tfoot th thead ul
"""
# The separator emitted between two block elements in a cell, whose text is one line.
BOUNDARIES = dict.fromkeys(BLOCK_TAGS.split(), GAP) | {"li": ITEM, "tr": ITEM}
# Elements that a heading may head; that of a header is for what follows it.
BOXES = frozenset("article aside blockquote center details dialog div fieldset figure footer li main section".split())
TEXTLESS_TAGS = """
    script style link meta title head template noscript iframe object embed svg canvas audio video
    button input select textarea option map img
"""
CAPTION_CLASSES = frozenset(("thumbcaption", "gallerytext"))
SEGMENTS_CLASS = "seglistitem"
EVENT_CLASSES = frozenset(("vevent", "footballbox"))
MAX_CALLS = 800
"""The most calls of the walk that are under way at once, of Python's 1,000; a caller has the others."""
BREAKS = {BLOCK: BREAK, IN_VALUE: ITEM}

Handler = Callable[["Passages", Node], None]
Handlers = Mapping[str, Handler]


Item = tuple[int, Line]
"""A list's item with the number of lists around it."""


class Passages(Collector):
    """The passages collected from a page's tree so far, and the state of the walk.

    `handlers` are functions by the tag of an element; other elements are
    walked through, those of `BOUNDARIES` as blocks. `target_of` returns the
    other page that an `href` leads to.
    """

    def __init__(self, tree: Tree, target_of: TargetOf, handlers: Handlers) -> None:
        super().__init__()
        self.tree, self.target_of, self.handlers = tree, target_of, handlers
        self.mode = BLOCK
        self.items: list[Item] = []
        self.list_level = 0
        self.in_order = False
        self.linking = False
        self.depth = 0
        self.boxes: frozenset[str] = frozenset()

    def walk(self, node: Node) -> None:
        """Collect everything below a node; raise NoTree where it is nested too deep."""
        self.enter()
        handlers = self.handlers
        for tag, child in self.tree.children(node):
            if tag == "-text":
                self.pieces.append(child)
                self.titles += child == TITLE
            elif tag in handlers:
                self.depth += 1
                handlers[tag](self, child)
                self.depth -= 1
            elif tag in BOUNDARIES:
                if tag == "div" and (handler := self._special(child)):
                    self.depth += 1
                    handler(self, child)
                    self.depth -= 1
                    continue
                self.boundary(BOUNDARIES[tag])
                box = self.begin_box() if tag in self.boxes else None
                self.walk(child)
                count = len(self.chunks)
                self.boundary()
                if box:
                    self.end_box(box, count)
            elif tag[0] != "-":
                self.walk(child)
        self.depth -= 1

    def enter(self) -> None:
        """Count a call that may lead to itself; whoever makes it takes it off `depth` again.

        All such calls are counted, so that the same pages are too deep whatever calls the walk.
        """
        self.depth += 1
        if self.depth > MAX_CALLS:
            raise NoTree(TOO_DEEP)

    def boundary(self, mark: str = GAP) -> None:
        """End the paragraph, or within a line add a separator."""
        if self.mode == BLOCK:
            self.flush()
        elif self.mode == IN_ITEM:
            self.break_item()
        else:
            self.pieces.append(mark)

    def break_item(self) -> None:
        """End the line of an item if its text is kept in order; within a link, and without a word, it goes on."""
        self.pieces.append(GAP)
        if self.in_order and not self.linking:
            line = finish(self.pieces, self.targets)
            if HAS_WORD(line.text):
                self.pieces, self.targets = [], []
                self.items.append((self.list_level, line))

    def flush(self) -> None:
        """Make a paragraph of the pieces gathered."""
        if self.pieces:
            self.add("paragraph", finish(self.pieces, self.targets))
            self.pieces, self.targets = [], []

    def add_lines(self, kind: str, lines: Sequence[Line], header: int = 0) -> None:
        """Add the chunk, or the parts, that the lines of a table or list make."""
        if any(HAS_WORD(line.text) for line in lines):
            self.leave_boxes()
            self.chunks.extend(line_chunks(self.section, kind, lines, header=header))

    def capture(self, node: Node, mode: str = IN_CELL) -> Line:
        """Return the text below a node as one line, without touching what is being collected."""
        children = self.tree.children(node)
        if len(children) == 1 and children[0][0] == "-text":
            return finish((children[0][1],), ())
        saved = self.pieces, self.targets, self.mode
        self.pieces, self.targets, self.mode = [], [], mode
        self.depth += 1
        self.walk(node)
        self.depth -= 1
        line = finish(self.pieces, self.targets)
        self.pieces, self.targets, self.mode = saved
        return line

    @property
    def in_cell(self) -> bool:
        """Whether text is being gathered for a cell, where nothing can be a chunk of its own."""
        return self.mode == IN_CELL or self.mode == IN_VALUE

    def _special(self, node: Node) -> Handler | None:
        """Return the handler of a `div` that is no mere block: a caption, infobox, event or item of segments."""
        classes = self.tree.attribute(node, "class")
        if not classes:
            return None
        if "infobox" in classes and is_infobox(classes):
            return self.handlers["infobox"]
        names = frozenset(classes.split())
        if not names.isdisjoint(EVENT_CLASSES) and self.tree.select("table", node):
            return self.handlers["event"]
        if SEGMENTS_CLASS in names:
            return self.handlers[SEGMENTS_CLASS]
        return None if names.isdisjoint(CAPTION_CLASSES) else caption


def is_infobox(classes: str) -> bool:
    """Tell whether a table's or box's class names an infobox rather than a part of one."""
    return any(name == "infobox" or name.startswith("infobox_") for name in classes.lower().split())


def heading(passages: Passages, node: Node, level: int) -> None:
    """Begin a section; within a line a heading is plain text."""
    if passages.mode != BLOCK:
        passages.boundary()
        passages.depth += 1  # the call of `partial`
        passages.walk(node)
        passages.depth -= 1
        passages.boundary()
        return
    passages.flush()
    line = passages.capture(node)
    if len(line.text) > MAX_HEADING:
        passages.add("paragraph", line)
    elif line.text:
        passages.begin_section(level, line.text)


def link(passages: Passages, node: Node) -> None:
    """Gather an anchor; mark it when it leads to another page of the wiki and shows text."""
    href = passages.tree.attribute(node, "href")
    target = passages.target_of(href)
    if target is None or passages.linking:
        outer, passages.linking = passages.linking, passages.linking or bool(href)
        passages.walk(node)
        passages.linking = outer
        return
    # A link is never cut by a paragraph's end, whatever it holds.
    mode, passages.mode = passages.mode, IN_CELL if passages.mode == BLOCK else passages.mode
    pieces = passages.pieces
    mark = len(pieces)
    pieces.append(OPEN)
    passages.linking = True
    passages.walk(node)
    passages.linking = False
    passages.mode = mode
    if any(map(HAS_WORD, pieces[mark + 1 :])) or "".join(pieces[mark + 1 :]).strip():
        pieces.append(CLOSE)
        passages.targets.append(target)
    else:
        del pieces[mark]


def line_break(passages: Passages, node: Node) -> None:
    """End a line; in items and cells a line stays one."""
    passages.pieces.append(BREAKS.get(passages.mode, " "))


def raised(passages: Passages, node: Node) -> None:
    """Gather a superscript; a number raised on a number keeps apart from it as a power."""
    before = next((piece for piece in reversed(passages.pieces) if piece), "")
    if before[-1:].isdigit() and RAISED.match(passages.tree.text(node)):
        passages.pieces.append("^")
    passages.walk(node)


def code(passages: Passages, node: Node) -> None:
    """Add preformatted text with its lines as they are; those of a definition as its own; in a cell it is text."""
    in_item = passages.mode == IN_ITEM and passages.in_order and not passages.linking
    if passages.mode != BLOCK and not in_item:
        passages.boundary()
        passages.walk(node)
        passages.boundary()
        return
    passages.boundary()
    tree = passages.tree
    tree.drop(tree.select("button", node))
    for line_end in tree.select("br", node):
        tree.replace(line_end, "\n")
    lines = tree.text(node).replace("\xa0", " ").replace("\r\n", "\n").split("\n")
    text = "\n".join(map(str.rstrip, lines)).strip("\n")
    if in_item:
        passages.items += [(passages.list_level, Line(line)) for line in dedent(text).split("\n") if line]
    else:
        passages.add("code", Line(text))


def caption(passages: Passages, node: Node) -> None:
    """Add an image's caption; within a cell it is the cell's text."""
    if passages.in_cell:
        passages.boundary()
        passages.walk(node)
        passages.boundary()
        return
    if passages.mode == BLOCK:
        passages.flush()
    passages.add("caption", passages.capture(node))


def drawing(passages: Passages, node: Node) -> None:
    """Add the words within a drawing as its caption."""
    words = [passages.tree.text(text) for text in passages.tree.select("text", node)]
    passages.boundary()
    line = Line(" ".join(" ".join(words).split()))
    if passages.mode == BLOCK:
        passages.add("caption", line)
    else:
        passages.pieces.append(line.text)
        passages.boundary()


def skip(passages: Passages, node: Node) -> None:
    """Pass over an element that shows no text of the article."""


HANDLERS: Handlers = {
    "a": link,
    "br": line_break,
    "sup": raised,
    "pre": code,
    "figcaption": caption,
    **{f"h{level}": partial(heading, level=level) for level in range(1, 7)},
    **dict.fromkeys(TEXTLESS_TAGS.split(), skip),
}
