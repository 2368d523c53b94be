"""Replies of language models, read tolerantly: what stands around an answer is taken off.

>>> answers_of('<think>Page A is wrong.</think>```json\\n{"pages": ["B", "C"]}\\n```')
['B', 'C']
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from weft.text.json_text import no_collection, parsed_json

# Tags around what a model thinks before it answers.
TAGS = r"(?:think|thinking|thought|thoughts|reasoning|reflection)\s*>"
TAG = re.compile(rf"<(?P<closing>/?){TAGS}", re.I)
# The inside of a fenced block, also of one that the reply's end cuts off.
FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*\n(.*?)(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.S | re.M)
# A reply that is one fenced block and nothing else, also one whose end is cut off. The lines inside are never given
# back, or each of their letters would double the time for a block that a sentence follows.
ALL_FENCED = re.compile(r"[ \t]*(?P<fence>```|~~~)[^\n`]*\n(?P<inside>(?:(?!^[ \t]*(?P=fence)).*\n?)*+)"
                        r"(?:^[ \t]*(?P=fence)[ \t]*)?", re.M)
DEEPEST = 20
"""JSON nested further holds no answer."""

MOST_OPENINGS = 50
"""Places in a reply at which JSON is looked for and none begins."""

OPENING = re.compile(r"[\[{]")


def without_reasoning(reply: str) -> str:
    """Return a reply without what the model wrote while it thought, before its answer or behind it.

    Reasoning that is not closed was cut short, so no answer follows it; some
    models' first tag is a part of the prompt, so that only the closing one is there.
    """
    kept: list[str] = []
    start, opening = 0, None
    for tag in TAG.finditer(reply):
        if not tag["closing"]:
            opening = opening or tag
        elif opening:
            kept.append(reply[start : opening.start()])
            start, opening = tag.end(), None
        else:
            kept, start = [], tag.end()
    end = opening.start() if opening else len(reply)
    return "".join([*kept, reply[start:end]]).strip()


def plain(reply: str) -> str:
    """Return a reply without reasoning, and without the fence where it is one fenced block.

    A fence within prose tells where an answer begins and ends, so it is left to
    `answers_of` and `json_of`.
    """
    answer = without_reasoning(reply)
    fenced = ALL_FENCED.fullmatch(answer)
    return fenced["inside"].strip() if fenced else answer


def answers_of(reply: str) -> list[str]:
    """Return the strings that a reply gives: those of its JSON, else its lines and what `;` parts, in their order."""
    answer = unfenced(reply)
    record = _json(answer)
    if record is not None:
        return list(_strings(record, DEEPEST))
    strings = list(_strings(next(_json_within(answer), None), DEEPEST))
    return strings or re.split(r"[;\n]", answer)


def json_of(reply: str, kind: type | tuple[type, ...] = (dict, list)) -> Any:
    """Return the first JSON object or array in a reply that is of a kind; None where there is none."""
    return next((record for record in records_of(reply) if isinstance(record, kind)), None)


def records_of(reply: str) -> Iterator[Any]:
    """Yield the JSON objects and arrays in a reply, with or without prose around them, but none that another holds."""
    answer = unfenced(reply)
    record = _json(answer)
    if record is None:
        yield from _json_within(answer)
    else:
        yield record


def unfenced(reply: str) -> str:
    """Return what a reply's first fenced block holds, or all of it where it has none."""
    answer = without_reasoning(reply)
    fenced = FENCE.search(answer)
    return fenced[1].strip() if fenced else answer


def _json(text: str) -> Any:
    """Return the JSON object or array that a text is, else None."""
    if text[:1] not in ("[", "{"):
        return None
    try:
        return parsed_json(text)
    except (ValueError, RecursionError):
        return None


def _json_within(text: str) -> Iterator[Any]:
    """Yield the JSON objects and arrays that begin anywhere in a text."""
    decoder, start, n_others = json.JSONDecoder(), 0, 0
    while n_others < MOST_OPENINGS and (opening := OPENING.search(text, start)):
        try:
            with no_collection():
                record, start = decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            n_others, start = n_others + 1, opening.end()
        else:
            yield record


def _strings(record: Any, depth: int) -> Iterator[str]:
    if isinstance(record, str):
        yield record
    elif isinstance(record, dict | list) and depth:
        for each in record.values() if isinstance(record, dict) else record:
            yield from _strings(each, depth - 1)
