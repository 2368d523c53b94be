"""Synthetic questions: what an SKB is asked about itself, and that its own chunks answer."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.build import build
from builder.request import Request
from retriever.context import Context
from retriever.index.terms import written_sentences
from retriever.session import Session
from retriever.synthesis.compose import JOINTS, OPENINGS, SHORTEST, SyntheticQuestion, synthetic_questions
from retriever.synthesis.paraphrase import Paraphrase
from tests.worlds import link, page, write_pages
from weft.skb import Skb
from weft.text.normalise import STOP_WORDS, WORD

ENOUGH = 120


@pytest.fixture(scope="module")
def keepers_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an SKB whose titles share no word, so that a name left out is not half told by another one."""
    folder = tmp_path_factory.mktemp("keepers")
    pages = {
        "a.html": page(
            "Quern Bridge", f"Nine oaken piers carry the crossing over muddy water. {link('Tessa Quayle')} drew its "
            "plans by candle light. Merchants paid copper for every cart.", "== Flood",
            f"Ice tore four piers away one morning; {link('Old Marsh')} stood drowned for seven weeks after.",
        ),
        "b.html": page(
            "Tessa Quayle (engineer)", "Her father ground barley beside the slow brook. She learned drawing from "
            f"sailors, and moved to {link('Old Marsh')} when the harvest failed twice.",
        ),
        "c.html": page(
            "Old Marsh", "Herons nest among tall reeds there every spring. Nobody drained the black ground until "
            "windmills came.", "Short text.",
        ),
    }  # fmt: skip
    pages["a.html"] = pages["a.html"].replace("/wiki/Tessa_Quayle", "/wiki/Tessa_Quayle_(engineer)")
    build(Request((str(write_pages(folder / "pages", pages)),), folder / "kb.skb", workers=1))
    return folder / "kb.skb"


@pytest.fixture(params=["keepers_world", "world"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    with Skb(request.getfixturevalue(request.param)) as opened:
        yield Session(Context(opened))


@pytest.fixture
def keepers(keepers_world: Path) -> Iterator[Session]:
    with Skb(keepers_world) as opened:
        yield Session(Context(opened))


def _told(made: list[SyntheticQuestion]) -> list[tuple[str, list[int]]]:
    return [(each.text, each.gold.tolist()) for each in made]


def _words(text: str) -> set[str]:
    return {word.casefold() for word in WORD.findall(text)}


def _title(session: Session, chunk: int) -> str:
    (row,) = session.skb.chunks([chunk])
    (own,) = session.skb.pages([row.page_id])
    return own.title


def test_gold_are_chunks_that_exist(session: Session) -> None:
    made = list(synthetic_questions(session, ENOUGH))
    assert 2 in {len(each.gold) for each in made} <= {1, 2} and ENOUGH * 0.4 < len(made) <= ENOUGH
    for each in made:
        assert each.gold.tolist() == sorted(set(each.gold.tolist()))
        chunks = session.skb.chunks(each.gold.tolist())
        assert any(len(chunk.text) >= SHORTEST for chunk in chunks)
        assert len({chunk.page_id for chunk in chunks}) == len(chunks), "a link leads to another page"


def _rest(session: Session, made: SyntheticQuestion) -> set[str]:
    """Return the words of a question outside its opening and the titles of its gold."""
    opening = max((each for each in OPENINGS if made.text.lower().startswith(f"{each} ")), key=len)
    titles = " ".join(_title(session, chunk) for chunk in made.gold.tolist())
    return _words(made.text[len(opening) :]) - _words(titles) - STOP_WORDS


def _sentences(session: Session, made: SyntheticQuestion) -> list[list[set[str]]]:
    chunks = session.skb.chunks(made.gold.tolist())
    return [[_words(each) for each in written_sentences(session, chunk)] for chunk in chunks]


def test_words_of_a_question_over_a_link_come_from_one_sentence_of_each_chunk(session: Session) -> None:
    for made in synthetic_questions(session, ENOUGH, 5):
        if len(made.gold) == 2:
            said = [set().union(*several) for several in itertools.product(*_sentences(session, made))]
            assert any(_rest(session, made) <= each for each in said), made.text


def test_a_question_about_one_chunk_says_one_of_its_sentences_in_other_words(session: Session) -> None:
    paraphrase = session.part("paraphrase", Paraphrase)
    for made in synthetic_questions(session, ENOUGH, 5):
        if len(made.gold) == 1:
            ((sentences),) = _sentences(session, made)
            others = [{near for word in each for near in paraphrase.near(word)} for each in sentences]
            assert any(_rest(session, made) <= each for each in others), made.text


def test_where_no_word_has_another_nobody_asks_about_one_chunk(keepers: Session) -> None:
    made = list(synthetic_questions(keepers, ENOUGH))
    assert made and {len(each.gold) for each in made} == {2}


def test_a_question_over_a_link_leaves_the_name_between_out(keepers: Session) -> None:
    linked = 0
    for text, gold in synthetic_questions(keepers, ENOUGH, 2):
        if len(gold) == 1:
            continue
        linked += 1
        titles = [_title(keepers, chunk) for chunk in gold.tolist()]
        named = [title for title in titles if title.lower() in text.lower()]
        assert len(named) == 1 and any(f" {joint} " in text.lower() for joint in JOINTS), text
        (hidden,) = set(titles) - set(named)
        assert not _words(hidden) & _words(text), text
        (end,) = (chunk for chunk in gold.tolist() if _title(keepers, chunk) == hidden)
        (start,) = (chunk for chunk in gold.tolist() if chunk != end)
        entity = keepers.skb.entity(hidden)
        assert entity is not None
        assert start in {each.chunk_id for each in keepers.skb.cited_in(entity.id)}
    assert linked > ENOUGH / 4


def test_a_question_about_a_chunk_often_names_its_page(world: Path) -> None:
    with Skb(world) as skb:
        session = Session(Context(skb))
        direct = [each for each in synthetic_questions(session, 2 * ENOUGH, 3) if len(each.gold) == 1]
        titles = [_title(session, int(each.gold[0])) for each in direct]
    named = [title.lower() in each.text.lower() for title, each in zip(titles, direct, strict=True)]
    partly = [bool(_words(title) & _words(each.text)) for title, each in zip(titles, direct, strict=True)]
    assert 0.3 < sum(named) / len(named) < 0.6 and 0.6 < sum(partly) / len(partly) < 0.95
    lower = [each.text == each.text.lower() for each in direct]
    assert 0.3 < sum(lower) / len(lower) < 0.7
    assert all(each.text.endswith("?") and each.text[0].isupper() for each in direct if each.text != each.text.lower())


def test_same_file_and_seed_same_questions(session: Session) -> None:
    made = _told(list(synthetic_questions(session, 40, 7)))
    with Skb(session.skb.path) as skb:
        assert _told(list(synthetic_questions(Session(Context(skb)), 40, 7))) == made
    assert _told(list(synthetic_questions(session, 10, 7))) == made[: len(list(synthetic_questions(session, 10, 7)))]
    assert _told(list(synthetic_questions(session, 40, 8))) != made
    assert list(synthetic_questions(session, 0, 7)) == []


def test_short_texts_are_not_asked_about(keepers: Session) -> None:
    short = keepers.skb.chunk("Old Marsh##2")
    assert short is not None and len(short.text) < SHORTEST
    assert all(short.id not in each.gold for each in synthetic_questions(keepers, ENOUGH))


SPEECH = "Nobody crossed the old bridge. Nobody paid the old toll. The bridge had a toll and nobody."


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("texts", [(), ("Short text.",), ("Nothing is linked here, so no name lies between pages.",),
                                   (SPEECH,), (SPEECH, SPEECH)])  # fmt: skip
def test_what_has_no_links_asks_less(tmp_path: Path, texts: tuple[str, ...]) -> None:
    pages = write_pages(tmp_path / "pages", {"a.html": page("Quern Bridge", *texts)})
    build(Request((str(pages),), tmp_path / "kb.skb", workers=1))
    with Skb(tmp_path / "kb.skb") as skb:
        made = list(synthetic_questions(Session(Context(skb)), 10))
    assert all(len(each.gold) == 1 for each in made) and len(made) <= 5
