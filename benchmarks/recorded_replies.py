"""Replies of a language model that were recorded, so that a run with a model can be made again for nothing.

The file is JSON Lines. Its first line tells what the replies hang on: `skb`, a
hash of the knowledge base's content, and `templates`, the version of each
prompt. Each other line is a reply: `question` (its id), `step` (the template's
name), `prompt` (a hash of all that was shown) and `reply`. No text of the
knowledge base is in it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from builder.dump import dump
from retriever.context import Context
from retriever.datasets.question_files import Question
from retriever.prompts import document, kar_document, kar_entities
from retriever.prompts.focus import cypher, target_type
from retriever.prompts.template import Prompt
from retriever.searcher import Searcher
from retriever.session import Session
from weft.chat.base import DEFAULT, Message, Options, Reply
from weft.errors import WeftError
from weft.schema import open_skb
from weft.skb import Skb

PROMPTS = tuple(each.PROMPT for each in (document, kar_entities, kar_document, target_type, cypher))
SHORT = 16
"""Hexadecimal digits of a hash that are kept."""


class Recorded(NamedTuple):
    """A reply to one prompt of a question."""

    question: str
    step: str
    prompt: str
    reply: str


class Record(NamedTuple):
    """What replies hang on, and the replies."""

    skb: str
    templates: Mapping[str, str]
    replies: tuple[Recorded, ...]


class Pending(NamedTuple):
    """A prompt that has no reply yet."""

    question: str
    step: str
    prompt: str
    text: str


class RecordedChat:
    """Gives the recorded reply to a prompt; raise WeftError for one that was not recorded.

    With `pending` such prompts are put there and given an empty reply; `question` is whose they are.
    """

    name = "recorded"

    def __init__(self, record: Record, pending: dict[str, Pending] | None = None) -> None:
        self._record = record
        self._replies = {each.prompt: each.reply for each in record.replies}
        self._pending = pending
        self.question = ""

    def complete(self, messages: Sequence[Message], *, n: int = 1, options: Options = DEFAULT) -> list[Reply]:
        """Return the one reply; raise WeftError where several are asked for."""
        if n != 1:
            raise WeftError(f"{n} replies are asked for, and one is recorded; use n=1")
        key, step = hash_of(messages), step_of(messages)
        if key not in self._replies and self._pending is None:
            raise WeftError(
                f"no reply is recorded to prompt {key} of step {step} (question {self.question or 'unknown'}): the"
                f" replies are of template {self._record.templates.get(step, 'unknown')} and knowledge base"
                f" {self._record.skb}, this template is {versions().get(step, 'unknown')}; record them again"
            )
        if key not in self._replies and self._pending is not None:
            self._pending[key] = Pending(self.question, step, key, messages[-1].content)
        return [Reply(self._replies.get(key, ""), cached=True)]


def hash_of(messages: Sequence[Message]) -> str:
    """Return what tells a conversation from others."""
    return sha256(json.dumps([list(each) for each in messages]).encode()).hexdigest()[:SHORT]


def step_of(messages: Sequence[Message]) -> str:
    """Return the name of the template whose instructions a conversation begins with, "" for none."""
    return next((each.step for each in PROMPTS if each.system == messages[0].content), "")


def versions(prompts: Iterable[Prompt] = PROMPTS) -> dict[str, str]:
    """Return the version of each template."""
    return {each.step: each.version for each in prompts}


def content_of(path: Path) -> str:
    """Return a hash of what an SKB holds, vectors left out."""
    connection = open_skb(path)
    try:
        digest = sha256()
        for line in dump(connection, vectors=False):
            digest.update(line.encode() + b"\n")
        return digest.hexdigest()[:SHORT]
    finally:
        connection.close()


def read_record(path: Path) -> Record:
    """Return the record of a file; raise WeftError for a file that is none."""
    try:
        head, *lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return Record(head["skb"], dict(head["templates"]), tuple(Recorded(**each) for each in lines))
    except (ValueError, KeyError, TypeError) as error:
        raise WeftError(f"{path}: is no file of recorded replies ({error})") from error


def check_record(record: Record, skb: str) -> None:
    """Raise WeftError where replies are of another knowledge base or other templates than those at hand."""
    if record.skb != skb:
        raise WeftError(f"the replies are of knowledge base {record.skb}, this one is {skb}; record them again")
    for step, known in record.templates.items():
        version = versions().get(step, "none")
        if known != version:
            raise WeftError(
                f"the replies of step {step} are of template {known}, this one is {version}; record them again"
            )


def lowest(questions: Iterable[Question], n: int) -> list[Question]:
    """Return the n questions whose ids have the lowest hashes."""
    return sorted(questions, key=lambda each: sha256(each.id.encode()).hexdigest())[:n]


def pending_of(
    path: Path, record: Record, methods: Sequence[str], questions: Sequence[Question]
) -> dict[str, Pending]:
    """Return the prompts that have no reply, by their hash; what follows from an empty reply is none of them."""
    found: dict[str, Pending] = {}
    with Skb(path) as skb:
        for method in methods:
            for question in questions:
                chat = RecordedChat(record, own := {})
                chat.question = question.id
                with Session(Context(skb), chat) as session:
                    Searcher(session, method, "entity").rank(question.question, 1)
                first = next(iter(own.values()), None)
                found |= {} if first is None else {first.prompt: first}
    return found


def add_or_print(
    given: argparse.Namespace, file: Path, record: Record, pending: Callable[[Record], Mapping[str, Pending]]
) -> bool:
    """Do what `--add` and `--pending` ask for; return whether either was given."""
    if given.add:
        add_replies(file, record, pending(record), given.add)
    elif given.pending:
        found = pending(record)
        lines = (json.dumps(each._asdict()) + "\n" for each in found.values())
        given.pending.write_text("".join(lines), encoding="utf-8")
        print(f"{len(found)} prompts have no reply")
    return bool(given.add or given.pending)


def arguments(description: str | None) -> argparse.Namespace:
    """Return what the command line of such a benchmark says."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pending", type=Path)
    parser.add_argument("--add", type=Path)
    return parser.parse_args()


def add_replies(file: Path, record: Record, pending: Mapping[str, Pending], given: Path) -> None:
    """Put replies to pending prompts into the record, and write it."""
    new = []
    for line in given.read_text(encoding="utf-8").splitlines():
        own = json.loads(line)
        one = pending[own["prompt"]]
        new.append(Recorded(one.question, one.step, one.prompt, own["reply"]))
    write_record(file, record._replace(replies=(*record.replies, *new)))
    print(f"{len(new)} replies added, {len(record.replies) + len(new)} in all")


def write_record(path: Path, record: Record) -> None:
    """Write a record, its replies by question, step and prompt."""
    head = {"skb": record.skb, "templates": dict(record.templates)}
    lines: Iterable[Mapping[str, object]] = (head, *(each._asdict() for each in sorted(record.replies)))
    text = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in lines)
    path.write_text(text, encoding="utf-8")
