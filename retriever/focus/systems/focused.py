"""focused: FocusedRetriever, a Cypher query whose constants may be any node like their names, as deep as answers need.

Its steps are those of `autofocus`, which was made of it, in another order: the query is written without the type that
is asked for (`before=no`), which is found out after grounding, for the nodes by similarity alone.
"""

from __future__ import annotations

from retriever.focus.systems.autofocus import asks
from retriever.focus.systems.focus import Focus
from retriever.focus.systems.making import made
from retriever.session import Session
from retriever.types import Unit


def focused(session: Session, unit: Unit, **options: object) -> Focus:
    """Return FocusedRetriever; raise WeftError for a choice that is none or a bad file."""
    return made("focused", session, asks, options)
