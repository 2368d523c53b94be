"""How many pages a second the HTML extraction reads, with each tree.

    python benchmarks/html.py [--json] [--data FOLDER] [--runs 3]

The pages are those of `nq_earth` and `wikipedia_html` for both trees, and of
`wikitables` for selectolax alone; each figure is the best of the runs, in
processor time on one core.
"""

from __future__ import annotations

import argparse
import json
import sys
import tarfile
import time
from collections.abc import Sequence
from pathlib import Path

# In place of this folder, where the file would hide the standard library's `html`.
sys.path[0] = str(Path(__file__).parents[1])

from builder.readers.html.page import parse_page  # noqa: E402

DATA = Path(__file__).parents[1] / ".." / "shared" / "data"
ARTICLES = ("nq_earth", "wikipedia_html")


def read_folder(folder: Path) -> list[bytes]:
    """Return the pages below a folder."""
    return [path.read_bytes() for path in sorted(folder.rglob("*.html"))]


def read_archive(path: Path) -> list[bytes]:
    """Return the pages in a tar archive."""
    with tarfile.open(path) as archive:
        files = [archive.extractfile(member) for member in archive if member.name.endswith(".html")]
        return [file.read() for file in files if file is not None]


def rate(pages: Sequence[bytes], tree: str, runs: int) -> float:
    """Return pages a second, the best of several runs."""
    seconds = []
    for _ in range(runs):
        begin = time.process_time()
        for page in pages:
            parse_page(page, title="Page", tree=tree)
        seconds.append(time.process_time() - begin)
    return len(pages) / min(seconds)


def differs(page: bytes) -> bool:
    """Tell whether the two trees read a page otherwise."""
    return parse_page(page, title="Page") != parse_page(page, title="Page", tree="bs4")


def measure(data: Path, runs: int) -> dict[str, float]:
    """Return all figures by name."""
    articles = [page for folder in ARTICLES for page in read_folder(data / folder)]
    tables = read_archive(data / "wikitables" / "pages.tar.gz")
    fast, slow = rate(articles, "selectolax", runs), rate(articles, "bs4", runs)
    return {
        "articles": len(articles),
        "article_kilobytes": round(sum(map(len, articles)) / len(articles) / 1000),
        "selectolax_pages_per_second": round(fast, 1),
        "bs4_pages_per_second": round(slow, 2),
        "ratio": round(fast / slow, 1),
        "table_pages": len(tables),
        "read_otherwise_by_bs4": sum(map(differs, (*articles, *tables))),
        "table_pages_per_second": round(rate(tables, "selectolax", runs), 1),
    }


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    if not options.data.is_dir():
        sys.stderr.write(f"Error: no data in {options.data}\n")
        return 1
    figures = measure(options.data, options.runs)
    if options.json:
        sys.stdout.write(json.dumps(figures) + "\n")
    else:
        sys.stdout.writelines(f"{name:30} {value:g}\n" for name, value in figures.items())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
