"""What models reply where they are to grade, order or compare candidates, and what of it counts."""

from __future__ import annotations

import pytest

from retriever.prompts.rerank import listwise, pairwise, pointwise


@pytest.mark.parametrize(
    ("reply", "grade"),
    [
        ("0.7", 0.7), ("1", 1.0), ("0", 0.0), (".25", 0.25), ("1.0", 1.0), ("Score: 0.4", 0.4), ("**0.9**", 0.9),
        ("70%", 0.7), ("7/10", 0.7), ("3 / 4", 0.75), ('{"score": 0.3}', 0.3), ("```json\n{\"grade\": 0.2}\n```", 0.2),
        ("It meets 2 of 4 things, so 0.5", 0.5), ("<think>0.1 or 0.9</think>0.6", 0.6), ("0.8.", 0.8), ("[0.4]", 0.4),
        ("", None), ("good", None), ("12", None), ("-0.5", None), ("<think>0.5", None), ("5/0", None), ("1e400", None),
        ("gene BRCA1", None), ("9" * 400, None), ('{"a": 0.1, "b": 0.2}', 0.1),
        ('{"score": 0.2, "confidence": 1}', 0.2), ('{"confidence": 0.9, "Score": 0.2}', 0.2), ("{}", None),
        ('{"score": 7, "confidence": 0.9}', None), ('{"score": true}', None), ('{"met": 3, "share": 0.6}', 0.6),
        ("[1" + "0" * 400 + ", 1]", 1.0), ('{"score": 1' + "0" * 400 + "}", None), ("As [1] says, 0.4", 0.4),
        ('{"score": NaN}', None), ('{"why": "2 of 4 are met", "score": 0.5}', 0.5), ('{"score": "7/10"}', 0.7),
        ('{"why": "0.9 of it", "share": 0.5}', 0.5), ('{"share": "70%"}', 0.7), ('{"score": 1e-7}', 1e-7),
    ],
)  # fmt: skip
def test_grades_are_read(reply: str, grade: float | None) -> None:
    assert pointwise.read_reply(reply) == grade


@pytest.mark.parametrize(
    ("reply", "named"),
    [
        ("[2, 1, 3]", [1, 0, 2]), ("2, 1, 3", [1, 0, 2]), ("[2] > [1] > [3]", [1, 0, 2]), ("2\n1\n3", [1, 0, 2]),
        ("2 > 1", [1, 0]), ('{"order": [3, 1]}', [2, 0]), ('["[3]", "1"]', [2, 0]), ('[{"id": 3}, {"id": 2}]', [2, 1]),
        ("[9, 3, 3, 0, -1, 2]", [2, 1]), ("Of the 3 candidates:\n3, 2", [2, 1]), ("", []), ("none of them", []),
        ("<think>[1, 2]</think>[3, 2]", [2, 1]), ("candidate 2019", []), ("3", [2]), ("[3]", [2]), ("2,1,3", [1, 0, 2]),
        ("[[3], [1]]", [2, 0]), ("0.5, 1.5", []), ("[1.5, 2]", [1]), ("1" * 5_000, []), ("[" * 5_000, []),
        ("1. [3]\n2. [1]", [2, 0]), ("Candidates [1] and [2] are off topic. [3, 1, 2]", [2, 0, 1]),
        ("[1, 2] by name, by what they say [2, 1]", [1, 0]), ('Not [1]: {"order": [3, 2]}', [2, 1]),
    ],
)  # fmt: skip
def test_orders_are_read(reply: str, named: list[int]) -> None:
    assert listwise.read_reply(reply, 4) == named
    assert sorted(listwise.completed(named, 4)) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("A", True), ("B", False), ("b", False), ("**A**", True), ("[B]", False), ("Candidate A", True), ("(A).", True),
        ('{"better": "B"}', False), ("A is far ahead.", True), ("B, since it names a river.", False),
        ("A names a river, B a lake.\nB", False), ("<think>A</think>B", False), ("Answer: B", False),
        ("A\n\nB says less", True),
        ("[1] says less. A", True), ('Of [1] and [2] {"better": "B"}', False), ("I choose A because it fits.", True),
        ("A clearly fits.", True), ("I cannot decide. A tie.", None), ("A tie", None), ("A close call: A.", True),
        ("", None), ("both", None), ("A or B", None), ("a river", None), ("C", None), ("<think>A", None),
        ("Vitamin A's is not B's", None), ("[]", None), ('{"better": null}', None), ('{"A": 0.2, "B": 0.9}', None),
    ],
)  # fmt: skip
def test_choices_are_read(reply: str, chosen: bool | None) -> None:
    assert pairwise.read_reply(reply) is chosen
