"""What the three systems can be told, by the names that docs/methods.md lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from retriever.expansion.asking import ONE
from retriever.focus.grounding import scope
from retriever.focus.grounding.scope import Strictness
from retriever.focus.symbols import Lookup
from retriever.rerank.asking import EFFORTS
from retriever.session import Session
from retriever.signals.vector import entity_space
from weft.chat.base import Options
from weft.errors import WeftError

STRANDS = ("hybrid", "vss", "bm25")
DIALECTS = ("weft", "reference")
STEPS = ("target_type", "cypher", "candidates")
"""The steps with an effort and a model of their own, in the order given; triplets count as a query."""


class Settings(NamedTuple):
    """Settings by step; those of the planner count without a model, those of patterns with one."""

    # of all
    k: int
    alpha: float
    strand: str
    types: bool
    rel6: bool
    rel7: bool
    model: bool
    # of the planner
    hops: int
    relations: str
    # of patterns
    effort: str
    llm: str
    before: bool
    names: bool
    concealed: str
    dialect: str
    lmax: int
    near: float
    similar: bool
    cutoff: float
    rel4: bool
    nodes: bool
    edges: bool
    directions: bool
    exact: bool
    distinct: bool
    overwriting: bool
    cull: int
    renamed: Mapping[str, str]

    @property
    def hidden(self) -> tuple[str, ...]:
        """The types that the model is not told."""
        return tuple(each for each in self.concealed.split("|") if each)

    def options_of(self, step: str) -> Options:
        """Return how much which model is told to think in a step, None where it is not told or the main one."""
        effort, model = (_by_step(given)[STEPS.index(step)] or None for given in (self.effort, self.llm))
        return ONE._replace(reasoning_effort=effort, model=model)

    @property
    def grounding(self) -> scope.Settings:
        """How patterns are grounded."""
        strict = Strictness(self.nodes, self.edges, self.directions)
        return scope.Settings(self.lmax, self.k, strict, self.exact, self.distinct, self.overwriting)

    def lookup(self, session: Session) -> Lookup:
        """Return how the names of a pattern are looked up."""
        space = entity_space(session, relations=True) if self.rel4 else "label"
        return Lookup(self.lmax, self.near, self.similar, space, self.cutoff, self.nodes)


def _by_step(given: str) -> list[str]:
    """Return what is given for each step, the last for all that follow.

    >>> _by_step("low|high")
    ['low', 'high', 'high']
    """
    values = given.split("|")
    return [values[min(number, len(values) - 1)] for number in range(len(STEPS))]


def checked(name: str, settings: Settings) -> Settings:
    """Return a system's settings; raise WeftError for a choice that there is not."""
    for key, value, choice in (("strand", settings.strand, STRANDS), ("dialect", settings.dialect, DIALECTS)):
        if value not in choice:
            raise WeftError(f"{name}({key}={value}): {key}={value} is none of {', '.join(choice)}")
    efforts, models = settings.effort.split("|"), settings.llm.split("|")
    if len(models) > len(STEPS):
        raise WeftError(f"{name}: llm={settings.llm} names more models than there are steps, {len(STEPS)}")
    if len(efforts) > len(STEPS) or not set(efforts) <= set(EFFORTS):
        some = ", ".join(filter(None, EFFORTS))
        raise WeftError(f"{name}: effort={settings.effort} is none of {some}, nor two or three of these parted by |")
    return settings
