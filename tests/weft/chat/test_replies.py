"""Replies of language models, as they really come: with reasoning, fences and prose around what was asked for."""

from __future__ import annotations

from typing import Any

import pytest

from weft.chat.replies import answers_of, json_of, plain


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ('{"a": 1}', {"a": 1}), ("[1, 2]", [1, 2]), ('Here you are: {"a": {"b": [1]}} as asked.', {"a": {"b": [1]}}),
        ('<think>{"a": 0}</think>{"a": 1}', {"a": 1}), ('It is:\n```json\n{"a": 1}\n```\nnot {"a": 2}', {"a": 1}),
        ('Sure! ["x", "y"] Anything else?', ["x", "y"]), ("{broken} then [3]", [3]), ("{{1: 2}", None),
        ("none at all", None), ("", None), ('"a string"', None), ("[" * 100_000, None), ("{" * 60 + '{"a": 1}', None),
        ("<think>[1]", None),
    ],
)  # fmt: skip
def test_json_is_found_within_prose(reply: str, found: Any) -> None:
    assert json_of(reply) == found


@pytest.mark.parametrize(
    ("reply", "kind", "found"),
    [
        ('Passage [1] says it: {"a": 1}', dict, {"a": 1}), ('{"a": [1]} or [2]', list, [2]), ("[1]", dict, None),
        ('[{"a": 1}]', dict, None), ("[1] " * 1_000 + "{}", dict, {}), ("[x] " * 40 + "[1] {}", dict, {}),
        ('```\n[1]\n{"a": 1}\n```', dict, {"a": 1}),
    ],
)  # fmt: skip
def test_json_of_one_kind_is_found_behind_others(reply: str, kind: type, found: Any) -> None:
    assert json_of(reply, kind) == found


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ('The pages are ["B", "C"].', ["B", "C"]), ('I chose {"page": "B", "sure": true}; no other.', ["B"]),
        ("See B [1]; C", ["See B [1]", " C"]), ("B\nC", ["B", "C"]), ("A {x}", ["A {x}"]),
    ],
)
def test_answers_are_the_strings_of_json_or_the_lines(reply: str, found: list[str]) -> None:
    assert answers_of(reply) == found


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("<think>a</think>B", "B"), ("B\n<reasoning>a</reasoning>", "B"), ("a</think>B", "B"), ("B<think>c", "B"),
        ("<think>a</think>B<think>c</think>", "B"), ("a</think>B<think>c</think>", "B"), ("<think>a", ""),
        ("<think>a</think>B<think>c", "B"), ("<think>a <think>b</think>B", "B"), ("<think>a</think>", ""),
        ("<think>a<think>b</think>c</think>B", "B"), ("a<think>b</think>c</think>", ""),
        ("<Thought >a</thought >B", "B"), ("a < think > b", "a < think > b"),
    ],
)  # fmt: skip
def test_reasoning_is_left_out_wherever_it_stands(reply: str, answer: str) -> None:
    assert plain(reply) == answer


@pytest.mark.parametrize(
    "reply",
    ["```\n" + "a\n" * 100_000, "```" + " \n" * 100_000 + "x", "<think>" * 50_000, "`" * 200_000, "[{" * 100_000,
     "<think>" * 50_000 + "</think>" * 50_000, "```json\n" + "a" * 60 + "\n```\nSo it is."],
)  # fmt: skip
def test_long_replies_are_read(reply: str) -> None:
    assert len(plain(reply)) <= len(reply) and len(answers_of(reply)) >= 1
