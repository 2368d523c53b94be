"""4step: 4StepFocus, triplets whose constants are one node each, substituted until nothing changes, then similar nodes.

Steps: triplets by a language model (1), the nodes of their names and the nodes that fit all of them (2), the most
similar nodes up to k behind these (3); a reranker behind the method is step 4.
"""

from __future__ import annotations

from retriever.focus.systems.asked import Asked, asked_for, by_triplets, grounded
from retriever.focus.systems.focus import Focus
from retriever.focus.systems.making import made
from retriever.focus.systems.settings import Settings
from retriever.session import Session
from retriever.types import Query, Unit


def asks(session: Session, query: Query, settings: Settings) -> Asked:
    """Return the answers that fit the triplets, and the type of their target, asked for where they say none."""
    pattern = by_triplets(session, query, settings)
    strand, found = grounded(session, query, settings, pattern)
    kind = pattern.symbol(pattern.target).type if pattern.target is not None else None
    if kind is None and settings.types:
        kind = asked_for(session, query, settings)
    return Asked(strand, kind, found)


def fourstep(session: Session, unit: Unit, **options: object) -> Focus:
    """Return 4StepFocus; raise WeftError for a choice that is none or a bad file."""
    return made("4step", session, asks, options)
