"""Choose among pages, sections and paths: by a chat model, or else by similarity (thesis, section 3.3)."""

from __future__ import annotations

import re
from typing import NamedTuple

from retriever.session import Session
from retriever.signals.path.catalogue import Choice, listing
from retriever.types import Query, Question, Step
from weft.chat.base import Message, Options, Reply
from weft.chat.replies import answers_of, without_reasoning
from weft.text.names import uri_text

CLOSE = 0.85
"""Least likeness of an identifier that is not copied exactly."""

NOTHING = "nd"
STAND_IN = "the most similar page or section, and the most similar path"

INSTRUCTIONS = """You are shown a part of a library's catalogue and a question. Say where the answer is to be looked up.

The catalogue lists pages, each with a number, a full stop and its title. The lines that begin with # below a page are \
its sections; deeper sections repeat the headings above them. Last come lines of facts, such as A#relation:B.

Reply with identifiers from the catalogue only:
- a section is Page#Section, copied with its page's title before it;
- a page is its title without the number; choose it when the question is about its subject in general;
- a fact is its whole line.
When several may hold the answer, or only several together do, put a semicolon between them.
When none does, reply ND. Give no reason and no other word."""

WRAPPING = "\"'`*-• \t"
# The number of a page in the listing, which models copy with its title.
NUMBER = re.compile(r"\d+[.)]\s*")


class Reading(NamedTuple):
    """What a reply chose, and what is wrong with it."""

    chosen: tuple[Choice, ...]
    warnings: tuple[str, ...]


def select(session: Session, query: Query, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Return what is chosen for a question; a step of the trace tells who chose and what of a reply was ignored."""
    timer = session.trace.timer()
    told: dict[str, object] = {"choices": len(choices)}
    if session.chat is None:
        reading, step = Reading(most_similar(choices), ()), Step("path selection", 0.0, stand_in=STAND_IN)
    else:
        reply = _ask(session, query.question, choices)
        reading = read_reply(reply.text, choices)
        step = Step("path selection", 0.0, 1, 0, reply.tokens_in, reply.tokens_out)
        told["reply"] = reply.text
    told["chosen"] = [choice.text for choice in reading.chosen]
    session.trace.add(step._replace(seconds=timer.seconds(), warnings=reading.warnings, detail=told))
    return reading.chosen


def most_similar(choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Return the most similar page or section and the most similar path; of equal ones the first listed."""
    kinds = [[each for each in choices if (each.kind == "path") is by_path] for by_path in (False, True)]
    return tuple(max(each, key=lambda choice: choice.score) for each in kinds if each)


def _ask(session: Session, question: Question, choices: tuple[Choice, ...]) -> Reply:
    messages = [
        Message("system", INSTRUCTIONS),
        Message("user", f"Catalogue:\n{listing(choices)}\n\nQuestion: {question.text}"),
    ]
    return session.complete(messages, Options(temperature=0.0))


def read_reply(reply: str, choices: tuple[Choice, ...]) -> Reading:
    """Return the choices that a reply names, each once, in its order; what names none is ignored with a warning."""
    whole = {choice.text: choice for choice in reversed(choices)}.get(without_reasoning(reply))
    if whole is not None:
        return Reading((whole,), ())
    chosen, warnings = [], []
    parts = [part.strip(WRAPPING) for part in answers_of(reply)]
    for part in filter(None, parts):
        if part.rstrip(".").casefold() == NOTHING:
            continue
        found = named(part, choices)
        if found is None:
            warnings.append(f"the model chose {part[:100]}, which was not offered; it is ignored")
        else:
            chosen.append(found)
    if not any(parts):
        warnings.append("the model's reply is empty")
    return Reading(tuple(dict.fromkeys(chosen)), tuple(warnings))


def named(answer: str, choices: tuple[Choice, ...]) -> Choice | None:
    """Return the choice that an answer means: exact, in any case, as an identifier's end, or misspelt; else None."""
    forms = list(dict.fromkeys([answer, NUMBER.sub("", answer, count=1) if NUMBER.match(answer) else answer]))
    for match in (_exact, _folded, _suffix, _fuzzy):
        for form in forms:
            if form and (found := match(form, choices)) is not None:
                return found
    return None


def _exact(answer: str, choices: tuple[Choice, ...]) -> Choice | None:
    return next((choice for choice in choices if choice.text == answer), None)


def _folded(answer: str, choices: tuple[Choice, ...]) -> Choice | None:
    folded = answer.casefold()
    return next((each for each in choices if folded in (each.text.casefold(), uri_text(each.text).casefold())), None)


def _suffix(answer: str, choices: tuple[Choice, ...]) -> Choice | None:
    """Match `#History` or `History` with `Page#History`, and an identifier behind a colon: `Answer: Page`."""
    folded = answer.casefold()
    ends = [each for each in choices if each.text.casefold().endswith("#" + folded.removeprefix("#"))]
    if ends:
        return ends[0]
    behind = [each for each in choices if folded.endswith(": " + each.text.casefold())]
    return max(behind, key=lambda each: len(each.text), default=None)


def _fuzzy(answer: str, choices: tuple[Choice, ...]) -> Choice | None:
    from difflib import get_close_matches

    by_text = {choice.text.casefold(): choice for choice in reversed(choices)}
    close = get_close_matches(answer.casefold(), list(by_text), n=1, cutoff=CLOSE)
    return by_text[close[0]] if close else None
