"""Chunks that say the identifiers of a question as they are written: a proposer, and what its candidates gain by it.

A full-text index parts "REMOTE_USER" and "--user" into words that many chunks have. Who asks for an identifier looks
for the chunks that have it whole, first for the one that defines it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from retriever.question.identifiers import begun, defined, identifiers_in, is_alone, written
from retriever.session import Session
from retriever.types import Ids, Query, Scores
from weft.arrays.full_text import match_expression
from weft.rows import Chunk
from weft.text.names import uri_text
from weft.text.normalise import written_words

READ, WIDE = 300, 40
"""Chunks with the words of an identifier side by side that are read, the best by BM25 of those with another word of the
question and of all, and how many are proposed."""

SAID, DEFINED, HEADED, FIRST = 3.0, 4.0, 1.0, 2.0
"""Log-odds that a chunk gains which says an identifier, itself or above it, and beyond that one which defines it in a
list of definitions; or, where a question asks nothing else, whose own heading it is, and the first one of that section
once more."""

NUMBERING = re.compile(r"[\d.]+\s+")
MOST_HEADING = 2
"""Words of a heading that is hardly more than an identifier."""


def proposed(session: Session, query: Query) -> Ids:
    """Return the chunks that say the identifiers of a question whole, those that define them first."""
    text = query.question.text
    found = [_saying(session, text, each) for each in identifiers_in(text)]
    chunks = np.concatenate([np.empty(0, np.int64), *found])
    _, first = np.unique(chunks, return_index=True)
    return chunks[np.sort(first)][:WIDE]


def _saying(session: Session, question: str, identifier: str) -> Ids:
    words = " ".join(written_words(identifier))
    if not words:
        return np.empty(0, np.int64)
    others = match_expression(written(identifier).sub(" ", question))
    expressions = [f'"{words}" AND ({others})'] * (others is not None) + [f'"{words}"']
    ids = dict.fromkeys(
        row for each in expressions for row, in session.skb.connection.execute(
            "SELECT rowid FROM chunk_fts WHERE chunk_fts MATCH ? ORDER BY rank LIMIT ?", (each, READ)
        )
    )  # fmt: skip
    chunks = np.array(list(ids), np.int64)
    worth = _worth(identifier, _read(session, chunks), alone=False)
    order = np.argsort(-worth, kind="stable")
    return chunks[order[worth[order] > 0]]


def gained(session: Session, question: str, ids: Ids) -> Scores | None:
    """Return what chunks (n,) gain by saying a question's identifiers; None where it has none."""
    identifiers = identifiers_in(question)
    if not identifiers or not len(ids):
        return None
    chunks, alone = _read(session, ids), is_alone(question)
    worth = np.array([_worth(each, chunks, alone=alone) for each in identifiers], np.float32)
    return np.asarray(worth.mean(0), np.float32)


class _Read(NamedTuple):
    """A chunk with its title and headings, the heading right above it, and whether it is the first one below that."""

    chunk: Chunk
    path: str
    heading: str
    is_first: bool


def _read(session: Session, ids: Ids) -> list[_Read]:
    chunks = session.skb.chunks(ids.tolist())
    titles = {page.id: page.title for page in session.skb.pages(sorted({each.page_id for each in chunks}))}
    sections = sorted({each.section_id for each in chunks if each.section_id is not None})
    headings = {section.id: section.title for section in session.skb.sections(sections)}
    return [
        _Read(
            each, path_of(each, titles[each.page_id]),
            headings[each.section_id] if each.section_id else titles[each.page_id], each.uri.endswith("##1"),
        )
        for each in chunks
    ]  # fmt: skip


def path_of(chunk: Chunk, title: str) -> str:
    """Return the title of a chunk's page and the headings above it as a text."""
    return f"{title} # {uri_text(chunk.uri.partition('#')[2])}"


def _worth(identifier: str, chunks: Sequence[_Read], *, alone: bool) -> Scores:
    """Return what chunks (n,) gain by an identifier, `alone` where a question asks nothing else."""
    whole = written(identifier)
    inside = np.array([whole.search(each.chunk.text) is not None for each in chunks], np.bool_)
    above = np.array([whole.search(each.path) is not None for each in chunks], np.bool_)
    terms = np.array([says and defines(each.chunk, identifier) for says, each in zip(inside, chunks, strict=True)])
    headed = np.array([_is_heading(each.heading, whole) * (HEADED + FIRST * each.is_first) for each in chunks])
    return np.asarray(SAID * (inside | above) + np.maximum(DEFINED * terms, headed * alone), np.float32)


def defines(chunk: Chunk, identifier: str) -> bool:
    """Tell whether a chunk has an identifier as a term of a list of definitions."""
    return (begun if chunk.kind == "definition" else defined)(identifier).search(chunk.text) is not None


def _is_heading(heading: str, whole: re.Pattern[str]) -> bool:
    bare = without_number(heading)
    return len(bare.split()) <= MOST_HEADING and whole.search(bare) is not None


def without_number(heading: str) -> str:
    """Return a heading without the number of its section.

    >>> without_number("3.2. timeout"), without_number("timeout")
    ('timeout', 'timeout')
    """
    return NUMBERING.sub("", heading, count=1)
