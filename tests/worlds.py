"""Small worlds that tests write out: pages, records, facts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from builder.dump import dump
from weft.schema import open_skb

RESOURCE = "http://facts.example/resource/"
ONTOLOGY = "http://facts.example/ontology/"


def page(title: str, *paragraphs: str) -> str:
    """Return a minimal article; a paragraph beginning with `== ` is a heading."""
    body = "".join(
        f'<h2><span class="mw-headline">{text[3:]}</span></h2>' if text.startswith("== ") else f"<p>{text}</p>"
        for text in paragraphs
    )
    return (
        f"<!DOCTYPE html><html lang='en'><head><title>{title}</title></head><body>"
        f"<h1 id='firstHeading'>{title}</h1><div id='mw-content-text'><div class='mw-parser-output'>{body}"
        "</div></div></body></html>"
    )


def link(title: str, anchor: str | None = None) -> str:
    """Return a link to a title."""
    return f'<a href="/wiki/{title.replace(" ", "_")}">{anchor or title}</a>'


def write_pages(folder: Path, pages: dict[str, str]) -> Path:
    """Write pages by file name and return their folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def write_records(path: Path, records: Iterable[dict[str, object]]) -> Path:
    """Write a document or question file."""
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
    return path


def triple(subject: str, predicate: str, object_: str) -> str:
    """Return an N-Triples line between two resources."""
    return f"<{RESOURCE}{subject}> <{ONTOLOGY}{predicate}> <{RESOURCE}{object_}> .\n"


def dumped(path: Path, *, vectors: bool = False) -> list[str]:
    """Return an SKB's dump."""
    connection = open_skb(path)
    try:
        return list(dump(connection, vectors=vectors))
    finally:
        connection.close()


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    """Return a query's rows."""
    connection = open_skb(path)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()
