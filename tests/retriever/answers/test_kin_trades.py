"""What somebody's father or mother did is told by that one's page, whether they have names or not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import find_answer, reading_of
from retriever.answers.patterns.kin_trades import own_trade, trades_in
from retriever.searcher import Searcher
from tests.searching import searcher_over

PAGES = {
    "Winna Oake": "Winna Oake was a teacher. She was born in Dunmarsh in 1871, the daughter of a lighthouse keeper.",
    "Edda Varn": "Edda Varn was an engineer. She was the only child of the clockmaker Joss Varn and his wife Hanne, a"
    " seamstress.",
    "Tobit Renn": "Tobit Renn was a curator. He grew up in a cottage, for his father Gid was lock keeper at Kell.",
    "Tamsin Quarles": "Tamsin Quarles was an astronomer. In 1929 she married the geologist Lorcan Eddowes; they had one"
    " daughter, the novelist Maud Eddowes. Bo Lund, a smith, made her shelves. The friend Jan Reed came every day.",
    "Orm Tove": "Orm Tove was a smith. He was the son of a friend of the king. He had a brother.",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("trades"), PAGES) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was Winna Oake's father's job?", "lighthouse keeper"),
        ("What did the father of Winna Oake do for a living?", "lighthouse keeper"),
        ("edda varn mother occupation", "seamstress"),
        ("What was the trade of the father of Edda Varn?", "clockmaker"),
        ("What did Tobit Renn's father do?", "lock keeper"),
        ("What did Orm Tove's brother do?", None),
        ("What did the daughter of Tamsin Quarles do for a living?", "novelist"),
        ("What was the profession of the husband of Tamsin Quarles?", "geologist"),
        ("What was the job of Maud Eddowes?", "novelist"), ("What did Bo Lund do for a living?", "smith"),
        ("profession of Lorcan Eddowes", "geologist"),
    ],
)  # fmt: skip
def test_what_kin_and_whoever_has_no_page_did(searcher: Searcher, question: str, answer: str | None) -> None:
    assert find_answer(searcher, question).answer.text == answer


@pytest.mark.parametrize(
    ("text", "kin", "found"),
    [
        ("She was the daughter of Count Jan, a poet.", "father", []),
        ("He was the son of a tram driver and a nurse.", "mother", ["nurse"]),
        ("Her uncle was a smith; her mother had been a cook.", "mother", ["cook"]),
        ("His father was late for the boat.", "father", []),
    ],
)
def test_trades_are_nouns_for_somebody(text: str, kin: str, found: list[str]) -> None:
    assert [text[slice(*span)] for span in trades_in(text, kin, 0)] == found


def test_a_friend_has_no_trade_and_a_page_tells_its_own(searcher: Searcher) -> None:
    for question in ("What was the job of Jan Reed?", "What was the job of Tamsin Quarles?"):
        assert own_trade(question, reading_of(searcher, question).passages) is None
    assert find_answer(searcher, "What was the job of Tamsin Quarles?").answer.text == "astronomer"
