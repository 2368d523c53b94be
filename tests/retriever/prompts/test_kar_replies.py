"""What models reply where they are to name what a question names, and what of it counts."""

from __future__ import annotations

import json

import pytest

from retriever.prompts.kar_entities import MOST, MOST_CHARACTERS, read_reply


@pytest.mark.parametrize(
    ("reply", "names"),
    [
        ('[{"name": "Oak", "type": "tree", "document": "An oak."}]', ["Oak"]),
        ('Sure!\n```json\n[{"name": "Oak"}, {"name": "Elm"}]\n```\nDone.', ["Oak", "Elm"]),
        ('<think>["Ash"]</think>["Oak", "Elm"]', ["Oak", "Elm"]), ('{"entities": [{"name": "Oak"}]}', ["Oak"]),
        ('{"name": "Oak", "type": "tree"}', ["Oak"]), ('{"Oak": {"type": "tree"}, "Elm": "a tree"}', ["Oak", "Elm"]),
        ("- Oak: a tree\n- Elm", ["Oak", "Elm"]), ("[]", []), ("", []), ("[[], 3, null, {}]", []),
        ('[{"name": "Oak"}, {"name": "oak"}, {"name": " "}, {"name": 3}, {"type": "x"}]', ["Oak"]),
    ],
)  # fmt: skip
def test_odd_replies_are_read(reply: str, names: list[str]) -> None:
    assert [each.name for each in read_reply(reply)] == names


def test_a_document_is_read_however_it_is_nested() -> None:
    attributes = {"height": 30, "grows in": ["Veldra", "Ondrel"]}
    record = {"name": "Oak", "type": "tree", "attributes": attributes, "document": "Old."}
    (named,) = read_reply(json.dumps([record]))
    assert named.text == "Oak (tree)\nheight: 30\ngrows in: Veldra\ngrows in: Ondrel\nOld."
    (nested,) = read_reply('[{"name": "Elm", "document": {"id": 7, "is": true}}]')
    assert nested.text == "Elm\nid: 7"


def test_replies_without_end_are_read_to_a_bound() -> None:
    named = read_reply("\n".join(f"tree {number}: {'x' * 5_000}" for number in range(500)))
    assert len(named) == MOST and all(len(each.document) == MOST_CHARACTERS for each in named)
