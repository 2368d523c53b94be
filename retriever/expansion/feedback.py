"""base, which adds nothing, and prf: the first hits' texts (pseudo-relevance feedback; Rocchio 1971)."""

from __future__ import annotations

from typing import NamedTuple

from retriever.expansion.joining import check_join, widened
from retriever.expansion.texts import texts_of
from retriever.protocols import Ranker
from retriever.session import Session
from retriever.types import Query, Unit


class Base:
    """Searches for the question itself: what other expansions are compared with."""

    def expand(self, session: Session, query: Query) -> Query:
        """Return the query as it is."""
        return query


class Feedback(NamedTuple):
    """Adds the texts of the first `n` hits of the ranker behind it."""

    ranker: Ranker
    n: int
    join: str

    def expand(self, session: Session, query: Query) -> Query:
        """Return the query with what was found for it."""
        found = self.ranker.rank(session, query, self.n)
        return widened(session, query, texts_of(session, found), self.join)


def base(session: Session, unit: Unit, ranker: Ranker) -> Base:
    """Return what adds nothing."""
    return Base()


def prf(session: Session, unit: Unit, ranker: Ranker, n: int, join: str) -> Feedback:
    """Return what adds the first hits; raise WeftError for a `join` that is none."""
    return Feedback(ranker, n, check_join("prf", join))
