"""Choose where an answer is to be looked up: pages, sections and facts of a catalogue (thesis, section 3.3).

Shown: a catalogue of numbered pages, their sections and facts, one identifier a
line, and the question. Reply: identifiers from it with semicolons between, or ND.
A reply with reasoning, fences, JSON, list marks, quotes, numbers of pages, parts
or misspellings of identifiers is understood; what names nothing that was offered
is left out with a warning, and so is an empty reply.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from retriever.prompts.template import Prompt
from weft.chat.replies import answers_of, without_reasoning
from weft.text.names import uri_text

CLOSE = 0.85
"""Least likeness of an identifier that is not copied exactly."""

NOTHING = "nd"
MOST_PARTS = 200
"""What of a reply is read; no selection is longer."""

PROMPT = Prompt(
    "path",
    """You are shown a part of a library's catalogue and a question. Say where the answer is to be looked up.

The catalogue lists pages, each with a number, a full stop and its title. The lines that begin with # below a page are \
its sections; deeper sections repeat the headings above them. Last come lines of facts, such as A#relation:B.

Reply with identifiers from the catalogue only:
- a section is Page#Section, copied with its page's title before it;
- a page is its title without the number; choose it when the question is about its subject in general;
- a fact is its whole line.
When several may hold the answer, or only several together do, put a semicolon between them.
When none does, reply ND. Give no reason and no other word.""",
    "Catalogue:\n$catalogue\n\nQuestion: $question",
)

WRAPPING = "\"'`*-• \t"
# The number of a page in the listing, which models copy with its title.
NUMBER = re.compile(r"\d+[.)]\s*")


class Named(NamedTuple):
    """The identifiers that a reply names, each once, in its order, and what is wrong with it."""

    identifiers: tuple[str, ...]
    warnings: tuple[str, ...]


def read_reply(reply: str, offered: Sequence[str]) -> Named:
    """Return what a reply names of the identifiers that were offered; O(MOST_PARTS * offered)."""
    whole = without_reasoning(reply)
    if whole in offered:
        return Named((whole,), ())
    found: list[str] = []
    warnings: list[str] = []
    parts = [part.strip(WRAPPING) for part in answers_of(reply)[:MOST_PARTS]]
    for part in filter(None, parts):
        if part.rstrip(".").casefold() == NOTHING:
            continue
        identifier = meant(part, offered)
        if identifier is None:
            warnings.append(f"the model chose {part[:100]}, which was not offered; it is ignored")
        else:
            found.append(identifier)
    if not any(parts):
        warnings.append("the model's reply is empty")
    return Named(tuple(dict.fromkeys(found)), tuple(warnings))


def meant(answer: str, offered: Sequence[str]) -> str | None:
    """Return the identifier that an answer means: exact, in any case, by its end, or misspelt; else None."""
    forms = list(dict.fromkeys([answer, NUMBER.sub("", answer, count=1) if NUMBER.match(answer) else answer]))
    for match in (_exact, _folded, _suffix, _fuzzy):
        for form in forms:
            if form and (found := match(form, offered)) is not None:
                return found
    return None


def _exact(answer: str, offered: Sequence[str]) -> str | None:
    return answer if answer in offered else None


def _folded(answer: str, offered: Sequence[str]) -> str | None:
    folded = answer.casefold()
    return next((each for each in offered if folded in (each.casefold(), uri_text(each).casefold())), None)


def _suffix(answer: str, offered: Sequence[str]) -> str | None:
    """Match `#History` or `History` with `Page#History`, and an identifier behind a colon: `Answer: Page`."""
    folded = answer.casefold()
    ends = [each for each in offered if each.casefold().endswith("#" + folded.removeprefix("#"))]
    if ends:
        return ends[0]
    behind = [each for each in offered if folded.endswith(": " + each.casefold())]
    return max(behind, key=len, default=None)


def _fuzzy(answer: str, offered: Sequence[str]) -> str | None:
    from difflib import get_close_matches

    by_text = {each.casefold(): each for each in reversed(offered)}
    close = get_close_matches(answer.casefold(), list(by_text), n=1, cutoff=CLOSE)
    return by_text[close[0]] if close else None
