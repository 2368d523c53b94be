"""Questions written by hand from passages of the real data: well-formed, and what they are asked of still answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.corpora import LEARNED, WRITTEN, data, invented, skb_of, sources
from benchmarks.domains import TABLES
from benchmarks.manual_packages import AS_TEXT, MANUALS
from benchmarks.table_questions import MOST
from retriever.answers.text.likeness import answer_tokens
from retriever.datasets.gold import GoldResolver
from retriever.datasets.question_files import read_questions
from tests.conftest import FIXTURES
from weft.skb import Skb

NAMES = ("wikitables", "wikitext")
OF_MANUALS = {manual.name for manual in (*MANUALS, AS_TEXT)}
INVENTED = sorted(source.name for source in invented())
PLAIN, ANSWERED = "invented", ("invented", "invented, multi-hop", "invented, comparison", "invented, yes or no")
TO_LEARN = sorted(path.stem for path in LEARNED.glob("*.jsonl"))
POLAR = {"yes", "no"}


@pytest.mark.parametrize("name", NAMES)
def test_committed_questions_are_well_formed(name: str) -> None:
    questions = read_questions(WRITTEN / f"{name}.jsonl")
    assert len({each.id for each in questions}) == len({each.question for each in questions}) == len(questions) > 300
    assert all(each.answers and len(each.gold) == 1 and each.type == "written" for each in questions)


def test_no_id_is_that_of_a_question_made_from_a_table() -> None:
    ids = {each.id for each in read_questions(WRITTEN / f"{TABLES}.jsonl")}
    assert not ids & {f"{TABLES} {number}" for number in range(1, MOST + 1)}


def test_what_is_learned_from_is_of_corpora_that_are_known() -> None:
    known = {source.name for source in sources()} - {"fixtures"}
    assert set(TO_LEARN) == known | OF_MANUALS | {*INVENTED}
    assert all((source.learned is not None) == (source.name in known) for source in sources())
    assert not known & {*INVENTED} and not OF_MANUALS & {*INVENTED}


@pytest.mark.parametrize("name", INVENTED)
def test_questions_over_invented_collections_are_well_formed(name: str) -> None:
    questions = read_questions(LEARNED / f"{name}.jsonl")
    assert len({each.id for each in questions}) == len({each.question for each in questions}) == len(questions) > 80
    for each in questions:
        if each.type == "invented, no answer":
            assert not each.answers and not each.gold
        else:
            assert each.type in ANSWERED and each.answers and each.hops == len(each.gold)
            assert (each.hops == 1 or each.type != PLAIN) and (each.hops > 1 or "hop" not in each.type)


@pytest.mark.parametrize("name", sorted({*TO_LEARN} - {*INVENTED}))
def test_questions_to_learn_from_are_well_formed(name: str) -> None:
    questions = read_questions(LEARNED / f"{name}.jsonl")
    assert len({each.id for each in questions}) == len({each.question for each in questions}) == len(questions) > 30
    for each in questions:
        assert each.type in ("written", "written, multi-hop", "how-to")
        assert len(each.gold) == each.hops == (2 if each.type == "written, multi-hop" else 1)
        assert each.answers or each.type == "how-to"


def test_no_question_to_learn_from_is_scored() -> None:
    of_corpora = {path for source in sources() if (path := source.questions) is not None and path.exists()}
    scored = of_corpora | {*WRITTEN.glob("*.jsonl"), FIXTURES / "questions.jsonl"}
    learned = [LEARNED / f"{name}.jsonl" for name in TO_LEARN]
    asked, known = ({each.question.casefold() for path in paths for each in read_questions(path)}
                    for paths in (scored, learned))  # fmt: skip
    assert not asked & known


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*NAMES, *TO_LEARN} - OF_MANUALS))
def test_an_answer_stands_in_the_gold(name: str, tmp_path: Path) -> None:
    if name not in INVENTED and not data().is_dir():
        pytest.skip("needs the real data: WEFT_DATA or ../shared/data")
    source = next(each for each in (*sources(), *invented()) if each.name == name)
    files = [path for path in (WRITTEN / f"{name}.jsonl", source.learned) if path is not None and path.exists()]
    with Skb(skb_of(source, tmp_path, "tfidf")) as skb:
        resolver = GoldResolver(skb, "chunk")
        for question in (each for path in files for each in read_questions(path)):
            gold = resolver.gold_set(question).items
            assert all(gold), question.id
            text = " ".join(chunk.text for chunk in skb.chunks(sorted(frozenset().union(*gold))))
            said = f" {' '.join(answer_tokens(text))}"
            if question.type not in (PLAIN, "invented, multi-hop", "written", "written, multi-hop"):
                continue
            is_said = any(each in text or f" {' '.join(answer_tokens(each))}" in said for each in question.answers)
            assert is_said or set(question.answers) <= POLAR, question.id
