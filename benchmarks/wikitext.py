"""How many pages a second are read from MediaWiki XML dumps, and how much of their text is left-over markup.

    python benchmarks/wikitext.py [--json] [--data FOLDER] [--runs 3]
    python benchmarks/wikitext.py --compare OLD NEW [--show]

The dumps are those in the folder `wikitext` of the data; each rate is the best
of the runs, in processor time on one core, for all dumps together. The slowest
of the hostile pages, of 80 kB each, is measured once.

`--compare` counts what differs between two outputs of `weft dump`, such as
those of two revisions that have built the same wikitext, and shows it.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

sys.path[0] = str(Path(__file__).parents[1])

from builder.documents.records import Document  # noqa: E402
from builder.readers.registry import ReadOptions  # noqa: E402
from builder.readers.source import Item, Source  # noqa: E402
from builder.readers.wikitext.dump import items, parse  # noqa: E402
from builder.readers.wikitext.site import Site  # noqa: E402

DATA = Path(__file__).parents[1] / ".." / "shared" / "data"
LEFT_OVER = re.compile(r"\{\{|\}\}|\[\[|\]\]|''|</?[a-z]+[^<>]*>|\{\||\|\}|__[A-Z]+__")
HOSTILE = (
    "{{a|", "[[a|", "{{{a|", "{{a|[[b|c}}", "{{a|[[b|<i>\n{|", "{|\n|-\n|a", "<b>x", "<ref>x", "[http://a ", "[[//a ",
    "{{{a|b}}", "{{a[[b]]|c}}", "\n= a", "''a'''", "{{small|[[a|b]]}} ", "{{convert|1|km}}", "aaa:", "<poem><section>",
    "{{ubl|" * 25 + "a" + "}}" * 25, "[[a|" * 25 + "a" + "]]" * 25, "{{Infobox a|b=" * 25 + "a" + "}}" * 25,
)  # fmt: skip
HOSTILE_BYTES = 80_000
# The columns of each table of a dump that tell whether a reader read the same.
COMPARED = {
    "chunk": ("page", "kind", "text"),
    "link": ("page", "target", "fragment", "anchor"),
    "statement": ("page", "kind", "key", "value"),
}
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
        "slowest_hostile_page_seconds": round(slowest_hostile(), 2),
    }


def slowest_hostile(repeated: tuple[str, ...] = HOSTILE) -> float:
    """Return the most seconds that a page of one part repeated takes."""
    site = Site()
    texts = [part * (HOSTILE_BYTES // len(part)) for part in repeated]
    return max(best_of(1, lambda text=text: parse("T", ("T", text, None, "", site)))[0] for text in texts)  # type: ignore[misc]


def rows_of(dump: Path) -> dict[str, Counter[tuple[str, ...]]]:
    """Return how often each row stands in the compared tables of a dump; a chunk's uri begins with its page's."""
    found: dict[str, Counter[tuple[str, ...]]] = {table: Counter() for table in COMPARED}
    for line in dump.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["table"] in found:
            row.setdefault("page", str(row.get("chunk", "")).partition("#")[0])
            found[row["table"]][tuple(str(row[column]) for column in COMPARED[row["table"]])] += 1
    return found


def compare(old: Path, new: Path, show: bool) -> None:
    """Print how many rows of each table only one of two dumps has, and the rows."""
    before, after = rows_of(old), rows_of(new)
    for table in COMPARED:
        gone, come = before[table] - after[table], after[table] - before[table]
        counts = f"{before[table].total()} before, {after[table].total()} after"
        sys.stdout.write(f"{table}: {counts}, {gone.total()} only before, {come.total()} only after\n")
        for sign, rows in (("-", gone), ("+", come)) if show else ():
            sys.stdout.writelines(f"  {sign} {' | '.join(row)}\n" for row in sorted(rows.elements()))


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--compare", type=Path, nargs=2, metavar=("OLD", "NEW"), help="two outputs of weft dump")
    parser.add_argument("--show", action="store_true", help="with --compare: every row that differs")
    options = parser.parse_args()
    if options.compare:
        compare(*options.compare, options.show)
        return 0
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
