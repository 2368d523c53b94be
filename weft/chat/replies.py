"""Replies of language models, read tolerantly: what stands around an answer is taken off.

>>> answers_of('<think>Page A is wrong.</think>```json\\n{"pages": ["B", "C"]}\\n```')
['B', 'C']
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

# Tags around what a model thinks before it answers.
REASONING = re.compile(r"<(?:think|thinking|reasoning)>", re.I)
REASONING_END = re.compile(r"</(?:think|thinking|reasoning)>", re.I)
# The inside of a fenced block, also of one that the reply's end cuts off.
FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*\n(.*?)(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.S | re.M)
DEEPEST = 20
"""JSON nested further holds no answer."""


def without_reasoning(reply: str) -> str:
    """Return a reply without what the model wrote while it thought.

    Reasoning that is not closed was cut short, so no answer follows it; some
    models' first tag is a part of the prompt, so that only the closing one is there.
    """
    return REASONING.split(REASONING_END.split(reply)[-1])[0].strip()


def answers_of(reply: str) -> list[str]:
    """Return the strings that a reply gives: those of its JSON, else its lines and what `;` parts, in their order."""
    answer = without_reasoning(reply)
    fenced = FENCE.search(answer)
    answer = fenced[1].strip() if fenced else answer
    record = _json(answer)
    if record is not None:
        return list(_strings(record, DEEPEST))
    return re.split(r"[;\n]", answer)


def _json(text: str) -> Any:
    """Return the JSON object or array that a text is, else None."""
    if text[:1] not in ("[", "{"):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _strings(record: Any, depth: int) -> Iterator[str]:
    if isinstance(record, str):
        yield record
    elif isinstance(record, dict | list) and depth:
        for each in record.values() if isinstance(record, dict) else record:
            yield from _strings(each, depth - 1)
