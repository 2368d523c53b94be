"""Runs of lines of a plain text: what stands between blank lines, without rules and tables of contents.

>>> list(runs("Lamps\\n=====\\n\\nThey glow.\\nThey hum.\\n\\n-----"))
[['Lamps', '====='], ['They glow.', 'They hum.']]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from builder.readers.text.plain_text.page_breaks import without_page_breaks

UNDERLINE = re.compile(r"\s*([=\-~^*#+])\1{2,}\s*$")
RULE = re.compile(r"[\s\-=*_~.]{3,}$")
ENDS = (".", "!", "?", ";", ",", ":", "…", "”", '"', "’", ")", "。", "！", "？")
GAP = re.compile(r"\S\s{3,}\S")
CONTENTS = re.compile(r"(?:\.[ ]?){4}[ .]*(?:\d{1,4}|[ivxl]{1,6})$")
"""How an entry of a table of contents ends: in a line of dots, and a page."""
CONTENTS_TITLE = re.compile(r"(?:table of )?contents:?", re.I)
FILLED, MOST_LINES, MOST_ENDS = 50, 40, 0.5
"""Lines of running text have at least so many characters, all but a paragraph's last.

A paragraph has at most so many lines, of which at most such a share ends as
sentences and their parts do; those of a log or a table of values all do.
"""


def runs(text: str) -> list[list[str]]:
    """Return the runs of lines between blank ones, but for rules and a table of contents. Linear."""
    found = [lines for lines in _groups(without_page_breaks(text)) if not all(map(RULE.match, lines))]
    return list(_without_contents(found))


def without_rule(lines: list[str]) -> list[str]:
    """Return a run without a rule above it, also where a title stands between two; a table keeps its rules."""
    if len(lines) < 2 or not UNDERLINE.match(lines[0]) or not any(map(str.isalnum, lines[1])):
        return lines
    rules = sum(RULE.match(line) is not None for line in lines[1:])
    is_framed = rules == 1 and len(lines) == 3 and lines[2].strip() == lines[0].strip()
    return lines if rules and not is_framed else lines[1:]


def running_share(text: str) -> float:
    """Return what share of a text's characters stands in paragraphs of several full lines that a sentence ends."""
    running = (lines for lines in _groups(text) if len(lines) > 1 and is_running(lines))
    return sum(len(line) for lines in running for line in lines if lines[-1].endswith(ENDS)) / max(1, len(text))


def is_running(lines: Sequence[str]) -> bool:
    """Tell whether lines are filled as those of a paragraph, without gaps as of columns and ends as of entries."""
    *others, _ = lines
    ended = sum(line.endswith(ENDS) for line in others)
    if len(lines) > MOST_LINES or (len(others) > 2 and ended > MOST_ENDS * len(others)):
        return False
    return all(len(line) >= FILLED for line in others) and not any(GAP.search(line.strip()) for line in lines)


def _groups(text: str) -> list[list[str]]:
    """Return the runs of lines between blank ones."""
    groups: list[list[str]] = [[]]
    for line in text.replace("\f", "\n").split("\n"):
        if line.strip():
            groups[-1].append(line.rstrip())
        elif groups[-1]:
            groups.append([])
    return [lines for lines in groups if lines]


def _without_contents(groups: Sequence[list[str]]) -> Iterator[list[str]]:
    """Leave a table of contents out, with its heading; lines of dots elsewhere lead to values."""
    within = False
    behind: list[list[str]] = [*groups[1:], []]
    for lines, following in zip(groups, behind, strict=True):
        is_title = CONTENTS_TITLE.fullmatch(lines[0].strip()) is not None
        entries = (lines[1:] or following) if is_title else lines
        within = (within or is_title) and bool(entries) and _is_contents(entries)
        if not within:
            yield lines


def _is_contents(lines: Sequence[str]) -> bool:
    """Tell whether most of a run's lines end in dots and a page."""
    return 2 * sum(CONTENTS.search(line) is not None for line in lines) >= len(lines)
