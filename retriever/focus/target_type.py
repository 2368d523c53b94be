"""The type of the nodes that a question asks for, from a model's reply or from the question's own words.

It is a type of this graph's nodes. What a question word asks for (person, place, time) is another thing, which
`retriever/question/reader.py` tells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retriever.focus.schema import Schema, Words, words
from weft.chat.replies import plain
from weft.text.normalise import words_of
from weft.text.stems import stem

WRAPPED = re.compile(r"\\?boxed\s*\{(.*)\}", re.S)
LABELS = re.compile(r"^\s*(?:final answer|answer|type|node type)\s*:\s*", re.I)
MOST_LETTERS = 2_000
"""What is read of a reply."""

AROUND = " \t\r\n\"'`*[](){}.:"


def type_in_reply(reply: str, types: Words) -> str | None:
    """Return the type that a reply names: alone, before a comma, or as the only one anywhere in it; else None."""
    text = plain(reply)[:MOST_LETTERS]
    wrapped = WRAPPED.search(text)
    text = LABELS.sub("", wrapped[1] if wrapped else text)
    for part in (text, text.partition(",")[0], text.partition("\n")[0]):
        if found := types.stored(part.strip(AROUND)):
            return found[0]
    named = named_types(text, types.names)
    return named[0] if len(named) == 1 else None


def named_types(text: str, types: Sequence[str]) -> list[str]:
    """Return the types that a text names, in its order: by all their words side by side, or by a part between slashes.

    >>> named_types("Which drugs target a gene of the cellular component?", ["gene/protein", "drug", "cellular"])
    ['drug', 'gene/protein', 'cellular']
    """
    stems = _stems(text)
    found: list[tuple[int, int, str]] = []
    for kind in types:
        places = [place for name in (kind, *kind.split("/")) for place in _places(stems, _stems(name))]
        found += [(*min(places), kind)] if places else []
    return [kind for *_, kind in sorted(found)]


def type_in_question(question: str, types: Sequence[str]) -> str | None:
    """Return the only type there is, else the first that a question names, else None.

    Stands in for the model that is asked else.
    """
    if len(types) == 1:
        return types[0]
    return next(iter(named_types(question, types)), None)


def _stems(text: str) -> list[str]:
    return [stem(word) for word in words_of(text)]


def _places(stems: Sequence[str], own: Sequence[str]) -> list[tuple[int, int]]:
    """Return where some stems stand side by side, and how many there are, fewer behind more."""
    if not own:
        return []
    return [(place, -len(own)) for place in range(len(stems)) if stems[place : place + len(own)] == list(own)]


def candidate_types(schema: Schema, concealed: Sequence[str] = ()) -> Words:
    """Return the types that a question may ask for: all of the graph's but some that are concealed."""
    hidden = {name for each in concealed for name in schema.types.stored(each)}
    return words(name for name in schema.types.names if name not in hidden)
