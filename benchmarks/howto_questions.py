"""How-to questions over manuals, written by hand: people's words, without the manual's own terms.

`howto/NAME.jsonl` holds those over the manual NAME. They were written from its
table of contents before anything was ranked; their gold was found by reading,
and is every section that answers in full. A gold item says where: `place`, the
file relative to the manual's folder, and

- `heading`: a section of it, by its heading without number or, where one is
  not enough, by `A#B`, B being under A; or
- `line`: what a line of its text begins with that stands as a heading would (a
  question of an FAQ, a term of a list): the last passage with such a line, with
  the one behind it where the line is its end; or
- neither: the whole page.

So they hold for the next version of a manual as far as that still has these
sections; `howto_questions` drops what it has not, and tells.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.manual_sections import without_number
from weft.rows import Chunk
from weft.skb import Skb
from weft.text.names import name_key

FOLDER = Path(__file__).parent / "howto"


class Where(NamedTuple):
    """A gold item of a how-to question: a file of the manual, and a heading or line in it, or nothing."""

    place: str
    heading: str | None = None
    line: str | None = None


def howto_questions(skb: Skb, name: str, folder: Path = FOLDER) -> Iterator[dict[str, Any]]:
    """Yield the how-to questions over a manual as lines of a question file, without gold that is not in the SKB."""
    path = folder / f"{name}.jsonl"
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        gold = [{"uri": uri} for item in record["gold"] for uri in uris_of(skb, Where(**item))]
        yield record | {"gold": gold, "hops": 1, "type": "how-to"}


def uris_of(skb: Skb, where: Where) -> list[str]:
    """Return the uris of what a gold item names; none where the manual has it not, or not once."""
    found = skb.connection.execute(
        "SELECT page.id, page.uri FROM page JOIN source_item ON source_item.id = source_id WHERE place = ?",
        (where.place,),
    ).fetchone()
    if found is None:
        return []
    page, uri = found
    if where.line is not None:
        return _behind_line(skb.chunks_of_page(page), where.line)
    if where.heading is None:
        return [uri]
    wanted = [name_key(part) for part in where.heading.split("#")]
    return found if len(found := _under(skb, page, wanted)) == 1 else []


def _under(skb: Skb, page: int, wanted: list[str]) -> list[str]:
    """Return the uris of a page's sections whose headings, from outside to inside, end with those wanted."""
    paths: dict[int, list[str]] = {}
    for section in skb.sections_of_page(page):
        above = paths[section.parent_id] if section.parent_id is not None else []
        paths[section.id] = [*above, name_key(without_number(section.title))]
    chosen = [section for section, path in paths.items() if path[-len(wanted) :] == wanted]
    return [section.uri for section in skb.sections(chosen)]


def _behind_line(chunks: list[Chunk], line: str) -> list[str]:
    for place in reversed(range(len(chunks))):
        lines = chunks[place].text.split("\n")
        if any(each.strip().startswith(line) for each in lines):
            last = place + 2 if lines[-1].strip().startswith(line) else place + 1
            return [chunk.uri for chunk in chunks[place:last]]
    return []
