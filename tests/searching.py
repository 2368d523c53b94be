"""A searcher over a few pages that a test writes down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from builder.build import build
from builder.request import Request
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb


@contextmanager
def searcher_over(folder: Path, pages: Mapping[str, str]) -> Iterator[Searcher]:
    """Yield a searcher by `hybrid` over pages of Markdown, the text of each by its title."""
    for index, (title, text) in enumerate(pages.items()):
        (folder / f"{index}.md").write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    build(Request((str(folder),), folder / "kb.skb", workers=1))
    with Skb(folder / "kb.skb") as skb, Session(Context(skb)) as session:
        yield Searcher(session, "hybrid")
