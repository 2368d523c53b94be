"""What a question says of every candidate beyond the signals' scores, before anything is ranked.

Who is named, who is linked from whom and with which words, which of the
question's words a candidate covers, and what kind of text it is.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retriever.candidates.link_expansion import Hops, LinkExpansion
from retriever.features.joint import JointCoverage
from retriever.features.lexical import lexical_features
from retriever.features.meaning import MeaningFeatures
from retriever.features.ranks import rank_within, ranks_of
from retriever.index.vectors import scores_of, similarity
from retriever.session import Session
from retriever.types import Ids, Question
from weft.arrays.blobs import ranges

KINDS = ("table", "list", "infobox")
SHAPES = {"time": "has_year", "number": "has_number"}
"""Which kind of question is answered by a text of which shape."""

MOST_WORDS = 8.0
"""The logarithm of more words than a question has, so that their number is a share."""

RANKED = ("meaning", "meaning_sentence", "meaning_both", "near", "near_sentence")
"""Columns of meaning by which candidates are ranked too: how far apart their values are differs between corpora."""

GREATEST = ("cover", "best_sentence", "near", "meaning", "meaning_sentence")
"""Columns whose greatest value tells how well anything fits, and so how far to trust words."""

Computed = dict[str, NDArray[Any]]


class FirstPass:
    """Candidate chunks (n,) of a question; each method computes some columns, each (n,), by name."""

    def __init__(self, session: Session, question: Question, ids: Ids, hops: Hops) -> None:
        self._session = session
        self._question = question
        self._ids = ids
        self._hops = hops
        self._indices = session.chunk_table.indices(ids)
        self._pages = session.chunk_table.pages[self._indices]
        self._lexical = lexical_features(session, question, ids)

    @cached_property
    def _said(self) -> Computed:
        return dict(self._lexical.columns(self._hops))

    def words(self) -> Computed:
        """Return which of the question's words a chunk, its title and its headings say, and whether it has numbers."""
        return self._said

    def links(self) -> Computed:
        """Return how a chunk's page is named and linked, in how many steps, what it cites, and where it leads."""
        links, entities = LinkExpansion(self._session), self._lexical.entities
        found = links.reached(entities, self._hops) | links.cited(self._indices, self._hops)
        steps = np.full(len(self._ids), 0.25, np.float32)
        steps[found["second_hop"] > 0] = 1 / 3
        steps[(found["linked"] > 0) | (found["cites_named"] > 0)] = 0.5
        steps[found["named"] > 0] = 1.0
        return found | {
            "distance": steps,
            "leads": links.leads(self._hops, self._ids, entities, self._said["rest"]),
        }

    def beside(self) -> Computed:
        """Return how a chunk stands among the candidates of its page: its rank, its share of the best, the best."""
        said = self._said
        scores = said["stems"] + said["stems_asked"]
        _, own = np.unique(self._pages, return_inverse=True)
        best = np.zeros(own.max(initial=-1) + 1, np.float32)
        np.maximum.at(best, own, scores)
        rest = said["rest"] + 0.1 * said["stems_asked"] / self._lexical.total_open
        return {
            "in_page": rank_within(self._pages, scores),
            "in_page_share": (scores / np.maximum(1e-6, best[own])).astype(np.float32),
            "page_best": best[own],
            "siblings": np.log1p(np.bincount(own)[own]).astype(np.float32),
            "rest_in_page": rank_within(self._pages, rest),
        }

    def question(self) -> Computed:
        """Return what is the same of all candidates: the share of the question that names cover, how long it is."""
        lexical, n = self._lexical, len(self._ids)
        covered = 1 - float(lexical.weights[lexical.open].sum()) / lexical.total if len(lexical.stems) else 0.0
        return {
            "names_cover": np.full(n, covered, np.float32),
            "words_asked": np.full(n, min(1.0, np.log1p(len(lexical.stems)) / MOST_WORDS), np.float32),
        }

    def text(self) -> Computed:
        """Return what kind of text a chunk is, whether of the shape asked for, how long, and where it stands."""
        table, indices = self._session.chunk_table, self._indices
        kinds = np.array([*table.kind_names, ""])[table.kinds[indices]]
        shape = SHAPES.get(self._question.answer_type or "")
        return {kind: (kinds == kind).astype(np.float32) for kind in KINDS} | {
            "shape": self._said[shape] if shape else np.zeros(len(indices), np.float32),
            "lead": (table.sections[indices] == 0).astype(np.float32),
            "length": np.log1p(table.lengths[indices]).astype(np.float32),
            "position": np.log1p(table.positions[indices]).astype(np.float32),
            "link_share": self._link_share(),
        }

    def _link_share(self) -> NDArray[np.float32]:
        """Return the share of each text that is links; a menu is links alone."""
        links, table = self._session.link_table, self._session.chunk_table
        starts = links.starts[self._indices]
        sizes = links.starts[self._indices + 1] - starts
        own = ranges(starts, sizes)
        rows = np.repeat(np.arange(len(starts)), sizes)
        linked = np.bincount(rows, links.ends[own] - links.begins[own], len(starts))
        return (linked / np.maximum(1, table.lengths[self._indices])).astype(np.float32)

    def meaning(self) -> Computed:
        """Return how near a chunk's words, its title's and its headings' are to the question's by what they mean."""
        return self._meant

    @cached_property
    def _meaning(self) -> MeaningFeatures:
        return MeaningFeatures(self._session, self._lexical)

    @cached_property
    def _meant(self) -> Computed:
        return dict(self._meaning.columns())

    @cached_property
    def joint(self) -> JointCoverage:
        """What candidates say together with those that link to them."""
        return JointCoverage.of(self._session, self._lexical, self._meaning)

    def ranks(self) -> Computed:
        """Return one over the rank, from 1, of each candidate by columns of meaning."""
        return {f"rank_{name}": (1 / (1 + ranks_of(self._meant[name]))).astype(np.float32) for name in RANKED}

    def greatest(self) -> Computed:
        """Return the greatest value among the candidates of some columns, from 0 to 1: the same of all."""
        known, n = self._said | self._meant, len(self._ids)
        return {f"most_{name}": np.full(n, min(1.0, known[name].max(initial=0)), np.float32) for name in GREATEST}

    def similarity(self) -> Computed:
        """Return how like a chunk is to what is asked when the names are left out, and its rank in its page."""
        space = similarity(self._session, "chunk")
        whole = scores_of(space, self._question.vectors, self._ids)
        asked = scores_of(space, self._question.vectors_asked, self._ids)
        return {
            "vector_asked": asked,
            "vector_asked_in_page": rank_within(self._pages, asked),
            "vector_in_page": rank_within(self._pages, whole),
        }
