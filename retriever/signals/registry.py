"""Signals by name, each with its options and what they are when nothing is said."""

from __future__ import annotations

from collections.abc import Callable

from retriever.context import Context
from retriever.methods import Part, Value, take_options
from retriever.signals.bm25 import Bm25
from retriever.signals.entity import Entity
from retriever.signals.graph import Graph
from retriever.signals.page import Page
from retriever.signals.path import PathSignal
from retriever.signals.section import Section
from retriever.signals.vector import Vector
from retriever.types import Signal, Unit

SIGNALS: dict[str, Callable[..., Signal]] = {
    "bm25": Bm25,
    "vector": Vector,
    "page": Page,
    "section": Section,
    "entity": Entity,
    "path": PathSignal,
    "graph": Graph,
}
"""What makes a signal of (context, unit, **options)."""

DEFAULTS: dict[str, dict[str, Value]] = {
    "bm25": {},
    "vector": {"ann": False},
    "page": {"n": 3},
    "section": {"n": 5},
    "entity": {"n": 5},
    "path": {"pages": 3, "seeds": 3, "size": 5, "single": False},
    "graph": {"stop": 0.35, "least": 2e-5},
}
"""The options of each signal; the thesis's sizes, and how a walk stops."""


def signal_of(context: Context, part: Part, unit: Unit) -> Signal:
    """Return the signal that a part of a method names; raise WeftError for an option that it does not have."""
    return SIGNALS[part.name](context, unit, **take_options(part, DEFAULTS[part.name]))
