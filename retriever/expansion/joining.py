"""Texts that are added to a question, as what is searched for: its words and its vectors."""

from __future__ import annotations

from collections.abc import Sequence

from retriever.encodings import Vectors
from retriever.session import Session
from retriever.types import Query
from weft.errors import WeftError

JOINS = ("text", "mean", "half", "each")
"""One text of all is embedded; the mean of all vectors, or of the question's and the mean of the others, is taken; each
stays by itself, and the nearest counts."""


def check_join(name: str, join: str) -> str:
    """Return a way to join; raise WeftError for one that is none."""
    if join not in JOINS:
        raise WeftError(f"{name}(join={join}): join={join} is none of {', '.join(JOINS)}")
    return join


def widened(session: Session, query: Query, texts: Sequence[str], join: str) -> Query:
    """Return the query with texts added to its words, and joined with its vector in one of `JOINS`."""
    if not texts:
        return query
    searched = "\n".join([query.searched, *texts])
    return query._replace(searched=searched, vectors=_joined(session, query.vectors, searched, texts, join))


def _joined(session: Session, own: Vectors, searched: str, texts: Sequence[str], join: str) -> Vectors:
    if join == "text":
        return session.encode([searched])
    others = session.encode(texts)
    every = own.joined(others.mean() if join == "half" else others)
    return every if join == "each" else every.mean()
