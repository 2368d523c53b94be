"""focused: FocusedRetriever, a Cypher query whose constants may be any node like their names, as deep as answers need.

The query is written without the type that is asked for, which is found out after grounding, for the nodes by similarity
alone.
"""

from __future__ import annotations

from retriever.focus.systems.asked import Asked, asked_for, by_cypher, grounded
from retriever.focus.systems.focus import Focus
from retriever.focus.systems.making import made
from retriever.focus.systems.settings import Settings
from retriever.session import Session
from retriever.types import Query, Unit


def asks(session: Session, query: Query, settings: Settings) -> Asked:
    """Return the answers that fit the query, then the type that is asked for."""
    kind = asked_for(session, query, settings) if settings.before else None
    strand, found = grounded(session, query, settings, by_cypher(session, query, settings, kind))
    if not settings.before and settings.types:
        kind = asked_for(session, query, settings)
    return Asked(strand, kind, found)


def focused(session: Session, unit: Unit, **options: object) -> Focus:
    """Return FocusedRetriever; raise WeftError for a choice that is none or a bad file."""
    return made("focused", session, asks, options)
