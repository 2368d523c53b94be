"""One SKB of all real corpora and of generated pages beside them, so that questions are asked of a large one.

Pages of `benchmarks.generate` have words and names that no question has, so
that they compete for nothing. With `words="real"` the same pages are written in
the words and names of the real corpora, and cite real pages beside their own
kind: they compete in full text, in vectors, as names and along links. Their
words stand in no order, so a real text about a question's subject is harder to
tell from its gold than they are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.corpora import Source
from benchmarks.generate import World, make_world, write_pages
from builder.build import build
from builder.request import Request
from weft.skb import Skb

WORD = re.compile(r"[^\W\d_]+")
# Titles that are the same in an address and in HTML.
PLAIN = re.compile(r"[\w (),.'-]+")


class Language(NamedTuple):
    """The words of some corpora and the capitalised ones of their titles, the most frequent first; and the titles."""

    words: list[str]
    title_words: list[str]
    titles: list[str]


def joint_skb(folder: Path, sources: Sequence[Source], n_pages: int, words: str) -> Path:
    """Return the SKB of all corpora and `n_pages` generated pages, built in `folder` where it is not yet."""
    path = folder / (f"joint-{n_pages}-{words}.skb" if n_pages else "joint.skb")
    if path.exists():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    documents = [document for source in sources for document in source.documents]
    if n_pages:
        world, vocabulary = make_world(n_pages), None
        if words == "real":
            language = language_of(joint_skb(folder, sources, 0, words))
            world, vocabulary = worded(world, language), np.array(language.words)
        pages = folder / f"pages-{n_pages}-{words}"
        write_pages(world, pages, n_pages, words=vocabulary)
        documents.append(str(pages))
    build(Request(tuple(documents), path, rdf=tuple(each for source in sources for each in source.facts)))
    return path


def language_of(path: Path) -> Language:
    """Count the words of an SKB's chunks and of its page titles."""
    with Skb(path) as skb:
        texts = skb.connection.execute("SELECT text FROM chunk ORDER BY id")
        words = _frequent(text for (text,) in texts)
        titles = [title for (title,) in skb.connection.execute("SELECT DISTINCT title FROM page ORDER BY title")]
    names = [word for word in _frequent(titles) if word[0].isupper()]
    return Language(words, names, [title for title in titles if PLAIN.fullmatch(title)])


def _frequent(texts: Iterable[str]) -> list[str]:
    counts = Counter(word for text in texts for word in WORD.findall(text))
    return [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]


def worded(world: World, language: Language) -> World:
    """Return a world whose names are made of real titles' words, and which cites real pages as it does its things.

    The real pages take the place of the things that are cited most, behind the generated pages.
    """
    n_pages, words, known = len(world.cited), language.title_words, set(language.titles)
    named = (_name(i, words, known) for i in range(len(world.titles)))
    real = dict(enumerate(language.titles, n_pages))
    return World([real.get(i, name) for i, name in enumerate(named)], world.cited)


def _name(i: int, words: Sequence[str], known: set[str]) -> str:
    name = f"{words[i % len(words)]} {words[(i * 7 + 3) % len(words)]}"
    return name if i % 3 == 0 and i < len(words) and name not in known else f"{name} {i}"
