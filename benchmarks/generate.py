"""Generate a dump of the thesis's size, or a slice of it: pages as HTML, and triples about what they cite.

Everything follows from one seed. Words, titles and how often a thing is cited
are drawn from Zipf-like distributions, since real pages have hubs. Words are no
English, so that the facts stand in no text but for `--stating`, the share of
paragraphs that end with a sentence which states one.

    python -m benchmarks.generate FOLDER --pages 5000 --triples 10000000 [--stating 0.5]
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.stated import Stated, Statements, sentence, triple

RESOURCE = "http://dbpedia.org/resource/"
ONTOLOGY = "http://dbpedia.org/ontology/"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
SECTIONS_A_PAGE = 12.6
CHUNKS_A_PAGE = 33.2
LINKS_A_PAGE = 205
THINGS_A_PAGE = 73.3
"""The thesis's ratios: 4,897 pages, 63,051 sections, 165,803 chunks, 1,009,327 citations, 366,660 other things."""


class World(NamedTuple):
    """Titles of pages and things, and which of them each page cites."""

    titles: list[str]
    cited: list[NDArray[np.int64]]


def make_world(n_pages: int, seed: int = 1) -> World:
    """Draw what each of `n_pages` pages cites; the first titles are the pages' own."""
    draw = np.random.default_rng(seed)
    n_things = int(n_pages * (1 + THINGS_A_PAGE))
    titles = [
        f"{_word(i).capitalize()} {_word(i * 7 + 3).capitalize()}" + (f" {i}" if i % 3 else "")
        for i in range(n_things)
    ]
    own = np.arange(n_pages, n_things).reshape(n_pages, -1) if n_things % n_pages == 0 else None
    cited = []
    for page in range(n_pages):
        # A third are things that hardly any other page cites, the rest follow a hub-heavy law.
        rare = own[page] if own is not None else draw.integers(n_pages, n_things, int(THINGS_A_PAGE))
        hubs = np.minimum((n_things * draw.random(LINKS_A_PAGE - len(rare)) ** 4).astype(np.int64), n_things - 1)
        cited.append(draw.permutation(np.concatenate([rare, hubs])))
    return World(titles, cited)


def _word(i: int) -> str:
    """Return a word that is made of syllables, the same for the same number."""
    syllables = (
        "ka",
        "lo",
        "mi",
        "ren",
        "tos",
        "vi",
        "du",
        "sha",
        "pel",
        "or",
        "an",
        "gri",
        "eb",
        "sun",
        "ty",
        "wex",
    )
    word = ""
    i += 17
    while i:
        i, rest = divmod(i, 16)
        word += syllables[rest]
    return word


def write_pages(
    world: World, folder: Path, n_pages: int, seed: int = 2, words: NDArray[np.str_] | None = None,
    statements: Statements | None = None,
) -> None:  # fmt: skip
    """Write the pages as HTML files of old Vector's shape, a hundred a folder; `words`, the most frequent first.

    `statements` has what they state afterwards.
    """
    draw = np.random.default_rng(seed)
    words = np.array([_word(i) for i in range(40_000)]) if words is None else words
    for page in range(n_pages):
        place = folder / f"{page // 100:04d}"
        place.mkdir(parents=True, exist_ok=True)
        html = _html(world, page, words, draw, statements)
        (place / f"{page:06d}.html").write_text(html, encoding="utf-8")


def _html(
    world: World, page: int, words: NDArray[np.str_], draw: np.random.Generator, statements: Statements | None
) -> str:
    title = world.titles[page]
    n_chunks = max(1, int(draw.normal(CHUNKS_A_PAGE, 8)))
    n_sections = max(1, int(draw.normal(SECTIONS_A_PAGE, 3)))
    headed = set(np.linspace(1, n_chunks - 1, n_sections).astype(int).tolist()) if n_chunks > 1 else set()
    links = np.array_split(world.cited[page], n_chunks)
    body = [f"<p>{title} is a {statements.noun()}.</p>"] if statements else []
    for chunk in range(n_chunks):
        if chunk in headed:
            level = 2 + int(draw.random() < 0.35)
            heading = " ".join(words[_zipf(draw, 2, len(words))]).capitalize()
            body.append(
                f'<h{level}><span class="mw-headline" id="s{chunk}">{heading} {chunk}</span>'
                '<span class="mw-editsection">[<a href="/w/index.php?title=x&amp;action=edit">edit</a>]</span>'
                f"</h{level}>"
            )
        stated = statements.draw(page, links[chunk]) if statements else None
        body.append(_block(world, links[chunk], words, draw, _said(world, page, stated)))
    return (
        '<!DOCTYPE html><html class="client-js" lang="en"><head><meta charset="UTF-8"/>'
        f"<title>{title} - Wikipedia</title>"
        f'<link rel="canonical" href="https://en.wikipedia.org/wiki/{_link(title)}"/></head><body class="mediawiki">'
        f'<div id="content" class="mw-body"><h1 id="firstHeading">{title}</h1><div id="mw-content-text">'
        f'<div class="mw-parser-output">{"".join(body)}<div class="navbox">{"<a href=/wiki/X>x</a> " * 40}</div></div>'
        "</div></div>"
        f'<div id="mw-navigation">{"<li><a href=/wiki/Y>y</a></li>" * 60}</div></body></html>'
    )


def _said(world: World, page: int, stated: Stated | None) -> str:
    """Return what a page states as a sentence behind a blank; nothing for nothing."""
    if stated is None:
        return ""
    subject = world.titles[page] if stated.subject == page else _anchor(world.titles[stated.subject])
    object_ = str(stated.year) if stated.object is None else _anchor(world.titles[stated.object])
    return " " + sentence(stated, subject, object_)


def _anchor(title: str) -> str:
    return f'<a href="/wiki/{_link(title)}" title="{title}">{title}</a>'


def _block(
    world: World, links: NDArray[np.int64], words: NDArray[np.str_], draw: np.random.Generator, said: str
) -> str:
    text = words[_zipf(draw, int(draw.integers(40, 110)), len(words))].tolist()
    for target in links.tolist():
        text.insert(int(draw.integers(0, len(text))), _anchor(world.titles[target]))
    kind = draw.random()
    if kind < 0.1:
        return "<ul>" + "".join(f"<li>{' '.join(text[i : i + 8])}</li>" for i in range(0, len(text), 8)) + "</ul>"
    if kind < 0.15:
        rows = "".join(
            f"<tr>{''.join(f'<td>{cell}</td>' for cell in text[i : i + 5])}</tr>" for i in range(0, len(text), 5)
        )
        return f'<table class="wikitable"><tr><th>a</th><th>b</th><th>c</th><th>d</th><th>e</th></tr>{rows}</table>'
    return f"<p>{' '.join(text)}.{said}</p>"


def _zipf(draw: np.random.Generator, n: int, most: int) -> NDArray[np.int64]:
    return np.minimum((most * draw.random(n) ** 3).astype(np.int64), most - 1)


def _link(title: str) -> str:
    return title.replace(" ", "_")


def write_triples(world: World, path: Path, n_triples: int, seed: int = 3, stated: Sequence[Stated] = ()) -> None:
    """Write an N-Triples dump: 7.4% relations that a page co-mentions, types, labels, literals, and the rest.

    What pages state comes before these, and counts among them.
    """
    draw = np.random.default_rng(seed)
    names = [f"<{RESOURCE}{_link(title)}>" for title in world.titles]
    with gzip.open(path, "wt", 1) if path.suffix == ".gz" else path.open("w") as file:
        file.writelines(triple(each, names) for each in stated[:n_triples])
        for batch in _triples(world, names, max(0, n_triples - len(stated)), draw):
            file.write(batch)


def _triples(world: World, names: Sequence[str], n: int, draw: np.random.Generator) -> Iterator[str]:
    titles = world.titles
    predicates = [f"<{ONTOLOGY}predicate{i}>" for i in range(600)]
    size = 20_000
    for start in range(0, n, size):
        kinds = draw.random(min(size, n - start))
        pages = draw.integers(0, len(world.cited), len(kinds)).tolist()
        things = draw.integers(0, len(titles), (len(kinds), 2)).tolist()
        picks = draw.random((len(kinds), 3)).tolist()
        lines = []
        for kind, page, (one, other), (p, q, r) in zip(kinds.tolist(), pages, things, picks, strict=True):
            predicate = predicates[int(600 * p * p)]
            if kind < 0.0745:
                cited = world.cited[page]
                one, other = int(cited[int(q * len(cited))]), int(cited[int(r * len(cited))])
                lines.append(f"{names[one]} {predicate} {names[other]} .\n")
            elif kind < 0.20:
                lines.append(f"{names[one]} <{RDF_TYPE}> <{ONTOLOGY}Class{int(300 * p * p)}> .\n")
            elif kind < 0.24:
                lines.append(f'{names[one]} <{LABEL}> "{titles[one]}"@en .\n')
            elif kind < 0.34:
                lines.append(
                    f'{names[one]} {predicate} "{int(q * 1e6)}"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'
                )
            elif kind < 0.60:
                lines.append(f"{names[one]} {predicate} {names[other]} .\n")
            else:
                lines.append(f"<{RESOURCE}Unknown_{int(q * 4e6)}> {predicate} <{RESOURCE}Unknown_{int(r * 4e6)}> .\n")
        yield "".join(lines)


def main() -> None:
    """Write pages/ and facts.nt into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--triples", type=int, default=10_000_000)
    parser.add_argument("--stating", type=float, default=0.0, help="the share of paragraphs that state a fact")
    options = parser.parse_args()
    world = make_world(options.pages)
    statements = Statements(options.stating) if options.stating else None
    write_pages(world, options.folder / "pages", options.pages, statements=statements)
    write_triples(world, options.folder / "facts.nt", options.triples, stated=statements.facts if statements else ())


if __name__ == "__main__":
    main()
