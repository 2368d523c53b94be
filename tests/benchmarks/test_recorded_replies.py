"""Recorded replies: what is written is read, and a prompt, template or knowledge base of another kind is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks import expansion_replies, focus_replies
from benchmarks.expansions import built
from benchmarks.recorded_replies import (
    Pending,
    Record,
    Recorded,
    RecordedChat,
    add_replies,
    check_record,
    content_of,
    hash_of,
    lowest,
    pending_of,
    read_record,
    versions,
    write_record,
)
from retriever.datasets.question_files import Question
from retriever.prompts.document import PROMPT
from weft.errors import WeftError

ASKED = PROMPT.messages(structure="s", found="", question="What is an oak?")
RECORD = Record("abc", versions(), (Recorded("7", "document", hash_of(ASKED), "Öl of oak."),))


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_record(tmp_path / "replies.jsonl", RECORD)
    found = read_record(tmp_path / "replies.jsonl")
    assert found == RECORD
    (reply,) = RecordedChat(found).complete(ASKED)
    assert reply.text == "Öl of oak." and reply.cached


def test_a_prompt_that_was_not_recorded_is_a_clear_error() -> None:
    other = PROMPT.messages(structure="s", found="", question="What is an elm?")
    chat = RecordedChat(RECORD)
    chat.question = "8"
    complaint = rf"no reply is recorded to prompt {hash_of(other)} of step document \(question 8"
    with pytest.raises(WeftError, match=complaint):
        chat.complete(other)
    pending: dict[str, Pending] = {}
    chat = RecordedChat(RECORD, pending)
    chat.question = "8"
    assert chat.complete(other)[0].text == ""
    assert list(pending) == [hash_of(other)] and pending[hash_of(other)].text == other[1].content
    with pytest.raises(WeftError, match="2 replies are asked for"):
        chat.complete(other, n=2)


def test_other_templates_and_another_knowledge_base_are_told(world: Path) -> None:
    content = content_of(world)
    check_record(RECORD._replace(skb=content), content)
    with pytest.raises(WeftError, match=f"of knowledge base abc, this one is {content}"):
        check_record(RECORD, content)
    with pytest.raises(WeftError, match="the replies of step document are of template old"):
        check_record(RECORD._replace(templates={"document": "old"}), "abc")


@pytest.mark.parametrize("text", ["", "{}\n", "no json\n", '{"skb": "a", "templates": {}}\n{"reply": "x"}\n'])
def test_a_file_that_is_no_record_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "replies.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(WeftError, match="is no file of recorded replies"):
        read_record(tmp_path / "replies.jsonl")


@pytest.mark.parametrize(("benchmark", "n"), [(expansion_replies, 30), (focus_replies, 60)])
def test_what_is_committed_is_of_the_templates_at_hand_and_holds_no_document(benchmark: ModuleType, n: int) -> None:
    record = read_record(benchmark.FILE)
    check_record(record, record.skb)
    assert dict(record.templates) == versions(benchmark.PROMPTS)
    assert len({each.question for each in record.replies}) == n
    assert {each.step for each in record.replies} == set(record.templates)
    assert len({each.prompt for each in record.replies}) == len(record.replies)


def test_prompts_without_a_reply_are_added_to_a_record(tmp_path: Path, world: Path) -> None:
    asked = lowest([Question(str(n), f"Who designed bridge {n}?", ()) for n in range(3)], 2)
    record, file = Record(content_of(world), versions(focus_replies.PROMPTS), ()), tmp_path / "record.jsonl"
    for step, reply in (("target_type", "Person"), ("cypher", "MATCH (b)-[:designer]->(p:Person) RETURN p")):
        pending = pending_of(world, record, ["autofocus(model=yes)"], asked)
        assert [(each.question, each.step) for each in pending.values()] == [(each.id, step) for each in asked]
        replies = tmp_path / "replies.jsonl"
        replies.write_text("".join(json.dumps({"prompt": key, "reply": reply}) + "\n" for key in pending))
        add_replies(file, record, pending, replies)
        record = read_record(file)
    assert pending_of(world, record, ["autofocus(model=yes)"], asked) == {} and len(record.replies) == 4


def test_what_ships_is_of_the_graph_as_it_is_built_now(real_data: Callable[[str], Path], tmp_path: Path) -> None:
    real_data(expansion_replies.SET)
    content = content_of(built(tmp_path, expansion_replies.SET))
    for module in (expansion_replies, focus_replies):
        check_record(read_record(module.FILE), content)
