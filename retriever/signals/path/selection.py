"""Choose among pages, sections and paths: by a chat model, or else by similarity (thesis, section 3.3)."""

from __future__ import annotations

from typing import NamedTuple

from retriever.prompts import path as prompt
from retriever.session import Session
from retriever.signals.path.catalogue import Choice, listing
from retriever.types import Query, Step
from weft.chat.base import Options

OPTIONS = Options(temperature=0.0)
STAND_IN = "the most similar page or section, and the most similar path"


class Reading(NamedTuple):
    """What a reply chose, and what is wrong with it."""

    chosen: tuple[Choice, ...]
    warnings: tuple[str, ...]


def select(
    session: Session, query: Query, choices: tuple[Choice, ...], *, by_model: bool = False
) -> tuple[Choice, ...]:
    """Return what is chosen for a question; a step of the trace tells who chose and what of a reply was ignored.

    A model chooses only where `by_model` asks for it and the session has one.
    """
    timer = session.trace.timer()
    told: dict[str, object] = {"choices": len(choices)}
    if session.chat is None or not by_model:
        reading, step = Reading(most_similar(choices), ()), Step("path selection", 0.0, stand_in=STAND_IN)
    else:
        asked = prompt.PROMPT.messages(catalogue=listing(choices), question=query.question.text)
        reply = session.complete(asked, OPTIONS)
        reading = read_reply(reply.text, choices)
        step = Step("path selection", 0.0, 1, int(reply.cached), reply.tokens_in, reply.tokens_out)
        told |= {"prompt": prompt.PROMPT.version, "reply": reply.text}
    told["chosen"] = [choice.text for choice in reading.chosen]
    session.trace.add(step._replace(seconds=timer.seconds(), warnings=reading.warnings, detail=told))
    return reading.chosen


def most_similar(choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Return the most similar page or section and the most similar path; of equal ones the first listed."""
    kinds = [[each for each in choices if (each.kind == "path") is by_path] for by_path in (False, True)]
    return tuple(max(each, key=lambda choice: choice.score) for each in kinds if each)


def read_reply(reply: str, choices: tuple[Choice, ...]) -> Reading:
    """Return the choices that a reply names, each once, in its order; what names none is ignored with a warning."""
    by_text = {choice.text: choice for choice in reversed(choices)}
    named = prompt.read_reply(reply, [choice.text for choice in choices])
    return Reading(tuple(by_text[each] for each in named.identifiers), named.warnings)
