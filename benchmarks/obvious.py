"""The obvious pipeline: beautifulsoup, an rdflib graph, row by row into sqlite-utils tables. For comparison only."""

from __future__ import annotations

import sys
from pathlib import Path

from bs4 import BeautifulSoup
from rdflib import Graph, URIRef
from sqlite_utils import Database


def main(folder: Path) -> None:
    """Write `obvious.db` into the folder: chunks, links, entities and co-mentioned relations."""
    path = folder / "obvious.db"
    path.unlink(missing_ok=True)
    database = Database(path)
    cited: dict[str, set[str]] = {}
    for file in sorted((folder / "pages").glob("*.html")):
        soup = BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser")
        title = soup.find("h1").get_text()
        database["page"].insert({"uri": title}, pk="uri", replace=True)
        links = cited.setdefault(title, {title})
        heading = ""
        for number, node in enumerate(soup.select(".mw-parser-output > *")):
            if node.name in ("h2", "h3"):
                heading = node.get_text()
                continue
            uri = f"{title}##{number}"
            database["chunk"].insert(
                {"uri": uri, "page": title, "section": heading, "text": node.get_text(" ")}, pk="uri"
            )
            for anchor in node.find_all("a", href=True):
                target = anchor.get("title") or anchor.get_text()
                links.add(target)
                database["cites"].insert({"chunk": uri, "entity": target})
                database["entity"].insert({"uri": target}, pk="uri", ignore=True)
    graph = Graph().parse(folder / "facts.nt", format="nt")
    pages_of: dict[str, set[str]] = {}
    for page, targets in cited.items():
        for target in targets:
            pages_of.setdefault(target, set()).add(page)
    for subject, predicate, object_ in graph:
        if isinstance(object_, URIRef):
            one, other = (str(each).rpartition("/")[2].replace("_", " ") for each in (subject, object_))
            if pages_of.get(one, set()) & pages_of.get(other, set()):
                database["relation"].insert({"subject": one, "type": str(predicate), "object": other})
    database["chunk"].enable_fts(["text"])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
