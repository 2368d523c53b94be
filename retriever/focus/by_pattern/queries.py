"""Patterns of questions: a language model writes them, and without one the names of a question and its words do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from retriever.expansion.asking import replies, stand_in
from retriever.focus.by_pattern.labels import labels_of
from retriever.focus.cypher.parser import parse
from retriever.focus.cypher.reference import parse_reference
from retriever.focus.pattern import Pattern, Symbol, Triplet
from retriever.focus.schema import Reading, Words, in_words_of, read_schema
from retriever.focus.target_type import candidate_types, type_in_question, type_in_reply
from retriever.focus.triplets import parse_triplets
from retriever.prompts.focus import cypher, target_type, triplets
from retriever.prompts.template import Prompt
from retriever.session import Session
from retriever.types import Query, QueryMention, Question

MOST_NAMES = 3
SURE = 0.3
"""The least weight of what a name means that a pattern asks for without a model."""

BY_NAMES = "walks of at most two edges from the names in the question to the type that it asks for"

ANY_TYPE = "Which type of node is asked for is not known."


class Form(NamedTuple):
    """A form in which a model writes patterns: what it is asked, and how its reply is read."""

    prompt: Prompt
    read: Callable[[str], Pattern]
    asks_type: bool = True
    exact: bool = False


FORMS: Mapping[str, Form] = {
    "cypher": Form(cypher.PROMPT, parse),
    "reference": Form(cypher.PROMPT, parse_reference, exact=True),
    "triplets": Form(triplets.PROMPT, parse_triplets, asks_type=False),
}


def pattern_of(session: Session, query: Query, form: Form, *, model: bool, itself: bool = False) -> Pattern:
    """Return the pattern of a question in the graph's words; a model writes it where there is one and it may.

    Without one, what is named fits too where `itself` says so.
    """
    types = candidate_types(read_schema(session))
    if session.chat is None or not model:
        return pattern_of_names(session, query.question, types, 0 if itself else 1)
    kind = asked_type(session, query, types) if form.asks_type else None
    labels, asked = labels_of(session), query.question.text
    target = f"Asked for are nodes of the type {kind}: return y, and write it (y:`{kind}`)." if kind else ANY_TYPE
    written = replies(
        session, form.prompt, types=labels.of_types(types), relations=labels.relations, attributes=labels.attributes,
        target=target, question=asked,
    )  # fmt: skip
    found = form.read(written[0] if written else "")
    return in_words_of(_typed(found, kind), read_schema(session), Reading(exact=form.exact))


def asked_type(session: Session, query: Query, types: Words) -> str | None:
    """Return the type that a model says a question asks for; the only one where there are no others."""
    if len(types.names) == 1:
        return types.names[0]
    shown = labels_of(session).of_types(types)
    written = replies(session, target_type.PROMPT, types=shown, question=query.question.text)
    return type_in_reply(written[0], types) if written else None


def pattern_of_names(session: Session, question: Question, types: Words, least: int) -> Pattern:
    """Return walks of `least` to two edges from what a question surely names to the type that its words ask for."""
    kind = type_in_question(_without(question), types.names)
    sure = sorted((each for each in question.mentions if _weight(each) >= SURE), key=lambda each: -_weight(each))
    names = list(dict.fromkeys(each.name for each in sure))[:MOST_NAMES]
    symbols = (Symbol("y", kind), *(Symbol(f"x{place}", None, name) for place, name in enumerate(names)))
    edges = tuple(Triplet(each.variable, (), "y", directed=False, least=least, most=2) for each in symbols[1:])
    stand_in(session, "pattern", BY_NAMES, {"type": kind, "names": names})
    return Pattern(symbols, edges, "y") if edges else Pattern()


def _weight(mention: QueryMention) -> float:
    return float(mention.weights[0]) if len(mention.weights) else 0.0


def _without(question: Question) -> str:
    """Return a question's text with blanks for the names in it."""
    text = question.text
    for each in question.mentions:
        text = text[: each.start] + " " * (each.end - each.start) + text[each.end :]
    return text


def _typed(pattern: Pattern, kind: str | None) -> Pattern:
    """Return a pattern whose target has a type where the query gives it none."""
    symbols = tuple(
        each._replace(type=kind) if each.variable == pattern.target and each.type is None else each
        for each in pattern.symbols
    )
    return pattern._replace(symbols=symbols)
