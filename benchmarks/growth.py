"""Show that the cost of a build grows linearly with its pages, and that parsing's memory does not grow.

    python -m benchmarks.growth FOLDER [--sizes 1000,5000,20000] [--json]

Each size is generated, built without facts, and measured in a process of its
own. `reading` is the stage that parses and stores documents; its memory is
that of a build that stops after it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.thesis_scale import timed, weft

READ_ONLY = """
import sys
from pathlib import Path
from builder.storage.process_pool import cores
from builder.storage.working_copy import working_copy
from builder.source_layer.ingest import Reading
from builder.readers.registry import ReadOptions
from builder.readers.source import sources_of
if __name__ == "__main__":
    sources = sources_of([sys.argv[1]])
    with working_copy(Path(sys.argv[2]), "benchmark") as part:
        ranks = {source.label: rank for rank, source in enumerate(sources)}
        Reading(part.connection, ranks, frozenset(), workers=cores(), options=ReadOptions(), limit=None,
                document_seconds=60, advance=lambda n: None).read(sources)
"""


def measure(folder: Path, n_pages: int) -> dict[str, Any]:
    """Generate, read, and build so many pages."""
    place = folder / str(n_pages)
    if not (place / "pages").exists():
        generator = [sys.executable, "-m", "benchmarks.generate", str(place), "--triples", "0"]
        subprocess.run([*generator, "--pages", str(n_pages)], check=True)
    script = place / "read_only.py"
    script.write_text(READ_ONLY, encoding="utf-8")
    for name in ("read.skb", "kb.skb"):
        (place / name).unlink(missing_ok=True)
    reading = timed([sys.executable, str(script), str(place / "pages"), str(place / "read.skb")])
    whole = timed(weft("build", str(place / "pages"), "-o", str(place / "kb.skb")))
    return {
        "pages": n_pages,
        "reading": reading,
        "whole": whole,
        "ms_a_page": round(1000 * whole["seconds"] / n_pages, 2),
        "bytes_a_page": (place / "kb.skb").stat().st_size // n_pages,
    }


def main() -> None:
    """Print one row a size, and how memory and time a page compare with the smallest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", default="1000,5000,20000")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [measure(options.folder, int(size)) for size in options.sizes.split(",")]
    for row in rows:
        row["time_a_page_against_first"] = round(row["ms_a_page"] / rows[0]["ms_a_page"], 2)
    print(json.dumps(rows) if options.json else "\n".join(map(json.dumps, rows)))


if __name__ == "__main__":
    main()
