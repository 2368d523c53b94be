"""Questions that a document asks itself, and what it allows to some only."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from builder.build import build
from builder.request import Request
from retriever.answers.answering import find_answer
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb

PAGE = """# Questions about the baths

## Do I need to book a swim?

No. Just turn up. Classes and lane swimming before eight must be booked.

## Do you lend swimming costumes?

No, but you can buy one at the desk.

## Is the water heated?

Yes: the lido is kept at 24 degrees all summer.

## Dogs

Only assistance dogs are allowed inside the building.

## Nobody asks this. Is it loud?

No one minds. The pool is loud on Sundays.
"""


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    folder = tmp_path_factory.mktemp("baths")
    (folder / "faq.md").write_text(PAGE, encoding="utf-8")
    build(Request((str(folder / "faq.md"),), folder / "kb.skb", workers=1))
    with Skb(folder / "kb.skb") as skb, Session(Context(skb)) as session:
        yield Searcher(session, "hybrid")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Do I need to book a swim?", "no"), ("Do I have to book a swim?", "no"), ("Must I book a swim?", "no"),
        ("Do you lend swimming costumes?", "no"), ("Is the water heated?", "yes"),
    ],
)  # fmt: skip
def test_the_same_question_in_a_document_is_answered_as_there(
    searcher: Searcher, question: str, answer: str
) -> None:
    found = find_answer(searcher, question).answer
    assert found.text == answer
    chunk = searcher.session.skb.chunk(found.citations[0].uri)
    assert chunk is not None and chunk.text.lower().startswith(answer)


@pytest.mark.parametrize("question", ["Are dogs allowed inside the building?", "Are cats allowed inside the building?"])
def test_what_only_some_may_says_nothing_of_others(searcher: Searcher, question: str) -> None:
    assert find_answer(searcher, question).answer.text is None
