"""hyde and rar: documents that a language model writes as if they answered the question.

hyde (Gao et al., "Precise zero-shot dense retrieval without relevance labels", 2023) writes from nothing, rar from
the first hits (Shen et al., "Retrieval-augmented retrieval", 2024).
"""

from __future__ import annotations

from typing import NamedTuple

from retriever.expansion.asking import replies, stand_in
from retriever.expansion.joining import check_join, widened
from retriever.expansion.structure import structure_of
from retriever.expansion.texts import numbered, texts_of
from retriever.prompts.document import PROMPT, from_found
from retriever.protocols import Ranker
from retriever.session import Session
from retriever.types import Query, Unit

NO_DOCUMENT = "nothing is added"
FOUND = "the texts of the first hits"


class Written(NamedTuple):
    """Adds `n` documents that a model writes, who is shown the first `found` hits of the ranker behind it.

    Without a model the hits' own texts are added.
    """

    name: str
    ranker: Ranker
    n: int
    found: int
    structure: bool
    join: str

    def expand(self, session: Session, query: Query) -> Query:
        """Return the query with what a model wrote."""
        hits = texts_of(session, self.ranker.rank(session, query, self.found)) if self.found else []
        if session.chat is None:
            stand_in(session, self.name, FOUND if self.found else NO_DOCUMENT, {"hits": len(hits)})
            return widened(session, query, hits, self.join)
        written = replies(
            session, PROMPT, self.n, structure=structure_of(session, query.unit) if self.structure else "",
            found=from_found(numbered(hits)), question=query.question.text,
        )  # fmt: skip
        return widened(session, query, written, self.join)


def hyde(session: Session, unit: Unit, ranker: Ranker, n: int, structure: bool, join: str) -> Written:
    """Return what adds documents written from nothing; raise WeftError for a `join` that is none."""
    return Written("hyde", ranker, n, 0, structure, check_join("hyde", join))


def rar(session: Session, unit: Unit, ranker: Ranker, n: int, k: int, structure: bool, join: str) -> Written:
    """Return what adds documents written from the first `k` hits; raise WeftError for a `join` that is none."""
    return Written("rar", ranker, n, k, structure, check_join("rar", join))
