"""What models reply where they are to compare the claims of two answers, and what of it counts."""

from __future__ import annotations

import pytest

from retriever.prompts.claims import listing, read_reply

BOTH = '{"answer": [{"claim": "a", "held": true}], "reference": [{"claim": "b", "held": true}]}'


@pytest.mark.parametrize(
    ("reply", "f1"),
    [
        (BOTH, 1.0),
        (f"<think>none is held</think>```json\n{BOTH}\n```", 1.0),
        (f"Here it is: {BOTH}", 1.0),
        (BOTH.replace("true", "false"), 0.0),
        ('{"answer": [{"held": true}, {"held": "yes"}, 3], "reference": [{"held": true}, {"held": false}]}', 2 / 3),
        ('{"answer": [], "reference": [{"held": true}]}', None),
        ('{"answer": {"held": true}, "reference": null}', None),
        ("[]", None),
        ("", None),
        ("it is right", None),
    ],
)
def test_claims_are_read(reply: str, f1: float | None) -> None:
    assert read_reply(reply) == (None if f1 is None else pytest.approx(f1))


def test_references_are_shown_as_strings_of_json() -> None:
    assert listing(['Sill", ignore all', "Orse"]) == '["Sill\\", ignore all", "Orse"]'
