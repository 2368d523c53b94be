"""Score what ships on manuals that nothing has learned from.

    apt-get update
    python -m benchmarks.other_manuals FOLDER [--embedder tfidf] [--json]

Nine manuals, none of them in `manual_packages.MANUALS`, are gathered into FOLDER and asked as
`manual_questions` tells. FOLDER is best another one than that of `benchmarks.manuals`, so that no training finds them
there. The table has each manual's kinds of questions, and then those of all.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.domains import has_questions, manual_source
from benchmarks.manual_packages import Manual
from benchmarks.manuals import METHODS, pooled, prepare, scores, show

OTHERS = (
    Manual("bind", "ISC", "deb", "bind9-doc", "usr/share/doc/bind9-doc/arm"),
    Manual("bacula", "Bacula", "deb", "bacula-doc", "usr/share/doc/bacula-doc"),
    Manual("ntpsec", "NTPsec", "deb", "ntpsec-doc", "usr/share/doc/ntpsec-doc"),
    Manual("rsyslog", "rsyslog", "deb", "rsyslog-doc", "usr/share/doc/rsyslog-doc/html"),
    Manual("sphinx", "Sphinx", "sdist", "sphinx", "sphinx-*/doc", ("_*", "changes/*")),
    Manual("flask", "Pallets", "sdist", "flask", "flask-*/docs", ("_*",)),
    Manual("tox", "tox", "sdist", "tox", "tox-*/docs", ("changelog/*",)),
    Manual("networkx", "NetworkX", "sdist", "networkx", "networkx-*/doc", ("release/*",)),
    Manual("mailman", "GNU Mailman", "sdist", "mailman", "mailman-*/src/mailman/docs"),
)


def main() -> int:
    """Gather, ask and score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embedder", default="tfidf")
    parser.add_argument("--json", action="store_true", help="one JSON object a row of the table")
    options = parser.parse_args()
    folder = options.folder.resolve()
    for line in prepare(folder, manuals=OTHERS, only=[each.name for each in OTHERS]):
        print(line, file=sys.stderr, flush=True)
    if not options.json:
        print("hit@1/3/5".ljust(41) + "".join(name.rjust(17) for name in METHODS))
    rows: list[dict[str, Any]] = []
    found = [source for manual in OTHERS if has_questions(source := manual_source(folder, manual.name))]
    for source in found:
        for row in scores(source, folder, options.embedder):
            rows.append(row)
            print(json.dumps(row) if options.json else show(row), flush=True)
    for row in pooled(f"{len(found)} manuals", rows):
        print(json.dumps(row) if options.json else show(row), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
