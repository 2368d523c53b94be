"""Feature columns: what a question says of every candidate beyond the signals' scores.

Who is named, who is linked from whom and with which words, which of the
question's words a candidate covers, and what kind of text it is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retriever.candidates.link_expansion import Hops, LinkExpansion
from retriever.features.lexical import LexicalFeatures
from retriever.index.vectors import scores_of, similarity
from retriever.session import Session
from retriever.types import Ids, Question

COLUMNS = (
    "named", "cites_named", "bridge", "bridge_near", "linked", "linked_share", "linked_first", "second_hop",
    "hit_bridge", "hit_linked", "cites_hit", "cover", "asked", "title_cover", "title_share", "title_asked",
    "heading", "stems", "stems_asked", "in_page", "in_page_share", "page_best", "siblings",
    "best_sentence", "gain", "lead", "table", "list", "infobox", "length", "position", "has_number", "has_year",
    "shape", "rest", "rest_in_page", "leads", "vector_asked", "vector_asked_in_page", "vector_in_page",
)  # fmt: skip
RAW = frozenset(
    """named cites_named bridge bridge_near linked linked_share linked_first second_hop hit_bridge hit_linked
    cites_hit cover asked title_cover title_share title_asked heading in_page in_page_share best_sentence gain
    lead table list infobox has_number has_year shape rest rest_in_page leads vector_asked_in_page
    vector_in_page""".split()
)
"""Columns between 0 and 1 that mean the same in every question."""

KINDS = ("table", "list", "infobox")
SHAPES = {"time": "has_year", "number": "has_number"}
"""Which kind of question is answered by a text of which shape."""


class FeatureColumns:
    """Computes the columns of chunks that are not signals' scores, in one session, from the question alone."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.link_expansion = LinkExpansion(session)

    def of(self, question: Question, ids: Ids, hops: Hops) -> NDArray[np.float32]:
        """Return the columns (n, len(COLUMNS)) of candidate chunks (n,)."""
        chunk_table = self._session.chunk_table
        indices = chunk_table.indices(ids)
        pages = chunk_table.pages[indices]
        lexical = LexicalFeatures(self._session, question, ids)
        table = dict.fromkeys(COLUMNS, np.zeros(len(ids), np.float32))
        table |= self.link_expansion.reached(lexical.entities, hops)
        table |= self.link_expansion.cited(indices, hops)
        table |= lexical.columns(hops)
        table["leads"] = self.link_expansion.leads(hops, ids, lexical.entities, table["rest"])
        table["rest_in_page"] = rank_within(pages, table["rest"] + 0.1 * table["stems_asked"] / lexical.total_open)
        table |= _beside(table["stems"] + table["stems_asked"], pages)
        table |= self._similar(question, ids, pages) | self._kinds(indices)
        if shape := SHAPES.get(question.answer_type or ""):
            table["shape"] = table[shape]
        return np.column_stack([table[column] for column in COLUMNS]).astype(np.float32)

    def _kinds(self, indices: NDArray[np.int64]) -> dict[str, NDArray[np.float32]]:
        """Return what kind of text a chunk is, how long, and where it stands."""
        chunk_table = self._session.chunk_table
        kinds = np.array([*chunk_table.kind_names, ""])[chunk_table.kinds[indices]]
        return {kind: (kinds == kind).astype(np.float32) for kind in KINDS} | {
            "lead": (chunk_table.sections[indices] == 0).astype(np.float32),
            "length": np.log1p(chunk_table.lengths[indices]).astype(np.float32),
            "position": np.log1p(chunk_table.positions[indices]).astype(np.float32),
        }

    def _similar(self, question: Question, ids: Ids, pages: Ids) -> dict[str, NDArray[np.float32]]:
        """Return how like a chunk is to what is asked when the names are left out, and its rank in its page."""
        space = similarity(self._session, "chunk")
        whole = scores_of(space, question.vectors, ids)
        asked = scores_of(space, question.vectors_asked, ids)
        return {
            "vector_asked": asked,
            "vector_asked_in_page": rank_within(pages, asked),
            "vector_in_page": rank_within(pages, whole),
        }


def _beside(scores: NDArray[np.float32], pages: Ids) -> dict[str, NDArray[np.float32]]:
    """Return how a chunk stands among the candidates of its page: its rank, its share of the best, the best."""
    _, own = np.unique(pages, return_inverse=True)
    best = np.zeros(own.max(initial=-1) + 1, np.float32)
    np.maximum.at(best, own, scores)
    return {
        "in_page": rank_within(pages, scores),
        "in_page_share": (scores / np.maximum(1e-6, best[own])).astype(np.float32),
        "page_best": best[own],
        "siblings": np.log1p(np.bincount(own)[own]).astype(np.float32),
    }


def rank_within(pages: Ids, scores: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return one over the rank, from 1, of each row among those of its page."""
    order = np.lexsort((-scores, pages))
    grouped = pages[order]
    ranks = np.empty(len(pages))
    ranks[order] = np.arange(len(pages)) - np.searchsorted(grouped, grouped)
    return (1 / (1 + ranks)).astype(np.float32)
