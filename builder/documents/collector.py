"""What is read from a page so far: sections and chunks in document order, and which elements end which sections.

>>> from builder.documents.chunking import Line
>>> page = Collector()
>>> page.begin_section(2, "Lamps")
>>> page.add("paragraph", Line("They glow."))
>>> note = page.begin_box()
>>> page.begin_section(3, "Note")
>>> page.add("paragraph", Line("Not all."))
>>> page.end_box(note, len(page.chunks))
>>> page.add("paragraph", Line("Each has a wick."))
>>> [(page.sections[chunk.section].title, chunk.text) for chunk in page.chunks]
[('Lamps', 'They glow.'), ('Note', 'Not all.'), ('Lamps', 'Each has a wick.')]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from builder.documents.chunking import LONGEST_TERM, Line, join_lines
from builder.documents.records import Chunk, Section, Statement
from weft.text.names import LinkTarget

# A letter or digit of any script.
HAS_WORD = re.compile(r"[^\W_]").search
MAX_BOXES = 10
"""Of elements behind headings within each other deeper ones end no section: a uri repeats all sections above it."""


Place = tuple[int, int, int]
"""How many chunks, sections and titles stand before something."""


class Box(NamedTuple):
    """The sections around an element, its place and depth, and those of the element it is in.

    With each section stands the least level of a heading for an element in that section.
    """

    around: tuple[tuple[int, int], ...]
    start: Place
    outer_start: Place
    depth: int
    outer_depth: int


class Collector:
    """The sections and chunks read from a page so far, and the pieces of the next one.

    A heading that an element begins with heads this element, and its section ends
    with it, as that of a note does, where the element has blocks below the
    heading and is not itself what a larger element begins with: a heading in a
    wrapper of its own, or in a title block, is that of the text behind it.
    """

    titles = 0
    """How many headings that give the page its title, and are no sections, have been passed."""

    def __init__(self) -> None:
        self.sections: list[Section] = []
        self.chunks: list[Chunk] = []
        self.statements: list[Statement] = []
        self.pieces: list[str] = []
        self.targets: list[LinkTarget] = []
        self._open_sections: list[int] = []
        self._start: Place = (0, 0, 0)
        self._depth = 0
        self._ended: list[Box] = []
        self._begun: list[Place] = []
        self._open_boxes: Counter[Place] = Counter()
        self._past: set[int] = set()
        self._left: tuple[Place, int] | None = None

    @property
    def section(self) -> int:
        """The index of the section being read, -1 in the lead."""
        return self._open_sections[-1] if self._open_sections else -1

    def begin_section(self, level: int, title: str) -> None:
        """Open a section below the nearest open one of a smaller level."""
        self._leave([box for box in self._ended if self._lies_in_closed(level, box)])
        self._ended.clear()
        while self._open_sections and self.sections[self._open_sections[-1]].level >= level:
            self._open_sections.pop()
        self._begun.append(self._place())
        self.sections.append(Section(title, level, self.section))
        self._open_sections.append(len(self.sections) - 1)

    def add(self, kind: str, line: Line) -> None:
        """Add a whole chunk, unless it holds neither letter nor digit."""
        if HAS_WORD(line.text):
            self.leave_boxes()
            self.chunks.append(Chunk(self.section, kind, 0, line.text, line.links))

    def join_to_term(self, separator: str) -> None:
        """Join the last chunk to the one before it, a term, where that is short and of the same section."""
        term, chunk = self.chunks[-2:]
        if term.section == chunk.section and len(term.text) <= LONGEST_TERM:
            text, links = join_lines((Line(term.text, term.links), Line(chunk.text, chunk.links)), separator)
            self.chunks[-2:] = [chunk._replace(kind="definition", text=text, links=links)]

    def begin_box(self) -> Box:
        """Take in that an element begins, and return what `end_box` is to be called with."""
        # The section of an element that ended before is not around this one.
        around = self._ended[-1].around if self._ended else tuple(map(self._with_least, self._open_sections))
        depth = self._depth + (len(self.sections) > self._start[1])
        box = Box(around, self._place(), self._start, depth, self._depth)
        self._start, self._depth = box.start, depth
        self._open_boxes[box.start] += 1
        return box

    def end_box(self, box: Box, count: int) -> None:
        """Take in that an element ends, in whose blocks there were `count` chunks of the page."""
        self._start, self._depth = box.outer_start, box.outer_depth
        chunks, first, _ = box.start
        self._open_boxes[box.start] -= 1
        is_headed = count > chunks and self.chunks[chunks].section >= first
        if is_headed and box.start != box.outer_start and box.depth <= MAX_BOXES:
            self._ended.append(box)
        elif len(self.sections) > first:
            self._past.add(first)
            self._left = (self._place(), first) if is_headed else None

    def leave_boxes(self) -> None:
        """Close the sections of elements that have ended, since text follows them."""
        if self._ended:
            self._leave(self._ended)
            self._ended.clear()

    def _with_least(self, section: int) -> tuple[int, int]:
        """Return an open section with the least level of a heading for an element in it."""
        # Notes of DocBook have a level of their own, which may be less than that of their section. The first of several
        # elements with headings has no other one of them in it, though what they are in begins as it does.
        if self._open_boxes[self._begun[section]] and self._left != (self._place(), section):
            return section, 0
        return section, self.sections[section].level + (section in self._past)

    def _place(self) -> Place:
        return len(self.chunks), len(self.sections), self.titles

    def _lies_in_closed(self, level: int, box: Box) -> bool:
        """Tell whether a heading would be below that of a box, which has closed a section around the box."""
        own = self.sections[box.start[1]].level
        around = self._around(box)
        return level > own and bool(around) and self.sections[around[-1]].level >= own

    def _around(self, box: Box) -> list[int]:
        own = self.sections[box.start[1]].level
        return [section for section, least in box.around if own >= least]

    def _leave(self, boxes: Sequence[Box]) -> None:
        end = len(self.sections)
        # Each lies in the next one, and nothing behind it.
        for box in boxes:
            first = box.start[1]
            self._open_sections = self._around(box)
            for number in range(first, end):
                if self.sections[number].parent < first:
                    self.sections[number] = self.sections[number]._replace(parent=self.section)
            end = first
