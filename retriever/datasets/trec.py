"""TREC files: judgements and runs that ir-measures and trec_eval score as Weft does, and the runs of outsiders.

A gold item counts once, whatever chunk finds it, which TREC's formats cannot
say of documents. So the judgements name the items of a question, `gold:1`,
`gold:2`, ..., and a run names the item where a hit takes one, and the hit's uri
otherwise. Blanks are percent-encoded, since blanks separate the fields.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

from retriever.types import Unit
from weft.errors import WeftError
from weft.skb import Skb

UNKNOWN = -1_000_000
"""Ids from here down stand for documents of a run that the SKB does not have."""


BLANKS = {quote(each): each for each in map(chr, range(0x3001)) if each.isspace()}
ENCODED_BLANK = re.compile("|".join(BLANKS))


class Run(NamedTuple):
    """An outsider's rankings: for each question's id the documents, best first."""

    rankings: Mapping[str, tuple[str, ...]]


def token(text: str) -> str:
    """Return a text with its blanks percent-encoded, as one field of a TREC file.

    >>> token("Veldra (river)##1")
    'Veldra%20(river)##1'
    """
    return "".join(quote(each) if each.isspace() else each for each in text)


def item_name(item: int) -> str:
    """Return the name of a question's gold item, counted from 0, in TREC files."""
    return f"gold:{item + 1}"


def qrels_lines(judged: Iterable[tuple[str, int]]) -> Iterator[str]:
    """Yield the judgements of questions, given by id and number of gold items; WeftError where ids look alike."""
    seen: dict[str, str] = {}
    for identity, n_items in judged:
        name = token(identity)
        if seen.setdefault(name, identity) != identity:
            raise WeftError(f"the question ids {seen[name]!r} and {identity!r} are one in TREC files; rename one")
        yield from (f"{name} 0 {item_name(item)} 1\n" for item in range(n_items))


def run_lines(identity: str, names: Sequence[str], taken: Sequence[int], tag: str) -> Iterator[str]:
    """Yield a ranking's lines; scores fall by one a rank, so that no reader meets a tie."""
    for index, (name, item) in enumerate(zip(names, taken, strict=True)):
        document = item_name(item) if item >= 0 else token(name)
        yield f"{token(identity)} Q0 {document} {index + 1} {len(names) - index} {token(tag)}\n"


def read_run(path: Path, identities: Iterable[str]) -> Run:
    """Read a run for questions by their ids; raise WeftError naming the first wrong line, or where none is in it.

    The order is trec_eval's: by falling score, equal scores by falling document
    name; the rank field does not count. Other questions are passed over.
    """
    scored: dict[str, dict[str, float]] = {}
    for number, line in enumerate(_text(path).split("\n"), 1):
        if line.strip():
            identity, document, score = _fields(line, f"{path} line {number}")
            documents = scored.setdefault(identity, {})
            if document in documents:
                raise WeftError(f"{path} line {number}: document {document} came before for question {identity}")
            documents[document] = score
    rankings = {}
    for identity in identities:
        documents = scored.get(identity) or scored.get(token(identity)) or {}
        if documents:
            rankings[identity] = tuple(sorted(documents, key=lambda name: (documents[name], name), reverse=True))
    if not rankings:
        raise WeftError(f"{path}: ranks nothing for any of the questions; are its question ids those of the file?")
    return Run(rankings)


def run_ranking(skb: Skb, unit: Unit, names: Sequence[str], own: Mapping[str, int]) -> list[int]:
    """Return the ids of a run's documents: those of `own`, uris as written or encoded, else distinct unknown ones.

    Where only blanks were encoded, only these are decoded: a uri holds percent signs of its own.
    """
    find = skb.chunk if unit == "chunk" else skb.entity
    ids: list[int] = []
    for index, name in enumerate(names):
        found = None if name in own else find(name) or find(_with_blanks(name)) or find(unquote(name))
        ids.append(own[name] if name in own else UNKNOWN - index if found is None else found.id)
    return ids


def _with_blanks(name: str) -> str:
    return ENCODED_BLANK.sub(lambda found: BLANKS[found[0]], name)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise WeftError(f"{path}: cannot be read ({error})") from error


def _fields(line: str, where: str) -> tuple[str, str, float]:
    fields = line.split()
    if len(fields) != 6:
        raise WeftError(f"{where}: has {len(fields)} fields; a run has six: question Q0 document rank score tag")
    try:
        score = float(fields[4])
    except ValueError as error:
        raise WeftError(f"{where}: the score {fields[4]} is no number") from error
    if math.isnan(score):
        raise WeftError(f"{where}: the score is no number")
    return fields[0], fields[2], score
