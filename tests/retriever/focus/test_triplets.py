"""Lists of triplets in JSON, in all the forms that models give them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from retriever.focus.triplets import MOST_TRIPLETS, parse_triplets
from tests.retriever.focus.shown import shown

PAPERS = ["p: paper", '=Ann Lee: "Ann Lee"', "p -[written by]-> =Ann Lee", "? p"]


@pytest.mark.parametrize(
    "reply",
    [
        {"target": "?p", "triplets": [["?p: paper", "written by", "Ann Lee"]]},
        {"target": "p", "triples": [{"head": "?p: paper", "relation": "written by", "tail": "Ann Lee"}]},
        {"target": {"variable": "p"}, "triplets": [
            {"subject": {"variable": "p", "type": "paper"}, "predicate": "written by", "object": {"name": "Ann Lee"}}]},
        {"triplets": [["?p: paper", "written by", "Ann Lee"]]},
        [["?p:paper", " written by ", "Ann Lee"]],
        ["?p: paper", "written by", "Ann Lee"],
        {"subject": "?p: paper", "predicate": "written by", "object": "Ann Lee"},
    ],
)  # fmt: skip
def test_a_triplet_may_be_a_list_or_an_object(reply: Any) -> None:
    assert shown(parse_triplets(json.dumps(reply))) == PAPERS
    assert shown(parse_triplets(f"Here it is:\n```json\n{json.dumps(reply, indent=1)}\n```")) == PAPERS


def test_a_type_that_is_given_once_holds_everywhere() -> None:
    reply = {"target": "?p", "triplets": [["?p", "cites", "?q"], ["?p: paper", "", "?q: paper"]]}
    assert shown(parse_triplets(json.dumps(reply))) == ["p: paper", "q: paper", "p -[cites]-> q", "p -[]-> q", "? p"]


def test_constants_have_types_and_are_the_same_where_they_have_the_same_name() -> None:
    ann = {"name": "Ann", "type": "author"}
    reply = {"target": "?p", "triplets": [[ann, "wrote", "?p:paper"], ["?p", "by", "Ann"]]}
    assert shown(parse_triplets(json.dumps(reply)))[:2] == ['=Ann: author; "Ann"', "p: paper"]


@pytest.mark.parametrize(
    ("reply", "codes"),
    [
        ("", ["NO_QUERY"]),
        ("no triplets", ["NO_QUERY"]),
        ("[1, 2, 3]", ["SYNTAX", "SYNTAX", "SYNTAX", "NO_QUERY"]),
        ('{"triplets": {"a": 1}}', ["NO_QUERY"]),
        ('{"triplets": [["?p", 3, "x"], ["?p", "r"], ["", "r", "?"], null]}', 4 * ["SYNTAX"] + ["NO_QUERY"]),
        ('[["?p: paper", "r", "?q: paper"]]', ["NO_TARGET"]),
        ('{"target": "?z", "triplets": [["?p", "r", "?q"]]}', ["NO_TARGET"]),
        ('{"target": "?p", "triplets": [["?p", "r", "?q"]]}', ["NO_TARGET_TYPE"]),
        ('{"target": 7, "triplets": [["?p: x", "r", {"name": ["a"]}]]}', ["SYNTAX", "NO_QUERY"]),
    ],
)
def test_what_is_no_triplet_is_left_out_with_a_warning(reply: str, codes: list[str]) -> None:
    assert [warning.code for warning in parse_triplets(reply).warnings] == codes


def test_triplets_have_an_end() -> None:
    reply = {"target": "?p0", "triplets": [[f"?p{i}: a", "r", f"?p{i + 1}: a"] for i in range(200)]}
    pattern = parse_triplets(json.dumps(reply))
    assert len(pattern.triplets) == MOST_TRIPLETS
    assert [warning.code for warning in pattern.warnings] == ["TOO_LONG"]
