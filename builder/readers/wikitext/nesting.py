"""Which braces and brackets of a text belong together: templates, arguments and links, the rest being text.

Braces come first, as in MediaWiki: a link that a template's end cuts off is
text, and a template that nothing closes stands in no link's way. All of it is
linear in the number of runs.
"""

from __future__ import annotations

import re
from collections import Counter

SEPARATOR = "\x1f"
"""Keeps two runs of braces apart, and marks off the beginning; the parser takes it for a blank."""
# Stand-ins for the braces and brackets that the parser is to see.
BRACE = {"{": "\x16", "}": "\x17"}
# The separator keeps `[[//` from being taken for an address.
LINK_OPENS, LINK_CLOSES = "\x18\x18" + SEPARATOR, "\x19\x19"
TOO_DEEP = "too deep"
# A template's name or a link's target, with its bar.
NAME = re.compile(r"[^|]*\|?")
MAX_NESTED = 25
"""The levels of templates and links within each other; the parser stops at about 33, articles at about 10."""


class Run:
    """A run of equal braces or brackets: its place among the pieces, its length, and how much has no partner.

    `parts` are the widths of its matched pairs, in an opening run from the
    innermost on; `text` replaces the widths where a pair is not written as it is.
    """

    __slots__ = ("left", "parts", "piece", "sign", "text")

    def __init__(self, sign: str, width: int, piece: int) -> None:
        self.sign, self.left, self.piece = sign, width, piece
        self.parts: list[int] = []
        self.text: dict[int, str] = {}

    def written(self) -> str:
        """Return the run with its matched braces told from the others."""
        brace = BRACE[self.sign]
        matched = [self.text.get(number, brace * width) for number, width in enumerate(self.parts)]
        if self.sign == "{":
            return self.sign * self.left + SEPARATOR.join(reversed(matched))
        return SEPARATOR.join(matched) + self.sign * self.left


class _Frame:
    """An open pair: its run and, of braces, its number among the run's parts; how high what it holds is nested.

    `singles` counts the open single brackets in it, which close before it does. `has_bar` tells whether its name
    or target has ended, `is_text` whether a link stands before that, so that the parser takes braces for text.
    """

    __slots__ = ("has_bar", "height", "is_text", "part", "run", "singles")

    def __init__(self, run: Run | None, part: int = 0) -> None:
        self.run, self.part = run, part
        self.height = self.singles = 0
        self.has_bar = self.is_text = False

    @property
    def is_link(self) -> bool:
        return self.run is not None and self.run.sign == "["


def match_braces(runs: list[Run]) -> None:
    """Match braces from the inside out, three at a time where both runs have as many, as MediaWiki does."""
    open_runs: list[Run] = []
    for run in runs:
        if run.sign == "{":
            open_runs.append(run)
        elif run.sign == "}":
            while run.left >= 2 and open_runs:
                opening = open_runs[-1]
                width = min(run.left, opening.left, 3)
                for each in (opening, run):
                    each.left -= width
                    each.parts.append(width)
                if opening.left < 2:
                    open_runs.pop()


class Nesting:
    """Matches the runs that stand among a text's pieces, each between two pieces of text."""

    def __init__(self, pieces: list[str], problems: Counter[str]) -> None:
        self.pieces, self.problems = pieces, problems
        self.frames = [_Frame(None)]

    def run(self, runs: list[Run]) -> None:
        """Write each run among the pieces as what it is; count what is left open or nested too deep."""
        match_braces(runs)
        take = {"{": self.open_braces, "}": self.close_braces, "[": self.open_link, "]": self.close_links}
        for run in runs:
            self.frames[-1].has_bar |= "|" in self.pieces[run.piece - 1]
            take[run.sign](run)
        for run in runs:
            if run.sign in BRACE:
                self.pieces[run.piece] = run.written()
                self.problems["{{"] += run.sign == "{" and run.left >= 2
        self.leave(0)

    def open_braces(self, run: Run) -> None:
        self.frames += [_Frame(run, part) for part in reversed(range(len(run.parts)))]

    def close_braces(self, run: Run) -> None:
        for part in range(len(run.parts)):
            level = len(self.frames) - 1
            while self.frames[level].is_link:
                level -= 1
            self.leave(level)
            frame = self.frames.pop()
            opening = frame.run
            assert opening is not None
            around = self.frames[-1]
            around.is_text |= frame.is_text and not around.has_bar
            if frame.is_text or self.is_nameless(opening, frame.part, run, part):
                opening.text[frame.part] = "{" * opening.parts[frame.part]
                run.text[part] = "}" * opening.parts[frame.part]
            elif self.is_too_deep(frame):
                opening.text[frame.part] = run.text[part] = ""
                self.flatten(opening)

    def is_nameless(self, opening: Run, opening_part: int, closing: Run, part: int) -> bool:
        """Tell whether braces hold no template's name, so that the parser takes them for text."""
        if opening.parts[opening_part] != 2 or opening_part:
            return False
        begin = self.pieces[opening.piece + 1].lstrip()
        return begin[:1] == "|" or (not begin and not part and closing.piece == opening.piece + 2)

    def is_too_deep(self, frame: _Frame) -> bool:
        """Note how high a closed pair is nested in the one around it; tell whether it is flattened instead."""
        if frame.height >= MAX_NESTED:
            self.problems[TOO_DEEP] += 1
            self.frames[-1].height = max(self.frames[-1].height, frame.height)
            return True
        self.frames[-1].height = max(self.frames[-1].height, frame.height + 1)
        return False

    def flatten(self, opening: Run) -> None:
        """Leave out the name or target at the beginning of a pair, whose marks go too."""
        self.pieces[opening.piece + 1] = NAME.sub("", self.pieces[opening.piece + 1], count=1)

    def open_link(self, run: Run) -> None:
        if run.left == 1:
            self.frames[-1].singles += 1
        else:
            self.frames.append(_Frame(run))

    def close_links(self, run: Run) -> None:
        written: list[str] = []
        while run.left:
            frame = self.frames[-1]
            if frame.singles and (run.left != 2 or not frame.is_link):
                frame.singles -= 1
            elif run.left >= 2 and frame.is_link:
                run.left -= 2
                written.append(self.close_link())
                continue
            run.left -= 1
            written.append("]")
        self.pieces[run.piece] = "".join(written)

    def close_link(self) -> str:
        """Write the brackets that open the innermost link; return those that close it."""
        frame = self.frames.pop()
        opening = frame.run
        assert opening is not None
        opens, closes = LINK_OPENS, LINK_CLOSES
        if self.is_too_deep(frame):
            opens = closes = ""
            self.flatten(opening)
        elif self.is_in_name() or frame.is_text:
            return "]]"
        self.pieces[opening.piece] = "[" * (opening.left - 2) + opens
        return closes

    def is_in_name(self) -> bool:
        """Tell whether a link in the innermost braces' name is text there, as in `{{#if: [[a]] | b}}`.

        No other name has links in it: such braces are text.
        """
        frame = self.frames[-1]
        if frame.has_bar or frame.run is None:
            return False
        if not frame.is_link and self.pieces[frame.run.piece + 1].lstrip().startswith("#"):
            return True
        frame.is_text = True
        return False

    def leave(self, level: int) -> None:
        """Leave the links above a level open, as text."""
        around = self.frames[level]
        for frame in self.frames[level + 1 :]:
            self.problems["[["] += frame.is_link
            around.height = max(around.height, frame.height)
            around.is_text |= frame.is_text and not around.has_bar
            around.has_bar |= frame.has_bar
        del self.frames[level + 1 :]
