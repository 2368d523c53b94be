"""Questions that a manual's own structure asks and answers: headings, keywords, questions of an FAQ, names.

A question's gold is a section, or a passage with the one behind it where the
manual marks no section. By its heading a section is worded, a question or a name:

- `heading`: a heading that only one section of the manual has, without its number.
- `titled heading`: a page's title and a heading, where only one section has both.
- `keywords`: one to four words of a section; `keyword_questions` tells which.
- `faq`: a heading, or a line of its own, that ends with a question mark.
- `name`: a function, option or command, asked for by its name alone: a heading
  that is one, or a term that is defined, of which the manual has only one.

The same SKB and seed give the same questions.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from benchmarks.keyword_questions import Keywords
from benchmarks.manual_sections import Asked, Heading, Passage, headings_of, is_worded, name_of, passages_of
from retriever.datasets.gold import GoldResolver
from retriever.datasets.question_files import questions_of
from weft.skb import Skb
from weft.text.names import name_key

MOST_OF_A_KIND = 150
LONGEST = 200
"""Characters of a question; longer headings are signatures and sentences."""

NUMBERED_QUESTION = re.compile(r"(?:\(?\d+[.)]\)?\s+|Q:\s*)?(.+\?)$")
LEAST_QUESTION_WORDS = 4
PARAGRAPHS_OF_AN_FAQ = 3
"""So many lines that ask something make their section an FAQ."""

NOTHING = Passage("", -1, None, "", "")
"""Stands behind the last passage."""


def by_heading(headings: Iterable[Heading]) -> Iterator[Asked]:
    """Ask for the sections whose heading is the only one of its kind in the manual, pages' titles included."""
    plain = [each for each in headings if _is_plain(each.title)]
    pages = Counter(key for key, _ in {(each.key, each.page) for each in plain}
                    | {(name_key(each.page_title), each.page) for each in plain})  # fmt: skip
    sections = Counter(each.key for each in plain)
    for each in plain:
        if each.key and pages[each.key] == 1 and sections[each.key] == 1:
            yield Asked(each.title, (each.uri,))


def by_titled_heading(headings: Iterable[Heading]) -> Iterator[Asked]:
    """Ask for sections by page and heading, where the two are no more than one section's."""
    plain = [each for each in headings if _is_plain(each.title)]
    both = Counter((name_key(each.page_title), each.key) for each in plain)
    for each in plain:
        title = name_key(each.page_title)
        if each.key and title and each.key not in title and both[title, each.key] == 1:
            yield Asked(f"{each.page_title} {each.title}", (each.uri,))


def by_question(headings: Iterable[Heading], passages: Iterable[Passage]) -> Iterator[Asked]:
    """Ask the questions that headings are, and those that stand as lines of their own in an FAQ."""
    for each in headings:
        if (asked := _question_in(each.title)) is not None:
            yield Asked(asked, (each.uri,))
    lines: dict[tuple[int, int | None], list[Asked]] = defaultdict(list)
    for passage, behind in pairwise([*passages, NOTHING]):
        asked = _question_in(passage.text) if passage.kind == "paragraph" else None
        if asked is not None and behind.section == passage.section and behind.page == passage.page:
            lines[passage.page, passage.section].append(Asked(asked, (passage.uri, behind.uri)))
    for found in lines.values():
        if len(found) >= PARAGRAPHS_OF_AN_FAQ:
            yield from found


def by_name(headings: Iterable[Heading], passages: Iterable[Passage]) -> Iterator[Asked]:
    """Ask for names that are defined once: by a heading, else by a term that no heading has, with a text."""
    defined: dict[str, list[Asked]] = defaultdict(list)
    in_headings: set[str] = set()
    for each in headings:
        in_headings.update(f"{each.page_title} {each.title}".split())
        if (name := name_of(each.title)) is not None:
            in_headings.add(name)
            defined[name].append(Asked(name, (each.uri,)))
    for passage, behind in pairwise([*passages, NOTHING]):
        if passage.kind == "definition":
            for name, gold in _terms(passage, behind):
                if name not in in_headings:
                    defined[name].append(Asked(name, gold))
    yield from (found[0] for found in defined.values() if len(found) == 1)


def _terms(passage: Passage, behind: Passage) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the names that a list of definitions defines, with the passages that do."""
    lines = [*passage.text.split("\n"), ""]
    for line, following in pairwise(lines):
        name = None if line.startswith(" ") else name_of(line)
        if name is None:
            continue
        if following.startswith(" "):
            yield name, (passage.uri,)
        elif not following and behind.page == passage.page and behind.kind == "paragraph":
            yield name, (passage.uri, behind.uri)


def _question_in(text: str) -> str | None:
    found = NUMBERED_QUESTION.match(text.strip()) if "\n" not in text else None
    return found[1] if found is not None and len(found[1].split()) >= LEAST_QUESTION_WORDS else None


def _is_plain(title: str) -> bool:
    return not title.endswith("?") and name_of(title) is None and is_worded(title)


def manual_questions(skb: Skb, name: str, seed: int = 0, most: int = MOST_OF_A_KIND) -> Iterator[dict[str, Any]]:
    """Yield at most `most` lines of a question file a kind, drawn at random."""
    headings, passages = headings_of(skb), passages_of(skb)
    kinds = {
        "heading": by_heading(headings), "titled heading": by_titled_heading(headings),
        "faq": by_question(headings, passages), "name": by_name(headings, passages),
    }  # fmt: skip
    for kind, found in kinds.items():
        yield from _lines(name, kind, _drawn(found, random.Random(f"{seed} {name} {kind}"), most))
    draw = random.Random(f"{seed} {name} keywords")
    asked = (each for each, _ in zip(Keywords(headings).asked(draw), range(most), strict=False))
    yield from _lines(name, "keywords", asked)


def _drawn(found: Iterable[Asked], draw: random.Random, most: int) -> list[Asked]:
    """Draw questions that are short enough, and asked once."""
    short = [each for each in found if len(each.question) <= LONGEST]
    times = Counter(each.question.casefold() for each in short)
    single = [each for each in short if times[each.question.casefold()] == 1]
    return draw.sample(single, min(most, len(single)))


def _lines(name: str, kind: str, asked: Iterable[Asked]) -> Iterator[dict[str, Any]]:
    for number, each in enumerate(asked, 1):
        yield {
            "id": f"{name} {kind} {number}", "question": each.question, "gold": [{"uri": uri} for uri in each.gold],
            "hops": 1, "type": kind,
        }  # fmt: skip


def resolved(skb: Skb, lines: Iterable[dict[str, Any]]) -> tuple[list[dict[str, Any]], int]:
    """Return the lines whose every gold item names something in the SKB, and how many others there are."""
    found = list(lines)
    resolver = GoldResolver(skb, "chunk")
    kept = [
        line
        for line, question in zip(found, questions_of(found), strict=True)
        if question.gold and not resolver.gold_set(question).unresolved
    ]
    return kept, len(found) - len(kept)
