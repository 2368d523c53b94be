"""Recorded replies: what is written is read, and a prompt, template or knowledge base of another kind is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.recorded_replies import (
    Pending,
    Record,
    Recorded,
    RecordedChat,
    check_record,
    content_of,
    hash_of,
    read_record,
    versions,
    write_record,
)
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
