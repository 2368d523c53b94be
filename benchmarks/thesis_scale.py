"""Build at the thesis's size: each stage's rate and peak memory, and the obvious pipeline beside it on a slice.

    python -m benchmarks.thesis_scale FOLDER [--pages 5000] [--triples 10000000] [--json]

The obvious pipeline parses with beautifulsoup and html.parser, holds the facts
in an rdflib graph and inserts row by row with sqlite-utils; both run on the same
slice of the same dump, one after the other, and only their ratio is meant.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

SLICE_PAGES = 50
SLICE_TRIPLES = 50_000


def timed(command: list[str]) -> dict[str, float]:
    """Run a command; return its seconds and its peak memory in MB, its worker processes' largest one apart."""
    script = (
        "import resource, subprocess, sys; code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024); sys.exit(code)"
    )
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", script, *command], capture_output=True, text=True, check=True)
    return {"seconds": round(time.perf_counter() - start, 1), "peak_mb": int(done.stdout.split()[-1])}


def weft(*arguments: str) -> list[str]:
    """Return the command line of a weft command."""
    return [sys.executable, "-m", "interfaces.cli", *arguments]


def build(folder: Path, pages: int, triples: int) -> dict[str, Any]:
    """Generate where needed, build, and return stages, counts and memory."""
    if not (folder / "facts.nt").exists():
        generator = [sys.executable, "-m", "benchmarks.generate", str(folder)]
        subprocess.run([*generator, "--pages", str(pages), "--triples", str(triples)], check=True)
    output = folder / "kb.skb"
    output.unlink(missing_ok=True)
    whole = timed(weft("build", str(folder / "pages"), "--rdf", str(folder / "facts.nt"), "-o", str(output)))
    info = json.loads(subprocess.check_output(weft("info", str(output), "--json")))
    stages = info["build"]["seconds"]
    return {
        "pages": pages,
        "triples": triples,
        "whole": whole,
        "stages": stages,
        "bytes": info["bytes"],
        "counts": info["counts"],
        "outcomes": info["triples"],
        "pages_per_second": round(pages / stages["reading"], 1),
    }


def slice_of(folder: Path, pages: int, triples: int) -> Path:
    """Copy the first pages and triples of a dump into a folder of its own."""
    small = folder / "slice"
    for place in sorted((folder / "pages").rglob("*.html"))[:pages]:
        target = small / "pages" / place.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(place.read_bytes())
    with (folder / "facts.nt").open() as source, (small / "facts.nt").open("w") as target_file:
        for _, line in zip(range(triples), source, strict=False):
            target_file.write(line)
    return small


def compare(folder: Path) -> dict[str, Any]:
    """Run Weft without vectors' share and the obvious pipeline on one slice."""
    small = slice_of(folder, SLICE_PAGES, SLICE_TRIPLES)
    output = small / "kb.skb"
    output.unlink(missing_ok=True)
    ours = timed(
        weft("build", str(small / "pages"), "--rdf", str(small / "facts.nt"), "-o", str(output), "--workers", "1")
    )
    obvious = timed([sys.executable, "-m", "benchmarks.obvious", str(small)])
    return {
        "pages": SLICE_PAGES,
        "triples": SLICE_TRIPLES,
        "weft": ours,
        "obvious": obvious,
        "times_faster": round(obvious["seconds"] / ours["seconds"], 1),
    }


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--triples", type=int, default=10_000_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    report = {"scale": build(options.folder, options.pages, options.triples), "slice": compare(options.folder)}
    print(json.dumps(report) if options.json else json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
