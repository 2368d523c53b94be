"""A manual as plain text without links and markup, and the questions of its structure asked of that.

A page becomes a file: a title, then its passages between blank lines, each
heading a line directly above the first passage under it. The gold of a question
is what the text has of its gold in the manual's own SKB.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from retriever.datasets.gold import GoldResolver, bare, holds
from retriever.datasets.question_files import questions_of
from weft.rows import Chunk
from weft.skb import Skb

MOST_PASSAGES = 8
"""A question whose gold has more passages than this is left out: any of them would do."""

LEAST_LETTERS = 20
"""Shorter passages are no gold: other passages of the page hold them too."""


def write_text(skb: Skb, folder: Path) -> None:
    """Write an SKB's pages as text files; where pages share their title, their first heading takes its place."""
    titles = dict(skb.connection.execute("SELECT id, title FROM page"))
    times = Counter(titles.values())
    for page, place in sorted(_places(skb).items()):
        first = [section.title for section in skb.sections_of_page(page)[:1]]
        title = titles[page] if times[titles[page]] == 1 or not first else first[0]
        path = folder / Path(place).with_suffix(".txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n\n".join([title, *_passages(skb, page)]) + "\n", encoding="utf-8")


def as_text_questions(skb: Skb, text: Skb, lines: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield an SKB's questions with the chunks of the text's SKB that hold their gold, where these are few."""
    resolver = GoldResolver(skb, "chunk")
    places = _places(skb)
    pages = {Path(place).with_suffix(""): text.chunks_of_page(page) for page, place in _places(text).items()}
    for line, question in zip(lines, questions_of(lines), strict=True):
        chunks = skb.chunks(sorted(set().union(*resolver.gold_set(question).items)))
        gold = {uri: None for each in chunks for uri in _held(each, pages[Path(places[each.page_id]).with_suffix("")])}
        if 0 < len(gold) <= MOST_PASSAGES:
            yield line | {"gold": [{"uri": uri} for uri in gold]}


def _places(skb: Skb) -> dict[int, str]:
    query = "SELECT page.id, place FROM page JOIN source_item ON source_item.id = source_id"
    return dict(skb.connection.execute(query).fetchall())


def _passages(skb: Skb, page: int) -> Iterator[str]:
    titles = {section.id: section.title for section in skb.sections_of_page(page)}
    before: int | None = None
    for chunk in skb.chunks_of_page(page):
        heading = titles[chunk.section_id] if chunk.section_id is not None and chunk.section_id != before else None
        before = chunk.section_id
        # A blank line would tear a passage apart.
        lines = [line for line in chunk.text.split("\n") if line.strip()]
        yield "\n".join([heading, *lines] if heading else lines)


def _held(gold: Chunk, chunks: list[Chunk]) -> list[str]:
    """Return the uris of the chunks that hold a passage, none for a passage of a few letters."""
    wanted = bare(gold.text)
    return [each.uri for each in chunks if holds(bare(each.text), wanted)] if len(wanted) >= LEAST_LETTERS else []
