"""How many pages a second are read from MediaWiki XML dumps, and how much of their text is left-over markup.

    python benchmarks/wikitext.py [--json] [--data FOLDER] [--runs 3]

The dumps are those in the folder `wikitext` of the data; each rate is the best
of the runs, in processor time on one core, for all dumps together.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

sys.path[0] = str(Path(__file__).parents[1])

from builder.documents.records import Document  # noqa: E402
from builder.readers.registry import ReadOptions  # noqa: E402
from builder.readers.source import Item, Source  # noqa: E402
from builder.readers.wikitext.dump import items, parse  # noqa: E402

DATA = Path(__file__).parents[1] / ".." / "shared" / "data"
LEFT_OVER = re.compile(r"\{\{|\}\}|\[\[|\]\]|''|</?[a-z]+[^<>]*>|\{\||\|\}|__[A-Z]+__")
Result = TypeVar("Result")


def best_of(runs: int, work: Callable[[], Result]) -> tuple[float, Result]:
    """Return the least seconds that the work took, and what it gave."""
    seconds = []
    for _ in range(runs):
        begin = time.process_time()
        result = work()
        seconds.append(time.process_time() - begin)
    return min(seconds), result


def read_items(dumps: list[Path]) -> list[Item]:
    """Return the pages of the dumps, not yet parsed."""
    entries = [entry for dump in dumps for entry in items(Source(dump.name, "wikitext", dump), ReadOptions())]
    return [entry for entry in entries if isinstance(entry, Item)]


def read_documents(pages: list[Item]) -> list[Document]:
    """Return the documents that the pages are."""
    outcomes = (parse(page.place, page.payload) for page in pages)
    return [outcome for outcome in outcomes if isinstance(outcome, Document)]


def measure(dumps: list[Path], runs: int) -> dict[str, float]:
    """Return all figures by name."""
    unpacking, pages = best_of(runs, lambda: read_items(dumps))
    parsing, documents = best_of(runs, lambda: read_documents(pages))
    texts = [chunk.text for each in documents for chunk in each.chunks if chunk.kind != "code"]
    left_over = sum(LEFT_OVER.search(text) is not None for text in texts)
    return {
        "articles": len(documents),
        "article_kilobytes": round(sum(len(str(page.payload[1])) for page in pages) / len(documents) / 1000),
        "chunks": len(texts),
        "chunks_with_left_over_markup_percent": round(100 * left_over / len(texts), 3),
        "read_pages_per_second": round(len(pages) / unpacking, 1),
        "parsed_articles_per_second": round(len(documents) / parsing, 1),
    }


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    dumps = sorted((options.data / "wikitext").glob("*.xml.bz2"))
    if not dumps:
        sys.stderr.write(f"Error: no dumps in {options.data}\n")
        return 1
    figures = measure(dumps, options.runs)
    if options.json:
        sys.stdout.write(json.dumps(figures) + "\n")
    else:
        sys.stdout.writelines(f"{name:40} {value:g}\n" for name, value in figures.items())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
