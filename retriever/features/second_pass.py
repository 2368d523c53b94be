"""What follows from a first ranking: what its best hits lead to, and what they leave open."""

from __future__ import annotations

import numpy as np

from retriever.candidates.link_expansion import LinkExpansion
from retriever.features.first_pass import Computed
from retriever.features.joint import JointCoverage
from retriever.features.lexical import lexical_features
from retriever.features.ranks import rank_within, ranks_of
from retriever.learning.log_odds import probability
from retriever.session import Session
from retriever.types import Ids, Question, Scores

BEST = 5
"""So many hits of the first pass count as its best, whose links the second pass knows."""


class SecondPass:
    """Candidate chunks (n,) of a question, ranked by log-odds (n,); each method computes some columns by name."""

    def __init__(
        self, session: Session, question: Question, ids: Ids, log_odds: Scores, joint: JointCoverage
    ) -> None:
        self._session = session
        self._joint = joint
        self._question = question
        self._ids = ids
        self._log_odds = log_odds
        self._chance = probability(log_odds)
        self._best = np.lexsort((ids, -self._chance))[:BEST]

    def ranking(self) -> Computed:
        """Return how a chunk ranks, in its page too, and whether it is of the page of the best, which is another."""
        chunk_table = self._session.chunk_table
        pages = chunk_table.pages[chunk_table.indices(self._ids)]
        best = self._best[:1]
        of_best = pages == pages[best[0]] if len(best) else np.zeros(0, bool)
        of_best[best] = False
        return {
            "first": self._log_odds,
            "rank_first": 1 / (1 + ranks_of(self._chance)),
            "in_page_first": rank_within(pages, self._chance),
            "page_of_best": of_best,
        }

    def links(self) -> Computed:
        """Return how the best hits link to a chunk: their links are followed as those of the question's names were."""
        links = LinkExpansion(self._session)
        ids, chances = self._ids[self._best], self._chance[self._best]
        hops = links.onward_from(self._question, ids, chances)
        return links.followed(self._ids, hops, links.owners(ids, chances))

    def together(self) -> Computed:
        """Return how much of the question a chunk says together with a good hit that links to it, or it to that."""
        return dict(self._joint.weighted(self._chance))

    def words(self) -> Computed:
        """Return how far a chunk completes a hit: says what that leaves open."""
        lexical = lexical_features(self._session, self._question, self._ids)
        return {"completes": lexical.completing(self._best[:3], self._chance)}
