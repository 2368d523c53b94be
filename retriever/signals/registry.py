"""Signals by name, each with its options and what they are when nothing is said."""

from __future__ import annotations

from collections.abc import Callable

from retriever.methods import Option, Part, take_options
from retriever.protocols import Signal
from retriever.signals.bm25 import Bm25Signal
from retriever.signals.entity import EntitySignal
from retriever.signals.page import PageSignal
from retriever.signals.pagerank.signal import GraphSignal
from retriever.signals.path.signal import PathSignal
from retriever.signals.section import SectionSignal
from retriever.signals.vector import VectorSignal
from retriever.types import Unit

SIGNALS: dict[str, Callable[..., Signal]] = {
    "bm25": Bm25Signal,
    "vector": VectorSignal,
    "page": PageSignal,
    "section": SectionSignal,
    "entity": EntitySignal,
    "path": PathSignal,
    "graph": GraphSignal,
}
"""What makes a signal of (unit, **options)."""

# Bounds what a method expression may ask for.
MOST_CONTAINERS = 10_000
OPTIONS: dict[str, dict[str, Option]] = {
    "bm25": {},
    "vector": {"ann": Option(False)},
    "page": {"n": Option(3, 1, MOST_CONTAINERS)},
    "section": {"n": Option(5, 1, MOST_CONTAINERS)},
    "entity": {"n": Option(5, 1, MOST_CONTAINERS)},
    "path": {
        "pages": Option(3, 1, 1_000), "seeds": Option(3, 1, 100), "size": Option(5, 1, 100), "single": Option(False),
    },
    "graph": {"stop": Option(0.35, 0.01, 1.0), "least": Option(2e-5, 1e-9, 1.0)},
}  # fmt: skip
"""The options of each signal; the thesis's sizes, and how a walk stops."""


def signal_of(part: Part, unit: Unit) -> Signal:
    """Return the signal that a part of a method names; raise WeftError for an option that it does not have."""
    return SIGNALS[part.name](unit, **take_options(part, OPTIONS[part.name]))
