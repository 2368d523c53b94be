"""Chunks that say the identifiers of a question as they are written: a proposer, and what its candidates gain by it.

A full-text index parts "REMOTE_USER" and "--user" into words that many chunks have. Who asks for an identifier looks
for the chunks that have it whole, first for the one that defines it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retriever.question.identifiers import defined, identifiers_in, written
from retriever.session import Session
from retriever.types import Ids, Query, Scores
from weft.text.names import uri_text
from weft.text.normalise import written_words

READ, WIDE = 200, 40
"""Chunks with the words of an identifier side by side that are read, the best by BM25, and how many are proposed."""

SAID, DEFINED, HEADED = 3.0, 4.0, 2.0
"""Log-odds that a chunk gains which says an identifier, itself or above it, and beyond that one which defines it in a
list of definitions, or whose own heading it is where a question asks nothing else."""

NUMBERING = re.compile(r"[\d.]+\s+")
MOST_HEADING = 2
"""Words of a heading that is hardly more than an identifier."""


def proposed(session: Session, query: Query) -> Ids:
    """Return the chunks that say the identifiers of a question whole, those that define them first."""
    found = [_saying(session, each) for each in identifiers_in(query.question.text)]
    chunks = np.concatenate([np.empty(0, np.int64), *found])
    _, first = np.unique(chunks, return_index=True)
    return chunks[np.sort(first)][:WIDE]


def _saying(session: Session, identifier: str) -> Ids:
    words = " ".join(written_words(identifier))
    if not words:
        return np.empty(0, np.int64)
    rows = session.skb.connection.execute(
        "SELECT id, text, section, title FROM chunk_text WHERE id IN"
        " (SELECT rowid FROM chunk_fts WHERE chunk_fts MATCH ? ORDER BY rank LIMIT ?)", (f'"{words}"', READ),
    ).fetchall()  # fmt: skip
    whole, term = written(identifier), defined(identifier)
    saying = [
        (term.search(text) is None, whole.search(text) is None, chunk)
        for chunk, text, *above in rows if any(map(whole.search, (text, *filter(None, above))))
    ]  # fmt: skip
    return np.array([chunk for *_, chunk in sorted(saying)], np.int64)


def gained(session: Session, question: str, ids: Ids) -> Scores | None:
    """Return what chunks (n,) gain by saying a question's identifiers; None where it has none."""
    identifiers = identifiers_in(question)
    if not identifiers or not len(ids):
        return None
    chunks = session.skb.chunks(ids.tolist())
    pages = {page.id: page.title for page in session.skb.pages(sorted({each.page_id for each in chunks}))}
    sections = sorted({each.section_id for each in chunks if each.section_id is not None})
    headings = {section.id: section.title for section in session.skb.sections(sections)}
    above = [headings.get(each.section_id, "") if each.section_id else pages[each.page_id] for each in chunks]
    paths = [f"{pages[each.page_id]} # {uri_text(each.uri.partition('#')[2])}" for each in chunks]
    texts = [each.text for each in chunks]
    is_alone = len(question.split()) == len(identifiers[0].split())
    said, defined_, headed = np.mean([_told(each, texts, paths, above) for each in identifiers], axis=0)
    scores: Scores = (SAID * said + np.maximum(DEFINED * defined_, HEADED * headed * is_alone)).astype(np.float32)
    return scores


def _told(identifier: str, texts: Sequence[str], paths: Sequence[str], above: Sequence[str]) -> NDArray[np.float32]:
    """Return of texts (n,) which say an identifier, themselves or in their path, define it, and stand below it."""
    whole, term = written(identifier), defined(identifier)
    inside = np.array([whole.search(text) is not None for text in texts])
    defines = [is_inside and term.search(text) is not None for is_inside, text in zip(inside, texts, strict=True)]
    headed = [_is_heading(each, whole) for each in above]
    said = inside | np.array([whole.search(path) is not None for path in paths])
    return np.array([said, defines, headed], np.float32)


def _is_heading(heading: str, whole: re.Pattern[str]) -> bool:
    bare = NUMBERING.sub("", heading, count=1)
    return len(bare.split()) <= MOST_HEADING and whole.search(bare) is not None
