"""Make a system of its options."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from retriever.focus.planner.model import DEFAULT
from retriever.focus.planner.store import Relations, load_relations
from retriever.focus.systems.focus import Asks, Focus
from retriever.focus.systems.renamed import renamed_by
from retriever.focus.systems.settings import Settings, checked
from retriever.methods import Part
from retriever.rankers.composed import ranker_of
from retriever.session import Session


def made(name: str, session: Session, asks: Asks, options: Mapping[str, object]) -> Focus:
    """Return a system; raise WeftError for a choice that there is not, or a bad file."""
    own = {**options, "renamed": renamed_by(str(options["renamed"]))}
    settings = checked(name, Settings(**own))  # type: ignore[arg-type]
    part = Part("vss", {"relations": settings.rel7}) if settings.strand == "vss" else Part(settings.strand)
    relations = load_relations(Path(settings.relations)) if settings.relations else Relations(DEFAULT)
    return Focus(settings, ranker_of(session, part, "entity"), relations, asks)
