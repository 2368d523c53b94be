"""autofocus: AF-Retriever (de Boer et al.), a growing scope of candidates and a share of answers by relations.

Steps: the type that is asked for (1), a Cypher query (2) read into a pattern (3), candidates of its symbols (4),
grounding at a growing scope (5), answers by similarity within a scope (6), nodes of the type by similarity (7), of the
first k a share alpha of answers; a reranker behind the method is step 8.
"""

from __future__ import annotations

from retriever.focus.systems.asked import Asked, asked_for, by_cypher, grounded
from retriever.focus.systems.focus import Focus
from retriever.focus.systems.making import made
from retriever.focus.systems.settings import Settings
from retriever.session import Session
from retriever.types import Query, Unit


def asks(session: Session, query: Query, settings: Settings) -> Asked:
    """Return the answers of steps 1 to 6; `before` tells whether the type is asked for before the query or after it."""
    kind = asked_for(session, query, settings) if settings.before else None
    pattern = by_cypher(session, query, settings, kind)
    strand, found = grounded(session, query, settings, pattern)
    if not settings.before and settings.types:
        kind = asked_for(session, query, settings)
    return Asked(strand, kind, found)


def autofocus(session: Session, unit: Unit, **options: object) -> Focus:
    """Return AF-Retriever; raise WeftError for a choice that is none or a bad file."""
    return made("autofocus", session, asks, options)
