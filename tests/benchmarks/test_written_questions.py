"""Questions written by hand from passages of the real data: well-formed, and what they are asked of still answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.corpora import WRITTEN, data, skb_of, sources
from benchmarks.domains import TABLES
from benchmarks.table_questions import MOST
from retriever.answers.text.likeness import answer_tokens
from retriever.datasets.gold import GoldResolver
from retriever.datasets.question_files import read_questions
from weft.skb import Skb

NAMES = ("wikitables", "wikitext")


@pytest.mark.parametrize("name", NAMES)
def test_committed_questions_are_well_formed(name: str) -> None:
    questions = read_questions(WRITTEN / f"{name}.jsonl")
    assert len({each.id for each in questions}) == len({each.question for each in questions}) == len(questions) > 300
    assert all(each.answers and len(each.gold) == 1 and each.type == "written" for each in questions)


def test_no_id_is_that_of_a_question_made_from_a_table() -> None:
    ids = {each.id for each in read_questions(WRITTEN / f"{TABLES}.jsonl")}
    assert not ids & {f"{TABLES} {number}" for number in range(1, MOST + 1)}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_an_answer_stands_in_the_gold(name: str, tmp_path: Path) -> None:
    if not data().is_dir():
        pytest.skip("needs the real data: WEFT_DATA or ../shared/data")
    source = next(each for each in sources() if each.name == name)
    with Skb(skb_of(source, tmp_path, "tfidf")) as skb:
        resolver = GoldResolver(skb, "chunk")
        for question in read_questions(WRITTEN / f"{name}.jsonl"):
            (gold,) = resolver.gold_set(question).items
            said = " ".join(answer_tokens(" ".join(chunk.text for chunk in skb.chunks(sorted(gold)))))
            polar = set(question.answers) <= {"yes", "no"}
            assert polar or any(" ".join(answer_tokens(each)) in said for each in question.answers), question.id
