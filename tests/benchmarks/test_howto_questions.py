"""How-to questions: what their gold names in a manual, and that the committed ones are well-formed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.howto_questions import FOLDER, Where, howto_questions, uris_of
from tests.worlds import write_pages, write_records
from weft.skb import Skb

MANUAL = {
    "gates/locks.html": """<h1>Locks</h1><p>Of gates.</p><h2>3.1. Filling</h2><p>Open both.</p><h3>Errors</h3>
        <p>Leaks.</p><h2>Emptying</h2><p>Close both.</p><h3>Errors</h3><p>Floods.</p>""",
    "faq.html": """<h1>FAQ</h1><p>(1) Too slow?</p><p>Oil it.</p><p>(2) Too fast?</p><p>Brake it.</p>
        <ul><li>Rope: hemp</li></ul>""",
}
CASES: list[tuple[Where, list[str]]] = [
    (Where("gates/locks.html", "filling"), ["Locks#3.1. Filling"]),
    (Where("gates/locks.html", "Emptying#Errors"), ["Locks#Emptying#Errors"]),
    (Where("gates/locks.html", "Errors"), []),
    (Where("gates/locks.html", "Painting"), []),
    (Where("gates/locks.html"), ["Locks"]),
    (Where("faq.html", line="(1) Too"), ["FAQ##1", "FAQ##2"]),
    (Where("faq.html", line="Rope"), ["FAQ##5"]),
    (Where("faq.html", line="Nothing"), []),
    (Where("lost.html"), []),
]


@pytest.fixture
def skb(tmp_path: Path, weave: Callable[..., object]) -> Skb:
    for name, text in MANUAL.items():
        write_pages((tmp_path / "manual" / name).parent, {Path(name).name: text})
    weave(tmp_path / "manual")
    return Skb(tmp_path / "kb.skb")


@pytest.mark.parametrize(("where", "uris"), CASES)
def test_gold_names_a_section_a_line_or_a_page(skb: Skb, where: Where, uris: list[str]) -> None:
    assert uris_of(skb, where) == uris


def test_a_question_gets_the_uris_of_its_gold(skb: Skb, tmp_path: Path) -> None:
    gold = [{"place": "faq.html", "line": "(2)"}, {"place": "lost.html"}]
    write_records(tmp_path / "locks.jsonl", [{"id": "1", "question": "How do I slow it?", "gold": gold}])
    found: list[dict[str, Any]] = [{"uri": "FAQ##3"}, {"uri": "FAQ##4"}]
    line = {"id": "1", "question": "How do I slow it?", "gold": found, "hops": 1, "type": "how-to"}
    assert list(howto_questions(skb, "locks", tmp_path)) == [line]
    assert list(howto_questions(skb, "bridges", tmp_path)) == []


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.jsonl")), ids=lambda path: path.stem)
def test_committed_questions_are_distinct_and_say_where_their_answer_is(path: Path) -> None:
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(records) >= 20
    assert len({record["id"] for record in records}) == len({record["question"] for record in records}) == len(records)
    assert all(record["gold"] and all(Where(**item).place for item in record["gold"]) for record in records)


def test_six_manuals_are_asked() -> None:
    assert len(list(FOLDER.glob("*.jsonl"))) == 6
