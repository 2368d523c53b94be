"""A question is asked only where nothing else in the SKB may answer it: no row, no list, no sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from builder.request import Summary
from retriever.context import Context
from retriever.session import Session
from retriever.synthesis.facts.fact import Fact, Thing
from retriever.synthesis.facts.known import row_facts
from retriever.synthesis.facts.store import FactStore
from retriever.synthesis.grammar.predicates import Predicate
from retriever.testsets.make import make
from tests.worlds import write_pages
from weft.skb import Skb

Questions = Callable[..., set[str]]

CANDLE = "# Cold Candle\n\nCold Candle is a lighthouse. It was built by [Abe Moss](abe.md).\n"
LIGHTS = "# Lights\n\n| Light | Shore |\n|---|---|\n| [Cold Candle](candle.md) | Lower Fen |\n"
ABE = "# Abe Moss\n\nAbe Moss was an engineer. He was born on 3 May 1170.\n"


@pytest.fixture
def questions(tmp_path: Path, weave: Callable[..., Summary]) -> Questions:
    """Give what asks about Markdown pages by their file names."""

    def asked(patterns: tuple[str, ...] = ("bridge",), **pages: str) -> set[str]:
        weave(write_pages(tmp_path / "pages", {f"{name}.md": text for name, text in pages.items()}))
        with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
            return {draft.question for draft in make(session, 60, patterns).drafts}

    return asked


def _has(questions: set[str], words: str) -> bool:
    return any(words in question for question in questions)


def test_a_row_without_a_link_is_an_answer_too(questions: Questions) -> None:
    alone = questions(candle=CANDLE, lights=LIGHTS, abe=ABE)
    assert _has(alone, "the lighthouse whose shore is Lower Fen")
    several = questions(candle=CANDLE, lights=f"{LIGHTS}| Old Aunt | Lower Fen |\n", abe=ABE)
    assert not _has(several, "whose shore is Lower Fen")
    assert _has(several, "the lighthouse that was built by Abe Moss") or _has(several, "lighthouse built by Abe Moss")


def test_what_a_row_lists_are_several_answers() -> None:
    text = "Cold Candle\nKeeper | Abe Moss, Inc., Ann Orr\nLocation | Hask, Noss\nNotes | one, two\nHeight (m) | 34, 22"
    said = [(fact.predicate.words, fact.object.text, fact.is_asked) for fact in row_facts(1, "infobox", text, 7, [])]
    assert said == [("is kept by", "Abe Moss", False), ("is kept by", "Ann Orr", False),
                    ("is located in", "Hask", False), ("height", "34 m", False), ("height", "22 m", False)]  # fmt: skip


def test_what_is_only_known_is_never_asked_and_gives_way() -> None:
    store = FactStore()
    keeper, ann = Predicate("is kept by", False), Thing("name", "Ann Orr")
    known = Fact(Thing("entity", "", 1), keeper, ann, 1, is_asked=False)
    store.add([known, known._replace(subject=Thing("entity", "", 2)), known._replace(chunk_id=2, is_asked=True)])
    store.finish()
    assert (store.count(), len(store.every()), store.facts(store.every())[0].chunk) == (2, 1, 2)
    store.close()


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("Whatever stands on the fen, the old lock too, was built at night by Abe Moss.", False),
        ("The Cold Candle, as one knows, was built at night by Abe Moss.", True),
        ("The old lock, as one knows, was painted at night by Abe Moss.", True),
    ],
)
def test_a_sentence_that_says_it_of_another_thing_is_a_rival(questions: Questions, told: str, asked: bool) -> None:
    lights = "# Lights\n\n| Light | Colour |\n|---|---|\n| [Cold Candle](candle.md) | white |\n"
    found = questions(candle=CANDLE, lights=lights, abe=ABE, survey=f"# The Survey\n\n{told}\n")
    assert _has(found, "by Abe Moss?") == asked


COMPANY = "# Company of Reeds\n\nThe Company of Reeds was founded by [Abe Moss](abe.md). The Company of Reeds is old.\n"


def test_names_have_the_article_that_texts_give_them(questions: Questions) -> None:
    found = questions(company=COMPANY, abe=ABE)
    assert _has(found, "the Company of Reeds") and not _has(found, "of Company of Reeds")


def test_what_has_no_article_in_texts_has_none(questions: Questions) -> None:
    found = questions(company=COMPANY.replace("The Company of Reeds", "Company of Reeds"), abe=ABE)
    assert _has(found, "Company of Reeds") and not _has(found, "the Company of Reeds")


HORN = "# Halmo\n\nThe Halmo is the brass horn without any valves.\n\nIt is heavy.\n\nIt is old.\n\nIt is loud.\n"
NOTES = "# Notes\n\n| Horn | Material |\n|---|---|\n| [Halmo](horn.md) | amber |\n"


def test_a_description_that_begins_another_page_too_describes_nothing(questions: Questions) -> None:
    alone = questions(horn=HORN, notes=NOTES)
    other = "# Trumm\n\nThe Trumm is a long brass horn without any valves or keys.\n"
    both = questions(horn=HORN, notes=NOTES, other=other)
    assert _has(alone, "the brass horn without any valves")
    assert not _has(both, "the brass horn without any valves")
