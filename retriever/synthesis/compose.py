"""Synthetic questions: what an SKB could be asked about its own chunks, made without a model and without gold.

Real questions over long pages are few. A synthetic question about one chunk says
what a sentence of it says in other words, and seldom gives the page's title as
it is written, since people ask before they have read. One over a link takes
words of a sentence, and of a sentence on the page that links there, and leaves
the name between them out: its gold are the chunks of both. Only fusions learn
from these; nothing is ever measured on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.index.terms import written_sentences
from retriever.session import Session
from retriever.synthesis.paraphrase import Paraphrase
from retriever.types import Ids
from weft.arrays.chunk_table import ChunkTable
from weft.rows import Chunk
from weft.text.normalise import STOP_WORDS, WORD

# These and the numbers below were chosen by eye, and by what docs/quality.md says of synthetic questions.
OPENINGS = ("what", "which", "who", "when", "where", "how many", "in which year", "what is the", "which of the")
JOINTS = ("of the", "in the", "that the", "by the", "for the")
# Characters of a chunk, and words of a sentence, that a question is made of.
SHORTEST, FEWEST_WORDS = 60, 4
# Chunks drawn for one question before it is given up.
TRIES = 20
# How likely a table or list is drawn beside a paragraph.
OTHER_KINDS = 0.4
# Words of the text that a question about one chunk says.
FEWEST_ASKED, MOST_ASKED = 3, 5
TITLED, PARTLY_TITLED = 0.4, 0.4
"""How often a question about one chunk has the page's title, and how often a single word of it."""


class SyntheticQuestion(NamedTuple):
    """A question and the sorted ids of the chunks that answer it together."""

    text: str
    gold: Ids


def synthetic_questions(session: Session, n: int, seed: int = 0) -> Iterator[SyntheticQuestion]:
    """Yield at most n questions, every second one over a link where there are links; same SKB and seed, same ones."""
    random = np.random.default_rng(seed)
    chunk_table = session.chunk_table
    likely = _likely(chunk_table)
    if not likely.any():
        return
    for number in range(n):
        for _ in range(TRIES):
            chunk = int(random.choice(chunk_table.chunk_ids, p=likely / likely.sum()))
            made = _over_link(session, chunk, random) if number % 2 else _direct(session, chunk, random)
            if made is not None:
                yield made
                break


def _likely(chunk_table: ChunkTable) -> NDArray[np.float64]:
    """Return how often each chunk is asked about: by its length, most of what a page begins with, and of sentences."""
    often = np.where(np.array(chunk_table.kind_names)[chunk_table.kinds] == "paragraph", 1.0, OTHER_KINDS)
    early = 1.0 / (1.0 + np.maximum(0, chunk_table.positions - chunk_table.positions.min(initial=0)))
    return np.where(chunk_table.lengths >= SHORTEST, often * early * chunk_table.lengths, 0.0)


def _direct(session: Session, chunk: int, random: np.random.Generator) -> SyntheticQuestion | None:
    """Ask in other words for what a sentence says, mostly with the page's title or a word of it."""
    (row,) = session.skb.chunks([chunk])
    title = _title(session, row)
    said = _some_words(_sentence(session, row, random), title, random, 0.7)
    words = session.part("paraphrase", Paraphrase).of(said, random)[:MOST_ASKED]
    if len(words) < FEWEST_ASKED:
        return None
    return SyntheticQuestion(_asked(words, _naming(title, random), random), np.array([chunk]))


def _naming(title: str, random: np.random.Generator) -> list[str]:
    """Return a title, or one word of it in lower case, or nothing."""
    kind = random.random()
    if kind < TITLED:
        return [title]
    words = [word.lower() for word in WORD.findall(title.partition(" (")[0]) if word.casefold() not in STOP_WORDS]
    return [str(random.choice(words))] if words and kind < TITLED + PARTLY_TITLED else []


def _over_link(session: Session, chunk: int, random: np.random.Generator) -> SyntheticQuestion | None:
    """Ask with words of a chunk's sentence for what a page that links to its page says of it, its name left out."""
    (row,) = session.skb.chunks([chunk])
    title = _title(session, row)
    own = int(session.chunk_table.entities_of(np.array([row.page_id]))[0])
    citing = [citation.chunk_id for citation in session.skb.cited_in(own)]
    if not citing:
        return None
    (start,) = session.skb.chunks([int(random.choice(citing))])
    sentences = _linking_sentences(session, start, title)
    if not sentences or start.page_id == row.page_id:
        return None
    there = _title(session, start)
    asked = _some_words(_sentence(session, row, random), f"{title} {there}", random, 0.5)[:5]
    way = _some_words(str(random.choice(sentences)), f"{title} {there}", random, 0.5)[:4]
    if len(asked) < 2 or not way:
        return None
    text = _asked(asked, [str(random.choice(JOINTS)), *way, there], random)
    return SyntheticQuestion(text, np.array(sorted((chunk, start.id))))


def _linking_sentences(session: Session, chunk: Chunk, title: str) -> list[str]:
    """Return the sentences of a chunk that name a title."""
    short = title.partition(" (")[0]
    return [sentence for sentence in written_sentences(session, chunk) if short in sentence]


def _title(session: Session, chunk: Chunk) -> str:
    (page,) = session.skb.pages([chunk.page_id])
    return page.title


def _sentence(session: Session, chunk: Chunk, random: np.random.Generator) -> str:
    sentences = [each for each in written_sentences(session, chunk) if len(WORD.findall(each)) >= FEWEST_WORDS]
    return str(random.choice(sentences)) if sentences else ""


def _some_words(sentence: str, left_out: str, random: np.random.Generator, share: float) -> list[str]:
    """Return a share of a sentence's content words, in their order, none of those left out."""
    hidden = {word.casefold() for word in WORD.findall(left_out)}
    words = [word for word in WORD.findall(sentence) if word.casefold() not in STOP_WORDS | hidden]
    return [word for word in words if random.random() < share][:9]


def _asked(words: Sequence[str], named: Sequence[str], random: np.random.Generator) -> str:
    """Join words to a question, the names last or first, every second one in lower case throughout."""
    plain = [word.lower() if random.random() < 0.5 else word for word in words]
    parts = [*named, *plain] if random.random() < 0.3 else [*plain, *named]
    text = f"{random.choice(OPENINGS)} {' '.join(parts)}"
    return text.lower() if random.random() < 0.5 else text[0].upper() + text[1:] + "?"
