"""Commands that ask: search."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interfaces.output import json_option, print_json, skb_argument, valid_text

if TYPE_CHECKING:
    from retriever.rankers import Ranker
    from retriever.types import Unit
    from weft.skb import Skb

unit_option = click.option("--unit", default="auto", type=click.Choice(["auto", "chunk", "entity"]), show_default=True,
                           help="What is ranked.")


@click.command(epilog="""\b
Examples:
  weft search kb.skb "who designed the harbour light?" -k 3
  weft search kb.skb - -m bm25 --json < questions.txt""")
@skb_argument
@click.argument("question", callback=valid_text)
@click.option("-k", default=5, show_default=True, type=click.IntRange(1), help="How many hits.")
@click.option("-m", "--method", default="bm25", show_default=True, help="bm25 or vector.")
@unit_option
@json_option
def search(skb: Path, question: str, k: int, method: str, unit: str, as_json: bool) -> None:
    """Rank the chunks or entities of an SKB for QUESTION, or for each line of stdin when it is -."""
    from retriever.rankers import ranker_of
    from weft.skb import Skb

    with Skb(skb) as opened:
        chosen: Unit = "entity" if unit == "entity" or (unit == "auto" and opened.is_graph) else "chunk"
        ranker = ranker_of(method, opened, chosen)
        for text in _questions(question):
            answer = search_once(opened, ranker, text, k, method, chosen)
            print_json(answer) if as_json else print_hits(answer)


def _questions(question: str) -> Iterable[str]:
    if question == "-":
        lines = (line.decode("utf-8", "replace").strip() for line in sys.stdin.buffer)
        return (line for line in lines if line)
    return (question,)


def search_once(skb: Skb, ranker: Ranker, question: str, k: int, method: str, unit: Unit) -> dict[str, Any]:
    """Return the hits of one question, as the command prints them."""
    start = time.perf_counter()
    found = ranker(question, k)
    seconds = time.perf_counter() - start
    if unit == "entity":
        rows = [(entity.uri, entity.name, entity.label) for entity in skb.entities(found.ids.tolist())]
    else:
        chunks = skb.chunks(found.ids.tolist())
        pages = skb.pages([chunk.page_id for chunk in chunks])
        rows = [(chunk.uri, page.title, chunk.text) for chunk, page in zip(chunks, pages, strict=True)]
    hits = [
        {"rank": rank, "uri": uri, "title": title, "text": text, "score": round(score, 6),
         "signals": {method: round(score, 6)}, "why": []}
        for rank, ((uri, title, text), score) in enumerate(zip(rows, found.scores.tolist(), strict=True), 1)
    ]  # fmt: skip
    return {"question": question, "method": method, "unit": unit, "seconds": round(seconds, 6), "hits": hits}


def print_hits(answer: dict[str, Any]) -> None:
    """Print hits for people."""
    if not answer["hits"]:
        click.echo("nothing found")
    for hit in answer["hits"]:
        text = " ".join(hit["text"].split())
        click.echo(f"{hit['rank']}. {hit['uri']}  {hit['score']:.3f}\n   {text[:300]}{'…' if len(text) > 300 else ''}")


COMMANDS = (search,)
