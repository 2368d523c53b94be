"""Lines of a test set: a question file's, with the bridge, the facts, the evidence and what it was made by.

On an SKB with text gold are the uris of chunks; without, those of the nodes that
answer, and the path is of triples. A comparison's gold on a graph are the two
nodes that it compares, the right one first.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from retriever.synthesis.facts.store import Stored
from retriever.synthesis.patterns.draft import Draft
from retriever.testsets.evidence import Evidence
from weft.errors import BadQuestionFile
from weft.text.normalise import encodable

VERSION = 1


def record_of(evidence: Evidence, draft: Draft, number: int) -> dict[str, Any]:
    """Return a draft as the line of a question file, by its number from 1."""
    naming = evidence.naming
    return {
        "id": f"{draft.pattern}-{number:05d}",
        "question": draft.question,
        "answers": list(draft.answers),
        "gold": gold_of(evidence, draft),
        "hops": draft.hops,
        "type": draft.pattern,
        "path": path_of(evidence, draft),
        "bridge": [naming.title(each) for each in draft.bridges],
        "evidence": [{"uri": row.uri, "text": row.text} for row in map(evidence.chunk, draft.chunks)],
        "facts": [fact_of(evidence, fact) for fact in draft.facts],
        "scores": {"verified": 1.0},
        "made_by": {"version": VERSION, "writer": "grammar"},
    }


def gold_of(evidence: Evidence, draft: Draft) -> list[dict[str, str]]:
    """Return what must be found: chunks, or on an SKB without text the node that answers."""
    if draft.chunks:
        return [{"uri": evidence.chunk(chunk).uri} for chunk in draft.chunks]
    uri = evidence.naming.uri(draft.answer)
    return [{"uri": uri}] if uri else [{"title": evidence.naming.title(draft.answer)}]


def path_of(evidence: Evidence, draft: Draft) -> list[str]:
    """Return the titles that lead to the answer; on an SKB without text the triples."""
    naming = evidence.naming
    if not draft.chunks:
        return [" | ".join(fact_of(evidence, fact)[key] for key in ("subject", "predicate", "object"))
                for fact in draft.facts]  # fmt: skip
    return [naming.title(each) for each in (*draft.named, *draft.bridges, draft.answer)]


def fact_of(evidence: Evidence, fact: Stored) -> dict[str, str]:
    """Return a fact's subject, predicate and object by their names."""
    naming = evidence.naming
    predicate = naming.store.predicate(fact.predicate)
    words = f"{predicate.frame} … {predicate.words}" if predicate.frame else predicate.words
    return {"subject": naming.title(fact.subject), "predicate": words, "object": naming.title(fact.object)}


def numbered(evidence: Evidence, drafts: Iterable[Draft]) -> Iterator[dict[str, Any]]:
    """Yield drafts as lines, those of each pattern numbered by themselves."""
    count: dict[str, int] = {}
    for draft in drafts:
        count[draft.pattern] = count.get(draft.pattern, 0) + 1
        yield record_of(evidence, draft, count[draft.pattern])


def read_records(path: Path) -> list[dict[str, Any]]:
    """Read the lines of a set with all their keys, as UTF-8 can hold them; raise BadQuestionFile where it is no set."""
    from retriever.datasets.question_files import completed, read_questions

    asked = read_questions(path)
    with path.open(encoding="utf-8-sig") as file:
        found = [json.loads(line) for line in file if line.strip()]
    records = [completed(record, question) for record, question in zip(found, asked, strict=True)]
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    return [json.loads(encodable(line)) for line in lines]


def line_of(record: Mapping[str, Any]) -> bytes:
    """Return a record as a line of UTF-8; raise BadQuestionFile for what is no record."""
    try:
        return (json.dumps(record, ensure_ascii=False) + "\n").encode()
    except (TypeError, UnicodeEncodeError) as error:
        raise BadQuestionFile(f"a question cannot be written ({error})") from error
