"""Grouped splits of question files: questions that share a page never stand in two parts.

>>> parts = parse_parts("train=0.5,test=0.5")
>>> split_of([{"id": "1", "gold": [{"title": "Moon"}]}, {"id": "2", "gold": [{"title": "moon"}]}], parts)
['train', 'train']
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from retriever.datasets.question_files import Question
from weft.errors import BadQuestionFile
from weft.text.names import name_key, uri_text


def parse_parts(text: str) -> dict[str, float]:
    """Parse `train=0.7,dev=0.15,test=0.15`; raise BadQuestionFile unless the parts add up to 1."""
    parts: dict[str, float] = {}
    for piece in text.split(","):
        name, _, share = piece.partition("=")
        try:
            parts[name.strip()] = float(share)
        except ValueError:
            raise BadQuestionFile(f"{piece}: a part of a split is NAME=SHARE, as in train=0.7") from None
    # What is no number compares with nothing.
    if "" in parts or not (min(parts.values()) >= 0 and abs(sum(parts.values()) - 1) <= 1e-6):
        raise BadQuestionFile(f"{text}: every part needs a name, and the shares must add up to 1")
    return parts


def split_of(
    records: Sequence[Mapping[str, Any]], parts: Mapping[str, float], group: str = "title"
) -> list[str]:
    """Return each question's part.

    Questions are tied that share a gold title (`group` is `title`) or a step of
    their path (`path`), also through others. The largest groups are dealt out
    first, equal ones by a hash, each to the part that lacks most: the same
    questions always fall the same way, whatever their order. Near linear.
    """
    leader = _tied([list(_ties(record, group)) for record in records])
    groups: dict[int, list[int]] = defaultdict(list)
    for index, own in enumerate(leader):
        groups[own].append(index)
    ids = [str(record["id"]) for record in records]
    order = sorted(groups.values(), key=lambda own: (-len(own), _hash(min(ids[index] for index in own))))
    lacking = {name: share * len(records) for name, share in parts.items()}
    result = [""] * len(records)
    for members in order:
        part = max(lacking, key=lambda name: lacking[name])
        lacking[part] -= len(members)
        for index in members:
            result[index] = part
    return result


def of_split(questions: Sequence[Question], split: str) -> list[Question]:
    """Return the questions of one split; raise BadQuestionFile, with the splits that there are, for none."""
    chosen = [each for each in questions if each.split == split]
    if not chosen:
        known = ", ".join(sorted({each.split for each in questions if each.split})) or "none"
        raise BadQuestionFile(f"--split {split}: no question is of this split; the splits are: {known}")
    return chosen


def _ties(record: Mapping[str, Any], group: str) -> Iterator[str]:
    if group == "path":
        yield from (name_key(step) for step in record.get("path") or [] if isinstance(step, str))
        return
    for item in record.get("gold") or []:
        if isinstance(item.get("title"), str):
            yield name_key(item["title"])
        elif isinstance(item.get("uri"), str):
            yield name_key(uri_text(item["uri"].partition("#")[0]))


def _tied(ties: Sequence[Sequence[str]]) -> list[int]:
    """Return for each question the first one that it is tied to."""
    leader = list(range(len(ties)))

    def find(index: int) -> int:
        while leader[index] != index:
            leader[index] = leader[leader[index]]
            index = leader[index]
        return index

    first: dict[str, int] = {}
    for index, own in enumerate(ties):
        for tie in own:
            one, other = sorted((find(first.setdefault(tie, index)), find(index)))
            leader[other] = one
    return [find(index) for index in range(len(ties))]


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
