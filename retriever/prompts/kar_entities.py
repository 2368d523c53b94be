"""Name what a question names, each with the document that it would have, the first step of KAR.

Shown: the forms of documents and the question. Reply: a JSON array of objects with the keys name, type and document.
A reply with reasoning, fences or prose around its JSON, other keys, plain names, or lines in place of JSON is
understood; at most ten entities count, each once. A name is looked up in the knowledge base, and one that is nothing
there finds what is most like its document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from retriever.prompts.template import Prompt
from weft.chat.replies import answers_of, json_of

MOST = 10
"""Entities that count of one reply; no question names more."""

MOST_CHARACTERS = 2_000
"""What is read of a document."""

DEEPEST = 5
PROMPT = Prompt(
    "kar_entities",
    """You prepare a search in a knowledge base. Find the things that the question names: by a proper name or \
technical term, such as people, places, works, organisations, substances, genes, diseases. Leave out what the question \
asks for. For each thing write the document that it may have in the knowledge base, in one of the forms that you are \
told, from what the question says of it and what you know for sure, in at most 40 words.

Reply with a JSON array alone: [{"name": "...", "type": "...", "document": "..."}]. Reply [] where nothing is named.""",
    "Forms of documents:\n$structure\n\nQuestion: $question",
)
WRAPPING = "\"'`*-•[]{} \t"


class Named(NamedTuple):
    """A thing that a question names, its type or "", and the document that a model thinks it has."""

    name: str
    type: str
    document: str

    @property
    def text(self) -> str:
        """All of it as one text."""
        head = f"{self.name} ({self.type})" if self.type else self.name
        return f"{head}\n{self.document}".strip()


def read_reply(reply: str) -> tuple[Named, ...]:
    """Return what a reply names, at most `MOST`, each name once."""
    record = json_of(reply)
    found = _of_record(record) if isinstance(record, list | dict) else _of_lines(reply)
    by_name: dict[str, Named] = {}
    for each in found:
        by_name.setdefault(each.name.casefold(), each)
        if len(by_name) == MOST:
            break
    return tuple(by_name.values())


def _of_lines(reply: str) -> Iterator[Named]:
    for line in answers_of(reply):
        name, _, document = line.strip(WRAPPING).partition(":")
        if name.strip():
            yield Named(name.strip()[:MOST_CHARACTERS], "", document.strip()[:MOST_CHARACTERS])


def _of_record(record: Any) -> Iterator[Named]:
    """Yield what JSON names: an array, an object around one, or an object by names."""
    if isinstance(record, dict):
        lists = [each for each in record.values() if isinstance(each, list)]
        if "name" in record:
            lists = [[record]]
        record = lists[0] if lists else [{"name": name, "document": value} for name, value in record.items()]
    for each in record:
        named = _named(each)
        if named is not None:
            yield named


def _named(each: Any) -> Named | None:
    if isinstance(each, str):
        each = {"name": each}
    name = each.get("name") if isinstance(each, dict) else None
    if not isinstance(name, str) or not name.strip():
        return None
    kind = each.get("type")
    rest = {key: value for key, value in each.items() if key not in ("name", "type")}
    document = "\n".join(_parts(rest, "", DEEPEST))[:MOST_CHARACTERS]
    return Named(name.strip()[:MOST_CHARACTERS], kind.strip() if isinstance(kind, str) else "", document)


def _parts(value: Any, key: str, depth: int) -> Iterator[str]:
    """Yield the texts of nested JSON, each with its key but for those of a document."""
    if isinstance(value, Mapping) and depth:
        for own, inner in value.items():
            yield from _parts(inner, own, depth - 1)
    elif isinstance(value, list) and depth:
        for inner in value:
            yield from _parts(inner, key, depth - 1)
    elif isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
        yield f"{value}" if key in ("", "document") else f"{key}: {value}"
