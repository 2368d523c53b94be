"""The method `cypher`, made of its options."""

from __future__ import annotations

from retriever.focus.by_pattern.chunks import ChunksByPattern
from retriever.focus.by_pattern.queries import FORMS
from retriever.focus.by_pattern.ranker import Options, PatternRanker
from retriever.focus.grounding.relations import Strictness
from retriever.focus.grounding.scope import Settings
from retriever.focus.symbols import Lookup
from retriever.session import Session
from retriever.types import Unit
from weft.errors import WeftError


def cypher(
    session: Session, unit: Unit, model: bool, dialect: str, lmax: int, k: int, nodes: bool, edges: bool,
    directions: bool, exact: bool, distinct: bool, relations: bool,
) -> PatternRanker | ChunksByPattern:  # fmt: skip
    """Return what ranks by a pattern; raise WeftError for a dialect that there is not."""
    if dialect not in FORMS:
        raise WeftError(f"cypher(dialect={dialect}): dialect={dialect} is none of {', '.join(FORMS)}")
    strict = Strictness(nodes, edges, directions)
    grounding = Settings(lmax, k, strict, exact, distinct)
    lookup = Lookup(most=lmax, space="label", types=nodes, open_ended=False)
    # Of pages, that of what a question names often has the answer itself.
    entities = PatternRanker(Options(dialect, model, lookup, grounding, relations, itself=unit == "chunk"))
    return entities if unit == "entity" else ChunksByPattern(entities)
